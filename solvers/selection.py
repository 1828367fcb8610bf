"""Choosing λ without cross-validation: degrees of freedom, BIC and EBIC of an exclusive lasso.

    BIC  = N·log(RSS/N) + df·log N            EBIC = BIC + 2γ·df·log n

or RSS/σ² in place of N·log(RSS/N) where the noise variance is known. N is the total sample weight.
"""

from __future__ import annotations

import numpy as np

from .design import design_of
from .geometry import Geometry
from .groups import Groups
from .linear_algebra import left_singular
from .validation import as_data_matrix, as_positive, as_target, as_weights

CRITERIA = ("bic", "ebic")


def degrees_of_freedom(
    X, groups, lam, w, *, fit_intercept=False, sample_weight=None, tol=1e-10, **penalty_options
) -> float:
    """df(ŷ) = tr X_S (X_SᵀX_S + λM_S)⁺ X_Sᵀ, S the support of w, whose zeros must be exact

    M_S = D A_SᵀA_S D with D = diag(sgn w_S), the Hessian of ½‖w‖_e² on the orthant of w: for
    disjoint groups the block-diagonal matrix of sign outer products of Campbell & Allen (2017),
    Theorem 5, and the same argument for overlapping ones. At the exact solution it is an unbiased
    estimate of Σᵢ cov(ŷᵢ, yᵢ)/σ² (Stein), of which an intercept is one more. With
    B = [X_S; √λ A_S D] = UΣVᵀ it is the squared Frobenius norm of the rows of U that belong to
    X_S: one SVD of an (N + m) × |S| matrix, without squaring its condition number. Singular values
    below `tol` of the largest count as 0. `penalty_options` are weights and signs of the penalty.
    """
    columns = getattr(X, "columns", None)
    X = as_data_matrix(X)
    groups = Groups.resolve(groups, X.shape[1], columns=columns)
    lam = as_positive(lam, "lam")
    weight = as_weights(sample_weight, X.shape[0])
    w = _as_weights_vector(w, X.shape[1])
    support = np.flatnonzero(w)
    intercept = 1.0 if fit_intercept else 0.0
    if support.size == 0:
        return intercept
    design = design_of(X, weight if fit_intercept else None)
    top = np.sqrt(weight)[:, None] * design.columns(support)
    geometry = Geometry.of(groups, **penalty_options)
    bottom = geometry.incidence[:, support].toarray() * np.sign(w[support])
    stacked = np.vstack([top, np.sqrt(lam) * bottom])
    left, singular = left_singular(stacked)
    kept = left[: X.shape[0], singular > tol * singular[0]]
    return intercept + float(np.sum(kept * kept))


def information_criterion(
    X,
    y,
    groups,
    lam,
    w,
    intercept=0.0,
    *,
    criterion="bic",
    fit_intercept=False,
    sample_weight=None,
    noise_variance=None,
    gamma=0.5,
    max_df=None,
    **penalty_options,
) -> float:
    """N·log(RSS/N) + df·(log N + 2γ·log n), the second term of the sum for EBIC only

    `w` and `intercept` solve the problem at `lam`. A known `noise_variance` σ² puts RSS/σ² in place
    of N·log(RSS/N); without it the first term tends to −∞ as a fit interpolates, so a model of
    more than `max_df` degrees of freedom (half of N unless told) is out of the race at +∞.
    γ in [0, 1] is Chen & Chen's (2008): 0 gives BIC, larger values distrust many features.
    """
    if criterion not in CRITERIA:
        raise ValueError(
            f"there is no criterion {criterion!r}; choose one of: {', '.join(CRITERIA)}."
        )
    if not 0.0 <= gamma <= 1.0:
        raise ValueError(f"gamma must lie between 0 and 1, got {gamma}.")
    common = dict(fit_intercept=fit_intercept, sample_weight=sample_weight)
    df = degrees_of_freedom(X, groups, lam, w, **common, **penalty_options)
    X = as_data_matrix(X)
    y = as_target(y, X.shape[0])
    weight = as_weights(sample_weight, X.shape[0])
    total = float(weight.sum())
    residual = y - X @ np.asarray(w, dtype=float) - intercept
    rss = float(weight @ (residual * residual))
    if noise_variance is not None:
        fit = rss / as_positive(noise_variance, "noise_variance")
    elif df > (0.5 * total if max_df is None else max_df) or rss == 0.0:
        return np.inf
    else:
        fit = total * np.log(rss / total)
    price = np.log(total)
    if criterion == "ebic":
        price += 2.0 * gamma * np.log(X.shape[1])
    return float(fit + df * price)


def _as_weights_vector(w, n_features) -> np.ndarray:
    w = np.asarray(w, dtype=float)
    if w.shape != (n_features,) or not np.isfinite(w).all():
        raise ValueError(f"w must hold one finite number per feature ({n_features}).")
    return w
