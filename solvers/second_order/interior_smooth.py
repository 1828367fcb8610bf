"""Primal-dual interior point for the exclusive penalty with a smooth loss that is not quadratic."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import least_squares
from .interior import (
    EARLY_TOLERANCE,
    LATE,
    LATE_TOLERANCE,
    STALL_ITERATIONS,
    Form,
    Iterate,
    NewtonStep,
    Progress,
    feasible_slacks,
)

COLD_MARGIN, WARM_MARGIN = 1.1, 1.01
FIRST_SHARE = 0.03  # of the λ that halves the first step: where a cold start begins
CONTINUATION = 30.0  # factor between the λ of a cold start
HANDOVER = 0.3  # relative gap at which one λ hands over to the next
SLOW_CONTINUATION, SLOW_HANDOVER = 3.0, 1e-3  # of a second descent, where the first got lost
LOST = 1e-2  # relative gap from which it did
JAMMED = 1e-7  # relative gap above which a warm run that stopped is followed by a cold one
EXPLOSION = 10.0  # growth of the objective from which a step is halved
SHORTEST_STEP = 1e-9
WIDE_SAMPLES = 4096  # most samples for which a factor of that size is a second resort


class SmoothIterate(Iterate):
    """Interior point with the coefficients of the columns that nothing penalises.

    θ lies strictly inside the domain of the loss's conjugate, at x in the loss's own coordinate.
    """

    __slots__ = ("coefficients", "x")

    def __init__(self, form, p, q, x, theta, s, zp, zm, coefficients):
        super().__init__(form, p, q, theta, s, zp, zm)
        self.x, self.coefficients = x, coefficients

    def moved_inside(self, step, d, d_coefficients, loss):
        """The moved iterate with θ bent to stay in its domain, the same to first order.

        Cutting the step at the boundary instead costs twice the iterations when λ is small.
        """
        dp, dq, dtheta, ds, dzp, dzm = (step * part for part in d)
        x = loss.moved(self.x, dtheta)
        p, q, s = self.p + dp, self.q + dq, self.s + ds
        coefficients = self.coefficients + step * d_coefficients
        zp, zm = self.zp + dzp, self.zm + dzm
        return SmoothIterate(self.form, p, q, x, loss.theta(x), s, zp, zm, coefficients)


class BorderedStep(NewtonStep):
    """Newton step bordered by unpenalised columns B (the intercept's ones among them): Bᵀθ = 0.

    Directions carry the change of their coefficients as a last entry.
    """

    def __init__(self, it, system, border):
        super().__init__(it, system)
        self.border = border
        if border.shape[1]:
            zero = np.zeros(it.s.size)
            self.images = [system.solve(column, zero) for column in border.T]
            self.inner = border.T @ np.column_stack([image[0] for image in self.images])

    def solve(self, *args, **kwargs):
        return (*super().solve(*args, **kwargs), self.d_coefficients)

    def condensed(self, a, b, with_residuals):
        parts = self.system.solve(a, b)
        self.d_coefficients = np.zeros(self.border.shape[1])
        if self.border.shape[1]:
            # the main directions restore Bᵀθ = 0, the correctors added to them keep it
            missing = self.border.T @ (parts[0] + (self.it.theta if with_residuals else 0.0))
            self.d_coefficients = _solve_small(self.inner, missing)
            for change, image in zip(self.d_coefficients, self.images, strict=True):
                parts = tuple(x - change * e for x, e in zip(parts, image, strict=True))
        return parts


def _solve_small(matrix, right):
    if right.size == 1:
        return right / matrix[0, 0]
    return least_squares(matrix, right)


class WithOutliers(Form):
    """A form with one more feature a sample, whose |aᵢ| costs `cost`: min f(Xw + a) + costᵀ|a|

    With the squared loss and a cost of ωδ that is Huber's loss of Xw: aᵢ takes what exceeds δ.
    p and q are followed by the positive and the negative part of −a.
    """

    def __init__(self, X, A, lam, overlapping, signed=None, outlier_cost=None):
        n_samples, n_features = X.shape
        if signed is not None:
            signed = np.concatenate([signed, np.arange(n_features, n_features + n_samples)])
        super().__init__(X, A, lam, overlapping, signed)
        self.n_features = n_features + n_samples
        self._n = n_features
        self.outlier_cost = outlier_cost
        self.cost = np.concatenate([np.zeros(n_features), outlier_cost])

    def at(self, lam):
        signed = None if self.signed is None else self.signed[self.signed < self._n]
        return WithOutliers(self.X, self.A, lam, self.overlapping, signed, self.outlier_cost)

    def weights(self, values):
        return values[: self._n]

    def image(self, w):
        return self.X @ w[: self._n] + w[self._n :]

    def adjoint(self, theta):
        return np.concatenate([self.X.T @ theta, theta])

    def sums(self, w):
        return self.A @ w[: self._n]

    def spread(self, s):
        return np.concatenate([self.AT @ s, np.zeros(self.X.shape[0])])

    def system(self, dtype=np.float64, narrow=False):
        return _OutlierSystem(super().system(dtype, narrow), self._n)


class _OutlierSystem:
    """The systems of the features alone: an outlier's weights only add to its sample's diagonal."""

    def __init__(self, inner, n_features):
        self._inner, self._n = inner, n_features

    def set_lam(self, lam):
        self._inner.set_lam(lam)

    @property
    def tolerance(self):
        return self._inner.tolerance

    @tolerance.setter
    def tolerance(self, value):
        self._inner.tolerance = value

    def factor(self, d_plus, d_minus, inverse_curvature):
        n = self._n
        diagonal = inverse_curvature + d_plus[n:] + d_minus[n:]
        return self._inner.factor(d_plus[:n], d_minus[:n], diagonal)

    def solve(self, a, b):
        dtheta, ds, u, v = self._inner.solve(a, b)
        return dtheta, ds, np.concatenate([u, dtheta]), np.concatenate([v, np.zeros(dtheta.size)])


def interior_smooth(form, loss, border, w=None):
    """min f(Xw + Bc) + λ/2 ‖A|w|‖² for a smooth loss f, from a cold start or around w.

    `border` holds the unpenalised columns B.  Yields a SmoothIterate per factorisation (of size N,
    or n when features are fewer).  A cold start descends to λ from where w = 0 is nearly optimal,
    every λ from the solution before.
    """
    narrow = form.X.shape[1] < form.X.shape[0]
    system = form.system(narrow=narrow)
    if w is not None and _beats_zero(form, loss, border, w):
        for it in _at_lambda(form, loss, border, system, w, WARM_MARGIN):
            yield it
        if it.error <= JAMMED * it.objective:
            return
    for factor, handover in ((CONTINUATION, HANDOVER), (SLOW_CONTINUATION, SLOW_HANDOVER)):
        best, best_w = yield from _descent(form, loss, border, system, factor, handover)
        if best <= LOST:
            break
    if narrow and best > JAMMED and len(form.X) <= WIDE_SAMPLES:
        # the factor of size n squares the condition of X; the one of size N does not
        yield from _at_lambda(form, loss, border, form.system(), best_w, WARM_MARGIN)


def _descent(form, loss, border, system, factor, handover):
    """From a large λ down to the one wanted; returns the best relative error there, and its w."""
    w = np.zeros(form.X.shape[1])
    for lam in _descending(form, loss, border, factor):
        system.set_lam(lam)
        best, best_w = np.inf, w
        for it in _at_lambda(form.at(lam), loss, border, system, w, COLD_MARGIN):
            yield it
            if it.error <= best * it.objective:
                best, best_w = it.error / it.objective, it.w
            if lam > form.lam and it.error <= handover * it.objective:
                break
        w = best_w
    return best, best_w


def _coefficients(loss, border, scores):
    """The best intercept, and nothing yet for the other unpenalised columns."""
    coefficients = np.zeros(border.shape[1])
    if border.shape[1] and np.all(border[:, 0] == 1.0):
        coefficients[0] = loss.best_intercept(scores)
    return coefficients


def _beats_zero(form, loss, border, w):
    spread = form.A @ np.abs(w)
    at_w, at_zero = form.X @ w, np.zeros(len(form.X))
    at_w = at_w + border @ _coefficients(loss, border, at_w)
    at_zero = at_zero + border @ _coefficients(loss, border, at_zero)
    return loss.value(at_w) + 0.5 * form.lam * (spread @ spread) < loss.value(at_zero)


def _place(form, loss, scores):
    """Where the dual point starts: with outliers, a tenth of their price off its bound."""
    x = loss.place(scores)
    if form.n_features == form.X.shape[1]:
        return x
    return np.clip(x, -0.9 * form.outlier_cost, 0.9 * form.outlier_cost)


def _start(form, loss, border, w, margin):
    """An interior point around w; outliers take what the loss's link leaves of the scores."""
    coefficients = _coefficients(loss, border, form.X @ w)
    scores = form.X @ w + border @ coefficients
    x = _place(form, loss, scores)
    theta = loss.theta(x)
    n = form.X.shape[1]
    signed = None if form.signed is None else form.signed[form.signed < n]
    plain = Form(form.X, form.A, form.lam, form.overlapping, signed)
    p, q, s, zp, zm = feasible_slacks(plain, w, form.X.T @ theta, margin)
    if signed is not None:
        p = _near(plain, loss, p, q, w, border @ coefficients)
    if form.n_features > n:
        excess = loss.link(x) - scores
        width = 0.1 * np.mean(np.abs(excess)) + 1e-3 * np.abs(loss.y).max()
        p = np.concatenate([p, np.maximum(excess, 0.0) + width])
        q = np.concatenate([q, np.maximum(-excess, 0.0) + width])
        zp = np.concatenate([zp, form.outlier_cost - theta])
        zm = np.concatenate([zm, form.outlier_cost + theta])
    return SmoothIterate(form, p, q, x, theta, s, zp, zm, coefficients)


def _near(form, loss, p, q, w, base):
    """p with the entries that have no q drawn towards w until the loss is of the size it has there.

    Widening p alone moves w, and an exponential loss may not survive that.
    """
    alone = np.ones(len(p), dtype=bool)
    alone[form.signed] = False
    limit = 2.0 * loss.value(form.image(w) + base)
    for _ in range(40):
        if loss.value(form.image(p - form.lift(q)) + base) <= limit:
            break
        p = np.where(alone, w + 0.25 * (p - w), p)
    return p


def _at_lambda(form, loss, border, system, w, margin):
    lam = form.lam
    it = _start(form, loss, border, w, margin)
    progress = Progress()
    while True:
        p, q = it.p, it.q
        both = p + form.lift(q)
        u, v = form.adjoint(it.theta), form.spread(it.s) + form.cost
        scores = _scores(it, border)
        spread = form.sums(both)
        r_s = lam * spread - it.s
        r_zp, r_zm = v - u - it.zp, form.minus(v + u) - it.zm
        gap = it.complementarity()
        fenchel = loss.fenchel(scores, it.x)
        it.objective = loss.value(scores) + 0.5 * lam * (spread @ spread) + np.sum(form.cost * both)
        it.error = gap + abs(p @ r_zp + q @ r_zm) + fenchel + r_s @ r_s / (2 * lam)
        yield it
        early = min(it.error, progress.best) > LATE * it.objective
        if progress.has_stalled(it, 4 * STALL_ITERATIONS if early else STALL_ITERATIONS):
            return
        system.tolerance = EARLY_TOLERANCE if early else LATE_TOLERANCE
        weights = p / it.zp, form.lift(q / it.zm)
        if not system.factor(*weights, loss.inverse_curvature(it.x)):
            return
        newton = BorderedStep(it, system, border)
        newton.predict_and_correct(loss.link(it.x) - scores, r_s, r_zp, r_zm)
        it = _moved(it, newton, border, loss)
        if not it.is_finite():
            return


def _scores(it, border):
    return it.form.image(it.p - it.form.lift(it.q)) + border @ it.coefficients


def _moved(it, newton, border, loss):
    """The next iterate; with a loss that may explode, shortened until it does not."""
    *direction, d_coefficients = newton.direction
    step, limit = newton.step, EXPLOSION * (it.objective + it.error)
    while True:
        moved = it.moved_inside(step, direction, d_coefficients, loss)
        tame = getattr(loss, "lipschitz", True) or loss.value(_scores(moved, border)) <= limit
        if tame or not step >= SHORTEST_STEP:  # nor does a step that is not a number end well
            return moved
        step *= 0.5


def _descending(form, loss, border, factor):
    """Decreasing λ ending at the one wanted."""
    zero = np.zeros(len(form.X))
    x = _place(form, loss, zero + border @ _coefficients(loss, border, zero))
    v, A, lam = form.X.T @ loss.theta(x), form.A, form.lam
    # u: in each group the feature of largest |vᵢ|/A_gi, valued vᵢ/A_gi²; along it the first step is
    # halved at λ₀ = uᵀXᵀHXu / ‖A|u|‖²
    group = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    last = np.lexsort((np.abs(v)[A.indices] / A.data, group))[A.indptr[1:] - 1]
    u = np.zeros(len(v))
    u[A.indices[last]] = v[A.indices[last]] / A.data[last] ** 2
    spread, fit = A @ np.abs(u), form.X @ u
    size = spread @ spread
    stage = FIRST_SHARE * np.sum(fit**2 / loss.inverse_curvature(x)) / size if size > 0 else lam
    while lam * 3.0 < stage < np.inf:
        yield stage
        stage /= factor
    yield lam
