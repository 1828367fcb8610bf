"""LOCP on few features: the points and the solution of all of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from solvers import LASSO_METHODS, Groups
from solvers.first_order.near_features import NearSteps
from solvers.problems import LassoProblem, LogisticProblem, PoissonProblem
from solvers.scales import lambda_0
from solvers.tracking import solve


def drawn(stored_sparse, kind=LassoProblem, **options):
    rng = np.random.default_rng(3)
    X = sparse.random_array((80, 600), density=0.1, rng=rng, format="csr")
    y = np.asarray(X[:, :6].sum(axis=1)).ravel() + 0.1 * rng.standard_normal(80)
    groups = Groups.random(600, 20, random_state=0)
    lam = 0.1 * lambda_0(X, y, groups)
    target = {LassoProblem: y, LogisticProblem: np.where(y > np.median(y), 1.0, -1.0)}
    target = target.get(kind, rng.poisson(np.exp(np.clip(y, -2.0, 2.0))))
    return kind(X if stored_sparse else X.toarray(), target, groups, lam, **options)


@pytest.mark.parametrize("stored_sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kind", [LassoProblem, LogisticProblem, PoissonProblem])
def test_few_features_have_the_solution_of_all(stored_sparse, fit_intercept, kind):
    problem = drawn(stored_sparse, kind, fit_intercept=fit_intercept)
    steps = NearSteps(problem, np.zeros(600))
    for _ in range(200):
        candidate = steps.go(20)
        steps.look()
    assert steps.features is not None and steps.features.size < 400
    assert steps.problem.design.is_sparse == stored_sparse
    score = problem.score(candidate)
    assert score.objective - score.bound <= 1e-7 * abs(score.objective)


def test_features_left_out_join_when_they_are_pulled():
    problem = drawn(True)
    solution = solve(problem, LASSO_METHODS["newton"], tol=1e-9).w
    steps = NearSteps(problem, np.zeros(600))
    # As if only ten features had ever been near.
    steps._take(np.arange(10), np.zeros(600))
    steps.go(10)
    assert steps.look()
    for _ in range(100):
        steps.go(20)
        steps.look()
    assert np.setdiff1d(np.flatnonzero(solution), steps.features).size == 0
    assert steps.w == pytest.approx(solution, abs=1e-5 * np.abs(solution).max())


def test_unpenalised_features_are_always_near_and_signs_are_kept():
    weight = np.ones(600)
    weight[[5, 77]] = 0.0
    problem = drawn(True, feature_weight=weight, positive=np.arange(600) % 2 == 0)
    steps = NearSteps(problem, np.zeros(600))
    for _ in range(100):
        candidate = steps.go(20)
        steps.look()
        assert steps.features is None or {5, 77} <= set(steps.features.tolist())
    assert np.all(candidate.w[::2] >= 0.0)
    score = problem.score(candidate)
    assert score.objective - score.bound <= 1e-6 * abs(score.objective)
