"""Random grouping: how evenly do s true features fall into m random groups of n features?

The groups split the features uniformly at random, their sizes differ by at most one, and
|Ω_j| counts the true features of group j. The counts are multivariate hypergeometric, and the
split is called balanced when max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t) (Theorem 3); a group
without any true feature makes it unbalanced.

How the exact law is computed. Split the event by the smallest count l, and write R for the ratio:

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
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from operator import index

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import next_fast_len, rfft
from scipy.special import gammaln, xlog1py, xlogy

__all__ = [
    "balance_curve",
    "balance_probability",
    "chernoff_bound",
    "random_labels",
    "ratio_cdf",
    "recommend_n_groups",
    "simulate_balance",
    "theorem_bound",
    "union_bound",
]

RandomState = int | np.random.Generator | None
_Pair = tuple[np.ndarray, np.ndarray]

_LOG_RELATIVE_DROP = math.log(1e-14)
_FIRST_LOG_FLOOR = math.log(1e-17)
_BLOCK = 1 << 15


# ---------------------------------------------------------------- draws


def random_labels(n_features: int, n_groups: int, random_state: RandomState = None) -> np.ndarray:
    """A uniformly random split of n features into m groups whose sizes differ by at most one.

    Returns one label in 0..m−1 per feature. Which groups hold one feature more is drawn too, so
    the groups are exchangeable and every feature is equally likely to get every label.
    """
    n = _positive_int(n_features, "n_features")
    m = _positive_int(n_groups, "n_groups")
    if m > n:
        raise ValueError(
            f"n_groups={m} exceeds n_features={n}: some group would be empty; "
            f"use at most {n} groups."
        )
    rng = np.random.default_rng(random_state)
    return rng.permutation(rng.permutation(m)[np.arange(n) % m])


def simulate_balance(
    n_features: int,
    n_true: int,
    n_groups: int,
    trials: int,
    random_state: RandomState = None,
) -> np.ndarray:
    """Counts |Ω_j| of true features per group in independent random splits: trials × m.

    Drawn from the multivariate hypergeometric law in O(m) a trial, whatever n is. As in
    `random_labels` the columns are exchangeable.
    """
    split = _Split.checked(n_features, n_true, n_groups)
    trials = _positive_int(trials, "trials")
    rng = np.random.default_rng(random_state)
    sizes = np.repeat([size for size, _ in split.classes], [number for _, number in split.classes])
    counts = rng.multivariate_hypergeometric(sizes, split.s, size=trials, method="marginals")
    return rng.permuted(counts, axis=1) if len(split.classes) > 1 else counts


# ---------------------------------------------------------------- exact law


def balance_probability(n_features: int, n_true: int, n_groups: int, t: Real) -> float:
    """P(max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)), exactly; an empty group is unbalanced.

    Relative accuracy 1e-10 at n ≤ 10⁴ and 1e-8 at n = 10⁶ or better, also where the value is
    tiny (below 1e-308 it is 0). Milliseconds at s = 5,000. A float t means the simplest fraction
    that rounds to it, so 0.2 is 1/5 and ⌊R·l⌋ is what it should be.
    """
    split = _Split.checked(n_features, n_true, n_groups)
    return math.exp(_log_ratio_cdf(split, [_ratio_of(t)])[0])


def balance_curve(
    n_features: int, n_true: int, n_groups_list: Iterable[int], t: Real
) -> np.ndarray:
    """P(balanced) for each number of groups in the list, as `balance_probability` gives it."""
    ratio = _ratio_of(t)
    splits = [_Split.checked(n_features, n_true, m) for m in n_groups_list]
    return np.array([math.exp(_log_ratio_cdf(split, [ratio])[0]) for split in splits])


def ratio_cdf(n_features: int, n_true: int, n_groups: int, ratios: ArrayLike) -> np.ndarray:
    """P(max_j |Ω_j| / min_j |Ω_j| ≤ r) for each r, exactly; the ratio is ∞ if a group is empty.

    At r = ∞ this is P(no group is empty). Windows that several r share are computed once.
    """
    split = _Split.checked(n_features, n_true, n_groups)
    values = np.asarray(ratios, dtype=object)
    exact = [_exact_ratio(r) for r in values.ravel()]
    law = np.exp(_log_ratio_cdf(split, exact))
    # Equal events reached through different windows differ by rounding; a law must not decrease.
    ascending = sorted(range(len(exact)), key=exact.__getitem__)
    law[ascending] = np.maximum.accumulate(law[ascending])
    return law.reshape(values.shape)


# ---------------------------------------------------------------- bounds


def theorem_bound(n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − 3·exp(−0.08 t² s/m + log m) − exp(−0.001 t² s), as Theorem 3 is proved.

    Not clipped: at or below 0 it says nothing. Its proof needs m | n.
    """
    s, m = _checked_counts(n_true, n_groups)
    t = float(_exact_t(t))
    return 1 - 3 * math.exp(-0.08 * t * t * s / m + math.log(m)) - math.exp(-0.001 * t * t * s)


def chernoff_bound(n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − m·exp(−t² s/(m(2 + 2t/3))) − m·exp(−t² s/(2m)), for m | n.

    Hypergeometric tails are below binomial ones (Hoeffding 1963), so the Chernoff bounds hold for
    each count directly, without the theorem's detour over a Bernoulli model. Not clipped.
    """
    s, m = _checked_counts(n_true, n_groups)
    t = float(_exact_t(t))
    upper = math.exp(-t * t * s / (m * (2 + 2 * t / 3)))
    lower = math.exp(-t * t * s / (2 * m))
    return 1 - m * upper - m * lower


def union_bound(n_features: int, n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − Σ_j P(|Ω_j| < (1−t) s/m) − Σ_j P(|Ω_j| > (1+t) s/m), tails exact.

    Valid for any n: counts within (1±t)·s/m have a ratio of at most R, whatever the group sizes.
    Not clipped: at or below 0 it says nothing.
    """
    split = _Split.checked(n_features, n_true, n_groups)
    t = _exact_t(t)
    if split.m == 1:
        return 1.0
    mean = Fraction(split.s, split.m)
    smallest, largest = math.ceil((1 - t) * mean), math.floor((1 + t) * mean)
    outside = 0.0
    for size, number in split.classes:
        k = np.arange(min(size, split.s) + 1)
        pmf = np.exp(_log_hypergeometric(k, size, split.s, split.n))
        outside += number * float(pmf[(k < smallest) | (k > largest)].sum())
    return 1 - outside


# ---------------------------------------------------------------- choice of m


def recommend_n_groups(
    n_features: int, n_true: int, t: Real = 0.5, probability: float = 0.95
) -> int:
    """max { m ≤ s : P(balanced with m groups) ≥ probability }, from the exact law.

    P is not monotone in m (divisibility of s and n by m matters), so bisection would be wrong.
    All m are scanned downwards from s instead, and an m is skipped only when a proven upper bound
    is below the target. For every threshold x a balanced split has min ≥ x, or else
    min ≤ x−1 and hence max ≤ ⌊R(x−1)⌋; since multivariate hypergeometric counts are negatively
    associated (Joag-Dev and Proschan 1983), both events are at most as likely as for independent
    counts:

        P ≤ min_x  Π_j P(|Ω_j| ≥ x) + Π_j P(|Ω_j| ≤ ⌊R(x−1)⌋).

    The first m not skipped whose exact probability reaches the target is therefore the largest.
    m = 1 always does.
    """
    n, s = _checked_features(n_features, n_true)
    if not 0 < probability < 1:
        raise ValueError(f"probability={probability} must lie strictly between 0 and 1, e.g. 0.95.")
    ratio = _ratio_of(t)
    largest = s
    while largest > 1:
        mean = s / largest
        columns = int(mean + 8 * math.sqrt(mean)) + 10
        smallest = max(largest - max(_BLOCK // (2 * columns), 1), largest // 2, 1)
        candidates = np.arange(largest, smallest, -1)
        bound = _balance_upper_bound(n, s, candidates, ratio, columns)
        # The slack covers rounding in the bound; it can only let more m through to the exact law.
        for m in candidates[bound >= probability * (1 - 1e-6)].tolist():
            if math.exp(_log_ratio_cdf(_Split.checked(n, s, m), [ratio])[0]) >= probability:
                return m
        largest = smallest
    return 1


def _balance_upper_bound(
    n: int, s: int, n_groups: np.ndarray, ratio: Fraction, columns: int
) -> np.ndarray:
    """The bound in `recommend_n_groups`, for each m; counts of `columns` or more are allowed."""
    m = n_groups[:, None]
    k = np.arange(columns)
    log_at_least = np.zeros((len(n_groups), columns))
    log_at_most = np.zeros((len(n_groups), columns))
    for size, number in ((n // m, m - n % m), (n // m + 1, n % m)):
        present = number[:, 0] > 0
        pmf = np.exp(_log_hypergeometric(k, size[present], s, n))
        at_most = np.minimum(np.cumsum(pmf, axis=1), 1)
        at_least = np.concatenate([np.ones((len(pmf), 1)), 1 - at_most[:, :-1]], axis=1)
        log_at_least[present] += xlogy(number[present], at_least)
        log_at_most[present] += xlogy(number[present], at_most)
    at_least, at_most = np.exp(log_at_least), np.exp(log_at_most)
    at_least[k * m > s] = 0
    at_most[k * m < s] = 0

    thresholds = np.arange(1, columns)
    tops = np.array([_floor_times(ratio, x - 1) for x in thresholds.tolist()])
    reach = np.where(
        tops < columns, at_most[:, np.minimum(tops, columns - 1).astype(np.int64)], 1.0
    )
    return (at_least[:, 1:] + reach).min(axis=1)


# ---------------------------------------------------------------- the law of one split


@dataclass(frozen=True)
class _Split:
    """n features of which s are true, in m groups; classes are (group size, how many such)."""

    n: int
    s: int
    m: int

    @classmethod
    def checked(cls, n_features: int, n_true: int, n_groups: int) -> _Split:
        n, s = _checked_features(n_features, n_true)
        _, m = _checked_counts(s, n_groups)
        return cls(n, s, m)

    @property
    def classes(self) -> list[tuple[int, int]]:
        size, extra = divmod(self.n, self.m)
        return [(size, self.m - extra)] + ([(size + 1, extra)] if extra else [])


def _log_ratio_cdf(split: _Split, ratios: list[Fraction | float]) -> np.ndarray:
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


def _log_tails(split: _Split) -> tuple[np.ndarray, np.ndarray]:
    """Union bounds log Σ_j P(|Ω_j| ≤ k) and log Σ_j P(|Ω_j| ≥ k), k = 0, 1, …"""
    k = np.arange(min(split.classes[-1][0], split.s) + 1)
    log_weights = [
        math.log(number) + _log_hypergeometric(k, size, split.s, split.n)
        for size, number in split.classes
    ]
    both = np.logaddexp.reduce(log_weights, axis=0)
    return np.logaddexp.accumulate(both), np.logaddexp.accumulate(both[::-1])[::-1]


def _feasible_windows(
    split: _Split, ratio: Fraction | float, smallest: int, largest: int
) -> np.ndarray:
    """Rows (l, h): minima l ≥ smallest, counts up to ⌊ratio·l⌋ and largest, that can sum to s."""
    lows = range(smallest, split.s // split.m + 1)
    tops = [min(_floor_times(ratio, low), largest, split.s - (split.m - 1) * low) for low in lows]
    windows = np.column_stack([np.array(lows, np.int64), np.array(tops, np.int64)])
    windows = windows[windows[:, 1] >= windows[:, 0]]
    caps = [np.minimum(windows[:, 1], size) for size, _ in split.classes]
    total = sum(number * cap for (_, number), cap in zip(split.classes, caps, strict=True))
    return windows[total - caps[0] + windows[:, 0] >= split.s]


def _log_min_at(split: _Split, lows: np.ndarray, highs: np.ndarray) -> np.ndarray:
    """log P(min_j |Ω_j| = l, max_j |Ω_j| ≤ h) for each row (l, h), by blocks of bounded memory."""
    if not len(lows):
        return np.empty(0)
    k = np.arange(int(highs.max()) + 1)
    p = split.s / split.n
    log_pmfs = [
        np.where(k <= size, _log_binomial(np.minimum(k, size), size, p), -np.inf)
        for size, _ in split.classes
    ]
    log_total = float(_log_binomial(np.array(split.s), split.n, p))
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
    split: _Split, log_pmfs: list[np.ndarray], lows: np.ndarray, highs: np.ndarray
) -> np.ndarray:
    """log [z^s] of Π_j (G_j + c_j z^l) − Π_j G_j, one row (l, h) at a time, all rows at once."""
    numbers = [number for _, number in split.classes]
    offsets = np.arange(int((highs - lows).max()) + 1)
    counts = lows[:, None] + offsets
    inside = counts <= highs[:, None]
    counts = np.minimum(counts, len(log_pmfs[0]) - 1)
    log_weights = [np.where(inside, log_pmf[counts], -np.inf) for log_pmf in log_pmfs]

    tilted = _TiltedCounts.at_saddle(split, log_weights, numbers, lows, highs)
    n_roots = tilted.roots_without_aliasing(split, lows, highs)
    # All d are carried in units of the largest c, whose weight may be too small for a float.
    log_pinned = np.maximum.reduce(tilted.log_pinned)
    unit = np.exp(log_pinned)[:, None]
    pinned = [np.exp(log_c - log_pinned)[:, None] for log_c in tilted.log_pinned]

    at_one = _product_of_powers(
        [(w[:, 1:].sum(axis=1)[:, None], d) for w, d in zip(tilted.weights, pinned, strict=True)],
        numbers,
        unit,
    )
    factors = [(_spectrum(w, n_roots), d) for w, d in zip(tilted.weights, pinned, strict=True)]
    kept = _roots_that_matter(factors, numbers, unit, at_one)
    spectrum = _product_of_powers([(g[:, kept], d) for g, d in factors], numbers, unit)

    phase = (np.outer(split.s - split.m * lows, kept)) % n_roots
    mirrored = np.where((kept == 0) | (2 * kept == n_roots), 1.0, 2.0)
    rotated = (spectrum * np.exp(-2j * np.pi / n_roots * phase)).real
    coefficient = np.maximum((rotated * mirrored).sum(axis=1) / n_roots, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(coefficient) + log_pinned + tilted.log_scale


@dataclass(frozen=True)
class _TiltedCounts:
    """Counts of each class in a window, reweighted by e^{τ(k − s/m)} and normalised.

    On total s the reweighting multiplies to one, so only the normalisation has to be undone:
    log_scale = Σ_j log Σ_k weight_j(k).
    """

    weights: list[np.ndarray]
    log_weights: list[np.ndarray]
    numbers: list[int]
    centred: np.ndarray
    tilt: np.ndarray
    log_sums: list[np.ndarray]
    variance: np.ndarray

    @property
    def log_pinned(self) -> list[np.ndarray]:
        """log of the weight of the window's lowest count, for each class."""
        return [
            log_w[:, 0] + self.tilt * self.centred[:, 0] - log_sum
            for log_w, log_sum in zip(self.log_weights, self.log_sums, strict=True)
        ]

    @property
    def log_scale(self) -> np.ndarray:
        return sum(a * log_sum for a, log_sum in zip(self.numbers, self.log_sums, strict=True))

    @classmethod
    def at_saddle(
        cls,
        split: _Split,
        log_weights: list[np.ndarray],
        numbers: list[int],
        lows: np.ndarray,
        highs: np.ndarray,
    ) -> _TiltedCounts:
        """Tilt so that, one count being l, the others average what s asks for.

        Safeguarded Newton steps on a monotone equation. A fraction of a standard deviation is
        near enough: the tilt decides rounding, not the value.
        """
        centred = (lows - split.s / split.m)[:, None] + np.arange(log_weights[0].shape[1])
        least = split.m * lows.astype(float)
        most = sum(
            a * np.minimum(highs, size).astype(float)
            for a, (size, _) in zip(numbers, split.classes, strict=True)
        )
        margin = np.minimum(0.5, (most - least) / 4)
        wanted = (split.s - lows) * (split.m / (split.m - 1))
        target = np.clip(wanted, least + margin, most - margin) - split.s

        tilt = np.zeros(len(lows))
        below, above = np.full(len(lows), -np.inf), np.full(len(lows), np.inf)
        active = np.arange(len(lows))
        weights = [np.empty_like(w) for w in log_weights]
        log_sums = [np.empty(len(lows)) for _ in log_weights]
        variance = np.empty(len(lows))
        for _ in range(200):
            mean, var = np.zeros(len(active)), np.zeros(len(active))
            for c, a in enumerate(numbers):
                w, log_sum = _normalised_exp(log_weights[c][active], centred[active], tilt[active])
                weights[c][active], log_sums[c][active] = w, log_sum
                first = np.einsum("ij,ij->i", w, centred[active])
                mean += a * first
                var += a * np.einsum("ij,ij->i", w, (centred[active] - first[:, None]) ** 2)
            variance[active] = var
            miss = target[active] - mean
            going = np.abs(miss) > 0.3 * np.sqrt(var) + 1e-9 * (1 + np.abs(target[active]))
            going &= most[active] > least[active]
            active, miss, var = active[going], miss[going], var[going]
            if not len(active):
                break
            now = tilt[active]
            below[active] = np.where(miss > 0, now, below[active])
            above[active] = np.where(miss < 0, now, above[active])
            step = now + np.clip(miss / np.maximum(var, 1e-300), -2.0, 2.0)
            escaped = (step <= below[active]) | (step >= above[active])
            tilt[active] = np.where(escaped, (below[active] + above[active]) / 2, step)
        return cls(weights, log_weights, numbers, centred, tilt, log_sums, variance)

    def roots_without_aliasing(self, split: _Split, lows: np.ndarray, highs: np.ndarray) -> int:
        """L such that totals s ± L, s ± 2L, … weigh less than e^-36 of total s, in every row.

        With one count at l, Chernoff: P(others exceed by L) ≤ exp(K(τ+η) − K(τ) − η(L + s/m − l)).
        """
        span = sum(
            a * (np.minimum(highs, size) - lows)
            for a, (size, _) in zip(self.numbers, split.classes, strict=True)
        )
        log_ratio = 36 + math.log(split.m) + 0.5 * np.log1p(2 * np.pi * self.variance)
        rate = 8 / np.sqrt(np.maximum(self.variance, 1e-2))
        pinned = lows - split.s / split.m
        length = np.ones(len(lows))
        for sign in (1.0, -1.0):
            growth = [
                _normalised_exp(log_w, self.centred, self.tilt + sign * rate)[1] - log_sum
                for log_w, log_sum in zip(self.log_weights, self.log_sums, strict=True)
            ]
            others = sum(a * g for a, g in zip(self.numbers, growth, strict=True))
            others = others - np.minimum.reduce(growth)
            length = np.maximum(length, (others + log_ratio) / rate + sign * pinned)
        needed = np.minimum(np.ceil(length), span + 1).max()
        return next_fast_len(max(int(needed), 1), real=True)


def _normalised_exp(
    log_weights: np.ndarray, centred: np.ndarray, tilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    exponent = log_weights + tilt[:, None] * centred
    peak = exponent.max(axis=1)
    w = np.exp(exponent - peak[:, None])
    total = w.sum(axis=1)
    return w / total[:, None], peak + np.log(total)


def _spectrum(weights: np.ndarray, n_roots: int) -> np.ndarray:
    """Σ_{k ≥ 1} w_k ω^k for the roots ω in the closed upper half plane, offset 0 left out."""
    rest = weights.copy()
    rest[:, 0] = 0
    rows, width = rest.shape
    if width > n_roots:
        folds = -(-width // n_roots)
        rest = np.pad(rest, ((0, 0), (0, folds * n_roots - width)))
        rest = rest.reshape(rows, folds, n_roots).sum(axis=1)
    return rfft(rest, n_roots, axis=1).conj()


def _roots_that_matter(
    factors: list[_Pair], numbers: list[int], unit: np.ndarray, at_one: np.ndarray
) -> np.ndarray:
    """Roots where Π(G+c) − ΠG may exceed e^-46 of its value at 1.

    By the triangle inequality its modulus is at most Σ_j c_j · max(|G+c|, |G|)^{m−1}.
    """
    largest = np.zeros(factors[0][0].shape)
    for g, d in factors:
        imaginary = g.imag**2
        np.maximum(largest, (g.real + unit * d) ** 2 + imaginary, out=largest)
        np.maximum(largest, g.real**2 + imaginary, out=largest)
    pinned = sum(a * d for a, (_, d) in zip(numbers, factors, strict=True))
    with np.errstate(divide="ignore"):
        log_bound = (sum(numbers) - 1) / 2 * np.log(largest) + np.log(pinned / at_one)
    return np.flatnonzero((log_bound > -46).any(axis=0))


# ---------------------------------------------------------------- pairs (g, d)


def _times(left: _Pair, right: _Pair, unit: np.ndarray) -> _Pair:
    """(no group at the minimum yet, some group at it, in units): positive parts only."""
    return (
        left[0] * right[0],
        left[1] * (right[0] + unit * right[1]) + left[0] * right[1],
    )


def _power(base: _Pair, exponent: int, unit: np.ndarray) -> _Pair:
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else _times(result, base, unit)
        exponent >>= 1
        if not exponent:
            return result
        base = _times(base, base, unit)


def _product_of_powers(bases: list[_Pair], exponents: list[int], unit: np.ndarray) -> np.ndarray:
    """(Π_j (G_j + c_j) − Π_j G_j) / unit for pairs (G_j, c_j / unit)."""
    powers = [_power(base, a, unit) for base, a in zip(bases, exponents, strict=True)]
    return (powers[0] if len(powers) == 1 else _times(*powers, unit))[1]


# ---------------------------------------------------------------- binomial weights


def _log_factorial_excess(x: np.ndarray) -> np.ndarray:
    """log x! − (x log x − x): what Stirling's leading terms leave, without their cancellation."""
    x = np.asarray(x, dtype=float)
    small = np.minimum(x, 16.0)
    y = 1 / np.maximum(x, 16.0)
    y2 = y * y
    series = y * (1 / 12 - y2 * (1 / 360 - y2 * (1 / 1260 - y2 * (1 / 1680 - y2 / 1188))))
    return np.where(
        x < 16,
        gammaln(small + 1) - xlogy(small, small) + small,
        series - 0.5 * np.log(y / (2 * np.pi)),
    )


def _log_binomial(k: np.ndarray, size: int | np.ndarray, p: float) -> np.ndarray:
    """log C(N, k) p^k (1−p)^{N−k} for 0 ≤ k ≤ N, 0 < p < 1, by Loader's saddle-point form.

    Its terms are of the size of the result, so the error is about |k − Np|·ε where log-gamma
    functions of N would leave N·log N·ε.
    """
    expected = size * p
    away = k - expected
    deviance = _deviance(away, expected) + _deviance(-away, size * (1 - p))
    return (
        _log_factorial_excess(np.asarray(size))
        - _log_factorial_excess(k)
        - _log_factorial_excess(size - k)
        - deviance
    )


def _deviance(away: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """x log(x/y) − x + y with x = y + away."""
    u = np.maximum(away / expected, -1.0)
    return expected * (xlog1py(1 + u, u) - u)


def _log_hypergeometric(k: np.ndarray, size: int | np.ndarray, s: int, n: int) -> np.ndarray:
    """log P(a group of the given size holds k of the s true features among n), −∞ if it cannot.

    Needs more than one group: size < n.
    """
    if s == n:
        return np.where(k == size, 0.0, -np.inf)
    p = s / n
    possible = (k <= size) & (k <= s) & (s - k <= n - size)
    inside = np.clip(k, np.maximum(0, s - (n - size)), np.minimum(size, s))
    log_p = (
        _log_binomial(inside, size, p)
        + _log_binomial(s - inside, n - size, p)
        - _log_binomial(np.array(s), n, p)
    )
    return np.where(possible, log_p, -np.inf)


# ---------------------------------------------------------------- arguments


def _floor_times(ratio: Fraction | float, count: int) -> int:
    """⌊ratio · count⌋ in integers; capped, since no count comes near the cap."""
    if ratio == math.inf:
        return 1 << 62
    return min(ratio.numerator * count // ratio.denominator, 1 << 62)


def _exact(value: Real) -> Fraction:
    """The simplest fraction that rounds to a float; 0.2 is 1/5 and 1/3 stays 1/3."""
    if isinstance(value, Rational):
        return Fraction(value)
    value = float(value)
    simple = Fraction(value).limit_denominator(10**6)
    return simple if float(simple) == value else Fraction(repr(value))


def _exact_t(t: Real) -> Fraction:
    if not 0 < t < 1:
        raise ValueError(f"t={t} must lie strictly between 0 and 1, e.g. 0.5.")
    return _exact(t)


def _ratio_of(t: Real) -> Fraction:
    t = _exact_t(t)
    return (1 + t) / (1 - t)


def _exact_ratio(ratio: Real) -> Fraction | float:
    if ratio != ratio or ratio < 0:
        raise ValueError(f"ratios has {ratio}: give numbers ≥ 0 (inf is allowed).")
    return math.inf if ratio == math.inf else _exact(ratio)


def _positive_int(value: int, name: str) -> int:
    try:
        value = index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} must be an integer.") from None
    if value < 1:
        raise ValueError(f"{name}={value} must be at least 1.")
    return value


def _checked_features(n_features: int, n_true: int) -> tuple[int, int]:
    n = _positive_int(n_features, "n_features")
    s = _positive_int(n_true, "n_true")
    if s > n:
        raise ValueError(
            f"n_true={s} exceeds n_features={n}: only features can be true; "
            f"use n_true of at most {n}."
        )
    return n, s


def _checked_counts(n_true: int, n_groups: int) -> tuple[int, int]:
    s = _positive_int(n_true, "n_true")
    m = _positive_int(n_groups, "n_groups")
    if m > s:
        raise ValueError(
            f"n_groups={m} exceeds n_true={s}: some group would hold no true feature, so no "
            f"split is balanced; use at most {s} groups."
        )
    return s, m
