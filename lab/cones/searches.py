"""How a projection is searched for: the paper's algorithms as printed, and one that cannot miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.cones.projections import ROUNDING, Projection

# As the paper numbers them.
ALGORITHMS = {"ℓ1": "Algorithm 2", "ℓ∞": "Algorithm 3"}


@dataclass(frozen=True)
class Step:
    """One turn of the loop: j, the running sum t, the candidate δ or y, and its window."""

    j: int
    t: float
    candidate: float
    low: float
    high: float
    holds: bool
    misses_by: float


@dataclass(frozen=True)
class PrintedSearch:
    """What the paper's algorithm does, to the letter: its turns, how it ended, what it returned."""

    steps: tuple[Step, ...]
    ended: str  # "inside", "window" or "no window"
    result: Projection

    @property
    def missed_by_rounding(self) -> Step | None:
        """The turn whose window would have held but for rounding, if none held."""
        near = [step for step in self.steps if 0.0 < step.misses_by <= ROUNDING * self.result.size]
        return near[0] if self.ended == "no window" and near else None


def printed_search(cone: str, a: Sequence[float], b: float, zeta: float) -> PrintedSearch:
    """Algorithm 2 (ℓ1) or Algorithm 3 (ℓ∞) as printed in the paper, in floats."""
    a = np.asarray(a, dtype=float)
    steps, ended, x, y = (_printed_l1 if cone == "ℓ1" else _printed_linf)(a, b, zeta)
    return PrintedSearch(tuple(steps), ended, Projection(cone, a, float(b), float(zeta), x, y))


def _printed_l1(a, b, zeta):
    magnitudes = np.append(np.sort(np.abs(a))[::-1], 0.0)
    steps, t = [], 0.0
    for j in range(1, a.size + 1):
        high, low = float(magnitudes[j - 1]), float(magnitudes[j])
        t = t + high
        delta = (t - b) / (1.0 / zeta + j)
        steps.append(_step(j, t, delta, low, high, low <= delta <= high))
        if steps[-1].holds:
            x = np.sign(a) * np.maximum(0.0, np.abs(a) - delta)
            return steps, "window", x, float(np.abs(x).sum())
    return steps, "no window", a.copy(), float(b)


def _printed_linf(a, b, zeta):
    d = a.size
    magnitudes = np.append(0.0, np.sort(np.abs(a)))
    if b >= magnitudes[d]:
        return [], "inside", a.copy(), float(b)
    steps, t, y = [], 0.0, 0.0
    for j in range(d - 1, -1, -1):
        high, low = float(magnitudes[j + 1]), float(magnitudes[j])
        t = t + high
        y = (zeta * b + t) / (zeta + d - j)
        steps.append(_step(j, t, y, low, high, low < y <= high))
        if steps[-1].holds:
            return steps, "window", np.sign(a) * np.minimum(np.abs(a) - y, 0.0), float(y)
    return steps, "no window", np.zeros(d), float(y)


def _step(j, t, candidate, low, high, holds) -> Step:
    misses_by = 0.0 if holds else max(low - candidate, candidate - high, 0.0)
    return Step(j, float(t), float(candidate), low, high, bool(holds), float(misses_by))


@dataclass(frozen=True)
class Candidate:
    """A value of δ (ℓ1) or y (ℓ∞) that keeps, or clips, the j largest entries."""

    j: int
    t: float
    value: float


@dataclass(frozen=True)
class CorrectedSearch:
    """The candidates for j = 0 … d, and the largest of them and 0, which is the answer."""

    candidates: tuple[Candidate, ...]
    level: float
    j: int | None  # None where 0 itself is the largest


def corrected_search(cone: str, a: Sequence[float], b: float, zeta: float) -> CorrectedSearch:
    """The δ of Lemma 2 or the y of Lemma 3 as the largest of d + 2 numbers; no window to miss.

    With tⱼ the sum of the j largest magnitudes, j = 0 … d:

        ℓ1: δ = max(0, ζ(tⱼ − b)/(1 + ζj)),  x = a soft-thresholded at δ,  y = b + δ/ζ
        ℓ∞: y = max(0, (ζb + tⱼ)/(ζ + j)),   x = a clipped to ±y

    The candidates rise while the next magnitude is larger than they are, and fall after. For ℓ1
    the 0 is the point inside the cone and j = 0 the origin; for ℓ∞ it is the other way round.
    """
    sums = np.append(0.0, np.cumsum(np.sort(np.abs(np.asarray(a, dtype=float)))[::-1]))
    count = np.arange(sums.size)
    if cone == "ℓ1":
        values = zeta * (sums - b) / (1.0 + zeta * count)
    else:
        values = (zeta * b + sums) / (zeta + count)
    best = int(np.argmax(values))
    level = max(0.0, float(values[best]))
    candidates = tuple(map(Candidate, count.tolist(), sums.tolist(), values.tolist()))
    return CorrectedSearch(candidates, level, best if values[best] > 0.0 else None)
