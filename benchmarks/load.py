"""How many readers one server serves: simulated visitors over real websockets, loopback only.

    python -m benchmarks.load [--visitors 130] [--minutes 3] [--pause 2]
    python -m benchmarks.load --moves           # only the processor time of a move, on every page
    python -m benchmarks.load --quick           # the same by a few moves: does it run?
    python -m benchmarks.load --soak            # 20 visitors for 30 minutes
    python -m benchmarks.load --training        # 10 visitors upload and train, others move sliders

Every visitor opens a page and moves its first slider every `pause` seconds (spread at random).
Reported: errors, the median and the 95th percentile of the answer, by page and over time, how the
server's memory grew after a warm-up of a quarter of the time, the CPU time of a move on each page,
and on every tab with a slider where moves start no work, and which of the targets are met.
Everything is bounded and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks import common
from benchmarks.visitor import VisitError, Visitor
from lab import ui
from tests.browser.app_server import running_app

# Pages whose first slider is there to be moved; the others start work with a button.
PAGES = ("home", "norm_patterns", "random_grouping", "cone_projections")
# Pages of which the first tab alone is measured: in the others a slider can start work.
FIRST_TAB_ONLY = ("solver_race", "esvm_accuracy", "classify_csv")

P95_MS = 500.0
MOVE_MS = 15.0  # of the server's processor
GROWTH = 0.2
TIMES_IDLE = 2.0

WARM_UP = 0.25  # of the time
WINDOW_SECONDS = {"load": 30.0, "soak": 300.0}
MEMORY_SECONDS = 2.0
CPU_MOVES = 30

TRAINING_VISITORS = 10
TRAINING_SHAPE = (80, 40)
TRAINING_PATIENCE_SECONDS = 900.0
IDLE_SECONDS = 30.0


@dataclass
class Log:
    """What the visitors of one run met with, with the time of each."""

    started: float = field(default_factory=time.perf_counter)
    opened: list[float] = field(default_factory=list)
    moves: list[tuple[float, str, float]] = field(default_factory=list)
    errors: list[tuple[float, str]] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)

    def now(self) -> float:
        return time.perf_counter() - self.started

    def moved(self, page: str, took: float) -> None:
        self.moves.append((self.now() - took, page or "home", took))

    def failed(self, page: str, error: Exception | str) -> None:
        name = "" if isinstance(error, str) else f"{type(error).__name__}: "
        self.errors.append((self.now(), f"{page or 'home'}: {name}{str(error)[:300]}"))


def page_name(info: ui.Page) -> str:
    return "" if info is ui.HOME else Path(info.file).stem.split("_", 1)[1]


def page_names() -> list[str]:
    """Where the visitors go."""
    return [page_name(info) for info in (ui.HOME, *ui.existing_pages()) if info.key in PAGES]


def all_page_names() -> list[str]:
    return [page_name(info) for info in (ui.HOME, *ui.existing_pages())]


# -- visitors ------------------------------------------------------------------------------


async def visit(address, page, pause, until, rng, log: Log) -> None:
    """One visitor's stay; what went wrong is counted, not raised, so that the others go on."""
    await asyncio.sleep(float(rng.uniform(0.0, pause)))
    try:
        async with Visitor(address, page) as visitor:
            log.opened.append(await visitor.open())
            step = int(rng.integers(0, 50))
            while not until():
                took = await visitor.move(step)
                log.moved(page, took)
                step += 1
                rest = float(rng.uniform(0.5, 1.5)) * pause
                await asyncio.sleep(max(0.0, rest - took))
    except Exception as error:
        log.failed(page, error)


async def train(address, seed: int, log: Log) -> dict:
    """Upload a table, start a comparison, wait for its scores; how long, and whether it queued."""
    started, seen = time.perf_counter(), set()
    try:
        async with Visitor(address, "Classify_CSV", "csv_data=Your+file") as visitor:
            await visitor.open()
            await visitor.upload(f"table{seed}.csv", small_table(seed))
            await visitor.open_tab("Fit and compare")
            await visitor.press("^Run the comparison$")
            while not any("Scores" in each.content.label for each in shown_downloads(visitor)):
                if time.perf_counter() - started > TRAINING_PATIENCE_SECONDS:
                    raise VisitError("the comparison did not finish")
                seen |= {each.content.text for each in visitor.of_kind("progress")}
                await visitor.tick()
    except Exception as error:
        log.failed("Classify_CSV", error)
        return {"finished": False, "seconds": time.perf_counter() - started, "queued": False}
    places = sorted({text for text in seen if text.startswith("Waiting")})
    return {
        "finished": True,
        "seconds": time.perf_counter() - started,
        "queued": bool(places),
        "places_shown": places,
    }


def shown_downloads(visitor: Visitor) -> list:
    return visitor.of_kind("download_button")


def small_table(seed: int) -> bytes:
    """A table of two classes as CSV, another one for each seed."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal(TRAINING_SHAPE)
    names = np.where(X[:, 0] - X[:, 3] + 0.5 * rng.standard_normal(len(X)) > 0, "well", "ill")
    lines = [",".join(["state", *(f"gene {j}" for j in range(X.shape[1]))])]
    lines += [
        ",".join([name, *(f"{x:.4f}" for x in row)]) for name, row in zip(names, X, strict=True)
    ]
    return "\n".join(lines).encode()


# -- the server ----------------------------------------------------------------------------


async def watch_memory(process, until, log: Log) -> None:
    while not until():
        log.memory.append((log.now(), resident_bytes(process.pid)))
        await asyncio.sleep(MEMORY_SECONDS)


def resident_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid: int) -> float:
    """Processor time of a process, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def cpu_of_moves(app, pages: list[str], moves: int = CPU_MOVES) -> dict:
    """The server's CPU milliseconds for a move on each page and tab, by one visitor on his own."""
    found = {}
    alone = {page_name(info) for info in ui.existing_pages() if info.key in FIRST_TAB_ONLY}
    for page in pages:
        async with Visitor(app.address, page) as visitor:
            await visitor.open()
            for tab in visitor.tabs if visitor.tabs and page not in alone else [""]:
                if tab:
                    await visitor.open_tab(tab)
                if visitor.of_kind("bidi_component") or visitor.of_kind("slider"):
                    name = page or "home"
                    found[f"{name}: {tab}" if tab else name] = await cost(app, visitor, moves)
    return found


async def cost(app, visitor: Visitor, moves: int) -> dict:
    """Of a move where every value was shown before, so that no figure is made for the first time.

    The first moves show them.
    """
    for step in range(moves):
        await visitor.move(step)
    before, received = cpu_seconds(app.process.pid), visitor.received_bytes
    for step in range(moves):
        await visitor.move(step)
    return {
        "cpu_ms": 1e3 * (cpu_seconds(app.process.pid) - before) / moves,
        "kilobytes": (visitor.received_bytes - received) / moves / 1e3,
    }


def moves_are_cheap(by_page: dict) -> bool:
    """On every page: one that was not measured has not been found cheap."""
    measured = {name.split(":")[0] for name in by_page}
    return {page or "home" for page in all_page_names()} <= measured and all(
        found["cpu_ms"] <= MOVE_MS for found in by_page.values()
    )


# -- runs ----------------------------------------------------------------------------------


async def move_sliders(app, visitors: int, seconds: float, pause: float, window: float) -> dict:
    by_page = await cpu_of_moves(app, all_page_names())
    log = Log()

    def over() -> bool:
        return log.now() > seconds

    pages = page_names()
    seeds = np.random.default_rng(0).spawn(visitors)
    await asyncio.gather(
        watch_memory(app.process, over, log),
        *(
            visit(app.address, pages[i % len(pages)], pause, over, seeds[i], log)
            for i in range(visitors)
        ),
    )
    found = {
        "visitors": visitors,
        "seconds": seconds,
        "pause_seconds": pause,
        "cpu_of_a_move": by_page,
        "open_median_ms": 1e3 * float(np.median(log.opened)) if log.opened else None,
        **after_warm_up(log, seconds),
        "windows": windows(log, seconds, window),
    }
    targets = {
        "no error": not found["errors"],
        f"p95 under {P95_MS:.0f} ms": found["p95_ms"] is not None and found["p95_ms"] < P95_MS,
        f"memory growth under {GROWTH:.0%}": found["memory_growth"] < GROWTH,
        f"a move under {MOVE_MS:.0f} ms of processor on every page": moves_are_cheap(by_page),
    }
    return {**found, "targets": targets, "met": all(targets.values())}


async def train_beside_readers(app, pause: float) -> dict:
    """Readers alone, then the same readers while others upload and train."""
    await cpu_of_moves(app, page_names())  # every page once, so that nothing is cold
    pages = page_names()
    idle, busy = Log(), Log()

    async def read(log: Log, until) -> None:
        seeds = np.random.default_rng(1).spawn(len(pages))
        await asyncio.gather(
            *(
                visit(app.address, page, pause, until, rng, log)
                for page, rng in zip(pages, seeds, strict=True)
            )
        )

    await read(idle, lambda: idle.now() > IDLE_SECONDS)
    training = asyncio.gather(
        *(train(app.address, seed, busy) for seed in range(TRAINING_VISITORS))
    )
    await asyncio.gather(training, read(busy, lambda: training.done()))
    outcomes = training.result()
    idle_ms, busy_ms = milliseconds_by_page(idle), milliseconds_by_page(busy)
    ratios = {page: busy_ms[page]["median"] / idle_ms[page]["median"] for page in idle_ms}
    targets = {
        "all finish": all(outcome["finished"] for outcome in outcomes),
        "a visible queue": sum(outcome["queued"] for outcome in outcomes) >= TRAINING_VISITORS - 2,
        "no error": not idle.errors and not busy.errors,
        f"no slider above {TIMES_IDLE:g} × idle": max(ratios.values()) <= TIMES_IDLE,
    }
    return {
        "training_visitors": TRAINING_VISITORS,
        "table_shape": list(TRAINING_SHAPE),
        "trained": outcomes,
        "idle_ms": idle_ms,
        "busy_ms": busy_ms,
        "median_times_idle": ratios,
        "errors": [text for _, text in (*idle.errors, *busy.errors)],
        "targets": targets,
        "met": all(targets.values()),
    }


# -- figures -------------------------------------------------------------------------------


def after_warm_up(log: Log, seconds: float) -> dict:
    warm = WARM_UP * seconds
    answers = [took for at, _, took in log.moves if at >= warm]
    memory = np.array([size for at, size in log.memory if at >= warm]) / 2**20
    tenth = max(1, len(memory) // 10)
    first, last = float(np.median(memory[:tenth])), float(np.median(memory[-tenth:]))
    return {
        "moves": len(log.moves),
        "errors": [text for _, text in log.errors],
        **milliseconds(answers),
        "by_page": milliseconds_by_page(log, warm),
        "memory_mb": [round(first, 1), round(last, 1)],
        "memory_growth": last / first - 1.0,
    }


def milliseconds(answers) -> dict:
    if not len(answers):
        return {"median_ms": None, "p95_ms": None, "worst_ms": None}
    taken = 1e3 * np.asarray(answers)
    return {
        "median_ms": float(np.median(taken)),
        "p95_ms": float(np.quantile(taken, 0.95)),
        "worst_ms": float(taken.max()),
    }


def milliseconds_by_page(log: Log, since: float = 0.0) -> dict:
    pages: dict[str, list[float]] = {}
    for at, page, took in log.moves:
        if at >= since:
            pages.setdefault(page, []).append(took)
    return {
        page: {name.removesuffix("_ms"): value for name, value in milliseconds(taken).items()}
        for page, taken in sorted(pages.items())
    }


def windows(log: Log, seconds: float, length: float) -> list[dict]:
    """The same figures for one stretch of time after the other, the warm-up included."""
    found = []
    for start in np.arange(0.0, seconds, length):
        inside = [took for at, _, took in log.moves if start <= at < start + length]
        memory = [size for at, size in log.memory if start <= at < start + length]
        found.append(
            {
                "from_seconds": float(start),
                "moves": len(inside),
                "errors": sum(start <= at < start + length for at, _ in log.errors),
                **milliseconds(inside),
                "memory_mb": round(float(np.median(memory)) / 2**20, 1) if memory else None,
            }
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=130)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds between a visitor's moves"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--soak", action="store_true", help="20 visitors for 30 minutes")
    kind.add_argument("--moves", action="store_true", help="one visitor; print, do not write")
    kind.add_argument("--quick", action="store_true", help="as --moves, three of them a page")
    kind.add_argument("--training", action="store_true", help="10 visitors upload and train")
    parser.add_argument("--dry", action="store_true", help="print, do not write the result file")
    arguments = parser.parse_args()
    name = "soak" if arguments.soak else "training" if arguments.training else "load"
    visitors, minutes = (20, 30.0) if arguments.soak else (arguments.visitors, arguments.minutes)
    log_path = Path(tempfile.mkdtemp()) / "app.log"
    with running_app(log_path, {"OPENBLAS_NUM_THREADS": "1"}) as app:
        if arguments.moves or arguments.quick:
            moves = 3 if arguments.quick else CPU_MOVES
            report_moves(asyncio.run(cpu_of_moves(app, all_page_names(), moves)))
            return
        if arguments.training:
            found = asyncio.run(train_beside_readers(app, arguments.pause))
        else:
            found = asyncio.run(
                move_sliders(app, visitors, 60.0 * minutes, arguments.pause, WINDOW_SECONDS[name])
            )
    report(found)
    if not arguments.dry:
        common.write(name, found)


def report_moves(by_page: dict) -> None:
    for page, found in by_page.items():
        print(f"{page}: {found['cpu_ms']:.1f} ms CPU and {found['kilobytes']:.0f} kB a move")


def report(found: dict) -> None:
    if "trained" in found:
        for page, ratio in found["median_times_idle"].items():
            print(f"{page}: {ratio:.2f} × idle")
    else:
        report_moves(found["cpu_of_a_move"])
        print(
            f"{found['visitors']} visitors, {found['moves']} moves: median "
            f"{found['median_ms'] or 0:.0f} ms, p95 {found['p95_ms'] or 0:.0f} ms, memory "
            f"{found['memory_mb'][0]} to {found['memory_mb'][1]} MB"
        )
    for error in sorted(set(found["errors"])):
        print(error)
    for target, met in found["targets"].items():
        print(f"{'met' if met else 'NOT MET'}: {target}")


if __name__ == "__main__":
    main()
