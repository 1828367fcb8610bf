"""Projections onto the ℓ1 and ℓ∞ norm cones, and the squared-norm proxes they give.

All of them come down to one number per group, the *threshold* τ that solves

    τ/ζ = shift + Σᵢ max(|aᵢ| − τ, 0)

whose left side grows and right side falls in τ. With the magnitudes sorted down and tⱼ the sum of
the j largest, the candidates τⱼ = ζ(shift + tⱼ)/(1 + ζj) rise while |a|⁽ʲ⁾ > τⱼ₋₁ and fall after,
because τⱼ − τⱼ₋₁ = ζ(|a|⁽ʲ⁾ − τⱼ₋₁)/(1 + ζj): the threshold is simply the largest of them. The
paper's Algorithms 2 and 3 test windows for j instead, which rounding at ties can miss altogether.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from .groups import Groups
from .validation import as_feature_weight, as_positive_flags


def project_l1_cone(a: ArrayLike, b: float, zeta: float = 1.0) -> tuple[np.ndarray, float]:
    """argmin over ‖x‖₁ ≤ y of ½‖x − a‖² + ζ/2 (y − b)²

    Lemma 2, with the case the paper's Algorithm 2 lacks: the projection is the origin when
    −ζb ≥ ‖a‖∞. Exact for every real b and ζ > 0, in O(d log d).

    Parameters
    ----------
    a : array of d numbers
        The point's first part.
    b : float
        Its last coordinate, any real number.
    zeta : float
        ζ > 0, the weight of the last coordinate.

    Returns
    -------
    x : array of d numbers
        The projection's first part.
    y : float
        Its last coordinate, with ‖x‖₁ ≤ y.

    Examples
    --------
    >>> from solvers import project_l1_cone
    >>> x, y = project_l1_cone([3.0, -1.0], 1.0)
    >>> x.tolist(), y
    ([2.0, -0.0], 2.0)
    """
    given = _checked_point(a, b, zeta)
    a, b, zeta, exponent = _scaled(*given)
    magnitudes = np.abs(a)
    if magnitudes.sum() <= b:
        return given[0].copy(), given[1]
    rows = _sorted_down(magnitudes)
    if zeta <= 1.0:
        kept = magnitudes - _thresholds(rows, zeta, -b)[0]
    else:
        kept = _heights(rows, zeta, b)[0] - (rows[0, 0] - magnitudes)
    x = np.ldexp(np.copysign(np.clip(kept, 0.0, magnitudes), a), exponent)
    return x, float(np.abs(x).sum())


def project_linf_cone(a: ArrayLike, b: float, zeta: float = 1.0) -> tuple[np.ndarray, float]:
    """argmin over ‖x‖∞ ≤ y of ½‖x − a‖² + ζ/2 (y − b)²

    Lemma 3, with x = sgn(a)⊙min(|a|, y) where the paper's Algorithm 3 prints min(|a| − y, 0), and
    the origin when ζb + ‖a‖₁ ≤ 0. Exact for every real b and ζ > 0, in O(d log d).

    Parameters
    ----------
    a : array of d numbers
        The point's first part.
    b : float
        Its last coordinate, any real number.
    zeta : float
        ζ > 0, the weight of the last coordinate.

    Returns
    -------
    x : array of d numbers
        The projection's first part.
    y : float
        Its last coordinate, with ‖x‖∞ ≤ y.

    Examples
    --------
    >>> from solvers import project_linf_cone
    >>> x, y = project_linf_cone([3.0, -1.0], 1.0)
    >>> x.tolist(), y
    ([2.0, -1.0], 2.0)
    """
    given = _checked_point(a, b, zeta)
    a, b, zeta, exponent = _scaled(*given)
    magnitudes = np.abs(a)
    if magnitudes.max() <= b:
        return given[0].copy(), given[1]
    y = _linf_level(_sorted_down(magnitudes)[0], b, zeta)
    y = float(np.ldexp(y, exponent))
    return np.clip(given[0], -y, y), y


def prox_exclusive(
    c: ArrayLike,
    groups: Groups,
    zeta: ArrayLike,
    *,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
) -> np.ndarray:
    """argmin over w of ½‖w − c‖² + ζ/2 ‖w‖_e², for disjoint groups

    Soft-thresholds each group at its own level τ_g = ζ‖w_g‖₁ (Lemma 2 with b = 0, for all groups at
    once); with weights at τ_g·fᵢ, τ_g = ζ Σ fᵢ|wᵢ|. O(n log n).

    Parameters
    ----------
    c : array of n_features numbers
        The point.
    groups : Groups
        Disjoint.
    zeta : float or array of n_groups numbers
        ζ ≥ 0; one value per group weighs the groups.
    positive : bool or array of n_features bools
        True asks for w ≥ 0; one flag a feature asks for it where the flag is True.
    feature_weight : array of n_features numbers, optional
        f ≥ 0, for the norm √(Σ_g (Σ_{i∈g} fᵢ|wᵢ|)²); 1 unless given.

    Returns
    -------
    array of n_features numbers
        The minimiser.

    Examples
    --------
    >>> from solvers import Groups, prox_exclusive
    >>> prox_exclusive([3.0, 1.0, -2.0], Groups.from_labels([0, 0, 1]), 1.0).tolist()
    [1.5, 0.0, -1.0]
    >>> prox_exclusive([3.0, 1.0, -2.0], Groups.from_labels([0, 0, 1]), 1.0, positive=True).tolist()
    [1.5, 0.0, 0.0]
    """
    c = _checked_vector(c, groups)
    zeta = _checked_zeta(zeta, groups)
    if groups.overlapping:
        raise ValueError(
            "prox_exclusive needs disjoint groups, and these overlap; "
            "solve_lasso with method='pcp' takes overlapping ones."
        )
    flags = as_positive_flags(positive, groups.n_features)
    if flags is not None:
        c = np.where(flags, np.maximum(c, 0.0), c)
    weight = as_feature_weight(feature_weight, groups.n_features)
    return shrink_groups(c, groups, zeta, None if weight is None else groups.gather(weight))


def shrink_groups(c, groups: Groups, zeta, entries=None):
    """`prox_exclusive` without its checks, for inner loops; `entries` are weights, group-major.

    A strong shrinkage leaves little of c, and |c| − τ would lose that little to cancellation; it is
    then measured from the group's largest magnitude down, where all terms are positive.
    """
    if entries is not None:
        return _shrink_weighted(c, groups, zeta, entries)
    magnitudes = np.abs(c)
    members = groups.gather(magnitudes)
    strong = np.asarray(zeta) > 1.0
    if not strong.any():
        levels = _for_each_group(_thresholds, members, groups, zeta)[groups.labels]
        return c - np.minimum(np.maximum(c, -levels), levels)
    heights = _for_each_group(_heights, members, groups, np.maximum(zeta, 1.0))[groups.labels]
    largest = np.maximum.reduceat(members, groups.indptr[:-1])[groups.labels]
    kept = np.copysign(np.clip(heights - (largest - magnitudes), 0.0, magnitudes), c)
    if strong.all():
        return kept
    weak = shrink_groups(c, groups, np.minimum(zeta, 1.0))
    return np.where(strong[groups.labels], kept, weak)


def _shrink_weighted(c, groups: Groups, zeta, entries):
    """The prox of ζ/2 (Σ aᵢ|wᵢ|)² per group, a = `entries`; aᵢ = 0 leaves cᵢ as it is.

    In ρᵢ = |cᵢ|/aᵢ the threshold solves τ = ζ Σ aᵢ²(ρᵢ − τ)₊ and wᵢ keeps aᵢ(ρᵢ − τ)₊: the plain
    prox with aᵢ² in place of a count. The sum is dominated by one of two forms that both avoid
    cancellation, as in the plain one.
    """
    members = groups.gather(np.abs(c))
    penalised = entries > 0.0
    ratios = np.divide(members, entries, out=np.zeros_like(members), where=penalised)
    squares = entries * entries
    zeta = np.broadcast_to(np.asarray(zeta, dtype=float), (groups.n_groups,))
    starts = groups.indptr[:-1]
    largest = np.maximum.reduceat(ratios, starts)
    strong = zeta * np.maximum.reduceat(squares, starts) > 1.0
    levels, heights = np.empty(groups.n_groups), np.empty(groups.n_groups)
    for rows, positions, padding in groups.size_classes:
        ratio, square = ratios[positions], squares[positions]
        ratio[padding] = square[padding] = 0.0
        order = np.argsort(-ratio, axis=1, kind="stable")
        ratio, square = (np.take_along_axis(x, order, axis=1) for x in (ratio, square))
        levels[rows], heights[rows] = _weighted_levels(ratio, square, zeta[rows, None])
    label = groups.member_groups
    with np.errstate(invalid="ignore"):
        above = np.where(
            strong[label], heights[label] - (largest[label] - ratios), ratios - levels[label]
        )
    kept = np.where(penalised, np.clip(entries * above, 0.0, members), members)
    return np.copysign(groups.scatter(kept), c)


def _weighted_levels(ratios, squares, zeta):
    """The threshold of each row, and how far it lies below the row's largest ratio.

    Both are quotients of sums of terms of one sign; the first is exact for weak shrinkage, the
    second for strong. Rows are sorted by their ratios, downwards.
    """
    totals = np.cumsum(squares, axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inverse = 1.0 / zeta
        candidates = zeta * np.cumsum(squares * ratios, axis=1) / (1.0 + zeta * totals)
        drops = np.cumsum(squares * (ratios[:, :1] - ratios), axis=1)
        below = (ratios[:, :1] * inverse + drops) / (inverse + totals)
    return candidates.max(axis=1), below.min(axis=1)


def prox_linf_squared(members, groups: Groups, zeta):
    """argmin over v of ½‖v − d‖² + ζ/2 Σ_g ‖v^g‖∞², v and d in group-major order (`Groups.gather`)

    Lemma 3 with b = 0 for all groups at once; by Moreau's identity its level is the threshold of
    the squared-ℓ1 prox at 1/ζ. Groups may overlap, because each has its own copy v^g. `zeta` > 0
    may also hold one value per group.
    """
    inverse = 1.0 / np.maximum(zeta, np.finfo(float).tiny)
    levels = _for_each_group(_thresholds, np.abs(members), groups, inverse)[groups.member_groups]
    return np.clip(members, -levels, levels)


def project_box_hyperplane(c, y, upper):
    """argmin over 0 ≤ u ≤ upper, yᵀu = 0 of ½‖u − c‖², for y = ±1

    The minimiser is clip(c − μy, 0, upper) for the μ at which yᵀu, non-increasing and piecewise
    linear in μ, crosses 0. Newton's steps from μ = 0 find its piece at once where c is nearly
    feasible; where they would leave the bracket, or are many, its breakpoints are halved. Exact.
    """
    ends = y * c, y * (c - upper)
    starts, stops = np.minimum(*ends), np.maximum(*ends)
    breaks = np.concatenate(ends)
    low, high, mu = -np.inf, np.inf, 0.0
    for tries in itertools.count():
        u = np.clip(c - mu * y, 0.0, upper)
        imbalance = float(y @ u)
        if abs(imbalance) <= ROUNDING * u.sum():
            return u
        if imbalance > 0.0:
            low, moving = mu, (starts <= mu) & (mu < stops)
        else:
            high, moving = mu, (starts < mu) & (mu <= stops)
        slope = np.count_nonzero(moving)
        root = mu + imbalance / slope if slope else np.inf
        breaks = breaks[(breaks > low) & (breaks < high)]
        if not breaks.size:
            return np.clip(c - min(max(root, low), high) * y, 0.0, upper)
        newton = low < root < high and tries < MOST_NEWTON
        mu = root if newton else float(np.partition(breaks, breaks.size // 2)[breaks.size // 2])


# Few steps find the piece, as a rule; there are data that would take one for every breakpoint.
MOST_NEWTON = 8
ROUNDING = 4.0 * np.finfo(float).eps  # of a sum of both signs, that of its magnitudes aside


# -- thresholds for all groups at once -------------------------------------------------------


def _for_each_group(kernel, magnitudes, groups: Groups, zeta) -> np.ndarray:
    """kernel(rows, ζ) of every group's magnitudes, given in group-major order.

    Equal groups are one sort of an m × d array. Ragged groups are padded with zeros, which change
    no threshold, in classes of similar size: one pass per class rather than per group.
    """
    if groups.equal_sizes:
        return kernel(_sorted_down(magnitudes.reshape(groups.n_groups, -1)), zeta)
    values = np.empty(groups.n_groups)
    zeta = np.broadcast_to(zeta, values.shape)
    for members, positions, padding in groups.size_classes:
        rows = magnitudes[positions]
        rows[padding] = 0.0
        values[members] = kernel(_sorted_down(rows), zeta[members])
    return values


def _sorted_down(magnitudes) -> np.ndarray:
    return np.sort(np.atleast_2d(magnitudes), axis=1)[:, ::-1]


def _thresholds(rows, zeta, shift=0.0) -> np.ndarray:
    """The threshold of each row of magnitudes sorted down; 0 or more."""
    count = np.arange(1, rows.shape[1] + 1)
    zeta = np.asarray(zeta, dtype=float)[..., None]
    # ζ/(1 + ζj) written so that neither a tiny nor a huge ζ overflows.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        factor = np.where(zeta <= 1.0, zeta / (1.0 + zeta * count), 1.0 / (1.0 / zeta + count))
    candidates = np.cumsum(rows, axis=1)
    candidates += shift
    candidates *= factor
    return np.maximum(candidates.max(axis=1), max(0.0, shift) * zeta[..., 0])


def _heights(rows, zeta, b=0.0) -> np.ndarray:
    """How far the threshold lies below each row's largest magnitude M, without cancellation.

    With Dⱼ the sum of the j smallest M − |a|, M − τⱼ = (M/ζ + b + Dⱼ)/(1/ζ + j), all terms
    positive for b ≥ 0; the smallest of them counts. At or below 0 nothing survives.
    """
    count = np.arange(1, rows.shape[1] + 1)
    inverse = 1.0 / np.asarray(zeta, dtype=float)[..., None]
    candidates = np.cumsum(rows[:, :1] - rows, axis=1)
    candidates += rows[:, :1] * inverse + b
    candidates /= inverse + count
    return candidates.min(axis=1)


def _linf_level(magnitudes, b, zeta) -> float:
    """y = max(0, b, max over j of (ζb + tⱼ)/(ζ + j)), from magnitudes sorted down."""
    count = np.arange(1, magnitudes.size + 1)
    sums = np.cumsum(magnitudes)
    # Divided through by ζ where that is large, so that ζb cannot overflow.
    if zeta <= 1.0:
        candidates = (zeta * b + sums) / (zeta + count)
    else:
        candidates = (b + sums / zeta) / (1.0 + count / zeta)
    return max(0.0, b, float(candidates.max()))


# -- checks ----------------------------------------------------------------------------------


def _scaled(a, b, zeta):
    """The point over a power of two near its largest entry: both cones are invariant to scale."""
    exponent = int(np.frexp(max(np.abs(a).max(), abs(b)))[1])
    return np.ldexp(a, -exponent), float(np.ldexp(b, -exponent)), zeta, exponent


def _checked_point(a, b, zeta):
    a = np.asarray(a, dtype=float)
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"a must be a vector with at least one entry, got shape {a.shape}.")
    b, zeta = float(b), float(zeta)
    if not np.isfinite(a).all():
        raise ValueError(f"a[{np.flatnonzero(~np.isfinite(a))[0]}] is not a finite number.")
    if not np.isfinite(b):
        raise ValueError(f"b must be a finite number, got {b}.")
    if not (zeta > 0.0 and np.isfinite(zeta)):
        raise ValueError(f"zeta must be positive and finite, got {zeta}.")
    return a, b, zeta


def _checked_vector(c, groups: Groups) -> np.ndarray:
    c = np.asarray(c, dtype=float)
    if c.shape != (groups.n_features,):
        raise ValueError(
            f"c must hold one number per feature ({groups.n_features}), got shape {c.shape}."
        )
    if not np.isfinite(c).all():
        raise ValueError(f"c[{np.flatnonzero(~np.isfinite(c))[0]}] is not a finite number.")
    return c


def _checked_zeta(zeta, groups: Groups):
    zeta = np.asarray(zeta, dtype=float)
    if zeta.shape not in ((), (groups.n_groups,)):
        raise ValueError(f"zeta must be one number or one per group, got shape {zeta.shape}.")
    if not (np.isfinite(zeta).all() and (zeta >= 0.0).all()):
        raise ValueError("zeta must be finite and at least 0.")
    return zeta
