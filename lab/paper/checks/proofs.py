"""The steps of Theorem 5's proof, one by one, by exact distributions and random groupings."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.stats import binom, hypergeom

from lab.paper.bounds import bernstein_bound
from lab.paper.checks.formulations import short
from solvers import Groups, grouping

SEED = 0


def conditioning() -> dict:
    """P_Ber(max < c | |Ω| = k) against P_Unif(k)(max < c), both exact, on two groups."""
    worst = 0.0
    for size in (3, 5, 8):
        for p in (0.1, 0.3, 0.7):
            for k in range(2 * size + 1):
                for c in range(1, size + 2):
                    bernoulli = sum(
                        binom.pmf(i, size, p) * binom.pmf(k - i, size, p)
                        for i in range(k + 1)
                        if max(i, k - i) < c
                    ) / binom.pmf(k, 2 * size, p)
                    uniform = sum(
                        hypergeom.pmf(i, 2 * size, k, size)
                        for i in range(k + 1)
                        if max(i, k - i) < c
                    )
                    worst = max(worst, abs(bernoulli - uniform))
    return {"worst_difference": short(worst)}


def monotone_in_s() -> dict:
    """P_Unif(s)(max < c) falls and P_Unif(s)(min ≤ c) falls with s: exceptions, exactly."""
    tried = rising_max = rising_min = 0
    for size, m in ((6, 2), (6, 3), (10, 2), (8, 4)):
        n = size * m
        for c in range(1, size + 1):
            below = [_all_between(size, m, s, 0, c - 1) for s in range(n + 1)]
            least = [1.0 - _all_between(size, m, s, c, size) for s in range(n + 1)]
            tried += 2 * n
            rising_max += sum(b > a + 1e-12 for a, b in pairwise(below))
            rising_min += sum(b > a + 1e-12 for a, b in pairwise(least))
    return {"tried": tried, "rising_max": rising_max, "rising_min": rising_min}


def _all_between(size: int, m: int, s: int, low: int, high: int) -> float:
    """P(low ≤ |Ω_j| ≤ high for all j) of s true features in m groups of one size, by counting."""
    one = [math.comb(size, k) if low <= k <= high else 0 for k in range(size + 1)]
    ways = [1]
    for _ in range(m):
        ways = [
            sum(ways[i] * one[k - i] for i in range(len(ways)) if 0 <= k - i <= size)
            for k in range(len(ways) + size)
        ]
    return ways[s] / math.comb(size * m, s)


def bernstein() -> dict:
    """Both tails as printed, with c the bound from above: where the exact law exceeds the bound."""
    rows = {"upper": _exceeded(1, "printed"), "lower": _exceeded(-1, "printed")}
    rows["lower with c = 1"] = _exceeded(-1, "one")
    return rows


def _exceeded(side: int, which: str) -> dict:
    """How often the exact tail lies above the bound, and the plainest example of it."""
    tried = exceeded = 0
    example = None
    for k in (1, 2, 5, 10, 50, 200):
        for p in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
            for count in range(k + 1):
                delta = side * (count - k * p)
                if delta <= 0.0:
                    continue
                exact = binom.sf(count - 1, k, p) if side > 0 else binom.cdf(count, k, p)
                bound = bernstein_bound(k, p, delta, 1.0 - p if which == "printed" else 1.0)
                tried += 1
                if exact > bound * (1 + 1e-9):
                    exceeded += 1
                    row = dict(k=k, p=p, delta=delta, exact=float(exact), bound=bound)
                    example = example or {name: short(value) for name, value in row.items()}
    return {"tried": tried, "exceeded": exceeded, "example": example}


def half() -> dict:
    """P(|Ω| ≤ s) for |Ω| ~ Bin(n, s/n·(1 − ε)): its least value."""
    least, tried = 1.0, 0
    for n in (10, 100, 1000, 5040):
        for share in (0.01, 0.1, 0.3, 0.5, 0.9, 1.0):
            s = max(1, round(share * n))
            for t in (0.01, 0.1, 0.5, 0.99):
                least = min(least, float(binom.cdf(s, n, s / n * (1 - 0.1 * t))))
                tried += 1
    return {"tried": tried, "least": short(least)}


# (n, s, m, t)
UNION_SETTINGS = ((100, 20, 5, 0.5), (1000, 200, 10, 0.3), (5040, 504, 20, 0.2), (120, 60, 6, 0.7))


def final_union(draws: int) -> dict:
    """max/min ≥ (1+t)/(1−t) needs min ≤ s/m·(1−t) or max ≥ s/m·(1+t): exceptions among draws."""
    exceptions = tried = 0
    for seed, (n, s, m, t) in enumerate(UNION_SETTINGS):
        counts = grouping.simulate_balance(n, s, m, draws, random_state=seed)
        most, least = counts.max(axis=1), counts.min(axis=1)
        ratio = most * (1.0 - t) >= least * (1.0 + t)
        either = (least <= s / m * (1.0 - t)) | (most >= s / m * (1.0 + t))
        exceptions += int(np.count_nonzero(ratio & ~either))
        tried += draws
    return {"tried": tried, "exceptions": exceptions}


def group_sizes(draws: int) -> dict:
    rng = np.random.default_rng(SEED)
    widest = 0
    for _ in range(draws):
        n = int(rng.integers(2, 200))
        sizes = Groups.random(n, int(rng.integers(1, n + 1)), rng).sizes
        widest = max(widest, int(sizes.max() - sizes.min()))
    return {"draws": draws, "largest_difference": widest}
