"""The solvers' tests under other processors' kernels, numbers of threads, and a busy machine.

    python -m benchmarks.kernels [--quick] [--python PATH]

OpenBLAS carries the kernels of many processors, and OPENBLAS_CORETYPE chooses one. Every cell runs
tests/solvers once, with that kernel and that many BLAS threads, on a quiet machine or with a busy
loop on every core. `--quick` takes the tests in which kernels have mattered, and writes nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.busy import busy_cores
from benchmarks.common import write

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ("Haswell", "Zen", "Sandybridge", "Nehalem")
WITH_AVX512 = "SkylakeX"
QUICK = ("test_linear_algebra.py", "test_solve.py", "test_second_order.py", "test_rivals.py")
_COUNT = re.compile(r"(\d+) (passed|failed|error|errors|skipped)")


def kernels() -> tuple[str, ...]:
    """Those that the processor at hand can run."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return KERNELS
    return (*KERNELS, WITH_AVX512) if " avx512f" in flags else KERNELS


def run(python: str, kernel: str, threads: int, busy: int, paths: list[str]) -> dict:
    environment = {
        **os.environ,
        "OPENBLAS_CORETYPE": kernel,
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
    }
    started = time.perf_counter()
    with busy_cores(busy):
        done = subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
    lines = done.stdout.splitlines()
    counts = {word: int(number) for number, word in _COUNT.findall(lines[-1] if lines else "")}
    return {
        "kernel": kernel,
        "threads": threads,
        "busy_cores": busy,
        "passed": counts.get("passed", 0),
        "failed": counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0),
        "failures": [line.split(" ")[1] for line in lines if line.startswith(("FAILED", "ERROR"))],
        "exit_code": done.returncode,
        "seconds": time.perf_counter() - started,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer tests, and nothing is written")
    parser.add_argument("--python", default=sys.executable, help="another interpreter to test with")
    parser.add_argument("--kernel", action="append", help="only this one; may be given again")
    options = parser.parse_args()
    cores = os.cpu_count() or 1
    folder = "tests/solvers"
    paths = [f"{folder}/{name}" for name in QUICK] if options.quick else [folder]
    version = subprocess.run(
        [options.python, "-c", "import platform; print(platform.python_version())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    rows = []
    for kernel in options.kernel or kernels():
        for threads in (1, 2):
            for busy in (0, cores):
                rows.append(run(options.python, kernel, threads, busy, paths))
                row = rows[-1]
                print(
                    f"{kernel}, {threads} threads, {busy} busy: {row['passed']} passed, "
                    f"{row['failed']} failed in {row['seconds']:.0f} s"
                )
                for failure in row["failures"]:
                    print(f"  {failure}")
                if not options.quick:
                    name = "kernels" if options.python == sys.executable else f"kernels-{version}"
                    write(name, {"python": version, "tests": paths, "rows": rows})


if __name__ == "__main__":
    main()
