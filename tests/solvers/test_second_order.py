"""The second-order methods: certified to 1e-8 on data that break solvers, and honest when stuck."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups, solve_lasso, solve_svm
from solvers.problems import LassoProblem, LogisticProblem, SVMProblem
from solvers.registry import choose
from solvers.second_order import newton as newton_module
from solvers.tracking import solve
from tests.families import designs, reference_strength, response, split
from tests.naive import exclusive_norm as naive_norm

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
        if "wide" in name and key == "active_set":
            assert "far more features" in LASSO_METHODS[key].accepts(problem)
            continue
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
    for key in ("newton", "active_set"):
        assert LASSO_METHODS[key].accepts(lasso) is None
        assert "another loss" in LASSO_METHODS[key].accepts(logistic)
    assert LOGISTIC_METHODS["newton"].accepts(logistic) is None
    assert "another" in LOGISTIC_METHODS["newton"].accepts(lasso)


def test_systems_that_would_not_fit_go_to_a_first_order_method(monkeypatch):
    X, groups, _ = made("plain", True)
    y = response(X)
    monkeypatch.setattr(newton_module, "LARGEST_SYSTEM", 50)
    overlapped = LassoProblem(X, y, groups, 1.0)
    assert "unknowns" in LASSO_METHODS["newton"].accepts(overlapped)
    assert choose(LASSO_METHODS, "auto", overlapped).key == "pcp"
    disjoint = LassoProblem(X, y, Groups.contiguous(X.shape[1], 6), 1.0)
    assert choose(LASSO_METHODS, "auto", disjoint).key == "locp"
    monkeypatch.setattr(newton_module, "LARGEST_SYSTEM", 8000)
    assert choose(LASSO_METHODS, "auto", overlapped).key == "newton"


def test_a_warm_start_saves_iterations():
    X, groups, _ = made("plain", False)
    y = response(X)
    lam = reference_strength(X, y, groups) * 1e-2
    before = solve_lasso(X, y, groups, 1.1 * lam, tol=1e-10)
    cold = solve_lasso(X, y, groups, lam, tol=1e-8)
    warm = solve_lasso(X, y, groups, lam, tol=1e-8, w0=before.w)
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
    cold = solve_svm(X, y, groups, 1.0, 0.5, tol=1e-8, **options)
    neighbour = solve_svm(X, y, groups, 1.0, 0.55, tol=1e-8, **options)
    warm = solve_svm(X, y, groups, 1.0, 0.5, tol=1e-8, w0=neighbour.w, **options)
    assert cold.converged and warm.converged
    assert warm.n_iter < cold.n_iter / 2
