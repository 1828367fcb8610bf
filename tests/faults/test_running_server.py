"""Faults of a running server, as its visitors meet them: nothing is lost, nothing hangs."""

import asyncio
import os
import resource
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.visitor import Visitor
from lab.accuracy import Fig2dSpec, Protocol
from lab.results import OWN_FOLDER_VARIABLE, Store
from lab.words import in_markdown
from tests.browser.app_server import running_app
from tests.clocks import PATIENCE, until
from tests.lab.accuracy.test_sweeps import stored
from tests.lab.running.test_jobs import alive

SWEEP = "acc_features=40&acc_ms=8%2C+12&acc_repeats=15&acc_methods=SVM"
SPEC = Fig2dSpec(
    n_features=40, ms=(8, 12), repeats=15, methods=("svm",), protocol=Protocol(weakest=0.05)
)
# Trials of seconds each: the half minute until a deserted sweep ends does not reach its last.
# Of a seed whose trials do not come with the app.
SLOW_SWEEP = "acc_features=5040&acc_ms=1260&acc_repeats=30&acc_methods=E-SVM&acc_seed=4711"
RACE = "race_samples=400&race_features=4000&race_groups=100&race_tol=1e-10&race_budget=60.0"


def children(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {pid}
    while True:
        more = {child for child, parent in parents.items() if parent in found} - found
        if not more:
            return found - {pid}
        found |= more


def workers(app) -> set[int]:
    """The processes that compute: their command line names loky's worker."""
    found = set()
    for pid in children(app.process.pid):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"popen_loky" in command:
            found.add(pid)
    return found


def is_idle(app) -> bool:
    """Whether no thread of the server and its processes works or waits for a processor: 20 looks"""

    def wants_a_processor(pid):
        try:
            tasks = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        except OSError:  # it has ended
            return False
        return any(text.rsplit(")", 1)[1].split()[0] == "R" for text in tasks)

    for _ in range(20):
        if any(wants_a_processor(pid) for pid in (app.process.pid, *children(app.process.pid))):
            return False
        time.sleep(0.02)
    return True


def test_a_sweep_survives_its_workers_and_its_server(tmp_path):
    folder = tmp_path / "results"
    environment = {OWN_FOLDER_VARIABLE: str(folder)}

    async def start_and_lose_a_worker(app):
        async with Visitor(app.address, "ESVM_accuracy", SWEEP) as visitor:
            await visitor.open()
            await visitor.press("^Run$")
            await asyncio.to_thread(until, lambda: len(stored(folder)) >= 2)
            victim = workers(app).pop()
            os.kill(victim, signal.SIGKILL)
            known = len(stored(folder))
            await asyncio.to_thread(until, lambda: len(stored(folder)) >= known + 1)
            assert "died" not in visitor.text

    async def resume(app, done):
        async with Visitor(app.address, "ESVM_accuracy", SWEEP) as visitor:
            await visitor.open()
            await visitor.press(rf"^Resume \({done} of {len(SPEC.trials())} done\)$")
            await visitor.watch("All trials are done", seconds=PATIENCE)

    with running_app(tmp_path / "first.log", environment) as app:
        asyncio.run(start_and_lose_a_worker(app))
        left_behind = children(app.process.pid)
        assert workers(app)
        app.process.kill()
        app.process.wait()
        until(lambda: not any(alive(pid) for pid in left_behind))
    kept = stored(folder)
    assert len(kept) < len(SPEC.trials()), "the sweep was over before the server could be killed"
    with running_app(tmp_path / "second.log", environment) as app:
        asyncio.run(resume(app, len(set(kept))))
    assert Counter(stored(folder)) == Counter(SPEC.trials())


@contextmanager
def small_disk(folder: Path, app_of):
    """A results folder that is soon full: a disk of one page where we may mount one, else a limit
    on the size of the server's files."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    try:
        with app_of(folder) as app:
            if mounted.returncode != 0:
                resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
            yield app
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_said_and_what_fitted_is_kept(tmp_path):
    folder = tmp_path / "full"
    kept = {}

    async def run(app):
        async with Visitor(app.address, "ESVM_accuracy", SWEEP) as visitor:
            await visitor.open()
            await visitor.press("^Run$")
            await visitor.watch("All trials are done", seconds=PATIENCE)
            assert in_markdown("Results can no longer be kept on disk (") in visitor.text
            assert "30 of 30 trials" in visitor.text

    def app_of(folder):
        return running_app(tmp_path / "app.log", {OWN_FOLDER_VARIABLE: str(folder)})

    with small_disk(folder, app_of) as app:
        asyncio.run(run(app))
        kept = Store(folder).load(SPEC)
    assert 0 < len(kept) < len(SPEC.trials())


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with running_app(folder / "app.log", {OWN_FOLDER_VARIABLE: str(folder / "results")}) as running:
        running_folder[running.address] = folder / "results"
        yield running


running_folder: dict[str, Path] = {}


def test_a_browser_closed_mid_race_frees_the_turn_and_the_processor(app):
    async def race():
        second = Visitor(app.address, "Solver_race", RACE)
        async with second:
            async with Visitor(app.address, "Solver_race", RACE) as first:
                await first.open()
                await first.press("^Start$")
                await first.watch("Racing:")
                await second.open()
                await second.press("^Start$")
                # A newcomer passes a race that has had its share, or waits for that.
                await second.watch("Waiting in the queue|Racing:")
            await second.watch("Racing:")
        await asyncio.to_thread(until, lambda: is_idle(app))

    asyncio.run(race())
    assert app.process.poll() is None


def test_a_browser_closed_mid_sweep_ends_it_and_keeps_what_is_done(app):
    folder = running_folder[app.address]

    async def leave():
        async with Visitor(app.address, "ESVM_accuracy", SLOW_SWEEP) as visitor:
            await visitor.open()
            await visitor.press("^Run$")
            await asyncio.to_thread(until, lambda: len(stored(folder)) >= 1)

    async def come_back():
        async with Visitor(app.address, "ESVM_accuracy", SLOW_SWEEP) as visitor:
            await visitor.open()
            label = await visitor.watch(r"Resume \(\d+ of 30 done\)", PATIENCE)
            assert label == f"Resume ({len(stored(folder))} of 30 done)"

    asyncio.run(leave())
    until(lambda: not workers(app))
    assert 1 <= len(stored(folder)) < 30
    asyncio.run(come_back())
