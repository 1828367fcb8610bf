"""One BLAS thread while a problem of ordinary size is solved, and the caller's number after it."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from solvers import ExclusiveLasso, Groups, lasso_path, solve_lasso, solve_svm, svm_path, threads
from tests.clocks import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class Pools:
    """What threadpoolctl knows: a number that anyone may set, and put back as they found it.

    The tests run with one thread a worker, which OpenBLAS then never raises.
    """

    def __init__(self):
        self.threads = 2

    def limit(self, limits, user_api):
        assert user_api == "blas"
        before, self.threads = self.threads, limits
        return SimpleNamespace(restore_original_limits=lambda: setattr(self, "threads", before))


POOLS = Pools()


def blas_threads() -> int:
    return POOLS.threads


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.setattr(threads, "ThreadpoolController", lambda: POOLS)
    monkeypatch.setattr(threads, "one_thread", threads._OneThread())
    assert blas_threads() == 2
    yield
    assert blas_threads() == 2


def test_the_real_pools_follow_whichever_thread_asks():
    """The main thread, another one while the main one lives, and two that overlap."""
    code = """
import threading
import numpy as np, scipy.linalg
from threadpoolctl import threadpool_info
from solvers import solve_lasso
from solvers.threads import one_thread
def count(): return {pool["num_threads"] for pool in threadpool_info()}
X = np.eye(4)
def solve():
    seen = []
    keep = lambda record, w: seen.append(count())
    solve_lasso(X, X[0], [0, 0, 1, 1], 1.0, callback=keep)
    found.append(set.union(*seen))
def elsewhere(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread
found, before = [], count()
solve()
assert found == [{1}] and count() == before
elsewhere(solve).join()
assert found == [{1}, {1}] and count() == before, found
inside, leave = threading.Event(), threading.Event()
def stay():
    with one_thread():
        inside.set()
        leave.wait()
with one_thread():
    other = elsewhere(stay)
    inside.wait()
assert count() == {1}, count()
leave.set()
other.join()
assert count() == before, count()
"""
    many = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=many, check=True)


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).standard_normal((30, 40))
    return X, np.sign(X[:, 0]), Groups.contiguous(40, 5)


@pytest.mark.parametrize(("solver", "strengths"), [(solve_lasso, [1.0]), (solve_svm, [1.0, 1.0])])
def test_a_method_works_on_one_thread(data, solver, strengths):
    seen = []
    solver(*data, *strengths, callback=lambda record, w: seen.append(blas_threads()))
    assert seen and all(found == 1 for found in seen)


def test_large_data_take_what_the_caller_allows(data, monkeypatch):
    monkeypatch.setattr(threads, "LARGE", 1e3)
    seen = []
    solve_lasso(*data, 1.0, callback=lambda record, w: seen.append(blas_threads()))
    assert seen and all(found == 2 for found in seen)


def test_the_papers_problem_counts_as_ordinary_and_a_tenfold_one_as_large():
    for shape, expected in (((400, 4000), 1), ((4000, 400), 1), ((2000, 10_000), 2)):
        with threads.suitable_threads(shape):
            assert blas_threads() == expected


def test_paths_and_estimators_leave_the_number_as_it_was(data):
    X, y, groups = data
    lasso_path(X, y, groups, [1.0, 10.0])
    svm_path(X, y, groups, 1.0, [1.0, 10.0])
    ExclusiveLasso(groups=groups).fit(X, y)
    assert blas_threads() == 2


def test_an_error_inside_restores_too(data):
    def fail(record, w):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve_lasso(*data, 1.0, callback=fail)
    assert blas_threads() == 2


def test_whoever_leaves_last_restores():
    """Two threads of the program overlap: neither the first to leave nor the order matters."""
    inside, leave = threading.Event(), threading.Event()

    def other():
        with threads.suitable_threads((10, 10)):
            inside.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=other)
    with threads.suitable_threads((10, 10)):
        thread.start()
        assert inside.wait(PATIENCE)
    assert blas_threads() == 1  # the other one is still at work
    leave.set()
    thread.join(PATIENCE)
    assert blas_threads() == 2


def test_nobody_else_limits_threads():
    """Two who count for themselves put back each other's number; a worker process has no other."""
    files = [path for name in ("lab", "solvers") for path in (ROOT / name).rglob("*.py")]
    limiting = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if re.search(r"threadpool_limits|\.limit\(", path.read_text(encoding="utf-8"))
    }
    assert limiting == {"solvers/threads.py", "lab/running/pools.py"}
