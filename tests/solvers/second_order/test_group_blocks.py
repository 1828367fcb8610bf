"""The group block of a Newton system: diagonal, band or dense, always the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups, geometry
from solvers.problems import HuberProblem, LassoProblem, LogisticProblem, SVMProblem
from solvers.scales import lambda_0, svm_scales
from solvers.second_order import group_blocks
from solvers.second_order.group_blocks import GroupBlocks, dense_groups
from solvers.second_order.newton import affordable
from solvers.tracking import solve


def chain(n_features, width=6, step=4):
    starts = range(0, n_features - width + step, step)
    lists = [range(i, min(i + width, n_features)) for i in starts]
    return Groups.from_lists(lists, n_features)


KINDS = {
    "disjoint": Groups.contiguous(300, 60),
    "chain": chain(300),
    "dense": Groups.from_lists([sorted({0, *range(i, 300, 50)}) for i in range(50)], 300),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_solves_the_same_block(kind):
    groups = KINDS[kind]
    rng = np.random.default_rng(0)
    A = groups.incidence.astype(float)
    blocks = GroupBlocks(A, A.T.tocsr(), groups.overlapping)
    weights, right = (
        np.exp(3.0 * rng.standard_normal(300)),
        rng.standard_normal((len(A.indptr) - 1, 3)),
    )
    matrix = (A * weights) @ A.T.toarray() + 0.5 * np.eye(right.shape[0])
    factor = blocks.factor(weights, 0.5, 1e-14)
    np.testing.assert_allclose(matrix @ factor.solve(right), right, atol=1e-9)
    np.testing.assert_allclose(matrix @ factor.solve(right[:, 0]), right[:, 0], atol=1e-9)
    half = factor.half_solve(right)
    np.testing.assert_allclose(half.T @ half, right.T @ np.linalg.solve(matrix, right), rtol=1e-9)
    assert blocks.dense == (kind == "dense")


def test_groups_that_overlap_few_others_add_nothing_to_a_dense_system():
    """5,000 groups in a chain: one factor of the size of the samples."""
    groups = chain(20_000)
    assert groups.n_groups == 5_000
    X = np.random.default_rng(0).standard_normal((5, 20_000))
    problem = LassoProblem(X, X[:, 0], groups, 1.0)
    assert dense_groups(problem.geometry) == 0 and affordable(problem) is None
    crowd = geometry.Geometry.of(KINDS["dense"])
    assert dense_groups(crowd) == crowd.n_groups


def test_where_all_groups_hold_many_features_their_overlaps_are_not_even_counted(monkeypatch):
    monkeypatch.setattr(geometry, "LARGEST_OVERLAP", 10.0)
    assert geometry.band_of_groups(chain(300).incidence) is None


def problems(n_samples, fit_intercept, share):
    rng = np.random.default_rng(1)
    X, groups = rng.standard_normal((n_samples, 300)), chain(300)
    y = X[:, :8].sum(axis=1) + rng.standard_normal(n_samples)
    labels = np.where(y > 0.0, 1.0, -1.0)
    options = {
        "fit_intercept": fit_intercept,
        "feature_weight": np.geomspace(0.5, 2.0, 300),
        "positive": np.arange(300) % 7 == 0,
    }
    lam = share * lambda_0(X, y, groups)
    alpha, beta = svm_scales(X, labels, groups)
    yield LassoProblem(X, y, groups, lam, **options), LASSO_METHODS["newton"]
    yield HuberProblem(X, y, groups, lam, **options), LOGISTIC_METHODS["newton"]
    yield LogisticProblem(X, labels, groups, lam / 4.0, **options), LOGISTIC_METHODS["newton"]
    yield (
        SVMProblem(X, labels, groups, share * alpha, share * beta, **options),
        SVM_METHODS["interior"],
    )


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("n_samples", [40, 400], ids=["wide", "tall"])
@pytest.mark.parametrize("share", [1.0, 1e-2, 1e-4])
def test_a_band_and_a_dense_block_have_one_solution(monkeypatch, n_samples, fit_intercept, share):
    by_band = [solve(*each, tol=1e-7) for each in problems(n_samples, fit_intercept, share)]
    monkeypatch.setattr(group_blocks, "band_of_groups", lambda incidence: None)
    for one, each in zip(by_band, problems(n_samples, fit_intercept, share), strict=True):
        other = solve(*each, tol=1e-7)
        assert one.converged and other.converged
        assert one.objective == pytest.approx(other.objective, rel=2e-7)


@pytest.mark.parametrize("factors", [0, 3])
def test_a_band_whose_factor_gives_out_ends_the_interior_point(monkeypatch, factors):
    made, original = [], linalg.cholesky_banded

    def gives_out(*arguments, **options):
        made.append(arguments)
        if len(made) > factors:
            raise np.linalg.LinAlgError("not positive definite")
        return original(*arguments, **options)

    monkeypatch.setattr(linalg, "cholesky_banded", gives_out)
    for problem, method in problems(40, False, 1e-2):
        made.clear()
        result = solve(problem, method)
        assert result.status in ("stalled", "converged") and np.isfinite(result.w).all()
        assert len(made) > factors
