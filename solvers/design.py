"""The data matrix as a linear operator, dense or sparse, with optional column centring."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse


class Design:
    """X, or X − 1μᵀ where an unpenalised intercept is fitted.

    With an intercept, Xw + b = (X − 1μᵀ)w + (b + μᵀw), so centring changes only the meaning of the
    intercept. With μ the weighted column means the intercept's column is orthogonal to all others,
    which is what makes separate step lengths for it valid. Sparse data stay sparse: the centring
    is a rank-one correction. Dense data are centred once, in a copy.
    """

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

    @property
    def dense(self) -> np.ndarray | None:
        """The (centred) matrix itself, or None when the data are sparse."""
        return None if self.is_sparse else self.matrix

    @property
    def _correction(self):
        """The means still to be subtracted: sparse data only."""
        return self.means if self.is_sparse else None

    def matvec(self, w) -> np.ndarray:
        if self._correction is None:
            return self.matrix @ w
        return self.matrix @ w - self._correction @ w

    def rmatvec(self, theta) -> np.ndarray:
        if not self.is_sparse:
            return theta @ self.matrix
        product = self._transposed @ theta
        return product if self._correction is None else product - self._correction * theta.sum()

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
            gram = self._small_gram(np.sqrt(row_weights))
            last = gram.shape[0] - 1
            value = linalg.eigvalsh(gram, subset_by_index=[last, last])[0]
            return max(0.0, float(value)) * (1.0 + 1e-9)
        return _EIGENVALUE_MARGIN * _lanczos_largest(
            lambda w: self.rmatvec(row_weights * self.matvec(w)), self.shape[1]
        )


# Up to this many rows or columns the small Gram matrix's eigenvalue is exact and cheap.
_SMALL = 1000
# Lanczos approaches the largest eigenvalue from below; a step length needs it from above.
_EIGENVALUE_MARGIN = 1.02
_LANCZOS_STEPS = 80
# One small increment may be a plateau; only a run of them is convergence.
_SETTLED = 8


def _lanczos_largest(apply, size) -> float:
    """The largest Ritz value of a positive semidefinite operator after a few Lanczos steps."""
    direction = np.random.default_rng(0).standard_normal(size)
    direction /= np.linalg.norm(direction)
    previous, beta = np.zeros(size), 0.0
    diagonal, off_diagonal, largest, settled = [], [], 0.0, 0
    for _ in range(min(_LANCZOS_STEPS, size)):
        image = apply(direction) - beta * previous
        alpha = float(direction @ image)
        image -= alpha * direction
        beta = float(np.linalg.norm(image))
        diagonal.append(alpha)
        before = largest
        largest = float(linalg.eigvalsh_tridiagonal(diagonal, off_diagonal)[-1])
        settled = settled + 1 if largest - before <= 1e-4 * largest else 0
        if beta <= 1e-12 * largest or settled >= _SETTLED:
            break
        off_diagonal.append(beta)
        previous, direction = direction, image / beta
    return largest
