"""Kong's iteratively reweighted method, in a stable form and smoothed as by its authors."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..method import Method, all_of, all_penalised, any_signs, squared_loss, squared_norm
from ..problems import Candidate
from .least_squares import CentredSquares

# Features that a warm start leaves at 0 could never come back; this share of its largest entry lets
# them, and is forgotten geometrically where they should be 0.
_DENSE = 1e-3


def _reweighted(problem, w0, smoothing):
    """min over w of ½‖Xw − y‖² + λ/2‖w‖_e², by repeated weighted ridge regression (any groups)

    At the current point v, Cauchy–Schwarz gives ‖w_g‖₁² ≤ Σ_{i∈g} wᵢ²‖v_g‖₁/|vᵢ| with equality at
    w = v, so minimising ½‖Xw − y‖² + λ/2 Σᵢ Fᵢᵢwᵢ² with Fᵢᵢ = Σ_{g∋i} ‖v_g‖₁/|vᵢ| never raises the
    objective. Written with D = F⁻¹ = diag(|v|/(AᵀA|v|)) there is no division by v. One system of
    the smaller of N and n an iteration: for N ≤ n N²n flops, less as features fade if X is dense (a
    sparse X keeps all its columns), otherwise n³ with XᵀX formed once.

    An exact 0 stays 0, so the start is dense: the ridge solution, or w0 with its zeros lifted.
    """
    posed = CentredSquares(problem)
    ridge = partial(posed.reweighted_ridge, lam=problem.lam)
    flat = np.ones(problem.n_features)
    w = ridge(flat) if w0 is None else w0
    if w is None:
        return
    yield partial(Candidate, w)
    magnitude = np.abs(w)
    if w0 is not None:
        magnitude = np.maximum(magnitude, _DENSE * magnitude.max()) if w0.any() else flat
    epsilon = (smoothing * magnitude.max()) ** 2
    while True:
        if epsilon > 0.0:
            magnitude = np.sqrt(magnitude**2 + epsilon)
        weight = problem.geometry.spread(problem.geometry.sum(magnitude))
        scale = np.divide(magnitude, weight, out=np.zeros_like(weight), where=weight > 0.0)
        new = ridge(scale)
        if new is None or not np.isfinite(new).all() or np.array_equal(new, w):
            return
        w, magnitude = new, np.abs(new)
        yield partial(Candidate, w)


def _stable(problem, w0):
    """Kong's method without smoothing: monotone from a dense start, and where it converges to is
    the optimum, since a feature that should be there grows and only one that should not can fade.

    Achievable accuracy: that of the linear systems, 1e-10 or better relative. The approach is
    linear, at the slowest of these rates: |xᵢᵀ(y − Xw)|/(λ(AᵀA|w|)ᵢ) < 1 of each feature that is
    leaving, and on the features that stay the largest eigenvalue of
    λ(XᵀX + λF)⁻¹(F − SAᵀAS), S = diag(sign w), of a majorised step. Either can be the slower one.
    """
    return _reweighted(problem, w0, 0.0)


def _smoothed(problem, w0, *, smoothing=1e-8):
    """Kong's iterates with the smoothing of their authors: |wᵢ| is replaced by √(wᵢ² + ε).

    √ε is `smoothing` times the largest entry of the start. It is monotone for
    ½‖Xw − y‖² + λ/2 Σ_g (Σ_{i∈g} √(wᵢ² + ε))², not for the objective itself, and its limit is not
    the optimum: a feature that should be 0 ends at |wᵢ| = √ε·ρᵢ/√(1 − ρᵢ²), to first order, with ρᵢ
    the rate at which it would leave. The objective is too high by about `smoothing`, relative: 1e-8
    or so at the default. The authors solve (XᵀX + λF)w = Xᵀy, n × n; where n > N the same w comes
    from an N × N system.
    """
    return _reweighted(problem, w0, smoothing)


_KONG = (
    "Kong, Fujimaki, Liu, Nie & Ding, Exclusive Feature Learning on Arbitrary Structures via "
    "ℓ1,2-norm, NIPS 2014"
)
_ACCEPTS = all_of(squared_loss, squared_norm, any_signs, all_penalised)

kong = Method(
    "kong", "Kong", f"{_KONG} (in a form that never divides by w)", _stable, _ACCEPTS, 10_000
)
kong_smoothed = Method(
    "kong_smoothed", "Kong, smoothed", f"{_KONG} (smoothed)", _smoothed, _ACCEPTS, 10_000
)
