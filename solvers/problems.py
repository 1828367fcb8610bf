"""What is solved. A problem owns its data, its objective and its dual bound.

No solver scores itself: a method hands over a `Candidate`, and the problem computes the objective
of its primal point and a lower bound on the optimal value from its dual points. Their difference is
a certificate, valid whatever the method did.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from .design import Design
from .groups import Groups
from .losses import LogisticLoss, SquaredLoss, balance_classes
from .penalty import ExclusivePenalty
from .projections import project_box_hyperplane, shrink_groups
from .validation import (
    as_data_matrix,
    as_positive,
    as_target,
    as_weights,
    check_labels,
    without_zero_weights,
)


@dataclass(frozen=True)
class Candidate:
    """What a method has to show: a primal point, and dual points if it has better ones.

    `w` is what the method calls its solution. The problem chooses `averaged_w` instead where its
    objective is lower, unless `w` is good enough. Dual points are θ for a smooth loss (the problem
    adds −∇f at w by itself) and u in [0, ω] for the hinge.
    """

    w: np.ndarray
    dual: np.ndarray | None = None
    averaged_w: np.ndarray | None = None
    averaged_dual: np.ndarray | None = None


@dataclass(frozen=True)
class Score:
    """The certified value of a candidate: objective ≥ optimal value ≥ bound."""

    w: np.ndarray
    intercept: float
    objective: float
    bound: float


def relative_gap(objective: float, bound: float) -> float:
    """(P − D)/max(|P|, |D|), and 0 where both are 0 or their difference is rounding.

    A bound clearly above the objective is no certificate at all, and counts as an infinite gap.
    """
    size = max(abs(objective), abs(bound))
    if size == 0.0:
        return 0.0
    if not (np.isfinite(objective) and np.isfinite(bound)):
        return np.inf
    gap = (objective - bound) / size
    if gap >= 0.0:
        return gap
    return 0.0 if gap > -1e-9 else np.inf


class _Valued(NamedTuple):
    """A primal point with its objective, and intercept and predictions of the centred design."""

    value: float
    w: np.ndarray
    intercept: float
    predictions: np.ndarray


def _value(point: _Valued) -> float:
    return point.value


def _first_good(points: list[_Valued], bound: float, tol: float) -> _Valued:
    """The first point within the tolerance, a method's own choice first; else the best."""
    good = (point for point in points if relative_gap(point.value, bound) <= tol)
    return next(good, None) or min(points, key=_value)


class Problem:
    """Data and groups shared by all problems. `y` and `sample_weight` lack zero-weight samples."""

    def __init__(self, X, y, groups, fit_intercept, sample_weight):
        columns = getattr(X, "columns", None)
        X = as_data_matrix(X)
        y = as_target(y, X.shape[0])
        weight = as_weights(sample_weight, X.shape[0])
        X, y, weight = without_zero_weights(X, y, weight)
        self.groups = Groups.given(groups, X.shape[1], columns=columns)
        self.y = y
        self.sample_weight = weight
        self.fit_intercept = bool(fit_intercept)
        # What was subtracted from y; only losses of z − y allow that.
        self.offset = 0.0
        means = None
        if self.fit_intercept:
            means = np.asarray(weight @ X).reshape(-1) / weight.sum()
        self.design = Design(X, means)

    @property
    def n_samples(self) -> int:
        return self.design.shape[0]

    @property
    def n_features(self) -> int:
        return self.design.shape[1]

    def _intercept_of(self, point: _Valued) -> float:
        """The intercept in the units of X and y, from that of the centred design."""
        if not self.fit_intercept:
            return 0.0
        return float(point.intercept + self.offset - self.design.means @ point.w)

    def _primal_points(self, candidate):
        points = [candidate.w]
        if candidate.averaged_w is not None:
            points.append(candidate.averaged_w)
        return points


class SmoothProblem(Problem):
    """min over w, b of f(Xw + b) + λ/2 Σ_g ‖w_g‖₁^q, for a smooth convex loss f

    The paper's "general smooth loss": any object with the interface of `solvers.losses`.
    """

    def __init__(
        self,
        X,
        y,
        groups,
        lam,
        *,
        loss=SquaredLoss,
        exponent=2.0,
        fit_intercept=False,
        sample_weight=None,
    ):
        super().__init__(X, y, groups, fit_intercept, sample_weight)
        self.lam = as_positive(lam, "lam")
        self.exponent = as_positive(exponent, "exponent")
        if self.exponent < 1.0:
            raise ValueError(f"exponent must be at least 1, got {exponent}.")
        if self.fit_intercept and loss.shift_invariant:
            self.y, self.offset = _centred(self.y, self.sample_weight)
        self.loss = loss(self.y, self.sample_weight)
        self.penalty = ExclusivePenalty(self.groups, self.lam, self.exponent)

    def with_strength(self, lam: float) -> Self:
        """The same data under another λ, sharing all arrays."""
        other = copy.copy(self)
        other.lam = as_positive(lam, "lam")
        other.penalty = ExclusivePenalty(self.groups, other.lam, self.exponent)
        return other

    def objective(self, w, intercept=0.0) -> float:
        """f(Xw + b) + Ω(w); the intercept is that of the centred design, if there is one."""
        return self.loss.value(self.design.matvec(w) + intercept) + self.penalty.value(w)

    def dual_point(self, w, intercept=0.0) -> np.ndarray:
        """θ = −∇f(Xw + b), so that the gradient of the smooth part is −Xᵀθ."""
        return -self.loss.gradient(self.design.matvec(w) + intercept)

    def gradient(self, w, intercept=0.0) -> np.ndarray:
        """∇ over w of the smooth part f(Xw + b)."""
        return -self.design.rmatvec(self.dual_point(w, intercept))

    def best_intercept(self, predictions) -> float:
        return self.loss.best_intercept(predictions) if self.fit_intercept else 0.0

    def bound(self, theta, w) -> float:
        """A lower bound on the optimal value from any dual point θ; w is a nearby primal point."""
        theta = self.loss.feasible(theta, balanced=self.fit_intercept)
        cover = self.penalty.cover(self.design.rmatvec(theta), w)
        return max(self._dual_value(c, theta, cover) for c in self._multiples(theta, cover))

    def _dual_value(self, c, theta, cover) -> float:
        return self.loss.dual_value(c * theta) - self.penalty.conjugate(c * cover)

    def _multiples(self, theta, cover) -> list[float]:
        """Scalings of θ worth trying: θ itself if allowed, none, and the best one."""
        limit = min(self.loss.largest_multiple(theta), self.penalty.largest_multiple(cover))
        if self.exponent == 2.0:
            best = self.loss.best_multiple(theta, self.penalty.conjugate(cover))
            if best is not None:
                return [best]
        best = _maximiser(lambda c: self._dual_value(c, theta, cover), min(limit, 4.0))
        return [0.0, min(1.0, limit), best]

    def score(self, candidate: Candidate, *, tol=0.0, known_bound=-np.inf) -> Score:
        points = [self._valued(w) for w in self._primal_points(candidate)]
        best = min(points, key=_value)
        thetas = [-self.loss.gradient(best.predictions), candidate.dual, candidate.averaged_dual]
        bound = max(self.bound(theta, best.w) for theta in thetas if theta is not None)
        chosen = _first_good(points, max(bound, known_bound), tol)
        return Score(chosen.w, self._intercept_of(chosen), chosen.value, bound)

    def _valued(self, w) -> _Valued:
        predictions = self.design.matvec(w)
        b = self.best_intercept(predictions)
        predictions = predictions + b
        return _Valued(self.loss.value(predictions) + self.penalty.value(w), w, b, predictions)


class LassoProblem(SmoothProblem):
    """min over w of ½‖Xw − y‖² + λ/2 ‖w‖_e² (E-LASSO; the paper's experiments write λ for λ/2)"""

    def __init__(self, X, y, groups, lam, **options):
        super().__init__(X, y, groups, lam, loss=SquaredLoss, **options)


class LogisticProblem(SmoothProblem):
    """min over w of Σᵢ log(1 + exp(−yᵢxᵢᵀw)) + λ/2 ‖w‖_e², yᵢ = ±1"""

    def __init__(self, X, y, groups, lam, **options):
        super().__init__(X, y, groups, lam, loss=LogisticLoss, **options)
        check_labels(self.y)
        if self.fit_intercept and np.unique(self.y).size < 2:
            raise ValueError(
                f"all labels are {self.y[0]:+.0f}, so logistic regression with an intercept has no "
                "minimiser; give samples of both classes or set fit_intercept=False."
            )


class SVMProblem(Problem):
    """min over w of Σᵢ max(0, 1 − yᵢxᵢᵀw) + α/2 ‖w‖² + β/2 ‖w‖_e², yᵢ = ±1 (the paper's E-SVM)

    Its dual is max 1ᵀu − Ω*(Zu) over 0 ≤ u ≤ ω, with yᵀu = 0 if there is an intercept, where
    Ω(w) = α/2‖w‖² + β/2‖w‖_e² and Zu = Xᵀ(y⊙u).
    """

    def __init__(self, X, y, groups, alpha, beta, *, fit_intercept=False, sample_weight=None):
        super().__init__(X, y, groups, fit_intercept, sample_weight)
        check_labels(self.y)
        self.alpha = as_positive(alpha, "alpha")
        self.beta = as_positive(beta, "beta")
        if not (np.isfinite(self.beta / self.alpha) and np.isfinite(1.0 / self.alpha)):
            raise ValueError(
                f"alpha = {alpha} is too small beside beta = {beta}: their ratio overflows."
            )
        self.penalty = ExclusivePenalty(self.groups, self.beta)

    def with_strength(self, beta: float) -> Self:
        """The same data and α under another β, sharing all arrays."""
        other = copy.copy(self)
        other.beta = as_positive(beta, "beta")
        other.penalty = ExclusivePenalty(self.groups, other.beta)
        return other

    def regulariser(self, w) -> float:
        """Ω(w) = α/2‖w‖² + β/2‖w‖_e²"""
        return 0.5 * self.alpha * float(w @ w) + self.penalty.value(w)

    def objective(self, w, intercept=0.0) -> float:
        """Σ hinge + Ω(w); the intercept is that of the centred design, if there is one."""
        return self._hinge(self.design.matvec(w) + intercept) + self.regulariser(w)

    def _hinge(self, predictions) -> float:
        return float(self.sample_weight @ np.maximum(0.0, 1.0 - self.y * predictions))

    def weighted_samples(self, u) -> np.ndarray:
        """Zu = Xᵀ(y⊙u)"""
        return self.design.rmatvec(self.y * u)

    def margins(self, w) -> np.ndarray:
        """Zᵀw = y⊙Xw, without the intercept"""
        return self.y * self.design.matvec(w)

    def best_intercept(self, predictions) -> float:
        """argmin over b of Σ ωᵢ max(0, 1 − yᵢ(zᵢ + b)), exactly; the midpoint where it is flat.

        The slope is −Σ ω over the positives at −∞, and each breakpoint yᵢ − zᵢ raises it by ωᵢ.
        """
        if not self.fit_intercept:
            return 0.0
        breaks = self.y - predictions
        order = np.argsort(breaks)
        positive = float(self.sample_weight[self.y > 0].sum())
        slope = np.cumsum(self.sample_weight[order]) - positive
        tolerance = 1e-12 * self.sample_weight.sum()
        last = order.size - 1
        first = min(int(np.searchsorted(slope, -tolerance)), last)
        if abs(slope[first]) <= tolerance and first < last:
            return 0.5 * float(breaks[order[first]] + breaks[order[first + 1]])
        return float(breaks[order[first]])

    def conjugate_gradient(self, v) -> np.ndarray:
        """∇Ω*(v) = argmax over w of vᵀw − Ω(w): a prox at v/α (disjoint groups)"""
        return shrink_groups(v / self.alpha, self.groups, self.beta / self.alpha)

    def project_dual(self, u) -> np.ndarray:
        """u onto its box, and onto yᵀu = 0 if there is an intercept"""
        if self.fit_intercept:
            return project_box_hyperplane(u, self.y, self.sample_weight)
        return np.clip(u, 0.0, self.sample_weight)

    def central_dual(self) -> np.ndarray:
        """A feasible u as large as can be that treats the samples of one class alike"""
        if not self.fit_intercept:
            return self.sample_weight.copy()
        return np.abs(balance_classes(self.y * self.sample_weight, self.y))

    def bound(self, u, points) -> float:
        """A lower bound on the optimal value from any u; `points` are nearby primal points.

        u is clipped to its box, balanced between the classes if there is an intercept, and scaled
        by the best c: c·1ᵀu − c²Ω*(Zu) is a parabola.
        """
        u = np.clip(u, 0.0, self.sample_weight)
        if self.fit_intercept:
            u = np.abs(balance_classes(self.y * u, self.y))
        largest = float(np.max(u / self.sample_weight))
        if largest == 0.0:
            return 0.0
        # On the edge of its box first: the square of a tiny u would underflow to a perfect bound.
        u = np.minimum(u / largest, self.sample_weight)
        total = float(u.sum())
        conjugate = self._conjugate(self.weighted_samples(u), [w / largest for w in points])
        if not np.isfinite(conjugate):
            return 0.0
        c = min(1.0, total / (2.0 * conjugate)) if conjugate > 0.0 else 1.0
        return c * total - c * c * conjugate

    def _conjugate(self, v, points) -> float:
        """Ω*(v): exact for disjoint groups, an upper bound for overlapping ones.

        Disjoint: the maximiser is w(v) = ∇Ω*(v), and Ω is 2-homogeneous, so Ω*(v) = Ω(w(v)).
        Overlapping: v = αw + r for any w, and any cover s of r gives
        Ω*(v) ≤ α/2‖w‖² + ‖s‖²/(2β), with equality at the optimum.
        """
        if not self.groups.overlapping:
            return self.regulariser(self.conjugate_gradient(v))
        return min(
            0.5 * self.alpha * float(w @ w)
            + self.penalty.conjugate(self.penalty.cover(v - self.alpha * w, w))
            for w in points
        )

    def score(self, candidate: Candidate, *, tol=0.0, known_bound=-np.inf) -> Score:
        points = [self._valued(w) for w in self._primal_points(candidate)]
        best = min(points, key=_value)
        duals = [u for u in (candidate.dual, candidate.averaged_dual) if u is not None]
        if not duals:
            # w alone leaves u open on the margin; off it, u is 0 or ω.
            duals = [self.sample_weight * (self.y * best.predictions < 1.0)]
        bound = max(0.0, *(self.bound(u, self._primal_points(candidate)) for u in duals))
        chosen = _first_good(points, max(bound, known_bound), tol)
        return Score(chosen.w, self._intercept_of(chosen), chosen.value, bound)

    def _valued(self, w) -> _Valued:
        predictions = self.design.matvec(w)
        b = self.best_intercept(predictions)
        predictions = predictions + b
        return _Valued(self._hinge(predictions) + self.regulariser(w), w, b, predictions)


def _centred(y, weight):
    """y less its weighted mean, and that mean; a constant y leaves exact zeros, not rounding."""
    if y.min() == y.max():
        return np.zeros_like(y), float(y[0])
    mean = float(weight @ y / weight.sum())
    centred = y - mean
    # The mean of numbers that hardly differ has lost digits that their differences still have.
    rest = float(weight @ centred / weight.sum())
    return centred - rest, mean + rest


def _maximiser(function, limit, steps=32) -> float:
    """argmax over [0, limit] of a concave function of one variable, by golden sections."""
    ratio = 0.6180339887498949
    low, high = 0.0, limit
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(steps):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
    return left if at_left > at_right else right
