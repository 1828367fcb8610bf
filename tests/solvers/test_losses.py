"""Losses: value, gradient, conjugate and intercept, against finite differences and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from solvers import Groups
from solvers.losses import LogisticLoss, SquaredLoss, balance_classes
from solvers.problems import SVMProblem
from tests.oracles import OwnHuberLoss

repeatable = settings(derandomize=True, deadline=None)

LOSSES = (SquaredLoss, LogisticLoss, OwnHuberLoss)
each_loss = pytest.mark.parametrize("kind", LOSSES, ids=lambda kind: kind.__name__)

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 8)
# Powers of ten by which predictions and weights are blown up or shrunk.
powers = st.floats(-6.0, 3.0)


def draw(kind, size, seed, power=0.0, weight_power=0.0):
    """A random loss, and random predictions for it."""
    rng = np.random.default_rng(seed)
    y = rng.standard_normal(size)
    if kind is LogisticLoss:
        y = np.where(y > 0.0, 1.0, -1.0)
    weight = 10.0**weight_power * rng.uniform(0.1, 4.0, size)
    return kind(y, weight), 10.0**power * rng.standard_normal(size), rng


@each_loss
@repeatable
@given(sizes, seeds)
def test_gradient_is_the_slope_of_the_value(kind, size, seed):
    loss, z, _ = draw(kind, size, seed)
    h = 1e-6
    numeric = [(loss.value(z + step) - loss.value(z - step)) / (2 * h) for step in h * np.eye(size)]
    np.testing.assert_allclose(loss.gradient(z), numeric, atol=1e-7, rtol=1e-6)


@each_loss
@repeatable
@given(sizes, seeds, powers, st.floats(-3.0, 2.0))
def test_the_gradient_never_turns_faster_than_the_curvature(kind, size, seed, power, step_power):
    loss, z, rng = draw(kind, size, seed, power)
    step = 10.0**step_power * rng.standard_normal(size)
    turn = loss.gradient(z + step) - loss.gradient(z)
    limit = loss.curvature * np.abs(step)
    rounding = 1e-13 * (np.abs(loss.gradient(z)) + loss.curvature * np.abs(z))
    assert np.all(np.abs(turn) <= limit + rounding)
    # Convexity: each slope only grows.
    assert np.all(turn * step >= -rounding * np.abs(step))


def test_the_curvature_is_the_smallest_possible():
    one = np.ones(1)
    for kind, y in ((SquaredLoss, 0.3), (LogisticLoss, 1.0), (OwnHuberLoss, 0.0)):
        loss = kind(y * one, 2.0 * one)
        slope = (loss.gradient(1e-4 * one) - loss.gradient(-1e-4 * one)) / 2e-4
        np.testing.assert_allclose(slope, loss.curvature, rtol=1e-6)


# -- the conjugate: dual_value(θ) = inf over z of f(z) + θᵀz --------------------------------------


@each_loss
@repeatable
@given(sizes, seeds, powers, powers)
def test_dual_value_is_below_the_loss_plus_any_linear_term(kind, size, seed, power, dual_power):
    """Fenchel–Young, for every θ in the domain; `feasible` brings any θ there."""
    loss, z, rng = draw(kind, size, seed, power)
    theta = loss.feasible(10.0**dual_power * rng.standard_normal(size), balanced=False)
    linear = theta @ z
    size_of_terms = loss.value(z) + np.abs(theta * z).sum() + np.abs(theta * loss.y).sum()
    assert loss.dual_value(theta) <= loss.value(z) + linear + 1e-12 * size_of_terms


@each_loss
@repeatable
@given(sizes, seeds, st.floats(-3.0, 1.0))
def test_dual_value_is_attained_at_the_gradient(kind, size, seed, power):
    loss, z, _ = draw(kind, size, seed, power)
    theta = -loss.gradient(z)
    np.testing.assert_allclose(loss.feasible(theta, balanced=False), theta, rtol=1e-14)
    attained = loss.value(z) + theta @ z
    terms = loss.value(z) + np.abs(theta * z).sum()
    assert loss.dual_value(theta) == pytest.approx(attained, abs=1e-12 * (1 + terms))


@each_loss
@repeatable
@given(sizes, seeds, powers)
def test_every_multiple_up_to_the_largest_is_in_the_domain(kind, size, seed, power):
    loss, z, rng = draw(kind, size, seed, power)
    theta = loss.feasible(rng.standard_normal(size), balanced=False)
    limit = loss.largest_multiple(theta)
    assert limit >= 1.0 - 1e-12
    for c in (0.0, 0.3, 1.0):
        multiple = c * min(limit, 1e3) * theta
        value = loss.dual_value(multiple)
        bound = loss.value(z) + multiple @ z
        size_of_terms = loss.value(z) + np.abs(multiple) @ (np.abs(z) + np.abs(loss.y))
        assert value <= bound + 1e-12 * size_of_terms
    if np.isfinite(limit):
        beyond = 1.001 * limit * theta
        moved = loss.feasible(beyond, balanced=False)
        assert not np.allclose(moved, beyond, rtol=1e-6, atol=0.0)


@repeatable
@given(sizes, seeds, st.floats(0.0, 10.0))
def test_the_squared_loss_knows_its_best_multiple(size, seed, quadratic):
    loss, _, rng = draw(SquaredLoss, size, seed)
    theta = rng.standard_normal(size)

    def value(c):
        return loss.dual_value(c * theta) - c * c * quadratic

    best = loss.best_multiple(theta, quadratic)
    found = optimize.minimize_scalar(lambda c: -value(c))
    assert value(best) >= -found.fun - 1e-12 * (1 + abs(found.fun))


def test_the_best_multiple_of_nothing_is_nothing():
    loss = SquaredLoss(np.array([1.0, 2.0]), np.ones(2))
    assert loss.best_multiple(np.zeros(2), 0.0) == 0.0


def test_losses_stay_finite_far_out():
    loss = LogisticLoss(np.array([1.0, -1.0]), np.ones(2))
    z = np.array([-1e4, -1e4])
    assert loss.value(z) == 1e4
    np.testing.assert_array_equal(loss.gradient(z), [-1.0, 0.0])
    assert loss.dual_value(-loss.gradient(z)) == 0.0


# -- intercepts -----------------------------------------------------------------------------------


def both_classes(loss):
    return not isinstance(loss, LogisticLoss) or np.unique(loss.y).size == 2


@each_loss
@repeatable
@given(st.integers(2, 8), seeds, powers, st.floats(-4.0, 4.0))
def test_best_intercept_beats_every_other(kind, size, seed, power, weight_power):
    loss, z, rng = draw(kind, size, seed, power, weight_power)
    if kind is LogisticLoss:
        loss.y[:2] = 1.0, -1.0
    b = loss.best_intercept(z)
    value = loss.value(z + b)
    reach = np.abs(z).max() + np.abs(loss.y).max() + 5.0
    found = optimize.minimize_scalar(
        lambda b: loss.value(z + b), bounds=(-reach, reach), method="bounded"
    )
    others = [found.x, b - 1e-3, b + 1e-3, b - 1.0, b + 1.0, *rng.uniform(-reach, reach, 5)]
    rounding = 1e-13 * (value + loss.sample_weight.sum() * (1.0 if kind is LogisticLoss else 0.0))
    assert value <= min(loss.value(z + other) for other in others) + rounding
    slope = loss.gradient(z + b).sum()
    assert abs(slope) <= 1e-9 * loss.sample_weight.sum() * (1.0 + np.abs(z).max())


@pytest.mark.parametrize("spread", [0.0, 1.0, 40.0, 800.0, 1e5])
@pytest.mark.parametrize("odds", [1e-8, 1.0, 1e8])
def test_the_logistic_intercept_of_saturated_or_lopsided_samples(spread, odds):
    y = np.array([1.0, 1.0, -1.0, -1.0])
    weight = np.array([odds, odds, 1.0, 1.0])
    loss = LogisticLoss(y, weight)
    for z in (spread * y, -spread * y, spread * np.array([1.0, -1.0, 1.0, -1.0])):
        b = loss.best_intercept(z)
        slope = loss.gradient(z + b).sum()
        assert abs(slope) <= 1e-9 * min(odds, 1.0)
    assert loss.best_intercept(np.zeros(4)) == pytest.approx(np.log(odds), abs=1e-9)


@pytest.mark.parametrize("kind", LOSSES, ids=lambda kind: kind.__name__)
@repeatable
@given(size=st.integers(2, 8), seed=seeds, power=powers)
def test_balanced_dual_points(kind, size, seed, power):
    """1ᵀθ = 0, still in the domain, and unchanged at the best intercept."""
    loss, z, rng = draw(kind, size, seed)
    if kind is LogisticLoss:
        loss.y[:2] = 1.0, -1.0
    anything = 10.0**power * rng.standard_normal(size)
    theta = loss.feasible(anything, balanced=True)
    assert abs(theta.sum()) <= 1e-14 * np.abs(theta).sum() + 1e-300
    again = loss.feasible(theta, balanced=False)
    np.testing.assert_allclose(again, theta, rtol=1e-12)
    optimal = -loss.gradient(z + loss.best_intercept(z))
    kept = loss.feasible(optimal, balanced=True)
    np.testing.assert_allclose(kept, optimal, atol=1e-12 * loss.sample_weight.max())


def test_balancing_shrinks_the_heavier_class():
    y = np.array([1.0, 1.0, -1.0])
    np.testing.assert_allclose(balance_classes(y * [0.2, 0.6, 0.4], y), [0.1, 0.3, -0.4])
    np.testing.assert_allclose(balance_classes(y * [0.1, 0.1, 0.4], y), [0.1, 0.1, -0.2])
    np.testing.assert_array_equal(balance_classes(y * [0.5, 0.5, 0.0], y), np.zeros(3))


# -- the hinge's intercept, which is piecewise linear ---------------------------------------------


def hinge_problem(y, weight=None):
    y = np.asarray(y, dtype=float)
    X = np.arange(1.0, y.size + 1.0)[:, None]
    return SVMProblem(
        X, y, Groups.from_labels([0]), 1.0, 1.0, fit_intercept=True, sample_weight=weight
    )


def hinge(problem, predictions):
    return float(problem.sample_weight @ np.maximum(0.0, 1.0 - problem.y * predictions))


@repeatable
@given(
    st.lists(st.tuples(st.sampled_from([-1.0, 1.0]), st.integers(-4, 4)), min_size=1, max_size=9),
    st.booleans(),
    seeds,
)
def test_the_hinge_intercept_is_exact(samples, weighted, seed):
    """A convex piecewise linear function is least at one of its breakpoints: try them all.

    Small whole numbers make ties and flat parts common."""
    y = np.array([label for label, _ in samples])
    z = np.array([float(value) for _, value in samples])
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, y.size).astype(float) if weighted else None
    problem = hinge_problem(y, weight)
    breaks = y - z
    values = [hinge(problem, z + b) for b in breaks]
    least = min(values)
    b = problem.best_intercept(z)
    assert hinge(problem, z + b) == least
    minimisers = [c for c, value in zip(breaks, values, strict=True) if value == least]
    if np.unique(y).size == 2:
        # The midpoint of the flat part, which with both classes is bounded.
        assert b == pytest.approx(0.5 * (min(minimisers) + max(minimisers)))


@repeatable
@given(st.integers(2, 30), seeds, powers)
def test_the_hinge_intercept_at_any_scale(size, seed, power):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(size) < 0.5, 1.0, -1.0)
    z = 10.0**power * rng.standard_normal(size)
    problem = hinge_problem(y, rng.uniform(0.1, 3.0, size))
    least = min(hinge(problem, z + b) for b in y - z)
    found = hinge(problem, z + problem.best_intercept(z))
    assert found <= least + 1e-11 * problem.sample_weight.sum() * (1.0 + np.abs(z).max())


@pytest.mark.parametrize("label", [-1.0, 1.0])
def test_the_hinge_intercept_of_one_class_leaves_no_loss(label):
    problem = hinge_problem(np.full(4, label))
    z = np.array([3.0, -2.0, 0.5, 0.5])
    assert hinge(problem, z + problem.best_intercept(z)) == 0.0


def test_without_an_intercept_there_is_none():
    problem = SVMProblem(np.eye(2), [1.0, -1.0], [0, 0], 1.0, 1.0)
    assert problem.best_intercept(np.array([5.0, -3.0])) == 0.0


@pytest.mark.parametrize("chance", [1e-300, 1e-20, 6e-17, 1e-10, 0.3])
def test_the_entropy_of_a_small_chance_keeps_its_digits(chance):
    """entr(a) + entr(1 − a) = a(1 − log a) − a²/2 − …, which 1 − a rounded would double or lose."""
    loss = LogisticLoss(np.ones(1), np.ones(1))
    # log(1 − a) by its series, which needs no rounded 1 − a.
    powers = sum(chance**k / k for k in range(1, 60))
    expected = -chance * np.log(chance) + (1.0 - chance) * powers
    assert loss.dual_value(np.array([chance])) == pytest.approx(expected, rel=1e-14)
