"""P(balanced) of the same s, m and t in ever larger sets of features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lab.balance import settings
from solvers import grouping


@dataclass(frozen=True)
class OverN:
    """The exact law and the union bound over n; the other bounds do not know n.

    Those two are proved for n that m divides.
    """

    n: np.ndarray
    exact: np.ndarray
    union: np.ndarray
    closed: float
    theorem: float

    @cached_property
    def by_n(self) -> dict[int, float]:
        return dict(zip(self.n.tolist(), self.exact.tolist(), strict=True))

    def lines(self) -> dict[str, np.ndarray]:
        """The bounds by name; nan where one says nothing."""
        same = np.ones(len(self.n))
        bounds = dict(union=self.union, closed=self.closed * same, theorem=self.theorem * same)
        return {name: np.where(line > 0, line, np.nan) for name, line in bounds.items()}


def over_n(n_true: int, n_groups: int, t: float) -> OverN:
    """From as few features as there are true ones to a million."""
    sizes = [int(text) for text in settings.sizes_from(n_true)]
    return OverN(
        n=np.array(sizes),
        exact=np.array([grouping.balance_probability(k, n_true, n_groups, t) for k in sizes]),
        union=np.array([grouping.union_bound(k, n_true, n_groups, t) for k in sizes]),
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
    bounds = {f"{name} bound": line for name, line in found.lines().items()}
    return {"n": found.n, "P exact": found.exact} | bounds
