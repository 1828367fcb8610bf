"""The race page's presets, pressed as a visitor presses them, each to its podium.

    python -m benchmarks.presets [--only "Digits" ...] [--paper]

Opens the race page in a browser and presses each preset once. Those from elsewhere, and the quick
one, are run then and there: the wall time from the press to the podium is measured, beside what the
page had said it would take at most. Those of the paper replay the benchmark's own race
(`benchmarks.figure2`) at once; with --paper they are raced here too, which takes several minutes
each. What the page shows (answer, podium) and hands out goes to benchmarks/results/presets.json; a
preset that is run again replaces its own entry only.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from benchmarks import common
from lab import races
from tests.browser import chromium
from tests.browser.app_server import running_app
from tests.browser.looks import wait_until_idle

# The machine may be busy, which solver time does not mind.
LOOK_SECONDS = 180
PATIENCE_SECONDS = 3600

PODIUM = """() => [...document.querySelectorAll('[data-testid=stTable] tr')].map(
    row => [...row.cells].map(cell => cell.innerText.replaceAll('\\u2011', '-')))"""
QUICK = "Quick E-LASSO"


def run(page, label: str, *, here: bool) -> dict:
    """One preset, from its button to the podium; `here` races it, also where we ship its race."""
    started = time.monotonic()
    page.get_by_role("button", name=label, exact=True).click()
    if label in races.PAPER:
        expect(page.get_by_text("Raced on")).to_be_visible()
        if here:
            started = time.monotonic()
            page.get_by_role("button", name="Start", exact=True).click()
    if here:
        # A race that has come to its end is kept, and its address names it.
        expect(page).to_have_url(
            re.compile("race_run=[0-9a-f]{12}"), timeout=1000 * PATIENCE_SECONDS
        )
    wall = time.monotonic() - started
    wait_until_idle(page)
    expect(page.get_by_text("So far:")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Histories (JSON)", exact=True).click()
    document = json.loads(download.value.path().read_text(encoding="utf-8"))
    header, *rows = page.evaluate(PODIUM)
    return {
        "raced": "here" if here else "before",
        "wall_seconds": wall,
        "answer": page.get_by_text("certifi").first.inner_text(),
        "podium": {
            name: {row[0]: row[column] for row in rows}
            for column, name in enumerate(header)
            if column
        },
        "made": document["made"],
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
    parser.add_argument("--only", nargs="*", default=[], help="presets, by their buttons")
    parser.add_argument("--paper", action="store_true", help="race those of the paper here, too")
    arguments = parser.parse_args()
    labels = [QUICK, *races.PAPER, *races.ELSEWHERE]
    wanted = [label for label in labels if not arguments.only or label in arguments.only]
    found, browser_path = previous(), chromium.find()
    log = Path(tempfile.mkdtemp()) / "app.log"
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        expect.set_options(timeout=1000 * LOOK_SECONDS)
        for label in wanted:
            page = browser.new_context(viewport={"width": 1400, "height": 800}).new_page()
            page.set_default_timeout(1000 * LOOK_SECONDS)
            page.goto(f"{app.address}/Solver_race")
            wait_until_idle(page)
            here = label not in races.PAPER or arguments.paper
            found[label] = result = run(page, label, here=here)
            print(f"{label}: {result['wall_seconds']:.0f} s on the wall. {result['answer']}")
            for each in result["lanes"]:
                gap = "no certificate" if each["gap"] is None else f"gap {each['gap']:.1e}"
                print(f"  {each['label']:18} {each['seconds']:6.2f} s {gap}, {each['status']}")
            common.write("presets", {"presets": {key: found[key] for key in sorted(found)}})
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
