"""From a fresh clone to a usable page: `make run` without a virtual environment, timed.

    python -m benchmarks.first_run

The clone is of the last commit, in a temporary folder; pip downloads and installs as it does for
anybody. The page is usable once a visitor has it and moving its slider is answered. What `make`
printed meanwhile is noted with the second at which it appeared.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from itertools import pairwise
from pathlib import Path

from benchmarks import common
from benchmarks.visitor import Visitor
from tests.browser.app_server import ROOT, free_port

TARGET_SECONDS = 120.0
PATIENCE_SECONDS = 900.0


def run(folder: Path) -> dict:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    port = free_port()
    started = time.perf_counter()
    process = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
        start_new_session=True,
    )
    shown: list[dict] = []

    def follow():
        for line in process.stdout:
            if line.strip() and not line.startswith("WARNING"):  # of pip, about where it looked
                at = round(time.perf_counter() - started, 1)
                shown.append({"seconds": at, "text": line.strip().replace(str(folder), ".")})
                print(f"{at:6.1f} s  {line.strip()}", flush=True)

    threading.Thread(target=follow, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_healthy(address, process, started)
        healthy = time.perf_counter() - started
        asyncio.run(use(address))
        usable = time.perf_counter() - started
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
    return {
        "healthy_seconds": healthy,
        "usable_seconds": usable,
        "longest_silence_seconds": longest_silence(shown, usable),
        "shown": shown,
        "targets": {f"usable in {TARGET_SECONDS:.0f} s": usable < TARGET_SECONDS},
        "met": usable < TARGET_SECONDS,
    }


def wait_until_healthy(address: str, process, started: float) -> None:
    while time.perf_counter() - started < PATIENCE_SECONDS and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError("`make run` did not start a healthy server")


async def use(address: str) -> None:
    """Open the first page and move its slider."""
    async with Visitor(address, "") as visitor:
        await visitor.open()
        await visitor.move(3)


def longest_silence(shown: list[dict], end: float) -> float:
    times = [0.0, *(line["seconds"] for line in shown), end]
    return max(after - before for before, after in pairwise(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "clone")
    print(f"a usable page after {found['usable_seconds']:.0f} s")
    common.write("first_run", found)


if __name__ == "__main__":
    main()
