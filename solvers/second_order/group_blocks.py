"""The group block I/λ + A diag(weights) Aᵀ of a Newton system, in its cheapest form."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..geometry import band_of_groups
from ..linear_algebra import BandFactor, BandOrder, Cholesky, Diagonal, cholesky
from .columns import MATRIX_PRODUCT

SUBSTITUTE = 80.0  # operations that an unknown of a narrow band takes however few it is coupled to


class GroupBlocks:
    """Factors of I/λ + A diag(weights) Aᵀ for one A and many weights

    Disjoint groups make it a diagonal, and groups of which each overlaps few others a band; else it
    is a dense m × m matrix.
    """

    def __init__(self, incidence, transposed, overlapping):
        self._incidence, self._transposed = incidence, transposed
        self.overlapping = overlapping

    @cached_property
    def squared(self):
        """A⊙A"""
        return scaled(self._incidence, self._incidence)

    @cached_property
    def _order(self) -> BandOrder | None:
        small = isinstance(self._incidence, np.ndarray)
        return None if small or not self.overlapping else band_of_groups(self._incidence)

    @property
    def dense(self) -> bool:
        return self.overlapping and self._order is None

    def matrix(self, weights) -> np.ndarray:
        """A diag(weights) Aᵀ as a dense array of its own."""
        block = scaled(self._incidence, weights) @ self._transposed
        return block if isinstance(block, np.ndarray) else block.toarray()

    def factor(self, weights, shift, lift) -> Diagonal | BandFactor | Cholesky | None:
        """The factor of shift·I + A diag(weights) Aᵀ, lifted a little where rounding asks for it

        None if there is none all the same.
        """
        if not self.overlapping:
            return Diagonal(shift + self.squared @ weights)
        if self._order is not None:
            block = (scaled(self._incidence, weights) @ self._transposed).tocsr()
            block.setdiag(block.diagonal() + shift)
            return self._order.factor(block) or self._order.factor(block, shift=lift)
        block = self.matrix(weights)
        block[np.diag_indices(len(block))] += shift
        return cholesky(block, lift=lift)


def dense_groups(geometry) -> int:
    """How many unknowns groups add to a dense system."""
    dense = geometry.overlapping and geometry.group_order is None
    return geometry.n_groups if dense else 0


def group_work(geometry, n_samples) -> float:
    """The operations of a factor and of its part in a matrix of the samples, about."""
    if not geometry.overlapping:
        return 0.0
    n_groups, order = geometry.n_groups, geometry.group_order
    if order is None:
        return n_groups**3 / 3.0 + MATRIX_PRODUCT * 2.0 * n_groups**2 * n_samples
    return band_work(n_groups, order.width, n_samples)


def band_work(size, width, n_right) -> float:
    """The operations of a banded factor and of substituting it in so many right-hand sides."""
    return size * (width + 1.0) * (3.0 * width + SUBSTITUTE) + size * n_right * (
        SUBSTITUTE + 2.0 * width
    )


def scaled(incidence, weights):
    """The entries of A times those, in the form that A has: dense if it is small."""
    if isinstance(incidence, np.ndarray):
        return incidence * weights
    return incidence.multiply(weights).tocsr()
