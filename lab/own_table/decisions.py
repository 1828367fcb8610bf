"""From scores to decisions: thresholds and what they cost, chances, and why a row was called so."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from lab.own_table.fits import predicted_classes
from solvers import Groups


@dataclass(frozen=True)
class Calibration:
    """P(positive | score) = 1/(1 + exp(−(slope·score + offset))), learnt from held-out scores."""

    slope: float
    offset: float

    @property
    def flat(self) -> bool:
        """Whether the scores say nothing, so that all rows have the same chance."""
        return self.slope == 0.0

    def chances(self, scores: np.ndarray) -> np.ndarray:
        return expit(self.slope * np.asarray(scores, dtype=float) + self.offset)

    def chance_at(self, score: float) -> float:
        return float(self.chances(np.array([score]))[0])


def calibrate(scores: np.ndarray, positive: np.ndarray) -> Calibration:
    """Platt's sigmoid by maximum likelihood, with his targets (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2)

    The scores must come from models that did not see the rows. A slope below 0 would turn the
    model's own order around; then the scores say nothing and all have the same chance.
    """
    positive = np.asarray(positive, dtype=bool)
    n_positive, n_negative = int(positive.sum()), int((~positive).sum())
    high, low = (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0)
    wanted = np.where(positive, high, low)
    spread = float(np.std(scores)) or 1.0
    unit = np.asarray(scores, dtype=float) / spread

    def loss(parts):
        z = parts[0] * unit + parts[1]
        value = -float(np.sum(wanted * log_expit(z) + (1.0 - wanted) * log_expit(-z)))
        difference = expit(z) - wanted
        return value, np.array([float(difference @ unit), float(difference.sum())])

    share = np.log((n_positive + 1.0) / (n_negative + 1.0))
    found = minimize(loss, np.array([1.0, share]), jac=True, method="L-BFGS-B")
    slope, offset = found.x
    if slope <= 0.0:
        return Calibration(0.0, float(share))
    return Calibration(float(slope / spread), float(offset))


@dataclass(frozen=True)
class AtThreshold:
    """Held-out rows called positive from a threshold on: what is right, wrong, and its price.

    `own` says that the line is the model's own, which a chance may be too coarse to tell.
    """

    threshold: float
    true_positive: int
    false_positive: int
    true_negative: int
    false_negative: int
    cost: float
    own: bool = False

    @property
    def recall(self) -> float:
        return _share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def precision(self) -> float:
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def counts(self) -> np.ndarray:
        """True class × predicted class, the negative one first."""
        return np.array(
            [[self.true_negative, self.false_positive], [self.false_negative, self.true_positive]]
        )


def at_threshold(
    chances: np.ndarray, positive: np.ndarray, threshold: float, price: float = 1.0
) -> AtThreshold:
    """`price` is what a missed positive costs in false alarms."""
    return _at_line(chances >= threshold, positive, threshold, price)


def at_own_line(
    scores: np.ndarray, positive: np.ndarray, calibration: Calibration, price: float = 1.0
) -> AtThreshold:
    """What the model itself calls positive, by the sign of its score."""
    called = predicted_classes(scores) == 1
    return replace(_at_line(called, positive, calibration.chance_at(0.0), price), own=True)


def _at_line(called: np.ndarray, positive, threshold: float, price: float) -> AtThreshold:
    positive = np.asarray(positive, dtype=bool)
    missed = int(np.count_nonzero(positive & ~called))
    alarms = int(np.count_nonzero(~positive & called))
    return AtThreshold(
        float(threshold),
        int(np.count_nonzero(positive & called)),
        alarms,
        int(np.count_nonzero(~positive & ~called)),
        missed,
        price * missed + alarms,
    )


def cheapest(price: float) -> float:
    """The chance from which calling a row positive is worth it: 1/(1 + price), if chances hold."""
    return 1.0 / (1.0 + price)


def reliability(chances: np.ndarray, positive: np.ndarray, n_bins: int = 10):
    """Mean chance, share of positives and count in bins of equal size, for a calibration curve."""
    order = np.argsort(chances, kind="stable")
    parts = [part for part in np.array_split(order, min(n_bins, order.size)) if part.size]
    positive = np.asarray(positive, dtype=float)
    return (
        np.array([chances[part].mean() for part in parts]),
        np.array([positive[part].mean() for part in parts]),
        np.array([part.size for part in parts]),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


# -- why a row was called so -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contributions:
    """score = intercept + Σ by feature, exactly; by group the same sum, each feature's share split
    evenly where groups overlap."""

    intercept: float
    by_feature: np.ndarray
    by_group: np.ndarray

    @property
    def score(self) -> float:
        return self.intercept + float(self.by_feature.sum())


def contributions(
    x: np.ndarray, coef: np.ndarray, intercept: float, groups: Groups
) -> Contributions:
    """What each feature of one encoded row adds to a linear model's score."""
    by_feature = np.asarray(x, dtype=float) * coef
    incidence = groups.incidence
    times = np.asarray(incidence.sum(axis=0)).ravel()
    return Contributions(float(intercept), by_feature, incidence @ (by_feature / times))
