"""The solvers' tests under other processors' kernels, numbers of threads, and a busy machine.

    python -m benchmarks.kernels [--python PATH] [--kernel NAME] [--again] [--list]

OpenBLAS carries the kernels of many processors, and OPENBLAS_CORETYPE chooses one. A cell runs the
solvers' tests with one kernel and one number of BLAS threads, on a quiet machine or with a busy
loop on every core: all of tests/solvers, an hour's work and more.

A cell's result is merged into benchmarks/results/kernels.json as soon as it is there; a run that
was stopped goes on with the cells that are missing, and `--again` measures anew.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.busy import busy_cores
from benchmarks.common import path_of, read, write
from lab.results import made_here

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ("Haswell", "Zen", "Sandybridge", "Nehalem")
WITH_AVX512 = "SkylakeX"
TESTS = "tests/solvers"
_COUNT = re.compile(r"(\d+) (passed|failed|error|errors|skipped)")


@dataclass(frozen=True)
class Cell:
    """One way to run the tests."""

    python: str
    kernel: str
    threads: int
    busy_cores: int

    def __str__(self) -> str:
        beside = f", {self.busy_cores} busy cores" if self.busy_cores else ""
        threads = f"{self.threads} thread{'s' if self.threads > 1 else ''}"
        return f"Python {self.python}, {self.kernel}, {threads}{beside}"


def kernels() -> tuple[str, ...]:
    """Those that the processor at hand can run."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return KERNELS
    return (*KERNELS, WITH_AVX512) if " avx512f" in flags else KERNELS


def cells(python: str, chosen: tuple[str, ...]) -> Iterator[Cell]:
    """Every kernel once before any comes again: what a stopped run leaves out is other ways."""
    for threads, busy in ((2, 0), (1, 0), (2, os.cpu_count() or 1)):
        for kernel in chosen:
            yield Cell(python, kernel, threads, busy)


def run(executable: str, cell: Cell, workers: int) -> dict:
    threads = str(cell.threads)
    environment = {
        **os.environ,
        "OPENBLAS_CORETYPE": cell.kernel,
        "OPENBLAS_NUM_THREADS": threads,
        "OMP_NUM_THREADS": threads,
    }
    parallel = ["-n", str(workers)] if workers > 1 else []
    started = time.perf_counter()
    with busy_cores(cell.busy_cores):
        done = subprocess.run(
            [executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *parallel, TESTS],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
    lines = done.stdout.splitlines()
    counts = {word: int(number) for number, word in _COUNT.findall(lines[-1] if lines else "")}
    return {
        **asdict(cell),
        "passed": counts.get("passed", 0),
        "failed": counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0),
        "failures": [line.split(" ")[1] for line in lines if line.startswith(("FAILED", "ERROR"))],
        "exit_code": done.returncode,
        "workers": workers,
        "seconds": time.perf_counter() - started,
        # Of the last minute: what else the machine did, and the cell itself.
        "load": os.getloadavg()[0],
        "made": made_here(),
    }


def known() -> dict[Cell, dict]:
    """The rows of the committed result, by cell."""
    if not path_of("kernels").exists():
        return {}
    return {cell_of(row): row for row in read("kernels")["rows"]}


def cell_of(row: dict) -> Cell:
    return Cell(**{name: row[name] for name in ("python", "kernel", "threads", "busy_cores")})


def told(row: dict) -> str:
    outcome = f"{row['passed']} passed, {row['failed']} failed in {row['seconds']:.0f} s"
    return "\n".join([f"{cell_of(row)}: {outcome}", *(f"  {name}" for name in row["failures"])])


def version_of(executable: str) -> str:
    code = "import platform; print(platform.python_version())"
    done = subprocess.run([executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="another interpreter to test with")
    parser.add_argument("--kernel", action="append", help="only this one; may be given again")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="of pytest")
    parser.add_argument("--again", action="store_true", help="also what is in the results already")
    parser.add_argument("--list", action="store_true", help="what there is to run, and stop")
    options = parser.parse_args()
    chosen = tuple(options.kernel or kernels())
    wanted = list(cells(version_of(options.python), chosen))
    rows = known()
    for cell in wanted:
        if cell in rows and not options.again:
            print(f"(known) {told(rows[cell])}", flush=True)
        elif options.list:
            print(f"{cell}: not run yet")
        else:
            rows[cell] = run(options.python, cell, options.workers)
            print(told(rows[cell]), flush=True)
            write("kernels", {"rows": list(rows.values())})


if __name__ == "__main__":
    main()
