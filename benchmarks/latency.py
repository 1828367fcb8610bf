"""How long a reader waits: a slider to its repainted figure, a page to its first paint.

    python -m benchmarks.latency [--presses 15] [--only norm_patterns]

Starts the app, opens every page in Chromium and presses an arrow key on a slider, over and over.
Measured in the browser: from the key to the last change of the page before it is quiet. Server
round trips (the page's own sliders) and client-side ones (sliders inside a figure) are told apart,
and so are the first figure that is repainted and the last change of anything on the page.
Needs the development requirements and a browser; run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks import common
from lab import ui
from tests.browser import chromium
from tests.browser.app_server import running_app

QUIET_MILLISECONDS = 400

# Resolves with the times from the key until the first figure had its last change, and until the
# page had its; a quiet spell ends the watch.
WATCH = """quiet => {
    const start = performance.now();
    let last = start;
    const figures = new Map();
    const observer = new MutationObserver(mutations => {
        last = performance.now();
        for (const mutation of mutations) {
            const node = mutation.target;
            const element = node.nodeType === 1 ? node : node.parentElement;
            const figure = element && element.closest('[data-testid=stPlotlyChart]');
            if (figure) figures.set(figure, last);
        }
    });
    observer.observe(document.querySelector('[data-testid=stMain]'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    window.__repaint = new Promise(resolve => {
        const timer = setInterval(() => {
            const now = performance.now();
            if ((last > start && now - last > quiet) || now - start > 10000) {
                clearInterval(timer);
                observer.disconnect();
                const first = Math.min(...figures.values());
                resolve({figure: figures.size ? first - start : null,
                         settled: last > start ? last - start : null});
            }
        }, 20);
    });
}"""

FIRST_FIGURE = "() => document.querySelector('.js-plotly-plot .main-svg') !== null"
SINCE_NAVIGATION = "() => performance.now()"

# Plotly's sliders take no keys: its own event handler is called with the next step, as a drag does.
MOVE_FIGURE_SLIDER = """index => {
    const plot = [...document.querySelectorAll('.js-plotly-plot')].find(
        p => p._fullLayout && p._fullLayout.sliders && p._fullLayout.sliders.length);
    const grip = plot.querySelectorAll('.slider-rail-touch-rect')[0];
    const box = grip.getBoundingClientRect();
    const steps = plot._fullLayout.sliders[0].steps.length;
    const x = box.left + box.width * ((index % steps) + 0.5) / steps;
    const y = box.top + box.height / 2;
    const options = {bubbles: true, cancelable: true, clientX: x, clientY: y, view: window};
    grip.dispatchEvent(new MouseEvent('mousedown', options));
    document.dispatchEvent(new MouseEvent('mouseup', options));
}"""
HAS_FIGURE_SLIDER = """() => [...document.querySelectorAll('.js-plotly-plot')].some(
    p => p._fullLayout && p._fullLayout.sliders && p._fullLayout.sliders.length)"""


def measure(browser, address: str, page_info: ui.Page, presses: int) -> dict:
    """First paint and repaint times of one page, in milliseconds."""
    context = browser.new_context(viewport={"width": 1400, "height": 800})
    page = context.new_page()
    path = "" if page_info.key == "home" else Path(page_info.file).stem.split("_", 1)[1]
    found = {"first_visit": _first_paint(page, f"{address}/{path}")}
    found["first_paint"] = [_first_paint(page, f"{address}/{path}") for _ in range(3)]
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    if slider.count():
        slider.focus()
        keys = ["ArrowRight" if i % 2 else "ArrowLeft" for i in range(presses + 2)]
        found["slider"] = slider.get_attribute("aria-label")
        # The first two presses fill the caches of the two values that are then alternated.
        repaints = [_repaint(page, lambda k=key: slider.press(k)) for key in keys][2:]
        found["server"] = [repaint["figure"] for repaint in repaints]
        found["server_settled"] = [repaint["settled"] for repaint in repaints]
    if page.evaluate(HAS_FIGURE_SLIDER):
        found["client"] = [
            _repaint(page, lambda i=i: page.evaluate(MOVE_FIGURE_SLIDER, i))["figure"]
            for i in range(presses)
        ]
    context.close()
    return found


def _first_paint(page, url: str) -> float:
    page.goto(url)
    page.wait_for_function(FIRST_FIGURE)
    return float(page.evaluate(SINCE_NAVIGATION))


def _repaint(page, act) -> dict:
    page.evaluate(WATCH, QUIET_MILLISECONDS)
    act()
    return page.evaluate("() => window.__repaint")


def _median(times: list) -> float | None:
    seen = [time for time in times if time is not None]
    return float(np.median(seen)) if seen else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=15)
    parser.add_argument("--only", nargs="*", help="keys of the pages to measure")
    arguments = parser.parse_args()
    pages = [
        page
        for page in (ui.HOME, *ui.existing_pages())
        if not arguments.only or page.key in arguments.only
    ]
    results = {}
    log, browser_path = Path(tempfile.mkdtemp()) / "app.log", chromium.find()
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        for page in pages:
            results[page.key] = found = measure(
                browser, app.address, page, max(1, arguments.presses)
            )
            print(
                f"{page.label:18} first paint {_median(found['first_paint']):5.0f} ms"
                f" (first visit {found['first_visit']:5.0f})",
                *(
                    f"{kind} {_median(found[kind]):4.0f} ms"
                    for kind in ("server", "server_settled", "client")
                    if found.get(kind) and _median(found[kind]) is not None
                ),
                sep=" | ",
                flush=True,
            )
        browser.close()
    medians = {
        key: {
            kind: _median(found[kind])
            for kind in ("first_paint", "server", "server_settled", "client")
            if kind in found
        }
        | {"first_visit": found["first_visit"], "slider": found.get("slider")}
        for key, found in results.items()
    }
    if not arguments.only:
        common.write("latency", {"median_milliseconds": medians, "milliseconds": results})


if __name__ == "__main__":
    main()
