"""Smooth convex losses f(z) = Σᵢ ωᵢ fᵢ(zᵢ) of the predictions z = Xw + b.

A loss is what distinguishes one smooth problem from another; PCP, LOCP and the certificate are
written against this interface, so a new loss is one class:

    value(z)             f(z)
    gradient(z)          ∇f(z), one entry per sample
    curvature            ωᵢ·sup fᵢ″, one entry per sample, for step lengths
    best_intercept(z)    argmin over b of f(z + b)
    dual_value(theta)    −f*(−θ)
    largest_multiple(theta)   the largest c with cθ still in the domain of `dual_value`
    feasible(theta, balanced)   θ moved into the dual domain, with 1ᵀθ = 0 if `balanced`; a θ that
                         is −∇f(z), at the best intercept if there is one, stays where it is
    best_multiple(theta, quadratic)   argmax over c of dual_value(cθ) − c²·quadratic, or None

and the attribute `shift_invariant` says whether f depends on z − y alone. `best_intercept` and
balance are for problems with an intercept.
"""

from __future__ import annotations

import numpy as np
from scipy import special


class SquaredLoss:
    """f(z) = ½ Σᵢ ωᵢ (zᵢ − yᵢ)²"""

    shift_invariant = True

    def __init__(self, y, sample_weight):
        self.y = y
        self.sample_weight = sample_weight
        self.curvature = sample_weight

    def value(self, z) -> float:
        residual = z - self.y
        return 0.5 * float(self.sample_weight @ (residual * residual))

    def gradient(self, z) -> np.ndarray:
        return self.sample_weight * (z - self.y)

    def best_intercept(self, z) -> float:
        return float(self.sample_weight @ (self.y - z) / self.sample_weight.sum())

    def dual_value(self, theta) -> float:
        return float(theta @ self.y - 0.5 * (theta @ (theta / self.sample_weight)))

    def largest_multiple(self, theta) -> float:
        return np.inf

    def feasible(self, theta, balanced) -> np.ndarray:
        if not balanced:
            return theta
        return theta - self.sample_weight * (theta.sum() / self.sample_weight.sum())

    def best_multiple(self, theta, quadratic) -> float:
        curvature = theta @ (theta / self.sample_weight) + 2.0 * quadratic
        return float(theta @ self.y / curvature) if curvature > 0.0 else 0.0


class LogisticLoss:
    """f(z) = Σᵢ ωᵢ log(1 + exp(−yᵢzᵢ)), yᵢ = ±1"""

    shift_invariant = False

    def __init__(self, y, sample_weight):
        self.y = y
        self.sample_weight = sample_weight
        self.curvature = sample_weight / 4.0

    def value(self, z) -> float:
        return float(self.sample_weight @ np.logaddexp(0.0, -self.y * z))

    def gradient(self, z) -> np.ndarray:
        return -self.sample_weight * self.y * special.expit(-self.y * z)

    def best_intercept(self, z) -> float:
        """Newton in b alone, kept inside a bracket that every evaluation narrows.

        At b = ±(max|z| + log(heavier/lighter class)) the derivative has a known sign.
        """
        weight = self.sample_weight
        positive, negative = weight[self.y > 0].sum(), weight[self.y < 0].sum()
        spread = np.abs(z).max() + abs(np.log(positive) - np.log(negative)) + 1.0
        low, high, b = -spread, spread, 0.0
        for _ in range(100):
            # Summing the gradient keeps both classes' small parts; Σω·chance − Σω₊ would cancel.
            slope = float(self.gradient(z + b).sum())
            chance = special.expit(z + b)
            if slope > 0.0:
                high = b
            else:
                low = b
            bend = float(weight @ (chance * (1.0 - chance)))
            moved = b - slope / bend if bend > 0.0 else 0.5 * (low + high)
            if not low < moved < high:
                moved = 0.5 * (low + high)
            if abs(moved - b) <= 4e-16 * (1.0 + abs(b)):
                break
            b = moved
        return b

    def _probabilities(self, theta) -> np.ndarray:
        """The a in [0, 1] with θ = ω·y·a."""
        return np.clip(theta * self.y / self.sample_weight, 0.0, 1.0)

    def dual_value(self, theta) -> float:
        a = self._probabilities(theta)
        return float(self.sample_weight @ (special.entr(a) + special.entr(1.0 - a)))

    def largest_multiple(self, theta) -> float:
        largest = self._probabilities(theta).max()
        return 1.0 / largest if largest > 0.0 else np.inf

    def feasible(self, theta, balanced) -> np.ndarray:
        theta = self.y * self.sample_weight * self._probabilities(theta)
        return balance_classes(theta, self.y) if balanced else theta

    def best_multiple(self, theta, quadratic) -> None:
        return None


def balance_classes(theta, y) -> np.ndarray:
    """Shrink the heavier class of θ = y·a, a ≥ 0, until 1ᵀθ = 0: stays in any box [0, ω]."""
    positive = float(theta[y > 0].sum())
    negative = -float(theta[y < 0].sum())
    if positive == negative:
        return theta
    if min(positive, negative) <= 0.0:
        return np.zeros_like(theta)
    if positive > negative:
        return np.where(y > 0, theta * (negative / positive), theta)
    return np.where(y < 0, theta * (positive / negative), theta)
