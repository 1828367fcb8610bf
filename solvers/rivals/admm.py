"""ADMM for E-SVM, on a splitting whose steps are all closed forms."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import sparse

from ..linear_algebra import cholesky
from ..method import Method, all_of, any_signs, no_weights
from ..problems import Candidate
from ..projections import prox_linf_squared

_BALANCE_EVERY = 10
# From here on the penalties stay as they are, so that convergence is that of plain ADMM.
_BALANCE_UNTIL = 1000
_TOLERATED_RATIO = 2.0
_LARGEST_CHANGE = 10.0


def _run(problem, w0, *, relaxation=1.6):
    """min of Σ ωᵢ max(0, 1 − yᵢpᵢ) + α/2‖w‖² + β/2 Σ_g ‖v^g‖₁²  s.t.  p = Xw + b, v^g = w_g

    Any groups: each has its own copy v^g. The steps, with penalties ρ_p and ρ_v on the two
    constraints and scaled multipliers:

    - (w, b): a ridge regression, solved in the smaller of N and n with a factorisation that is kept
      until a penalty changes;
    - p: the hinge's prox, a clip, which leaves its multiplier u in its box [0, ω];
    - v: the squared ℓ1 prox of every group at once.

    Over-relaxed by `relaxation` in (0, 2), 1 for none. Each penalty is balanced on its own, between
    its primal and dual residuals relative to their sizes, in the first 1000 iterations. It starts
    at ρ_v = α + β and at the ρ_p that gives both constraints the same curvature in w. Then O(1/k),
    and linear in the end. Shown are the mean of the copies, which has exact zeros, or w itself if
    its objective is lower, and u. Achievable accuracy: 1e-9 relative or better. Two products with X
    and one triangular solve pair an iteration.
    """
    groups, y, weight = problem.groups, problem.y, problem.sample_weight
    ridge = _RidgeStep(problem)
    w = np.zeros(problem.n_features) if w0 is None else w0
    yield partial(Candidate, w)

    rho_v = problem.alpha + problem.beta
    rho_p = (problem.alpha + rho_v * groups.overlap_counts.mean()) / ridge.row_norm_squared
    p = problem.design.matvec(w)
    p = p + problem.best_intercept(p)
    v = groups.gather(w)
    p_dual = -y * weight * (y * p < 1.0) / rho_p if w0 is not None else np.zeros_like(p)
    totals = groups.sum(np.abs(w))[groups.member_groups]
    v_dual = (problem.beta / rho_v) * totals * np.sign(v)
    if not ridge.factorise(rho_p, rho_v):
        return
    k = 0
    while True:
        k += 1
        w, predictions = ridge.solve(p - p_dual, v - v_dual)
        members = groups.gather(w)
        p_before, v_before = p, v

        relaxed = relaxation * predictions + (1.0 - relaxation) * p
        margins = y * (relaxed + p_dual)
        lift = np.clip(1.0 - margins, 0.0, weight / rho_p)
        p, p_dual = y * (margins + lift), -y * lift

        relaxed = relaxation * members + (1.0 - relaxation) * v + v_dual
        # Moreau: what the squared ℓ1 prox takes away is the squared ℓ∞ prox.
        v_dual = prox_linf_squared(relaxed, groups, rho_v / problem.beta)
        v = relaxed - v_dual
        if not np.isfinite(w).all():
            return
        yield partial(_candidate, problem, v, w, rho_p * lift)

        if k % _BALANCE_EVERY == 0 and k <= _BALANCE_UNTIL:
            p_change = _balance(predictions, p, p_before, p_dual)
            v_change = _balance(members, v, v_before, v_dual)
            if p_change != 1.0 or v_change != 1.0:
                rho_p, rho_v = rho_p * p_change, rho_v * v_change
                p_dual, v_dual = p_dual / p_change, v_dual / v_change
                if not ridge.factorise(rho_p, rho_v):
                    return


def _candidate(problem, v, w, u):
    groups = problem.groups
    return Candidate(groups.scatter(v) / groups.overlap_counts, dual=u, other_w=w)


def _balance(image, split, split_before, scaled_dual) -> float:
    """The factor for a penalty that brings its relative primal and dual residuals together."""
    size = max(np.linalg.norm(image), np.linalg.norm(split))
    primal = np.linalg.norm(image - split) * np.linalg.norm(scaled_dual)
    dual = np.linalg.norm(split - split_before) * size
    if primal == dual:
        return 1.0
    ratio = np.sqrt(primal / dual) if dual > 0.0 else np.inf
    ratio = float(np.clip(ratio, 1.0 / _LARGEST_CHANGE, _LARGEST_CHANGE))
    return 1.0 if 1.0 / _TOLERATED_RATIO <= ratio <= _TOLERATED_RATIO else ratio


class _RidgeStep:
    """argmin over w, b of α/2‖w‖² + ρ_p/2‖Xw + b − a‖² + ρ_v/2 Σ_g‖w_g − c^g‖²

    With C = diag(α + ρ_v·overlap), r = ρ_v Σ_g c^g and the intercept eliminated by centring X̄ = HX
    (here every sample counts the same): (C + ρ_pX̄ᵀX̄)w = r + ρ_pX̄ᵀa. In samples,
    q = (I/ρ_p + X̄C⁻¹X̄ᵀ)⁻¹(Ha − X̄C⁻¹r), w = C⁻¹(r + X̄ᵀq), and Xw + b = a − q/ρ_p comes for free.
    """

    def __init__(self, problem):
        self.problem = problem
        self._design = problem.design
        self._overlap = problem.groups.overlap_counts.astype(float)
        self._by_samples = problem.n_samples <= problem.n_features
        if self._by_samples:
            self._gram = self._sample_gram(np.ones(problem.n_features))
        else:
            self._gram = self._feature_gram()
        mean = float(np.trace(self._gram)) / problem.n_samples
        self.row_norm_squared = mean if mean > 0.0 else 1.0

    def factorise(self, rho_p, rho_v) -> bool:
        """Prepare `solve` for these penalties; False where the arithmetic gives out."""
        self._rho_p, self._rho_v = rho_p, rho_v
        self._curvature = self.problem.alpha + rho_v * self._overlap
        if not self._by_samples:
            matrix, diagonal = rho_p * self._gram, self._curvature
        elif self._overlap.min() == self._overlap.max():
            matrix, diagonal = self._gram / self._curvature[0], 1.0 / rho_p
        else:
            matrix, diagonal = self._sample_gram(1.0 / self._curvature), 1.0 / rho_p
        matrix.flat[:: matrix.shape[0] + 1] += diagonal
        self._factor = cholesky(matrix)
        return self._factor is not None

    def solve(self, predictions, members):
        """w, and the predictions Xw + b"""
        pull = self._rho_v * self.problem.groups.scatter(members)
        if self._by_samples:
            start = pull / self._curvature
            residual = self._centred(predictions - self._design.matvec(start))
            q = self._factor.solve(residual)
            w = start + self._design.rmatvec(q) / self._curvature
            return w, predictions - q / self._rho_p
        centred = self._centred(predictions)
        pull = pull + self._rho_p * self._design.rmatvec(centred)
        w = self._factor.solve(pull)
        return w, self._centred(self._design.matvec(w)) + (predictions - centred)

    def _centred(self, samples):
        return samples - samples.mean() if self.problem.fit_intercept else samples

    def _sample_gram(self, feature_weights) -> np.ndarray:
        """X̄ diag(feature_weights) X̄ᵀ"""
        gram = self._design.weighted_gram(feature_weights)
        if self.problem.fit_intercept:
            gram -= gram.mean(axis=0)
            gram -= gram.mean(axis=1)[:, None]
        return gram

    def _feature_gram(self) -> np.ndarray:
        """X̄ᵀX̄; centring again makes it the same for raw and for centred columns"""
        matrix = self._design.matrix
        gram = matrix.T @ matrix
        if sparse.issparse(gram):
            gram = gram.toarray()
        if self.problem.fit_intercept:
            mean = np.asarray(matrix.mean(axis=0)).reshape(-1)
            gram -= matrix.shape[0] * np.outer(mean, mean)
        return gram


admm = Method(
    "admm",
    "ADMM",
    "Boyd, Parikh, Chu, Peleato & Eckstein, Distributed Optimization and Statistical Learning via "
    "the Alternating Direction Method of Multipliers, Found. Trends Mach. Learn. 3(1), 2011",
    _run,
    accepts=all_of(any_signs, no_weights),
    max_iter=20_000,
)
