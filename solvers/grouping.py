"""Random grouping: how evenly do s true features fall into m random groups of n features?

The groups split the features uniformly at random, their sizes differ by at most one, and
|Ω_j| counts the true features of group j. The counts are multivariate hypergeometric, and the
split is called balanced when max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t) (Theorem 5); a group
without any true feature makes it unbalanced.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from .balance.arguments import (
    checked_counts,
    checked_features,
    exact_ratio,
    exact_t,
    floor_times,
    positive_int,
    ratio_of,
)
from .balance.counts import log_hypergeometric
from .balance.law import Split, log_ratio_cdf
from .docstrings import LAW, documented

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

_BLOCK = 1 << 15


# ---------------------------------------------------------------- draws


@documented(LAW)
def random_labels(n_features: int, n_groups: int, random_state: RandomState = None) -> np.ndarray:
    """A uniformly random split of n features into m groups whose sizes differ by at most one

    Which groups hold one feature more is drawn too, so the groups are exchangeable and every
    feature is equally likely to get every label.

    Returns
    -------
    array of n_features ints
        One label in 0..m−1 per feature.

    Examples
    --------
    >>> from solvers import grouping
    >>> labels = grouping.random_labels(n_features=7, n_groups=3, random_state=0)
    >>> labels.size, sorted(set(labels.tolist()))
    (7, [0, 1, 2])
    """
    n = positive_int(n_features, "n_features")
    m = positive_int(n_groups, "n_groups")
    if m > n:
        raise ValueError(
            f"n_groups={m} exceeds n_features={n}: some group would be empty; "
            f"use at most {n} groups."
        )
    rng = np.random.default_rng(random_state)
    return rng.permutation(rng.permutation(m)[np.arange(n) % m])


@documented(LAW)
def simulate_balance(
    n_features: int,
    n_true: int,
    n_groups: int,
    trials: int,
    random_state: RandomState = None,
) -> np.ndarray:
    """|Ω_1|, …, |Ω_m| of independent random splits: how many true features each group gets

    Drawn from the multivariate hypergeometric law in O(m) a trial, whatever n is. As in
    `random_labels` the columns are exchangeable.

    Parameters
    ----------
    trials : int
        How many splits to draw.

    Returns
    -------
    array of ints, trials × n_groups
        The counts; every row sums to s.

    Examples
    --------
    >>> from solvers import grouping
    >>> counts = grouping.simulate_balance(100, 12, 3, trials=5, random_state=0)
    >>> counts.shape, counts.sum(axis=1).tolist()
    ((5, 3), [12, 12, 12, 12, 12])
    """
    split = Split.checked(n_features, n_true, n_groups)
    trials = positive_int(trials, "trials")
    rng = np.random.default_rng(random_state)
    sizes = np.repeat([size for size, _ in split.classes], [number for _, number in split.classes])
    counts = rng.multivariate_hypergeometric(sizes, split.s, size=trials, method="marginals")
    return rng.permuted(counts, axis=1) if len(split.classes) > 1 else counts


# ---------------------------------------------------------------- exact law


@documented(LAW)
def balance_probability(n_features: int, n_true: int, n_groups: int, t: Real) -> float:
    """P(max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)), exactly; an empty group is unbalanced

    Relative accuracy 1e-10 at n ≤ 10⁴ and 1e-8 at n = 10⁶ or better, also where the value is
    tiny (below 1e-308 it is 0). Milliseconds at s = 5,000.

    Returns
    -------
    float
        The probability that a random split is balanced.

    Examples
    --------
    >>> from solvers import grouping
    >>> round(grouping.balance_probability(1000, 100, 8, t=0.5), 3)
    0.891
    """
    split = Split.checked(n_features, n_true, n_groups)
    return math.exp(log_ratio_cdf(split, [ratio_of(t)])[0])


@documented(LAW)
def balance_curve(
    n_features: int, n_true: int, n_groups_list: Iterable[int], t: Real
) -> np.ndarray:
    """P(max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)) for each m in a list, exactly

    Parameters
    ----------
    n_groups_list : iterable of ints
        The numbers of groups m.

    Returns
    -------
    array
        `balance_probability` of each m.

    Examples
    --------
    >>> from solvers import grouping
    >>> grouping.balance_curve(1000, 100, [2, 4, 8], t=0.5).round(3).tolist()
    [1.0, 0.999, 0.891]
    """
    ratio = ratio_of(t)
    splits = [Split.checked(n_features, n_true, m) for m in n_groups_list]
    return np.array([math.exp(log_ratio_cdf(split, [ratio])[0]) for split in splits])


@documented(LAW)
def ratio_cdf(n_features: int, n_true: int, n_groups: int, ratios: ArrayLike) -> np.ndarray:
    """P(max_j |Ω_j| / min_j |Ω_j| ≤ r) for each r, exactly; the ratio is ∞ if a group is empty

    At r = ∞ this is P(no group is empty). Windows that several r share are computed once.

    Parameters
    ----------
    ratios : array
        The ratios r; they may be infinite.

    Returns
    -------
    array
        A probability for each r, in the shape of `ratios`.

    Examples
    --------
    >>> from solvers import grouping
    >>> grouping.ratio_cdf(1000, 100, 8, [1.0, 3.0, float("inf")]).round(3).tolist()
    [0.0, 0.891, 1.0]
    """
    split = Split.checked(n_features, n_true, n_groups)
    values = np.asarray(ratios, dtype=object)
    exact = [exact_ratio(r) for r in values.ravel()]
    law = np.exp(log_ratio_cdf(split, exact))
    # Equal events reached through different windows differ by rounding; a law must not decrease.
    ascending = sorted(range(len(exact)), key=exact.__getitem__)
    law[ascending] = np.maximum.accumulate(law[ascending])
    return law.reshape(values.shape)


# ---------------------------------------------------------------- bounds


@documented(LAW)
def theorem_bound(n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − 3·exp(−0.08 t² s/m + log m) − exp(−0.001 t² s), as Theorem 5 is proved

    Not clipped: at or below 0 it says nothing. Its proof needs m | n.

    Returns
    -------
    float
        The bound, possibly negative.

    Examples
    --------
    >>> from solvers import grouping
    >>> round(grouping.theorem_bound(n_true=5000, n_groups=8, t=0.8), 3)
    0.959
    >>> grouping.theorem_bound(n_true=100, n_groups=8, t=0.5) < 0  # it says nothing there
    True
    """
    s, m = checked_counts(n_true, n_groups)
    t = float(exact_t(t))
    return 1 - 3 * math.exp(-0.08 * t * t * s / m + math.log(m)) - math.exp(-0.001 * t * t * s)


@documented(LAW)
def chernoff_bound(n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − m·exp(−t² s/(m(2 + 2t/3))) − m·exp(−t² s/(2m)), for m | n

    Hypergeometric tails are below binomial ones (Hoeffding 1963), so the Chernoff bounds hold for
    each count directly, without the theorem's detour over a Bernoulli model. Not clipped.

    Returns
    -------
    float
        The bound, possibly negative.

    Examples
    --------
    >>> from solvers import grouping
    >>> round(grouping.chernoff_bound(n_true=1000, n_groups=8, t=0.5), 4)
    1.0
    """
    s, m = checked_counts(n_true, n_groups)
    t = float(exact_t(t))
    upper = math.exp(-t * t * s / (m * (2 + 2 * t / 3)))
    lower = math.exp(-t * t * s / (2 * m))
    return 1 - m * upper - m * lower


@documented(LAW)
def union_bound(n_features: int, n_true: int, n_groups: int, t: Real) -> float:
    """P(balanced) ≥ 1 − Σ_j P(|Ω_j| < (1−t) s/m) − Σ_j P(|Ω_j| > (1+t) s/m), tails exact

    Valid for any n: counts within (1±t)·s/m have a ratio of at most R, whatever the group sizes.
    Not clipped: at or below 0 it says nothing.

    Returns
    -------
    float
        The bound, possibly negative.

    Examples
    --------
    >>> from solvers import grouping
    >>> bound = grouping.union_bound(1000, 100, 8, t=0.5)
    >>> 0 < bound < grouping.balance_probability(1000, 100, 8, t=0.5)
    True
    """
    split = Split.checked(n_features, n_true, n_groups)
    t = exact_t(t)
    if split.m == 1:
        return 1.0
    mean = Fraction(split.s, split.m)
    smallest, largest = math.ceil((1 - t) * mean), math.floor((1 + t) * mean)
    outside = 0.0
    for size, number in split.classes:
        k = np.arange(min(size, split.s) + 1)
        pmf = np.exp(log_hypergeometric(k, size, split.s, split.n))
        outside += number * float(pmf[(k < smallest) | (k > largest)].sum())
    return 1 - outside


# ---------------------------------------------------------------- choice of m


@documented(LAW)
def recommend_n_groups(
    n_features: int, n_true: int, t: Real = 0.5, probability: float = 0.95
) -> int:
    """max { m ≤ s : P(balanced with m groups) ≥ probability }, from the exact law

    P is not monotone in m (divisibility of s and n by m matters), so bisection would be wrong.
    All m are scanned downwards from s instead, and an m is skipped only when a proven upper bound
    is below the target. For every threshold x a balanced split has min ≥ x, or else
    min ≤ x−1 and hence max ≤ ⌊R(x−1)⌋; since multivariate hypergeometric counts are negatively
    associated (Joag-Dev and Proschan 1983), both events are at most as likely as for independent
    counts:

        P ≤ min_x  Π_j P(|Ω_j| ≥ x) + Π_j P(|Ω_j| ≤ ⌊R(x−1)⌋).

    The first m not skipped whose exact probability reaches the target is therefore the largest.
    m = 1 always does.

    Parameters
    ----------
    probability : float
        How likely the split should be balanced, strictly between 0 and 1.

    Returns
    -------
    int
        The largest such m.

    Examples
    --------
    >>> from solvers import grouping
    >>> grouping.recommend_n_groups(n_features=1000, n_true=100, t=0.5, probability=0.95)
    6
    """
    n, s = checked_features(n_features, n_true)
    if not 0 < probability < 1:
        raise ValueError(f"probability={probability} must lie strictly between 0 and 1, e.g. 0.95.")
    ratio = ratio_of(t)
    largest = s
    while largest > 1:
        mean = s / largest
        columns = int(mean + 8 * math.sqrt(mean)) + 10
        smallest = max(largest - max(_BLOCK // (2 * columns), 1), largest // 2, 1)
        candidates = np.arange(largest, smallest, -1)
        bound = _balance_upper_bound(n, s, candidates, ratio, columns)
        # The slack covers rounding in the bound; it can only let more m through to the exact law.
        for m in candidates[bound >= probability * (1 - 1e-6)].tolist():
            if math.exp(log_ratio_cdf(Split.checked(n, s, m), [ratio])[0]) >= probability:
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
        pmf = np.exp(log_hypergeometric(k, size[present], s, n))
        at_most = np.minimum(np.cumsum(pmf, axis=1), 1)
        at_least = np.concatenate([np.ones((len(pmf), 1)), 1 - at_most[:, :-1]], axis=1)
        log_at_least[present] += xlogy(number[present], at_least)
        log_at_most[present] += xlogy(number[present], at_most)
    at_least, at_most = np.exp(log_at_least), np.exp(log_at_most)
    at_least[k * m > s] = 0
    at_most[k * m < s] = 0

    thresholds = np.arange(1, columns)
    tops = np.array([floor_times(ratio, x - 1) for x in thresholds.tolist()])
    reach = np.where(
        tops < columns, at_most[:, np.minimum(tops, columns - 1).astype(np.int64)], 1.0
    )
    return (at_least[:, 1:] + reach).min(axis=1)
