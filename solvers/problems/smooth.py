"""Problems with a smooth loss, and the bound that any dual point gives them."""

from __future__ import annotations

import copy
from functools import partial
from typing import Self

import numpy as np

from ..linear_algebra import span
from ..losses import HuberLoss, LogisticLoss, PoissonLoss, SquaredLoss
from ..penalty import ExclusivePenalty
from ..units import ORDINARY, Units
from ..validation import as_counts, as_offset, as_positive, as_weights, check_labels
from .base import Candidate, Problem, Score, Valued, first_good, value_of


class SmoothProblem(Problem):
    """min over w, b of f(Xw + b) + λ/2 Σ_g ‖w_g‖₁^q, for a smooth convex loss f

    The paper's "general smooth loss": any object with the interface of `solvers.losses`. Signs and
    weights of the penalty as in `solvers.geometry`.
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
        **penalty_options,
    ):
        self.exponent = as_positive(exponent, "exponent")
        if self.exponent < 1.0:
            raise ValueError(f"exponent must be at least 1, got {exponent}.")
        units, lam = ORDINARY, as_positive(lam, "lam")
        if self.exponent == 2.0:
            units = Units.of(X, y if getattr(loss, "homogeneous", False) else None, [lam])
        super().__init__(
            X,
            y,
            groups,
            fit_intercept,
            sample_weight,
            exponent=self.exponent,
            units=units,
            **penalty_options,
        )
        self.lam = self._small(lam, "lam")
        if self.fit_intercept and loss.shift_invariant:
            self.y, self.offset = _centred(self.y, self.sample_weight)
        self.loss = loss(self.y, self.sample_weight)
        self.penalty = self._penalty()
        self.unpenalised = self._unpenalised()

    def with_strength(self, lam: float) -> Self:
        """The same data under another λ, sharing all arrays."""
        other = copy.copy(self)
        other.lam = self._small(lam, "lam")
        other.penalty = other._penalty()
        return other

    def restricted(self, features) -> Self:
        """The same problem on those features alone; all unpenalised ones must be among them."""
        other = copy.copy(self)
        other.geometry = self.geometry.on(features)
        other.groups = other.geometry.groups
        other.design = self.design.on(features)
        other.penalty = other._penalty()
        other.unpenalised = other._unpenalised()
        return other

    def _penalty(self):
        return ExclusivePenalty(self.geometry, self.lam, self.exponent)

    def _unpenalised(self) -> UnpenalisedColumns | None:
        features = self.geometry.unpenalised
        if features.size == 0:
            return None
        if not getattr(self.loss, "allows_unpenalised", False):
            raise ValueError(
                f"feature_weight[{features[0]}] is 0, and with this loss an unpenalised feature "
                "may leave the problem without a minimiser; give it a small positive weight."
            )
        return UnpenalisedColumns(self)

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
        theta = self.feasible(theta)
        cover = self.penalty.cover(self.design.rmatvec(theta), w)
        return max(self._dual_value(c, theta, cover) for c in self._multiples(theta, cover))

    def feasible(self, theta) -> np.ndarray:
        """θ in the dual domain, orthogonal to the intercept's column and to unpenalised ones."""
        theta = self.loss.feasible(theta, balanced=self.fit_intercept)
        if self.unpenalised is None:
            return theta
        # Where hardly anything is left of θ, that is rounding and not yet orthogonal.
        once = self.unpenalised.removed_from(theta)
        left = self.unpenalised.removed_from(once)
        if np.linalg.norm(left) <= _ROUNDING * np.linalg.norm(theta):
            return np.zeros_like(theta)
        return left * min(1.0, self.loss.largest_multiple(left))

    def _dual_value(self, c, theta, cover) -> float:
        value = self.loss.dual_value(c * theta) - self.penalty.conjugate(c * cover)
        if self.unpenalised is None:
            return value
        # What rounding leaves of θ along unpenalised columns, times what they explain of y.
        return value - _ROUNDING * c * float(np.abs(self.y) @ np.abs(theta))

    def _multiples(self, theta, cover) -> list[float]:
        """Scalings of θ worth trying: θ itself if allowed, none, and the best one."""
        limit = min(self.loss.largest_multiple(theta), self.penalty.largest_multiple(cover))
        if self.exponent == 2.0:
            best = self.loss.best_multiple(theta, self.penalty.conjugate(cover))
            if best is not None:
                # −θ pulls the other way, where a sign constraint needs another cover.
                return [0.0, max(best, 0.0) if self.geometry.constrained else best]
        best = _maximiser(lambda c: self._dual_value(c, theta, cover), min(limit, 4.0))
        return [0.0, min(1.0, limit), best]

    def score(self, candidate: Candidate, *, tol=0.0, known_bound=-np.inf) -> Score:
        points = [self.valued(w) for w in self._primal_points(candidate)]
        best = min(points, key=value_of)
        thetas = [-self.loss.gradient(best.predictions), candidate.dual, candidate.other_dual]
        bound = max(self.bound(theta, best.w) for theta in thetas if theta is not None)
        chosen = first_good(points, max(bound, known_bound), tol)
        return Score(chosen.w, self._intercept_of(chosen), chosen.value, bound)

    def valued(self, w, predictions=None) -> Valued:
        """The point with its objective, at the best intercept; `predictions` are Xw where known."""
        predictions = self.design.matvec(w) if predictions is None else predictions
        b = self.best_intercept(predictions)
        predictions = predictions + b
        return Valued(self.loss.value(predictions) + self.penalty.value(w), w, b, predictions)


class UnpenalisedColumns:
    """The columns X_U of features that the norm leaves alone: a dual point has X_Uᵀθ = 0

    Where wᵢ ≥ 0 is asked too, xᵢᵀθ ≤ 0 is enough.
    """

    def __init__(self, problem: SmoothProblem):
        self.features = problem.geometry.unpenalised
        self._root = np.sqrt(problem.sample_weight)
        columns = self._root[:, None] * problem.design.columns(self.features)
        self._basis = span(columns)
        self._columns, self._lower = None, None
        if problem.geometry.constrained and problem.geometry.positive[self.features].any():
            self._columns = columns
            self._lower = np.where(problem.geometry.positive[self.features], 0.0, -np.inf)

    def removed_from(self, theta) -> np.ndarray:
        """θ − ωX_U·c with c = argmin ‖θ − ωX_U·c‖ in the metric 1/ω, c ≥ 0 where w ≥ 0 is asked"""
        scaled = theta / self._root
        if self._lower is None:
            return self._root * (scaled - self._basis @ (self._basis.T @ scaled))
        # Slow to import, and needed by few.
        from scipy import optimize

        bounds = self._lower, np.inf
        c = optimize.lsq_linear(self._columns, scaled, bounds, method="bvls", tol=1e-15).x
        return self._root * (scaled - self._columns @ c)


class LassoProblem(SmoothProblem):
    """min over w of ½‖Xw − y‖² + λ/2 ‖w‖_e² (E-LASSO; the paper's experiments write λ for λ/2)"""

    def __init__(self, X, y, groups, lam, **options):
        super().__init__(X, y, groups, lam, loss=SquaredLoss, **options)

    @classmethod
    def on(cls, geometry, X, y, lam) -> Self:
        """The same with signs and weights that are there already."""
        problem = cls(X, y, geometry.groups, lam)
        problem.geometry = geometry
        problem.penalty = problem._penalty()
        problem.unpenalised = problem._unpenalised()
        return problem


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


class PoissonProblem(SmoothProblem):
    """min over w of Σᵢ e^zᵢ − yᵢzᵢ − yᵢ + yᵢ log yᵢ + λ/2 ‖w‖_e², z = Xw + offset, yᵢ ≥ 0"""

    def __init__(self, X, y, groups, lam, *, offset=None, sample_weight=None, **options):
        y = as_counts(y)
        if offset is not None:
            offset = as_offset(offset, y.size)
            weight = as_weights(sample_weight, y.size)
            offset = offset[weight > 0.0]
        loss = partial(PoissonLoss, offset=0.0 if offset is None else offset)
        loss.shift_invariant = False
        super().__init__(X, y, groups, lam, loss=loss, sample_weight=sample_weight, **options)
        if self.fit_intercept and not self.y.any():
            raise ValueError(
                "all counts are 0, so Poisson regression with an intercept has no minimiser; give "
                "samples with counts or set fit_intercept=False."
            )


class HuberProblem(SmoothProblem):
    """min over w of Σᵢ h(xᵢᵀw − yᵢ) + λ/2 ‖w‖_e², h(r) = r²/2 up to δ, δ|r| − δ²/2 beyond"""

    def __init__(self, X, y, groups, lam, *, delta=1.35, **options):
        units = Units.of(X, y, [as_positive(lam, "lam")])
        self.delta = units.small_delta(as_positive(delta, "delta"))
        loss = partial(HuberLoss, delta=self.delta)
        loss.shift_invariant = loss.homogeneous = True
        super().__init__(X, y, groups, lam, loss=loss, **options)


# Of a dual point, in rounding the last digits of its orthogonality.
_ROUNDING = 64.0 * np.finfo(float).eps


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
