"""A weight vector seen group by group: which groups it keeps, which it empties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from solvers import Groups

# Figure 1's order; the names on the right are those of `solvers.comparisons`.
FITTED_AS: Mapping[str, str] = MappingProxyType(
    {"l2": "ridge", "l1": "lasso", "l21": "group", "le": "exclusive"}
)


@dataclass(frozen=True)
class Pattern:
    """A weight vector seen group by group."""

    weights: np.ndarray
    groups: Groups

    @cached_property
    def nonzeros(self) -> int:
        return int(np.count_nonzero(self.weights))

    @cached_property
    def alive(self) -> np.ndarray:
        """Which groups hold a nonzero."""
        return self.groups.max(np.abs(self.weights)) > 0

    @cached_property
    def n_alive(self) -> int:
        return int(np.count_nonzero(self.alive))

    @cached_property
    def n_empty(self) -> int:
        return self.groups.n_groups - self.n_alive

    @cached_property
    def grid(self) -> np.ndarray:
        """One row per group; for groups of one size."""
        return self.weights[self.groups.indices].reshape(self.groups.n_groups, -1)
