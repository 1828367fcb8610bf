"""The subgradient method, with Polyak's step towards a target level."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..method import Method, all_of, any_signs, squared_norm
from ..problems import Candidate

# How often the lower bound is renewed: often enough to be current, seldom enough to be free.
_BOUND_EVERY = 100
# c follows the certified gap at this distance, and never falls below the smallest share of P.
_GAP_SHARE = 10.0
_SMALLEST_SHARE = 0.01


def _run(problem, w0):
    """min over w of f(Xw) + λ/2‖w‖_e² =: P(w), along one subgradient g of P (any groups)

    The step is (P − P_best + c/√k)/‖g‖²: Polyak's, for the target P_best − c/√k instead of the
    unknown optimal value. Where P = P_best it is the classical diminishing step, c/√k. The constant
    is c = P_best·min(1, 10·(relative certified gap)), kept above P_best/100, so it needs no tuning
    and is free of units. The distance to the optimum falls as long as c/√k < P_best − P*, hence
    P_best − P* = O(1/√k) up to a logarithm.

    It shows the best iterate and the average of all, weighted by k·step, whichever is lower, and
    the same average of the dual points. The intercept is minimised out. Achievable accuracy: what
    1/√k leaves, in 10⁴ iterations about 1e-2 relative where features far outnumber samples and 1e-4
    where they do not. Two products with X an iteration.
    """
    geometry, lam = problem.geometry, problem.lam
    w = np.zeros(problem.n_features) if w0 is None else w0
    best, lowest, bound = w, np.inf, 0.0
    primal, dual, weight = np.zeros(w.size), np.zeros(problem.n_samples), 0.0
    k = 0
    while True:
        predictions = problem.design.matvec(w)
        predictions = predictions + problem.best_intercept(predictions)
        totals = geometry.totals(w)
        objective = problem.loss.value(predictions) + problem.penalty.group_values(totals)
        if objective < lowest:
            best, lowest = w, objective
        yield partial(_candidate, best, primal, dual, weight)
        k += 1
        if k % _BOUND_EVERY == 0:
            bound = max(bound, problem.bound(dual / weight, best))

        theta = -problem.loss.gradient(predictions)
        subgradient = geometry.spread(lam * totals) * np.sign(w) - problem.design.rmatvec(theta)
        squared_length = float(subgradient @ subgradient)
        if lowest <= 0.0 or squared_length == 0.0 or not np.isfinite(squared_length):
            return
        c = max(_SMALLEST_SHARE * lowest, min(lowest, _GAP_SHARE * (lowest - bound)))
        step = (objective - lowest + c / np.sqrt(k)) / squared_length
        primal, dual = primal + (k * step) * w, dual + (k * step) * theta
        weight += k * step
        w = w - step * subgradient


def _candidate(best, primal, dual, weight):
    if weight == 0.0:
        return Candidate(best)
    return Candidate(best, other_w=primal / weight, other_dual=dual / weight)


subgradient = Method(
    "subgradient",
    "Subgradient",
    "Zhou, Jin & Hoi, Exclusive Lasso for Multi-task Feature Selection, AISTATS 2010",
    _run,
    accepts=all_of(squared_norm, any_signs),
    max_iter=200_000,
)
