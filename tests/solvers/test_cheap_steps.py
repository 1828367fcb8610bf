"""First-order steps beside dearer methods: certified, bounded in work, given up in time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from solvers import LASSO_METHODS, SVM_METHODS, Groups
from solvers.cheap_steps import BlockSteps, CheapSteps
from solvers.first_order.near_features import NearSteps
from solvers.problems import LassoProblem, SVMProblem, relative_gap
from solvers.registry import choose
from solvers.scales import lambda_0, svm_scales
from solvers.second_order import svm_path
from solvers.tracking import solve


def chained(n_samples=60, n_features=800):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features))
    y = np.where(X[:, :9].sum(axis=1) + rng.standard_normal(n_samples) > 0.0, 1.0, -1.0)
    starts = range(0, n_features - 5, 20)
    groups = Groups.from_lists([range(i, min(i + 25, n_features)) for i in starts], n_features)
    return X, y, groups


def lasso(share, groups=None):
    rng = np.random.default_rng(0)
    X = sparse.random_array((300, 3000), density=0.02, rng=rng, format="csr")
    y = np.asarray(X[:, :9].sum(axis=1)).ravel() + 0.1 * rng.standard_normal(300)
    groups = Groups.random(3000, 60, random_state=0) if groups is None else groups
    return LassoProblem(X, y, groups, share * lambda_0(X, y, groups))


def never():
    return 0.0


def test_they_do_as_much_work_as_they_are_given_and_no_more():
    steps = CheapSteps(lasso(1e-3), NearSteps)
    assert list(steps.until(0.0, never)) == [] and steps.work > 0.0
    for budget in (5e8, 1e9):
        for _ in steps.until(budget, never):
            pass
        assert budget <= steps.work <= budget + steps.work_of_a_look * 6.0


def test_they_go_on_while_their_end_is_nearer_than_the_alternative():
    problem = lasso(1.0)
    steps = CheapSteps(problem, NearSteps)
    scores = [problem.score(build()) for build in steps.until(1e8, lambda: 1e12)]
    best, bound = min(s.objective for s in scores), max(s.bound for s in scores)
    assert relative_gap(best, bound) <= 1e-6
    # Further digits are left to others.
    assert steps.arrived and steps.work_of_a_look == np.inf


def test_further_digits_than_theirs_are_still_to_be_had():
    problem = lasso(1e-2)
    result = solve(problem, choose(LASSO_METHODS, "auto", problem), tol=1e-11)
    assert result.converged


def test_overlapping_groups_have_no_near_features():
    steps = CheapSteps(
        lasso(1.0, Groups.from_lists([range(1600), range(1500, 3000)], 3000)), NearSteps
    )
    assert steps.work_of_a_look == np.inf and not steps.are_cheap_beside(3.0, 1e9)


@pytest.mark.parametrize(("share", "first_order"), [(10.0, True), (1e-2, False)])
def test_strong_penalties_on_overlapping_groups_take_block_steps(monkeypatch, share, first_order):
    X, y, groups = chained(200, 1000)
    alpha, beta = svm_scales(X, y, groups)
    problem = SVMProblem(X, y, groups, 0.1 * share * alpha, share * beta)
    reference = solve(problem, SVM_METHODS["interior"], tol=1e-8)
    interior, runs = svm_path.svm_interior_point, []

    def counted(*arguments, **options):
        runs.append(arguments)
        return interior(*arguments, **options)

    monkeypatch.setattr(svm_path, "svm_interior_point", counted)
    result = solve(problem, choose(SVM_METHODS, "auto", problem))
    assert result.converged and (not runs) == first_order
    assert result.objective == pytest.approx(reference.objective, rel=2e-6)


def test_where_the_interior_point_costs_next_to_nothing_it_runs_at_once(monkeypatch):
    X, y, groups = chained(20, 100)
    alpha, beta = svm_scales(X, y, groups)
    monkeypatch.setattr(BlockSteps, "go", None)
    problem = SVMProblem(X, y, groups, alpha, 10.0 * beta)
    assert solve(problem, choose(SVM_METHODS, "auto", problem)).converged
