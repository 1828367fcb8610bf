"""P(balanced) over the number of groups: exactly, and three lower bounds on it.

A split of n features into m random groups is balanced when max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)
(Theorem 5), Ω_j being the true features of group j. Everything here is a call of
`solvers.grouping`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lab.balance import settings
from solvers import grouping

BOUNDS = ("union", "closed", "theorem")


def is_certain(n_features: int, n_true: int, n_groups: int) -> bool:
    """Whether nothing is left to chance: one group, or every feature true."""
    return n_groups == 1 or n_true == n_features


@dataclass(frozen=True)
class Setting:
    """What the page is about: n features, s of them true, a tolerance t, what is wanted.

    The paper's rule is m = c·s/log s; `target` is the wanted P(balanced).
    """

    n: int
    s: int
    t: float
    target: float = 0.95
    c: float = 1.0

    @property
    def paper(self) -> int:
        return settings.paper_groups(self.s, self.c)


@dataclass(frozen=True)
class Balance:
    """P(balanced) at every number of groups that is on offer, exactly, and the largest m."""

    m: np.ndarray
    exact: np.ndarray
    largest: int
    at_largest: float
    at_paper: float

    @cached_property
    def by_m(self) -> dict[int, float]:
        return dict(zip(self.m.tolist(), self.exact.tolist(), strict=True))


def curve(at: Setting) -> Balance:
    groups = np.array([int(text) for text in settings.groups_up_to(at.s)])
    exact = grouping.balance_curve(at.n, at.s, groups.tolist(), at.t)
    largest = grouping.recommend_n_groups(at.n, at.s, at.t, at.target)
    return Balance(
        m=groups,
        exact=exact,
        largest=largest,
        at_largest=grouping.balance_probability(at.n, at.s, largest, at.t),
        at_paper=grouping.balance_probability(at.n, at.s, at.paper, at.t),
    )


@dataclass(frozen=True)
class Bounds:
    """The lower bounds at every number of groups on offer, unclipped: at or below 0 one is vacuous.

    The closed bound and the theorem's are proved for m that divide n.
    """

    m: np.ndarray
    union: np.ndarray
    closed: np.ndarray
    theorem: np.ndarray

    def reach(self, name: str, least: float = 0.0) -> int | None:
        """The largest m shown at which a bound is above `least`, None if there is none."""
        reached = self.m[getattr(self, name) > least]
        return int(reached[-1]) if reached.size else None

    def at(self, n_groups: int) -> dict[str, float]:
        place = int(np.searchsorted(self.m, n_groups))
        return {name: float(getattr(self, name)[place]) for name in BOUNDS}


def bounds(at: Setting) -> Bounds:
    groups = [int(text) for text in settings.groups_up_to(at.s)]
    return Bounds(
        m=np.array(groups),
        union=np.array([grouping.union_bound(at.n, at.s, m, at.t) for m in groups]),
        closed=np.array([grouping.chernoff_bound(at.s, m, at.t) for m in groups]),
        theorem=np.array([grouping.theorem_bound(at.s, m, at.t) for m in groups]),
    )


def drawn(values: np.ndarray) -> np.ndarray:
    """A bound as a line: down to 0 where it turns vacuous, and nothing after it was last positive.

    nan where it says nothing.
    """
    says = np.flatnonzero(values > 0)
    line = np.full(len(values), np.nan)
    if says.size:
        end = min(says[-1] + 2, len(values))
        line[:end] = np.maximum(values[:end], 0.0)
    return line


def curve_table(found: Balance) -> dict[str, np.ndarray]:
    return {"m": found.m, "P exact": found.exact}


def bounds_table(found: Balance, proven: Bounds) -> dict[str, np.ndarray]:
    """The curve beside the bounds as columns; nan where a bound is vacuous."""
    columns = {
        f"{name} bound": np.where(getattr(proven, name) > 0, getattr(proven, name), np.nan)
        for name in BOUNDS
    }
    return curve_table(found) | columns
