"""The subgradient method, with Polyak's step towards a target level, on smooth losses and E-SVM."""

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
    return _descend(problem, w0, _smooth_value, _smooth_slope, problem.bound)


def _run_svm(problem, w0):
    """min over w of Σ ωᵢ max(0, 1 − yᵢxᵢᵀw) + α/2‖w‖² + β/2‖w‖_e² =: P(w) (any groups)

    The same steps and guarantee, O(1/√k); it makes no use of the strong convexity that α > 0 gives.
    At a kink the hinge's slope is 0, its dual point u = ω where the margin is below 1.
    """

    def bound(u, w):
        return problem.bound(u, [w])

    return _descend(problem, w0, _hinge_value, _hinge_slope, bound)


# Of a point and its predictions: the objective but for the norm; its dual point and its slope.


def _smooth_value(problem, w, predictions):
    return problem.loss.value(predictions)


def _smooth_slope(problem, w, predictions):
    theta = -problem.loss.gradient(predictions)
    return theta, -problem.design.rmatvec(theta)


def _hinge_value(problem, w, predictions):
    hinge = problem.sample_weight @ np.maximum(0.0, 1.0 - problem.y * predictions)
    return float(hinge) + 0.5 * problem.alpha * float(w @ w)


def _hinge_slope(problem, w, predictions):
    u = problem.sample_weight * (problem.y * predictions < 1.0)
    return u, problem.alpha * w - problem.weighted_samples(u)


def _descend(problem, w0, value, slope, lower_bound):
    geometry = problem.geometry
    w = np.zeros(problem.n_features) if w0 is None else w0
    best, lowest, bound = w, np.inf, 0.0
    primal, dual, weight = np.zeros(w.size), np.zeros(problem.n_samples), 0.0
    k = 0
    while True:
        predictions = problem.design.matvec(w)
        predictions = predictions + problem.best_intercept(predictions)
        totals = geometry.totals(w)
        objective = value(problem, w, predictions) + problem.penalty.group_values(totals)
        if objective < lowest:
            best, lowest = w, objective
        yield partial(_candidate, best, primal, dual, weight)
        k += 1
        if k % _BOUND_EVERY == 0:
            bound = max(bound, lower_bound(dual / weight, best))

        point, subgradient = slope(problem, w, predictions)
        subgradient = subgradient + geometry.spread(problem.penalty.slope(totals)) * np.sign(w)
        squared_length = float(subgradient @ subgradient)
        if lowest <= 0.0 or squared_length == 0.0 or not np.isfinite(squared_length):
            return
        c = max(_SMALLEST_SHARE * lowest, min(lowest, _GAP_SHARE * (lowest - bound)))
        step = (objective - lowest + c / np.sqrt(k)) / squared_length
        primal, dual = primal + (k * step) * w, dual + (k * step) * point
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

svm_subgradient = Method(
    "subgradient",
    "Subgradient",
    "Zhou, Jin & Hoi, Exclusive Lasso for Multi-task Feature Selection, AISTATS 2010, on the hinge",
    _run_svm,
    accepts=any_signs,
    max_iter=200_000,
)
