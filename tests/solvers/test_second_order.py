"""The second-order methods: certified to 1e-8 on data that break solvers, and honest when stuck."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from solvers import (
    LASSO_METHODS,
    LOGISTIC_METHODS,
    SVM_METHODS,
    Groups,
    solve_lasso,
    solve_logistic,
    solve_svm,
)
from solvers.problems import LassoProblem, LogisticProblem, SmoothProblem, SVMProblem
from solvers.registry import choose
from solvers.second_order import newton as newton_module
from solvers.second_order import svm_interior
from solvers.second_order.svm_features import NearFeatures
from solvers.second_order.svm_quasi_newton import DualPoint
from solvers.tracking import solve
from tests.families import designs, reference_strength, response, split
from tests.naive import exclusive_norm as naive_norm
from tests.oracles import OwnHuberLoss

DESIGNS = designs()
either_groups = pytest.mark.parametrize(
    "overlapping", [False, True], ids=["disjoint", "overlapping"]
)
either_intercept = pytest.mark.parametrize(
    "fit_intercept", [False, True], ids=["plain", "intercept"]
)
each_design = pytest.mark.parametrize("name", DESIGNS)
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def made(name, overlapping):
    X, n_groups = DESIGNS[name]
    rng = np.random.default_rng(7)
    return X, split(X.shape[1], n_groups, overlapping, rng), rng


@each_design
@either_groups
@either_intercept
@pytest.mark.parametrize("key", ["newton", "active_set"])
def test_lasso_reaches_1e_8_at_every_strength(name, overlapping, fit_intercept, key):
    X, groups, rng = made(name, overlapping)
    y = response(X)
    strength = reference_strength(X, y, groups)
    weight = rng.uniform(0.2, 3.0, y.size)
    for exponent in (-6, -3, 0, 3, 6):
        problem = LassoProblem(
            X,
            y,
            groups,
            strength * 10.0**exponent,
            fit_intercept=fit_intercept,
            sample_weight=weight if exponent % 2 else None,
        )
        result = solve(problem, LASSO_METHODS[key], tol=1e-8, max_iter=300)
        assert result.converged, (exponent, result.status, result.gap)


@each_design
@either_groups
@either_intercept
def test_logistic_reaches_1e_6(name, overlapping, fit_intercept):
    X, groups, _ = made(name, overlapping)
    y = np.where(response(X) > 0.0, 1.0, -1.0)
    if name == "one sample" and fit_intercept:
        with pytest.raises(ValueError, match="no minimiser"):
            LogisticProblem(X, y, groups, 1.0, fit_intercept=True)
        return
    strength = reference_strength(X, y, groups) / 4.0
    for exponent in (-4, -2, 0, 2):
        problem = LogisticProblem(
            X, y, groups, strength * 10.0**exponent, fit_intercept=fit_intercept
        )
        result = solve(problem, LOGISTIC_METHODS["newton"], tol=1e-6, max_iter=300)
        assert result.converged, (exponent, result.status, result.gap)


@each_design
@either_groups
@either_intercept
def test_svm_reaches_1e_6(name, overlapping, fit_intercept):
    X, groups, rng = made(name, overlapping)
    y = np.where(response(X) > 0.0, 1.0, -1.0)
    weight = rng.uniform(0.3, 2.0, y.size)
    for alpha, beta in ((1.0, 10.0), (100.0, 100.0), (1e-2, 1.0), (1.0, 1e-3)):
        problem = SVMProblem(
            X, y, groups, alpha, beta, fit_intercept=fit_intercept, sample_weight=weight
        )
        result = solve(problem, SVM_METHODS["newton"], tol=1e-6, max_iter=1000)
        assert result.converged, (alpha, beta, result.status, result.gap)


@pytest.mark.parametrize("name", ["plain", "duplicated columns", "condition 1e8", "tall"])
@pytest.mark.parametrize("key", ["newton", "active_set"])
def test_when_arithmetic_runs_out_the_best_point_is_returned(name, key):
    X, groups, rng = made(name, True)
    y = response(X)
    problem = LassoProblem(X, y, groups, reference_strength(X, y, groups) * 1e-3)
    for w0 in (None, rng.standard_normal(X.shape[1]), 1e6 * rng.standard_normal(X.shape[1])):
        result = solve(problem, LASSO_METHODS[key], tol=0.0, max_iter=1000, w0=w0)
        assert result.status in ("stalled", "converged")
        assert result.gap <= 1e-8
        assert np.isfinite(result.w).all()


@pytest.mark.parametrize("name", ["plain", "duplicated columns", "condition 1e8", "tall"])
@either_groups
def test_logistic_and_hinge_end_by_themselves_too(name, overlapping):
    X, groups, _ = made(name, overlapping)
    y = np.where(response(X) > 0.0, 1.0, -1.0)
    strength = reference_strength(X, y, groups)
    for problem, methods in (
        (LogisticProblem(X, y, groups, 1e-2 * strength), LOGISTIC_METHODS),
        (SVMProblem(X, y, groups, 1.0, 10.0), SVM_METHODS),
    ):
        result = solve(problem, methods["newton"], tol=0.0)
        assert result.status in ("stalled", "converged")
        assert result.gap <= 1e-6
        assert np.isfinite(result.w).all()


def test_other_losses_are_refused_with_a_reason():
    X, groups, _ = made("plain", False)
    y = np.where(response(X) > 0.0, 1.0, -1.0)
    lasso, logistic = LassoProblem(X, y, groups, 1.0), LogisticProblem(X, y, groups, 1.0)
    assert LASSO_METHODS["newton"].accepts(lasso) is None
    assert "another loss" in LASSO_METHODS["newton"].accepts(logistic)
    assert LOGISTIC_METHODS["newton"].accepts(logistic) is None
    own = SmoothProblem(X, y, groups, 1.0, loss=OwnHuberLoss)
    assert "inverse curvature" in LOGISTIC_METHODS["newton"].accepts(own)


def test_where_no_newton_system_fits_auto_still_solves(monkeypatch):
    X, groups, _ = made("plain", True)
    y = response(X)
    monkeypatch.setattr(newton_module, "LARGEST_SYSTEM", 50)
    overlapped = LassoProblem(X, y, groups, 1.0)
    assert "unknowns" in LASSO_METHODS["newton"].accepts(overlapped)
    assert solve(overlapped, choose(LASSO_METHODS, "auto", overlapped), tol=1e-8).converged
    monkeypatch.setattr(newton_module, "LARGEST_SYSTEM", 8000)
    assert LASSO_METHODS["newton"].accepts(overlapped) is None


def test_a_warm_start_saves_iterations():
    X, groups, _ = made("plain", False)
    y = response(X)
    lam = reference_strength(X, y, groups) * 1e-2
    before = solve_lasso(X, y, groups, 1.1 * lam, tol=1e-10)
    cold = solve_lasso(X, y, groups, lam, method="newton", tol=1e-8)
    warm = solve_lasso(X, y, groups, lam, method="newton", tol=1e-8, w0=before.w)
    assert warm.n_iter < cold.n_iter


def test_working_sets_agree_with_all_features_at_once(monkeypatch):
    X, groups, _ = made("wide", True)
    y = response(X)
    lam = reference_strength(X, y, groups) * 0.1
    problem = LassoProblem(X, y, groups, lam)
    assert newton_module.why_not_dense(problem) is not None
    restricted = solve(problem, LASSO_METHODS["newton"], tol=1e-9)
    monkeypatch.setattr(newton_module, "WORKING_SET_RATIO", 10**9)
    assert newton_module.why_not_dense(problem) is None
    whole = solve(problem, LASSO_METHODS["newton"], tol=1e-9)
    assert restricted.converged and whole.converged
    assert restricted.objective == pytest.approx(whole.objective, rel=2e-9)


def test_the_solution_of_ridge_is_found_exactly():
    """Groups of one feature: ½‖Xw − y‖² + λ/2‖w‖² has a closed form."""
    X, _, _ = made("plain", False)
    y = response(X)
    groups = Groups.contiguous(X.shape[1], X.shape[1])
    result = solve_lasso(X, y, groups, 0.7, tol=1e-10)
    exact = X.T @ np.linalg.solve(X @ X.T + 0.7 * np.eye(X.shape[0]), y)
    np.testing.assert_allclose(result.w, exact, atol=1e-5 * np.abs(exact).max())
    value = 0.5 * np.sum((X @ exact - y) ** 2) + 0.35 * naive_norm(exact, groups.lists()) ** 2
    assert result.objective == pytest.approx(value, rel=1e-9)


@either_intercept
def test_the_svm_starts_from_a_neighbouring_solution(fit_intercept):
    X, groups, _ = made("plain", False)
    y = np.where(response(X) > 0.0, 1.0, -1.0)
    options = dict(fit_intercept=fit_intercept)
    options = dict(method="newton", tol=1e-8, **options)
    cold = solve_svm(X, y, groups, 1.0, 0.5, **options)
    neighbour = solve_svm(X, y, groups, 1.0, 0.55, **options)
    warm = solve_svm(X, y, groups, 1.0, 0.5, w0=neighbour.w, **options)
    assert cold.converged and warm.converged
    assert warm.n_iter < cold.n_iter / 2


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("lam", [1e-12, 1e-14])
def test_no_logistic_bound_is_above_its_objective_on_separable_data(lam, fit_intercept):
    for seed in range(3):
        X = np.random.default_rng(seed).standard_normal((12, 20))
        y, groups = np.sign(X[:, 0]), Groups.contiguous(20, 4)
        found = solve_logistic(X, y, groups, lam, fit_intercept=fit_intercept)
        assert found.converged
        assert found.bound <= found.objective * (1.0 + 1e-12)


@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("shape", [(40, 15), (25, 40)])
def test_weights_over_sixteen_decades(shape, fit_intercept, overlapping):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal(shape)
        y = X[:, 0] - X[:, 7] + 0.1 * rng.standard_normal(shape[0]) + 3.0
        n_features = shape[1]
        groups = [list(range(k, n_features, 5)) for k in range(5)]
        if overlapping:
            groups.append([0, 1, 2])
        options = {
            "sample_weight": 10.0 ** rng.uniform(-16, 0, shape[0]),
            "fit_intercept": fit_intercept,
        }
        labels = np.sign(y - 3.0)
        assert solve_lasso(X, y, groups, 0.5, **options).converged
        assert solve_logistic(X, labels, groups, 0.5, **options).converged
        assert solve_svm(X, labels, groups, 0.5, 0.5, **options).converged


def test_quasi_newton_starts_where_it_is_told():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 200))
    y, groups = np.sign(X[:, 0] + 0.3 * rng.standard_normal(60)), Groups.contiguous(200, 10)
    cold = solve_svm(X, y, groups, 1.0, 3.0, method="quasi_newton")
    warm = solve_svm(X, y, groups, 1.0, 3.0, method="quasi_newton", w0=cold.w)
    assert warm.converged and warm.n_iter < 0.8 * cold.n_iter


@either_intercept
def test_the_few_features_near_carrying_weight_say_what_all_do(fit_intercept):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 600))
    y = np.where(X[:, :5].sum(axis=1) > 0.0, 1.0, -1.0)
    whole = SVMProblem(X, y, Groups.contiguous(600, 6), 1.0, 30.0, fit_intercept=fit_intercept)
    near = NearFeatures(whole, DualPoint(whole))
    assert 0 < near.features.size < 300
    joined = 0
    for _ in range(30):
        u = rng.uniform(0.0, 1.0, 40)
        here = whole.conjugate_gradient(whole.weighted_samples(whole.project_dual(u)))
        known = set(np.flatnonzero(here)) <= set(near.features)
        assert near.look(whole.project_dual(u)) == (not known)
        joined += not known
        if near.features is None:
            break
        few, all_of_them = DualPoint(near.problem, u), DualPoint(whole, u)
        np.testing.assert_allclose(near.everywhere(few.w), all_of_them.w, rtol=0, atol=1e-12)
        np.testing.assert_allclose(few.gradient, all_of_them.gradient, rtol=0, atol=1e-11)
        assert few.primal_value() == pytest.approx(whole.valued(all_of_them.w).value, rel=1e-12)
    assert joined > 0


def test_sparse_data_and_features_that_are_all_near_stay_whole():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((30, 40))
    y = np.where(rng.random(30) < 0.5, 1.0, -1.0)
    groups = Groups.contiguous(40, 4)
    for data, beta in ((sparse.csr_array(X), 30.0), (X, 1e-6)):
        whole = SVMProblem(data, y, groups, 1.0, beta)
        near = NearFeatures(whole, DualPoint(whole))
        assert near.features is None and near.problem is whole
        w = rng.standard_normal(40)
        assert near.everywhere(w) is w and not near.look(rng.uniform(0.0, 1.0, 30))


@either_groups
@pytest.mark.parametrize("options", [{}, {"fit_intercept": True}, {"positive": True}], ids=str)
@pytest.mark.parametrize("shape", [(30, 24), (20, 48)], ids=["tall", "wide"])
def test_a_small_incidence_is_dense_and_says_the_same(shape, options, overlapping, monkeypatch):
    """A call of a sparse product takes longer than all that so small an interior point computes."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal(shape), np.where(rng.random(shape[0]) < 0.5, 1.0, -1.0)
    groups = split(shape[1], 6, overlapping, rng)
    weights = {
        "feature_weight": np.linspace(0.0, 2.0, shape[1]),
        "group_weight": np.linspace(1.0, 2.0, groups.n_groups),
    }
    problem = SVMProblem(X, y, groups, 0.1, 1.0, **options, **weights)
    incidences = []

    def answer(largest):
        monkeypatch.setattr(svm_interior, "SMALL_INCIDENCE", largest)
        incidences.append(svm_interior._Model(problem).incidence)
        return solve(problem, SVM_METHODS["interior"], tol=1e-9)

    dense, thin = answer(svm_interior.SMALL_INCIDENCE), answer(0)
    assert isinstance(incidences[0], np.ndarray) and sparse.issparse(incidences[1])
    np.testing.assert_array_equal(incidences[0], incidences[1].toarray())
    assert dense.converged and thin.converged
    assert dense.objective == pytest.approx(thin.objective, rel=2e-9)
