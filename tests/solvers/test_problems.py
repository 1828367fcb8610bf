"""Problems own objective, gradient and dual bound: each checked against something independent."""

from __future__ import annotations

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from solvers import Groups
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LICP, LOCP, PCP
from solvers.geometry import Geometry
from solvers.problems import Candidate, LassoProblem, SVMProblem, relative_gap
from tests.oracles import (
    KINDS,
    STORAGES,
    OwnHuberLoss,
    disjoint_groups,
    overlapping_groups,
    random_instance,
    variant,
    with_loss,
)

repeatable = settings(derandomize=True, deadline=None)

seeds = st.integers(0, 2**32 - 1)


def combinations(kinds=KINDS, **options):
    """Loss × groups × intercept × weights, by name."""
    return [
        pytest.param(
            random_instance(
                kind,
                100 + 8 * number + 4 * overlapping + 2 * fit_intercept + weighted,
                overlapping=overlapping,
                fit_intercept=fit_intercept,
                weighted=weighted,
                **options,
            ),
            id="-".join(
                [
                    kind,
                    "overlapping" if overlapping else "disjoint",
                    "intercept" if fit_intercept else "plain",
                    "weighted" if weighted else "unweighted",
                    *options.values(),
                ]
            ),
        )
        for number, kind in enumerate(kinds)
        for overlapping in (False, True)
        for fit_intercept in (False, True)
        for weighted in (False, True)
    ]


COMBINATIONS = combinations()
SPARSE = combinations(storage="csr")
SMOOTH = combinations(("lasso", "logistic"))
HINGE = combinations(("svm",))
each_combination = pytest.mark.parametrize("instance", COMBINATIONS)
each_smooth = pytest.mark.parametrize("instance", SMOOTH)
each_hinge = pytest.mark.parametrize("instance", HINGE)


# -- objective ------------------------------------------------------------------------------------


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_score_states_the_objective_at_the_best_intercept(kind, overlapping, storage):
    instance = random_instance(
        kind, 1, overlapping=overlapping, fit_intercept=True, weighted=True, storage=storage
    )
    w = np.random.default_rng(2).standard_normal(instance.dense.shape[1])
    score = instance.problem.score(Candidate(w))
    np.testing.assert_array_equal(score.w, w)
    stated = instance.objective(w, score.intercept)
    assert score.objective == pytest.approx(stated, rel=1e-12)
    assert stated <= instance.objective(w, instance.best_intercept(w)) * (1 + 1e-12)


@each_combination
def test_objective_is_written_out(instance):
    problem = instance.problem
    rng = np.random.default_rng(3)
    for size in (0.0, 1e-3, 1.0, 1e3):
        w = size * rng.standard_normal(problem.n_features)
        score = problem.score(Candidate(w))
        assert score.objective == pytest.approx(instance.objective(w, score.intercept), rel=1e-12)
        if not instance.fit_intercept:
            assert problem.objective(w) == pytest.approx(score.objective, rel=1e-14)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
def test_the_penalty_of_any_exponent(exponent, overlapping):
    instance = random_instance("lasso", 4, overlapping=overlapping, exponent=exponent)
    w = np.random.default_rng(5).standard_normal(instance.dense.shape[1])
    assert instance.problem.penalty.value(w) == pytest.approx(instance.penalty(w), rel=1e-13)
    # Its slope is that of t ↦ λ/2·t^q.
    totals = np.random.default_rng(6).uniform(0.5, 2.0, instance.groups.n_groups)
    h = 1e-6
    power = lambda t: 0.5 * instance.strengths[0] * t**exponent  # noqa: E731
    numeric = (power(totals + h) - power(totals - h)) / (2 * h)
    np.testing.assert_allclose(instance.problem.penalty.slope(totals), numeric, rtol=1e-7)


def test_a_sample_of_weight_zero_does_not_count():
    instance = random_instance("lasso", 6, fit_intercept=True)
    weight = np.ones(len(instance.y))
    weight[[1, 4]] = 0.0
    y = instance.y.copy()
    y[[1, 4]] = 1e6
    keep = weight > 0
    for X in (instance.dense, sparse.csr_array(instance.dense)):
        with_zeros = variant(instance, X=X, y=y, sample_weight=weight).problem
        without = variant(instance, X=X[keep], y=y[keep]).problem
        w = np.random.default_rng(0).standard_normal(with_zeros.n_features)
        one, other = with_zeros.score(Candidate(w)), without.score(Candidate(w))
        assert one.objective == pytest.approx(other.objective, rel=1e-13)
        assert one.bound == pytest.approx(other.bound, rel=1e-12)
        assert one.intercept == pytest.approx(other.intercept, rel=1e-12)


# -- gradients ------------------------------------------------------------------------------------


def numeric_gradient(function, x, h=1e-6):
    return np.array([(function(x + e) - function(x - e)) / (2 * h) for e in h * np.eye(x.size)])


@each_smooth
def test_the_gradient_of_the_smooth_part(instance):
    problem = instance.problem
    rng = np.random.default_rng(7)
    w = rng.standard_normal(problem.n_features)
    intercept = 0.4 if instance.fit_intercept else 0.0

    def smooth(w):
        return problem.objective(w, intercept) - problem.penalty.value(w)

    expected = numeric_gradient(smooth, w)
    np.testing.assert_allclose(problem.gradient(w, intercept), expected, rtol=1e-6, atol=1e-6)


def formulations(instance):
    if instance.kind == "svm":
        return [LICP(instance.problem), LICP(instance.problem, block=True)]
    posed = [PCP(instance.problem)]
    return posed if instance.groups.overlapping else [*posed, LOCP(instance.problem)]


@pytest.mark.parametrize("instance", [*COMBINATIONS, *SPARSE])
def test_the_gradient_of_every_formulation(instance):
    rng = np.random.default_rng(8)
    for posed in formulations(instance):
        x = rng.standard_normal(posed.start(None).size)
        gradient, observed = posed.gradient(x)
        np.testing.assert_allclose(gradient, numeric_gradient(posed.value, x), rtol=1e-6, atol=2e-6)
        assert observed.shape == (
            (instance.problem.n_features,) if instance.kind == "svm" else (len(instance.y),)
        )


@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
def test_the_gradient_of_pcp_with_an_exponent(exponent):
    instance = random_instance("lasso", 9, overlapping=True, exponent=exponent)
    posed = PCP(instance.problem)
    x = np.random.default_rng(9).uniform(0.1, 1.0, posed.start(None).size)
    gradient, _ = posed.gradient(x)
    np.testing.assert_allclose(gradient, numeric_gradient(posed.value, x), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("instance", [*COMBINATIONS, *SPARSE])
def test_step_lengths_are_short_enough(instance):
    """F(x + d) ≤ F(x) + ∇F(x)ᵀd + ½ Σ dᵢ²/stepᵢ: what every rate rests on; for the quadratic
    formulations the worst d is an eigenvector, so look for it by power steps."""
    rng = np.random.default_rng(10)
    for posed in formulations(instance):
        x = posed.start(None)
        step = np.broadcast_to(posed.step, x.shape)
        gradient, _ = posed.gradient(x)
        d = rng.standard_normal(x.size)
        for _ in range(60):
            turned = posed.gradient(x + d)[0] - gradient
            d = step * turned
            d /= np.sqrt(np.sum(d * d / step))
        model = posed.value(x) + gradient @ d + 0.5 * np.sum(d * d / step)
        assert posed.value(x + d) <= model + 1e-10 * (1 + abs(model))
        if instance.kind == "lasso" and isinstance(posed, LOCP):
            # And not much shorter than need be.
            curvature = (posed.gradient(x + d)[0] - gradient) @ d
            assert curvature >= 0.9


@repeatable
@given(st.integers(2, 30), seeds)
def test_the_norm_of_the_incidence_matrix_is_bounded_tightly(n_features, seed):
    rng = np.random.default_rng(seed)
    n_groups = int(rng.integers(1, n_features + 1))
    for make in (disjoint_groups, overlapping_groups):
        groups = make(n_features, n_groups, rng) if n_features > 2 else Groups.from_labels([0, 1])
        exact = np.linalg.norm(groups.incidence.toarray(), 2) ** 2
        bound = Geometry(groups).norm_squared
        assert exact * (1 - 1e-12) <= bound <= 1.1 * exact


@each_combination
def test_the_prox_of_every_formulation(instance):
    """prox(x) is the minimiser of H(·) + ½ Σ (· − x)²/(scale·step), so nothing nearby is lower."""
    rng = np.random.default_rng(11)
    problem = instance.problem
    for posed in formulations(instance):
        for scale in (1.0, 0.25):
            x = 2.0 * rng.standard_normal(posed.start(None).size)
            new = posed.prox(x, scale)
            step = scale * np.broadcast_to(posed.step, x.shape)
            simple = simple_part(posed, problem)

            def total(point, x=x, step=step, simple=simple):
                return simple(point) + 0.5 * np.sum((point - x) ** 2 / step)

            least = total(new)
            assert np.isfinite(least)
            for size in (1e-4, 1e-2, 1.0):
                for _ in range(5):
                    # Feasible again, since the simple part may be an indicator.
                    other = posed.prox(new + size * rng.standard_normal(x.size), 1e-9)
                    assert total(other) >= least - 1e-9 * (1 + abs(least))


def simple_part(posed, problem):
    """H, written out from the formulation's docstring."""
    n = problem.n_features
    if isinstance(posed, LOCP):
        return lambda x: problem.penalty.value(x[:n])
    if isinstance(posed, PCP):
        return lambda x: 0.0 if (x[: 2 * n] >= 0.0).all() else np.inf

    def dual(x):
        u, v = x[: problem.n_samples], x[problem.n_samples :]
        if (u < -1e-15).any() or (u > problem.sample_weight * (1 + 1e-15)).any():
            return np.inf
        if problem.fit_intercept and abs(problem.y @ u) > 1e-12:
            return np.inf
        parts = np.split(v, problem.groups.indptr[1:-1])
        return sum(np.abs(part).max() ** 2 for part in parts) / (2.0 * problem.beta)

    return dual


# -- the bound ------------------------------------------------------------------------------------


def bound_of(problem, dual, w):
    return problem.bound(dual, [w] if isinstance(problem, SVMProblem) else w)


POOL = [parameter.values[0] for parameter in COMBINATIONS]


@settings(repeatable, max_examples=400)
@given(
    st.sampled_from(range(len(POOL))),
    seeds,
    st.floats(-9.0, 9.0),
    st.floats(-9.0, 9.0),
    st.sampled_from(["anything", "near", "shrunk", "flipped"]),
)
def test_no_bound_is_above_the_optimum(number, seed, dual_power, primal_power, manner):
    """Whatever the dual point, whatever the primal point beside it."""
    instance = POOL[number]
    problem, reference = instance.problem, instance.reference
    rng = np.random.default_rng(seed)
    w = 10.0**primal_power * rng.standard_normal(problem.n_features)
    theta = rng.standard_normal(problem.n_samples)
    if manner == "anything":
        theta *= 10.0**dual_power
    else:
        w = reference.w + 10.0 ** -abs(primal_power) * w / (1.0 + np.abs(w).max())
        predictions = instance.dense @ reference.w + reference.intercept
        theta = optimal_dual(instance, predictions) + 10.0 ** -abs(dual_power) * theta
        if manner == "shrunk":
            theta *= rng.random()
        if manner == "flipped":
            theta *= rng.choice([-1.0, 1.0, 1.0, 1.0], theta.size)
    bound = bound_of(problem, theta, w)
    assert not np.isnan(bound)
    assert bound <= reference.upper * (1 + 1e-11)
    score = problem.score(Candidate(w, dual=theta))
    assert score.bound <= reference.upper * (1 + 1e-11)
    assert score.objective >= reference.value * (1 - 1e-8)


def optimal_dual(instance, predictions):
    """−∇f where f is smooth; for the hinge, the weight of each sample short of its margin."""
    if instance.kind == "lasso":
        return instance.weight * (instance.y - predictions)
    short = instance.y * predictions
    if instance.kind == "logistic":
        return instance.weight * instance.y / (1.0 + np.exp(short))
    return instance.weight * (short < 1.0)


@settings(repeatable, max_examples=300)
@given(
    st.sampled_from(KINDS),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    seeds,
    st.tuples(*[st.floats(-25.0, 25.0)] * 4),
)
def test_objective_is_above_bound_at_any_scale(
    kind, overlapping, fit_intercept, weighted, seed, powers
):
    """Data, strengths, w and dual point blown up or shrunk by up to 1e25, each on its own."""
    plain = random_instance(
        kind,
        seed,
        overlapping=overlapping,
        fit_intercept=fit_intercept,
        weighted=weighted,
        n_samples=6,
        n_features=7,
        n_groups=3,
    )
    of_X, of_strength, of_w, of_dual = (10.0**power for power in powers)
    instance = variant(
        plain,
        X=of_X * plain.dense,
        y=plain.y / of_dual if kind == "lasso" else plain.y,
        strengths=tuple(of_strength * s for s in plain.strengths),
    )
    problem = instance.problem
    rng = np.random.default_rng(seed)
    w, other = of_w * rng.standard_normal((2, problem.n_features))
    theta, average = of_dual * rng.standard_normal((2, problem.n_samples))
    score = problem.score(Candidate(w, dual=theta, other_w=other, other_dual=average))
    assert score.objective >= score.bound * (1 - 1e-11)
    at_zero = problem.score(Candidate(np.zeros(problem.n_features)))
    assert at_zero.objective >= score.bound * (1 - 1e-11)
    assert score.objective >= at_zero.bound * (1 - 1e-11)
    # Candidates are in the problem's units; what they are worth outside is written out.
    units = problem.units
    assert units.value(score.objective) == pytest.approx(
        min(
            instance.objective(
                units.weights(x), units.intercept(problem.score(Candidate(x)).intercept)
            )
            for x in (w, other)
        ),
        rel=1e-6,
    )


@pytest.mark.parametrize("exponent", [1.0, 1.2, 1.5, 3.0, 6.0])
@settings(repeatable, max_examples=60)
@given(seed=seeds, dual_power=st.floats(-6.0, 6.0), primal_power=st.floats(-6.0, 6.0))
def test_bounds_for_every_exponent(exponent, seed, dual_power, primal_power):
    rng = np.random.default_rng(seed)
    for kind in ("lasso", "logistic"):
        instance = random_instance(
            kind,
            seed % 1000,
            overlapping=bool(seed % 2),
            fit_intercept=bool(seed % 3),
            exponent=exponent,
            n_samples=6,
            n_features=7,
            n_groups=3,
        )
        problem = instance.problem
        w = 10.0**primal_power * rng.standard_normal(problem.n_features)
        theta = 10.0**dual_power * rng.standard_normal(problem.n_samples)
        score = problem.score(Candidate(w, dual=theta))
        at_zero = problem.score(Candidate(np.zeros(problem.n_features)))
        assert not np.isnan(score.bound)
        assert min(score.objective, at_zero.objective) >= max(score.bound, at_zero.bound) - 1e-12


@settings(repeatable, max_examples=60)
@given(seeds, st.floats(-6.0, 6.0), st.booleans(), st.booleans())
def test_bounds_for_a_custom_loss(seed, power, overlapping, fit_intercept):
    instance = random_instance(
        "lasso",
        seed % 1000,
        overlapping=overlapping,
        fit_intercept=fit_intercept,
        weighted=True,
        n_samples=6,
        n_features=7,
        n_groups=3,
    )
    problem = with_loss(instance, OwnHuberLoss)
    rng = np.random.default_rng(seed)
    theta = 10.0**power * rng.standard_normal(problem.n_samples)
    score = problem.score(Candidate(rng.standard_normal(problem.n_features), dual=theta))
    at_zero = problem.score(Candidate(np.zeros(problem.n_features)))
    assert min(score.objective, at_zero.objective) >= max(score.bound, at_zero.bound) - 1e-12


def most_accurate(instance, formulation, iterations=20_000, target=1e-12):
    """The iterate of restarted FISTA whose certified gap is least, scored by w (and u) alone."""
    problem = instance.problem
    posed = formulation(problem)
    best = (np.inf, None)
    for k, (x, _) in enumerate(fista(posed, posed.start(None), restart=True)):
        if k % 50 == 0 or k == iterations:
            candidate = posed.candidate(x, None)
            score = problem.score(candidate)
            best = min(best, (relative_gap(score.objective, score.bound), k, candidate))
            if best[0] <= target or k >= iterations:
                return best[2]


@each_smooth
def test_the_bound_is_tight_at_the_optimum_from_w_alone(instance):
    candidate = most_accurate(instance, PCP)
    score = instance.problem.score(Candidate(candidate.w))
    assert score.bound <= instance.reference.upper * (1 + 1e-12)
    assert 0.0 <= relative_gap(score.objective, score.bound) < 1e-9


@each_hinge
def test_the_hinge_bound_is_tight_at_the_optimum(instance):
    candidate = most_accurate(instance, lambda problem: LICP(problem, block=True))
    score = instance.problem.score(Candidate(candidate.w, dual=candidate.dual))
    assert score.bound <= instance.reference.upper * (1 + 1e-12)
    assert 0.0 <= relative_gap(score.objective, score.bound) < 1e-9


@each_hinge
def test_the_hinge_bound_takes_a_dual_point_from_elsewhere(instance):
    """CVXPY's multipliers of the margin constraints are u."""
    w, slack = cp.Variable(instance.dense.shape[1]), cp.Variable(len(instance.y))
    b = cp.Variable() if instance.fit_intercept else 0.0
    margins = cp.multiply(instance.y, instance.dense @ w + b) >= 1.0 - slack
    totals = cp.hstack([cp.norm1(w[members]) for members in instance.groups.lists()])
    alpha, beta = instance.strengths
    penalty = 0.5 * alpha * cp.sum_squares(w) + 0.5 * beta * cp.sum_squares(totals)
    posed = cp.Problem(cp.Minimize(instance.weight @ slack + penalty), [margins, slack >= 0])
    posed.solve(solver="CLARABEL", tol_gap_rel=1e-10, tol_gap_abs=1e-10, tol_feas=1e-10)
    score = instance.problem.score(Candidate(w.value, dual=np.asarray(margins.dual_value)))
    assert relative_gap(score.objective, score.bound) < 1e-6
    assert score.bound <= instance.reference.upper * (1 + 1e-12)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
def test_the_bound_is_tight_at_the_optimum_for_every_exponent(exponent, overlapping):
    instance = random_instance("lasso", 17, overlapping=overlapping, exponent=exponent)
    result = instance.solve(method="pcp", tol=1e-9, restart=True)
    assert result.converged
    assert result.bound <= instance.reference.upper * (1 + 1e-12)


@each_hinge
def test_the_dual_of_licp_is_the_negative_of_the_problem(instance):
    """−(F + H) is a lower bound everywhere, and at the optimum it is the optimal value."""
    posed = LICP(instance.problem)
    rng = np.random.default_rng(12)
    for size in (0.01, 1.0, 100.0):
        x = posed.prox(size * rng.standard_normal(posed.start(None).size), 1.0)
        assert -posed.dual_objective(x) <= instance.reference.upper * (1 + 1e-12)
    iterates = fista(posed, posed.start(None), restart=True)
    for _ in range(1200):
        x, _ = next(iterates)
    assert -posed.dual_objective(x) == pytest.approx(instance.reference.upper, rel=1e-6)


# -- scoring --------------------------------------------------------------------------------------


@each_combination
def test_the_better_primal_point_is_chosen(instance):
    problem = instance.problem
    bad = np.full(problem.n_features, 50.0)
    good = instance.reference.w
    for first, second in ((bad, good), (good, bad)):
        score = problem.score(Candidate(first, other_w=second))
        np.testing.assert_array_equal(score.w, good)
        assert score.objective == pytest.approx(instance.reference.upper, rel=1e-9)


@each_combination
def test_a_further_dual_point_never_lowers_the_bound(instance):
    problem = instance.problem
    rng = np.random.default_rng(13)
    w = instance.reference.w + 0.1 * rng.standard_normal(problem.n_features)
    u = rng.random(problem.n_samples)
    plain = problem.score(Candidate(w, dual=u))
    for average in (rng.standard_normal(problem.n_samples), np.zeros(problem.n_samples)):
        more = problem.score(Candidate(w, dual=u, other_dual=average))
        assert more.bound >= plain.bound


def test_relative_gap():
    assert relative_gap(2.0, 1.0) == 0.5
    assert relative_gap(-1.0, -2.0) == 0.5
    assert relative_gap(0.0, 0.0) == 0.0
    assert relative_gap(1.0, -np.inf) == np.inf
    assert relative_gap(np.nan, 1.0) == np.inf
    assert relative_gap(np.inf, 1.0) == np.inf
    assert relative_gap(1.0, 1.0 + 1e-14) == 0.0
    assert relative_gap(1e-300, 0.0) == 1.0


def test_problems_leave_their_input_alone():
    instance = random_instance("lasso", 18, fit_intercept=True, weighted=True)
    X, y, weight = instance.X.copy(), instance.y.copy(), instance.sample_weight.copy()
    LassoProblem(
        instance.X, instance.y, instance.groups, 1.0, fit_intercept=True, sample_weight=weight
    )
    instance.solve(max_iter=50)
    np.testing.assert_array_equal(instance.X, X)
    np.testing.assert_array_equal(instance.y, y)
    np.testing.assert_array_equal(instance.sample_weight, weight)
