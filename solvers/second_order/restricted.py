"""The data of a problem, or of a subset of its features, as the second-order solvers want it."""

from __future__ import annotations

import numpy as np

from ..groups import Groups
from ..problems import Candidate
from . import interior
from .interior_logistic import interior_logistic
from .support import SupportSolver

COLD_MARGIN, WARM_MARGIN, CENTRED_MARGIN = 1.1, 1.01, 4.0
JAMMED = 1e-9  # relative gap above which a warm run that stopped is followed by a cold one
SETTLED_FROM = 1e-3  # relative gap from which small weights can be told from zeros
POLISHED_FROM = 1e-5  # relative gap from which the support is worth an exact solve
SAFE_MAGNITUDES = 1e-6, 1e6  # of entries of X whose squares are safe in single precision


class _Restricted:
    """Columns, rows of the incidence matrix and units shared by the losses.

    `w_unit`, `theta_unit` and `s_unit` turn the solver's w, θ and s into the problem's.
    """

    def __init__(self, problem, features=None):
        design, groups = problem.design, problem.groups
        if features is None:
            everything = np.arange(groups.n_features)
            self.X = design.columns(everything) if design.dense is None else design.dense
            self.A, self.overlapping = groups.incidence, groups.overlapping
            self.rows = np.arange(groups.n_groups)
        else:
            self.X = design.columns(features)
            A = groups.incidence[:, features]
            self.rows = np.flatnonzero(np.diff(A.indptr))
            self.A = A[self.rows]
            self.overlapping = self.A.nnz > len(features)
        self.lam = problem.lam
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

    def candidate(self, it):
        """The iterate with exact zeros, polished if that was done, and the iterate itself."""
        w, dual = it.w * self.w_unit, self.dual(it.theta)
        if it.error > SETTLED_FROM * it.objective:
            return Candidate(w, dual=dual)
        sparse = it.settled if it.polished is None else it.polished
        return Candidate(sparse * self.w_unit, dual=dual, averaged_w=w)


class LeastSquares(_Restricted):
    """Weighted least squares: rows carry √ω, y has unit norm.

    More samples than features are reduced to a triangular factor, which leaves the minimiser
    unchanged and the rest of y as a constant.
    """

    def __init__(self, problem, features=None):
        super().__init__(problem, features)
        self.root = np.sqrt(problem.sample_weight)
        y = self.root * problem.y
        if np.any(self.root != 1.0):
            self.X = self.root[:, None] * self.X
        self._rescale()
        self.theta_unit = float(np.linalg.norm(y)) or 1.0
        y = y / self.theta_unit
        self.basis = None
        if self.X.shape[0] > self.X.shape[1]:
            self.basis, self.X = np.linalg.qr(self.X)
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

    def exact(self, solver):
        """What an active set has to show: a point with exact zeros, and its residual."""
        return Candidate(solver.w * self.w_unit, dual=self.dual(solver.theta))

    def iterates(self, w=None, lam=None):
        """Interior iterates from a cold start, or around w (in the problem's units)."""
        X, y, A = self.X, self.y, self.A
        lam = self.scaled(self.lam if lam is None else lam)
        if w is not None and self._beats_zero(w / self.w_unit, lam):
            start = interior.feasible_start(X, y, A, lam, w / self.w_unit, WARM_MARGIN)
            for it in interior.interior_point(X, y, A, lam, self.overlapping, start):
                yield self._polished(it, lam)
            # a start too close to the boundary can jam far from the solution
            if it.complementarity() <= JAMMED * it.objective:
                return
        ridge = interior.ridge_start(X, y, A, lam)
        for w, margin in ((ridge, COLD_MARGIN), (np.zeros_like(ridge), CENTRED_MARGIN)):
            start = interior.feasible_start(X, y, A, lam, w, margin)
            for it in interior.interior_point(X, y, A, lam, self.overlapping, start):
                yield self._polished(it, lam)
            if it.complementarity() <= JAMMED * it.objective:
                return

    def _polished(self, it, lam):
        """A late iterate with the exact minimiser on its support and signs beside it."""
        if it.error <= POLISHED_FROM * it.objective:
            if self._support is None:
                groups = Groups(self.A.indices, self.A.indptr, self.X.shape[1])
                self._support = SupportSolver(self.X, self.y, groups, keep_gram=False)
            self._support.start(it.settled)
            if self._support.support.size <= sum(self.A.shape) and self._support.minimise_face(lam):
                it.polished = self._support.w.copy()
        return it

    def _beats_zero(self, w, lam):
        residual, spread = self.y - self.X @ w, self.A @ np.abs(w)
        return residual @ residual + lam * (spread @ spread) < self.y @ self.y


class LogisticData(_Restricted):
    """Weighted logistic loss with labels ±1."""

    def __init__(self, problem, features=None):
        super().__init__(problem, features)
        self._rescale()
        self.X = np.asfortranarray(self.X)
        self.loss, self.fit_intercept = problem.loss, problem.fit_intercept

    @staticmethod
    def residual(problem, w):
        scores = problem.design.matvec(w)
        return -problem.loss.gradient(scores + problem.best_intercept(scores))

    def dual(self, theta):
        return theta

    def iterates(self, w=None, lam=None):
        lam = self.scaled(self.lam if lam is None else lam)
        w = None if w is None else w / self.w_unit
        yield from interior_logistic(
            self.X, self.loss, self.A, lam, self.overlapping, self.fit_intercept, w
        )
