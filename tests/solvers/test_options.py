"""Signs, weights and losses: every combination against CVXPY, and limits that others solve."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import HuberRegressor, Lasso, PoissonRegressor

from solvers import (
    Groups,
    prox_exclusive,
    solve_huber,
    solve_lasso,
    solve_logistic,
    solve_poisson,
    solve_svm,
)
from solvers.geometry import Geometry
from solvers.problems import PoissonProblem
from tests import naive
from tests.oracles import ALL_KINDS, MAY_BE_SLOW, random_instance

N_FEATURES, N_GROUPS, N_SAMPLES = 18, 4, 14
REFUSES_ZERO = ("logistic", "poisson")


def combinations():
    for kind, signs, weights, overlapping, intercept in itertools.product(
        ALL_KINDS,
        ("free", "signs"),
        ("plain", "weights", "zeros"),
        (False, True),
        (False, True),
    ):
        old = kind in ("lasso", "logistic", "svm") and signs == "free" and weights == "plain"
        if not old and not (weights == "zeros" and kind in REFUSES_ZERO):
            yield kind, signs, weights, overlapping, intercept


def posed(kind, signs, weights, overlapping, intercept, seed):
    rng = np.random.default_rng(seed)
    options = {}
    if signs == "signs":
        options["positive"] = True if seed % 3 == 0 else rng.random(N_FEATURES) < 0.5
    if weights != "plain":
        options["feature_weight"] = rng.uniform(0.3, 3.0, N_FEATURES)
        options["group_weight"] = rng.uniform(0.3, 3.0, N_GROUPS)
    if weights == "zeros":
        options["feature_weight"][rng.choice(N_FEATURES, 3, replace=False)] = 0.0
    if kind == "poisson":
        options["offset"] = rng.uniform(-0.5, 0.5, N_SAMPLES)
    return random_instance(
        kind,
        seed,
        overlapping=overlapping,
        fit_intercept=intercept,
        weighted=seed % 2 == 0,
        storage="csr" if seed % 4 == 0 else "C",
        **options,
    )


CASES = [(*case, seed) for seed, case in enumerate(combinations())]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_every_combination_agrees_with_cvxpy(case):
    instance = posed(*case)
    reference = instance.reference
    for key in ("auto", *instance.accepted()):
        slow = key in MAY_BE_SLOW
        result = instance.solve(method=key, tol=1e-6, max_iter=30 if slow else None)
        restated = instance.objective(result.w, result.intercept)
        assert restated == pytest.approx(result.objective, rel=1e-9), key
        assert result.bound <= reference.upper + 1e-8 * abs(reference.upper), key
        assert slow or result.converged, (key, result.status, result.gap)
        if result.converged:
            assert result.objective <= reference.upper * (1 + 2e-6) + 1e-9, key
        assert np.all(result.w[instance.flags] >= 0.0), key


def test_ours_and_the_papers_methods_take_every_option():
    needed = {
        "lasso": {"newton", "active_set", "pcp"},
        "logistic": {"newton", "pcp"},
        "svm": {"newton", "interior", "licp", "licp_block"},
        "poisson": {"newton", "pcp"},
        "huber": {"newton", "pcp"},
    }
    disjoint = {"svm": {"quasi_newton", "dual_u"}}
    for case in CASES:
        instance = posed(*case)
        accepted = set(instance.accepted())
        assert needed[instance.kind] <= accepted
        if not instance.groups.overlapping:
            assert disjoint.get(instance.kind, {"locp"}) <= accepted


@pytest.mark.parametrize("kind", ["lasso", "svm"])
def test_a_method_that_cannot_says_why(kind):
    key = {"lasso": "kong", "svm": "admm"}[kind]
    instance = random_instance(kind, 3, positive=True)
    with pytest.raises(ValueError, match="cannot solve this problem: it takes no sign constraints"):
        instance.solve(method=key)


def test_weights_are_a_change_of_variables():
    """f scales columns: with all fᵢ > 0, w/f solves the problem of X/f."""
    instance = random_instance("lasso", 11)
    f = np.random.default_rng(0).uniform(0.5, 2.0, N_FEATURES)
    weighted = solve_lasso(
        instance.X, instance.y, instance.groups, 0.7, feature_weight=f, tol=1e-11
    )
    plain = solve_lasso(instance.X / f, instance.y, instance.groups, 0.7, tol=1e-11)
    np.testing.assert_allclose(weighted.w, plain.w / f, atol=1e-7)
    assert weighted.objective == pytest.approx(plain.objective, rel=1e-9)


def test_the_adaptive_exclusive_lasso_in_two_lines():
    """A feature that the first fit finds large is penalised less, and the bias shrinks."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((200, 30))
    true = np.zeros(30)
    true[[0, 10, 20]] = 3.0, -2.0, 1.0
    y = X @ true + 0.3 * rng.standard_normal(200)
    groups = Groups.contiguous(30, 3)

    first = solve_lasso(X, y, groups, lam=40.0).w
    adaptive = solve_lasso(X, y, groups, 40.0, feature_weight=1 / (np.abs(first) + 1e-3)).w

    assert np.flatnonzero(adaptive).tolist() == [0, 10, 20]
    assert np.linalg.norm(adaptive - true) < 0.5 * np.linalg.norm(first - true)


# -- the weighted prox ----------------------------------------------------------------------------

NUMBERS = st.floats(-50, 50).map(lambda x: round(x, 3))
WEIGHTS = st.one_of(st.just(0.0), st.floats(0.01, 20.0).map(lambda x: round(x, 3)))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(NUMBERS, WEIGHTS, st.booleans()), min_size=5, max_size=5),
    st.floats(0.0, 200.0),
)
def test_weighted_prox_equals_its_naive_twin(entries, zeta):
    c, f, positive = (np.array(column) for column in zip(*entries, strict=True))
    f[0] = max(f[0], 0.5)
    groups = Groups.from_labels([0, 0, 0, 1, 1])
    w = prox_exclusive(c, groups, zeta, positive=positive.astype(bool), feature_weight=f)
    expected = naive.prox_weighted(c, groups.lists(), zeta, f, positive)
    np.testing.assert_allclose(w, expected, rtol=1e-11, atol=1e-13 * max(1.0, np.abs(c).max()))


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBERS, min_size=7, max_size=7), st.floats(1e-3, 1e3), st.floats(0.1, 10.0))
def test_equal_weights_are_a_strength(c, zeta, weight):
    c, groups = np.array(c), Groups.from_labels([0, 1, 0, 1, 1, 2, 0])
    same = prox_exclusive(c, groups, zeta * weight**2)
    w = prox_exclusive(c, groups, zeta, feature_weight=np.full(7, weight))
    np.testing.assert_allclose(w, same, rtol=1e-10, atol=1e-12 * max(1.0, np.abs(c).max()))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_the_conjugate_bounds_every_point(seed):
    """vᵀw ≤ λ/2‖A|w|‖² + ‖s‖²/(2λ) for all w of the signs asked, s the cover of v."""
    rng = np.random.default_rng(seed)
    groups = Groups.from_lists([[0, 1, 2], [2, 3], [3, 4, 0]], 5)
    geometry = Geometry.of(
        groups,
        positive=rng.random(5) < 0.5,
        feature_weight=rng.uniform(0.1, 3.0, 5),
        group_weight=rng.uniform(0.1, 3.0, 3),
    )
    v, w = rng.standard_normal(5), geometry.clip(rng.standard_normal(5))
    from solvers.penalty import ExclusivePenalty

    penalty = ExclusivePenalty(geometry, 0.7)
    assert v @ w <= penalty.value(w) + penalty.conjugate(penalty.cover(v, w)) + 1e-12


def test_geometry_is_the_weighted_incidence_matrix():
    rng = np.random.default_rng(1)
    groups = Groups.from_lists([[0, 1, 2], [2, 3], [3, 4, 0]], 5)
    f, k = np.array([1.0, 0.0, 2.0, 0.5, 3.0]), np.array([4.0, 1.0, 0.25])
    geometry = Geometry.of(groups, feature_weight=f, group_weight=k)
    A = groups.incidence.toarray() * np.sqrt(k)[:, None] * f
    x, s = rng.standard_normal(5), rng.standard_normal(3)
    np.testing.assert_allclose(geometry.incidence.toarray(), A)
    np.testing.assert_allclose(geometry.sum(x), A @ x)
    np.testing.assert_allclose(geometry.spread(s), A.T @ s)
    np.testing.assert_allclose(geometry.column_sums, A.sum(axis=0))
    np.testing.assert_allclose(geometry.column_squares, (A**2).sum(axis=0))
    np.testing.assert_allclose(geometry.row_squares, (A**2).sum(axis=1))
    assert geometry.norm_squared >= np.linalg.norm(A, 2) ** 2 * (1 - 1e-12)
    assert geometry.unpenalised.tolist() == [1]


# -- limits that scikit-learn solves --------------------------------------------------------------


def test_singletons_with_counts_are_poisson_ridge():
    rng = np.random.default_rng(2)
    X = 0.4 * rng.standard_normal((80, 6))
    y = rng.poisson(np.exp(X @ [1.0, -1.0, 0.5, 0.0, 0.0, 0.3] + 0.5)).astype(float)
    groups = Groups.contiguous(6, 6)
    ridge = PoissonRegressor(alpha=0.05, tol=1e-9, max_iter=5000).fit(X, y)
    result = solve_poisson(X, y, groups, 0.05 * 80, fit_intercept=True, tol=1e-9)
    np.testing.assert_allclose(result.w, ridge.coef_, atol=2e-5)
    assert result.intercept == pytest.approx(ridge.intercept_, abs=2e-5)


def test_singletons_with_outliers_are_huber_ridge():
    """HuberRegressor also fits a scale σ; at that σ its δ is εσ and its ridge weight ασ."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 5))
    y = X @ [1.0, 2.0, 0.0, -1.0, 0.5] + 0.3 * rng.standard_normal(60)
    y[:8] += 15.0
    theirs = HuberRegressor(epsilon=1.5, alpha=0.1, tol=1e-10, max_iter=10_000).fit(X, y)
    result = solve_huber(
        X,
        y,
        Groups.contiguous(5, 5),
        0.1 * theirs.scale_,
        delta=1.5 * theirs.scale_,
        fit_intercept=True,
        tol=1e-10,
    )
    np.testing.assert_allclose(result.w, theirs.coef_, atol=1e-4)


@pytest.mark.parametrize("positive", [False, True])
def test_one_weighted_group_is_a_lasso(positive):
    """At the optimum λ(Σ fᵢ|wᵢ|) is the lasso's weight, and f scales the columns."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((40, 12))
    y = X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + 0.2 * rng.standard_normal(40)
    f = rng.uniform(0.5, 2.0, 12)
    result = solve_lasso(
        X, y, Groups.contiguous(12, 1), 3.0, feature_weight=f, positive=positive, tol=1e-11
    )
    weight = 3.0 * float(f @ np.abs(result.w))
    lasso = Lasso(
        alpha=weight / 40, positive=positive, fit_intercept=False, tol=1e-12, max_iter=100_000
    ).fit(X / f, y)
    np.testing.assert_allclose(result.w, lasso.coef_ / f, atol=1e-6)


def test_poisson_and_offsets():
    """An offset is exposure: doubling it and the counts' means changes no coefficient."""
    rng = np.random.default_rng(6)
    X = 0.5 * rng.standard_normal((60, 10))
    y = rng.poisson(np.exp(X[:, 0] + 1.0)).astype(float)
    groups = Groups.contiguous(10, 2)
    plain = solve_poisson(X, y, groups, 2.0, fit_intercept=True, tol=1e-9)
    shifted = solve_poisson(
        X, y, groups, 2.0, fit_intercept=True, tol=1e-9, offset=np.full(60, 0.7)
    )
    np.testing.assert_allclose(shifted.w, plain.w, atol=1e-6)
    assert shifted.intercept == pytest.approx(plain.intercept - 0.7, abs=1e-6)


@pytest.mark.parametrize("size", [1.0, 1e4])
@pytest.mark.parametrize("share", [1.0, 1e-3, 1e-5])
@pytest.mark.parametrize("shape", [(30, 90), (90, 30), (8, 200)])
def test_poisson_and_huber_are_robust(shape, share, size):
    rng = np.random.default_rng(7)
    X = rng.standard_normal(shape)
    signal = X[:, 0] - X[:, 5]
    counts = rng.poisson(size * np.exp(np.clip(signal, -3.0, 3.0))).astype(float)
    heavy = size * (signal + 10.0 * (rng.random(shape[0]) < 0.2))
    groups = Groups.random(shape[1], 5, random_state=0)
    for fit_intercept in (False, True):
        common = dict(fit_intercept=fit_intercept, tol=1e-6)
        lam = share * shape[0] * (counts.mean() + 1.0)
        assert solve_poisson(X, counts, groups, lam, **common).converged
        assert solve_huber(X, heavy, groups, share * shape[0], **common).converged


# -- bad input ------------------------------------------------------------------------------------

X4 = np.arange(24.0).reshape(6, 4) % 5
Y4 = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
G4 = [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"positive": "yes"}, "positive must be True, False or one of them per feature"),
        ({"positive": [True, False]}, r"one flag per feature \(4\), got shape \(2,\)"),
        ({"feature_weight": [1, 1, 1]}, r"feature_weight must hold one number per feature \(4\)"),
        ({"feature_weight": [1, -1, 1, 1]}, r"feature_weight\[1\] is -1.0; every entry must be 0"),
        ({"feature_weight": [0, 0, 0, 0]}, "all feature weights are 0"),
        ({"feature_weight": [1, np.nan, 1, 1]}, r"feature_weight\[1\] is nan"),
        ({"group_weight": [1, 0]}, r"group_weight\[1\] is 0.0; every entry must be between"),
        ({"group_weight": [1, 1, 1]}, r"group_weight must hold one number per group \(2\)"),
    ],
)
@pytest.mark.parametrize("solve", [solve_lasso, solve_logistic, solve_svm])
def test_bad_options_get_one_sentence(solve, options, sentence):
    strengths = (1.0, 1.0) if solve is solve_svm else (1.0,)
    with pytest.raises(ValueError, match=sentence):
        solve(X4, Y4, G4, *strengths, **options)


def test_losses_without_a_minimiser_are_refused():
    zero = {"feature_weight": [0, 1, 1, 1]}
    with pytest.raises(ValueError, match=r"feature_weight\[0\] is 0.*small positive weight"):
        solve_logistic(X4, Y4, G4, 1.0, **zero)
    with pytest.raises(ValueError, match=r"feature_weight\[0\] is 0.*small positive weight"):
        solve_poisson(X4, np.abs(Y4), G4, 1.0, **zero)
    with pytest.raises(ValueError, match="all counts are 0"):
        solve_poisson(X4, np.zeros(6), G4, 1.0, fit_intercept=True)


def test_bad_counts_offsets_and_deltas():
    with pytest.raises(ValueError, match=r"y\[1\] is -1; counts must be at least 0"):
        solve_poisson(X4, Y4, G4, 1.0)
    with pytest.raises(ValueError, match=r"offset must hold one number per sample \(6\)"):
        solve_poisson(X4, np.abs(Y4), G4, 1.0, offset=[0.0])
    with pytest.raises(ValueError, match=r"offset\[0\] is inf"):
        PoissonProblem(X4, np.abs(Y4), G4, 1.0, offset=[np.inf, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="delta must be a positive finite number"):
        solve_huber(X4, Y4, G4, 1.0, delta=-1.0)
