"""P(balanced) of the same s, m and t in ever larger sets of features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.balance import settings
from solvers import grouping


@dataclass(frozen=True)
class OverN:
    """The exact law and the union bound over n; the other bounds do not know n.

    The sizes are multiples of m, as the theorem's proof needs.
    """

    n: np.ndarray
    exact: np.ndarray
    union: np.ndarray
    closed: float
    theorem: float


def over_n(n_true: int, n_groups: int, t: float) -> OverN:
    """From as few features as there are true ones to a million."""
    first = -(-n_true // n_groups)
    sizes = np.geomspace(first, settings.MOST_FEATURES // n_groups, 11).round().astype(int)
    n = np.unique(np.maximum(sizes, first)) * n_groups
    return OverN(
        n=n,
        exact=np.array([grouping.balance_probability(k, n_true, n_groups, t) for k in n.tolist()]),
        union=np.array([grouping.union_bound(k, n_true, n_groups, t) for k in n.tolist()]),
        closed=grouping.chernoff_bound(n_true, n_groups, t),
        theorem=grouping.theorem_bound(n_true, n_groups, t),
    )


def largest_over_n(n_true: int, t: float, target: float) -> dict[int, int]:
    """The largest m with P ≥ target where half, a tenth or next to none of n features are true."""
    return {
        n: grouping.recommend_n_groups(n, n_true, t, target)
        for n in (2 * n_true, 10 * n_true, settings.MOST_FEATURES)
    }


def table(found: OverN) -> dict[str, np.ndarray]:
    same = np.ones(len(found.n))

    def says(values: np.ndarray) -> np.ndarray:
        return np.where(values > 0, values, np.nan)

    return {
        "n": found.n,
        "P exact": found.exact,
        "union bound": says(found.union),
        "closed bound": says(found.closed * same),
        "theorem bound": says(found.theorem * same),
    }
