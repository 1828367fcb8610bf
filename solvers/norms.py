"""The four norms of the paper's Figure 1, and the dual of the exclusive one."""

from __future__ import annotations

import numpy as np

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


def l2_norm(w) -> float:
    """‖w‖₂ = √Σᵢ wᵢ²"""
    return _safe_norm(_checked(w))


def l1_norm(w) -> float:
    """‖w‖₁ = Σᵢ |wᵢ|"""
    return float(np.sum(np.abs(_checked(w))))


def group_norm(w, groups: Groups) -> float:
    """‖w‖₂,₁ = Σ_g ‖w_g‖₂, the group lasso's norm"""
    w = np.abs(_checked(w, groups))
    largest = float(w.max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    exponent = np.frexp(largest)[1]
    squares = groups.sum(np.ldexp(w, -exponent) ** 2)
    return float(np.ldexp(np.sum(np.sqrt(squares)), exponent))


def exclusive_norm(w, groups: Groups) -> float:
    """‖w‖_e = √(Σ_g ‖w_g‖₁²) = ‖A|w|‖₂, overlaps or not (the paper's equation 1)"""
    return _safe_norm(groups.sum(np.abs(_checked(w, groups))))


def dual_exclusive_norm(v, groups: Groups) -> float:
    """‖v‖_e* = max { vᵀw : ‖w‖_e ≤ 1 } = √(Σ_g ‖v_g‖∞²), for disjoint groups"""
    v = _checked(v, groups)
    if groups.overlapping:
        raise ValueError(
            "the dual norm has a closed form for disjoint groups only; these groups overlap."
        )
    return _safe_norm(groups.max(np.abs(v)))
