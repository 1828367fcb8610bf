"""A Dask array as a linear operator, in the interface of `solvers.design.Design`."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from ..design import Design
from ..linear_algebra import largest_eigenvalue, least_squares
from ..validation import too_large
from .passes import Passes, Sums, Wanted

KEPT = 4  # products Xᵀθ that are remembered
SAME = 1e-13  # relative distance to their span at which a θ is a combination of remembered ones
CANCELLING = 1e2  # size of the terms of a combination beside it, from which digits are lost
DERIVED = 20  # combinations of combinations before a product is made afresh
EXTREME = 2.0**64  # beyond this, or its inverse, squares of the data are no numbers to work with


class DaskDesign:
    """X, or X − 1μᵀ with μ the weighted column means where an intercept is fitted.

    The data stay where they are; vectors are here. Nothing is read before the first product, and
    the pass that makes it also looks for entries that are no numbers and sums the columns. A pass
    is a graph of its own, and `passes` counts them: a part of one where only some blocks are read.
    """

    in_memory = False
    dense = None

    def __init__(self, X, weight=None):
        self.shape = X.shape
        self.is_sparse = sparse.issparse(X._meta)
        self._passes = Passes(X)
        self._weight = weight
        self._means: Any = None
        self._surveyed = False
        self._products: list[tuple[np.ndarray, np.ndarray, int]] = []
        self._last_image: tuple[Any, Any] = (None, None)
        self._held: Any = lambda: None

    @property
    def passes(self) -> float:
        """How often the data have been gone through."""
        return self._passes.count

    @property
    def flops(self) -> int:
        return 2 * self.shape[0] * self.shape[1]

    @property
    def means(self) -> np.ndarray | None:
        if self._weight is not None and self._means is None:
            self._sums(left=np.empty((self.shape[0], 0)))
        return self._means

    def stop_when(self, condition: Callable[[], bool]) -> None:
        """Asked before every pass, which raises `OutOfTime` instead where it holds."""
        self._passes.stop_when = condition

    def remember(self, columns) -> None:
        """Columns that are gathered here: products with no others take no pass."""
        self._held = weakref.ref(columns)

    def rmatvec(self, theta) -> np.ndarray:
        """Xᵀθ; one of the last ones, or a combination of them, takes no pass."""
        known = self._combined(theta)
        if known is None:
            product = self._centred(self._sums(left=theta[:, None]), theta[:, None])[:, 0]
            known = (theta.copy(), product, 0)
        self._products = [known, *self._products][:KEPT]
        return known[1].copy()

    def _combined(self, theta):
        """Xᵀθ from remembered products where θ is a combination of theirs, else None."""
        size = float(np.linalg.norm(theta))
        if size == 0.0:
            return theta.copy(), np.zeros(self.shape[1]), 0
        kept = [known for known in self._products if known[2] < DERIVED and known[0].any()]
        if not kept:
            return None
        basis = np.column_stack([known[0] for known in kept])
        lengths = np.linalg.norm(basis, axis=0)
        shares = least_squares(basis / lengths, theta)
        if np.abs(shares).max() > CANCELLING * size:
            return None
        if np.linalg.norm(theta - basis @ (shares / lengths)) > SAME * size:
            return None
        product = np.column_stack([known[1] for known in kept]) @ (shares / lengths)
        return theta.copy(), product, 1 + max(known[2] for known in kept)

    def matvec(self, w) -> np.ndarray:
        support = np.flatnonzero(w)
        values = w[support]
        if not support.size:
            return np.zeros(self.shape[0])
        held = self._held()
        if held is not None and np.all(held.place[support] >= 0):
            return held.X[:, held.place[support]] @ values
        last, image = self._last_image
        if last is None or not np.array_equal(w, last):
            image = self.product(w)
            if self._weight is not None:
                image = image - self._means[support] @ values
            self._last_image = (w.copy(), image)
        return image.copy()

    def recall(self, w, image) -> None:
        """Xw of a w that is made of others: no pass when it is asked for."""
        self._last_image = (w.copy(), image)

    def product(self, W) -> np.ndarray:
        """XW without centring, W a vector or a matrix of weights: one pass for all of them."""
        support = np.flatnonzero(W if W.ndim == 1 else W.any(axis=1))
        if not support.size:
            return np.zeros((self.shape[0], *W.shape[1:]))
        return self._passes.along_rows(self._sums(right=(support, W[support])).right)

    def on(self, features) -> Design:
        """The (centred) columns of those features as a design in memory."""
        return Design.of_centred(self.columns(features))

    def columns(self, indices) -> np.ndarray:
        """The (centred) columns as a dense Fortran-ordered array."""
        indices = np.asarray(indices, dtype=np.intp)
        held = self._held()
        place = np.full(indices.size, -1) if held is None else held.place[indices]
        dense = np.empty((self.shape[0], indices.size), order="F")
        if np.any(place >= 0):
            dense[:, place >= 0] = held.X[:, place[place >= 0]]
        missing = np.flatnonzero(place < 0)
        if missing.size:
            fetched = self._passes.columns(indices[missing])
            means = self.means
            if means is not None:
                fetched -= means[indices[missing]]
            dense[:, missing] = fetched
        return dense

    def column_squares(self, row_weights) -> np.ndarray:
        """Σ over rows of their weight times the squares of (X − 1μᵀ), one number a feature"""
        wanted: dict[str, Any] = {"squares": row_weights}
        if self._weight is not None:
            wanted["left"] = row_weights[:, None]
        sums = self._sums(**wanted)
        squares = self._passes.along_columns(sums.squares)
        if self._weight is None:
            return squares
        mean = self._means
        plain = self._passes.along_columns(sums.left)[:, 0]
        return np.maximum(squares - 2.0 * mean * plain + mean * mean * row_weights.sum(), 0.0)

    @property
    def most_rows(self) -> int:
        """Of one block."""
        return self._passes.most_rows

    def gram(self, features, row_weights) -> np.ndarray:
        """[X 1]ᵀD[X 1] on those (centred) features, in ascending order, D = diag(row_weights)."""
        means = self.means
        return self._passes.gram(features, row_weights, None if means is None else means[features])

    def largest_eigenvalue(self, row_weights) -> float:
        """A bound on the largest eigenvalue of XᵀDX, D = diag(row_weights), from one pass

        The norm of a matrix is at most that of its blocks' norms: exact for one block, nearly so
        for blocks of many more rows than there are features, and never above the trace.
        """
        norms = np.sqrt(self._passes.eigenvalues(row_weights, self.means))
        rows, columns = norms.shape
        return largest_eigenvalue(norms @ norms.T if rows < columns else norms.T @ norms)

    def _sums(self, left=None, **wanted) -> Sums:
        """A pass; the first one over all blocks also surveys them."""
        survey = not self._surveyed
        if survey and self._weight is not None:
            weight = self._weight[:, None]
            left = weight if left is None else np.hstack([left, weight])
        sums = self._passes.sums(Wanted(left=left, survey=survey, **wanted))
        if survey:
            self._take_survey(sums)
        return sums

    def _take_survey(self, sums: Sums) -> None:
        if sums.wrong is not None:
            raise ValueError(too_large(*sums.wrong))
        if sums.largest > 0.0 and not 1.0 / EXTREME < sums.largest < EXTREME:
            raise ValueError(
                f"the largest entry of X is {sums.largest:g} in size; divide X by a constant of "
                "that order, which Dask does on the way."
            )
        self._surveyed = True
        if self._weight is not None:
            last = {j: part[:, -1] for j, part in sums.left.items()}
            self._means = self._passes.along_columns(last) / self._weight.sum()
            sums.left = {j: part[:, :-1] for j, part in sums.left.items()}

    def _centred(self, sums: Sums, left) -> np.ndarray:
        product = self._passes.along_columns(sums.left)
        if self._weight is None:
            return product
        return product - np.outer(self._means, left.sum(axis=0))
