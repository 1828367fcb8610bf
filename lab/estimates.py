"""A mean over repeats or folds with its 95 % interval: one rule for every page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

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
        if np.isnan(self.error):
            return float("nan")
        return float(stdtrit(self.count - 1, 0.5 + LEVEL / 2.0)) * self.error

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half


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


def fold_overlap(protocol: str, test_per_train: float) -> float:
    """What joins 1/k in the variance of a mean over folds

    Folds of ordinary cross-validation share training samples and so vary too little: test over
    training samples is added (Nadeau & Bengio 2003). Those of inverted cross-validation share none,
    so nothing is added; their intervals speak of other training sets drawn from the same samples,
    not of other samples.
    """
    return test_per_train if protocol == "ordinary" else 0.0
