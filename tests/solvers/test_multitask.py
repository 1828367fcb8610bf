"""Tasks that compete for features: against CVXPY, against one exclusive lasso, and in time."""

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

from solvers import (
    MULTITASK_METHODS,
    Groups,
    MultiTaskExclusiveLasso,
    solve_lasso,
    solve_multitask,
)
from solvers.multitask import MultiTaskProblem
from solvers.scales import strength_scale

N, FEATURES, TASKS = 20, 8, 3


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N, FEATURES)) + 0.5
    W = rng.standard_normal((FEATURES, TASKS)) * (rng.random((FEATURES, TASKS)) < 0.4)
    return X, X @ W + 0.3 * rng.standard_normal((N, TASKS)) + [1.0, -2.0, 0.5]


def reference(X, Y, lam, intercept=False, weight=None, positive=None, f=None, k=None):
    W = cp.Variable((X.shape[1], Y.shape[1]))
    b = cp.Variable((1, Y.shape[1])) if intercept else np.zeros((1, Y.shape[1]))
    root = np.sqrt(np.ones(len(X)) if weight is None else weight)
    f = np.ones(W.shape) if f is None else f
    k = np.ones(X.shape[1]) if k is None else k
    loss = 0.5 * cp.sum_squares(cp.multiply(root[:, None], X @ W + np.ones((len(X), 1)) @ b - Y))
    rows = cp.sum(cp.multiply(f, cp.abs(W)), axis=1)
    penalty = 0.5 * lam * cp.sum_squares(cp.multiply(np.sqrt(k), rows))
    held = [] if positive is None else [cp.multiply(positive.astype(float), W) >= 0]
    return cp.Problem(cp.Minimize(loss + penalty), held).solve(solver="CLARABEL")


@pytest.mark.parametrize("key", MULTITASK_METHODS)
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_agrees_with_cvxpy(key, intercept, storage):
    X, Y = drawn()
    optimum = reference(X, Y, 2.0, intercept)
    slow = key in ("lelr", "subgradient")
    result = solve_multitask(
        storage(X), Y, 2.0, method=key, fit_intercept=intercept, max_iter=50 if slow else None
    )
    assert result.w.shape == (FEATURES, TASKS) and result.intercept.shape == (TASKS,)
    assert slow or result.converged
    assert result.bound <= optimum * (1 + 1e-7) and result.objective >= optimum * (1 - 1e-7)
    fitted = X @ result.w + result.intercept
    rows = np.abs(result.w).sum(axis=1)
    restated = 0.5 * np.sum((fitted - Y) ** 2) + np.sum(rows**2)
    assert restated == pytest.approx(result.objective, rel=1e-10)


@pytest.mark.parametrize("intercept", [False, True])
def test_signs_and_weights_agree_with_cvxpy(intercept):
    X, Y = drawn(1)
    rng = np.random.default_rng(2)
    options = dict(
        sample_weight=rng.uniform(0.2, 2.0, N),
        positive=rng.random((FEATURES, TASKS)) < 0.5,
        feature_weight=rng.uniform(0.5, 2.0, (FEATURES, TASKS)),
        group_weight=rng.uniform(0.5, 2.0, FEATURES),
    )
    optimum = reference(X, Y, 2.0, intercept, *options.values())
    result = solve_multitask(X, Y, 2.0, fit_intercept=intercept, tol=1e-8, **options)
    assert result.converged and result.objective == pytest.approx(optimum, rel=1e-6)
    assert (result.w[options["positive"]] >= 0.0).all()
    by_feature = solve_multitask(X, Y, 2.0, feature_weight=np.arange(1.0, FEATURES + 1))
    f = np.repeat(np.arange(1.0, FEATURES + 1)[:, None], TASKS, axis=1)
    assert by_feature.objective == pytest.approx(reference(X, Y, 2.0, f=f), rel=2e-6)


def test_is_the_exclusive_lasso_of_a_kronecker_product():
    X, Y = drawn(3)
    groups = Groups.from_labels(np.arange(FEATURES * TASKS) % 5)
    whole = solve_lasso(np.kron(X, np.eye(TASKS)), Y.reshape(-1), groups, 1.5, tol=1e-10)
    result = solve_multitask(X, Y, 1.5, groups, tol=1e-10)
    np.testing.assert_allclose(result.w.reshape(-1), whole.w, atol=1e-5)
    problem = MultiTaskProblem(X, Y, 1.0)
    columns = problem.design.columns(np.arange(FEATURES * TASKS))
    np.testing.assert_array_equal(columns, np.kron(X, np.eye(TASKS)))
    lists = [[0, 1, 2, 3], list(range(3, FEATURES * TASKS))]
    overlapping = solve_multitask(X, Y, 1.5, lists)
    assert overlapping.converged and overlapping.method == "pcp"


def test_one_task_is_ridge_and_features_serve_few_tasks():
    X, Y = drawn(4)
    result = solve_multitask(X, Y[:, :1], 3.0, tol=1e-12)
    ridge = np.linalg.solve(X.T @ X + 3.0 * np.eye(FEATURES), X.T @ Y[:, 0])
    np.testing.assert_allclose(result.w[:, 0], ridge, atol=1e-5)
    strong = solve_multitask(X, Y, 1e5)
    assert (np.count_nonzero(strong.w, axis=1) == 1).all()


def test_a_thousand_features_and_twenty_tasks_take_few_iterations():
    """500 samples: 40 iterations of a few milliseconds each, whatever the machine."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 1000))
    W = np.zeros((1000, 20))
    for task in range(20):
        W[rng.choice(1000, 10, replace=False), task] = rng.standard_normal(10)
    Y = X @ W + rng.standard_normal((500, 20))
    scale = strength_scale(MultiTaskProblem(X, Y, 1.0))
    result = solve_multitask(X, Y, 0.1 * scale, tol=1e-6, max_iter=400)
    assert result.converged and result.n_iter < 400
    assert result.w.shape == (1000, 20)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sizes", [(1e-150, 1.0), (1.0, 1e-160), (1e140, 1e-100)])
def test_data_of_extreme_size_get_the_same_certificate(sizes):
    X, Y = drawn(6)
    plain = solve_multitask(X, Y, 2.0, fit_intercept=True, tol=1e-8)
    data, target = sizes
    problem = data * X, target * Y, 2.0 * data**2
    found = solve_multitask(*problem, fit_intercept=True, tol=1e-8)
    assert found.converged and 0.0 <= found.gap <= 1e-8
    np.testing.assert_allclose(found.w * data / target, plain.w, atol=1e-3)
    np.testing.assert_allclose(found.intercept / target, plain.intercept, atol=1e-3)
    assert solve_multitask(*problem, fit_intercept=True, w0=found.w).n_iter < found.n_iter


@pytest.mark.parametrize("intercept", [False, True])
def test_overlapping_groups_agree_with_cvxpy(intercept):
    """A feature's tasks compete, and every task's features too."""
    X, Y = drawn(7)
    places = np.arange(FEATURES * TASKS).reshape(FEATURES, TASKS)
    lists = [row.tolist() for row in places] + [column.tolist() for column in places.T]
    W = cp.Variable((FEATURES, TASKS))
    b = cp.Variable((1, TASKS)) if intercept else np.zeros((1, TASKS))
    loss = 0.5 * cp.sum_squares(X @ W + np.ones((N, 1)) @ b - Y)
    sums = cp.hstack([cp.sum(cp.abs(W), axis=1), cp.sum(cp.abs(W), axis=0)])
    optimum = cp.Problem(cp.Minimize(loss + 0.75 * cp.sum_squares(sums))).solve(solver="CLARABEL")
    result = solve_multitask(X, Y, 1.5, lists, fit_intercept=intercept, tol=1e-7)
    assert result.converged and result.bound <= optimum * (1 + 1e-7)
    assert result.objective == pytest.approx(optimum, rel=1e-6)


def test_a_loose_tolerance_leaves_exact_zeros_too():
    X, Y = drawn(8)
    strict = solve_multitask(X, Y, 200.0, tol=1e-11)
    loose = solve_multitask(X, Y, 200.0, tol=1e-3)
    assert 0 < np.count_nonzero(strict.w) < strict.w.size
    np.testing.assert_array_equal(loose.w != 0.0, strict.w != 0.0)


def test_callback_start_and_bad_input():
    X, Y = drawn()
    seen = []
    first = solve_multitask(X, Y, 1.0, callback=lambda record, w: seen.append(w.shape))
    assert set(seen) == {(FEATURES, TASKS)}
    again = solve_multitask(X, Y, 1.0, w0=first.w)
    assert again.n_iter < first.n_iter
    with pytest.raises(ValueError, match=r"Y must hold one row per sample and one column per task"):
        solve_multitask(X, Y[:, 0], 1.0)
    with pytest.raises(ValueError, match=r"Y\[0, 1\] is nan"):
        solve_multitask(X, np.where(np.arange(60).reshape(Y.shape) == 1, np.nan, Y), 1.0)
    with pytest.raises(ValueError, match=r"w0 must be features × tasks, \(8, 3\)"):
        solve_multitask(X, Y, 1.0, w0=np.zeros(3))
    with pytest.raises(ValueError, match="there is no method 'kong'"):
        solve_multitask(X, Y, 1.0, method="kong")


def test_the_estimator():
    results = check_estimator(MultiTaskExclusiveLasso(), on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    X, Y = drawn(5)
    model = MultiTaskExclusiveLasso(2.0, tol=1e-9, warm_start=True).fit(X, Y)
    expected = solve_multitask(X, Y, 2.0, fit_intercept=True, tol=1e-9)
    np.testing.assert_allclose(model.coef_, expected.w.T, atol=1e-5)
    np.testing.assert_allclose(model.predict(X), X @ expected.w + expected.intercept, atol=1e-4)
    cold = model.n_iter_
    assert model.fit(X, Y).n_iter_ < cold
    with pytest.raises(ValueError, match="one column per task"):
        MultiTaskExclusiveLasso().fit(X, Y[:, 0])
