"""Paths: every point certified, in the order given, equal to single solves and to CVXPY."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import (
    Groups,
    lasso_path,
    poisson_path,
    solve_lasso,
    solve_poisson,
    solve_svm,
    svm_grid,
    svm_path,
)
from solvers.second_order import svm_interior
from tests.families import designs, reference_strength, response, split
from tests.oracles import random_instance, variant

either_groups = pytest.mark.parametrize(
    "overlapping", [False, True], ids=["disjoint", "overlapping"]
)
either_intercept = pytest.mark.parametrize(
    "fit_intercept", [False, True], ids=["plain", "intercept"]
)


def regression(overlapping, name="plain"):
    X, n_groups = designs()[name]
    return X, response(X), split(X.shape[1], n_groups, overlapping, np.random.default_rng(7))


@either_groups
@either_intercept
def test_every_point_of_a_lasso_path_is_certified(overlapping, fit_intercept):
    X, y, groups = regression(overlapping)
    lams = reference_strength(X, y, groups) * np.geomspace(10.0, 1e-4, 25)
    path = lasso_path(X, y, groups, lams, tol=1e-8, fit_intercept=fit_intercept)
    assert path.converged.all() and path.gaps.max() <= 1e-8
    for position in (0, 11, 24):
        alone = solve_lasso(X, y, groups, lams[position], tol=1e-9, fit_intercept=fit_intercept)
        assert path.objectives[position] == pytest.approx(alone.objective, rel=2e-8)
        predicted = X @ path.coefs[position] + path.intercepts[position]
        np.testing.assert_allclose(
            predicted, X @ alone.w + alone.intercept, atol=2e-3 * np.abs(y).max()
        )


@pytest.mark.parametrize("name", ["duplicated columns", "tall", "wide", "sparse", "rank one"])
def test_lasso_paths_on_difficult_data(name):
    X, y, groups = regression(True, name)
    lams = reference_strength(X, y, groups) * np.geomspace(10.0, 1e-3, 12)
    path = lasso_path(X, y, groups, lams, tol=1e-6)
    assert path.converged.all(), path.gaps


def test_points_come_back_in_the_order_given():
    X, y, groups = regression(False)
    lams = reference_strength(X, y, groups) * np.array([0.1, 10.0, 1.0, 0.1])
    path = lasso_path(X, y, groups, lams)
    np.testing.assert_array_equal(path.lams, lams)
    sizes = np.array([np.sum(groups.sum(np.abs(w)) ** 2) for w in path.coefs])
    assert sizes[1] < sizes[2] < sizes[0]
    np.testing.assert_allclose(path.objectives[0], path.objectives[3], rtol=1e-6)


def test_the_ends_of_a_lasso_path():
    """As λ grows one feature a group is left; as λ vanishes the fit interpolates."""
    X, y, groups = regression(False)
    strength = reference_strength(X, y, groups)
    path = lasso_path(X, y, groups, strength * np.array([1e5, 1e-7]), tol=1e-8)
    chosen = np.flatnonzero(path.coefs[0])
    assert chosen.size == groups.n_groups
    correlations = np.abs(X.T @ y)
    for members in groups.lists():
        assert members[int(np.argmax(correlations[members]))] in chosen
    assert np.linalg.norm(X @ path.coefs[1] - y) < 1e-3 * np.linalg.norm(y)


@either_groups
@either_intercept
def test_every_point_of_an_svm_path_is_certified(overlapping, fit_intercept):
    instance = random_instance(
        "svm", 3, overlapping=overlapping, fit_intercept=fit_intercept, n_samples=40, n_features=60
    )
    betas = np.geomspace(1e-3, 1e3, 20)
    path = svm_path(
        instance.X, instance.y, instance.groups, 1.0, betas, fit_intercept=fit_intercept
    )
    assert path.converged.all() and path.gaps.max() <= 1e-6
    np.testing.assert_array_equal(path.betas, betas)
    for position in (0, 9, 19):
        here = variant(instance, strengths=(1.0, float(betas[position])))
        assert path.objectives[position] == pytest.approx(here.reference.upper, rel=3e-6)
        w, b = path.coefs[position], path.intercepts[position]
        assert here.objective(w, b) == pytest.approx(path.objectives[position], rel=1e-9)


def test_an_svm_path_agrees_with_single_solves_in_any_order():
    instance = random_instance("svm", 8, n_samples=30, n_features=50)
    betas = np.array([5.0, 0.1, 1.0])
    path = svm_path(instance.X, instance.y, instance.groups, 2.0, betas, tol=1e-9)
    for beta, w in zip(betas, path.coefs, strict=True):
        alone = solve_svm(instance.X, instance.y, instance.groups, 2.0, beta, tol=1e-11)
        np.testing.assert_allclose(w, alone.w, atol=2e-4 * np.abs(alone.w).max())


@pytest.mark.parametrize("bad", [[], [1.0, -1.0], [1.0, np.nan], [[1.0]], "abc"])
def test_bad_strengths_are_named(bad):
    X, y, groups = regression(False)
    with pytest.raises(ValueError, match="lams"):
        lasso_path(X, y, groups, bad)


@pytest.mark.parametrize("tol", [-1.0, np.nan, "tight"])
def test_a_bad_tolerance_is_named(tol):
    X, y, groups = regression(False)
    with pytest.raises(ValueError, match="tol"):
        lasso_path(X, y, groups, [1.0], tol=tol)
    with pytest.raises(ValueError, match="tol"):
        svm_path(X, np.sign(y), groups, 1.0, [1.0], tol=tol)


@pytest.mark.parametrize("tol", [1e-4, 1e-6])
def test_points_have_exact_zeros_where_the_interior_point_made_them(tol):
    """Overlapping groups: every β goes to the interior point, whose own iterates are dense."""
    instance = random_instance("svm", 3, overlapping=True, n_samples=40, n_features=60)
    path = svm_path(instance.X, instance.y, instance.groups, 1.0, [1.0, 100.0], tol=tol)
    assert path.converged.all()
    for w in path.coefs:
        assert 0 < np.count_nonzero(w) < w.size


@either_intercept
@either_groups
def test_a_grid_of_both_strengths_is_its_points_in_the_orders_given(overlapping, fit_intercept):
    instance = random_instance("svm", 5, overlapping=overlapping, n_samples=30, n_features=80)
    X, y, groups = instance.X, instance.y, instance.groups
    alphas, betas = [0.1, 10.0, 1.0], [1.0, 0.1, 10.0, 3.0]
    options = {"fit_intercept": fit_intercept, "tol": 1e-8}
    grid = svm_grid(X, y, groups, alphas, betas, **options)
    assert grid.coefs.shape == (3, 4, 80) and grid.converged.all()
    for row, alpha in enumerate(alphas):
        for column, beta in enumerate(betas):
            one = solve_svm(X, y, groups, alpha, beta, **options)
            assert grid.objectives[row, column] == pytest.approx(one.objective, rel=2e-8)
            # α > 0 makes w unique.
            np.testing.assert_allclose(grid.coefs[row, column], one.w, atol=1e-3)
        np.testing.assert_array_equal(grid.row(row).coefs, grid.coefs[row])
        np.testing.assert_array_equal(grid.row(row).betas, betas)


@either_groups
@either_intercept
def test_signs_and_weights_reach_every_point_of_a_path(overlapping, fit_intercept):
    """Against single solves, which `test_options` puts beside CVXPY."""
    rng = np.random.default_rng(9)
    options = dict(
        fit_intercept=fit_intercept,
        positive=rng.random(40) < 0.5,
        feature_weight=rng.uniform(0.3, 3.0, 40),
        group_weight=rng.uniform(0.3, 3.0, 4),
        sample_weight=rng.uniform(0.3, 3.0, 25),
        tol=1e-8,
    )
    instance = random_instance("svm", 9, overlapping=overlapping, n_samples=25, n_features=40)
    data = instance.X, instance.y, instance.groups
    strengths = [3.0, 0.1, 1.0]
    path = svm_path(*data, 1.0, strengths, **options)
    grid = svm_grid(*data, [0.1, 1.0], strengths, **options)
    counts = random_instance("poisson", 9, overlapping=overlapping, n_samples=25, n_features=40)
    offset = rng.uniform(-0.5, 0.5, 25)
    rates = counts.X, counts.y, counts.groups
    by_counts = poisson_path(*rates, strengths, offset=offset, **options)
    for k, strength in enumerate(strengths):
        one = solve_svm(*data, 1.0, strength, **options)
        assert path.objectives[k] == pytest.approx(one.objective, rel=2e-8)
        assert grid.objectives[1, k] == pytest.approx(one.objective, rel=2e-8)
        other = solve_poisson(*rates, strength, offset=offset, **options)
        assert by_counts.objectives[k] == pytest.approx(other.objective, rel=2e-8)
        for w in (path.coefs[k], grid.coefs[1, k], by_counts.coefs[k]):
            assert np.all(w[options["positive"]] >= 0.0) and w.any()
    assert path.converged.all() and grid.converged.all() and by_counts.converged.all()


def test_an_overlapping_svm_path_goes_on_from_the_last_point(monkeypatch):
    """As many Newton systems as from nothing where β are far apart, fewer where they are near."""
    made = []
    init = svm_interior._NewtonSystem.__init__

    def counted(self, model, state):
        made.append(self)
        init(self, model, state)

    monkeypatch.setattr(svm_interior._NewtonSystem, "__init__", counted)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 80))
    y = np.where(X[:, 0] + X[:, 30] + 0.5 * rng.standard_normal(60) > 0.0, 1.0, -1.0)
    groups = Groups.from_lists([range(i, min(i + 15, 80)) for i in range(0, 80, 10)], 80)
    for betas, share in ((np.geomspace(200.0, 0.2, 6), 1.0), (np.geomspace(20.0, 2.0, 15), 0.85)):
        made.clear()
        path = svm_path(X, y, groups, 3.0, betas)
        warm = len(made)
        cold = [solve_svm(X, y, groups, 3.0, float(beta)) for beta in betas]
        assert path.converged.all() and warm <= share * (len(made) - warm)
        for value, one in zip(path.objectives, cold, strict=True):
            assert value == pytest.approx(one.objective, rel=2e-6)


def test_bad_strengths_of_a_grid_are_named():
    X, y, groups = regression(False)
    labels = np.where(y > 0, 1.0, -1.0)
    with pytest.raises(ValueError, match="alphas"):
        svm_grid(X, labels, groups, [0.0], [1.0])
    with pytest.raises(ValueError, match="betas"):
        svm_grid(X, labels, groups, [1.0], [])
    with pytest.raises(ValueError, match="ratio overflows"):
        svm_grid(X, labels, groups, [1.0, 1e-200], [1e200])
