"""The O(1/k²) of PCP, LOCP and LICP, with the theorem's own constants, at every iteration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
import pytest

from solvers.first_order.fista import fista
from solvers.first_order.formulations import LICP, LOCP, PCP
from solvers.problems import relative_gap
from tests.oracles import random_instance


def block_licp(problem):
    return LICP(problem, block=True)


def whole_objective(posed, x) -> float:
    """F + H at a feasible x, each written out for its formulation."""
    if isinstance(posed, LICP):
        return posed.dual_objective(x)
    if isinstance(posed, LOCP):
        return posed.value(x) + posed.problem.penalty.value(x[: posed.n])
    return posed.value(x)


def distance_squared(posed, x, other) -> float:
    """‖x − other‖² in the metric of the step lengths, Σ (xᵢ − otherᵢ)²/stepᵢ."""
    return float(np.sum((x - other) ** 2 / posed.step))


def as_printed(posed, x):
    """The paper's Algorithm 1 to the letter: t = ½ + ½√(1 + 4t), not t²."""
    z, t = x, 1.0
    total, weight = 0.0, 0.0
    while True:
        yield x, total / weight if weight else None
        gradient, observed = posed.gradient(z)
        new = posed.prox(z - posed.step * gradient, 1.0)
        total, weight = total + t * observed, weight + t
        t_next = 0.5 + 0.5 * np.sqrt(1.0 + 4.0 * t)
        z = new + (t - 1.0) / t_next * (new - x)
        x, t = new, t_next


CASES = [
    ("lasso", PCP, False),
    ("lasso", PCP, True),
    ("logistic", PCP, True),
    ("lasso", LOCP, False),
    ("logistic", LOCP, False),
    ("svm", LICP, False),
    ("svm", LICP, True),
    ("svm", block_licp, False),
    ("svm", block_licp, True),
]


def hard_instance(kind, overlapping=False, **options):
    """Wide, hardly penalised data: FISTA needs thousands of iterations."""
    strengths = (0.1, 1.0) if kind == "svm" else (0.1,)
    shape = (30, 60, 6) if kind == "svm" else (40, 120, 10)
    return random_instance(
        kind,
        0,
        overlapping=overlapping,
        n_samples=shape[0],
        n_features=shape[1],
        n_groups=shape[2],
        **{"strengths": strengths, **options},
    )


@cache
def posed_with_optimum(kind, formulation, overlapping, fit_intercept):
    """The hard instance posed, and a point with a nearly least F + H.

    The theorem compares with *any* point, so how near this one is does not matter for its truth,
    only for how much the test demands.
    """
    instance = hard_instance(kind, overlapping, fit_intercept=fit_intercept)
    posed = formulation(instance.problem)
    best, least = None, np.inf
    for k, (x, _) in enumerate(fista(posed, posed.start(None), restart=True)):
        if k % 20 == 0:
            value = whole_objective(posed, x)
            if value < least:
                best, least = x.copy(), value
        if k == 2500:
            return posed, best, least


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize(("kind", "formulation", "overlapping"), CASES)
def test_the_objective_obeys_the_theorem_at_every_iteration(
    kind, formulation, overlapping, fit_intercept
):
    """F_k − F* ≤ 2‖x₀ − x*‖²/(step·(k + 1)²); for LICP, F is its dual."""
    posed, optimal, least = posed_with_optimum(kind, formulation, overlapping, fit_intercept)
    start = posed.start(None)
    constant = 2.0 * distance_squared(posed, start, optimal)
    largest = 0.0
    for k, (x, _) in enumerate(fista(posed, start)):
        if k:
            excess = whole_objective(posed, x) - least
            assert excess <= constant / (k + 1) ** 2 + 1e-12 * (1.0 + abs(least))
            largest = max(largest, excess * (k + 1) ** 2 / constant)
        if k == 500:
            break
    # The bound is used to a fair part, so a rate slower than it would have been seen.
    assert largest > 0.01


@pytest.mark.parametrize(("kind", "formulation", "overlapping"), CASES)
def test_the_momentum_as_printed_does_not_obey_it(kind, formulation, overlapping):
    posed, _, least = posed_with_optimum(kind, formulation, overlapping, False)
    excesses = {}
    for loop in (fista, as_printed):
        for k, (x, _) in enumerate(loop(posed, posed.start(None))):
            if k == 1000:
                excesses[loop] = whole_objective(posed, x) - least
                break
    assert excesses[as_printed] > 5.0 * max(excesses[fista], 0.0)
    assert excesses[as_printed] > 1e-9 * abs(least)


def test_a_warm_start_is_covered_too():
    w0 = np.random.default_rng(1).standard_normal(120)
    for formulation in (PCP, LOCP):
        posed, optimal, least = posed_with_optimum("lasso", formulation, False, False)
        start = posed.start(w0)
        constant = 2.0 * distance_squared(posed, start, optimal)
        for k, (x, _) in enumerate(fista(posed, start)):
            if k:
                assert whole_objective(posed, x) - least <= constant / (k + 1) ** 2 + 1e-9
            if k == 300:
                break


@pytest.mark.parametrize("exponent", [1.0, 2.0, 3.0])
def test_pcp_with_an_exponent_where_the_rate_holds(exponent):
    """q = 1 with the known step; q ≥ 2 with the step that backtracking ends at."""
    instance = hard_instance("lasso", True, exponent=exponent, strengths=(5.0,))
    posed = PCP(instance.problem)
    assert posed.needs_backtracking == (exponent == 3.0)
    # A far start, so that the growing curvature of t³ is really met.
    w0 = 3.0 * np.random.default_rng(2).standard_normal(instance.problem.n_features)
    reference = instance.solve(method="pcp", tol=1e-6, restart=True).w
    optimal = posed.start(reference)
    least = whole_objective(posed, optimal)
    smallest = [1.0]
    prox = posed.prox

    def watched(x, scale):
        smallest.append(scale)
        return prox(x, scale)

    posed.prox = watched
    start = posed.start(w0)
    distance = distance_squared(posed, start, optimal)
    for k, (x, _) in enumerate(fista(posed, start, backtracking=posed.needs_backtracking)):
        if k:
            excess = whole_objective(posed, x) - least
            assert excess <= 2.0 * distance / (min(smallest) * (k + 1) ** 2) + 1e-9
        if k == 600:
            break
    assert (min(smallest) < 1.0) == (exponent == 3.0)


def test_exponents_between_one_and_two_converge_without_that_rate():
    instance = hard_instance("lasso", exponent=1.5, strengths=(1.0,))
    result = instance.solve(method="pcp", tol=1e-4)
    assert result.converged
    assert result.objective <= instance.reference.upper * (1 + 1e-4)


# -- the certified gap ----------------------------------------------------------------------------


@dataclass
class GapCurve:
    """Certified gaps (absolute) at growing iterations, and the theorem's constant at each."""

    iterations: np.ndarray
    gaps: np.ndarray
    constants: np.ndarray

    @property
    def scaled(self) -> np.ndarray:
        """k²·gap: flat where the rate is O(1/k²)."""
        return self.iterations**2 * self.gaps


MILESTONES = np.unique(np.geomspace(10, 10_000, 40).astype(int))


def gap_curve(posed, loop=fista, averaged=True, last=10_000) -> GapCurve:
    milestones = [int(k) for k in MILESTONES if k <= last]
    wanted = set(milestones)
    gaps, constants = [], []
    start = posed.start(None)
    for k, (x, average) in enumerate(loop(posed, start)):
        if k in wanted:
            score = posed.problem.score(posed.candidate(x, average if averaged else None))
            gaps.append(score.objective - score.bound)
            constants.append(2.0 * distance_squared(posed, start, comparison(posed, average)))
        if k == milestones[-1]:
            break
    return GapCurve(np.array(milestones, dtype=float), np.array(gaps), np.array(constants))


def comparison(posed, average):
    """The x̂ at which the theorem's linear model, averaged, is least.

    LOCP: x̂ ∈ ∂Ω*(Xᵀθ̄), which per group is its largest entry over λ. LICP: û is ω where w̄ falls
    short of the margin, v̂^g is the slope of β/2‖w̄_g‖₁².
    """
    problem = posed.problem
    if isinstance(posed, LOCP):
        correlations = problem.design.rmatvec(average)
        x = np.zeros(posed.start(None).size)
        for members in problem.groups.lists():
            at = members[int(np.argmax(np.abs(correlations[members])))]
            x[at] = correlations[at] / problem.lam
        if problem.fit_intercept:
            x[-1] = posed.start(None)[-1]
        return x
    predictions = problem.design.matvec(average)
    predictions += problem.best_intercept(predictions)
    u = problem.sample_weight * (problem.y * predictions < 1.0)
    v = [
        problem.beta * np.abs(average[members]).sum() * np.sign(average[members])
        for members in problem.groups.lists()
    ]
    return np.concatenate([u, *v])


@pytest.mark.parametrize("strength", [0.1, 1e-3])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_locp_with_averaging_obeys_the_theorem_on_gaps(fit_intercept, strength):
    """P(w_k) − D(θ̄_k) ≤ 2L‖x̂ − w₀‖²/(k + 1)²"""
    instance = hard_instance("lasso", fit_intercept=fit_intercept, strengths=(strength,))
    curve = gap_curve(LOCP(instance.problem), last=3000)
    assert np.all(curve.gaps * (curve.iterations + 1) ** 2 <= curve.constants)


@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("formulation", [LICP, block_licp])
def test_licp_with_averaging_obeys_the_theorem_on_gaps(formulation, overlapping):
    """P(w̄_k) + G(u_k, v_k) ≤ 2‖x̂ − x₀‖²/(k + 1)², G the dual that LICP minimises"""
    instance = hard_instance("svm", overlapping)
    curve = gap_curve(formulation(instance.problem), last=3000)
    assert np.all(curve.gaps * (curve.iterations + 1) ** 2 <= curve.constants)


def decade(curve, start) -> float:
    """The largest k²·gap within [start, 10·start]."""
    inside = (curve.iterations >= start) & (curve.iterations <= 10 * start)
    return float(curve.scaled[inside].max())


@pytest.mark.parametrize(
    ("kind", "formulation", "overlapping", "fit_intercept"),
    [
        ("lasso", LOCP, False, False),
        ("lasso", LOCP, False, True),
        ("logistic", LOCP, False, False),
        ("logistic", LOCP, False, True),
        ("svm", LICP, False, False),
        ("svm", LICP, True, True),
        ("svm", block_licp, False, True),
        ("svm", block_licp, True, False),
    ],
)
def test_averaging_makes_the_certified_gap_flat(kind, formulation, overlapping, fit_intercept):
    """k²·gap does not grow over the last decade; without momentum squared it does, or is far up."""
    posed = formulation(hard_instance(kind, overlapping, fit_intercept=fit_intercept).problem)
    flat = gap_curve(posed, last=3000)
    printed = gap_curve(posed, as_printed, last=3000)
    assert decade(flat, 300) <= 1.5 * decade(flat, 100)
    assert decade(printed, 300) > 5.0 * decade(flat, 300)


def test_flat_for_two_decades_where_the_residual_is_not():
    """A hardly penalised E-LASSO: the residual as dual point makes k²·gap grow and grow."""
    posed = LOCP(hard_instance("lasso", strengths=(1e-3,)).problem)
    averaged = gap_curve(posed)
    residual = gap_curve(posed, averaged=False)
    # Whole decades: from one iterate to the next the residual's gap goes up and down.
    assert decade(averaged, 1000) <= 1.5 * decade(averaged, 300)
    assert decade(residual, 1000) >= 3.0 * decade(residual, 300)
    assert decade(residual, 1000) >= 5.0 * decade(averaged, 1000)
    assert np.all(averaged.gaps <= residual.gaps * (1 + 1e-9))


def test_the_last_primal_iterate_of_licp_lags_behind_its_average():
    """O(1/k²) is the dual's rate; the last w has no more than O(1/k)."""
    posed = LICP(hard_instance("svm", True).problem)
    averaged = gap_curve(posed, last=2000)
    last = gap_curve(posed, averaged=False, last=2000)
    assert np.all(averaged.gaps <= last.gaps * (1 + 1e-9))
    assert np.max(last.gaps / averaged.gaps) > 3.0


# -- variants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"restart": True}, {"backtracking": True}])
@pytest.mark.parametrize(("kind", "formulation", "overlapping"), CASES)
def test_variants_converge_to_the_same_optimum(kind, formulation, overlapping, options):
    instance = random_instance(kind, 5, overlapping=overlapping, weighted=True)
    posed = formulation(instance.problem)
    smallest = np.inf
    highest = -np.inf
    for k, (x, average) in enumerate(fista(posed, posed.start(None), **options)):
        if k % 50 == 0:
            score = instance.problem.score(posed.candidate(x, average))
            smallest, highest = min(smallest, score.objective), max(highest, score.bound)
            if relative_gap(smallest, highest) < 1e-7:
                break
        assert k < 20_000
    assert smallest == pytest.approx(instance.reference.upper, rel=1e-6)


def test_backtracking_finds_a_step_that_was_not_known():
    """Steps a thousand times too long diverge; backtracking brings them down and converges."""
    instance = random_instance("lasso", 6)
    for options, converges in (({}, False), ({"backtracking": True}, True)):
        posed = LOCP(instance.problem)
        posed.step = posed.step * 1024.0
        posed._zeta = posed._zeta * 1024.0
        with np.errstate(all="ignore"):
            iterates = fista(posed, posed.start(None), **options)
            x, _ = next(islice(iterates, 3000, None))
            value = whole_objective(posed, x)
        close = bool(value <= instance.reference.upper * (1 + 1e-6))
        assert close == converges


def test_restart_helps_on_a_small_problem():
    instance = random_instance("lasso", 7)
    with_restart = instance.solve(method="locp", tol=1e-9, restart=True)
    without = instance.solve(method="locp", tol=1e-9)
    assert with_restart.converged
    assert with_restart.n_iter < without.n_iter
