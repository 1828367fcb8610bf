"""Factorisations and eigenvalues, each with what to do when LAPACK gives out.

LAPACK's failures differ between processors: with some OpenBLAS kernels the search for one
eigenvalue ends in "Internal Error" on one near-orthonormal Gram matrix in sixteen, with others on
none. Every call goes through here, and every fallback has a test that forces it.

Dense products and factorisations go through numpy's BLAS, and LAPACK is called from scipy for
single right-hand sides only. numpy and scipy each bring an OpenBLAS with its own threads, and
alternating between the two makes them compete for the cores: a 400 × 4000 product then takes
ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg
from scipy.linalg import lapack
from scipy.sparse.csgraph import reverse_cuthill_mckee

_LIFTS = 4
_LIFT_GROWTH = 100.0
# Up to this size LAPACK starts no threads, and is called without numpy's copies.
_SMALL_SYSTEM = 256
_BLOCK = 128  # rows that a triangular solve does at once
# What rounding may add to an eigenvalue, or take from it.
_ROUNDING = 1e-9
# Lanczos approaches the largest eigenvalue from below; a step length needs it from above.
_LANCZOS_MARGIN = 1.02
_LANCZOS_STEPS = 80
# One small increment may be a plateau; only a run of them is convergence.
_SETTLED = 8


class Cholesky:
    """LLᵀ = M, or M with its diagonal raised just enough (`lifted`: solutions need refinement)."""

    def __init__(self, lower: np.ndarray, lifted: bool):
        self.lower = lower
        self.lifted = lifted

    def __len__(self) -> int:
        return len(self.lower)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """M⁻¹ right"""
        # A C-ordered lower factor is LAPACK's upper one: no copy.
        solve = lapack.dpotrs if self.lower.dtype == np.float64 else lapack.spotrs
        return solve(self.lower.T, right, lower=0)[0]

    def half_solve(self, right: np.ndarray) -> np.ndarray:
        """L⁻¹ right, block by block"""
        solved = np.array(right, dtype=np.result_type(self.lower, right))
        for start in range(0, len(self.lower), _BLOCK):
            part = slice(start, start + _BLOCK)
            solved[part] -= self.lower[part, :start] @ solved[:start]
            solved[part] = _substituted(self.lower[part, part], solved[part])
        return solved


def _substituted(lower, right) -> np.ndarray:
    # numpy has no triangular solve, and scipy's would wake its own pool of threads.
    try:
        return np.linalg.solve(lower, right)
    except np.linalg.LinAlgError:
        # Elimination with pivots may underflow where substitution does not.
        return linalg.solve_triangular(lower, right, lower=True)


class Diagonal:
    """A positive diagonal matrix as its own factor."""

    def __init__(self, values: np.ndarray):
        self.values = values

    def solve(self, right: np.ndarray) -> np.ndarray:
        return (right.T / self.values).T

    def half_solve(self, right: np.ndarray) -> np.ndarray:
        return (right.T / np.sqrt(self.values)).T


def cholesky(matrix: np.ndarray, lift: float | None = None) -> Cholesky | None:
    """The factor of a symmetric matrix given by its lower triangle, None if it is not definite

    With a `lift`, a definite matrix that rounding has made indefinite is factored all the same: its
    diagonal is raised in place by that share of its largest entry, then by ever more.
    """
    diagonal = _diagonal(matrix)
    largest = float(diagonal.max(initial=0.0))
    if not np.isfinite(largest):
        return None
    for attempt in range(1 if lift is None else 1 + _LIFTS):
        if attempt and lift is not None:
            diagonal += lift * _LIFT_GROWTH ** (attempt - 1) * largest
        try:
            return Cholesky(np.linalg.cholesky(matrix), lifted=attempt > 0)
        except np.linalg.LinAlgError:
            continue
    return None


def solve_definite(
    matrix: np.ndarray, right: np.ndarray, *, shift: float = 0.0
) -> np.ndarray | None:
    """(M + shift·I)⁻¹ right, or None if that is not numerically definite; M is overwritten."""
    if shift:
        diagonal = _diagonal(matrix)
        diagonal += shift
    if len(matrix) <= _SMALL_SYSTEM:
        factor, info = lapack.dpotrf(matrix, lower=1, overwrite_a=1, clean=0)
        return None if info else lapack.dpotrs(factor, right, lower=1)[0]
    triangle = cholesky(matrix)
    return None if triangle is None else triangle.solve(right)


class Banded:
    """The factor of a symmetric band matrix, given by its lower bands as LAPACK has them."""

    def __init__(self, lower: np.ndarray):
        self.lower = lower

    @classmethod
    def of(cls, bands: np.ndarray) -> Banded | None:
        """None if the matrix is not numerically definite."""
        if not np.isfinite(bands).all():
            return None
        try:
            return cls(linalg.cholesky_banded(bands, lower=True, check_finite=False))
        except np.linalg.LinAlgError:
            return None

    def solve(self, right: np.ndarray) -> np.ndarray:
        return linalg.cho_solve_banded((self.lower, True), right, check_finite=False)

    def half_solve(self, right: np.ndarray) -> np.ndarray:
        """L⁻¹ right"""
        return lapack.dtbtrs(self.lower, right, uplo="L")[0].reshape(right.shape)


class BandOrder:
    """The order of unknowns in which a symmetric pattern has a small bandwidth."""

    def __init__(self, pattern):
        self._order = reverse_cuthill_mckee(pattern, symmetric_mode=True)
        rank = np.empty_like(self._order)
        rank[self._order] = np.arange(rank.size)
        entries = pattern.tocoo()
        self.width = int(np.abs(rank[entries.row] - rank[entries.col]).max(initial=0))

    def factor(self, matrix, shift=None) -> BandFactor | None:
        """The factor of a matrix of that pattern, a share of its mean diagonal added if asked."""
        entries = matrix[self._order][:, self._order].tocoo()
        bands = np.zeros((self.width + 1, entries.shape[0]))
        below = entries.row >= entries.col
        row, column = entries.row[below], entries.col[below]
        bands[row - column, column] = entries.data[below]
        if shift is not None:
            bands[0] += shift * max(float(bands[0].mean()), np.finfo(float).tiny)
        factor = Banded.of(bands)
        return None if factor is None else BandFactor(factor, self._order)


class BandFactor:
    """LLᵀ = PMPᵀ for the permutation P of a `BandOrder`."""

    def __init__(self, factor, order):
        self._factor, self._order = factor, order

    def solve(self, right: np.ndarray) -> np.ndarray:
        """M⁻¹ right"""
        solved = np.empty_like(right)
        solved[self._order] = self._factor.solve(right[self._order])
        return solved

    def half_solve(self, right: np.ndarray) -> np.ndarray:
        """L⁻¹P right, whose square is rightᵀM⁻¹right"""
        return self._factor.half_solve(right[self._order]).astype(right.dtype, copy=False)


def _diagonal(matrix) -> np.ndarray:
    """The diagonal itself, not a copy, whatever the order in memory."""
    return np.einsum("ii->i", matrix)


def orthonormal_basis(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q with orthonormal columns and R upper triangular, QR = M, for at least as many rows"""
    try:
        return np.linalg.qr(matrix)
    except np.linalg.LinAlgError:
        return linalg.qr(matrix, mode="economic")


def left_singular(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """U and the singular values of M = UΣVᵀ

    Divide and conquer is fast, and the one LAPACK documents as able not to converge; QR iteration
    is what it is measured against.
    """
    try:
        left, singular, _ = linalg.svd(matrix, full_matrices=False)
    except np.linalg.LinAlgError:
        left, singular, _ = linalg.svd(matrix, full_matrices=False, lapack_driver="gesvd")
    return left, singular


def least_squares(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The shortest argmin over x of ‖Mx − right‖"""
    try:
        return np.linalg.lstsq(matrix, right, rcond=None)[0]
    except np.linalg.LinAlgError:
        # Complete orthogonal factorisation: nothing in it has to converge.
        return linalg.lstsq(matrix, right, lapack_driver="gelsy")[0]


def eigen(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rising eigenvalues of a symmetric matrix, and its eigenvectors as columns"""
    try:
        return np.linalg.eigh(matrix)
    except np.linalg.LinAlgError:
        # QR iteration in place of divide and conquer.
        return linalg.eigh(matrix, driver="ev")


def span(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what some columns span, dependent or not."""
    scale = np.linalg.norm(columns, axis=0)
    columns = columns[:, scale > 0.0] / scale[scale > 0.0]
    left, singular = left_singular(columns)
    return left[:, singular > 1e-12 * singular.max(initial=0.0)]


def largest_eigenvalue(gram: np.ndarray) -> float:
    """The largest eigenvalue of a positive semidefinite matrix, or slightly more; 0 iff it is 0

    What LAPACK says is believed only between the largest diagonal entry and the largest absolute
    row sum, where it must lie. Otherwise another of its algorithms is asked, at last our own
    Lanczos steps, and the row sum is what remains.
    """
    least, most = float(gram.diagonal().max()), float(np.abs(gram).sum(axis=1).max())
    if not 0.0 < most < np.inf:
        return most
    for ask in (_by_bisection, _by_expert_driver, _of_all, _by_lanczos):
        try:
            value = ask(gram)
        except np.linalg.LinAlgError:
            continue
        if (1.0 - _ROUNDING) * least <= value <= (1.0 + _ROUNDING) * most:
            return max(0.0, value) * (1.0 + _ROUNDING)
    return most * (1.0 + _ROUNDING)


def _by_bisection(gram) -> float:
    last = len(gram) - 1
    return float(linalg.eigvalsh(gram, subset_by_index=[last, last])[0])


def _by_expert_driver(gram) -> float:
    last = len(gram) - 1
    return float(linalg.eigvalsh(gram, subset_by_index=[last, last], driver="evx")[0])


def _of_all(gram) -> float:
    return float(np.linalg.eigvalsh(gram)[-1])


def _by_lanczos(gram) -> float:
    bound = float(np.abs(gram).sum(axis=1).max())
    return min(bound, lanczos_bound(gram.__matmul__, len(gram)))


def lanczos_bound(apply: Callable[[np.ndarray], np.ndarray], size: int) -> float:
    """The largest eigenvalue of a positive semidefinite operator, a little above in practice."""
    direction = np.random.default_rng(0).standard_normal(size)
    direction /= np.linalg.norm(direction)
    previous, beta = np.zeros(size), 0.0
    diagonal: list[float] = []
    off_diagonal: list[float] = []
    largest, settled = 0.0, 0
    for _ in range(min(_LANCZOS_STEPS, size)):
        image = apply(direction) - beta * previous
        alpha = float(direction @ image)
        image -= alpha * direction
        beta = float(np.linalg.norm(image))
        diagonal.append(alpha)
        before = largest
        largest = _largest_tridiagonal(diagonal, off_diagonal)
        settled = settled + 1 if largest - before <= 1e-4 * largest else 0
        if beta <= 1e-12 * largest or settled >= _SETTLED:
            break
        off_diagonal.append(beta)
        previous, direction = direction, image / beta
    return _LANCZOS_MARGIN * largest


def _largest_tridiagonal(diagonal, off_diagonal) -> float:
    try:
        return float(linalg.eigvalsh_tridiagonal(diagonal, off_diagonal)[-1])
    except np.linalg.LinAlgError:
        matrix = np.diag(diagonal) + np.diag(off_diagonal, 1) + np.diag(off_diagonal, -1)
        return float(np.linalg.eigvalsh(matrix)[-1])
