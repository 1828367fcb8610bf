"""Working sets: a second-order method on the features that can carry weight."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..problems import Candidate

FIRST_TOLERANCE = 1e-2  # relative gap of the first restricted problem; then ten times less each
NEGLIGIBLE = 1e-4  # relative size of weights an interior point has not yet sent to zero


def working_sets(problem, w0, loss):
    """The problem on growing sets of features, the likeliest first.

    A feature is chosen by its ratio |xᵢᵀθ| / (Aᵀs)ᵢ: one on the support, above one where the
    dual point of the restricted problem is infeasible.  Some minimiser has at most N + m
    nonzeros, so twice as many features are taken.  Memory: two dense matrices of N × 2(N + m).
    """
    design, geometry = problem.design, problem.geometry
    n_samples, n_features = design.shape
    capacity = min(n_features, 2 * (n_samples + geometry.n_groups))
    w = np.zeros(n_features) if w0 is None else np.array(w0, dtype=float)
    yield lambda: Candidate(w)
    v = geometry.magnitude(design.rmatvec(loss.residual(problem, w)))
    s = problem.lam * geometry.totals(w)
    s = s + geometry.levels(np.maximum(v - geometry.spread(s), 0.0))
    ratio = _ratio(v, geometry.spread(s))
    warm = bool(np.any(w))
    tolerance = FIRST_TOLERANCE
    while True:
        chosen = _choose(ratio, np.flatnonzero(w), capacity)
        outside = np.ones(n_features, dtype=bool)
        outside[chosen] = False
        data = loss(problem, chosen)
        for it in data.iterates(w if warm else None):
            yield partial(data.candidate, it)
            w = data.everywhere(it.w, 0.0)
            theta = data.dual(it.theta)
            if it.error > tolerance * it.objective:
                continue
            tolerance *= 0.1
            s = np.zeros(geometry.n_groups)
            s[data.rows] = it.s * data.s_unit
            ratio = _ratio(geometry.magnitude(design.rmatvec(theta)), geometry.spread(s))
            ratio[geometry.free] = 0.0
            violators = np.count_nonzero(outside & (ratio > 1.0 + 1e-9))
            if violators:
                break
        else:
            return
        w = np.where(np.abs(w) > NEGLIGIBLE * np.abs(w).max(), w, 0.0)
        warm = True
        if violators > capacity // 2:
            capacity = min(n_features, capacity + capacity // 2)


def _choose(ratio, support, capacity):
    first = len(ratio) - min(len(ratio), max(capacity, len(support) + 1))
    top = np.argpartition(ratio, first)[first:]
    return np.union1d(top, support)


def _ratio(v, reach):
    return np.divide(v, reach, out=np.where(v > 0, np.inf, 0.0), where=reach > 0)
