"""LELR: Nesterov smoothing of the penalty and the accelerated gradient method."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..first_order.formulations import LOCP
from ..method import Method, all_of, any_signs, squared_norm
from ..projections import prox_linf_squared


def _run(problem, w0, *, accuracy=1e-6, continuation=True):
    """min over w of f(Xw) + λ/2‖w‖_e², with a smooth stand-in Ω_μ for the penalty (any groups)

    Ω(w) = ½‖w‖_e² = max over copies v of Σ_g ⟨v^g, w_g⟩ − ½‖v^g‖∞². Nesterov's smoothing subtracts
    μ/2‖v^g‖² inside the maximum: Ω_μ has the gradient Σ_g v^g at the maximiser, which is the closed
    form prox of ‖·‖∞² at w_g/μ, and that gradient has the Lipschitz constant (largest overlap)/μ,
    everywhere. With d the size of the largest group, ‖v^g‖² ≤ d‖v^g‖∞² bounds the smoothing by

        Ω_μ ≤ Ω ≤ (1 + μd) Ω_μ,

    so μ = ε/d costs at most the relative accuracy ε, whatever the units of the data. (Smoothing
    each ‖w_g‖₁ inside its square instead makes no measurable difference, but has no global
    Lipschitz constant.) L = ‖X‖²·sup f″ + λ·overlap·d/ε, hence O(1/k) for ε of the order 1/k.

    ε_k = max(accuracy, 1/k): early steps are not slowed down by a final μ, and no start or schedule
    is left to tune. `continuation=False` is the textbook method, ε = accuracy from the first step.
    Achievable accuracy: of the order 1/k relative, until `accuracy` stops it after 1/accuracy
    iterations. The default `accuracy` is beyond the default limit of 200,000 iterations, so the
    limit decides: of the order 5e-6. Two products with X and one sort an iteration.
    """
    groups, geometry = problem.groups, problem.geometry
    posed = LOCP(problem)
    n = posed.n
    largest_group, overlap = int(groups.sizes.max()), float(geometry.column_squares.max())
    step = np.ones(n + problem.fit_intercept) * posed.step
    x = z = posed.start(w0)
    t, k = 1.0, 0
    total, weight = None, 0.0
    while True:
        yield partial(_candidate, posed, x, total, weight)
        k += 1
        mu = (max(accuracy, 1.0 / k) if continuation else accuracy) / largest_group
        step[:n] = 1.0 / (posed.curvature + problem.lam * overlap / mu)
        gradient, theta = posed.gradient(z)
        copies = prox_linf_squared(geometry.gather(z[:n]) / mu, groups, 1.0 / mu)
        gradient[:n] += problem.lam * geometry.scatter(copies)
        new = z - step * gradient

        share = t * step[0]
        total = share * theta if total is None else total + share * theta
        weight += share
        t_next = 0.5 + np.sqrt(0.25 + t * t)
        z = new + ((t - 1.0) / t_next) * (new - x)
        x, t = new, t_next


def _candidate(posed, x, total, weight):
    return posed.candidate(x, None if total is None else total / weight)


lelr = Method(
    "lelr",
    "LELR",
    "Chen, Yuan, Chen, Yan & Chua, Multi-label Visual Classification with Label Exclusive Context, "
    "ICCV 2011; Nesterov, Smooth Minimization of Non-smooth Functions, Math. Program. 103, 2005",
    _run,
    accepts=all_of(squared_norm, any_signs),
    max_iter=200_000,
)
