"""Paths in λ: certified, and those of CVXPY."""

import cvxpy as cp
import numpy as np
import pytest

from lab.norms import paths as norm_paths
from lab.norms.spec import make_data
from tests.lab.norms.small import OVERLAPPING, SMALL, solved


def penalty_of(norm, w, lists, copies):
    """The penalty of each norm, written out group by group for CVXPY."""
    if norm == "l2":
        return 0.5 * cp.sum_squares(w)
    if norm == "l1":
        return cp.norm1(w)
    if norm == "le":
        return 0.5 * sum(cp.square(cp.norm1(w[members])) for members in lists)
    return sum(cp.norm2(copy) for copy in copies)


def objective_by_cvxpy(norm, data, lam):
    lists = data.groups.lists()
    w = cp.Variable(data.X.shape[1])
    copies = [cp.Variable(len(members)) for members in lists]
    rules = []
    if norm == "l21":
        total = sum(
            np.eye(data.X.shape[1])[:, members] @ copy
            for members, copy in zip(lists, copies, strict=True)
        )
        rules = [w == total]
    loss = 0.5 * cp.sum_squares(data.X @ w - data.y)
    problem = cp.Problem(cp.Minimize(loss + lam * penalty_of(norm, w, lists, copies)), rules)
    return problem.solve(solver=cp.CLARABEL), w.value


@pytest.mark.parametrize("norm", norm_paths.FITTED_AS)
@pytest.mark.parametrize("spec", [SMALL, OVERLAPPING], ids=["disjoint", "overlapping"])
def test_paths_are_certified_and_agree_with_cvxpy(spec, norm):
    path, data = solved(spec).by_norm[norm], make_data(spec)
    assert path.gaps.max() <= norm_paths.TOLERANCE
    at = path.index(0.13)
    optimum, w = objective_by_cvxpy(norm, data, path.lams[at])
    fitted = path.coefs[at]
    # The loss is 1-strongly convex in Xw, so a relative gap of 1e-6 leaves √(2e-6 P) of it.
    reach = np.sqrt(2 * norm_paths.TOLERANCE * optimum) + 1e-4
    assert np.linalg.norm(data.X @ (fitted - w)) <= reach
    if norm != "l21" or not data.groups.overlapping:
        value = penalty_of(
            norm,
            cp.Constant(fitted),
            data.groups.lists(),
            [cp.Constant(fitted[members]) for members in data.groups.lists()],
        ).value
        loss = 0.5 * np.sum((data.X @ fitted - data.y) ** 2)
        assert loss + path.lams[at] * value == pytest.approx(optimum, rel=2e-6)


def test_one_is_where_l1_and_group_lasso_vanish_and_where_ridge_halves():
    paths = solved(SMALL)
    for norm in ("l1", "l21"):
        path = paths.by_norm[norm]
        assert not path.coefs[path.shares >= 1.0].any()
        assert path.coefs[path.shares < 0.99].any(axis=1).all()
    data = make_data(SMALL)
    assert norm_paths.own_scale("l2", data.X, data.y, data.groups) == pytest.approx(
        np.linalg.norm(data.X, 2) ** 2, rel=1e-6
    )
    assert (paths.by_norm["le"].nonzeros >= SMALL.n_groups).all()


def test_numbers_of_a_path_are_those_of_their_definitions():
    paths, data = solved(SMALL), make_data(SMALL)
    true = set(np.flatnonzero(data.true_weights))
    for path in paths.by_norm.values():
        for at in (0, 20, path.shares.size - 1):
            w = path.coefs[at]
            found = set(np.flatnonzero(w))
            precision = len(found & true) / max(len(found), 1)
            recall = len(found & true) / len(true)
            expected = 2 * precision * recall / ((precision + recall) or 1)
            assert path.f1[at] == pytest.approx(expected)
            assert path.nonzeros[at] == len(found)
            missed = data.X_test @ w - data.y_test
            assert path.errors[at] == pytest.approx(
                np.mean(missed**2) / np.mean(data.y_test**2), rel=1e-9
            )


def test_every_stop_of_the_slider_is_on_every_path():
    for norm in norm_paths.FITTED_AS:
        grid = norm_paths.shares_grid(norm)
        assert (np.diff(grid) > 0).all()
        assert {float(text) for text in norm_paths.SHARES} <= set(grid)
