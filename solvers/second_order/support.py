"""Active-set solver on the support: exact, and very fast from a good guess."""

from __future__ import annotations

import numpy as np

from ..linear_algebra import solve_definite

GRAM_FEATURES = 2000  # up to here XᵀX is formed once
DENSE_INCIDENCE = 2**22
MAX_CUTS = 60  # sign changes repaired one at a time before giving up on a face


class SupportSolver:
    """min ½‖Xw − y‖² + λ/2‖A|w|‖² by linear systems on the support.

    On a support S with signs σ the minimiser solves

        (X_SᵀX_S + λ σσᵀ ∘ A_SᵀA_S) w_S = X_Sᵀy,

    and the support is repaired as in Lawson and Hanson's non-negative least squares: a step is
    cut where a weight would change sign (that weight leaves), and the worst violator of every
    group enters.  The objective falls in every round that is not cut to nothing.
    """

    def __init__(self, X, y, A, overlapping, signed=None, keep_gram=True):
        self.X, self.y, self.A, self.AT = X, y, A, A.T.tocsr()
        # For disjoint groups each feature's group and its entry of A: 0 where there is none.
        self.labels = self.entries = self.members = None
        if overlapping:
            # Aᵀ, densely where that is small: sparse slicing costs more than a solve
            small = A.shape[0] * A.shape[1] <= DENSE_INCIDENCE
            self.members = self.AT.toarray() if small else self.AT
        else:
            self.labels, self.entries = np.zeros(A.shape[1], dtype=np.intp), np.zeros(A.shape[1])
            self.labels[A.indices] = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
            self.entries[A.indices] = A.data
        n_features = X.shape[1]
        self.positive = None
        if signed is not None:
            self.positive = np.ones(n_features, dtype=bool)
            self.positive[signed] = False
        self.gram = X.T @ X if keep_gram and n_features <= GRAM_FEATURES else None
        self.correlations = X.T @ y
        # consecutive groups need no gather before a group maximum
        self.consecutive = bool(np.array_equal(A.indices, np.arange(n_features)))
        self.start(np.zeros(n_features))

    def start(self, w):
        self.w = np.array(w, dtype=float)
        self.support = np.flatnonzero(self.w)
        self.signs = np.sign(self.w[self.support])

    def evaluate(self, lam):
        """Residual θ, v = Xᵀθ, s = λA|w| and the objective at the current weights."""
        self.theta = self.y - self.X @ self.w
        self.v = self.X.T @ self.theta
        if self.labels is None:
            sums = self.A @ np.abs(self.w)
        else:
            magnitudes = self.entries[self.support] * np.abs(self.w[self.support])
            sums = np.bincount(self.labels[self.support], magnitudes, self.A.shape[0])
        self.s = lam * sums
        self.primal = 0.5 * (self.theta @ self.theta + lam * (sums @ sums))

    def minimise_face(self, lam, cuts=MAX_CUTS):
        """Minimise with the current signs, cutting at sign changes at most so many times.

        False if a face is singular, or the cuts were not enough.
        """
        S, signs, w = self.support, self.signs, self.w[self.support]
        solved = not len(S)
        for _ in range(cuts):
            if not len(S):
                solved = True
                break
            z = self._unconstrained(S, signs, lam)
            if z is None:
                break
            wrong = z * signs <= 0
            if not wrong.any():
                w, solved = z, True
                break
            fraction = np.ones(len(S))
            # A weight at 0 that would move the wrong way stops the step at once.
            away = w[wrong] - z[wrong]
            fraction[wrong] = np.divide(w[wrong], away, out=np.zeros_like(away), where=away != 0)
            step = fraction.min()
            w = w + step * (z - w)
            keep = fraction > step
            S, signs, w = S[keep], signs[keep], w[keep]
        self.w[self.support] = 0.0
        self.w[S] = w
        self.support, self.signs = S, signs
        return solved

    def enter(self, tolerance, only_worst):
        """Let the worst violator of each group into the support; False when there is none."""
        reach = self.AT @ self.s if self.labels is None else self.entries * self.s[self.labels]
        pull = np.abs(self.v)
        if self.positive is not None:
            pull[self.positive] = np.maximum(self.v[self.positive], 0.0)
        excess = pull - reach
        excess[self.support] = -np.inf
        if excess.max(initial=-np.inf) <= tolerance:
            return False
        violated = np.flatnonzero(self._group_max(excess) > tolerance)
        if only_worst or not len(violated):
            new = np.array([np.argmax(excess)])
        else:
            indices, indptr = self.A.indices, self.A.indptr
            members = [indices[indptr[g] : indptr[g + 1]] for g in violated.tolist()]
            new = np.unique([group[np.argmax(excess[group])] for group in members])
        self.support = np.concatenate((self.support, new))
        self.signs = np.concatenate((self.signs, np.sign(self.v[new])))
        return True

    def rounds(self, lam):
        """One yield per repaired support; returns True at the optimum, False when stuck."""
        before = np.inf
        stuck = 0
        while True:
            if not self.minimise_face(lam):
                return False
            self.evaluate(lam)
            yield self.primal
            progress = self.primal < before
            stuck = 0 if progress else stuck + 1
            if stuck >= 3:
                return False
            before = min(before, self.primal)
            scale = np.abs(self.v).max(initial=0.0)
            noise = 1e-14 * np.abs(self.correlations).max(initial=0.0)
            if not self.enter(max(1e-12 * scale, noise), only_worst=not progress):
                return True

    def _group_max(self, values):
        if not self.consecutive:
            values = values[self.A.indices]
        return np.maximum.reduceat(values, self.A.indptr[:-1])

    def _unconstrained(self, S, signs, lam):
        if self.gram is not None:
            matrix = self.gram[S[:, None], S]
        else:
            columns = self.X.T[S]
            matrix = columns @ columns.T
        if self.labels is None:
            chosen = self.members[S]
            coupling = chosen @ chosen.T
            if not isinstance(coupling, np.ndarray):
                coupling = coupling.toarray()
        else:
            label, signs = self.labels[S], signs * self.entries[S]
            coupling = label[:, None] == label
        matrix += coupling * ((lam * signs)[:, None] * signs)
        z = solve_definite(matrix, self.correlations[S])
        return z if z is not None and np.isfinite(z).all() else None
