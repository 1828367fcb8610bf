"""E-LASSO in w alone, for the rivals that solve linear systems."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..linear_algebra import solve_definite


class CentredSquares:
    """½‖Xw − y‖² with rows scaled by √ω and the intercept eliminated

    The design is centred by the weighted means, so the best intercept of the centred problem is the
    weighted mean of y whatever w is: subtracting it once leaves plain least squares.
    """

    def __init__(self, problem):
        self.shape = problem.design.shape
        self._design = problem.design
        self._root = np.sqrt(problem.sample_weight)
        mean = problem.best_intercept(np.zeros(problem.n_samples))
        self.target = self._root * (problem.y - mean)
        self._feature_gram = None
        self._column_norms = None

    def matvec(self, w) -> np.ndarray:
        return self._root * self._design.matvec(w)

    def rmatvec(self, residual) -> np.ndarray:
        return self._design.rmatvec(self._root * residual)

    def columns(self, indices) -> np.ndarray:
        """Some columns of X, dense."""
        return self._root[:, None] * self._design.columns(indices)

    def times(self, matrix) -> np.ndarray:
        """X·C for a sparse n × m matrix C, as a dense N × m array."""
        product = self._design.matrix @ matrix
        if sparse.issparse(product):
            product = product.toarray()
        if self._sparse_means is not None:
            product = product - self._sparse_means @ matrix
        return self._root[:, None] * product

    @property
    def column_norms_squared(self) -> np.ndarray:
        if self._column_norms is None:
            matrix, weight = self._design.matrix, self._root**2
            if self._design.is_sparse:
                norms = np.asarray(weight @ matrix.multiply(matrix)).reshape(-1)
            else:
                norms = np.einsum("i,ij,ij->j", weight, matrix, matrix)
            if self._sparse_means is not None:
                norms = norms - weight.sum() * self._sparse_means**2
            self._column_norms = norms
        return self._column_norms

    @property
    def _sparse_means(self):
        """The means still to be subtracted: dense data are centred already."""
        return self._design.means if self._design.is_sparse else None

    def sample_gram(self, feature_weights) -> np.ndarray:
        """X diag(feature_weights) Xᵀ, N × N"""
        gram = self._design.weighted_gram(feature_weights)
        gram *= self._root[:, None]
        gram *= self._root
        return gram

    def feature_gram(self) -> np.ndarray:
        """XᵀX, n × n, computed once: only for n < N."""
        if self._feature_gram is None:
            matrix = self._design.matrix
            if self._design.is_sparse:
                scaled = sparse.diags_array(self._root) @ matrix
                gram = (scaled.T @ scaled).toarray()
                if self._sparse_means is not None:
                    # Xᵀω = (Σω)μ, because these means are weighted by ω.
                    total = float(self._root @ self._root)
                    gram -= total * np.outer(self._sparse_means, self._sparse_means)
            else:
                scaled = self._root[:, None] * matrix
                gram = scaled.T @ scaled
            self._feature_gram = gram
        return self._feature_gram

    def reweighted_ridge(self, scale, lam) -> np.ndarray | None:
        """argmin over w of ½‖Xw − y‖² + λ/2 Σᵢ wᵢ²/scaleᵢ, with wᵢ = 0 where scaleᵢ = 0

        w = DXᵀ(XDXᵀ + λI)⁻¹y with D = diag(scale), or the same in features where those are fewer:
        nothing is divided by `scale`. None where the arithmetic gives out.
        """
        n_samples, n_features = self.shape
        if n_samples <= n_features:
            dual = solve_definite(self._relevant_gram(scale, lam), self.target, shift=lam)
            return None if dual is None else scale * self.rmatvec(dual)
        root = np.sqrt(scale)
        gram = self.feature_gram() * root
        gram *= root[:, None]
        w = solve_definite(gram, root * self.rmatvec(self.target), shift=lam)
        return None if w is None else root * w

    def _relevant_gram(self, scale, lam) -> np.ndarray:
        """XDXᵀ without the columns that all together change less than an ulp of λ."""
        if self._design.is_sparse:
            return self.sample_gram(scale)
        cutoff = _NEGLIGIBLE * lam / scale.size
        relevant = np.flatnonzero(scale * self.column_norms_squared > cutoff)
        if relevant.size > 0.75 * scale.size:
            return self.sample_gram(scale)
        columns = self.columns(relevant)
        columns *= np.sqrt(scale[relevant])
        return columns @ columns.T


# Below half the spacing of floating-point numbers at 1.
_NEGLIGIBLE = 1e-17
