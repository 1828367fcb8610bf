"""What all problems share: data, groups and geometry, and how a candidate is scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..design import design_of
from ..geometry import Geometry
from ..groups import Groups
from ..units import ORDINARY, Units
from ..validation import as_data_matrix, as_positive, as_target, as_weights, without_zero_weights


@dataclass(frozen=True)
class Candidate:
    """What a method has to show: a primal point, and dual points if it has better ones.

    `w` is what the method calls its solution. The problem chooses `other_w` (an average of
    iterates, or a point without exact zeros) instead where its objective is lower, unless `w` is
    good enough. Dual points are θ for a smooth loss (the problem
    adds −∇f at w by itself) and u in [0, ω] for the hinge.
    """

    w: np.ndarray
    dual: np.ndarray | None = None
    other_w: np.ndarray | None = None
    other_dual: np.ndarray | None = None


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


class Valued(NamedTuple):
    """A primal point with its objective, and intercept and predictions of the centred design."""

    value: float
    w: np.ndarray
    intercept: float
    predictions: np.ndarray


def value_of(point: Valued) -> float:
    return point.value


def first_good(points: list[Valued], bound: float, tol: float) -> Valued:
    """The first point within the tolerance, a method's own choice first; else the best."""
    good = (point for point in points if relative_gap(point.value, bound) <= tol)
    return next(good, None) or min(points, key=value_of)


class Problem:
    """Data and groups shared by all problems. `y` and `sample_weight` lack zero-weight samples.

    `penalty_options` are `positive`, `feature_weight` and `group_weight`, kept in `geometry`.

    Data whose squares would leave the range of floating-point numbers are posed in other `units`,
    strengths and candidates with them; a `Lane` and a path answer in those of the caller.
    """

    def __init__(
        self,
        X,
        y,
        groups,
        fit_intercept,
        sample_weight,
        *,
        exponent=2.0,
        units: Units = ORDINARY,
        **penalty_options,
    ):
        self.units = units
        columns = getattr(X, "columns", None)
        X = as_data_matrix(units.small_data(X))
        y = as_target(units.small_target(y), X.shape[0])
        weight = as_weights(sample_weight, X.shape[0])
        X, y, weight = without_zero_weights(X, y, weight)
        self.groups = Groups.given(groups, X.shape[1], columns=columns)
        self.geometry = Geometry.of(self.groups, exponent=exponent, **penalty_options)
        self.y = y
        self.sample_weight = weight
        self.fit_intercept = bool(fit_intercept)
        # What was subtracted from y; only losses of z − y allow that.
        self.offset = 0.0
        self.design = design_of(X, weight if self.fit_intercept else None)

    @property
    def n_samples(self) -> int:
        return self.design.shape[0]

    @property
    def n_features(self) -> int:
        return self.design.shape[1]

    def _small(self, strength, name) -> float:
        """A strength in the units of the problem."""
        return as_positive(self.units.small_strength(as_positive(strength, name)), name)

    def _intercept_of(self, point: Valued) -> float:
        """The intercept in the units of X and y, from that of the centred design."""
        if not self.fit_intercept:
            return 0.0
        return float(point.intercept + self.offset - self.design.means @ point.w)

    def score(self, candidate: Candidate, *, tol=0.0, known_bound=-np.inf) -> Score:
        """The candidate's certified value, by the problem's own objective and bound."""
        raise NotImplementedError

    def _primal_points(self, candidate):
        """The candidate's points, with the signs that are asked for."""
        points = [candidate.w, candidate.other_w]
        return [self.geometry.clip(w) for w in points if w is not None]
