"""The paper's races, Fig. 2(a), 2(b) and 2(c), run to the end in the app as a visitor runs them.

    python -m benchmarks.presets [--only 2(a) ...]

Opens the race page in a browser, presses each preset and Start, and waits until the page says that
the race has ended: every lane at 1e-6, or out of its 15 s of solver time. What the page then shows
(answer, podium) and what it hands out (the histories) go to benchmarks/results/presets.json; a
preset that is run again replaces its own entry only.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from benchmarks import common
from benchmarks.latency import FIRST_FIGURE
from lab import races
from tests.browser import chromium
from tests.browser.app_server import running_app

# The machine may be busy, which solver time does not mind.
LOOK_SECONDS = 180
PATIENCE_SECONDS = 3600

PODIUM = """() => [...document.querySelectorAll('[data-testid=stTable] tr')].map(
    row => [...row.cells].map(cell => cell.innerText.replaceAll('\\u2011', '-')))"""


def run(page, label: str) -> dict:
    """One preset, from its button to the end of the race."""
    page.get_by_role("button", name=label, exact=True).click()
    expect(page.get_by_text("Raced on")).to_be_visible()
    started = time.monotonic()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Racing:")).to_be_visible()
    expect(page.get_by_text("Racing:")).to_have_count(0, timeout=1000 * PATIENCE_SECONDS)
    wall = time.monotonic() - started
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
    expect(page.get_by_text("So far:")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Histories (JSON)", exact=True).click()
    document = json.loads(download.value.path().read_text(encoding="utf-8"))
    header, *rows = page.evaluate(PODIUM)
    return {
        "wall_seconds": wall,
        "answer": page.get_by_text("certifi").first.inner_text(),
        "podium": {
            label: {row[0]: row[column] for row in rows}
            for column, label in enumerate(header)
            if column
        },
        "cancelled": document["cancelled"],
        "spec": document["spec"],
        "lanes": [lane(each) for each in document["runs"]],
    }


def lane(run: dict) -> dict:
    """A run's own summary, without its history."""
    summary = {name: value for name, value in run.items() if name != "history"}
    return {**summary, "measurements": len(run["history"]["seconds"])}


def previous() -> dict:
    return common.read("presets")["presets"] if common.path_of("presets").exists() else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="panels, as 2(a)")
    arguments = parser.parse_args()
    wanted = [
        label
        for label in races.PAPER
        if not arguments.only or any(label.endswith(panel) for panel in arguments.only)
    ]
    found, browser_path = previous(), chromium.find()
    log = Path(tempfile.mkdtemp()) / "app.log"
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        page = browser.new_context(viewport={"width": 1400, "height": 800}).new_page()
        page.set_default_timeout(1000 * LOOK_SECONDS)
        expect.set_options(timeout=1000 * LOOK_SECONDS)
        page.goto(f"{app.address}/Solver_race")
        page.wait_for_function(FIRST_FIGURE)
        for label in wanted:
            found[label] = result = run(page, label)
            print(f"{label}: {result['wall_seconds']:.0f} s on the wall. {result['answer']}")
            for each in result["lanes"]:
                gap = "no certificate" if each["gap"] is None else f"gap {each['gap']:.1e}"
                print(f"  {each['label']:18} {each['seconds']:6.2f} s {gap}, {each['status']}")
            common.write("presets", {"presets": {key: found[key] for key in sorted(found)}})
        browser.close()


if __name__ == "__main__":
    main()
