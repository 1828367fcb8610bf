"""Does a wide file, 200 rows of 20,000 numbers, parse and stay responsive?

    python -m benchmarks.wide [--moves 10] [--rows 200] [--columns 20000]

Makes the file (CSV, four decimals, about 30 MB), starts the app and uploads the file in Chromium.
Measured, in the order of a visit:

- `read`: from choosing the file to the sentence that states its size: upload, parsing, painting;
- `before_the_fit` and `after_the_fit`: on each tab, a move of one of its controls until the page is
  quiet again, and opening the tab until it is; median, in milliseconds;
- `fit`: our model with the default settings, on all rows and in five folds: from the button to the
  first sign of progress and to the answer;
- `path`: the weights at eleven strengths, from the button to the drawing;
- `comparison`: from the button of the cross-validated comparison to the first sign of progress, and
  from its Cancel to the page's rest.

Beside each time stand the seconds of CPU that the server's own process took meanwhile; fits run in
processes of their own, whose CPU is not in it. Needs the development requirements and a browser;
run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import expect, sync_playwright

from benchmarks import common
from benchmarks.latency import WATCH
from tests.browser import chromium
from tests.browser.app_server import running_app

QUIET_MILLISECONDS = 400
PATIENCE = 300_000  # milliseconds
NAME = "wide.csv"
TABS = ("Data", "Groups", "Fit and compare", "See", "Take home")
PROGRESS = re.compile(r"\d+ of \d+ fits|Waiting: number")


def write_table(path: Path, n_rows: int, n_columns: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_columns))
    labels = np.where(X[:, 3] + X[:, 7] > 0, "up", "down")
    with path.open("w") as file:
        file.write(",".join(f"gene{j}" for j in range(n_columns)) + ",kind\n")
        for row, label in zip(X, labels, strict=True):
            file.write(",".join(np.char.mod("%.4f", row)) + f",{label}\n")


class Visit:
    """A page and the server behind it."""

    def __init__(self, page, server_pid: int):
        self.page, self._stat = page, Path(f"/proc/{server_pid}/stat")

    @contextmanager
    def timed(self, found: dict, name: str):
        """Seconds of the block, and of the server's CPU, into `found`."""
        cpu, started = self._cpu(), time.perf_counter()
        yield
        found[name] = {
            "seconds": time.perf_counter() - started,
            "server_cpu_seconds": self._cpu() - cpu,
        }
        print(f"{name}: {found[name]['seconds']:.1f} s", flush=True)

    def moves(self, acts: list[Callable[[], None]]) -> dict:
        """The median over all acts but the first two, which fill caches."""
        times, cpus = [], []
        for act in acts:
            cpu = self._cpu()
            self.page.evaluate(WATCH, QUIET_MILLISECONDS)
            act()
            times.append(self.page.evaluate("() => window.__repaint")["settled"])
            cpus.append(1000 * (self._cpu() - cpu))
        seen = [time for time in times[2:] if time is not None]
        return {
            "milliseconds": float(np.median(seen)) if seen else None,
            "server_cpu_milliseconds": float(np.median(cpus[2:])),
            "all_milliseconds": times,
        }

    def open_tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def _cpu(self) -> float:
        """Seconds that the server's process has computed, in its own code and in the system's."""
        user, system = self._stat.read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def slider_moves(visit: Visit, name: str, n_moves: int) -> dict:
    slider = visit.page.get_by_role("slider", name=re.compile(name))
    slider.focus()
    keys = ["ArrowLeft" if i % 2 else "ArrowRight" for i in range(2 * ((n_moves + 3) // 2))]
    return visit.moves([lambda key=key: slider.press(key) for key in keys])


def toggles(visit: Visit, locators: list, n_moves: int) -> dict:
    """Clicks on locators in turn."""
    return visit.moves(
        [lambda i=i: locators[i % len(locators)].click() for i in range(n_moves + 2)]
    )


def before_the_fit(visit: Visit, n_moves: int) -> dict:
    page, found = visit.page, {}
    area = page.get_by_role("textbox", name=re.compile("Columns left out"))

    def leave_out(name: str) -> None:
        area.fill(name)
        area.press("Control+Enter")

    acts = [lambda i=i: leave_out(("", "gene5")[i % 2]) for i in range(1, n_moves + 3)]
    found["Data: a column left out"] = visit.moves(acts)
    leave_out("")
    visit.open_tab("Groups")
    found["Groups: number of groups"] = slider_moves(visit, "Number of groups", n_moves)
    visit.open_tab("Fit and compare")
    found["Fit and compare: strength β"] = slider_moves(visit, "Strength β", n_moves)
    return found


def after_the_fit(visit: Visit, n_moves: int) -> dict:
    page, found = visit.page, {}
    scores = [page.get_by_role("radio", name=name, exact=True) for name in ("F1", "Accuracy")]
    found["Fit and compare: score"] = toggles(visit, scores, n_moves)
    visit.open_tab("See")
    expect(page.get_by_text("the least safe first")).to_be_visible()
    # The switch itself is hidden under its drawing.
    wrong = page.get_by_text("Only misclassified rows", exact=True)
    found["See: only misclassified rows"] = toggles(visit, [wrong], n_moves)
    for tab in TABS:
        away = "Groups" if tab == "Data" else "Data"
        acts = []
        for _ in range(max(3, n_moves // 2)):
            acts += [lambda away=away: visit.open_tab(away), lambda tab=tab: visit.open_tab(tab)]
        # Every second act opens the tab in question.
        timed = visit.moves(acts)
        opened = [time for time in timed["all_milliseconds"][3::2] if time is not None]
        found[f"{tab}: opened"] = {"milliseconds": float(np.median(opened))}
    return found


def measure(visit: Visit, file: Path, n_rows: int, n_columns: int, n_moves: int) -> dict:
    page, found = visit.page, {}
    with visit.timed(found, "read"):
        page.locator("input[type=file]").first.set_input_files(file)
        size = f"{NAME}: {n_rows:,} rows, {n_columns + 1:,} columns"
        expect(page.get_by_text(size)).to_be_visible()
    found["before_the_fit"] = before_the_fit(visit, n_moves)

    answer = page.get_by_text(re.compile("of held-out rows correctly"))
    progress = page.get_by_test_id("stProgress").filter(has_text=PROGRESS)
    fit: dict = {}
    with visit.timed(fit, "answer"):
        with visit.timed(fit, "first_progress"):
            visit.press("Fit only")
            expect(progress).to_be_visible()
        expect(answer).to_be_visible()
    found["fit"] = fit
    found["after_the_fit"] = after_the_fit(visit, n_moves)

    visit.open_tab("See")
    with visit.timed(found, "path"):
        visit.press("Draw the path")
        figure = page.get_by_role("figure", name=re.compile("^Weights over the strength"))
        expect(figure.locator(".main-svg").first).to_be_visible()
    visit.open_tab("Fit and compare")
    comparison: dict = {}
    with visit.timed(comparison, "first_progress"):
        visit.press("Run the comparison")
        expect(progress).to_be_visible()
    with visit.timed(comparison, "cancelled"):
        visit.press("Cancel")
        expect(page.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)
    found["comparison"] = comparison
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--columns", type=int, default=20_000)
    arguments = parser.parse_args()
    folder, browser_path = Path(tempfile.mkdtemp()), chromium.find()
    file = folder / NAME
    write_table(file, arguments.rows, arguments.columns)
    expect.set_options(timeout=PATIENCE)
    with running_app(folder / "app.log") as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        page = browser.new_page(viewport={"width": 1400, "height": 800})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{app.address}/Classify_CSV?csv_data=Your+file&csv_tab=Data")
        expect(page.locator("input[type=file]").first).to_be_attached()
        visit = Visit(page, app.process.pid)
        found = measure(visit, file, arguments.rows, arguments.columns, arguments.moves)
        browser.close()
    found = {"rows": arguments.rows, "columns": arguments.columns} | {
        "file_megabytes": file.stat().st_size / 1e6,
        **found,
    }
    file.unlink()
    for name in ("read", "path"):
        each = found[name]
        print(f"{name}: {each['seconds']:.1f} s, server CPU {each['server_cpu_seconds']:.1f} s")
    for part in ("before_the_fit", "after_the_fit"):
        for name, each in found[part].items():
            cpu = each.get("server_cpu_milliseconds")
            more = "" if cpu is None else f", server CPU {cpu:.0f} ms"
            print(f"{part} | {name}: {each['milliseconds']:.0f} ms{more}")
    for part in ("fit", "comparison"):
        for name, each in found[part].items():
            print(f"{part}, {name}: {each['seconds']:.1f} s")
    common.write("wide", found, compact=True)


if __name__ == "__main__":
    main()
