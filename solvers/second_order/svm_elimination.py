"""The E-SVM's Newton systems, reduced to one matrix of the size of the samples or the features.

    (XEXᵀ + Θ) d = r,   E = diag(e) − diag(f)AᵀM⁻¹A diag(f),   M = I/β + A diag(e)Aᵀ

e = 1/D_p + 1/D_q and f = 1/D_p − 1/D_q; e − f²/e = 4/(D_p + D_q) is used wherever the difference
would cancel. d = y∘du. Disjoint groups make M diagonal; where overlapping ones are many, or couple
each feature to few others, everything is done with matrices of the features instead.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..geometry import BANDED
from ..linear_algebra import Cholesky, cholesky
from .columns import MATRIX_PRODUCT
from .group_blocks import band_work, scaled

_FIRST_LIFT = 1e-14
_REFINEMENTS = 4
LARGEST_COUPLING = 2e7  # entries of AᵀA, counted with repetition


def elimination_of(model, Dp, Dq, theta):
    kind = GroupSpace if model.coupling is None else FeatureSpace
    return kind(model, Dp, Dq, theta)


class Coupling:
    """Q = AᵀA of overlapping groups, and the order in which it is a band, if it is a narrow one."""

    def __init__(self, geometry, narrow):
        self._squares = geometry.coupling
        self._order = geometry.band_order if narrow else None

    @classmethod
    def fitting(cls, geometry) -> Coupling | None:
        """None where matrices of the size of the groups are smaller."""
        n_groups, n_features = geometry.n_groups, geometry.n_features
        entries = float(np.sum(np.square(geometry.groups.sizes, dtype=float)))
        if not geometry.overlapping or 2 * n_groups < n_features or entries > LARGEST_COUPLING:
            return None
        narrow = geometry.band_order.width <= BANDED * n_features
        return cls(geometry, narrow) if narrow or n_groups >= n_features else None

    def work(self, n_samples) -> float:
        """The operations of a factor and of its part in the matrix of the samples, about."""
        size = self._squares.shape[0]
        if self._order is None:
            return size**3 / 3.0 + MATRIX_PRODUCT * 2.0 * size**2 * min(n_samples, size)
        return band_work(size, self._order.width, n_samples)

    @property
    def dense_size(self) -> int:
        return self._squares.shape[0] if self._order is None else 0

    def factor(self, root, beta):
        """The factor of I + β diag(root) Q diag(root)."""
        weighted = sparse.diags_array(root) @ (beta * self._squares) @ sparse.diags_array(root)
        if self._order is None:
            matrix = weighted.toarray()
            matrix[np.diag_indices(root.size)] += 1.0
            return factored(matrix)
        return _existing(self._order.factor((weighted + sparse.eye_array(root.size)).tocsr()))


class Elimination:
    """What both forms share: the factor of XEXᵀ + Θ, and refinement against the matrix itself."""

    def __init__(self, model, Dp, Dq, theta):
        self._model, self._theta = model, theta
        self.e, self.f = 1.0 / Dp + 1.0 / Dq, 1.0 / Dp - 1.0 / Dq
        self._rest = 4.0 / (Dp + Dq)
        self._ones = 0.0
        self._set_up()
        n_samples, n_features = model.design.shape
        if n_samples <= n_features:
            self._factor_by_samples()
        else:
            self._factor_by_features()
        self._refine = n_samples > n_features or self._factor.lifted

    def solve(self, right):
        d = self._solve_once(right)
        if not self._refine:
            return d
        target, previous = 1e-13 * np.linalg.norm(right), np.inf
        for _ in range(_REFINEMENTS):
            residual = right - self._apply(d)
            size = np.linalg.norm(residual)
            if not size < 0.5 * previous or size <= target:
                break
            previous = size
            d = d + self._solve_once(residual)
        return d

    def _apply(self, d):
        design = self._model.design
        image = design.matvec(self._curved(design.rmatvec(d)))
        return image + self._theta * d + self._ones * d.sum()

    def _factor_by_samples(self):
        matrix = self._gram()
        size = matrix.shape[0]
        if self._model.balanced:
            # Centred columns make XEXᵀ singular along 1; 1ᵀd is prescribed, so 11ᵀ is free.
            self._ones = np.trace(matrix) / size**2
            matrix += self._ones
        matrix[np.diag_indices(size)] += self._theta
        self._factor = factored(matrix)
        self._solve_once = self._factor.solve

    def _set_woodbury(self, matrix, spread, gathered):
        """(Θ + XRRᵀXᵀ)⁻¹ from the factor of I + RᵀXᵀΘ⁻¹XR; R v and Rᵀv are what is handed over."""
        self._factor = factored(matrix)
        X, theta = self._model.by_feature.T, self._theta

        def solve_once(right):
            inner = self._factor.solve(gathered(X.T @ (right / theta)))
            return (right - X @ spread(inner)) / theta

        self._solve_once = solve_once


class GroupSpace(Elimination):
    """By the m × m matrix M, or its diagonal."""

    def _set_up(self):
        self._block = self._group_block(self.e)

    def _group_block(self, weights):
        """M = I/β + A diag(weights) Aᵀ, the curvature of the group sums."""
        model = self._model
        return _existing(model.blocks.factor(weights, 1.0 / model.problem.beta, _FIRST_LIFT))

    def sums(self, h, residual):
        """ds = M⁻¹(Ah − r) and Aᵀds"""
        ds = self._block.solve(self._model.incidence @ h - residual)
        return ds, self._model.incidence_t @ ds

    def _curved(self, v):
        sums = self._block.solve(self._model.incidence @ (self.f * v))
        return self.e * v - self.f * (self._model.incidence_t @ sums)

    def _gram(self):
        model, root = self._model, np.sqrt(self.e)
        h = self.f / root
        rows = model.by_feature * root[:, None]
        weighted = scaled(model.incidence, h)
        if model.groups.overlapping:
            matrix = rows.T @ rows
            sums = self._block.half_solve(weighted @ rows)
            matrix -= sums.T @ sums
            return matrix
        # Symmetric square root of I − hhᵀ/M per group: definite by construction.
        spread = model.blocks.squared @ (h * h)
        left = self._group_block(self._rest).values / self._block.values
        shrink = np.zeros_like(spread)
        np.divide(1.0 - np.sqrt(left), spread, out=shrink, where=spread > 0)
        sums = shrink[:, None] * (weighted @ rows)
        rows -= (weighted.T if isinstance(weighted, np.ndarray) else weighted.T.tocsr()) @ sums
        return rows.T @ rows

    def _factor_by_features(self):
        """Woodbury: the factored matrix is I + √e(E⁻¹ − diag(1/e) + XᵀΘ⁻¹X)√e, never below I."""
        model, root = self._model, np.sqrt(self.e)
        scaled = (model.by_feature.T * root) / np.sqrt(self._theta)[:, None]
        matrix = scaled.T @ scaled
        weighted = model.dense_incidence * (self.f / root)
        half = self._group_block(self._rest).half_solve(weighted)
        matrix += half.T @ half
        matrix[np.diag_indices(root.size)] += 1.0
        self._set_woodbury(matrix, lambda v: root * v, lambda v: root * v)


class FeatureSpace(Elimination):
    """By C = I + β√e AᵀA √e, n × n, with h = f/√e: E = diag(e − f²/e) + hC⁻¹h

    Both terms are positive, and M⁻¹(Ah − r) = β(A√e z − r) with Cz = h/√e + β√e Aᵀr.
    """

    def _set_up(self):
        self._root = np.sqrt(self.e)
        self._block = self._model.coupling.factor(self._root, self._model.problem.beta)

    def sums(self, h, residual):
        model, root, beta = self._model, self._root, self._model.problem.beta
        z = self._block.solve(h / root + beta * root * (model.incidence_t @ residual))
        ds = beta * (model.incidence @ (root * z) - residual)
        return ds, model.incidence_t @ ds

    def _curved(self, v):
        h = self.f / self._root
        return self._rest * v + h * self._block.solve(h * v)

    def _gram(self):
        rows = self._model.by_feature
        left = rows * np.sqrt(self._rest)[:, None]
        right = rows * (self.f / self._root)[:, None]
        return left.T @ left + right.T @ self._block.solve(right)

    def _factor_by_features(self):
        # E = √e Ê √e, where Ê has no entry above 1.
        h = self.f / self.e
        scaled = h[:, None] * self._block.solve(np.diag(h))
        scaled[np.diag_indices(h.size)] += self._rest / self.e
        R = self._root[:, None] * factored(scaled).lower
        image = (self._model.by_feature.T @ R) / np.sqrt(self._theta)[:, None]
        matrix = image.T @ image
        matrix[np.diag_indices(h.size)] += 1.0
        self._set_woodbury(matrix, lambda v: R @ v, lambda v: R.T @ v)


def factored(matrix) -> Cholesky:
    """The factor, lifted where rounding has made the matrix indefinite."""
    return _existing(cholesky(matrix, lift=_FIRST_LIFT))


def _existing(factor):
    if factor is None:
        raise np.linalg.LinAlgError("the Newton matrix is not positive definite")
    return factor
