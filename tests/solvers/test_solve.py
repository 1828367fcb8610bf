"""Every method against solutions we did not write: CVXPY, scikit-learn, closed forms."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import cvxpy as cp
import numpy as np
import pytest
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.svm import SVC

from solvers import Groups, prox_exclusive, solve_lasso, solve_logistic, solve_svm
from solvers.registry import choose
from solvers.tracking import solve
from tests.oracles import (
    KINDS,
    MAY_BE_SLOW,
    METHODS,
    OwnHuberLoss,
    every_combination,
    patience,
    random_instance,
    solve_general_with_cvxpy,
    stored,
    variant,
    with_loss,
)

# Accuracy of the reference itself.
REFERENCE = 1e-8


def check_against(result, instance, *, accuracy=1e-6, must_converge=True):
    """The result brackets the optimum; where it says converged, it is as close as it says."""
    reference = instance.reference
    size = abs(reference.upper)
    assert abs(reference.upper - reference.value) <= REFERENCE * size
    assert result.objective >= reference.value - REFERENCE * size
    # The reference's objective is attained at a point, so no valid bound is above it.
    assert result.bound <= reference.upper * (1 + 1e-12) + 1e-14
    stated = result.objective - result.bound
    assert result.gap == pytest.approx(stated / max(abs(result.objective), abs(result.bound)))
    # What is returned has the objective that is stated, evaluated independently.
    restated = instance.objective(result.w, result.intercept)
    assert restated == pytest.approx(result.objective, rel=1e-10)
    if not instance.fit_intercept:
        assert result.intercept == 0.0
    if must_converge:
        assert result.converged, result.message
    if result.converged:
        assert result.objective - reference.upper <= accuracy * size
    else:
        assert result.gap > 0.0
        assert result.n_iter > 0
        assert result.objective <= result.history.objective[0]


INSTANCES = every_combination()


def accepted_pairs():
    for instance in INSTANCES:
        for key in instance.accepted():
            yield pytest.param(instance, key, id=f"{instance.name}-{key}")


@pytest.mark.parametrize(("instance", "key"), list(accepted_pairs()))
def test_every_method_agrees_with_cvxpy(instance, key):
    result = instance.solve(method=key, tol=5e-7, **patience(key))
    assert result.method == key
    check_against(result, instance, must_converge=key not in MAY_BE_SLOW)


def test_the_random_problems_are_dozens_and_cover_every_pair_of_choices():
    made = {tuple(instance.name.split("-")[:-1]) for instance in INSTANCES}
    assert len(made) == len(INSTANCES) == 48
    for one, other in combinations(zip(*made, strict=True), 2):
        pairs = set(zip(one, other, strict=True))
        assert len(pairs) == len(set(one)) * len(set(other))
    for methods in METHODS.values():
        assert methods


@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("kind", KINDS)
def test_auto_chooses_a_method_that_solves_it(kind, overlapping):
    instance = random_instance(kind, 7, overlapping=overlapping, fit_intercept=True)
    result = instance.solve(tol=5e-7)
    assert result.method == "auto"
    check_against(result, instance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storage", ["C", "Fortran", "float32", "csr", "csc"])
def test_storage_does_not_change_the_solution(kind, storage):
    instance = random_instance(kind, 3, storage="csr", fit_intercept=True)
    # Halves are exact in float32, so all storages hold the same numbers.
    plain = np.round(2 * instance.dense) / 2
    expected = variant(instance, X=plain).accurate()
    found = variant(instance, X=stored(plain, storage)).accurate()
    assert found.objective == pytest.approx(expected.objective, rel=2e-9)
    np.testing.assert_allclose(plain @ found.w, plain @ expected.w, atol=1e-3)


@pytest.mark.parametrize("option", [{"restart": True}, {"backtracking": True}])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kind", KINDS)
def test_restart_and_backtracking_reach_the_same_optimum(kind, fit_intercept, overlapping, option):
    instance = random_instance(
        kind, 11, overlapping=overlapping, fit_intercept=fit_intercept, weighted=True
    )
    for key in instance.accepted():
        if next(iter(option)) not in instance.methods[key].options:
            continue
        check_against(instance.solve(method=key, tol=5e-7, **option), instance)


def test_the_papers_methods_have_restart_and_backtracking():
    for methods, keys in (
        (METHODS["lasso"], ("pcp", "locp")),
        (METHODS["logistic"], ("pcp", "locp")),
        (METHODS["svm"], ("licp", "licp_block")),
    ):
        for key in keys:
            assert {"restart", "backtracking"} <= set(methods[key].options)


# -- the exponent q of the paper's remark ---------------------------------------------------------


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kind", ["lasso", "logistic"])
def test_pcp_with_any_exponent_agrees_with_cvxpy(kind, fit_intercept, overlapping, exponent):
    instance = random_instance(
        kind,
        23,
        overlapping=overlapping,
        fit_intercept=fit_intercept,
        weighted=True,
        exponent=exponent,
        strengths=(1.5,),
    )
    for options in ({}, {"restart": True}):
        result = instance.solve(method="pcp", tol=5e-7, **options)
        check_against(result, instance)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
def test_auto_finds_a_method_for_every_exponent(exponent):
    instance = random_instance("lasso", 2, exponent=exponent, strengths=(2.0,))
    check_against(instance.solve(tol=5e-7), instance)


def test_exponent_one_is_the_lasso():
    instance = random_instance("lasso", 5, exponent=1.0, strengths=(3.0,))
    found = instance.solve(tol=1e-9)
    alpha = 0.5 * 3.0 / len(instance.y)
    lasso = Lasso(alpha=alpha, fit_intercept=False, tol=1e-12, max_iter=100_000)
    lasso.fit(instance.dense, instance.y)
    np.testing.assert_allclose(found.w, lasso.coef_, atol=1e-4)
    assert found.objective == pytest.approx(instance.objective(lasso.coef_), rel=2e-9)


# -- a loss of one's own: the paper's "general smooth loss" ---------------------------------------


@pytest.mark.parametrize("exponent", [2.0, 3.0])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_a_custom_smooth_loss(fit_intercept, weighted, overlapping, exponent):
    instance = random_instance(
        "lasso",
        31,
        overlapping=overlapping,
        fit_intercept=fit_intercept,
        weighted=weighted,
        exponent=exponent,
        strengths=(0.8,),
    )

    def loss(predictions):
        return 0.5 * cp.sum(
            cp.multiply(instance.weight, cp.huber(predictions - instance.y, OwnHuberLoss.delta))
        )

    w, b, optimum = solve_general_with_cvxpy(instance, loss)
    problem = with_loss(instance, OwnHuberLoss)
    huber = OwnHuberLoss(instance.y, instance.weight)
    residuals = np.abs(instance.dense @ w + b - instance.y)
    assert (residuals > OwnHuberLoss.delta).any() and (residuals < OwnHuberLoss.delta).any()
    attained = huber.value(instance.dense @ w + b) + instance.penalty(w)
    tried = 0
    for key in ("pcp", "locp"):
        if METHODS["lasso"][key].accepts(problem) is not None:
            continue
        tried += 1
        result = solve(problem, choose(METHODS["lasso"], key, problem), tol=5e-7)
        assert result.converged
        restated = huber.value(instance.dense @ result.w + result.intercept)
        restated += instance.penalty(result.w)
        assert restated == pytest.approx(result.objective, rel=1e-10)
        assert abs(result.objective - optimum) <= 1e-6 * abs(optimum)
        assert result.bound <= attained * (1 + 1e-12)
    assert tried == (1 if overlapping or exponent != 2.0 else 2)


# -- free oracles ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("key", METHODS["lasso"])
def test_groups_of_size_one_are_ridge(key, fit_intercept):
    instance = random_instance("lasso", 1, fit_intercept=fit_intercept, weighted=True)
    n_features = instance.dense.shape[1]
    instance = variant(instance, groups=Groups.from_labels(np.arange(n_features)))
    result = instance.solve(method=key, tol=1e-9, **patience(key))
    ridge = Ridge(alpha=instance.strengths[0], fit_intercept=fit_intercept, solver="cholesky")
    ridge.fit(instance.dense, instance.y, sample_weight=instance.weight)
    optimum = instance.objective(ridge.coef_, ridge.intercept_)
    assert optimum * (1 - 1e-12) <= result.objective
    assert result.bound <= optimum * (1 + 1e-12)
    if key not in MAY_BE_SLOW:
        assert result.converged
        assert result.objective <= optimum * (1 + 2e-9)
        np.testing.assert_allclose(result.w, ridge.coef_, atol=1e-3)
        assert result.intercept == pytest.approx(ridge.intercept_, abs=1e-3)


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_logistic_groups_of_size_one_are_ridge_logistic(fit_intercept):
    instance = random_instance("logistic", 1, fit_intercept=fit_intercept, weighted=True)
    n_features = instance.dense.shape[1]
    instance = variant(instance, groups=Groups.from_labels(np.arange(n_features)))
    result = instance.solve(tol=1e-9)
    model = LogisticRegression(
        C=1 / instance.strengths[0], fit_intercept=fit_intercept, tol=1e-12, max_iter=10_000
    )
    model.fit(instance.dense, instance.y, sample_weight=instance.weight)
    intercept = float(model.intercept_[0]) if fit_intercept else 0.0
    optimum = instance.objective(model.coef_[0], intercept)
    assert result.objective == pytest.approx(optimum, rel=1e-8)
    np.testing.assert_allclose(result.w, model.coef_[0], atol=1e-3)


def test_svm_groups_of_size_one_are_a_plain_svm():
    instance = random_instance("svm", 1, fit_intercept=True, strengths=(0.6, 0.4))
    n_features = instance.dense.shape[1]
    instance = variant(instance, groups=Groups.from_labels(np.arange(n_features)))
    result = instance.accurate(1e-8)
    model = SVC(kernel="linear", C=1.0, tol=1e-10).fit(instance.dense, instance.y)
    optimum = instance.objective(model.coef_[0], float(model.intercept_[0]))
    # LIBSVM stops at its own tolerance: ours may be lower, and its point is above our bound.
    assert result.objective <= optimum * (1 + 1e-8)
    assert result.objective == pytest.approx(optimum, rel=1e-6)
    assert result.bound <= optimum
    np.testing.assert_allclose(result.w, model.coef_[0], atol=1e-3)


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_one_group_is_a_lasso_at_weight_lam_times_its_norm(fit_intercept):
    instance = random_instance("lasso", 4, fit_intercept=fit_intercept, strengths=(0.7,))
    n_samples, n_features = instance.dense.shape
    instance = variant(instance, groups=Groups.contiguous(n_features, 1))
    result = instance.accurate(1e-11)
    level = instance.strengths[0] * np.abs(result.w).sum()
    lasso = Lasso(alpha=level / n_samples, fit_intercept=fit_intercept, tol=1e-14, max_iter=10**6)
    lasso.fit(instance.dense, instance.y)
    np.testing.assert_allclose(result.w, lasso.coef_, atol=1e-4)
    # The lasso's optimality conditions, written out.
    correlations = instance.dense.T @ (instance.y - instance.dense @ result.w - result.intercept)
    assert np.all(np.abs(correlations) <= level * (1 + 1e-4))
    support = np.abs(result.w) > 1e-3
    assert support.any() and not support.all()
    signs = np.sign(result.w[support])
    np.testing.assert_allclose(correlations[support], level * signs, rtol=1e-4)


@pytest.mark.parametrize("key", METHODS["lasso"])
def test_orthonormal_data_are_one_prox(key):
    rng = np.random.default_rng(9)
    X = np.linalg.qr(rng.standard_normal((30, 12)))[0]
    y = rng.standard_normal(30)
    groups = Groups.random(12, 4, random_state=1)
    result = solve_lasso(X, y, groups, 0.8, method=key, tol=1e-10, **patience(key))
    expected = prox_exclusive(X.T @ y, groups, 0.8)
    if key not in MAY_BE_SLOW:
        assert result.converged
        np.testing.assert_allclose(result.w, expected, atol=2e-5)
    assert result.objective <= 1.05 * result.history.objective[0]


def test_locp_solves_orthonormal_data_in_one_step():
    rng = np.random.default_rng(10)
    X = np.linalg.qr(rng.standard_normal((30, 12)))[0]
    y = rng.standard_normal(30)
    groups = Groups.random(12, 4, random_state=1)
    result = solve_lasso(X, y, groups, 0.8, method="locp", max_iter=1, tol=0)
    np.testing.assert_allclose(result.w, prox_exclusive(X.T @ y, groups, 0.8), atol=1e-8)


@pytest.mark.parametrize("kind", ["lasso", "logistic"])
def test_a_duplicated_column_changes_w_but_not_what_is_unique(kind):
    """w* need not be unique; the objective, Xw* and A|w*| are, and a copy in the same group
    changes none of them."""
    instance = random_instance(kind, 6, strengths=(0.9,))
    X, labels = instance.dense, instance.groups.labels
    doubled = variant(
        instance,
        X=np.column_stack([X, X[:, :6]]),
        groups=Groups.from_labels(np.append(labels, labels[:6])),
    )
    plain = instance.accurate(1e-10)
    for key in doubled.accepted():
        options = {"restart": True} if "restart" in doubled.methods[key].options else {}
        start = np.random.default_rng(0).standard_normal(doubled.dense.shape[1])
        result = doubled.solve(method=key, tol=1e-10, w0=start, **patience(key), **options)
        if key in MAY_BE_SLOW:
            assert result.bound <= plain.objective * (1 + 1e-12)
            continue
        assert result.objective == pytest.approx(plain.objective, rel=3e-10)
        np.testing.assert_allclose(doubled.dense @ result.w, X @ plain.w, atol=3e-4)
        np.testing.assert_allclose(
            doubled.groups.incidence @ np.abs(result.w),
            instance.groups.incidence @ np.abs(plain.w),
            atol=3e-4,
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_number_weight_repeats_the_sample(kind):
    instance = random_instance(kind, 8, fit_intercept=True)
    rng = np.random.default_rng(8)
    times = rng.integers(0, 4, len(instance.y))
    times[:2] = 1, 2
    repeated = variant(
        instance, X=np.repeat(instance.dense, times, axis=0), y=np.repeat(instance.y, times)
    )
    weighted = variant(instance, sample_weight=times.astype(float))
    one, other = weighted.accurate(1e-8), repeated.accurate(1e-8)
    assert one.objective == pytest.approx(other.objective, rel=3e-8)
    assert one.bound <= other.objective and other.bound <= one.objective


@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
def test_the_squared_loss_is_equivariant_in_y(overlapping):
    """w(λ; cy) = c·w(λ; y): so the relative gap, and with it the stopping, are the same."""
    instance = random_instance("lasso", 12, overlapping=overlapping)
    method = choose(METHODS["lasso"], "pcp", instance.problem)
    scale = 2.0**40
    scaled = variant(instance, y=scale * instance.y)
    options = {"max_iter": 200, "tol": 0.0, "measuring_share": 0.0}
    plain = solve(instance.problem, method, **options).history
    other = solve(scaled.problem, method, **options).history
    np.testing.assert_allclose(other.objective, scale**2 * plain.objective, rtol=1e-9)
    np.testing.assert_allclose(other.gap, plain.gap, rtol=1e-6)


@pytest.mark.parametrize("power", [-60, -20, 20, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_units_of_the_data_do_not_matter(kind, power):
    """X → cX with λ → c²λ leaves Xw, the objective and the work the same, c = 2^±60 included."""
    instance = random_instance(kind, 13, fit_intercept=True)
    plain = instance.accurate(1e-6)
    c = 2.0**power
    scaled = variant(
        instance, X=c * instance.dense, strengths=tuple(c * c * s for s in instance.strengths)
    ).accurate(1e-6)
    assert scaled.objective == pytest.approx(plain.objective, rel=2e-6)


def test_w_need_not_be_dense():
    """The point of the norm: sparse inside groups, none of them empty (λ = 10 λ₀ and more)."""
    instance = random_instance("lasso", 14, strengths=(1e4,))
    result = instance.solve(method="locp", tol=1e-10)
    assert result.converged
    correlations = instance.dense.T @ instance.y
    for members in instance.groups.lists():
        nonzero = [i for i in members if result.w[i] != 0.0]
        assert nonzero == [max(members, key=lambda i: abs(correlations[i]))]


@pytest.mark.parametrize("solver", [solve_lasso, solve_logistic, partial(solve_svm, beta=1.0)])
def test_groups_are_taken_in_every_form(solver):
    instance = random_instance("logistic", 15)
    X, y = instance.dense, instance.y
    labels = np.arange(X.shape[1]) % 4
    lists = [np.flatnonzero(labels == g).tolist() for g in range(4)]
    keyword = "alpha" if isinstance(solver, partial) else "lam"
    found = [
        solver(X, y, groups, **{keyword: 1.0}).objective
        for groups in (Groups.from_labels(labels), labels, labels.tolist(), lists)
    ]
    np.testing.assert_allclose(found, found[0], rtol=2e-6)
