"""A mean over repeats or folds with its 95 % interval: one rule for every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr, stdtrit

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, NaN where there is a single value."""

    mean: float
    error: float
    count: int

    @property
    def half(self) -> float:
        """Half the interval: the t quantile with count − 1 degrees of freedom, times the error."""
        return self.half_of(1)

    def half_of(self, looks: int) -> float:
        """Half an interval so wide that all of so many hold together (Bonferroni)."""
        if np.isnan(self.error):
            return float("nan")
        return float(stdtrit(self.count - 1, 1.0 - (1.0 - LEVEL) / 2.0 / looks)) * self.error

    def minus(self, known: float) -> Estimate:
        """The difference from a number that is known exactly."""
        return replace(self, mean=self.mean - known)

    def side(self, looks: int) -> int:
        """1 or −1 if the interval that counts all looks is above or below 0, else 0."""
        half = self.half_of(looks)
        return 0 if np.isnan(half) or abs(self.mean) <= half else int(np.sign(self.mean))

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half

    @property
    def p(self) -> float:
        """The two-sided p value of the t test that the mean is 0, NaN for a single value."""
        if np.isnan(self.error):
            return float("nan")
        if self.error == 0.0:
            return 1.0 if self.mean == 0.0 else 0.0
        return 2.0 * float(stdtr(self.count - 1, -abs(self.mean) / self.error))

    @property
    def significant(self) -> bool:
        return self.p < 1.0 - LEVEL

    def in_points(self) -> str:
        """Percentage points with half the interval, where there is one."""
        text = f"{100 * self.mean:+.1f}"
        return text if np.isnan(self.half) else f"{text} ± {100 * self.half:.1f}"


def estimate(values, overlap: float = 0.0) -> Estimate:
    """mean, with the error s·√(1/k + overlap) of k values; see `fold_overlap`"""
    values = np.asarray(values, dtype=float)
    k = values.size
    if k == 0:
        return Estimate(float("nan"), float("nan"), 0)
    if k == 1:
        return Estimate(float(values[0]), float("nan"), 1)
    error = float(values.std(ddof=1)) * float(np.sqrt(1.0 / k + overlap))
    return Estimate(float(values.mean()), error, k)


def difference(ones, others, overlap: float = 0.0) -> Estimate:
    """Of paired values; `overlap` is 0 for independent repeats, and `fold_overlap` for folds."""
    return estimate(np.subtract(ones, others), overlap)


def holm(p_values: Sequence[float], level: float = 1.0 - LEVEL) -> list[bool]:
    """Which of several tests stay significant when all are looked at (Holm's correction).

    The smallest p must be below level/k, the next below level/(k − 1), and so on until one is not.
    """
    known = [1.0 if np.isnan(p) else p for p in p_values]
    order = sorted(range(len(known)), key=known.__getitem__)
    found = [False] * len(p_values)
    for place, i in enumerate(order):
        if known[i] >= level / (len(known) - place):
            break
        found[i] = True
    return found


def fold_overlap(protocol: str, test_per_train: float) -> float:
    """What joins 1/k in the variance of a mean over folds

    Folds of ordinary cross-validation share training samples and so vary too little: test over
    training samples is added (Nadeau & Bengio 2003). Those of inverted cross-validation share none,
    so nothing is added; their intervals speak of other training sets drawn from the same samples,
    not of other samples.
    """
    return test_per_train if protocol == "ordinary" else 0.0
