"""The linear systems of the interior-point methods, condensed to samples (or features), groups."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import Cholesky, Diagonal, cholesky
from .columns import DENSE_PRODUCT, MATRIX_PRODUCT
from .group_blocks import GroupBlocks, group_work

DROPPED_SHARE = 0.1  # weight left out of the factor, relative to its smallest eigenvalue
MAX_CG = 25
CHUNK_ENTRIES = 2**23  # entries of a scaled copy of X alive at one time
# Measured, of an iteration: a share of a Gram matrix, since columns that do not matter are left
# out, and so many products with X.
KEPT_SHARE, PRODUCTS = 0.75, 25.0
UNRELIABLE = 1e4  # squared residual, relative to the target, from which a solve is not trusted


def iteration_work(geometry, n_samples, n_features) -> float:
    """The work of one iteration on so many features, about, in operations of a factorisation."""
    small, large = min(n_samples, n_features), max(n_samples, n_features)
    gram = KEPT_SHARE * MATRIX_PRODUCT * 2.0 * small**2 * large
    products = PRODUCTS * DENSE_PRODUCT * 2.0 * n_samples * n_features
    return gram + products + small**3 / 3.0 + group_work(geometry, small)


class ReducedSystem:
    """Solve the Newton system of one interior iteration.

        [V + X F Xᵀ    −X E Aᵀ     ] [dθ]   [a]
        [−A E Xᵀ       I/λ + A F Aᵀ] [ds] = [b],      F = D₊ + D₋,  E = D₊ − D₋,

    with D± the ratios of the variables w± to their slacks and V the inverse curvatures of the
    losses (I for least squares).  Where the group block is a diagonal or a narrow band it is
    eliminated, so one Cholesky factor of size N remains; otherwise it has size N + m.

    Columns whose weight F is too small to matter are left out of the factor, and conjugate
    gradients on the full operator make up for them: late iterations cost a product over little
    more than the support.
    """

    def __init__(self, X, A, lam, overlapping, dtype=np.float64):
        self.X = np.asfortranarray(X, dtype=dtype)
        self.A, self.AT = A.astype(dtype), A.T.tocsr().astype(dtype)
        self.blocks = GroupBlocks(self.A, self.AT, overlapping)
        self.dtype = dtype
        self.set_lam(lam)
        self.curb = np.ones(len(X), dtype=dtype)
        self.col_norms = np.einsum("ij,ij->j", self.X, self.X)
        self.smallest = 1.0  # estimate of the factor's smallest eigenvalue, for _kept_columns
        self.tolerance = 1e-3
        self.reliable = True

    @np.errstate(all="ignore")
    def set_lam(self, lam):
        self.lam = self.dtype(lam)

    @np.errstate(all="ignore")
    def factor(self, d_plus, d_minus, inverse_curvature=None):
        """Factor for new weights; False when not even a regularised factor exists."""
        self.F = (d_plus + d_minus).astype(self.dtype)
        self.E = (d_plus - d_minus).astype(self.dtype)
        self.reliable = True
        if inverse_curvature is not None:
            self.curb = inverse_curvature.astype(self.dtype)
            self.smallest = max(self.smallest, float(self.curb.min()))
        n_samples = len(self.X)
        gram, cross = self._assemble(self._kept_columns())
        if self.blocks.dense:
            size = n_samples + len(cross)
            matrix = np.empty((size, size), dtype=self.dtype)
            matrix[:n_samples, :n_samples] = gram
            matrix[n_samples:, :n_samples] = -cross
            matrix[n_samples:, n_samples:] = self.blocks.matrix(self.F)
            diagonal = matrix.reshape(-1)[:: size + 1]
            diagonal[:n_samples] += self.curb
            diagonal[n_samples:] += 1 / self.lam
        else:
            self.cross = cross
            self.group_factor = self._factor_groups(self.F)
            if self.group_factor is None:
                return False
            half = self.group_factor.half_solve(cross)
            matrix = gram
            matrix -= half.T @ half
            matrix.reshape(-1)[:: n_samples + 1] += self.curb
        self.triangle = _factored(matrix)
        if self.triangle is None:
            return False
        return self._estimate_smallest()

    def _factor_groups(self, weights):
        """The factor of I/λ + A diag(weights) Aᵀ."""
        lift = float(np.finfo(self.dtype).eps)
        return self.blocks.factor(weights, 1.0 / self.lam, lift)

    def _kept_columns(self):
        weight = self.F * self.col_norms
        order = np.argsort(weight)
        tail = np.cumsum(weight[order])
        # the weights left out spread over N directions, hence the factor N
        dropped = np.searchsorted(tail, DROPPED_SHARE * self.smallest * len(self.X))
        return None if dropped < 0.1 * len(weight) else np.sort(order[dropped:])

    def _assemble(self, kept):
        X, A, F, E = self.X, self.A, self.F, self.E
        if kept is not None:
            # rows of Xᵀ are contiguous, so this gather is a plain copy of the kept columns
            X, A, F, E = X.T[kept].T, A[:, kept], F[kept], E[kept]
        cross = A.multiply(E).tocsr() @ X.T
        root = np.sqrt(F)
        width = max(256, CHUNK_ENTRIES // len(X))
        gram = np.zeros((len(X), len(X)), dtype=self.dtype)
        for start in range(0, len(root), width):
            part = slice(start, start + width)
            scaled = X[:, part] * root[part]
            gram += scaled @ scaled.T
        return gram, cross

    def _estimate_smallest(self) -> bool:
        """False where the factor's numbers are so large that its solutions vanish."""
        n_samples = len(self.X)
        x = np.ones(len(self.triangle), dtype=self.dtype)
        value = 1.0
        for _ in range(4):
            x[n_samples:] = 0
            x = self.triangle.solve(x / np.linalg.norm(x))
            length = float(np.linalg.norm(x[:n_samples]))
            if not 0.0 < length < np.inf:
                return False
            value = 1.0 / length
        # inverse iteration bounds from above; the factor two is for that and for the next weights
        self.smallest = max(float(self.curb.min()), 0.5 * value)
        return True

    def _precondition(self, a, b):
        if self.blocks.dense:
            x = self.triangle.solve(np.concatenate((a, b)))
            return x[: len(a)], x[len(a) :]
        x = self.triangle.solve(a + self.cross.T @ self.group_factor.solve(b))
        return x, self.group_factor.solve(b + self.cross @ x)

    @np.errstate(all="ignore")
    def solve(self, a, b):
        """(dθ, ds, Xᵀdθ, Aᵀds) by conjugate gradients preconditioned with the factor."""
        X, A, AT, F, E, lam = self.X, self.A, self.AT, self.F, self.E, self.lam
        a, b = a.astype(self.dtype), b.astype(self.dtype)
        x, s = self._precondition(a, b)
        u, v = X.T @ x, AT @ s
        target = self.tolerance**2 * abs(float(x @ a) + float(s @ b))
        ra = a - self.curb * x - X @ (F * u - E * v)
        rb = b - s / lam - A @ (F * v - E * u)
        p = ps = None
        rho = np.inf
        for _ in range(MAX_CG):
            ha, hb = self._precondition(ra, rb)
            previous, rho = rho, float(ha @ ra) + float(hb @ rb)
            if not rho > target or rho > 1e3 * previous:
                break
            if p is None:
                p, ps = ha, hb
            else:
                beta = self.dtype(rho / previous)
                p, ps = ha + beta * p, hb + beta * ps
            pu, pv = X.T @ p, AT @ ps
            qa = self.curb * p + X @ (F * pu - E * pv)
            qb = ps / lam + A @ (F * pv - E * pu)
            curvature = float(p @ qa) + float(ps @ qb)
            if not curvature > 0:
                break
            step = self.dtype(rho / curvature)
            x, s, u, v = x + step * p, s + step * ps, u + step * pu, v + step * pv
            ra, rb = ra - step * qa, rb - step * qb
        self.reliable = self.reliable and abs(rho) <= UNRELIABLE * target
        return tuple(part.astype(np.float64) for part in (x, s, u, v))


class NarrowSystem(ReducedSystem):
    """The same system when features are fewer than samples: one Cholesky factor of size n.

    Eliminating the groups leaves V + XΦXᵀ with Φ = F − EAᵀC⁻¹AE, C = I/λ + AFAᵀ.  By Woodbury its
    inverse is H − HX(Φ⁻¹ + XᵀHX)⁻¹XᵀH, where H = V⁻¹ and, once more,
    Φ⁻¹ = F⁻¹ + (E/F)Aᵀ(I/λ + A diag(4D₊D₋/F) Aᵀ)⁻¹A(E/F).
    """

    @np.errstate(all="ignore")
    def factor(self, d_plus, d_minus, inverse_curvature=None):
        self.reliable = True
        self.F, self.E = d_plus + d_minus, d_plus - d_minus
        if inverse_curvature is not None:
            self.curb = inverse_curvature
        self.group_factor = self._factor_groups(self.F)
        inner = self._factor_groups(4.0 * d_plus * (d_minus / self.F))
        if self.group_factor is None or inner is None:
            return False
        scaled = self.X / np.sqrt(self.curb)[:, None]
        matrix = scaled.T @ scaled
        matrix.reshape(-1)[:: len(matrix) + 1] += 1.0 / self.F
        tilt = self.A.multiply(self.E / self.F).tocsr()
        if isinstance(inner, Diagonal):
            matrix += (tilt.T @ tilt.multiply((1.0 / inner.values)[:, None])).toarray()
        else:
            half = inner.half_solve(tilt.toarray())
            matrix += half.T @ half
        self.triangle = _factored(matrix)
        return self.triangle is not None

    def _precondition(self, a, b):
        h = self.group_factor.solve(b)
        r = (a + self.X @ (self.E * (self.AT @ h))) / self.curb
        x = r - (self.X @ self.triangle.solve(self.X.T @ r)) / self.curb
        return x, h + self.group_factor.solve(self.A @ (self.E * (self.X.T @ x)))


def _factored(matrix) -> Cholesky | None:
    return cholesky(matrix, lift=float(np.finfo(matrix.dtype).eps))
