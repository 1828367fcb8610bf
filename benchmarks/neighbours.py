"""Does one visitor's long work slow another's slider?

    python -m benchmarks.neighbours [--presses 25]

Measures, in a browser, a slider of the home page and of random grouping: while nothing else runs,
while a full-size race (the paper's Fig. 2(a)) and a sweep of another visitor run, and again after.
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

QUIET_MILLISECONDS = 150  # short, so that a neighbour's page is pressed often
PAGES = {"home": "/", "random_grouping": "/Random_grouping"}
RACE = "Paper Fig. 2(a)"
SWEEP = "/ESVM_accuracy?acc_ms=112%2C+315%2C+504&acc_repeats=20&acc_features=5040&acc_seed={seed}"


def repaints(page, presses: int) -> list[float]:
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    slider.focus()
    times = []
    for press in range(presses + 2):
        page.evaluate(WATCH, QUIET_MILLISECONDS)
        slider.press("ArrowRight" if press % 2 else "ArrowLeft")
        times.append(page.evaluate("() => window.__repaint")["figure"])
    return [time for time in times[2:] if time is not None]


def phase(pages, presses) -> dict:
    return {key: float(np.median(repaints(page, presses))) for key, page in pages.items()}


def start_race(page, address) -> None:
    page.goto(f"{address}/Solver_race")
    page.wait_for_function(FIRST_FIGURE)
    page.get_by_role("button", name=RACE, exact=True).click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Racing:")).to_be_visible(timeout=60_000)


def start_sweep(page, address) -> None:
    page.goto(address + SWEEP.format(seed=np.random.default_rng().integers(1000, 900_000)))
    page.wait_for_function(FIRST_FIGURE)
    page.get_by_role("button", name=re.compile("^Run")).click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("running", timeout=60_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=25)
    arguments = parser.parse_args()
    folder, browser_path = Path(tempfile.mkdtemp()), chromium.find()
    with (
        running_app(folder / "app.log", {"EXCLUSIVE_SPARSITY_RESULTS": str(folder)}) as app,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        pages = {}
        for key, path in PAGES.items():
            pages[key] = browser.new_context(viewport={"width": 1400, "height": 800}).new_page()
            pages[key].goto(app.address + path)
            pages[key].wait_for_function(FIRST_FIGURE)
        idle = phase(pages, arguments.presses)
        workers = [browser.new_context().new_page() for _ in range(2)]
        start_race(workers[0], app.address)
        start_sweep(workers[1], app.address)
        busy = phase(pages, arguments.presses)
        still_on = workers[0].get_by_text("Racing:").is_visible()
        for worker in workers:
            worker.context.close()
        browser.close()
    ratios = {key: busy[key] / idle[key] for key in idle}
    for key in idle:
        print(f"{key}: idle {idle[key]:.0f} ms, busy {busy[key]:.0f} ms, {ratios[key]:.2f} ×")
    common.write(
        "neighbours",
        {
            "idle_median_ms": idle,
            "busy_median_ms": busy,
            "ratio": ratios,
            "race_still_on_at_the_end": still_on,
        },
    )


if __name__ == "__main__":
    main()
