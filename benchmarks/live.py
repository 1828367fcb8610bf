"""How well a live figure follows the hand: redraws, messages while dragging, the wait at release.

    python -m benchmarks.live [--drags 12] [--only home norm_patterns] [--quick]

Starts the app, opens every tab of every page in Chromium and drags the first slider of its live
figure there and back, or the figure itself where that has none. Measured in the browser:
milliseconds of script a redraw; messages that the page sent between pressing and releasing;
milliseconds from the release to the last change of the page's words; bytes that the server sent for
a move. `payload_bytes` is the largest figure. A tab that should have a live figure and shows none,
or whose words should settle and do not, is outside the limits too.
Needs the development requirements and a browser; run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks import common
from lab import ui
from lab.balance.settings import OVER_N, PHASES
from lab.balance.settings import TABS as grouping_tabs
from lab.cones.view.controls import SEARCH
from lab.cones.view.controls import TABS as cone_tabs
from lab.drawing import live
from lab.norms.view.controls import TABS as norm_tabs
from lab.paper.view.page import THEOREM
from tests.browser import chromium
from tests.browser.app_server import running_app
from tests.browser.looks import wait_until_idle, wait_until_settled

LIMITS = {"redraw": 8.0, "messages": 0, "settled": 150.0, "payload_bytes": live.MOST_BYTES}
QUIET_MILLISECONDS, MOST_QUIET_SPELLS = 400, 40
PATIENCE_MILLISECONDS = 60_000

# Where a live figure is to be found, and where no word of the page depends on its value.
TABS = {
    "norm_patterns": norm_tabs,
    "random_grouping": grouping_tabs,
    "cone_projections": cone_tabs,
    "paper_vs_measured": (THEOREM,),
    "classify_csv": ("See",),
}
SILENT = (
    f"random_grouping: {PHASES}",
    f"random_grouping: {OVER_N}",
    f"cone_projections: {SEARCH}",
    "solver_race",
    "classify_csv: See",
)

SIZES = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map(place => new TextEncoder().encode(place.shadowRoot.live.text).length)"""

# The time from the release to the last change of words on the page, or null where none has changed.
# The figure itself is in its own tree, whose changes are not seen here.
WATCH = """() => {
    let start = null, last = null;
    window.addEventListener('pointerup', event => { start = event.timeStamp; },
        {capture: true, once: true});
    const words = new MutationObserver(() => { last = performance.now(); });
    words.observe(document.querySelector('[data-testid=stMain]'),
        {subtree: true, childList: true, characterData: true});
    window.settled = () => { words.disconnect(); return last > start ? last - start : null; };
}"""


class Wire:
    """What the page and the server have sent each other."""

    def __init__(self, page):
        self.page = page
        self.sent = self.received = 0
        page.on("websocket", self._listen)

    def wait_for_an_answer(self) -> None:
        """Until the server has said something, and then nothing for a while."""
        before = seen = self.received
        for _ in range(MOST_QUIET_SPELLS):
            self.page.wait_for_timeout(QUIET_MILLISECONDS)
            if self.received == seen > before:
                return
            seen = self.received
        raise RuntimeError("the server has not answered the move.")

    def _listen(self, socket) -> None:
        socket.on("framesent", lambda frame: self._count(sent=1))
        socket.on("framereceived", lambda frame: self._count(received=len(frame)))

    def _count(self, sent=0, received=0) -> None:
        self.sent += sent
        self.received += received


def measure(page, url: str, drags: int) -> Iterator[tuple[str, dict]]:
    """What dragging costs on each tab of a page that has a live figure."""
    wire = Wire(page)
    page.goto(url)
    page.get_by_role("heading", level=1).wait_for()
    wait_until_settled(page)
    for tab in page.get_by_role("tab").all_inner_texts() or [""]:
        if tab:
            page.get_by_role("tab", name=tab, exact=True).click()
            page.wait_for_timeout(QUIET_MILLISECONDS)
            wait_until_settled(page)
        if not page.get_by_test_id("stBidiComponentIsolated").count():
            continue  # a tab without such a figure
        wait_until_idle(page)
        for what in ("input[type=range]", "rect.surface"):
            handle = page.locator(f"figure.live {what}:visible").first
            if handle.count():
                yield tab, measure_drags(page, handle, wire, drags)
                break


def measure_drags(page, slider, wire: Wire, drags: int) -> dict:
    slider.scroll_into_view_if_needed()
    found: dict = {"redraw": [], "messages": [], "settled": [], "received_bytes": []}
    drag(page, slider, 0.05, 0.95)  # the first loads what only a first one needs
    page.wait_for_timeout(QUIET_MILLISECONDS)
    wait_until_idle(page)
    for turn in range(drags):
        page.evaluate("() => { window.liveRedraws = []; }")
        page.evaluate(WATCH)
        before, had = wire.sent, wire.received
        drag(page, slider, *((0.05, 0.95) if turn % 2 else (0.95, 0.05)), release=False)
        messages = wire.sent - before
        page.mouse.up()
        wire.wait_for_an_answer()
        found["settled"].append(page.evaluate("() => window.settled()"))
        found["redraw"] += page.evaluate("() => window.liveRedraws")
        found["messages"].append(messages)
        found["received_bytes"].append(wire.received - had)
    return found | {"payload_bytes": page.evaluate(SIZES)}


def drag(page, slider, start: float, end: float, *, release: bool = True) -> None:
    """From one share of the slider's width to another."""
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, y, steps=40)
    if release:
        page.mouse.up()


def summary(found: dict) -> dict:
    settled = [time for time in found["settled"] if time is not None]
    return {
        "redraw": float(np.median(found["redraw"])),
        "messages": max(found["messages"]),
        "settled": float(np.median(settled)) if settled else None,
        "received_bytes": float(np.median(found["received_bytes"])),
        "payload_bytes": max(found["payload_bytes"]),
    }


def missed(name: str, medians: dict) -> list[str]:
    """The limits that a figure does not keep."""
    found = []
    for limit, most in LIMITS.items():
        value = medians[limit]
        if value is None:
            # No word has changed; the server has answered all the same.
            if name not in SILENT or not medians["received_bytes"]:
                found.append(f"{limit} WAS NOT SEEN")
        elif value > most:
            found.append(f"{limit} ABOVE ITS LIMIT {most:g}")
    return found


def not_reached(pages: list[ui.Page], results: dict) -> list[str]:
    """The live figures that should have been dragged and were not."""
    named = [f"{page.key}: {tab}" for page in pages for tab in TABS.get(page.key, ())]
    whole = [page.key for page in pages if page.key in ("home", "solver_race")]
    return [name for name in (*whole, *named) if name not in results]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drags", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="home only, three drags, not written")
    parser.add_argument("--only", nargs="*", help="keys of the pages to measure; not written")
    arguments = parser.parse_args()
    drags = 3 if arguments.quick else arguments.drags
    only = ["home"] if arguments.quick else arguments.only
    pages = [each for each in (ui.HOME, *ui.existing_pages()) if not only or each.key in only]
    results: dict[str, dict] = {}
    log, browser_path = Path(tempfile.mkdtemp()) / "app.log", chromium.find()
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        for info in pages:
            page = browser.new_page(viewport={"width": 1400, "height": 800})
            page.set_default_timeout(PATIENCE_MILLISECONDS)
            path = "" if info is ui.HOME else Path(info.file).stem.split("_", 1)[1]
            for tab, found in measure(page, f"{app.address}/{path}", drags):
                name = f"{info.key}: {tab}" if tab else info.key
                results[name] = medians = summary(found)
                print(
                    name,
                    medians,
                    "; ".join(missed(name, medians)) or "within its limits",
                    flush=True,
                )
            page.close()
        browser.close()
    lacking = not_reached(pages, results)
    for name in lacking:
        print(f"{name}: NO LIVE FIGURE WAS REACHED")
    if not only:
        common.write(
            "live",
            {
                "load_average": os.getloadavg()[0],  # above the cores, the times are too long
                "limits": LIMITS,
                "within": not lacking and not any(starmap(missed, results.items())),
                "pages": results,
            },
        )


if __name__ == "__main__":
    main()
