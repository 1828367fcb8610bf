"""How well a live figure follows the hand: redraws, messages while dragging, the wait at release.

    python -m benchmarks.live [--drags 12] [--quick]

Starts the app, opens every page with a live figure in Chromium and drags its first slider there and
back. Measured in the browser: milliseconds of script a redraw; messages that the page sent between
pressing and releasing; milliseconds from the release to the last change of the page's words.
`payload_bytes` is what the server sends for the largest figure.
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
from lab.drawing import live
from tests.browser import chromium
from tests.browser.app_server import running_app
from tests.browser.looks import wait_until_idle

LIMITS = {"redraw": 8.0, "messages": 0, "settled": 150.0, "payload_bytes": live.MOST_BYTES}
QUIET_MILLISECONDS = 400
PATIENCE_MILLISECONDS = 60_000

SIZES = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map(place => new TextEncoder().encode(place.shadowRoot.live.text).length)"""

# Resolves with the time from the release to the last change of words on the page; a quiet spell
# ends the watch. The figure itself is in its own tree, whose changes are not seen here.
WATCH = """quiet => {
    let start = null, last = null;
    window.addEventListener('pointerup', event => { start = event.timeStamp; },
        {capture: true, once: true});
    const observer = new MutationObserver(() => { last = performance.now(); });
    observer.observe(document.querySelector('[data-testid=stMain]'),
        {subtree: true, childList: true, characterData: true});
    window.__settled = new Promise(resolve => {
        const began = performance.now();
        const timer = setInterval(() => {
            const now = performance.now();
            const over = start !== null && last !== null && last > start && now - last > quiet;
            if (!over && now - began < 15000) return;
            clearInterval(timer);
            observer.disconnect();
            resolve(over ? last - start : null);
        }, 20);
    });
}"""


def measure(page, url: str, drags: int) -> dict | None:
    """What dragging costs on one page; None where it has no live figure."""
    sent: list = []

    def listen(socket) -> None:
        socket.on("framesent", lambda frame: sent.append(len(frame)))

    page.on("websocket", listen)
    page.goto(url)
    page.get_by_role("heading", level=1).wait_for()
    wait_until_idle(page)
    if not page.locator("figure.live").count():
        return None
    slider = page.locator("figure.live input[type=range]").first
    slider.scroll_into_view_if_needed()
    found: dict = {"redraw": [], "messages": [], "settled": []}
    for turn in range(drags + 1):
        box = slider.bounding_box()
        y, ends = box["y"] + box["height"] / 2, (0.2, 0.8) if turn % 2 else (0.8, 0.2)
        page.evaluate("() => { window.liveRedraws = []; }")
        page.evaluate(WATCH, QUIET_MILLISECONDS)
        page.mouse.move(box["x"] + box["width"] * ends[0], y)
        page.mouse.down()
        before = len(sent)
        page.mouse.move(box["x"] + box["width"] * ends[1], y, steps=40)
        messages = len(sent) - before
        page.mouse.up()
        settled = page.evaluate("() => window.__settled")
        if turn:  # the first drag loads what only a first one needs
            found["redraw"] += page.evaluate("() => window.liveRedraws")
            found["messages"].append(messages)
            found["settled"].append(settled)
    return found | {"payload_bytes": page.evaluate(SIZES)}


def summary(found: dict) -> dict:
    settled = [time for time in found["settled"] if time is not None]
    return {
        "redraw": float(np.median(found["redraw"])),
        "messages": max(found["messages"]),
        "settled": float(np.median(settled)) if settled else None,
        "payload_bytes": max(found["payload_bytes"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drags", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="home only, three drags, not written")
    arguments = parser.parse_args()
    drags = 3 if arguments.quick else arguments.drags
    pages = [ui.HOME] if arguments.quick else [ui.HOME, *ui.existing_pages()]
    results, limits_kept = {}, True
    log, browser_path = Path(tempfile.mkdtemp()) / "app.log", chromium.find()
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        for info in pages:
            page = browser.new_page(viewport={"width": 1400, "height": 800})
            page.set_default_timeout(PATIENCE_MILLISECONDS)
            path = "" if info is ui.HOME else Path(info.file).stem.split("_", 1)[1]
            found = measure(page, f"{app.address}/{path}", drags)
            page.close()
            if found is None:
                continue
            medians = summary(found)
            kept = all(
                medians[name] is not None and medians[name] <= limit
                for name, limit in LIMITS.items()
            )
            limits_kept &= kept
            results[info.key] = medians
            print(info.label, medians, "within its limits" if kept else "ABOVE A LIMIT", flush=True)
        browser.close()
    if not arguments.quick:
        common.write(
            "live",
            {
                "load_average": os.getloadavg()[0],  # above the cores, the times are too long
                "limits": LIMITS,
                "within": limits_kept,
                "pages": results,
            },
        )


if __name__ == "__main__":
    main()
