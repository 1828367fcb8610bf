"""How many readers one server serves: simulated visitors over real websockets, loopback only.

    python -m benchmarks.load [--visitors 100] [--minutes 3] [--pause 2]
    python -m benchmarks.load --soak            # 20 visitors for 30 minutes

Every visitor opens a page and moves its first slider every `pause` seconds (spread at random).
Reported: errors, the median and the 95th percentile of the answer, and how the server's memory
grew after a warm-up of a quarter of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import common
from benchmarks.visitor import Visitor
from lab import ui
from tests.browser.app_server import running_app

# Pages whose first slider is there to be moved; the others start work with a button.
PAGES = ("home", "norm_patterns", "random_grouping", "cone_projections")


def page_name(info: ui.Page) -> str:
    return "" if info is ui.HOME else Path(info.file).stem.split("_", 1)[1]


async def visit(address, page, pause, until, rng, log) -> None:
    """One visitor's stay; what went wrong is counted, not raised, so that the others go on."""
    await asyncio.sleep(float(rng.uniform(0.0, pause)))
    try:
        async with Visitor(address, page) as visitor:
            log["opened"].append(await visitor.open())
            if not visitor.sliders:
                log["errors"].append(f"{page or 'home'}: no slider")
                return
            step = int(rng.integers(0, 50))
            while time.perf_counter() < until:
                started = time.perf_counter()
                log["moves"].append((started, page, await visitor.move(step)))
                step += 1
                rest = float(rng.uniform(0.5, 1.5)) * pause
                await asyncio.sleep(max(0.0, rest - (time.perf_counter() - started)))
    except Exception as error:
        log["errors"].append(f"{page or 'home'}: {type(error).__name__}: {error}")


async def watch_memory(process, until, log) -> None:
    while time.perf_counter() < until:
        log["memory"].append((time.perf_counter(), resident_bytes(process.pid)))
        await asyncio.sleep(2.0)


def resident_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


async def run(app, visitors: int, seconds: float, pause: float) -> dict:
    log = {"opened": [], "moves": [], "errors": [], "memory": []}
    pages = [page_name(info) for info in (ui.HOME, *ui.existing_pages()) if info.key in PAGES]
    started = time.perf_counter()
    until = started + seconds
    seeds = np.random.default_rng(0).spawn(visitors)
    await asyncio.gather(
        watch_memory(app.process, until, log),
        *(
            visit(app.address, pages[i % len(pages)], pause, until, seeds[i], log)
            for i in range(visitors)
        ),
    )
    return summary(log, started, seconds, visitors, pause)


def summary(log, started, seconds, visitors, pause) -> dict:
    warm = started + 0.25 * seconds
    answers = np.array([took for at, _, took in log["moves"] if at >= warm])
    memory = [size for at, size in log["memory"] if at >= warm]
    by_page = {}
    for at, page, took in log["moves"]:
        if at >= warm:
            by_page.setdefault(page or "home", []).append(took)
    return {
        "visitors": visitors,
        "seconds": seconds,
        "pause_seconds": pause,
        "moves": len(log["moves"]),
        "errors": log["errors"],
        "open_median_ms": 1e3 * float(np.median(log["opened"])),
        "median_ms": 1e3 * float(np.median(answers)),
        "p95_ms": 1e3 * float(np.quantile(answers, 0.95)),
        "worst_ms": 1e3 * float(answers.max()),
        "p95_ms_by_page": {page: 1e3 * float(np.quantile(t, 0.95)) for page, t in by_page.items()},
        "memory_mb": [round(memory[0] / 2**20, 1), round(memory[-1] / 2**20, 1)],
        "memory_growth": memory[-1] / memory[0] - 1.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds between a visitor's moves"
    )
    parser.add_argument("--soak", action="store_true", help="20 visitors for 30 minutes")
    arguments = parser.parse_args()
    visitors, minutes = (20, 30.0) if arguments.soak else (arguments.visitors, arguments.minutes)
    with running_app(Path(tempfile.mkdtemp()) / "app.log") as app:
        found = asyncio.run(run(app, visitors, 60.0 * minutes, arguments.pause))
    print(
        f"{found['visitors']} visitors, {found['moves']} moves, {len(found['errors'])} errors: "
        f"median {found['median_ms']:.0f} ms, p95 {found['p95_ms']:.0f} ms, "
        f"memory {found['memory_mb'][0]} to {found['memory_mb'][1]} MB"
    )
    for error in sorted(set(found["errors"])):
        print(error)
    common.write("soak" if arguments.soak else "load", found)


if __name__ == "__main__":
    main()
