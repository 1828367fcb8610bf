"""The data matrix as a linear operator, dense or sparse, with optional column centring."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .large.arrays import is_dask
from .linear_algebra import lanczos_bound, largest_eigenvalue

FEW_ENTRIES = 500_000  # of sparse data: a product with all of them costs less than picking columns
# Features per nonzero of w from which picking their columns pays: they are apart in memory where
# rows are contiguous.
APART, TOGETHER = 24, 4


def design_of(X, centring_weight=None):
    """X as a linear operator, centred by its weighted column means where weights are given."""
    if is_dask(X):
        from .large.design import DaskDesign

        return DaskDesign(X, centring_weight)
    if centring_weight is None:
        return Design(X)
    return Design(X, np.asarray(centring_weight @ X).reshape(-1) / centring_weight.sum())


class Design:
    """X, or X − 1μᵀ where an unpenalised intercept is fitted.

    With an intercept, Xw + b = (X − 1μᵀ)w + (b + μᵀw), so centring changes only the meaning of the
    intercept. With μ the weighted column means the intercept's column is orthogonal to all others,
    which is what makes separate step lengths for it valid. Sparse data stay sparse: the centring
    is a rank-one correction. Dense data are centred once, in a copy.
    """

    in_memory = True
    passes = None  # not counted

    def __init__(self, X, means=None):
        self.is_sparse = sparse.issparse(X)
        self.means = means
        if self.is_sparse:
            self.matrix = X
            # The transpose of a CSR array is a CSC view of the same memory.
            self._transposed = X.T
        else:
            self.matrix = X if means is None else X - means
        self.shape = X.shape
        self._last = (None, None)

    @classmethod
    def of_centred(cls, columns) -> Design:
        """Dense columns from which their means are subtracted already, where that is asked for."""
        design = cls(columns)
        design.means = np.zeros(columns.shape[1])
        return design

    @property
    def dense(self) -> np.ndarray | None:
        """The (centred) matrix itself, or None when the data are sparse."""
        return None if self.is_sparse else self.matrix

    @property
    def _correction(self):
        """The means still to be subtracted: sparse data only."""
        return self.means if self.is_sparse else None

    @property
    def _picked_from(self) -> float:
        """Features per nonzero of w from which a product with the columns of those alone pays."""
        if self.is_sparse:
            return TOGETHER if self.matrix.nnz > FEW_ENTRIES else np.inf
        return TOGETHER if self.matrix.flags.f_contiguous else APART

    @property
    def flops(self) -> int:
        """Operations of one product with X or its transpose."""
        return 2 * (self.matrix.nnz if self.is_sparse else self.matrix.size)

    def remember(self, columns) -> None:
        """Columns gathered by someone: where all data are in memory, they are not needed here."""

    def matvec(self, w) -> np.ndarray:
        least = self._picked_from
        support = np.flatnonzero(w) if least < np.inf else None
        if support is not None and least * support.size <= w.size:
            return self._few_columns(support, w[support])
        if self._correction is None:
            return self.matrix @ w
        return self.matrix @ w - self._correction @ w

    def rmatvec(self, theta) -> np.ndarray:
        """Xᵀθ; the last one is remembered, because a method and its certificate both ask for it."""
        last, product = self._last
        if last is None or not np.array_equal(theta, last):
            product = self._transposed_product(theta)
            self._last = (theta.copy(), product)
        return product.copy()

    def _transposed_product(self, theta) -> np.ndarray:
        if not self.is_sparse:
            return theta @ self.matrix
        product = self._transposed @ theta
        return product if self._correction is None else product - self._correction * theta.sum()

    def _few_columns(self, support, values) -> np.ndarray:
        """Xw where most of w is 0: a product with the columns of the others."""
        if not self.is_sparse:
            return self.matrix[:, support] @ values
        product = self._by_columns[:, support] @ values
        if self._correction is None:
            return product
        return product - self._correction[support] @ values

    def on(self, features) -> Design:
        """The (centred) columns of those features as a design of their own; sparse ones stay so."""
        means = None if self.means is None else self.means[features]
        if self.is_sparse:
            return Design(self._by_columns[:, features].tocsr(), means)
        return Design.of_centred(self.columns(features))

    def columns(self, indices) -> np.ndarray:
        """The (centred) columns as a dense Fortran-ordered array."""
        if not self.is_sparse:
            return np.asfortranarray(self.matrix[:, indices])
        dense = np.asfortranarray(self._by_columns[:, indices].toarray())
        if self._correction is not None:
            dense -= self._correction[indices]
        return dense

    def weighted_gram(self, weights) -> np.ndarray:
        """X diag(weights) Xᵀ, N × N, for weights ≥ 0."""
        root = np.sqrt(weights)
        if not self.is_sparse:
            scaled = self.matrix * root
            return scaled @ scaled.T
        scaled = self.matrix @ sparse.diags_array(root)
        gram = (scaled @ scaled.T).toarray()
        if self._correction is not None:
            cross = self.matrix @ (weights * self._correction)
            gram -= cross[:, None] + cross
            gram += weights @ self._correction**2
        return gram

    def _small_gram(self, row_scale) -> np.ndarray:
        """RXXᵀR or XᵀR²X, R = diag(row_scale), whichever is smaller."""
        n_samples, n_features = self.shape
        if n_samples <= n_features:
            return self.weighted_gram(np.ones(n_features)) * np.outer(row_scale, row_scale)
        if not self.is_sparse:
            scaled = row_scale[:, None] * self.matrix
            return scaled.T @ scaled
        scaled = sparse.diags_array(row_scale) @ self.matrix
        gram = (scaled.T @ scaled).toarray()
        if self._correction is not None:
            weight = row_scale**2
            cross = np.outer(self._transposed @ weight, self._correction)
            gram += weight.sum() * np.outer(self._correction, self._correction) - cross - cross.T
        return gram

    @property
    def _by_columns(self):
        if not hasattr(self, "_csc"):
            self._csc = self.matrix.tocsc()
        return self._csc

    def largest_eigenvalue(self, row_weights) -> float:
        """The largest eigenvalue of Xᵀ diag(row_weights) X, or slightly more; 0 iff that is 0."""
        if min(self.shape) <= _SMALL:
            return largest_eigenvalue(self._small_gram(np.sqrt(row_weights)))
        return lanczos_bound(lambda w: self.rmatvec(row_weights * self.matvec(w)), self.shape[1])


# Up to this many rows or columns the small Gram matrix's eigenvalue is exact and cheap.
_SMALL = 1000
