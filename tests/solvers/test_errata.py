"""The paper's misprints: each test fails on the formula as printed and passes on ours.

The misprints of the theorem on random groups are tested with the grouping module.
"""

from __future__ import annotations

import itertools
import math

import cvxpy as cp
import numpy as np
import pytest

from solvers import (
    Groups,
    dual_exclusive_norm,
    exclusive_norm,
    project_l1_cone,
    project_linf_cone,
    prox_exclusive,
    solve_lasso,
)
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LICP, LOCP
from solvers.problems import LassoProblem, SVMProblem
from tests import naive

ACCURATE = {
    "solver": "CLARABEL",
    "tol_gap_abs": 1e-11,
    "tol_gap_rel": 1e-11,
    "tol_feas": 1e-11,
}


def weighted_distance(p, a, b, zeta):
    """½‖x − a‖² + ζ/2 (y − b)², what both projections minimise."""
    x, y = np.asarray(p[0]), p[1]
    return 0.5 * np.sum((x - a) ** 2) + 0.5 * zeta * (y - b) ** 2


# -- Algorithm 1, step 4: t where t² belongs ---------------------------------------------------


@pytest.fixture(scope="module")
def lasso():
    """A small E-LASSO, LOCP for it, a minimiser and the optimal value."""
    rng = np.random.default_rng(0)
    N, n, m, lam = 40, 200, 10, 0.01
    X = rng.standard_normal((N, n))
    w = np.zeros(n)
    w[::10] = rng.standard_normal(n // 10)
    problem = LassoProblem(X, X @ w + 0.01 * rng.standard_normal(N), Groups.contiguous(n, m), lam)
    posed = LOCP(problem)
    *_, (minimiser, _) = itertools.islice(fista(posed, posed.start(None), restart=True), 12_000)
    return problem, posed, minimiser, problem.objective(minimiser)


def test_printed_momentum_stays_below_two():
    printed = corrected = 1.0
    for _ in range(1000):
        printed = naive.printed_momentum(printed)
        corrected = naive.corrected_momentum(corrected)
    assert printed <= 2.0
    assert corrected > 500.0


def test_our_loop_has_the_corrected_momentum(lasso):
    _, posed, _, _ = lasso
    start = posed.start(None)
    ours = (x for x, _ in fista(posed, start))
    right = naive.accelerated_gradient(posed, start, naive.corrected_momentum)
    printed = naive.accelerated_gradient(posed, start, naive.printed_momentum)
    for k, (x, x_right, x_printed) in enumerate(
        itertools.islice(zip(ours, right, printed, strict=False), 60)
    ):
        np.testing.assert_allclose(x, x_right, atol=1e-12)
        if k > 3:
            assert np.abs(x - x_printed).max() > 1e-6


def test_printed_momentum_does_not_accelerate(lasso):
    """FISTA's bound 2L‖x₀ − x*‖²/(k+1)² holds for ours at every k, and fails as printed."""
    problem, posed, minimiser, optimum = lasso
    start = posed.start(None)
    rate = 2.0 * posed.curvature * float(minimiser @ minimiser)
    runs = {
        "ours": (x for x, _ in fista(posed, start)),
        "printed": naive.accelerated_gradient(posed, start, naive.printed_momentum),
    }
    errors = {
        name: np.array([problem.objective(x) - optimum for x in itertools.islice(run, 2001)])
        for name, run in runs.items()
    }
    k = np.arange(1, 2001)
    relative = {name: error[1:] * (k + 1.0) ** 2 / rate for name, error in errors.items()}
    assert relative["ours"].max() <= 1.0
    assert relative["printed"].max() > 3.0
    assert errors["printed"][1000] > 100.0 * errors["ours"][1000]
    assert errors["ours"][1000] > 0.0


# -- Algorithm 2 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "zeta"),
    [
        ([1.0, 0.5], -3.0, 1.0),
        ([1.0], -2.0, 1.0),
        ([0.3, -0.2, 0.1], -1.0, 0.5),
        ([0.0], -1.0, 1.0),
    ],
)
def test_l1_cone_origin_case(a, b, zeta):
    """−ζb ≥ ‖a‖∞ projects to the origin; printed, the loop falls through to the input."""
    x_printed, y_printed = naive.printed_project_l1_cone(a, b, zeta)
    assert np.abs(x_printed).sum() > y_printed  # not even in the cone
    x, y = project_l1_cone(a, b, zeta)
    assert (x.tolist(), y) == ([0.0] * len(a), 0.0)


def test_l1_cone_example_of_the_notes():
    assert naive.printed_project_l1_cone([1.0, 0.5], -3.0) == ([1.0, 0.5], -3.0)
    x, y = project_l1_cone([1.0, 0.5], -3.0)
    assert (x.tolist(), y) == ([0.0, 0.0], 0.0)


def test_l1_cone_window_missed_at_a_tie():
    """P₁([.1, .3], .1): δ₁ = .1 = |a|⁽²⁾ but for rounding, so no window holds as printed."""
    a, b = [0.1, 0.3], 0.1
    x_printed, y_printed = naive.printed_project_l1_cone(a, b)
    assert (x_printed, y_printed) == (a, b)
    assert sum(x_printed) > y_printed
    x, y = project_l1_cone(a, b)
    np.testing.assert_allclose(x, [0.0, 0.2], atol=1e-16)
    assert y == pytest.approx(0.2)


def one_decimal_points():
    values = [k / 10 for k in range(-5, 6)]
    return itertools.product(itertools.combinations_with_replacement(values, 2), values)


def test_l1_cone_never_misses_on_a_grid_of_ties():
    missed = 0
    for a, b in one_decimal_points():
        x_printed, y_printed = naive.printed_project_l1_cone(a, b)
        missed += sum(map(abs, x_printed)) > y_printed + 1e-9
        x, y = project_l1_cone(a, b)
        x_exact, y_exact = naive.project_l1_cone(a, b, 1.0)
        np.testing.assert_allclose(x, x_exact, atol=1e-15)
        assert y == pytest.approx(y_exact, abs=1e-15)
    assert missed > 0


# -- Algorithm 3 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "zeta"),
    [([3.0, 1.0], 1.0, 1.0), ([2.0, -2.0, 0.5], 0.0, 2.0), ([1.0, 0.8, 0.1], -0.2, 1.0)],
)
def test_linf_cone_formula_for_x(a, b, zeta):
    """x = sgn(a)⊙min(|a|, y); printed with min(|a| − y, 0), which is further away."""
    printed = naive.printed_project_linf_cone(a, b, zeta)
    ours = project_linf_cone(a, b, zeta)
    assert printed[1] == pytest.approx(ours[1])  # y alone is right
    assert weighted_distance(ours, a, b, zeta) < weighted_distance(printed, a, b, zeta) - 0.1
    np.testing.assert_allclose(ours[0], np.sign(a) * np.minimum(np.abs(a), ours[1]))
    mended = naive.printed_project_linf_cone(a, b, zeta, corrected_x=True)
    np.testing.assert_allclose(ours[0], mended[0])


@pytest.mark.parametrize(
    ("a", "b", "zeta"),
    [([1.0, 0.5], -3.0, 1.0), ([0.2], -1.0, 1.0), ([0.3, -0.3], -0.1, 100.0)],
)
def test_linf_cone_level_is_never_negative(a, b, zeta):
    """ζb + ‖a‖₁ ≤ 0 projects to the origin; printed, y keeps its last, negative candidate."""
    _, y_printed = naive.printed_project_linf_cone(a, b, zeta)
    assert y_printed < 0.0
    x, y = project_linf_cone(a, b, zeta)
    assert (np.abs(x).max(), y) == (0.0, 0.0)


def test_linf_cone_window_missed_at_a_tie():
    """P∞([.4, .2], 0): y₁ = .2 = |a|⁽¹⁾ but for rounding, so no window holds as printed."""
    a, b = [0.4, 0.2], 0.0
    x_printed, _ = naive.printed_project_linf_cone(a, b, corrected_x=True)
    assert x_printed == [0.0, 0.0]
    x, y = project_linf_cone(a, b)
    np.testing.assert_allclose(x, [0.2, 0.2], atol=1e-16)
    assert y == pytest.approx(0.2)


def test_linf_cone_never_misses_on_a_grid_of_ties():
    missed = 0
    for a, b in one_decimal_points():
        x_printed, _ = naive.printed_project_linf_cone(a, b, corrected_x=True)
        x, y = project_linf_cone(a, b)
        x_exact, y_exact = naive.project_linf_cone(a, b, 1.0)
        np.testing.assert_allclose(x, x_exact, atol=1e-15)
        assert y == pytest.approx(y_exact, abs=1e-15)
        missed += np.abs(np.array(x_printed) - x_exact).max() > 1e-9
    assert missed > 0


# -- ζ ∈ ℝ should read ζ > 0 -----------------------------------------------------------------------


@pytest.mark.parametrize("project", [project_l1_cone, project_linf_cone])
@pytest.mark.parametrize("zeta", [0.0, -1.0, -0.5, math.nan, math.inf])
def test_zeta_must_be_positive(project, zeta):
    """For ζ < 0 the problem is not convex, and for ζ = 0 y is free: no projection to speak of."""
    with pytest.raises(ValueError, match="zeta must be positive"):
        project([1.0, 0.5], 0.2, zeta)


def test_printed_algorithms_go_wrong_without_a_positive_zeta():
    with pytest.raises(ZeroDivisionError):
        naive.printed_project_l1_cone([1.0], 0.0, zeta=0.0)
    with pytest.raises(ZeroDivisionError):
        naive.printed_project_linf_cone([1.0], 0.0, zeta=-1.0)


# -- Section 3.2 against Section 5.1: λ/2 or λ -----------------------------------------------------


def ridge(X, y, strength):
    """argmin ½‖Xw − y‖² + strength/2 ‖w‖²"""
    return np.linalg.solve(X.T @ X + strength * np.eye(X.shape[1]), X.T @ y)


def test_the_penalty_has_the_factor_one_half():
    """Groups of one make ‖w‖_e = ‖w‖₂, so λ/2‖w‖_e² is ridge at λ, and λ‖w‖_e² ridge at 2λ."""
    rng = np.random.default_rng(1)
    X, y, lam = rng.standard_normal((30, 8)), rng.standard_normal(30), 3.0
    groups = Groups.contiguous(8, 8)
    result = solve_lasso(X, y, groups, lam, tol=1e-13)
    half, full = ridge(X, y, lam), ridge(X, y, 2.0 * lam)
    np.testing.assert_allclose(result.w, half, atol=1e-6)
    assert np.abs(result.w - full).max() > 1e-2
    objective = 0.5 * np.sum((X @ half - y) ** 2) + 0.5 * lam * np.sum(half**2)
    assert result.objective == pytest.approx(objective, rel=1e-10)
    # A preset for the experiments passes twice the paper's λ.
    paper = solve_lasso(X, y, groups, 2.0 * lam, tol=1e-13)
    np.testing.assert_allclose(paper.w, full, atol=1e-6)


# -- Section 3.2, last remark: Σ‖w_g‖₁^q, not Σ‖w_g‖_q^q -------------------------------------------


@pytest.mark.parametrize("q", [1.5, 3.0])
def test_the_exponent_is_on_the_l1_norm_of_a_group(q):
    rng = np.random.default_rng(2)
    X, y, lam = rng.standard_normal((25, 9)), 2.0 * rng.standard_normal(25), 4.0
    groups = Groups.contiguous(9, 3)
    result = solve_lasso(X, y, groups, lam, method="pcp", exponent=q, tol=1e-8)
    assert result.converged

    w = cp.Variable(9)
    loss = 0.5 * cp.sum_squares(X @ w - y)
    right = loss + 0.5 * lam * cp.sum(cp.power(groups.incidence @ cp.abs(w), q))
    printed = loss + 0.5 * lam * cp.sum(cp.power(cp.abs(w), q))
    cp.Problem(cp.Minimize(right)).solve(**ACCURATE)
    assert result.objective == pytest.approx(right.value, rel=1e-7)
    np.testing.assert_allclose(result.w, w.value, atol=1e-3)
    cp.Problem(cp.Minimize(printed)).solve(**ACCURATE)
    assert np.abs(result.w - w.value).max() > 0.05
    assert abs(result.objective - printed.value) > 0.01 * printed.value


def test_exponent_one_is_the_lasso():
    rng = np.random.default_rng(3)
    X, y, lam = rng.standard_normal((20, 6)), rng.standard_normal(20), 5.0
    result = solve_lasso(X, y, Groups.contiguous(6, 2), lam, method="pcp", exponent=1, tol=1e-9)
    w = cp.Variable(6)
    objective = 0.5 * cp.sum_squares(X @ w - y) + 0.5 * lam * cp.norm1(w)
    cp.Problem(cp.Minimize(objective)).solve(**ACCURATE)
    assert result.objective == pytest.approx(objective.value, rel=1e-7)


# -- Abstract and Section 3.3: LICP's O(1/k²) is the dual's ----------------------------------------


def test_licp_last_primal_point_has_no_quadratic_rate_but_the_average_has():
    """From x₀ = 0, P(w̄_k) − D(x_k) ≤ 2‖x̂‖²/(γ(k+1)²), x̂ the dual point that w̄_k answers to.

    Putting the last w_k in place of the average w̄_k, as the abstract suggests, breaks the bound.
    """
    rng = np.random.default_rng(3)
    N, n = 20, 30
    X = rng.standard_normal((N, n))
    y = np.where(X[:, 0] + X[:, n // 2] + rng.standard_normal(N) > 0, 1.0, -1.0)
    groups = Groups.contiguous(n, 3)
    problem = SVMProblem(X, y, groups, alpha=0.1, beta=1.0)
    posed = LICP(problem)

    def relative_to_bound(w, x, k):
        u = (problem.margins(w) < 1.0).astype(float)
        v = problem.beta * groups.spread(groups.sum(np.abs(w))) * np.sign(w)
        bound = 2.0 * (u @ u + v @ v) / posed.step / (k + 1) ** 2
        return (problem.objective(w) + posed.dual_objective(x)) / bound

    last, averaged = [], []
    steps = itertools.islice(fista(posed, posed.start(None)), 1, 1501)
    for k, (x, average) in enumerate(steps, start=1):
        last.append(relative_to_bound(posed.primal(x), x, k))
        averaged.append(relative_to_bound(average, x, k))
    assert max(averaged) <= 1.0
    assert max(last[500:]) > 3.0
    # The candidate hands the average over, so that the certificate has the rate as well.
    score = problem.score(posed.candidate(x, average))
    assert score.objective <= problem.objective(average) < problem.objective(posed.primal(x))


# -- Section 5.1: purely random overlapping groups -------------------------------------------------


def test_purely_random_overlapping_groups_leave_features_unpenalised():
    """100 random groups of 140 of 4000 miss each feature with chance (1 − .035)¹⁰⁰."""
    rng = np.random.default_rng(4)
    n, m, size = 4000, 100, 140
    missed = []
    for _ in range(20):
        lists = [rng.choice(n, size, replace=False) for _ in range(m)]
        missed.append(n - np.unique(np.concatenate(lists)).size)
    assert np.mean(missed) == pytest.approx(n * (1 - size / n) ** m, rel=0.05)
    first = np.setdiff1d(np.arange(n), np.concatenate(lists))[0]
    with pytest.raises(
        ValueError, match=rf"feature {first} \(and {missed[-1] - 1} more\) is in no"
    ):
        Groups.from_lists(lists, n)


def test_a_partition_with_random_extras_covers_everything():
    rng = np.random.default_rng(5)
    base = Groups.random(4000, 100, random_state=rng)
    lists = []
    for members in base.lists():
        others = np.setdiff1d(np.arange(4000), members)
        lists.append(np.concatenate([members, rng.choice(others, 100, replace=False)]))
    groups = Groups.from_lists(lists, 4000)
    assert groups.overlapping
    assert (groups.sizes == 140).all()
    assert groups.overlap_counts.min() >= 1


# -- Section 3.1: the prox of ‖·‖_e itself is not difficult ----------------------------------------


def prox_of_the_norm(c, groups, phi):
    """argmin ½‖w − c‖² + φ‖w‖_e: the squared prox at the ζ with ζ‖w_ζ‖_e = φ, one monotone root."""
    if phi >= dual_exclusive_norm(c, groups):
        return np.zeros_like(c)
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        zeta = math.exp(middle)
        if zeta * exclusive_norm(prox_exclusive(c, groups, zeta), groups) < phi:
            low = middle
        else:
            high = middle
    return prox_exclusive(c, groups, math.exp(low))


@pytest.mark.parametrize("seed", range(4))
def test_the_prox_of_the_norm_is_one_root_away(seed):
    rng = np.random.default_rng(seed)
    groups = Groups.from_labels(rng.permutation(np.arange(12) % 4))
    c = rng.standard_normal(12)
    for share in (0.05, 0.5, 0.95, 1.0, 1.2):
        phi = share * dual_exclusive_norm(c, groups)
        w = prox_of_the_norm(c, groups, phi)
        # c − w must be a subgradient of φ‖·‖_e at w: in the dual ball, and aligned with w.
        assert dual_exclusive_norm(c - w, groups) <= phi * (1 + 1e-12)
        assert (c - w) @ w == pytest.approx(phi * exclusive_norm(w, groups), rel=1e-10, abs=1e-12)
        assert w.any() == (share < 1.0)
