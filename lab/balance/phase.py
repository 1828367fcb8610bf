"""The phase diagram: P(balanced) over (s, m) for the n and t on show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers import grouping

MOST_TRUE, MOST_GROUPS = 5000, 1000
TRUE_TILES, GROUP_TILES = 16, 18


@dataclass(frozen=True)
class Phase:
    """P(balanced) of s true features in m groups, a row per m; nan where m > s.

    `largest` is the largest m of all with P ≥ target, at each s.
    """

    s: np.ndarray
    m: np.ndarray
    probability: np.ndarray
    largest: np.ndarray


def phase(n_features: int, t: float, target: float) -> Phase:
    """From few true features to half of all, and from the one group that is always balanced."""
    most = min(max(n_features // 2, 2), MOST_TRUE)
    s = np.unique(np.geomspace(min(most, 10), most, TRUE_TILES).round().astype(int))
    last = min(MOST_GROUPS, max(int(s[-1]), 3))
    m = np.unique([1, *np.geomspace(2, last, GROUP_TILES).round().astype(int)])
    probability = np.full((len(m), len(s)), np.nan)
    for column, n_true in enumerate(s.tolist()):
        possible = [k for k in m.tolist() if k <= n_true]
        curve = grouping.balance_curve(n_features, n_true, possible, t)
        probability[: len(possible), column] = curve
    largest = [grouping.recommend_n_groups(n_features, k, t, target) for k in s.tolist()]
    return Phase(s, m, probability, np.array(largest))


def rule_curve(t: float, found: Phase) -> tuple[np.ndarray, np.ndarray]:
    """The theorem's condition with its constant set to one, s = t⁻² m log m, as (s, m)."""
    m = np.geomspace(2, max(float(found.m[-1]), 2.0), 60)
    s = m * np.log(m) / t**2
    inside = (s <= found.s[-1]) & (s >= found.s[0])
    return s[inside], m[inside]


def constant_needed(n_true: int, n_groups: int, t: float) -> float:
    """The C of s = C t⁻² m log m; infinite for one group."""
    return n_true * t**2 / (n_groups * math.log(n_groups)) if n_groups > 1 else math.inf


def table(found: Phase) -> dict[str, np.ndarray]:
    """A row for each tile, s by s, and beside it the largest m of that s."""
    rows, columns = found.probability.shape
    return {
        "s": np.repeat(found.s, rows),
        "m": np.tile(found.m, columns),
        "P exact": found.probability.T.ravel(),
        "largest m": np.repeat(found.largest, rows),
    }
