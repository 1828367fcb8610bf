"""The data of a problem, or of a subset of its features, as the second-order solvers want it."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import least_squares, orthonormal_basis, span
from ..problems import Candidate
from . import interior
from .columns import MATRIX_PRODUCT
from .interior import Form
from .interior_smooth import WithOutliers, interior_smooth
from .newton_system import iteration_work
from .support import MAX_CUTS, SupportSolver

COLD_MARGIN, WARM_MARGIN, CENTRED_MARGIN = 1.1, 1.01, 4.0
JAMMED = 1e-9  # relative gap above which a warm run that stopped is followed by a cold one
SETTLED_FROM = 1e-3  # relative gap from which small weights can be told from zeros
POLISHED_FROM = 1e-3  # relative gap from which the support is worth an exact solve
SAFE_ZEROS = 1e-8  # relative gap from which an iterate without exact zeros may be the answer
SAFE_MAGNITUDES = 1e-6, 1e6  # of entries of X whose squares are safe in single precision


class _Restricted:
    """Columns, rows of the incidence matrix and units shared by the losses.

    `w_unit`, `theta_unit` and `s_unit` turn the solver's w, θ and s into the problem's.  Features
    that nothing holds (no penalty, either sign) are always left out of `features` and fitted
    besides; a candidate has them all.
    """

    def __init__(self, problem, features=None):
        design, geometry = problem.design, problem.geometry
        self.geometry, self.lam = geometry, problem.lam
        self.free = geometry.free
        if self.free.size:
            every = np.arange(geometry.n_features)
            features = np.setdiff1d(every if features is None else features, self.free)
        self.features = features
        if features is None:
            every = np.arange(geometry.n_features)
            self.X = design.columns(every) if design.dense is None else design.dense
        else:
            self.X = design.columns(features)
        whole = slice(None) if features is None else features
        self.A, self.rows = geometry.restricted(whole)
        self.overlapping = bool(np.any(np.diff(self.A.tocsc().indptr) > 1))
        self.signed = None
        if geometry.constrained:
            self.signed = np.flatnonzero(~geometry.positive[whole])
        self.x_unit = 1.0
        self.theta_unit = 1.0

    def _rescale(self):
        largest = float(max(-self.X.min(initial=0.0), self.X.max(initial=0.0)))
        low, high = SAFE_MAGNITUDES
        if largest > 0 and not low <= largest <= high:
            self.x_unit = largest
            self.X = self.X / largest

    @property
    def w_unit(self):
        return self.theta_unit / self.x_unit

    @property
    def s_unit(self):
        return self.theta_unit * self.x_unit

    def scaled(self, lam):
        return lam / self.x_unit / self.x_unit

    def form(self, lam=None) -> Form:
        lam = self.scaled(self.lam if lam is None else lam)
        return Form(self.X, self.A, lam, self.overlapping, self.signed)

    def local(self, w):
        """Weights of all features as those of this solver, in its units."""
        if w is None:
            return None
        w = self.geometry.clip(w) / self.w_unit
        return w if self.features is None else w[self.features]

    def everywhere(self, values, free=None):
        """Weights of this solver as those of all features; `free` are the coefficients besides."""
        values = values * self.w_unit
        if self.features is None:
            return values
        w = np.zeros(self.geometry.n_features)
        w[self.features] = values
        if self.free.size:
            w[self.free] = free
        return w

    def candidate(self, it):
        """The iterate with exact zeros, polished if that was done, and the iterate itself."""
        w, dual = self._point(it, it.w), self.dual(it.theta)
        if it.error > SETTLED_FROM * it.objective:
            return Candidate(w, dual=dual)
        if it.polished is not None and it.error > SAFE_ZEROS * it.objective:
            return Candidate(self._point(it, it.polished), dual=dual)
        sparse = it.settled if it.polished is None else it.polished
        return Candidate(self._point(it, sparse), dual=dual, other_w=w)


class LeastSquares(_Restricted):
    """Weighted least squares: rows carry √ω, y has unit norm.

    Unpenalised features are projected out of X and y, as an intercept is.  More samples than
    features are reduced to a triangular factor, which leaves the minimiser unchanged and the rest
    of y as a constant.
    """

    def __init__(self, problem, features=None):
        super().__init__(problem, features)
        self.root = np.sqrt(problem.sample_weight)
        y = self.root * problem.y
        if np.any(self.root != 1.0):
            self.X = self.root[:, None] * self.X
        if self.free.size:
            self._free_columns = self.root[:, None] * problem.design.columns(self.free)
            self._full = self.X, y
            basis = span(self._free_columns)
            self.X = self.X - basis @ (basis.T @ self.X)
            y = y - basis @ (basis.T @ y)
        self._rescale()
        self.theta_unit = float(np.linalg.norm(y)) or 1.0
        y = y / self.theta_unit
        self.basis = None
        if self.X.shape[0] > self.X.shape[1]:
            self.basis, self.X = orthonormal_basis(self.X)
            full, y = y, self.basis.T @ y
            self.rest = full - self.basis @ y
        self.X, self.y = np.asfortranarray(self.X), y
        self._support = None

    @staticmethod
    def residual(problem, w):
        """θ of the problem at w."""
        return problem.sample_weight * (problem.y - problem.design.matvec(w))

    def dual(self, theta):
        """θ of the problem from θ of the reduced one."""
        if self.basis is not None:
            theta = self.basis @ theta + self.rest
        return self.root * theta * self.theta_unit

    def support_solver(self, keep_gram=True):
        return SupportSolver(self.X, self.y, self.A, self.overlapping, self.signed, keep_gram)

    def _point(self, it, values):
        """All weights: the free features take the least-squares fit to what the others leave."""
        if not self.free.size:
            return self.everywhere(values)
        X, y = self._full
        left = y - X @ (values * self.w_unit)
        return self.everywhere(values, least_squares(self._free_columns, left))

    def iterates(self, w=None, lam=None):
        """Interior iterates from a cold start, or around w (all features, the problem's units)."""
        form, y = self.form(lam), self.y
        w = self.local(w)
        if w is not None and self._beats_zero(w, form.lam):
            start = interior.feasible_start(form, y, w, WARM_MARGIN)
            for it in interior.interior_point(form, y, start):
                yield self._polished(it, form.lam)
            # a start too close to the boundary can jam far from the solution
            if it.complementarity() <= JAMMED * it.objective:
                return
        ridge = interior.ridge_start(form, y)
        for w, margin in ((ridge, COLD_MARGIN), (np.zeros_like(ridge), CENTRED_MARGIN)):
            start = interior.feasible_start(form, y, w, margin)
            for it in interior.interior_point(form, y, start):
                yield self._polished(it, form.lam)
            if it.complementarity() <= JAMMED * it.objective:
                return

    def _polished(self, it, lam):
        """A late iterate with the exact minimiser on its support and signs beside it."""
        if it.error <= POLISHED_FROM * it.objective:
            if self._support is None:
                self._support = self.support_solver(keep_gram=False)
            self._support.start(it.settled)
            size, n_samples = self._support.support.size, self.X.shape[0]
            face = size**3 / 3.0 + MATRIX_PRODUCT * 2.0 * n_samples * size**2
            # Where cutting the support down would take longer, the iteration goes on without.
            cuts = min(iteration_work(self.geometry, *self.X.shape) / max(face, 1.0), MAX_CUTS)
            few = size <= n_samples + self.A.shape[0]
            if few and self._support.minimise_face(lam, int(cuts)):
                it.polished = self._support.w.copy()
        return it

    def _beats_zero(self, w, lam):
        residual, spread = self.y - self.X @ w, self.A @ np.abs(w)
        return residual @ residual + lam * (spread @ spread) < self.y @ self.y


class SmoothData(_Restricted):
    """Any loss that can be seen from its dual point (`solvers.losses`), and Huber's."""

    def __init__(self, problem, features=None):
        super().__init__(problem, features)
        self._rescale()
        self.X = np.asfortranarray(self.X)
        self.loss = getattr(problem.loss, "inner", problem.loss)
        self._outlier_cost = getattr(problem.loss, "outlier_cost", None)
        ones = np.ones((self.X.shape[0], 1 if problem.fit_intercept else 0))
        self.border = np.hstack([ones, problem.design.columns(self.free)])

    @staticmethod
    def residual(problem, w):
        scores = problem.design.matvec(w)
        return -problem.loss.gradient(scores + problem.best_intercept(scores))

    def dual(self, theta):
        return theta

    def form(self, lam=None):
        plain = super().form(lam)
        if self._outlier_cost is None:
            return plain
        return WithOutliers(
            self.X, self.A, plain.lam, self.overlapping, self.signed, self._outlier_cost
        )

    def _point(self, it, values):
        return self.everywhere(values, it.coefficients[self.border.shape[1] - self.free.size :])

    def iterates(self, w=None, lam=None):
        for it in interior_smooth(self.form(lam), self.loss, self.border, self.local(w)):
            # An exponential loss may overflow on the way, and come back.
            if np.isfinite(it.objective):
                yield it
