"""The four norms of the paper's Figure 1, and the dual of the exclusive one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .groups import Groups


def _safe_norm(values) -> float:
    """√Σvᵢ², without overflow or underflow for values as far out as 1e±300."""
    values = np.abs(np.asarray(values, dtype=float))
    largest = float(values.max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    exponent = np.frexp(largest)[1]
    return float(np.ldexp(np.sqrt(np.sum(np.ldexp(values, -exponent) ** 2)), exponent))


def _checked(w, groups: Groups | None = None) -> np.ndarray:
    w = np.asarray(w, dtype=float)
    if w.ndim != 1:
        raise ValueError(f"w must be a vector, got shape {w.shape}.")
    if groups is not None and w.size != groups.n_features:
        raise ValueError(f"w has {w.size} entries, but the groups are over {groups.n_features}.")
    return w


def l2_norm(w: ArrayLike) -> float:
    """‖w‖₂ = √Σᵢ wᵢ²

    Parameters
    ----------
    w : array
        The weights.

    Returns
    -------
    float
        The norm, without overflow or underflow on the way.

    Examples
    --------
    >>> from solvers import l2_norm
    >>> l2_norm([3.0, -4.0])
    5.0
    """
    return _safe_norm(_checked(w))


def l1_norm(w: ArrayLike) -> float:
    """‖w‖₁ = Σᵢ |wᵢ|

    Parameters
    ----------
    w : array
        The weights.

    Returns
    -------
    float
        The norm.

    Examples
    --------
    >>> from solvers import l1_norm
    >>> l1_norm([3.0, -4.0])
    7.0
    """
    return float(np.sum(np.abs(_checked(w))))


def group_norm(w: ArrayLike, groups: Groups) -> float:
    """‖w‖₂,₁ = Σ_g ‖w_g‖₂, the group lasso's norm

    Parameters
    ----------
    w : array of n_features numbers
        The weights.
    groups : Groups
        Which features belong together.

    Returns
    -------
    float
        The norm, without overflow or underflow on the way.

    Examples
    --------
    >>> from solvers import Groups, group_norm
    >>> group_norm([3.0, -4.0, 2.0], Groups.from_labels([0, 0, 1]))
    7.0
    """
    w = np.abs(_checked(w, groups))
    largest = float(w.max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    exponent = np.frexp(largest)[1]
    squares = groups.sum(np.ldexp(w, -exponent) ** 2)
    return float(np.ldexp(np.sum(np.sqrt(squares)), exponent))


def exclusive_norm(w: ArrayLike, groups: Groups) -> float:
    """‖w‖_e = √(Σ_g ‖w_g‖₁²) = ‖A|w|‖₂, overlaps or not (the paper's equation 1)

    Parameters
    ----------
    w : array of n_features numbers
        The weights.
    groups : Groups
        Which features compete; they may overlap.

    Returns
    -------
    float
        The norm, without overflow or underflow on the way.

    Examples
    --------
    >>> from solvers import Groups, exclusive_norm
    >>> exclusive_norm([3.0, -1.0, 3.0], Groups.from_labels([0, 0, 1]))
    5.0
    """
    return _safe_norm(groups.sum(np.abs(_checked(w, groups))))


def dual_exclusive_norm(v: ArrayLike, groups: Groups) -> float:
    """‖v‖_e* = max { vᵀw : ‖w‖_e ≤ 1 } = √(Σ_g ‖v_g‖∞²), for disjoint groups

    Parameters
    ----------
    v : array of n_features numbers
        A vector of the dual space, such as a gradient.
    groups : Groups
        Disjoint.

    Returns
    -------
    float
        The norm, without overflow or underflow on the way.

    Examples
    --------
    >>> from solvers import Groups, dual_exclusive_norm
    >>> dual_exclusive_norm([3.0, -1.0, 4.0], Groups.from_labels([0, 0, 1]))
    5.0
    """
    v = _checked(v, groups)
    if groups.overlapping:
        raise ValueError(
            "the dual norm has a closed form for disjoint groups only; these groups overlap."
        )
    return _safe_norm(groups.max(np.abs(v)))
