"""E-SVM on the dual variable u alone, for disjoint groups, by a projected quasi-Newton method.

minimise  f(u) = Ω*(Zu) − 1ᵀu   over  0 ≤ u ≤ ω  (yᵀu = 0 with an intercept),  Z = Xᵀdiag(y)
"""

from __future__ import annotations

import numpy as np

from ..first_order.formulations import multipliers_off_margin
from ..method import Method, disjoint
from ..problems import Candidate

SPECK = 1e-12  # of its weight, up to which rounding moves a sample off a bound


class DualPoint:
    """A feasible u with v = Zu, w = ∇Ω*(v) and the gradient of f; moves along feasible segments.

    One move costs one product with Xᵀ and one with X: the line search only evaluates w(v + t·Zd).
    """

    def __init__(self, problem, start=None):
        self.problem = problem
        self.y = problem.y
        self.conjugate = problem.conjugate_gradient
        self.u = problem.central_dual() if start is None else problem.project_dual(start)
        self.v = problem.design.rmatvec(self.y * self.u)
        self.w = self.conjugate(self.v)
        self._best_scale()
        self._forget()

    def _best_scale(self):
        """Move to the best multiple of u: Ω* is 2-homogeneous, so it is in closed form."""
        curvature = self.v @ self.w
        largest = np.max(self.u / self.problem.sample_weight)
        if curvature > 0 and largest > 0:
            scale = min(self.u.sum() / curvature, 1.0 / largest)
            self.u, self.v, self.w = scale * self.u, scale * self.v, scale * self.w

    def _forget(self):
        self._gradient = self._multiplier = None

    @property
    def gradient(self):
        """Made when somebody asks: of two starts, the one that is left aside needs none."""
        if self._gradient is None:
            self._gradient = self.y * self.problem.design.matvec(self.w) - 1.0
        return self._gradient

    def multiplier(self):
        """Estimate of the intercept b, the multiplier of yᵀu = 0: samples inside the box vote."""
        if self._multiplier is None:
            self._multiplier = self._vote() if self.problem.fit_intercept else 0.0
        return self._multiplier

    def _vote(self):
        scores = -self.y * self.gradient
        inside = np.minimum(self.u, self.problem.sample_weight - self.u)
        total = inside.sum()
        if total > 0:
            return float(inside @ scores / total)
        return 0.5 * float(scores.min() + scores.max())

    def reduced_gradient(self):
        return self.gradient + self.multiplier() * self.y

    def dual_value(self):
        """1ᵀu − Ω*(Zu), and Ω* is 2-homogeneous."""
        return float(self.u.sum() - 0.5 * (self.v @ self.w))

    def primal_value(self):
        """The objective at w and the best intercept for it."""
        predictions = self.y * (self.gradient + 1.0)
        predictions = predictions + self.problem.best_intercept(predictions)
        return self.problem.value_at(self.w, predictions)

    def near_margin(self, within=0.5):
        """The samples that are not at a bound with a margin further than that from leaving it."""
        slope = self.reduced_gradient()
        low, high = self.at_bounds()
        return np.flatnonzero(~((low & (slope > within)) | (high & (slope < -within))))

    def at_bounds(self):
        """Which samples are at 0, and which at their weight; a projection may be a speck off."""
        speck = SPECK * self.problem.sample_weight
        return self.u <= speck, self.u >= self.problem.sample_weight - speck

    def gap(self):
        """P − D as Σ ω(−g)₊ + u·g, termwise ≥ 0; an upper bound with an intercept."""
        slope = self.reduced_gradient()
        return float(np.sum(self.problem.sample_weight * np.maximum(-slope, 0.0) + self.u * slope))

    def move(self, target, longest=1.0):
        """Minimise f over the segment from u to target; returns the step, 0 without descent."""
        direction = target - self.u
        if not self.reduced_gradient() @ direction < 0:
            return 0.0  # told without a product
        image = self.problem.design.rmatvec(self.y * direction)
        # yᵀd vanishes up to rounding, which near the solution is as large as the slope itself.
        linear = direction.sum() - self.multiplier() * (self.y @ direction)
        first = image @ self.w - linear
        if not first < 0:
            return 0.0
        low, at_low, high = 0.0, first, longest
        w = self.conjugate(self.v + high * image)
        at_high = image @ w - linear
        step = high
        enough = 1e-2 * abs(first)
        if at_high > enough:
            # Regula falsi inside the bracket: the slope is monotone and piecewise linear.
            for _ in range(30):
                fraction = at_low / (at_low - at_high)
                step = low + (high - low) * min(max(fraction, 0.02), 0.98)
                w = self.conjugate(self.v + step * image)
                slope = image @ w - linear
                if abs(slope) <= enough:
                    break
                if slope > 0:
                    high, at_high = step, slope
                else:
                    low, at_low = step, slope
        self.u = np.clip(self.u + step * direction, 0.0, self.problem.sample_weight)
        self.v = self.v + step * image
        self.w = w
        self._forget()
        return step

    def recompute(self):
        """Remove the rounding that v + t·Zd accumulates."""
        self.v = self.problem.design.rmatvec(self.y * self.u)
        self.w = self.conjugate(self.v)
        self._forget()

    def candidate(self):
        return Candidate(self.w, dual=self.u)


class ProjectedQuasiNewton:
    """L-BFGS directions on the free samples, projected; projected gradient where they fail."""

    def __init__(self, point, memory=20):
        self.point = point
        self._memory = memory
        self._pairs = []
        self._spectral = None

    def step(self):
        """One iteration; returns False when no direction descends any more."""
        point = self.point
        weight = point.problem.sample_weight
        slope = point.reduced_gradient()
        low, high = point.at_bounds()
        free = ~((low & (slope > 0)) | (high & (slope < 0)))
        u_before, gradient_before = point.u, point.gradient
        taken = 0.0
        if self._pairs:
            taken = self._try(self._direction(slope, free))
        if taken == 0.0:
            self._pairs.clear()
            size = np.max(np.abs(slope * free))
            if size == 0.0:
                return False
            scale = self._spectral or max(np.max(point.u), 1e-3 * np.max(weight)) / size
            for _ in range(30):
                taken = self._try(-scale * slope)
                if taken > 0.0:
                    break
                scale *= 0.25
            if taken == 0.0:
                return False
        s, t = point.u - u_before, point.gradient - gradient_before
        curvature = s @ t
        if curvature > 1e-14 * np.linalg.norm(s) * np.linalg.norm(t):
            self._spectral = (s @ s) / curvature
            self._pairs.append((s, t))
            del self._pairs[: -self._memory]
        return True

    def _try(self, direction):
        return self.point.move(self.point.problem.project_dual(self.point.u + direction))

    def _direction(self, slope, free):
        pairs = [(s * free, t * free) for s, t in self._pairs]
        pairs = [(s, t, s @ t) for s, t in pairs]
        pairs = [
            (s, t, c) for s, t, c in pairs if c > 1e-12 * np.linalg.norm(s) * np.linalg.norm(t)
        ]
        if not pairs:
            return -(self._spectral or 1.0) * slope * free

        def inverse(vector):
            coefficients = []
            for s, t, c in reversed(pairs):
                a = (s @ vector) / c
                coefficients.append(a)
                vector = vector - a * t
            s, t, c = pairs[-1]
            vector = vector * (c / (t @ t))
            for (s, t, c), a in zip(pairs, reversed(coefficients), strict=True):
                vector = vector + (a - (t @ vector) / c) * s
            return vector

        direction = inverse(slope * free)
        if self.point.problem.fit_intercept:
            # Stay on the hyperplane in the quasi-Newton metric, not by a Euclidean projection.
            normal = self.point.y * free
            turned = inverse(normal)
            scale = normal @ turned
            if scale > 0:
                direction = direction - turned * ((normal @ direction) / scale)
        return -direction


# How far from 1 the margin of a sample on the margin may be.
_ON_MARGIN = 1e-2


def _near(problem, w) -> DualPoint:
    """u = ω inside the margin of w, 0 beyond, and on it the best common share of ω in between."""
    inside = multipliers_off_margin(problem, w, _ON_MARGIN)
    point = DualPoint(problem, inside)
    point.move(problem.project_dual(multipliers_off_margin(problem, w, -_ON_MARGIN)))
    return point


def _quasi_newton(problem, w0=None):
    """L-BFGS on u with an exact line search: two products with X an iteration, O(nonzeros) memory.

    The method for large sparse data; monotone in the dual value, and w = w(u) is exactly sparse.
    A start w0 says which samples are inside the margin, and which of them on it.
    """
    point = DualPoint(problem) if w0 is None or not w0.any() else _near(problem, w0)
    quasi = ProjectedQuasiNewton(point)
    yield point.candidate
    while quasi.step():
        yield point.candidate


quasi_newton = Method(
    "quasi_newton",
    "Projected quasi-Newton",
    "this software; L-BFGS on the dual in u alone, v eliminated",
    _quasi_newton,
    accepts=disjoint,
    max_iter=5000,
    in_passes=True,
)
