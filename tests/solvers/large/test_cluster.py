"""A real cluster of two workers, in threads and in processes, one of which dies on the way."""

from __future__ import annotations

import os
import signal
import uuid
from functools import partial
from pathlib import Path

import dask
import dask.array as da
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from joblib import parallel_config

from solvers import (
    ExclusiveLasso,
    ExclusiveLassoCV,
    Groups,
    load_model,
    solve_lasso,
    solve_logistic,
    solve_svm,
    stability_selection,
)
from solvers.fit import main

GROUPS = Groups.contiguous(300, 6)


@pytest.fixture(autouse=True)
def patience():
    """A busy machine takes long to start a process; nothing here depends on how long."""
    with dask.config.set(
        {"distributed.comm.timeouts.connect": "300s", "distributed.comm.timeouts.tcp": "300s"}
    ):
        yield


def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 300))
    return X, X[:, ::25] @ rng.standard_normal(12) + 0.1 * rng.standard_normal(100)


def same_answers(X, y, array):
    for solve in (
        partial(solve_lasso, y=y, groups=GROUPS, lam=1.0),
        partial(solve_logistic, y=np.sign(y), groups=GROUPS, lam=1.0),
        partial(solve_svm, y=np.sign(y), groups=GROUPS, alpha=1.0, beta=1.0),
    ):
        there = solve(array, tol=1e-9, fit_intercept=True)
        here = solve(X, tol=1e-9, fit_intercept=True)
        assert there.converged and here.converged and there.n_passes >= 1.0
        np.testing.assert_allclose(there.objective, here.objective, rtol=1e-8)
        if solve.func is solve_lasso:
            # Solved by linear systems on the support, so to more digits than the gap promises.
            np.testing.assert_allclose(there.w, here.w, atol=1e-8)


def die_at(block, folder: str, count: int):
    """The worker that sees that many-th block goes down with it, and no other."""
    Path(folder, str(uuid.uuid4())).touch()
    try:
        if len(list(Path(folder).iterdir())) >= count:
            Path(f"{folder}-died").touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
    except FileExistsError:
        pass
    return block


def die_always(block):
    os.kill(os.getpid(), signal.SIGKILL)


def cluster(processes):
    return LocalCluster(
        n_workers=2, threads_per_worker=1, processes=processes, dashboard_address=None
    )


def test_threads_give_the_answers_of_one_machine():
    X, y = data()
    with cluster(processes=False) as workers, Client(workers):
        same_answers(X, y, da.from_array(X, chunks=(30, 300)))
        same_answers(X, y, da.from_array(X, chunks=(100, 80)).persist())


def test_processes_give_them_too_and_one_of_them_may_die(tmp_path):
    X, y = data()
    array = da.from_array(X, chunks=(30, 300))
    with cluster(processes=True) as workers, Client(workers):
        same_answers(X, y, array)
        here = solve_lasso(X, y, GROUPS, 1.0, tol=1e-12)

        # In the third pass of four blocks each, when columns have been fetched and one is missing.
        folder = tmp_path / "blocks"
        folder.mkdir()
        dying = array.map_blocks(die_at, folder=str(folder), count=10, meta=array._meta)
        there = solve_lasso(dying, y, GROUPS, 1.0, tol=1e-12)
        assert Path(f"{folder}-died").exists() and there.converged and there.n_passes >= 3.0
        np.testing.assert_allclose(there.w, here.w, atol=1e-8)

        # The command line, on the cluster at an address.
        names = [f"f{i}" for i in range(300)]
        pd.DataFrame(X, columns=names).assign(y=y).to_parquet(tmp_path / "data.parquet")
        pd.DataFrame({"feature": names, "group": np.arange(300) // 50}).to_csv(
            tmp_path / "groups.csv", index=False
        )
        command = f"{tmp_path}/data.parquet --target y --groups {tmp_path}/groups.csv --tol 1e-10"
        address = workers.scheduler_address
        assert main([*command.split(), "--no-intercept", "--dask", address]) == 0
        model = load_model(tmp_path / "data.model.json")
        np.testing.assert_allclose(model.predict(pd.DataFrame(X, columns=names)), X @ here.w)

        # Folds and draws of data in memory are spread over the workers by joblib.
        model = ExclusiveLassoCV(lams=[10.0, 1.0], cv=2, groups=GROUPS)
        alone = model.fit(X, y).mse_path_.copy()
        model.set_params(n_jobs=2)
        lasso = ExclusiveLasso(10.0, groups=6)
        draw = partial(stability_selection, lasso, X, y, n_draws=2, random_state=0)
        with parallel_config("dask"):
            np.testing.assert_allclose(model.fit(X, y).mse_path_, alone, rtol=1e-10)
            spread = draw(n_jobs=2)
        np.testing.assert_array_equal(spread.probability, draw().probability)

        workers.scheduler.allowed_failures = 0
        with pytest.raises(RuntimeError, match="the Dask cluster lost a pass"):
            solve_lasso(array.map_blocks(die_always, meta=array._meta), y, GROUPS, 1.0)
