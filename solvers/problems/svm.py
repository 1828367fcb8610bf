"""The E-SVM: hinge loss, ridge and exclusive penalty."""

from __future__ import annotations

import copy
from typing import Self

import numpy as np

from ..design import Design
from ..losses import balance_classes
from ..penalty import ExclusivePenalty
from ..projections import project_box_hyperplane
from ..units import Units
from ..validation import as_positive, check_labels
from .base import Candidate, Problem, Score, Valued, first_good, value_of


class SVMProblem(Problem):
    """min over w of Σᵢ max(0, 1 − yᵢxᵢᵀw) + α/2 ‖w‖² + β/2 ‖w‖_e², yᵢ = ±1 (the paper's E-SVM)

    Its dual is max 1ᵀu − Ω*(Zu) over 0 ≤ u ≤ ω, with yᵀu = 0 if there is an intercept, where
    Ω(w) = α/2‖w‖² + β/2‖w‖_e² and Zu = Xᵀ(y⊙u).
    """

    def __init__(
        self,
        X,
        y,
        groups,
        alpha,
        beta,
        *,
        fit_intercept=False,
        sample_weight=None,
        **penalty_options,
    ):
        units = Units.of(X, strengths=[as_positive(alpha, "alpha"), as_positive(beta, "beta")])
        super().__init__(X, y, groups, fit_intercept, sample_weight, units=units, **penalty_options)
        check_labels(self.y)
        self._set_strengths(alpha, beta)

    def _set_strengths(self, alpha, beta) -> None:
        self.alpha = self._small(alpha, "alpha")
        self.beta = self._small(beta, "beta")
        if not (np.isfinite(self.beta / self.alpha) and np.isfinite(1.0 / self.alpha)):
            raise ValueError(
                f"alpha = {alpha} is too small beside beta = {beta}: their ratio overflows."
            )
        self.penalty = ExclusivePenalty(self.geometry, self.beta)

    def with_strength(self, beta: float, alpha: float | None = None) -> Self:
        """The same data under another β, and another α if given, sharing all arrays."""
        other = copy.copy(self)
        other._set_strengths(self.units.strength(self.alpha) if alpha is None else alpha, beta)
        return other

    def restricted(self, features, columns=None) -> Self:
        """The same problem on those features alone; `columns` are theirs, where they are known."""
        other = copy.copy(self)
        other.geometry = self.geometry.on(features)
        other.groups = other.geometry.groups
        columns = self.design.columns(features) if columns is None else columns
        other.design = Design.of_centred(columns)
        other.penalty = ExclusivePenalty(other.geometry, self.beta)
        return other

    def regulariser(self, w) -> float:
        """Ω(w) = α/2‖w‖² + β/2‖w‖_e²"""
        return 0.5 * self.alpha * float(w @ w) + self.penalty.value(w)

    def objective(self, w, intercept=0.0) -> float:
        """Σ hinge + Ω(w); the intercept is that of the centred design, if there is one."""
        return self.value_at(w, self.design.matvec(w) + intercept)

    def value_at(self, w, predictions) -> float:
        """Σ hinge + Ω(w), predictions with their intercept."""
        hinge = self.sample_weight @ np.maximum(0.0, 1.0 - self.y * predictions)
        return float(hinge) + self.regulariser(w)

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
        return self.geometry.shrink(v / self.alpha, self.beta / self.alpha)

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
        Ω*(v) ≤ α/2‖w‖² + ‖s‖²/(2β), with equality at the optimum. Of an unpenalised feature r must
        be 0.
        """
        if not self.groups.overlapping:
            return self.regulariser(self.conjugate_gradient(v))
        alone = self.geometry.unpenalised
        values = []
        for w in points:
            if alone.size:
                w = w.copy()
                w[alone] = self.geometry.clip(v / self.alpha)[alone]
            cover = self.penalty.cover(v - self.alpha * w, w)
            values.append(0.5 * self.alpha * float(w @ w) + self.penalty.conjugate(cover))
        return min(values)

    def score(self, candidate: Candidate, *, tol=0.0, known_bound=-np.inf) -> Score:
        points = [self.valued(w) for w in self._primal_points(candidate)]
        best = min(points, key=value_of)
        duals = [u for u in (candidate.dual, candidate.other_dual) if u is not None]
        if not duals:
            # w alone leaves u open on the margin; off it, u is 0 or ω.
            duals = [self.sample_weight * (self.y * best.predictions < 1.0)]
        bound = max(0.0, *(self.bound(u, self._primal_points(candidate)) for u in duals))
        chosen = first_good(points, max(bound, known_bound), tol)
        return Score(chosen.w, self._intercept_of(chosen), chosen.value, bound)

    def valued(self, w) -> Valued:
        """The point with its objective, at the best intercept."""
        predictions = self.design.matvec(w)
        b = self.best_intercept(predictions)
        predictions = predictions + b
        return Valued(self.value_at(w, predictions), w, b, predictions)
