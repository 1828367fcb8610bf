"""How long a reader waits: a slider to its repainted figure, a page to its first paint.

    python -m benchmarks.latency [--presses 15] [--only norm_patterns]

Starts the app, opens every page in Chromium and moves its first slider back and forth. Measured in
the browser, from the moment of the key or mouse event to the frame that paints a change of a
figure: `server` until the first figure stands as it then stays, `server_figures` until the last
one does, `server_settled` until nothing on the page changes any more. `busy` is the browser's main
thread per move. `first_visit` is the first page load of a server started for that page alone. How a
live figure follows the hand, without the server, is `benchmarks.live`.
Needs the development requirements and a browser; run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks import common
from lab import ui
from tests.browser import chromium
from tests.browser.app_server import running_app

QUIET_MILLISECONDS = 400
PATIENCE_MILLISECONDS = 180_000
# Half a sweep: so many steps one way before turning.
REACH = 4
FIRST_PAINT_MILLISECONDS = 5000.0  # the limit, of a cold server too
KINDS = ("server", "server_figures", "server_settled", "busy")
# Where the controls that a page opens with have no slider: strengths set by hand have.
ASKED = {"classify_csv": "?csv_tuning=By+hand"}

# Resolves with the times from the reader's event to the painting of the first figure's last change,
# the last figure's, and the page's; a quiet spell ends the watch. A change counts from the frame
# that paints it, not from when the script made it.
WATCH = """quiet => {
    let start = null, last = null;
    const figures = new Map();
    const begin = event => { if (start === null) start = event.timeStamp; };
    const inputs = ['keydown', 'mousedown'];
    inputs.forEach(name => window.addEventListener(name, begin, true));
    const observer = new MutationObserver(mutations => {
        if (start === null) return;
        const touched = new Set();
        for (const mutation of mutations) {
            const node = mutation.target;
            const element = node.nodeType === 1 ? node : node.parentElement;
            const figure = element && element.closest('[data-testid=stPlotlyChart]');
            if (figure) touched.add(figure);
        }
        last = performance.now();
        touched.forEach(figure => figures.set(figure, last));
        requestAnimationFrame(() => {
            last = performance.now();
            touched.forEach(figure => figures.set(figure, last));
        });
    });
    observer.observe(document.querySelector('[data-testid=stMain]'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    const watching = performance.now();
    window.__repaint = new Promise(resolve => {
        const timer = setInterval(() => {
            const now = performance.now();
            if ((last !== null && now - last > quiet) || now - watching > 10000) {
                clearInterval(timer);
                observer.disconnect();
                inputs.forEach(name => window.removeEventListener(name, begin, true));
                const since = [...figures.values()].map(time => time - start);
                resolve({figure: since.length ? Math.min(...since) : null,
                         figures: since.length ? Math.max(...since) : null,
                         settled: last === null ? null : last - start});
            }
        }, 20);
    });
}"""

FIRST_FIGURE = """() => document.querySelector('.js-plotly-plot .main-svg') !== null
    || [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
        .some(place => place.shadowRoot?.querySelector('svg[aria-label]'))"""
SINCE_NAVIGATION = "() => performance.now()"


def measure(browser, address: str, page_info: ui.Page, presses: int) -> dict:
    """First paint and repaint times of one page, in milliseconds."""
    context = browser.new_context(viewport={"width": 1400, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MILLISECONDS)
    url = _url(address, page_info)
    found = {"first_visit": _first_paint(page, url)}
    found["first_paint"] = [_first_paint(page, url) for _ in range(3)]
    slider = page.locator("[data-testid=stMain] input[type=range]:visible").first
    if slider.count():
        slider.focus()
        found["slider"] = slider.get_attribute("aria-label")
        # The first two moves load what only a first move needs.
        repaints = [_repaint(page, lambda k=key: slider.press(k)) for key in _sweep(presses + 2)]
        for kind, part in (
            ("server", "figure"),
            ("server_figures", "figures"),
            ("server_settled", "settled"),
            ("busy", "busy"),
        ):
            found[kind] = [repaint[part] for repaint in repaints[2:]]
    context.close()
    return found


def _url(address: str, page_info: ui.Page) -> str:
    path = "" if page_info.key == "home" else Path(page_info.file).stem.split("_", 1)[1]
    return f"{address}/{path}{ASKED.get(page_info.key, '')}"


def _sweep(n: int) -> list[str]:
    """Keys that move a slider back and forth, so that most values are not those just left."""
    return ["ArrowRight" if (k // REACH + 1) % 4 // 2 else "ArrowLeft" for k in range(n)]


def _first_paint(page, url: str) -> float:
    page.goto(url)
    page.wait_for_function(FIRST_FIGURE)
    return float(page.evaluate(SINCE_NAVIGATION))


def _repaint(page, act) -> dict:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.evaluate(WATCH, QUIET_MILLISECONDS)
    before = _main_thread(session)
    act()
    repaint = page.evaluate("() => window.__repaint")
    repaint["busy"] = _main_thread(session) - before
    session.detach()
    return repaint


def _main_thread(session) -> float:
    """Milliseconds that the page's main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1e3 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


def _median(times: list) -> float | None:
    seen = [time for time in times if time is not None]
    return float(np.median(seen)) if seen else None


def late(medians: dict) -> bool:
    return max(medians["first_paint"], medians["first_visit"]) > FIRST_PAINT_MILLISECONDS


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
    folder, browser_path = Path(tempfile.mkdtemp()), chromium.find()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        for page in pages:
            with running_app(folder / f"{page.key}.log") as app:
                found = measure(browser, app.address, page, max(1, arguments.presses))
            results[page.key] = found
            print(
                f"{page.label:18} first paint {_median(found['first_paint']):5.0f} ms"
                f" (first visit {found['first_visit']:5.0f})",
                *(
                    f"{kind} {_median(found[kind]):4.0f} ms"
                    for kind in KINDS
                    if found.get(kind) and _median(found[kind]) is not None
                ),
                sep=" | ",
                flush=True,
            )
        browser.close()
    medians = {
        key: {kind: _median(found[kind]) for kind in ("first_paint", *KINDS) if kind in found}
        | {"first_visit": found["first_visit"], "slider": found.get("slider")}
        for key, found in results.items()
    }
    for key, times in medians.items():
        if late(times):
            print(f"{key}: first paint ABOVE ITS LIMIT of {FIRST_PAINT_MILLISECONDS / 1e3:g} s")
    if not arguments.only:
        common.write(
            "latency",
            {
                "load_average": os.getloadavg()[0],  # above the cores, the times are too long
                "first_paint_limit": FIRST_PAINT_MILLISECONDS,
                "within": not any(map(late, medians.values())),
                "median_milliseconds": medians,
                "milliseconds": results,
            },
        )


if __name__ == "__main__":
    main()
