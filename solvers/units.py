"""Data of extreme size, solved at an ordinary one.

X → aX, y → by, λ → a²λ give (b/a)·w and, for the squared loss, b² times the objective. With powers
of two no digit changes, so data whose squares would leave the range of floating-point numbers are
divided by one, and the answer multiplied back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from .large.arrays import is_dask

if TYPE_CHECKING:
    from .result import Record, Result


# Below 2^±64 even fourth powers of the data stay far inside the range of 2^±1022.
_COMFORTABLE = 64


@dataclass(frozen=True)
class Units:
    """Exponents of two that X and y are divided by; 0 unless their size is extreme."""

    data: int
    target: int

    @classmethod
    def of(cls, X, y=None, strengths=()) -> Units:
        """The units in which X, y and the strengths are of an ordinary size, if there are any."""
        units = cls(_exponent(X), 0 if y is None else _exponent(y))
        return units if units.suit(strengths) else ORDINARY

    @property
    def ordinary(self) -> bool:
        return self.data == self.target == 0

    def small_data(self, X):
        if self.data == 0:
            return X
        if sparse.issparse(X):
            scaled = sparse.csr_array(X, dtype=float, copy=True)
            scaled.data = np.ldexp(scaled.data, -self.data)
            return scaled
        return np.ldexp(np.asarray(X, dtype=float), -self.data)

    def small_target(self, y):
        if self.target == 0:
            return y
        return np.ldexp(np.asarray(y, dtype=float), -self.target)

    def small_delta(self, delta: float) -> float:
        """Huber's δ, which has the units of y."""
        return float(np.ldexp(delta, -self.target))

    def small_strength(self, value: float) -> float:
        """λ/a²"""
        with np.errstate(all="ignore"):
            return float(np.ldexp(value, -2 * self.data))

    def suit(self, strengths) -> bool:
        """Whether the strengths stay in range too; they should be of the order of the square of X.

        Out of all proportion to the data, they are no better off in other units.
        """
        return all(1e-290 < self.small_strength(value) < 1e290 for value in strengths)

    def small_weights(self, w0):
        if w0 is None or self.ordinary:
            return w0
        return np.ldexp(np.asarray(w0, float), self.data - self.target)

    def strength(self, value: float) -> float:
        """λ from λ/a²"""
        return float(np.ldexp(value, 2 * self.data))

    def restored(self, result: Result) -> Result:
        """The result in the units of the data as they were given; its history has them already."""
        if self.ordinary:
            return result
        with np.errstate(all="ignore"):
            restored = replace(
                result,
                w=self.weights(result.w),
                intercept=self.intercept(result.intercept),
                objective=self.value(result.objective),
                bound=self.value(result.bound),
            )
        if not (np.all(np.isfinite(restored.w)) and np.isfinite(restored.objective)):
            raise ValueError(
                "the solution leaves the range of floating-point numbers; multiply X or divide y "
                "by a constant."
            )
        return restored

    def weights(self, w: np.ndarray) -> np.ndarray:
        return w if self.ordinary else np.ldexp(w, self.target - self.data)

    def intercept(self, intercept: float) -> float:
        return float(np.ldexp(intercept, self.target))

    def value(self, objective: float) -> float:
        return float(np.ldexp(objective, 2 * self.target))

    def record(self, record: Record) -> Record:
        return record._replace(
            objective=self.value(record.objective), bound=self.value(record.bound)
        )


ORDINARY = Units(0, 0)


def _exponent(values) -> int:
    """The exponent of the largest magnitude where that is extreme, 0 otherwise.

    What is not numbers, or not finite, is left for the problem to refuse in its own words; a Dask
    array is not read for this, and refused if its first pass finds it extreme.
    """
    if is_dask(values):
        return 0
    try:
        if sparse.issparse(values):
            # Forms without one array of values; the others need no copy for this.
            values = sparse.csr_array(values) if values.format in ("dok", "lil") else values
            values = values.data
        numbers = np.asarray(values)
    except (TypeError, ValueError):
        return 0
    if numbers.dtype.kind not in "fiu":
        return 0
    largest = max(float(numbers.max()), -float(numbers.min())) if numbers.size else 0.0
    if not np.isfinite(largest):
        return 0
    exponent = int(np.frexp(float(largest))[1])
    return exponent if largest > 0.0 and abs(exponent) > _COMFORTABLE else 0
