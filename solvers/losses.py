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

and the attribute `shift_invariant` says whether f depends on z − y alone, `homogeneous` whether
f of twice z and twice y is four times f. `best_intercept` and
balance are for problems with an intercept. `allows_unpenalised` (False where a loss says nothing)
says that a minimiser exists even where the penalty leaves a feature alone.

The interior point asks for the loss as seen from its dual point, and does without in a loss that
has no such methods:

    second_derivative(z)      ωᵢfᵢ″(zᵢ), one entry per sample
    place(z)                  where −∇f(z) is, or a good start near it, strictly inside the dual
                              domain, in the loss's own coordinate x of θ
    theta(x)                  θ itself
    link(x)                   the z with θ = −∇f(z)
    inverse_curvature(x)      1/(ωᵢfᵢ″) there
    fenchel(z, x)             f(z) + f*(−θ) + θᵀz ≥ 0: how far θ is from −∇f(z)
    moved(x, change)          where θ + change is, bent where that would leave the domain
"""

from __future__ import annotations

import numpy as np
from scipy import special


class SquaredLoss:
    """f(z) = ½ Σᵢ ωᵢ (zᵢ − yᵢ)²"""

    shift_invariant = True
    homogeneous = True
    allows_unpenalised = True

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

    def second_derivative(self, z) -> np.ndarray:
        return self.sample_weight

    def place(self, z) -> np.ndarray:
        return -self.gradient(z)

    def theta(self, x) -> np.ndarray:
        return x

    def link(self, x) -> np.ndarray:
        return self.y - x / self.sample_weight

    def inverse_curvature(self, x) -> np.ndarray:
        return 1.0 / self.sample_weight

    def fenchel(self, z, x) -> float:
        distance = z - self.link(x)
        return 0.5 * float(self.sample_weight @ (distance * distance))

    def moved(self, x, change) -> np.ndarray:
        return x + change


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
        # 1 − a rounds where a is tiny, and its entropy would be off by more than a itself.
        rest = -special.xlog1py(1.0 - a, -a)
        return float(self.sample_weight @ (special.entr(a) + rest))

    def largest_multiple(self, theta) -> float:
        largest = self._probabilities(theta).max()
        return 1.0 / largest if largest > 0.0 else np.inf

    def feasible(self, theta, balanced) -> np.ndarray:
        theta = self.y * self.sample_weight * self._probabilities(theta)
        return balance_classes(theta, self.y) if balanced else theta

    def best_multiple(self, theta, quadratic) -> None:
        return None

    def second_derivative(self, z) -> np.ndarray:
        return self.sample_weight * special.expit(z) * special.expit(-z)

    # x is the share of its box that θ = ω·y·x takes.

    def place(self, z) -> np.ndarray:
        return np.clip(special.expit(-self.y * z), 1e-12, 1.0 - 1e-12)

    def theta(self, x) -> np.ndarray:
        return self.sample_weight * self.y * x

    def link(self, x) -> np.ndarray:
        return self.y * (np.log1p(-x) - np.log(x))

    def inverse_curvature(self, x) -> np.ndarray:
        return 1.0 / (self.sample_weight * x * (1.0 - x))

    def fenchel(self, z, x) -> float:
        margins = self.y * z
        entropy = special.xlogy(x, x) + special.xlogy(1.0 - x, 1.0 - x)
        terms = np.logaddexp(0.0, -margins) + entropy + x * margins
        return float(self.sample_weight @ np.maximum(terms, 0.0))

    def moved(self, x, change) -> np.ndarray:
        change = self.y * change / self.sample_weight
        room = np.where(change < 0.0, x, 1.0 - x)
        x = x + np.sign(change) * bent(np.abs(change), room)
        return np.clip(x, 1e-200, 1.0 - 2e-16)


class PoissonLoss:
    """f(z) = Σᵢ ωᵢ (e^tᵢ − yᵢtᵢ − yᵢ + yᵢ log yᵢ), t = z + offset: half the deviance, so f ≥ 0

    yᵢ ≥ 0, 0 log 0 = 0. The dual point is θ = ω(y − q) with q = e^t, so q ≥ 0 is its domain. There
    is no Lipschitz gradient: `curvature` is a local one, for backtracking to correct.
    """

    shift_invariant = False
    lipschitz = False

    def __init__(self, y, sample_weight, offset=0.0):
        self.y = y
        self.sample_weight = sample_weight
        self.offset = offset
        self._log_y = np.log(np.where(y > 0.0, y, 1.0))
        self.curvature = sample_weight * np.maximum(y, np.exp(np.broadcast_to(offset, y.shape)))

    def value(self, z) -> float:
        t = z + self.offset
        with np.errstate(over="ignore", invalid="ignore"):
            # y(e^d − 1 − d) with d = t − log y: no large terms that cancel.
            distance = t - self._log_y
            terms = np.where(self.y > 0.0, self.y * (np.expm1(distance) - distance), np.exp(t))
        return float(self.sample_weight @ terms)

    def gradient(self, z) -> np.ndarray:
        with np.errstate(over="ignore"):
            return self.sample_weight * (np.exp(z + self.offset) - self.y)

    def best_intercept(self, z) -> float:
        """e^b Σ ωe^t = Σ ωy"""
        t = z + self.offset
        largest = t.max()
        total = float(self.sample_weight @ np.exp(t - largest))
        return float(np.log(self.sample_weight @ self.y) - np.log(total) - largest)

    def _means(self, theta) -> np.ndarray:
        """The q ≥ 0 with θ = ω(y − q)."""
        return np.maximum(self.y - theta / self.sample_weight, 0.0)

    def dual_value(self, theta) -> float:
        q, y = self._means(theta), self.y
        # With r = q/y − 1, −y((1 + r)log(1 + r) − r) and a linear term: nothing large cancels.
        r = np.divide(q - y, y, out=np.zeros_like(q), where=y > 0.0)
        near = -y * (special.xlog1py(1.0 + r, r) - r)
        terms = np.where(y > 0.0, near, q - special.xlogy(q, q))
        return float(self.sample_weight @ terms + theta @ (self._log_y - self.offset))

    def largest_multiple(self, theta) -> float:
        rising = theta > 0.0
        if not rising.any():
            return np.inf
        return float(np.min((self.sample_weight * self.y)[rising] / theta[rising]))

    def feasible(self, theta, balanced) -> np.ndarray:
        q = self._means(theta)
        if not balanced:
            return self.sample_weight * (self.y - q)
        total = float(self.sample_weight @ q)
        q = q * (float(self.sample_weight @ self.y) / total) if total > 0.0 else self.y
        theta = self.sample_weight * (self.y - q)
        # At a close fit θ is far smaller than y, and so must be what is left of its sum.
        return theta - self.sample_weight * q * (theta.sum() / float(self.sample_weight @ q))

    def best_multiple(self, theta, quadratic) -> None:
        return None

    def second_derivative(self, z) -> np.ndarray:
        return self.sample_weight * np.exp(z + self.offset)

    # x is q itself: y − θ/ω would lose one that is far below y.

    def place(self, z) -> np.ndarray:
        q = np.exp(np.clip(z + self.offset, -300.0, 300.0))
        # From q far below y a Newton step overshoots by y/q in the exponent; from above it is safe.
        return np.maximum(q, 0.5 * self.y)

    def theta(self, x) -> np.ndarray:
        return self.sample_weight * (self.y - x)

    def link(self, x) -> np.ndarray:
        return np.log(x) - self.offset

    def inverse_curvature(self, x) -> np.ndarray:
        return 1.0 / (self.sample_weight * x)

    def fenchel(self, z, x) -> float:
        distance = z - self.link(x)
        return float(self.sample_weight @ (x * (np.expm1(distance) - distance)))

    def moved(self, x, change) -> np.ndarray:
        rise = -change / self.sample_weight
        x = np.where(rise < 0.0, x - bent(np.maximum(-rise, 0.0), x), x + rise)
        return np.maximum(x, 1e-200)


class HuberLoss:
    """f(z) = Σᵢ ωᵢ h(zᵢ − yᵢ), h(r) = r²/2 up to |r| = δ and δ|r| − δ²/2 beyond"""

    shift_invariant = True
    allows_unpenalised = True

    def __init__(self, y, sample_weight, delta=1.35):
        self.y = y
        self.sample_weight = sample_weight
        self.delta = delta
        self.curvature = sample_weight
        # What the interior point works on: least squares, and an outlier a sample at this price.
        self.inner = SquaredLoss(y, sample_weight)
        self.outlier_cost = delta * sample_weight

    def value(self, z) -> float:
        size = np.abs(z - self.y)
        inside = np.minimum(size, self.delta)
        return float(self.sample_weight @ (inside * (size - 0.5 * inside)))

    def gradient(self, z) -> np.ndarray:
        return self.sample_weight * np.clip(z - self.y, -self.delta, self.delta)

    def second_derivative(self, z) -> np.ndarray:
        return self.sample_weight * (np.abs(z - self.y) <= self.delta)

    def best_intercept(self, z) -> float:
        """The root of the slope, which is non-decreasing and linear between breakpoints."""
        residual = self.y - z
        breaks = np.sort(np.concatenate([residual - self.delta, residual + self.delta]))

        def slope(b):
            return float(self.sample_weight @ np.clip(b - residual, -self.delta, self.delta))

        low, high = 0, breaks.size - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if slope(breaks[middle]) > 0.0 else (middle, high)
        at_low, at_high = slope(breaks[low]), slope(breaks[high])
        if not at_high > at_low:
            return 0.5 * float(breaks[low] + breaks[high])
        fraction = min(max(-at_low / (at_high - at_low), 0.0), 1.0)
        return float(breaks[low] + fraction * (breaks[high] - breaks[low]))

    def dual_value(self, theta) -> float:
        return float(theta @ self.y - 0.5 * (theta @ (theta / self.sample_weight)))

    def largest_multiple(self, theta) -> float:
        largest = float(np.max(np.abs(theta) / self.outlier_cost))
        return 1.0 / largest if largest > 0.0 else np.inf

    def feasible(self, theta, balanced) -> np.ndarray:
        theta = np.clip(theta, -self.outlier_cost, self.outlier_cost)
        return balance_classes(theta, np.sign(theta)) if balanced else theta

    def best_multiple(self, theta, quadratic) -> None:
        return None


# Logarithm of the largest change of a dual variable's distance to its bound in one step.
_MAX_BEND = 5.0


def bent(change, room) -> np.ndarray:
    """room·(1 − e^(−change/room)): the same as `change` to first order, and never the whole room"""
    return -room * np.expm1(-np.minimum(change / room, _MAX_BEND))


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
