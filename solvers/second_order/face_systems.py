"""The linear systems on one face: (X̃_SᵀHX̃_S + λ B) w = c with B = σσᵀ ∘ A_SᵀA_S."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import BandOrder, cholesky, solve_definite
from .columns import MATRIX_PRODUCT
from .group_blocks import band_work

JITTER = 1e-13  # of the mean diagonal, added where the minimiser on a face is not unique
REFINEMENTS = 2
THIN_FROM = 400  # unknowns from which, and
THIN_RATIO = 2  # unknowns per sample from which the thin form is looked at
THIN_OVERHEAD = 1e7  # of ordering and slicing sparse matrices, in operations
BAND_JITTER = 1e-9  # of the mean diagonal, added to the group block so that it has a factor
MOST_CG = 60
EXACT = 1e-14  # relative residual at which conjugate gradients stop


class DenseSystem:
    """One Cholesky factor of the size of the support."""

    def __init__(self, model, places, add_coupling):
        before = model.work
        self._matrix = model.gram(places)
        add_coupling(self._matrix)
        size = places.size
        self.work = size**3 / 3.0 + 10.0 * size**2 + model.work - before

    def times(self, w) -> np.ndarray:
        return self._matrix @ w

    def solve(self, c, w):
        """The minimiser; where it is not unique, the one next to w; None if there is no factor."""
        z = solve_definite(self._matrix.copy(), c)
        if z is not None and np.isfinite(z).all():
            return z
        jitter = JITTER * float(np.trace(self._matrix)) / c.size
        for _ in range(4):
            z = self._damped(c, w, jitter)
            if z is not None:
                return z
            jitter *= 100.0
        return None

    def _damped(self, c, z, jitter):
        """A few proximal steps from z."""
        for _ in range(REFINEMENTS):
            step = solve_definite(self._matrix.copy(), c - self._matrix @ z, shift=jitter)
            if step is None or not np.isfinite(step).all():
                return None
            z = z + step
        return z


def thin_pays(size, n_samples) -> bool:
    """Whether many unknowns and few samples make the thin form worth a look."""
    return size > THIN_FROM and size > THIN_RATIO * n_samples


class ThinSystem:
    """The same where samples are few and the groups couple few features: a band and low rank.

    With U = √H X̃_S, N × k, and the group block λB + εI of small bandwidth once its unknowns are
    reordered, Woodbury needs a banded factor and one of size N. The jitter ε makes that a
    preconditioner; conjugate gradients on the exact system do the rest.
    """

    def __init__(self, model, places, coupling, lam, order):
        self._U = model.scaled(places)
        self._B = coupling * lam
        n_samples, size = self._U.shape
        self._bands = order.factor(self._B, shift=BAND_JITTER)
        self._small = None
        if self._bands is not None:
            half = self._bands.half_solve(self._U.T)
            small = half.T @ half
            small[np.diag_indices(n_samples)] += 1.0
            self._small = cholesky(small)
        self.work = _thin_work(n_samples, size, order.width)

    @classmethod
    def fitting(cls, model, places, coupling, lam):
        """The system, or None where a dense one is cheaper or the band has no factor."""
        order = BandOrder(coupling)
        if _thin_work(model.n_samples, places.size, order.width) > places.size**3 / 3.0:
            return None
        system = cls(model, places, coupling, lam, order)
        return None if system._small is None else system

    def times(self, w) -> np.ndarray:
        return self._U.T @ (self._U @ w) + self._B @ w

    def solve(self, c, w):
        z = w
        residual = c - self.times(z)
        target = EXACT * float(np.linalg.norm(c))
        direction, rho = None, np.inf
        for _ in range(MOST_CG):
            if np.linalg.norm(residual) <= target:
                break
            step = self._precondition(residual)
            before, rho = rho, float(step @ residual)
            if not 0.0 < rho < np.inf:
                break
            direction = step if direction is None else step + (rho / before) * direction
            image = self.times(direction)
            length = rho / float(direction @ image)
            z = z + length * direction
            residual = residual - length * image
        return z if np.isfinite(z).all() else None

    def _precondition(self, right):
        inner = self._bands.solve(right)
        image = self._small.solve(self._U @ inner)
        return inner - self._bands.solve(self._U.T @ image)


def _thin_work(n_samples, size, width) -> float:
    products = MATRIX_PRODUCT * 2.0 * n_samples * n_samples * size + n_samples**3 / 3.0
    return products + band_work(size, width, n_samples) + 40.0 * n_samples * size + THIN_OVERHEAD
