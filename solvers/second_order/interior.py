"""Primal-dual interior point for the exclusive lasso in non-negative least-squares form."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import cholesky
from .newton_system import NarrowSystem, ReducedSystem

STEP_TO_BOUNDARY = 0.995
CENTRALITY_CORRECTORS = 4
CORRECTOR_GAIN = 0.02  # a corrector that lengthens the step by less is not worth another one
EARLY_TOLERANCE, LATE_TOLERANCE = 1e-3, 1e-5  # of directions, before and after the gap is LATE
LATE = 1e-3
SINGLE_UNTIL = 1e-2  # relative gap down to which single precision directions suffice
SINGLE_MAX_ENTRIES = 2**28
STALL_ITERATIONS = 4
SETTLED = 1e-3  # ratio of variable to slack, in units of their largest, that counts as zero
ROUNDING = 1e-15  # relative complementarity at which nothing is left to gain


class Form:
    """Xw and A|w| in terms of w = p − q, p, q ≥ 0: everything an interior point asks of the data.

    A feature that must not be negative has no q, so q is as long as `signed`, the features that
    have one (None for all).  `cost` is charged for |w| beside the squared norm: nothing here, but
    see `WithOutliers`.
    """

    cost = 0.0

    def __init__(self, X, A, lam, overlapping, signed=None):
        self.X, self.A, self.AT = X, A, A.T.tocsr()
        self.lam, self.overlapping, self.signed = lam, overlapping, signed
        self.n_features = X.shape[1]

    def at(self, lam):
        """The same data under another λ."""
        return type(self)(self.X, self.A, lam, self.overlapping, self.signed)

    def minus(self, values):
        """The entries of features that have a q."""
        return values if self.signed is None else values[self.signed]

    def lift(self, values):
        """q, or anything of its length, as one entry a feature."""
        if self.signed is None:
            return values
        lifted = np.zeros(self.n_features)
        lifted[self.signed] = values
        return lifted

    def pull(self, v):
        """|v|, or (v)₊ for features without a q."""
        pull = np.maximum(v, 0.0)
        if self.signed is None:
            return np.abs(v)
        pull[self.signed] = np.abs(v[self.signed])
        return pull

    def clip(self, w):
        """w with the signs it may have."""
        clipped = np.maximum(w, 0.0)
        if self.signed is None:
            return w
        clipped[self.signed] = w[self.signed]
        return clipped

    def weights(self, values):
        """The part of p, q or w that belongs to features."""
        return values

    def image(self, w):
        return self.X @ w

    def adjoint(self, theta):
        return self.X.T @ theta

    def sums(self, w):
        return self.A @ w

    def spread(self, s):
        return self.AT @ s

    def system(self, dtype=np.float64, narrow=False):
        """The Newton systems of this form."""
        kind = NarrowSystem if narrow else ReducedSystem
        return kind(self.X, self.A, self.lam, self.overlapping, dtype)


class Iterate:
    """Interior point: w = p − q, the dual pair (θ, s) and the slacks z± = cost + Aᵀs ∓ Xᵀθ."""

    __slots__ = ("error", "form", "objective", "p", "polished", "q", "s", "theta", "zm", "zp")

    def __init__(self, form, p, q, theta, s, zp, zm):
        self.form = form
        self.p, self.q, self.theta, self.s, self.zp, self.zm = p, q, theta, s, zp, zm
        self.objective = self.error = np.inf
        self.polished = None

    @property
    def w(self):
        return self.form.weights(self.p - self.form.lift(self.q))

    @property
    def settled(self):
        """w with exact zeros where complementarity has chosen the slack over the variable."""
        q = _unless_slack(self.q, self.zm)
        return self.form.weights(_unless_slack(self.p, self.zp) - self.form.lift(q))

    def complementarity(self):
        return self.p @ self.zp + self.q @ self.zm

    def moved(self, step, d):
        dp, dq, dtheta, ds, dzp, dzm = (step * part for part in d)
        p, q, theta, s = self.p + dp, self.q + dq, self.theta + dtheta, self.s + ds
        return Iterate(self.form, p, q, theta, s, self.zp + dzp, self.zm + dzm)

    def is_finite(self):
        return all(np.isfinite(part).all() for part in (self.p, self.q, self.theta, self.s))


def _unless_slack(p, z):
    if not p.size:
        return p
    largest = p.max() / z.max()
    return np.where(p < SETTLED * largest * z, 0.0, p)


class Progress:
    """Tell when rounding has ended the progress of an interior point."""

    def __init__(self):
        self.best, self.last, self.since = np.inf, np.inf, 0

    def has_stalled(self, it, patience=STALL_ITERATIONS):
        if not ROUNDING * it.objective < it.complementarity() < np.inf:
            return True
        # A badly centred start may first lose ground; falling from there is progress too.
        improves = it.error < 0.5 * self.best or it.error < 0.5 * self.last
        self.since = 0 if improves else self.since + 1
        self.best, self.last = min(self.best, it.error), it.error
        return self.since >= patience


def interior_point(form, y, start):
    """min ½‖Xw − y‖² + λ/2 ‖A|w|‖²: Mehrotra's predictor-corrector with centrality correctors.

    Yields an Iterate, one factorisation apart from the next (about ten from a cold start to a
    relative gap of 1e-8), and returns when rounding has stopped the progress.  Directions are
    computed in single precision while the gap is wide; residuals always in double precision.
    """
    lam = form.lam
    single = form.X.size <= SINGLE_MAX_ENTRIES
    system = form.system(np.float32 if single else np.float64)
    it, progress = start, Progress()
    while True:
        p, q = it.p, it.q
        u, v = form.adjoint(it.theta), form.spread(it.s)
        residual = y - form.image(p - form.lift(q))
        spread = form.sums(p + form.lift(q))
        r_theta, r_s = residual - it.theta, lam * spread - it.s
        r_zp, r_zm = v - u - it.zp, form.minus(v + u) - it.zm
        gap = it.complementarity()
        it.objective = 0.5 * (residual @ residual + lam * (spread @ spread))
        # P − D of the iterate, term by term, so that nothing cancels
        it.error = gap + abs(p @ r_zp + q @ r_zm) + 0.5 * (r_theta @ r_theta + r_s @ r_s / lam)
        yield it
        if progress.has_stalled(it):
            return
        weights = p / it.zp, form.lift(q / it.zm)
        enough = single and gap > SINGLE_UNTIL * it.objective and system.reliable
        if single and not (enough and system.factor(*weights)):
            single = False
            system = form.system()
        if not single and not system.factor(*weights):
            return
        system.tolerance = EARLY_TOLERANCE if gap > LATE * it.objective else LATE_TOLERANCE
        newton = NewtonStep(it, system)
        newton.predict_and_correct(r_theta, r_s, r_zp, r_zm)
        it = it.moved(newton.step, newton.direction)
        if not it.is_finite():
            return


class NewtonStep:
    """Direction and step length of one iteration: predictor, corrector, centrality correctors.

    Directions are tuples (dp, dq, dθ, ds, dz₊, dz₋).
    """

    def __init__(self, it, system):
        self.it, self.form, self.system = it, it.form, system
        self.d_plus, self.d_minus = it.p / it.zp, it.q / it.zm

    def predict_and_correct(self, r_theta, r_s, r_zp, r_zm):
        it = self.it
        p, q, zp, zm = it.p, it.q, it.zp, it.zm
        gap = it.complementarity()
        mean = gap / (p.size + q.size)
        d = self.solve(-p * zp, -q * zm, r_theta, r_s, r_zp, r_zm)
        step = self.reach(d)
        after = (p + step * d[0]) @ (zp + step * d[4]) + (q + step * d[1]) @ (zm + step * d[5])
        target = mean * min(1.0, max(after / gap, 0.0)) ** 3
        complement = target - p * zp - d[0] * d[4], target - q * zm - d[1] * d[5]
        d = self.solve(*complement, r_theta, r_s, r_zp, r_zm)
        self.direction, self.step = self._centre(d, self.reach(d), max(target, 1e-3 * mean))
        if self.step < 1.0:
            self.step *= STEP_TO_BOUNDARY

    def _centre(self, d, step, target):
        """Gondzio's correctors: pull the outlying products of a longer step towards the target."""
        it = self.it
        for _ in range(CENTRALITY_CORRECTORS):
            if step > 0.95:
                break
            aim = min(1.0, 1.08 * step + 0.1)
            push_p = _towards((it.p + aim * d[0]) * (it.zp + aim * d[4]), target)
            push_q = _towards((it.q + aim * d[1]) * (it.zm + aim * d[5]), target)
            longer = tuple(a + b for a, b in zip(d, self.solve(push_p, push_q), strict=True))
            reached = self.reach(longer)
            if reached < step + CORRECTOR_GAIN:
                break
            d, step = longer, reached
        return d, step

    def solve(self, cp, cm, r_theta=None, r_s=0.0, r_zp=0.0, r_zm=0.0):
        """Newton direction for complementarity targets cp, cm and the given residuals."""
        it, form = self.it, self.form
        gp, gm = cp / it.zp - self.d_plus * r_zp, cm / it.zm - self.d_minus * r_zm
        lifted = form.lift(gm)
        a = -form.image(gp - lifted)
        if r_theta is not None:
            a += r_theta
        b = r_s / form.lam + form.sums(gp + lifted)
        dtheta, ds, u, v = self.condensed(a, b, r_theta is not None)
        ep, em = v - u, form.minus(v + u)
        return gp - self.d_plus * ep, gm - self.d_minus * em, dtheta, ds, r_zp + ep, r_zm + em

    def condensed(self, a, b, with_residuals):
        return self.system.solve(a, b)

    def reach(self, d):
        """Largest step in (0, 1] that keeps p, q and the slacks nonnegative."""
        it = self.it
        pairs = ((it.p, d[0]), (it.q, d[1]), (it.zp, d[4]), (it.zm, d[5]))
        worst = min((dx / x).min(initial=0.0) for x, dx in pairs)
        return 1.0 if worst >= -1.0 else -1.0 / worst


def _towards(product, target):
    change = np.clip(product, 0.1 * target, 10 * target) - product
    return np.maximum(change, -10 * target)


def feasible_start(form, y, w, margin):
    """Strictly interior point around any w, with zero residuals where all features have a q."""
    theta = y - form.image(w)
    p, q, s, zp, zm = feasible_slacks(form, w, form.adjoint(theta), margin)
    return Iterate(form, p, q, theta, s, zp, zm)


def feasible_slacks(form, w, v, margin):
    """(p, q, s, z₊, z₋) with p − q = w, s = λA(p+q) and z± = Aᵀs ∓ v > 0.

    Widening p and q by the same δ leaves w alone and raises s until Aᵀs exceeds |v| by the
    factor `margin`; the closer to one, the closer to the boundary a good w starts.  Where there is
    no q, w moves by δ, and where nothing covers a feature, its slack is wrong at first.
    """
    A, AT, lam = form.A, form.AT, form.lam
    pull, held = form.pull(v), AT @ np.ones(A.shape[0])
    widths = A @ (1.0 + form.lift(np.ones(form.minus(w).size)))
    deficit = np.maximum(margin * pull - lam * (AT @ (A @ np.abs(w))), 0.0)
    deficit = np.divide(deficit, held, out=np.zeros_like(deficit), where=held > 0.0)
    per_group = np.maximum.reduceat(deficit[A.indices], A.indptr[:-1]) / (lam * widths)
    delta = np.zeros(len(w))
    np.maximum.at(delta, A.indices, np.repeat(per_group, np.diff(A.indptr)))
    top = max(delta.max(), (margin - 1.0) * 1e-2 * np.abs(w).max())
    delta = np.maximum(delta, 1e-3 * top)
    p, q = np.maximum(w, 0.0) + delta, form.minus(np.maximum(-w, 0.0) + delta)
    s = lam * (A @ (p + form.lift(q)))
    reach = AT @ s
    zp, zm = reach - v, form.minus(reach + v)
    if form.signed is not None:
        zp = np.maximum(zp, 1e-2 * (pull.max() + reach.max()) * (held == 0.0) + 1e-300)
    return p, q, s, zp, zm


def ridge_start(form, y):
    """w = Xᵀ(XXᵀ + κI)⁻¹y: about the minimiser if every group shared its weight evenly."""
    X, A = form.X, form.A
    single = X.astype(np.float32)
    gram = (single @ single.T).astype(np.float64)
    crowd = (A.T @ (A @ np.ones(X.shape[1]))).mean()
    kappa = max(0.3 * form.lam * crowd, 1e-6 * np.trace(gram) / len(gram))
    gram.reshape(-1)[:: len(gram) + 1] += kappa
    factor = cholesky(gram, lift=1e-6)
    return np.zeros(X.shape[1]) if factor is None else form.clip(X.T @ factor.solve(y))
