"""The rounded hinge and the models of Newton steps, against plain formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from solvers.large.tall import SmoothedHinge


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    return rng.choice([-1.0, 1.0], 200), rng.uniform(0.5, 2.0, 200), rng.standard_normal(200)


@pytest.mark.parametrize("width", [1.0, 0.1])
def test_the_rounded_hinge_is_near_the_hinge_and_knows_its_slopes(samples, width):
    y, weight, z = samples
    loss = SmoothedHinge(y, weight, width)
    hinge = float(weight @ np.maximum(0.0, 1.0 - y * z))
    assert hinge - 0.5 * width * weight.sum() <= loss.value(z) <= hinge
    rng = np.random.default_rng(1)
    direction, h = rng.standard_normal(200), 1e-6
    ahead, behind = z + h * direction, z - h * direction
    slope = (loss.value(ahead) - loss.value(behind)) / (2.0 * h)
    assert slope == pytest.approx(loss.gradient(z) @ direction, rel=1e-6)
    bend = (loss.gradient(ahead) - loss.gradient(behind)) / (2.0 * h)
    np.testing.assert_allclose(bend, loss.second_derivative(z) * direction, atol=1e-6)
    assert np.all(loss.second_derivative(z) <= loss.curvature)


@pytest.mark.parametrize("width", [1.0, 0.1])
def test_its_intercept_is_the_best_and_its_slack_what_is_between_hinge_and_bound(samples, width):
    y, weight, z = samples
    loss = SmoothedHinge(y, weight, width)
    b = loss.best_intercept(z)
    found = optimize.minimize_scalar(lambda b: loss.value(z + b), bounds=(-5, 5), method="bounded")
    assert loss.value(z + b) <= found.fun + 1e-9
    assert loss.gradient(z + b).sum() == pytest.approx(0.0, abs=1e-9 * weight.sum())
    u = -y * loss.gradient(z + b)
    assert np.all((u >= 0.0) & (u <= weight))
    gap = weight @ np.maximum(0.0, 1.0 - y * (z + b)) - u @ (1.0 - y * (z + b))
    assert loss.slack(z + b) == pytest.approx(gap)
