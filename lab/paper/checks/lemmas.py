"""The proofs of Lemmas 1 to 3, step by step, each against something that does not use the step.

A step is a count of random points at which it fails, under a name that a reader of the proof knows.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
from scipy.optimize import minimize_scalar, nnls

from lab.cones import projections as cones
from lab.paper.checks.formulations import random_groups, short
from solvers import exclusive_norm

SEED = 0
_ALLOWED = 1e-9
_LEAST = 1e-6  # how close a search in one variable comes to the place of its optimum


def corners(d: int) -> np.ndarray:
    """The 2^d sign vectors: a linear function over a box has its maximum at one of them."""
    return np.array(list(product((-1.0, 1.0), repeat=d)))


def lemma_1_steps(points: int) -> dict:
    """max over v of ⟨w, v⟩ − ‖v‖∞²/2β, first over ‖v‖∞ ≤ t and then over t, group by group."""
    rng = np.random.default_rng(SEED)
    wrong: Counter[str] = Counter()
    worst = 0.0
    for _ in range(points):
        groups, w, beta = random_groups(rng, 8), rng.standard_normal(8), float(np.exp(rng.normal()))
        total = 0.0
        for members in groups.lists():
            own, t = w[members], float(np.exp(rng.normal()))
            length = float(np.abs(own).sum())
            # ℓ1 and ℓ∞ are dual to each other: over the corners of either ball of radius t.
            box = float(np.max(corners(own.size) @ own))
            diamond = float(np.max(np.r_[own, -own]))
            wrong["ℓ∞ dual to ℓ1"] += _differ(t * box, t * length)
            wrong["ℓ1 dual to ℓ∞"] += _differ(t * diamond, t * float(np.abs(own).max()))
            # Over t, by a search that knows only the value of the inner maximum.
            reach = 3.0 * beta * length
            found = minimize_scalar(
                lambda t, box=box, beta=beta: t * t / (2.0 * beta) - t * box,
                bounds=(-reach, reach),
                method="bounded",
                options={"xatol": 1e-9 * reach},
            )
            total -= found.fun
            wrong["the maximum over t"] += abs(found.x - beta * length) > _LEAST * reach
            wrong["t ≥ 0 there"] += found.x < 0.0
            v = beta * rng.standard_normal(own.size)
            one_v = float(own @ v) - float(np.abs(v).max()) ** 2 / (2.0 * beta)
            wrong["no v above it"] += one_v > -found.fun + _ALLOWED
        whole = beta / 2.0 * exclusive_norm(w, groups) ** 2
        worst = max(worst, abs(total / whole - 1.0))
    names = ("ℓ∞ dual to ℓ1", "ℓ1 dual to ℓ∞", "the maximum over t", "t ≥ 0 there", "no v above it")
    return _row(points, names, wrong, worst)


def lemma_2_steps(points: int) -> dict:
    """From the reduced problems to the search for j, b anywhere, a of any signs."""
    rng = np.random.default_rng(SEED)
    wrong: Counter[str] = Counter()
    worst, inside, origin = 0.0, 0, 0
    for _ in range(points):
        a = rng.standard_normal(int(rng.integers(1, 7)))
        b, zeta = float(rng.standard_normal()) * a.size, float(np.exp(rng.normal()))
        p = cones.project("ℓ1", a, b, zeta)
        if np.abs(a).sum() <= b:
            inside += 1
            wrong["the trivial case"] += not (np.array_equal(p.x, a) and p.y == b)
            continue
        origin += not p.x.any()
        wrong["on the boundary"] += _differ(float(np.abs(p.x).sum()), p.y)
        wrong["signs of a"] += bool(np.any(p.x * a < 0.0))
        order = np.argsort(-np.abs(a))
        sorted_a, x = np.abs(a)[order], np.abs(p.x)[order]
        wrong["the order of a"] += bool(np.any(np.diff(x) > 1e-15))
        worst = max(worst, _reduced(sorted_a, b, zeta, x, p.y, wrong, rng))
        _search_for_j(sorted_a, b, zeta, x, wrong)
    return {**_row(points, _LEMMA_2, wrong, worst), "inside": inside, "origin": origin}


_LEMMA_2 = (
    "the trivial case",
    "on the boundary",
    "signs of a",
    "the problem with 1ᵀx = y",
    "the problem in x alone",
    "KKT",
    "KKT nowhere else",
    "swapping",
    "the order of a",
    "1ᵀx and δ_j",
    "(15) as (16)",
    "x from j",
)


def _reduced(a, b, zeta, x, y, wrong: Counter, rng) -> float:
    """Both reduced problems against the projection, and KKT; the largest residual of the latter."""
    supports = corners(a.size) > 0.0
    count, sums = supports.sum(axis=1), supports @ a
    # On a support the problem with 1ᵀx = y has a closed solution; the best feasible one is it.
    shift = (sums - b) / (count + 1.0 / zeta)
    xs = np.where(supports, a - shift[:, None], 0.0)
    ys = xs.sum(axis=1)
    values = 0.5 * ((xs - a) ** 2).sum(axis=1) + 0.5 * zeta * (ys - b) ** 2
    feasible = np.all(xs >= 0.0, axis=1)
    best = int(np.argmin(np.where(feasible, values, np.inf)))
    wrong["the problem with 1ᵀx = y"] += _differ(xs[best], x) or _differ(ys[best], y)
    stacked = np.vstack([np.eye(a.size), np.full((1, a.size), math.sqrt(zeta))])
    alone, _ = nnls(stacked, np.r_[a, math.sqrt(zeta) * b])
    wrong["the problem in x alone"] += _differ(alone, x)
    residuals = np.abs(np.minimum(xs, xs - a + zeta * (ys[:, None] - b))).max(axis=1)
    solves = feasible & (residuals <= _ALLOWED)
    wrong["KKT nowhere else"] += any(_differ(each, x) for each in xs[solves])
    swapped, value = rng.permutation(x), lambda z: float(((z - a) ** 2).sum())
    wrong["swapping"] += value(np.sort(swapped)[::-1]) > value(swapped) + _ALLOWED
    residual = float(np.abs(np.minimum(x, x - a + zeta * (x.sum() - b))).max())
    wrong["KKT"] += residual > _ALLOWED
    return residual


def _search_for_j(a, b, zeta, x, wrong: Counter) -> None:
    """1ᵀx by the first j, the condition for every i against that for j alone, and x from j."""
    j = int(np.count_nonzero(x))
    first = float(a[:j].sum())
    wrong["1ᵀx and δ_j"] += _differ(float(x.sum()), (first + j * zeta * b) / (1.0 + j * zeta))
    wrong["1ᵀx and δ_j"] += _differ(zeta * (float(x.sum()) - b), (first - b) / (1.0 / zeta + j))
    after = np.r_[a, 0.0]
    for j in range(1, a.size + 1):
        delta = (float(a[:j].sum()) - b) / (1.0 / zeta + j)
        every = bool(np.all(a[:j] >= delta) and np.all(a[j:] <= delta))
        alone = bool(a[j - 1] >= delta and after[j] <= delta)
        wrong["(15) as (16)"] += every != alone
        wrong["x from j"] += alone and _differ(np.maximum(0.0, a - delta), x)


def lemma_3_steps(points: int) -> dict:
    """x for a given y, the problem in y, its condition, the test of 0 and the ranges."""
    rng = np.random.default_rng(SEED)
    wrong: Counter[str] = Counter()
    worst = 0.0
    for _ in range(points):
        a = rng.standard_normal(int(rng.integers(1, 9)))
        b, zeta = float(rng.standard_normal()) * a.size, float(np.exp(rng.normal()))
        p = cones.project("ℓ∞", a, b, zeta)
        magnitudes = np.abs(a)
        y = float(rng.uniform(0.0, 1.5 * magnitudes.max()))
        x, z = np.sign(a) * np.minimum(magnitudes, y), rng.uniform(-y, y, a.size)
        wrong["x for a given y"] += bool(np.any((a - x) * (z - x) > 1e-12))
        whole = 0.5 * float(((x - a) ** 2).sum()) + 0.5 * zeta * (y - b) ** 2
        wrong["the problem in y"] += _differ(_in_y(y, magnitudes, b, zeta), whole)
        top = max(float(magnitudes.max()), b) + 1.0
        found = minimize_scalar(
            _in_y,
            bounds=(0.0, top),
            method="bounded",
            args=(magnitudes, b, zeta),
            options={"xatol": 1e-9 * top},
        )
        wrong["its minimum is y"] += abs(found.x - p.y) > _LEAST * top
        slope = zeta * (p.y - b) + float(np.minimum(p.y - magnitudes, 0.0).sum())
        residual = abs(min(p.y, slope))
        worst = max(worst, residual)
        wrong["the condition in y"] += residual > _ALLOWED * max(1.0, top)
        at_zero = -zeta * b - float(magnitudes.sum()) >= 0.0
        wrong["the test of y = 0"] += at_zero != (p.y <= 1e-12)
        wrong["x from y"] += _differ(np.sign(a) * np.minimum(magnitudes, p.y), p.x)
        if p.y > 1e-12:
            wrong["the ranges of y"] += not _found_in_ranges(np.sort(magnitudes), b, zeta, p.y)
    return _row(points, _LEMMA_3, wrong, worst)


_LEMMA_3 = (
    "x for a given y",
    "the problem in y",
    "its minimum is y",
    "the condition in y",
    "the test of y = 0",
    "the ranges of y",
    "x from y",
)


def _in_y(y: float, magnitudes, b: float, zeta: float) -> float:
    """The objective of Lemma 3 with x replaced by the best one for y."""
    return 0.5 * zeta * (y - b) ** 2 + 0.5 * float((np.minimum(y - magnitudes, 0.0) ** 2).sum())


def _found_in_ranges(magnitudes, b, zeta, y) -> bool:
    """Whether the proof's enumeration (0, a⁽¹⁾], (a⁽¹⁾, a⁽²⁾], …, (a⁽ᵈ⁾, ∞) comes upon y alone."""
    d, slack = magnitudes.size, 1e-9
    candidates = [b] if b > magnitudes[-1] - slack else []
    edges = np.concatenate([[0.0], magnitudes])
    for k in range(d):
        value = (zeta * b + magnitudes[k:].sum()) / (zeta + d - k)
        if edges[k] - slack < value <= edges[k + 1] + slack:
            candidates.append(value)
    return bool(candidates) and all(abs(v - y) <= 1e-8 * max(1.0, y) for v in candidates)


def _differ(one, other) -> bool:
    """Apart from rounding."""
    size = max(1.0, float(np.max(np.abs(other))))
    return bool(np.max(np.abs(np.subtract(one, other))) > _ALLOWED * size)


def _row(points: int, names, wrong: Counter, worst: float) -> dict:
    """`worst_residual` is the largest error of what the proof ends with or rests on."""
    exceptions = {name: int(wrong[name]) for name in names}
    return {"points": points, "exceptions": exceptions, "worst_residual": short(worst)}
