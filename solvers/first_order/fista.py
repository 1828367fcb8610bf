"""The accelerated proximal gradient loop behind PCP, LOCP and LICP."""

from __future__ import annotations

import numpy as np


def fista(formulation, x, *, restart=False, backtracking=False):
    """min over x of F(x) + H(x), F smooth, H simple (the paper's Algorithm 1, corrected)

    Yields (x, average) for ever: the iterate, and the average of what the formulation observed at
    the extrapolated points z_k (a dual point, or a primal point of a dual formulation), weighted by
    the momentum t_k. Without restarts F + H is within 2L‖x₀ − x*‖²/(k+1)² of its minimum, and the
    averaged point gives the certified gap the same rate.

    The momentum is t ← ½ + √(¼ + t²); as printed, with t in place of t², it stays below 2 and
    nothing is accelerated. `restart` drops the momentum when it points uphill. `backtracking`
    halves the step until F lies below its quadratic model, for when no Lipschitz constant is known.
    """
    z, t, scale = x, 1.0, 1.0
    total, weight = None, 0.0
    while True:
        yield x, None if total is None else total / weight
        gradient, observed = formulation.gradient(z)
        new, scale = _proximal_step(formulation, z, gradient, scale, backtracking)
        if total is None:
            total, weight = (t * scale) * observed, t * scale
        else:
            total += (t * scale) * observed
            weight += t * scale
        if restart and np.dot((z - new) / formulation.step, new - x) > 0.0:
            x = z = new
            t, total, weight = 1.0, None, 0.0
            continue
        t_next = 0.5 + np.sqrt(0.25 + t * t)
        z = new + ((t - 1.0) / t_next) * (new - x)
        x, t = new, t_next


def _proximal_step(formulation, z, gradient, scale, backtracking):
    step = formulation.step
    new = formulation.prox(z - (scale * step) * gradient, scale)
    if not backtracking:
        return new, scale
    value = formulation.value(z)
    while True:
        move = new - z
        model = value + gradient @ move + 0.5 * np.sum(move * move / (scale * step))
        # At the last digit the comparison is noise, and halving for it would never end.
        slack = 1e-14 * (abs(value) + abs(model))
        if formulation.value(new) <= model + slack or scale < 1e-30:
            return new, scale
        scale *= 0.5
        new = formulation.prox(z - (scale * step) * gradient, scale)
