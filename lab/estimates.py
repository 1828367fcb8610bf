"""A mean over repeats or folds with its 95 % interval: one rule for every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import betaincinv, stdtr, stdtrit

from lab.words import counted, signed

LEVEL = 0.95
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, NaN where there is a single value."""

    mean: float
    error: float
    count: int

    @property
    def half(self) -> float:
        """Half the interval: the t quantile with count − 1 degrees of freedom, times the error."""
        return self._quantile(LEVEL) * self.error

    def _quantile(self, level: float) -> float:
        """How many standard errors from the mean an interval of a level ends."""
        if np.isnan(self.error):
            return float("nan")
        return float(stdtrit(self.count - 1, (1.0 + level) / 2.0))

    def minus(self, known: float) -> Estimate:
        """The difference from a number that is known exactly."""
        return replace(self, mean=self.mean - known)

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half

    @property
    def p(self) -> float:
        """The two-sided p value of the t test that the mean is 0, NaN for a single value.

        Values that are all the same, as few test samples make them, have no spread to judge by:
        then that of the sign test.
        """
        if np.isnan(self.error):
            return float("nan")
        if self.error == 0.0:
            return 1.0 if self.mean == 0.0 else 2.0 ** (1 - self.count)
        return 2.0 * float(stdtr(self.count - 1, -abs(self.mean) / self.error))

    def in_points(self, digits: int = 1) -> str:
        """Percentage points with half the interval, where there is one."""
        text = signed(f"{100 * self.mean:+z.{digits}f}")
        return text if np.isnan(self.half) else f"{text} ± {100 * self.half:.{digits}f}"


@dataclass(frozen=True)
class Together:
    """Differences that are looked at together: which are beyond chance by Holm's correction at 5 %

    Of `looks` differences `found` are beyond chance, and so is by the same rule each one whose
    test counts the looks that are not.
    """

    looks: int
    found: int

    @classmethod
    def of(cls, differences: Iterable[Estimate]) -> Together:
        p_values = [each.p for each in differences]
        return cls(len(p_values), sum(holm(p_values)))

    @property
    def _level(self) -> float:
        """What the p value of a difference that is beyond chance lies below."""
        return (1.0 - LEVEL) / max(self.looks - self.found, 1)

    def side(self, difference: Estimate) -> int:
        """1 or −1 if one of the differences is beyond chance above or below 0, else 0."""
        return int(np.sign(difference.mean)) if difference.p < self._level else 0

    def reach(self, difference: Estimate) -> float:
        """How far from 0 chance can take one of the differences; NaN where nothing tells."""
        if difference.error == 0.0 and self.side(difference) == 0:
            return float("nan")
        return difference._quantile(1.0 - self._level) * difference.error

    def __str__(self) -> str:
        return counted(self.looks, "look")


def share_interval(hits: int, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's exact interval of a share: at least 95 %, whatever the truth is"""
    tail = (1.0 - LEVEL) / 2.0
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, tail))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1.0 - tail))
    return low, high


def estimate(values, overlap: float = 0.0) -> Estimate:
    """mean, with the error s·√(1/k + overlap) of k values; see `fold_overlap`"""
    values = np.asarray(values, dtype=float)
    k = values.size
    if k == 0:
        return Estimate(float("nan"), float("nan"), 0)
    if k == 1:
        return Estimate(float(values[0]), float("nan"), 1)
    spread = float(values.std(ddof=1))
    if spread <= _ROUNDING * float(np.abs(values).max()):
        spread = 0.0  # differences of equal numbers differ by rounding
    return Estimate(float(values.mean()), spread * float(np.sqrt(1.0 / k + overlap)), k)


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
