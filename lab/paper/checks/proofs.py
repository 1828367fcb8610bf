"""The steps of the proofs, one by one, on random points and exact distributions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.stats import binom, hypergeom

from lab.cones import projections as cones
from lab.paper.checks.formulations import short
from lab.paper.errata.balance import bernstein_bound
from solvers import Groups, grouping

SEED = 0


def lemma_1_steps(points: int) -> dict:
    """max over t of t‖w‖₁ − t²/2β: its maximiser, and what a negative t would give."""
    rng = np.random.default_rng(SEED)
    worst, negative = 0.0, 0
    for _ in range(points):
        length, beta = float(np.abs(rng.standard_normal(5)).sum()), float(np.exp(rng.normal()))
        t = np.linspace(-3.0 * beta * length, 3.0 * beta * length, 2001)
        values = t * length - t * t / (2.0 * beta)
        best = beta * length
        worst = max(worst, abs(best * length - best**2 / (2 * beta) - beta / 2 * length**2))
        negative += bool(t[int(np.argmax(values))] < 0.0)
    return {"points": points, "worst_error": short(worst), "negative_maximisers": negative}


def lemma_2_steps(points: int) -> dict:
    """Boundary, signs, order and watershed of the projection onto the ℓ1 cone, b anywhere."""
    rng = np.random.default_rng(SEED)
    trivial_wrong = off_boundary = signs = unordered = without_j = inside = 0
    for _ in range(points):
        a = rng.standard_normal(int(rng.integers(1, 9)))
        b, zeta = float(rng.standard_normal()) * a.size, float(np.exp(rng.normal()))
        p = cones.project("ℓ1", a, b, zeta)
        if np.abs(a).sum() <= b:
            inside += 1
            trivial_wrong += not (np.array_equal(p.x, a) and p.y == b)
            continue
        off_boundary += abs(np.abs(p.x).sum() - p.y) > 1e-9
        signs += bool(np.any(p.x * a < 0.0))
        order = np.argsort(-np.abs(a))
        unordered += bool(np.any(np.diff(np.abs(p.x)[order]) > 1e-15))
        without_j += not p.x.any()
    return {
        "points": points,
        "inside": inside,
        "trivial_wrong": trivial_wrong,
        "off_boundary": int(off_boundary),
        "signs": signs,
        "unordered": unordered,
        "origin": without_j,
    }


def lemma_3_steps(points: int) -> dict:
    """The condition in y, its test at 0 and the ranges, against certified projections."""
    rng = np.random.default_rng(SEED)
    wrong_zero = wrong_x = wrong_range = 0
    worst = 0.0
    for _ in range(points):
        a = rng.standard_normal(int(rng.integers(1, 9)))
        b, zeta = float(rng.standard_normal()) * a.size, float(np.exp(rng.normal()))
        p = cones.project("ℓ∞", a, b, zeta)
        at_zero = -zeta * b - np.abs(a).sum() >= 0.0
        wrong_zero += bool(at_zero != (p.y <= 1e-12))
        wrong_x += bool(np.abs(p.x - np.sign(a) * np.minimum(np.abs(a), p.y)).max() > 1e-9)
        if p.y > 1e-12:
            worst = max(worst, abs(zeta * (p.y - b) + np.minimum(p.y - np.abs(a), 0.0).sum()))
            wrong_range += not _found_in_ranges(np.sort(np.abs(a)), b, zeta, p.y)
    return {
        "points": points,
        "wrong_zero": wrong_zero,
        "wrong_x": wrong_x,
        "wrong_range": wrong_range,
        "worst_residual": short(worst),
    }


def _found_in_ranges(magnitudes, b, zeta, y) -> bool:
    """Whether the proof's enumeration (0, a⁽¹⁾], (a⁽¹⁾, a⁽²⁾], …, (a⁽ᵈ⁾, ∞) comes upon y."""
    d, slack = magnitudes.size, 1e-9
    candidates = [b if b > magnitudes[-1] - slack else math.nan]
    edges = np.concatenate([[0.0], magnitudes])
    for k in range(d):
        value = (zeta * b + magnitudes[k:].sum()) / (zeta + d - k)
        if edges[k] - slack < value <= edges[k + 1] + slack:
            candidates.append(value)
    return any(abs(value - y) <= 1e-9 * max(1.0, y) for value in candidates)


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


def final_union(draws: int) -> dict:
    """max/min ≥ (1+t)/(1−t) needs min ≤ s/m·(1−t) or max ≥ s/m·(1+t): exceptions among draws."""
    exceptions = tried = 0
    for seed, (n, s, m, t) in enumerate(
        ((100, 20, 5, 0.5), (1000, 200, 10, 0.3), (5040, 504, 20, 0.2), (120, 60, 6, 0.7))
    ):
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
