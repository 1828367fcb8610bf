"""The queue of long computations: order, cancelling, lost workers, heartbeats, no orphans."""

import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab.running import job as job_module
from lab.running import jobs, line, pools, priority
from lab.running.jobs import Job, JobQueue
from tests.clocks import PATIENCE, TICK, Clock, until
from tests.queues import forget_jobs

ROOT = Path(__file__).resolve().parents[3]


# Calls that workers run.


def square(x):
    return x * x


def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return seconds


def fail(x):
    raise ValueError(f"{x} is too large; use less")


def who(x):
    import numpy  # noqa: F401
    from threadpoolctl import threadpool_info

    threads = [pool["num_threads"] for pool in threadpool_info()]
    share = priority.AUTOGROUP.read_text() if priority.AUTOGROUP.exists() else ""
    return os.getpid(), os.nice(0), max(threads, default=1), os.getsid(0), share


def die_once(x, flag):
    if x == 2 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def die(x):
    if x == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


@pytest.fixture(scope="module")
def one_queue():
    made = JobQueue(workers=1)
    yield made
    made.close()


@pytest.fixture
def queue(one_queue):
    """As if it were new, but for its worker."""
    yield one_queue
    forget_jobs(one_queue)


def ended(job) -> jobs.Snapshot:
    until(lambda: job.snapshot().state in jobs.ENDED)
    return job.snapshot()


def running(job) -> bool:
    return job.snapshot().state == "running"


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_results_come_with_their_index_and_known_ones_are_not_computed_again(queue):
    told = []
    job = queue.submit(
        "squares",
        square,
        [(x,) for x in range(5)],
        already_done={3: "known"},
        on_result=lambda index, value: told.append((index, value)),
    )
    snapshot = ended(job)
    assert (snapshot.state, snapshot.done, snapshot.total, snapshot.error) == ("done", 5, 5, "")
    assert snapshot.results[0] == (3, "known")
    assert dict(snapshot.results) == {0: 0, 1: 1, 2: 4, 3: "known", 4: 16}
    assert sorted(told) == [(0, 0), (1, 1), (2, 4), (4, 16)]
    assert queue.get(job.id) is job and queue.get("another") is None
    assert snapshot.seconds_left == 0.0


def test_calls_run_in_niced_single_threaded_processes_of_their_own(queue):
    snapshot = ended(queue.submit("who", who, [(0,), (1,)]))
    for _, (pid, niceness, threads, session, share) in snapshot.results:
        assert pid != os.getpid()
        assert niceness > os.nice(0)
        assert threads == 1
        # Where cores are shared among sessions first, the worker's steps back, not the server's.
        assert session == pid
        if share:
            assert share.endswith(f"nice {priority.SESSION_NICENESS}\n")
            assert share != priority.AUTOGROUP.read_text()


def test_others_wait_in_line_and_cancelling_reaches_into_a_call(queue):
    first = queue.submit("first", busy, [(600,)])
    second = queue.submit("second", square, [(3,)])
    third = queue.submit("third", square, [(4,)])
    until(lambda: running(first))
    assert [job.snapshot().position for job in (first, second, third)] == [0, 1, 2]
    second.cancel()
    assert second.snapshot().state == "cancelled"
    assert third.snapshot().position == 1
    first.cancel()
    # The call itself goes on for 600 s, longer than `ended` waits.
    snapshot = ended(first)
    assert (snapshot.state, snapshot.done) == ("cancelled", 0)
    assert ended(third).results == ((0, 16),)
    assert [job.title for job in queue.jobs()] == ["first", "second", "third"]


def test_a_lost_worker_costs_no_result(queue, tmp_path):
    flag = tmp_path / "died"
    told = []
    job = queue.submit(
        "survivor",
        die_once,
        [(x, flag) for x in range(6)],
        on_result=lambda index, value: told.append(index),
    )
    snapshot = ended(job)
    assert flag.exists()
    assert (snapshot.state, snapshot.error) == ("done", "")
    assert sorted(snapshot.results) == [(x, x) for x in range(6)]
    assert sorted(told) == list(range(6))


def test_a_call_that_always_kills_its_worker_ends_with_a_sentence(queue):
    snapshot = ended(queue.submit("poison", die, [(x,) for x in range(4)]))
    assert snapshot.state == "failed"
    assert snapshot.error.startswith("The worker processes died 3 times in a row")
    assert {index for index, _ in snapshot.results} <= {0, 1, 3}
    assert ended(queue.submit("after", square, [(5,)])).results == ((0, 25),)


def test_an_error_is_one_sentence_and_the_queue_goes_on(queue):
    job = queue.submit("wrong", fail, [(7,)])
    after = queue.submit("after", square, [(2,)])
    snapshot = ended(job)
    assert (snapshot.state, snapshot.error) == ("failed", "7 is too large; use less.")
    assert ended(after).state == "done"


def test_results_that_cannot_be_kept_are_said_and_the_job_goes_on(queue):
    def full(index, value):
        raise OSError("No space left on device")

    snapshot = ended(queue.submit("squares", square, [(1,), (2,)], on_result=full))
    assert (snapshot.state, snapshot.done) == ("done", 2)
    assert snapshot.error == "No space left on device."


def test_a_job_that_nobody_watches_ends_unless_told_to_stay():
    queue = JobQueue(workers=1, expiry_seconds=0.3)
    try:
        forgotten = queue.submit("forgotten", busy, [(600,)])
        waiting = queue.submit("forgotten in the line", busy, [(600,)])
        assert ended(forgotten).state == "cancelled"
        assert ended(waiting).state == "cancelled"
        stays = queue.submit("stays", busy, [(0.8,)], keep_running=True)
        assert ended(stays).state == "done"
    finally:
        queue.close()


def test_a_job_expires_when_nobody_has_touched_it_for_long_enough(queue, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(job_module, "time", SimpleNamespace(monotonic=clock))
    watched = Job(queue, "id", 1, "watched", square, [(1,)], {}, None, [1.0])
    for _ in range(5):
        clock.works(60 / TICK)
        assert not watched._expired(60.0)
        watched.touch()
    clock.works(61 / TICK)
    assert watched._expired(60.0)
    watched.keep_running = True
    assert not watched._expired(60.0)


def test_a_page_that_is_gone_shortens_the_wait_unless_another_shows_the_job(queue, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(job_module, "time", SimpleNamespace(monotonic=clock))
    shown = Job(queue, "id", 1, "shown", square, [(1,)], {}, None, [1.0])
    shown.let_go(seconds=15.0)
    clock.works(14 / TICK)
    assert not shown._expired(queue.expiry_seconds)
    clock.works(2 / TICK)
    assert shown._expired(queue.expiry_seconds)
    shown.touch()
    assert not shown._expired(queue.expiry_seconds)


def test_a_job_whose_page_is_gone_ends_soon(queue):
    left = queue.submit("left", busy, [(600,)])
    until(lambda: running(left))
    left.let_go(seconds=600)
    left.let_go(seconds=0.1)
    assert ended(left).state == "cancelled"


def test_the_same_id_is_the_same_job_until_it_has_ended(queue):
    one = queue.submit("one", busy, [(600,)], id="sweep")
    assert queue.submit("one again", busy, [(600,)], id="sweep", keep_running=True) is one
    assert one.keep_running
    one.cancel()
    ended(one)
    again = queue.submit("one again", square, [(2,)], id="sweep")
    assert again is not one and queue.get("sweep") is again
    assert ended(again).state == "done"


def test_the_line_has_an_end(queue, monkeypatch):
    monkeypatch.setattr(jobs, "_MOST_WAITING", 2)
    running_one = queue.submit("first", busy, [(600,)])
    until(lambda: running(running_one))
    waiting = [queue.submit("waits", square, [(x,)]) for x in (1, 2)]
    refused = queue.submit("too many", square, [(3,)]).snapshot()
    assert (refused.state, refused.done, refused.position) == ("failed", 0, 0)
    assert refused.error.startswith("2 computations wait in this line already")
    running_one.cancel()
    assert [ended(job).state for job in waiting] == ["done", "done"]


class Table:
    """What a visitor uploaded."""


@pytest.mark.parametrize("end", ["done", "failed", "cancelled in line"])
def test_what_the_calls_were_given_does_not_outlive_the_job(queue, end):
    table, waits = Table(), end == "cancelled in line"
    kept = weakref.ref(table)
    first = queue.submit("first", busy, [(600,)]) if waits else None
    job = queue.submit("work", fail if end == "failed" else type, [(table,), (table,)])
    del table
    if waits:
        job.cancel()
    assert ended(job).state == end.split()[0]
    assert job.snapshot().total == 2
    until(lambda: gc.collect() >= 0 and kept() is None)
    if waits:
        first.cancel()


def test_ended_jobs_are_forgotten_also_while_the_line_is_full(queue, monkeypatch):
    monkeypatch.setattr(jobs, "_MOST_WAITING", 0)
    for _ in range(2 * jobs._KEPT_JOBS):
        queue.submit("too many", square, [(3,)])
    assert len(queue.jobs()) <= jobs._KEPT_JOBS + 1


def test_time_left_is_weighed_by_the_costs(queue):
    calls = [(0.05,)] * (queue.workers + 1)
    costs = [1.0] * len(calls)
    job = queue.submit("uneven", busy, [*calls, (600,)], costs=[*costs, 12000.0])
    until(lambda: job.snapshot().done == len(calls))
    now = job.snapshot()
    assert now.seconds_left == pytest.approx(12000 * (now.seconds - job._warm[0]))
    job.cancel()
    with pytest.raises(ValueError, match="2 calls but 1 costs"):
        queue.submit("wrong", square, [(1,), (2,)], costs=[1.0])


def test_what_workers_took_to_start_is_no_part_of_the_time_left(queue):
    """After the first of 72 trials, a tenth of a second each, 38 minutes were left."""
    job = queue.submit("late", busy, [(0.0,)] * queue.workers + [(600,)] * 9)
    until(lambda: job.snapshot().done == queue.workers)
    assert job.snapshot().seconds_left is None  # nothing is known before one more is done
    job.cancel()


SERVER = """
import sys, time
from lab.running.jobs import JobQueue
from lab.running import line
from tests.lab.running.test_jobs import busy, who
queue = JobQueue(workers=1)
first = queue.submit("who", who, [(0,)], keep_running=True)
while first.snapshot().state != "done":
    time.sleep(0.01)
queue.submit("busy", busy, [(600,)], keep_running=True)
print(first.snapshot().results[0][1][0], flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("how", ["ends", "killed"])
def test_no_worker_outlives_its_server(how):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        worker = int(server.stdout.readline())
        assert alive(worker)
        if how == "killed":
            server.kill()
        else:
            server.stdin.write("\n")
            server.stdin.flush()
        server.wait(timeout=PATIENCE)
        until(lambda: not alive(worker))
    finally:
        server.kill()
        server.wait()


def test_a_cluster_that_is_not_there_is_said():
    queue = JobQueue(dask="tcp://127.0.0.1:1")
    try:
        snapshot = ended(queue.submit("nowhere", square, [(1,)], keep_running=True))
    finally:
        queue.close()
    assert snapshot.state == "failed"
    assert snapshot.error.startswith("The Dask cluster of EXCLUSIVE_SPARSITY_DASK cannot be reache")


def test_only_the_operator_names_the_cluster(monkeypatch):
    monkeypatch.setenv(jobs.DASK_VARIABLE, "tcp://127.0.0.1:1")
    assert isinstance(JobQueue()._pool, pools.DaskPool)
    monkeypatch.delenv(jobs.DASK_VARIABLE)
    assert isinstance(JobQueue()._pool, pools.ProcessPool)


def test_a_long_job_gives_way_to_a_newcomer_and_goes_on(queue, monkeypatch):
    monkeypatch.setattr(line, "NEWCOMER_SECONDS", 0.01)
    order, newcomers = [], []

    def one_of_short(index, value):
        order.append("short")

    def one_of_long(index, value):
        order.append("long")
        if len(order) == 2:  # the newcomer comes while the long job runs, whatever the machine does
            newcomers.append(queue.submit("short", square, [(3,)], on_result=one_of_short))

    long = queue.submit("long", busy, [(0.05,)] * 20, on_result=one_of_long)
    assert ended(long).state == "done"
    assert sorted(index for index, _ in long.snapshot().results) == list(range(20))
    assert ended(newcomers[0]).results == ((0, 9),)
    assert order.index("short") < 20


def test_who_waits_is_told_for_how_long(queue):
    first = queue.submit("first", busy, [(600,)] * 3)
    second = queue.submit("second", busy, [(600,)] * 3)
    third = queue.submit("third", square, [(2,)])
    waits = [job.snapshot().wait_seconds for job in (first, second, third)]
    assert waits[0] == 0.0 or first.snapshot().state == "queued"
    assert 0.0 < waits[1] < waits[2]
    first.cancel()
    second.cancel()
    for job in (first, second, third):
        assert ended(job).wait_seconds == 0.0


def test_a_guess_for_work_that_has_not_begun_comes_from_work_like_it(queue):
    ended(queue.submit("earlier", busy, [(0.1,)] * 3))
    running = queue.submit("running", busy, [(600,)])
    waiting = queue.submit("waiting", busy, [(0.1,)] * 10)
    left = waiting.snapshot().seconds_left
    assert left is not None and left >= 1.0
    running.cancel()
    waiting.cancel()
