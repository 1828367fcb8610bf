"""How the paper's E-LASSO fares with one BLAS thread, with all, and as it is by default.

    python -m benchmarks.threads [--quick]

Each number of threads on quiet cores and beside a neighbour who keeps one of them busy, every cell
in a process of its own, in turn and several times over, in wall and processor time. The default is
to be within 1.5 × of the best number of threads in both cases, by either clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from benchmarks.busy import busy_cores
from benchmarks.common import write

LIMIT = 1.5
SETTINGS = ("one", "all", "default")
CLOCKS = ("wall", "processor")


def cell(setting: str, repeats: int) -> dict:
    """Seconds of one setting, in this process: its environment says how many threads there are."""
    from lab.data.datasets import ELassoSpec, load
    from solvers import solve_lasso, threads

    if setting == "all":
        threads.LARGE = 0.0
    data = load(ELassoSpec())
    wall, processor = [], []
    for _ in range(repeats + 1):
        started, worked = time.perf_counter(), time.process_time()
        result = solve_lasso(data.X, data.y, data.groups, data.lam)
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - worked)
        if not result.converged:
            raise RuntimeError(f"the E-LASSO ended as {result.status}")
    # The first run loads and warms what the others find ready.
    return {
        "wall": statistics.median(wall[1:]),
        "processor": statistics.median(processor[1:]),
        "gap": result.gap,
        "method": result.method,
    }


def measured(setting: str, repeats: int) -> dict:
    count = 1 if setting == "one" else os.cpu_count() or 1
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(count), "OMP_NUM_THREADS": str(count)}
    command = [sys.executable, "-m", "benchmarks.threads", "--cell", setting]
    done = subprocess.run(
        [*command, "--repeats", str(repeats)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def compare(rounds: int, repeats: int) -> list[dict]:
    """Both cases; settings take turns, so that what the machine does besides hits all alike."""
    rows = []
    for busy in (0, 1):
        found: dict[str, list[dict]] = {setting: [] for setting in SETTINGS}
        with busy_cores(busy):
            for number in range(rounds):
                for setting in SETTINGS:
                    found[setting].append(seen := measured(setting, repeats))
                    times = f"{seen['wall']:.2f} s, {seen['processor']:.2f} s of processor time"
                    print(f"{busy} busy, round {number + 1}, {setting}: {times}", flush=True)
        medians = {
            setting: {clock: statistics.median(one[clock] for one in cells) for clock in CLOCKS}
            for setting, cells in found.items()
        }
        rows.append({"busy_cores": busy, **medians, "ratio": ratios(medians)})
    return rows


def ratios(medians: dict[str, dict[str, float]]) -> dict[str, float]:
    """The default's time over that of the best number of threads, by each clock."""
    return {
        clock: medians["default"][clock] / min(medians[each][clock] for each in ("one", "all"))
        for clock in CLOCKS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one round, and nothing is written")
    parser.add_argument("--cell", choices=SETTINGS, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cell:
        print(json.dumps(cell(options.cell, options.repeats)))
        return
    load_before = os.getloadavg()[0]
    rows = compare(1, 2) if options.quick else compare(5, 5)
    for row in rows:
        times = ", ".join(f"{name} {row[name]['wall']:.2f} s" for name in SETTINGS)
        shares = " and ".join(f"{row['ratio'][clock]:.2f} by {clock} time" for clock in CLOCKS)
        print(f"{row['busy_cores']} busy: {times}; default over best is {shares}")
    if not options.quick:
        write("threads", {"limit": LIMIT, "load_before": load_before, "rows": rows})


if __name__ == "__main__":
    main()
