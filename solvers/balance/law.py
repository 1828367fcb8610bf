"""The exact law of the largest over the smallest count of true features in a random split.

Split the event by the smallest count l, and write R for the ratio:

    P(max ≤ R·min) = Σ_{l ≥ 1} P(min = l, max ≤ ⌊R·l⌋).

*No cancellation.* Given independent binomial counts, the multivariate hypergeometric law is
theirs conditioned on the total s. With G(z) the generating function of one count in (l, h] and
c·z^l the term of the minimum itself, one summand is the coefficient of z^s in (G + c z^l)^m − G^m.
The difference is never formed: pairs (no group at l yet, some group at l) are multiplied by
(g, d)·(g', d') = (g g', d (g' + d') + g d'), in which every coefficient is positive.

*No convolution.* Each summand is one coefficient, so it is a mean of its generating function over
the L-th roots of unity, on the circle through the saddle point (an exponential tilt puts the
wanted total at the mean). There the coefficient is about 1/√(2π·variance) of the function's
maximum, so rounding costs about m·ε relative, however small the probability is.

*What is left out is bounded, not guessed.* Minima and counts in the far tails are dropped only
where union bounds on the hypergeometric tails put them below 1e-14 of the result; the number of
roots L follows from Chernoff bounds on the tilted sum; roots are dropped only where an upper
bound on the modulus says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .arguments import checked_counts, checked_features, floor_times
from .counts import log_binomial, log_hypergeometric
from .saddle import TiltedCounts, product_of_powers, roots_that_matter, spectrum_of

_LOG_RELATIVE_DROP = math.log(1e-14)
_FIRST_LOG_FLOOR = math.log(1e-17)
_BLOCK = 1 << 15


@dataclass(frozen=True)
class Split:
    """n features of which s are true, in m groups; classes are (group size, how many such)."""

    n: int
    s: int
    m: int

    @classmethod
    def checked(cls, n_features: int, n_true: int, n_groups: int) -> Split:
        n, s = checked_features(n_features, n_true)
        _, m = checked_counts(s, n_groups)
        return cls(n, s, m)

    @property
    def classes(self) -> list[tuple[int, int]]:
        size, extra = divmod(self.n, self.m)
        return [(size, self.m - extra)] + ([(size + 1, extra)] if extra else [])


def log_ratio_cdf(split: Split, ratios: list[Fraction | float]) -> np.ndarray:
    """log P(max_j |Ω_j| ≤ r · min_j |Ω_j|, min_j |Ω_j| ≥ 1) for each r."""
    if split.m == 1:
        return np.array([0.0 if r >= 1 else -np.inf for r in ratios])
    if split.s == split.n:
        sizes = [size for size, _ in split.classes]
        return np.array([0.0 if max(sizes) <= r * min(sizes) else -np.inf for r in ratios])

    tails = _log_tails(split)
    result = np.full(len(ratios), -np.inf)
    log_floor = np.full(len(ratios), _FIRST_LOG_FLOOR)
    pending = [i for i, r in enumerate(ratios) if r >= 1]
    while pending:
        cuts = [_cuts(tails, log_floor[i]) for i in pending]
        rows = [
            _feasible_windows(split, ratios[i], smallest, largest)
            for i, (smallest, largest, _) in zip(pending, cuts, strict=True)
        ]
        windows, where = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        log_parts = _log_min_at(split, windows[:, 0], windows[:, 1])[where.ravel()]
        ends = np.cumsum([len(r) for r in rows])
        for i, parts in zip(pending, np.split(log_parts, ends[:-1]), strict=True):
            result[i] = np.logaddexp.reduce(parts) if len(parts) else -np.inf

        pending = [
            i
            for i, (_, _, log_dropped) in zip(pending, cuts, strict=True)
            if log_dropped > result[i] + _LOG_RELATIVE_DROP
        ]
        # A partial sum is a lower bound, so the floor it sets is low enough for the full one.
        found = np.where(np.isfinite(result), result, 4 * log_floor)
        log_floor = np.minimum(found, log_floor) + _LOG_RELATIVE_DROP - 1
    return np.minimum(result, 0.0)


def _cuts(tails: tuple[np.ndarray, np.ndarray], log_floor: float) -> tuple[int, int, float]:
    """Smallest minimum and largest count to keep, and the log probability either cut drops.

    That is at most log_floor, and −∞ where only impossible counts (or minima of 0) go.
    """
    some_at_most, some_at_least = tails
    smallest = max(1, int(np.searchsorted(some_at_most, log_floor, side="right")))
    largest = len(some_at_least) - 1
    largest -= int(np.searchsorted(some_at_least[::-1], log_floor, side="right"))
    below = some_at_most[smallest - 1] if smallest > 1 else -np.inf
    above = some_at_least[largest + 1] if largest + 1 < len(some_at_least) else -np.inf
    return smallest, largest, float(max(below, above))


def _log_tails(split: Split) -> tuple[np.ndarray, np.ndarray]:
    """Union bounds log Σ_j P(|Ω_j| ≤ k) and log Σ_j P(|Ω_j| ≥ k), k = 0, 1, …"""
    k = np.arange(min(split.classes[-1][0], split.s) + 1)
    log_weights = [
        math.log(number) + log_hypergeometric(k, size, split.s, split.n)
        for size, number in split.classes
    ]
    both = np.logaddexp.reduce(log_weights, axis=0)
    return np.logaddexp.accumulate(both), np.logaddexp.accumulate(both[::-1])[::-1]


def _feasible_windows(
    split: Split, ratio: Fraction | float, smallest: int, largest: int
) -> np.ndarray:
    """Rows (l, h): minima l ≥ smallest, counts up to ⌊ratio·l⌋ and largest, that can sum to s."""
    lows = range(smallest, split.s // split.m + 1)
    tops = [min(floor_times(ratio, low), largest, split.s - (split.m - 1) * low) for low in lows]
    windows = np.column_stack([np.array(lows, np.int64), np.array(tops, np.int64)])
    windows = windows[windows[:, 1] >= windows[:, 0]]
    caps = [np.minimum(windows[:, 1], size) for size, _ in split.classes]
    total = sum(number * cap for (_, number), cap in zip(split.classes, caps, strict=True))
    return windows[total - caps[0] + windows[:, 0] >= split.s]


def _log_min_at(split: Split, lows: np.ndarray, highs: np.ndarray) -> np.ndarray:
    """log P(min_j |Ω_j| = l, max_j |Ω_j| ≤ h) for each row (l, h), by blocks of bounded memory."""
    if not len(lows):
        return np.empty(0)
    k = np.arange(int(highs.max()) + 1)
    p = split.s / split.n
    log_pmfs = [
        np.where(k <= size, log_binomial(np.minimum(k, size), size, p), -np.inf)
        for size, _ in split.classes
    ]
    log_total = float(log_binomial(np.array(split.s), split.n, p))
    # Widest first: a block is as wide as its widest window and takes the roots it needs.
    order = np.argsort(lows - highs, kind="stable")
    out = np.empty(len(lows))
    start = 0
    while start < len(order):
        step = max(1, _BLOCK // (int((highs - lows)[order[start]]) + 1))
        rows = order[start : start + step]
        out[rows] = _log_min_at_block(split, log_pmfs, lows[rows], highs[rows]) - log_total
        start += step
    return out


def _log_min_at_block(
    split: Split, log_pmfs: list[np.ndarray], lows: np.ndarray, highs: np.ndarray
) -> np.ndarray:
    """log [z^s] of Π_j (G_j + c_j z^l) − Π_j G_j, one row (l, h) at a time, all rows at once."""
    numbers = [number for _, number in split.classes]
    offsets = np.arange(int((highs - lows).max()) + 1)
    counts = lows[:, None] + offsets
    inside = counts <= highs[:, None]
    counts = np.minimum(counts, len(log_pmfs[0]) - 1)
    log_weights = [np.where(inside, log_pmf[counts], -np.inf) for log_pmf in log_pmfs]

    tilted = TiltedCounts.at_saddle(split, log_weights, numbers, lows, highs)
    n_roots = tilted.roots_without_aliasing(split, lows, highs)
    # All d are carried in units of the largest c, whose weight may be too small for a float.
    log_pinned = np.maximum.reduce(tilted.log_pinned)
    unit = np.exp(log_pinned)[:, None]
    pinned = [np.exp(log_c - log_pinned)[:, None] for log_c in tilted.log_pinned]

    at_one = product_of_powers(
        [(w[:, 1:].sum(axis=1)[:, None], d) for w, d in zip(tilted.weights, pinned, strict=True)],
        numbers,
        unit,
    )
    factors = [(spectrum_of(w, n_roots), d) for w, d in zip(tilted.weights, pinned, strict=True)]
    kept = roots_that_matter(factors, numbers, unit, at_one)
    spectrum = product_of_powers([(g[:, kept], d) for g, d in factors], numbers, unit)

    phase = (np.outer(split.s - split.m * lows, kept)) % n_roots
    mirrored = np.where((kept == 0) | (2 * kept == n_roots), 1.0, 2.0)
    rotated = (spectrum * np.exp(-2j * np.pi / n_roots * phase)).real
    coefficient = np.maximum((rotated * mirrored).sum(axis=1) / n_roots, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(coefficient) + log_pinned + tilted.log_scale
