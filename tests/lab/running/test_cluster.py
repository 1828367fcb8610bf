"""The cluster of `make cluster`: started once, for several processes, ended by an interrupt."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab.running import cluster, pools
from lab.running.jobs import JobQueue
from solvers import grouping
from tests.clocks import PATIENCE
from tests.queues import ended

ROOT = Path(__file__).resolve().parents[3]
CALLS = [(60, 12, m, 0.5) for m in (2, 3, 4)]


@pytest.fixture
def started():
    process = subprocess.Popen(
        [sys.executable, "-m", "lab.running.cluster", "--port", "0", "--workers", "1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, re.search(r"tcp://\S+:\d+", process.stdout.readline())[0]
    finally:
        process.kill()
        process.wait()


def test_two_servers_compute_on_a_cluster_that_was_started_once(started):
    process, address = started
    said = process.stdout.readline()
    assert f"{pools.DASK_VARIABLE}={address} make run" in said
    assert address.startswith(f"tcp://{cluster.ADDRESS}:")
    expected = {k: grouping.balance_probability(*call) for k, call in enumerate(CALLS)}
    for _ in range(2):  # as two processes of the app, each with a queue of its own
        queue = JobQueue(dask=address)
        try:
            job = queue.submit("law", grouping.balance_probability, CALLS)
            now = ended(job)
            assert now.error == "" and dict(now.results) == pytest.approx(expected)
        finally:
            queue.close()
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 0
