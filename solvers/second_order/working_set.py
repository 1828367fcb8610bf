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
    design, groups = problem.design, problem.groups
    A, AT = groups.incidence, groups.incidence.T.tocsr()
    n_samples, n_features = design.shape
    capacity = min(n_features, 2 * (n_samples + groups.n_groups))
    w = np.zeros(n_features) if w0 is None else np.array(w0, dtype=float)
    yield lambda: Candidate(w)
    v = np.abs(design.rmatvec(loss.residual(problem, w)))
    s = problem.lam * (A @ np.abs(w))
    deficit = np.maximum(v - AT @ s, 0.0)
    s = s + np.maximum.reduceat(deficit[groups.indices], groups.indptr[:-1])
    ratio = _ratio(v, AT @ s)
    warm = bool(np.any(w))
    tolerance = FIRST_TOLERANCE
    while True:
        chosen = _choose(ratio, np.flatnonzero(w), capacity)
        outside = np.ones(n_features, dtype=bool)
        outside[chosen] = False
        data = loss(problem, chosen)
        for it in data.iterates(w[chosen] if warm else None):
            yield partial(_spread, data.candidate(it), chosen, n_features)
            w = np.zeros(n_features)
            w[chosen] = it.w * data.w_unit
            theta = data.dual(it.theta)
            if it.error > tolerance * it.objective:
                continue
            tolerance *= 0.1
            s = np.zeros(groups.n_groups)
            s[data.rows] = it.s * data.s_unit
            ratio = _ratio(np.abs(design.rmatvec(theta)), AT @ s)
            violators = np.count_nonzero(outside & (ratio > 1.0 + 1e-9))
            if violators:
                break
        else:
            return
        w = np.where(np.abs(w) > NEGLIGIBLE * np.abs(w).max(), w, 0.0)
        warm = True
        if violators > capacity // 2:
            capacity = min(n_features, capacity + capacity // 2)


def _spread(candidate, chosen, n_features):
    """A candidate of the chosen features as one of all."""

    def everywhere(values):
        w = np.zeros(n_features)
        w[chosen] = values
        return w

    raw = candidate.averaged_w
    return Candidate(
        everywhere(candidate.w),
        dual=candidate.dual,
        averaged_w=None if raw is None else everywhere(raw),
    )


def _choose(ratio, support, capacity):
    first = len(ratio) - min(len(ratio), max(capacity, len(support) + 1))
    top = np.argpartition(ratio, first)[first:]
    return np.union1d(top, support)


def _ratio(v, reach):
    return np.divide(v, reach, out=np.where(v > 0, np.inf, 0.0), where=reach > 0)
