"""Does one visitor's long work slow another's slider?

    python -m benchmarks.neighbours [--rounds 6] [--presses 8]

Measures, in a browser, a slider of the home page and of random grouping: while nothing else runs,
while a full-size race (the paper's Fig. 2(a)) and a full-size sweep of two other visitors run, and
while nothing runs again. The two pages are pressed in turns, a few presses each, so that a
disturbance from outside meets both. All browsers share the machine with the server, so the redraws
of the racing visitor's own page count too. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import expect, sync_playwright

from benchmarks import common
from benchmarks.latency import FIRST_FIGURE, WATCH
from tests.browser import chromium
from tests.browser.app_server import running_app

PATIENCE_MILLISECONDS = 120_000
QUIET_MILLISECONDS = 150  # short, so that a neighbour's page is pressed often
PAGES = {"home": "/", "random_grouping": "/Random_grouping"}
RACE = "Paper Fig. 2(a)"
SWEEP = "/ESVM_accuracy?acc_ms=112%2C+315%2C+504&acc_repeats=20&acc_features=5040&acc_seed={seed}"


def repaints(page, presses: int) -> list[float]:
    """Milliseconds from the key to the repainted figure, press by press."""
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    slider.focus()
    times = []
    for press in range(presses):
        page.evaluate(WATCH, QUIET_MILLISECONDS)
        slider.press("ArrowRight" if press % 2 else "ArrowLeft")
        times.append(page.evaluate("() => window.__repaint")["figure"])
    return [time for time in times if time is not None]


def phase(pages, rounds: int, presses: int) -> dict[str, list[float]]:
    found = {key: [] for key in pages}
    for _ in range(rounds):
        for key, page in pages.items():
            found[key] += repaints(page, presses)
    return found


def summary(times: list[float]) -> dict[str, float]:
    low, middle, high = np.percentile(times, (25, 50, 75))
    return {"quartile_1": low, "median": middle, "quartile_3": high, "presses": len(times)}


def new_page(browser):
    """A visitor of their own."""
    page = browser.new_context(viewport={"width": 1400, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE_MILLISECONDS)
    return page


def start_race(page, address) -> None:
    page.goto(f"{address}/Solver_race")
    page.wait_for_function(FIRST_FIGURE)
    page.get_by_role("button", name=RACE, exact=True).click()
    expect(page.get_by_text("Settings changed")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Racing:")).to_be_visible()


def start_sweep(page, address) -> None:
    page.goto(address + SWEEP.format(seed=np.random.default_rng().integers(1000, 900_000)))
    page.wait_for_function(FIRST_FIGURE)
    page.get_by_role("button", name=re.compile("^Run")).click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("running")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--presses", type=int, default=8, help="of each page in each round")
    arguments = parser.parse_args()
    counts = (arguments.rounds, arguments.presses)
    folder, browser_path = Path(tempfile.mkdtemp()), chromium.find()
    with (
        running_app(folder / "app.log", {"EXCLUSIVE_SPARSITY_RESULTS": str(folder)}) as app,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        expect.set_options(timeout=PATIENCE_MILLISECONDS)
        pages = {}
        for key, path in PAGES.items():
            pages[key] = new_page(browser)
            pages[key].goto(app.address + path)
            pages[key].wait_for_function(FIRST_FIGURE)
            # The two values that are then alternated are computed before anything is measured.
            repaints(pages[key], 2)
        times = {"idle_before": phase(pages, *counts)}
        others = [new_page(browser) for _ in range(2)]
        start_race(others[0], app.address)
        start_sweep(others[1], app.address)
        times["busy"] = phase(pages, *counts)
        both_on = (
            others[0].get_by_text("Racing:").is_visible()
            and "running" in others[1].get_by_test_id("stProgress").inner_text()
        )
        others[0].get_by_role("button", name="Cancel", exact=True).click()
        expect(others[0].get_by_text("when the race was cancelled")).to_be_visible()
        others[1].get_by_role("button", name="Cancel", exact=True).click()
        expect(others[1].get_by_test_id("stProgress")).to_have_count(0)
        for page in others:
            page.context.close()
        times["idle_after"] = phase(pages, *counts)
        browser.close()
    milliseconds = {
        name: {key: summary(found) for key, found in measured.items()}
        for name, measured in times.items()
    }
    ratios = {}
    for key in PAGES:
        idle = np.median(times["idle_before"][key] + times["idle_after"][key])
        ratios[key] = milliseconds["busy"][key]["median"] / idle
        print(
            f"{key}: {ratios[key]:.2f} ×;",
            *(f"{name} {found[key]['median']:.0f} ms" for name, found in milliseconds.items()),
        )
    common.write(
        "neighbours",
        {
            "milliseconds": milliseconds,
            "ratio_of_medians": ratios,
            "race_and_sweep_still_on_at_the_end": both_on,
        },
    )


if __name__ == "__main__":
    main()
