"""Do the browser tests pass every time? Runs them again and again, and keeps what each run said.

    python -m benchmarks.flakes [--runs 5]

Runs `make browser-tests`, so the tests are the same as in `make test`. The result file is written
after every run; the exit code is 1 if any test of any run failed. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from benchmarks import common

ROOT = Path(__file__).resolve().parents[1]
SLOWEST = 10


def run_once(report: Path) -> dict:
    """One run of the browser tests: how long it took, how it ended, and what took longest."""
    load_before = os.getloadavg()[0]
    started = time.perf_counter()
    done = subprocess.run(
        ["make", "browser-tests", f"PYTEST_OPTIONS=--junitxml={report}"], cwd=ROOT, check=False
    )
    seconds = time.perf_counter() - started
    return {
        "seconds": round(seconds, 1),
        "exit_code": done.returncode,
        "load_before": load_before,
        **read_report(report.read_text(encoding="utf-8")),
    }


def read_report(xml: str) -> dict:
    """Counts of outcomes, the tests that did not pass, and the slowest ones of a JUnit report."""
    cases = list(ElementTree.fromstring(xml).iter("testcase"))
    times = sorted(((float(case.get("time")), _name(case)) for case in cases), reverse=True)
    return {
        "outcomes": dict(Counter(_outcome(case) for case in cases)),
        "not_passed": [_name(case) for case in cases if _outcome(case) != "passed"],
        "slowest": {name: round(seconds, 1) for seconds, name in times[:SLOWEST]},
    }


def _name(case) -> str:
    return f"{case.get('classname').rsplit('.', 1)[-1]}::{case.get('name')}"


def _outcome(case) -> str:
    found = (kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None)
    return next(found, "passed")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args(arguments)
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.runs):
            runs.append(run_once(Path(folder) / f"{number}.xml"))
            path = common.write("flakes", {"runs": runs})
            print(f"run {number + 1}: {runs[-1]['seconds']} s, {runs[-1]['outcomes']}", flush=True)
    print(f"written to {path}")
    return int(any(run["exit_code"] for run in runs))


if __name__ == "__main__":
    sys.exit(main())
