"""Primal-dual interior point for exclusive logistic regression."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, xlogy

from .interior import (
    EARLY_TOLERANCE,
    LATE,
    LATE_TOLERANCE,
    STALL_ITERATIONS,
    Iterate,
    NewtonStep,
    Progress,
    feasible_slacks,
)
from .newton_system import NarrowSystem, ReducedSystem

COLD_MARGIN, WARM_MARGIN = 1.1, 1.01
FIRST_SHARE = 0.03  # of the λ that halves the first step: where a cold start begins
CONTINUATION = 30.0  # factor between the λ of a cold start
HANDOVER = 0.3  # relative gap at which one λ hands over to the next
JAMMED = 1e-7  # relative gap above which a warm run that stopped is followed by a cold one
WIDE_SAMPLES = 4096  # most samples for which a factor of that size is a second resort
MAX_BEND = 5.0  # logarithm of the largest change of a dual variable in one step


class LogisticIterate(Iterate):
    """Interior point with the unpenalised intercept; θ = ω y a with a in (0, 1)."""

    __slots__ = ("intercept",)

    def __init__(self, p, q, theta, s, zp, zm, intercept):
        super().__init__(p, q, theta, s, zp, zm)
        self.intercept = intercept

    def moved_inside(self, step, d, d_intercept, labels, weights):
        """The moved iterate with θ bent to stay in its box, the same to first order.

        Cutting the step at the box instead costs twice the iterations when λ is small.
        """
        dp, dq, dtheta, ds, dzp, dzm = (step * part for part in d)
        inside, change = self.theta * labels, dtheta * labels
        room = np.where(change < 0, inside, weights - inside)
        bend = np.minimum(np.abs(change) / room, MAX_BEND)
        inside = inside - np.sign(change) * room * np.expm1(-bend)
        theta = labels * np.clip(inside, 1e-200 * weights, (1 - 2e-16) * weights)
        p, q, s = self.p + dp, self.q + dq, self.s + ds
        intercept = self.intercept + step * d_intercept
        return LogisticIterate(p, q, theta, s, self.zp + dzp, self.zm + dzm, intercept)


class LogisticStep(NewtonStep):
    """Newton step bordered by the intercept; directions carry its change as a last entry."""

    def __init__(self, X, A, lam, it, system, fit_intercept):
        super().__init__(X, A, lam, it, system)
        self.fit_intercept = fit_intercept
        if fit_intercept:
            self.border = system.solve(np.ones(len(it.theta)), np.zeros(A.shape[0]))
            self.border_sum = self.border[0].sum()

    def solve(self, *args, **kwargs):
        return (*super().solve(*args, **kwargs), self.d_intercept)

    def condensed(self, a, b, with_residuals):
        parts = self.system.solve(a, b)
        self.d_intercept = 0.0
        if self.fit_intercept:
            # the main directions restore Σθ = 0, the correctors added to them keep it
            imbalance = self.it.theta.sum() if with_residuals else 0.0
            change = (parts[0].sum() + imbalance) / self.border_sum
            parts = tuple(x - change * e for x, e in zip(parts, self.border, strict=True))
            self.d_intercept = change
        return parts


def interior_logistic(X, loss, A, lam, overlapping, fit_intercept, w=None):
    """min Σ ωᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖A|w|‖², from a cold start or around w.

    Yields a LogisticIterate per factorisation (of size N, or n when features are fewer).  A cold
    start descends to λ from where w = 0 is nearly optimal, every λ from the solution before.
    """
    narrow = X.shape[1] < X.shape[0]
    system = (NarrowSystem if narrow else ReducedSystem)(X, A, lam, overlapping)
    data = X, loss, A
    if w is not None and _beats_zero(*data, lam, fit_intercept, w):
        for it in _at_lambda(*data, lam, system, fit_intercept, w, WARM_MARGIN):
            yield it
        if it.error <= JAMMED * it.objective:
            return
    w = np.zeros(X.shape[1])
    for stage in _descending(*data, lam, fit_intercept):
        system.set_lam(stage)
        best, best_w = np.inf, w
        for it in _at_lambda(*data, stage, system, fit_intercept, w, COLD_MARGIN):
            yield it
            w = it.w
            if it.error <= best * it.objective:
                best, best_w = it.error / it.objective, w
            if stage > lam and it.error <= HANDOVER * it.objective:
                break
    if narrow and best > JAMMED and len(X) <= WIDE_SAMPLES:
        # the factor of size n squares the condition of X; the one of size N does not
        system = ReducedSystem(X, A, lam, overlapping)
        yield from _at_lambda(*data, lam, system, fit_intercept, best_w, WARM_MARGIN)


def _beats_zero(X, loss, A, lam, fit_intercept, w):
    spread = A @ np.abs(w)
    at_w, at_zero = X @ w, np.zeros(len(X))
    if fit_intercept:
        at_w = at_w + loss.best_intercept(at_w)
        at_zero = at_zero + loss.best_intercept(at_zero)
    return loss.value(at_w) + 0.5 * lam * (spread @ spread) < loss.value(at_zero)


def _at_lambda(X, loss, A, lam, system, fit_intercept, w, margin):
    labels, weights, AT = loss.y, loss.sample_weight, system.AT
    scores = X @ w
    intercept = loss.best_intercept(scores) if fit_intercept else 0.0
    share = np.clip(expit(-labels * (scores + intercept)), 1e-12, 1 - 1e-12)
    theta = weights * labels * share
    p, q, s, zp, zm = feasible_slacks(A, lam, w, X.T @ theta, margin)
    it = LogisticIterate(p, q, theta, s, zp, zm, intercept)
    progress = Progress()
    while True:
        p, q = it.p, it.q
        u, v = X.T @ it.theta, AT @ it.s
        scores = X @ (p - q) + it.intercept
        spread = A @ (p + q)
        share = it.theta * labels / weights
        link = labels * (np.log1p(-share) - np.log(share))
        r_s = lam * spread - it.s
        r_zp, r_zm = v - u - it.zp, v + u - it.zm
        gap = it.complementarity()
        margins = labels * scores
        losses = np.logaddexp(0.0, -margins)
        entropy = xlogy(share, share) + xlogy(1 - share, 1 - share)
        fenchel = weights @ np.maximum(losses + entropy + share * margins, 0.0)
        it.objective = weights @ losses + 0.5 * lam * (spread @ spread)
        it.error = gap + abs(p @ r_zp + q @ r_zm) + fenchel + r_s @ r_s / (2 * lam)
        yield it
        early = min(it.error, progress.best) > LATE * it.objective
        if progress.has_stalled(it, 4 * STALL_ITERATIONS if early else STALL_ITERATIONS):
            return
        system.tolerance = EARLY_TOLERANCE if early else LATE_TOLERANCE
        inverse_curvature = 1.0 / (weights * share * (1 - share))
        if not system.factor(p / it.zp, q / it.zm, inverse_curvature):
            return
        newton = LogisticStep(X, A, lam, it, system, fit_intercept)
        newton.predict_and_correct(link - scores, r_s, r_zp, r_zm)
        *direction, d_intercept = newton.direction
        it = it.moved_inside(newton.step, direction, d_intercept, labels, weights)
        if not it.is_finite():
            return


def _descending(X, loss, A, lam, fit_intercept):
    """Decreasing λ ending at the one wanted."""
    labels, weights = loss.y, loss.sample_weight
    intercept = loss.best_intercept(np.zeros(len(labels))) if fit_intercept else 0.0
    share = expit(-labels * intercept)
    v = X.T @ (weights * labels * share)
    # u: per group its largest |vᵢ|; λ₀ = uᵀXᵀHXu / ‖u‖ₑ² is where the first step along u is halved
    group = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    leaders = A.indices[np.lexsort((np.abs(v)[A.indices], group))[A.indptr[1:] - 1]]
    u = np.zeros(len(v))
    u[leaders] = v[leaders]
    spread, fit = A @ np.abs(u), X @ u
    size = spread @ spread
    stage = FIRST_SHARE * ((weights * share * (1 - share)) @ fit**2) / size if size > 0 else lam
    while stage > 3.0 * lam:
        yield stage
        stage /= CONTINUATION
    yield lam
