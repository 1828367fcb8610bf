"""The race page's presets, pressed as a visitor presses them, each to its podium.

    python -m benchmarks.presets [--only "Digits" ...] [--paper]

Opens the race page in a browser and presses each preset once. Those from elsewhere, and the quick
one, are run then and there: the wall time from the press to the podium is measured, beside what the
page had said before that it would take. Those of the paper replay the benchmark's own race
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
from urllib.parse import urlencode

from playwright.sync_api import expect, sync_playwright

from benchmarks import common
from lab import races
from lab.ui.address import texts_of
from tests.browser import chromium
from tests.browser.app_server import running_app
from tests.browser.looks import downloaded_by, wait_until_idle

# The machine may be busy, which solver time does not mind.
LOOK_SECONDS = 180
PATIENCE_SECONDS = 3600
LOOKS, LOOK_EVERY_SECONDS = 10, 0.2

PODIUM = """() => [...document.querySelectorAll('[data-testid=stTable] tr')].map(
    row => [...row.cells].map(cell => cell.innerText.replaceAll('\\u2011', '-')))"""
QUICK = "Quick E-LASSO"


def specs() -> dict[str, races.RaceSpec]:
    """The race of each button."""
    return {QUICK: races.QUICK, **races.PAPER, **races.ELSEWHERE}


def path_to(spec: races.RaceSpec) -> str:
    """The page with a race set up and not yet run."""
    controls = races.controls_of(spec).items()
    return f"/Solver_race?{urlencode({f'race_{k}': texts_of(v)[0] for k, v in controls})}"


def run(page, label: str, *, here: bool) -> dict:
    """One preset, from its button to the podium; `here` races it, also where we ship its race."""
    expected = page.get_by_text(re.compile("takes (at most|about) .* if this machine is idle"))
    said = expected.inner_text()
    started = time.monotonic()
    page.get_by_role("button", name=label, exact=True).click()
    if label in races.PAPER:
        expect(page.get_by_text("Raced on")).to_be_visible()
        if here:
            started = time.monotonic()
            page.get_by_role("button", name="Start", exact=True).click()
    if here:
        expect(page).to_have_url(re.compile("race_run=[0-9a-f]{12}"))
        wait_until_over(page, label)
        started += LOOKS * LOOK_EVERY_SECONDS
    wall = time.monotonic() - started
    wait_until_idle(page)
    button = page.get_by_role("button", name="Histories (JSON)", exact=True)
    document = json.loads(downloaded_by(button))
    header, *rows = page.evaluate(PODIUM)
    return {
        "raced": "here" if here else "before",
        "wall_seconds": wall,
        "expected": said,
        "answer": page.get_by_text("certified to").first.inner_text(),
        "podium": {
            name: {row[0]: row[column] for row in rows}
            for column, name in enumerate(header)
            if column
        },
        "made": document["made"],
        "spec": document["spec"],
        "lanes": [lane(each) for each in document["runs"]],
    }


def wait_until_over(page, label: str) -> None:
    """Until the podium is final at several looks in a row: at first it is the last race's."""
    podium = page.get_by_role("heading", name="Podium", exact=True)
    unfinished = page.get_by_text("So far:")
    looks, patience = 0, time.monotonic() + PATIENCE_SECONDS
    while looks < LOOKS:
        if time.monotonic() > patience:
            raise TimeoutError(f"{label}: no podium within {PATIENCE_SECONDS} s")
        page.wait_for_timeout(1000 * LOOK_EVERY_SECONDS)
        looks = looks + 1 if podium.count() and not unfinished.count() else 0


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
    unknown = set(arguments.only) - set(specs())
    if unknown:
        parser.error(f"there is no preset {unknown.pop()!r}; there are: {', '.join(specs())}")
    wanted = [label for label in specs() if not arguments.only or label in arguments.only]
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
            page.goto(f"{app.address}{path_to(specs()[label])}")
            wait_until_idle(page)
            here = label not in races.PAPER or arguments.paper
            found[label] = result = run(page, label, here=here)
            print(f"{label}: {result['expected']}")
            print(f"  {result['wall_seconds']:.0f} s on the wall. {result['answer']}")
            for each in result["lanes"]:
                gap = "no certificate" if each["gap"] is None else f"gap {each['gap']:.1e}"
                print(f"  {each['label']:18} {each['seconds']:6.2f} s {gap}, {each['status']}")
            common.write("presets", {"presets": {key: found[key] for key in sorted(found)}})
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
