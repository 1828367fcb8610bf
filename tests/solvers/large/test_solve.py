"""Problems on Dask arrays have the answers that they have in memory, from few passes."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers import (
    LASSO_METHODS,
    SVM_METHODS,
    ExclusiveLasso,
    ExclusiveLassoCV,
    ExclusiveLogistic,
    ExclusiveSVC,
    Groups,
    lasso_path,
    logistic_path,
    solve_huber,
    solve_lasso,
    solve_logistic,
    solve_multitask,
    solve_poisson,
    solve_svm,
    stability_selection,
    svm_grid,
    svm_path,
)
from solvers.large import tall, working_sets
from solvers.problems import LassoProblem, SVMProblem
from solvers.registry import choose
from solvers.tracking import solve

SAMPLES, FEATURES = 60, 700
GROUPS = Groups.contiguous(FEATURES, 7)
OVERLAPPING = Groups.from_lists(
    [list(range(k, min(k + 150, FEATURES))) for k in range(0, FEATURES, 100)], FEATURES
)
SOLVE = {
    "lasso": lambda X, y, g, **k: solve_lasso(X, y, g, 1.0, **k),
    "logistic": lambda X, y, g, **k: solve_logistic(X, np.sign(y), g, 0.1, **k),
    "huber": lambda X, y, g, **k: solve_huber(X, y, g, 0.5, delta=0.5, **k),
    "poisson": lambda X, y, g, **k: solve_poisson(X, np.floor(np.abs(y)), g, 1.0, **k),
    "svm": lambda X, y, g, **k: solve_svm(X, np.sign(y), g, 0.1, 1.0, **k),
}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((SAMPLES, FEATURES))
    return X, X[:, ::50] @ rng.standard_normal(14) + 0.1 * rng.standard_normal(SAMPLES)


def agree(there, here, tol=1e-8):
    assert there.status == here.status == "converged"
    np.testing.assert_allclose(there.objective, here.objective, rtol=tol)
    np.testing.assert_allclose(there.w, here.w, atol=tol * np.abs(here.w).max())
    np.testing.assert_allclose(there.intercept, here.intercept, atol=tol)


@pytest.mark.parametrize("kind", SOLVE)
@pytest.mark.parametrize("groups", [GROUPS, OVERLAPPING], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("chunks", [(20, FEATURES), (SAMPLES, 90)], ids=["rows", "columns"])
def test_answers_are_those_in_memory(data, kind, groups, chunks):
    X, y = data
    array = da.from_array(X, chunks=chunks)
    loose = SOLVE[kind](array, y, groups, tol=1e-3, fit_intercept=True)
    assert loose.converged and loose.n_passes <= 30
    tight = SOLVE[kind](array, y, groups, tol=1e-9, fit_intercept=True)
    here = SOLVE[kind](X, y, groups, tol=1e-9, fit_intercept=True)
    assert here.n_passes is None
    assert tight.converged and tight.gap <= 1e-9
    np.testing.assert_allclose(tight.objective, here.objective, rtol=2e-9)
    assert tight.bound <= here.objective * (1 + 1e-12)


def test_weights_are_those_in_memory(data):
    X, y = data
    array = da.from_array(X, chunks=(17, 200))
    weight = np.arange(SAMPLES) % 4
    feature_weight = np.where(np.arange(FEATURES) < 3, 0.0, 1.0)
    options = dict(
        tol=1e-12,
        fit_intercept=True,
        sample_weight=weight,
        feature_weight=feature_weight,
        positive=np.arange(FEATURES) % 2 == 0,
        group_weight=np.linspace(0.5, 2.0, 7),
    )
    agree(*(solve_lasso(Z, y, GROUPS, 1.0, **options) for Z in (array, X)))


def test_sparse_blocks_stay_sparse(data):
    _, y = data
    X = sparse.random_array((SAMPLES, FEATURES), density=0.1, rng=np.random.default_rng(1))
    seen = []

    def as_sparse(block):
        seen.append(block.size)
        return sparse.csr_array(block)

    array = da.from_array(X.toarray(), chunks=(20, 300)).map_blocks(
        as_sparse, meta=sparse.csr_array((0, 0))
    )
    options = dict(tol=1e-12, fit_intercept=True)
    agree(*(solve_lasso(Z, y, GROUPS, 1.0, **options) for Z in (array, X)))
    assert max(seen) == 20 * 300


def test_a_start_saves_passes(data):
    X, y = data
    array = da.from_array(X, chunks=(20, FEATURES))
    cold = solve_lasso(array, y, GROUPS, 1.0, tol=1e-6)
    warm = solve_lasso(array, y, GROUPS, 1.0, tol=1e-6, w0=cold.w)
    assert warm.converged and warm.n_iter == 0 and warm.n_passes < cold.n_passes


@pytest.fixture
def no_columns(monkeypatch):
    """As with millions of samples: not even eight columns can be held."""
    monkeypatch.setattr(working_sets, "HELD_ENTRIES", SAMPLES * 8)


@pytest.mark.parametrize("kind", SOLVE)
@pytest.mark.parametrize("chunks", [(30, 40), (35, 15)], ids=["rows", "both"])
def test_where_no_columns_can_be_held_products_of_them_are(data, kind, chunks, no_columns):
    X, y = data[0][:, :40], data[1]
    groups = Groups.contiguous(40, 4)
    tol = 1e-2 if kind == "svm" else 1e-6
    there = SOLVE[kind](da.from_array(X, chunks=chunks), y, groups, tol=tol, fit_intercept=True)
    here = SOLVE[kind](X, y, groups, tol=tol, fit_intercept=True)
    assert there.converged
    np.testing.assert_allclose(there.objective, here.objective, rtol=2.0 * tol)
    if kind == "lasso":
        # The model is the problem: one product before, the sum, and two to certify.
        assert there.n_passes == 4.0


def tall_data():
    rng = np.random.default_rng(5)
    X = 0.5 + rng.standard_normal((5000, 30)) @ (np.eye(30) + 0.05 * rng.standard_normal((30, 30)))
    return X, X[:, ::5] @ rng.standard_normal(6) + rng.standard_normal(5000)


@pytest.mark.parametrize("kind", ["lasso", "huber", "svm"])
def test_products_know_overlaps_signs_and_weights(kind, no_columns):
    X, y = tall_data()
    groups = Groups.from_lists([list(range(k, min(k + 15, 30))) for k in range(0, 30, 10)], 30)
    options = dict(
        fit_intercept=True,
        sample_weight=np.arange(5000) % 4,
        feature_weight=np.where(np.arange(30) < 2, 0.0, 1.0),
        positive=np.arange(30) % 2 == 0,
        group_weight=np.linspace(0.5, 2.0, 3),
    )
    tol = 1e-3 if kind == "svm" else 1e-6
    array = da.from_array(X, chunks=(1000, 30))
    there, here = (SOLVE[kind](Z, y, groups, tol=tol, **options) for Z in (array, X))
    assert there.converged
    np.testing.assert_allclose(there.objective, here.objective, rtol=2.0 * tol)


@pytest.mark.parametrize("kind", SOLVE)
def test_tall_data_take_few_passes(kind, monkeypatch):
    X, y = tall_data()
    monkeypatch.setattr(working_sets, "HELD_ENTRIES", X.size - 1)
    solve = {
        "lasso": lambda X, **k: solve_lasso(X, y, groups, 50.0, **k),
        "logistic": lambda X, **k: solve_logistic(X, np.sign(y), groups, 50.0, **k),
        "huber": lambda X, **k: solve_huber(X, y, groups, 50.0, delta=0.5, **k),
        "poisson": lambda X, **k: solve_poisson(X, np.floor(np.abs(y)), groups, 50.0, **k),
        "svm": lambda X, **k: solve_svm(X, np.sign(y), groups, 50.0, 50.0, **k),
    }[kind]
    groups = Groups.contiguous(30, 5)
    there = solve(da.from_array(X, chunks=(1000, 30)), tol=1e-3, fit_intercept=True)
    assert there.converged and there.n_passes <= (60 if kind == "svm" else 30)
    here = solve(X, tol=1e-6, fit_intercept=True)
    np.testing.assert_allclose(there.objective, here.objective, rtol=2e-3)


def test_products_of_few_features_are_enough(data, no_columns, monkeypatch):
    X, y = data
    monkeypatch.setattr(tall, "MOST_FEATURES", 600)
    there, here = (solve_lasso(Z, y, GROUPS, 1.0, tol=1e-8) for Z in (da.from_array(X), X))
    assert there.converged and there.n_passes <= 30
    np.testing.assert_allclose(there.objective, here.objective, rtol=2e-8)


@pytest.mark.parametrize("kind", ["lasso", "svm"])
def test_where_too_many_features_matter_the_answer_still_comes(data, kind, no_columns, monkeypatch):
    monkeypatch.setattr(tall, "MOST_FEATURES", 8)
    X, y = data[0][:, :40], data[1]
    groups = Groups.contiguous(40, 4)
    array = da.from_array(X, chunks=(30, 40))
    there = SOLVE[kind](array, y, groups, tol=1e-2)
    here = SOLVE[kind](X, y, groups, tol=1e-6)
    assert there.converged
    np.testing.assert_allclose(there.objective, here.objective, rtol=2e-2)


def test_paths_are_those_in_memory(data):
    X, y = data
    array = da.from_array(X, chunks=(20, 400))
    strengths = [1.0, 100.0, 10.0]
    for path, arguments in (
        (lasso_path, (y, GROUPS)),
        (logistic_path, (np.sign(y), GROUPS)),
        (svm_path, (np.sign(y), GROUPS, 1.0)),
    ):
        there = path(array, *arguments, strengths, tol=1e-9)
        here = path(X, *arguments, strengths, tol=1e-9)
        assert there.converged.all() and there.n_passes >= 3.0 and here.n_passes is None
        np.testing.assert_allclose(there.objectives, here.objectives, rtol=2e-9)


def test_a_path_without_columns_is_that_in_memory(data, no_columns):
    X, y = data[0][:, :40], data[1]
    groups = Groups.contiguous(40, 4)
    array = da.from_array(X, chunks=(30, 40))
    for path, arguments in ((lasso_path, (y, groups)), (svm_path, (np.sign(y), groups, 1.0))):
        there, here = (path(Z, *arguments, [10.0, 1.0], tol=1e-3) for Z in (array, X))
        assert there.converged.all()
        np.testing.assert_allclose(there.objectives, here.objectives, rtol=2e-3)


def test_a_grid_is_that_in_memory(data):
    X, y = data
    arguments = np.sign(y), GROUPS, [1.0, 0.1], [1.0, 10.0]
    there, here = (svm_grid(Z, *arguments, tol=1e-9) for Z in (da.from_array(X, chunks=20), X))
    assert there.converged.all() and there.row(1).n_passes == there.n_passes >= 3.0
    np.testing.assert_allclose(there.objectives, here.objectives, rtol=2e-9)


def test_a_path_fetches_no_column_twice(data):
    X, y = data
    reads = []

    def counted(block):
        reads.append(1)
        return block

    array = da.from_array(X, chunks=X.shape).map_blocks(counted, meta=np.empty((0, 0)))
    path = lasso_path(array, y, GROUPS, [10.0, 9.0, 8.0, 7.0], tol=1e-6)
    assert path.n_passes == len(reads)
    # Three for the first; then one to check and, where a feature is missing, one to fetch it.
    assert len(reads) <= 12


def test_estimators_take_dask_arrays(data):
    X, y = data
    array, target = da.from_array(X, chunks=(20, 400)), da.from_array(y, chunks=20)
    classes = np.digitize(y, [-1.0, 1.0])
    common = dict(groups=GROUPS, tol=1e-10)
    for model, labels in (
        (ExclusiveLasso(10.0, **common), target),
        (ExclusiveLogistic(1.0, **common), classes),
        (ExclusiveSVC(1.0, 1.0, **common), classes > 0),
    ):
        coef = model.fit(X, np.asarray(labels)).coef_
        score = model.score(X, np.asarray(labels))
        model.fit(array, labels)
        assert model.n_features_in_ == FEATURES
        np.testing.assert_allclose(model.coef_, coef, atol=1e-4)
        assert model.score(array, np.asarray(labels)) == pytest.approx(score, abs=1e-4)
    with pytest.raises(ValueError, match="699 features"):
        model.predict(array[:, 1:])


def test_choices_on_a_dask_array_are_those_in_memory(data):
    X, y = data[0][:, :40], data[1]
    array = da.from_array(X, chunks=(30, 40))
    groups = Groups.contiguous(40, 4)
    model = ExclusiveLassoCV(lams=[100.0, 10.0], cv=2, groups=groups, tol=1e-8)
    there, here = (model.fit(Z, y).mse_path_.copy() for Z in (array, X))
    np.testing.assert_allclose(there, here, rtol=1e-5)
    lasso = ExclusiveLasso(100.0, groups=5)
    drawn = [stability_selection(lasso, Z, y, n_draws=2, random_state=0) for Z in (array, X)]
    np.testing.assert_array_equal(drawn[0].probability, drawn[1].probability)


def test_a_run_can_be_watched_stopped_and_bounded(data):
    X, y = data
    array = da.from_array(X, chunks=(20, FEATURES))
    seen = []

    def watch(record, w):
        seen.append(record)
        return len(seen) == 2

    cancelled = solve_lasso(array, y, GROUPS, 1.0, tol=1e-12, callback=watch)
    assert cancelled.status == "cancelled" and len(seen) == 2
    assert np.isfinite(cancelled.gap) and cancelled.n_passes == 3.0
    spent = solve_lasso(array, y, GROUPS, 1.0, tol=1e-12, max_seconds=0.0)
    assert spent.status == "time_budget" and spent.n_passes == 1.0


@pytest.mark.parametrize("kind", ["lasso", "svm", "quasi_newton"])
def test_time_is_looked_at_before_every_pass(data, kind):
    X, y = data
    array = da.from_array(X, chunks=(20, FEATURES))

    def run(max_seconds=None):
        if kind == "lasso":
            problem = LassoProblem(array, y, GROUPS, 1.0, fit_intercept=True)
        else:
            problem = SVMProblem(array, np.sign(y), GROUPS, 0.1, 1.0, fit_intercept=True)
        methods = LASSO_METHODS if kind == "lasso" else SVM_METHODS
        method = choose(methods, "quasi_newton" if kind == "quasi_newton" else "auto", problem)
        # Every pass takes a second, and nothing else any time.
        clock = lambda: problem.design.passes  # noqa: E731
        return solve(problem, method, tol=1e-8, max_seconds=max_seconds, clock=clock)

    whole = run()
    assert whole.converged and whole.seconds == whole.n_passes > 5
    at_least = run(0).n_passes  # the start and its certificate
    assert at_least <= 2.0
    for seconds in range(1, min(12, int(whole.n_passes))):
        stopped = run(seconds)
        assert stopped.status == "time_budget" and stopped.n_passes == max(seconds, at_least)
        assert stopped.objective == stopped.history.objective.min() and stopped.gap < np.inf


@pytest.mark.parametrize("key", sorted(set(LASSO_METHODS) - {"active_set"}))
def test_other_methods_refuse(data, key):
    X, y = data
    array = da.from_array(X, chunks=(20, FEATURES))
    with pytest.raises(ValueError, match=f"method '{key}' cannot .* needs X in memory"):
        solve_lasso(array, y, GROUPS, 1.0, method=key)


@pytest.mark.parametrize("key", sorted(set(SVM_METHODS) - {"quasi_newton"}))
def test_other_methods_of_the_svm_refuse(data, key):
    array = da.from_array(data[0], chunks=(20, FEATURES))
    with pytest.raises(ValueError, match=f"method '{key}' cannot .* needs X in memory"):
        solve_svm(array, np.sign(data[1]), GROUPS, 1.0, 1.0, method=key)


def test_named_methods_that_go_in_passes(data):
    X, y = data[0][:, :100], data[1]
    array, groups = da.from_array(X, chunks=(20, 100)), Groups.contiguous(100, 5)
    assert solve_lasso(array, y, groups, 1.0, method="active_set", tol=1e-8).converged
    quasi = solve_svm(array, np.sign(y), groups, 1.0, 1.0, method="quasi_newton", tol=1e-3)
    assert quasi.converged
    # One for the direction's image and one for the margins; certificates hardly add to that.
    assert quasi.n_passes <= 2.1 * quasi.n_iter + 5


def test_bad_data_get_one_sentence_at_the_first_pass(data):
    X, y = data
    array = da.from_array(X, chunks=(20, FEATURES))
    holed = X.copy()
    holed[41, 30] = np.nan
    for bad, words in (
        (da.from_array(holed, chunks=(20, 90)), r"X\[41, 30\] is nan; every entry must be finite"),
        (array * 1e200, "whose square overflows"),
        (array * 1e30, "divide X by a constant of that order"),
        (array.astype(complex), "complex"),
        (array.astype(str), "numbers only"),
        (array[array[:, 0] > 0], "compute_chunk_sizes"),
        (array[:0], "at least one sample"),
        (array[0], "1 dimensions"),
        (dd.from_pandas(pd.DataFrame(X)), "to_dask_array"),
    ):
        with pytest.raises(ValueError, match=words):
            solve_lasso(bad, y, GROUPS, 1.0)
    with pytest.raises(ValueError, match="Dask array"):
        solve_multitask(array, np.column_stack([y, y]), 1.0)
    with pytest.raises(ValueError, match=r"X\.compute\(\)"):
        solve_lasso(array, y, GROUPS, 1.0, exponent=1.5)
