"""Theorem 5 and the paper's use of it."""

from __future__ import annotations

import math
from itertools import pairwise

from lab.paper import bounds
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, Judgement


def theorem_5(theorem5: dict) -> Judgement:
    summary = theorem5["summary"]
    row, rows = summary["theorem"], summary["rows"]
    text = (
        f"{row['violations']} violations in {rows:,} settings (n, s, m, t); the bound is positive "
        f"in {row['positive']}"
    )
    if row["violations"]:
        return Judgement(FAILS, text)
    condition = theorem5["condition"]
    first = min(condition["constant"])
    exact = [
        p for p, c in zip(condition["exact"], condition["constant"], strict=True) if c == first
    ]
    return Judgement(
        CONDITION,
        text,
        "True, with s ≥ C t⁻² m log m and C above 12.5 by its own constants, and very loose: of "
        f"{row['likely']} settings that are balanced with probability 0.9 or more, it knows "
        f"{row['likely_and_known']}, the Chernoff bound {summary['chernoff']['likely_and_known']}, "
        f"the union bound {summary['union']['likely_and_known']}. Exactly, P ≥ "
        f"{math.floor(1e4 * min(exact)) / 1e4:g} already at C = {first:g}.",
    )


def converges(theorem5: dict) -> Judgement:
    """Does P rise with s at fixed m and t, and stay near 1 along the condition?"""
    n, rises = _by_s(theorem5)
    falling = [
        key for key, row in rises.items() if any(b < a - 1e-9 for a, b in pairwise(row.values()))
    ]
    condition = theorem5["condition"]
    least = min(condition["constant"])
    along = [
        p for c, p in zip(condition["constant"], condition["exact"], strict=True) if c == least
    ]
    widest = max(rises, key=lambda key: _last(rises[key]) - _first(rises[key]))
    m, t = widest
    text = (
        f"at n = {n:,} P falls with s for {len(falling)} of {len(rises)} pairs (m, t); for m = {m},"
        f" t = {t:g} it goes from {_first(rises[widest]):.2g} to within "
        f"{max(1.0 - _last(rises[widest]), _DIGITS):.0e} of 1. Along "
        f"s = {least:g} t⁻² m log m it is at least {math.floor(1e6 * min(along)) / 1e6:g}"
    )
    return Judgement(
        HOLDS if not falling and min(along) > 0.999 else FAILS,
        text,
        "With m fixed, or growing with s no faster than the condition allows.",
        f"{sum(map(len, rises.values()))} settings of (s, m, t) at the largest n, and {len(along)} "
        "along the condition, exact probabilities.",
        "A larger s with a smaller probability.",
        Evidence(
            f"P(balanced), m = {m}, t = {t:g}",
            tuple(Bar(f"s = {s:,}", p, own=True) for s, p in rises[widest].items()),
            1.0,
            "certain",
        ),
    )


_DIGITS = 1e-10  # to which results are kept: almost 1 is not told as 1


def _by_s(theorem5: dict) -> tuple[int, dict[tuple[int, float], dict[int, float]]]:
    """At the largest n of the grid: the probability by s for every m and t."""
    grid = theorem5["grid"]
    largest = max(grid["n"])
    found: dict[tuple[int, float], dict[int, float]] = {}
    for n, s, m, t, p in zip(*(grid[k] for k in ("n", "s", "m", "t", "exact")), strict=True):
        if n == largest:
            found.setdefault((m, t), {})[s] = p
    return largest, {key: dict(sorted(row.items())) for key, row in found.items()}


def _first(row: dict[int, float]) -> float:
    return next(iter(row.values()))


def _last(row: dict[int, float]) -> float:
    return list(row.values())[-1]


def independent_of_n(theorem5: dict) -> Judgement:
    (s, m, t), widest = bounds.widest_by_n(theorem5)
    few, many = min(widest), max(widest)
    text = (
        f"P goes from {widest[few]:.3f} at n = {few:,} to {widest[many]:.3f} at n = {many:,} "
        f"(s = {s}, m = {m}, t = {t:g})"
    )
    spread = max(widest.values()) - min(widest.values())
    if spread < 1e-3:
        return Judgement(HOLDS, text)
    return Judgement(
        CONDITION,
        text,
        "The bound does not contain n; the probability does while s is a sizeable share of n, and "
        "settles at the law of independent draws. Here fewer features make it more even.",
    )


def rule_of_thumb(theorem5: dict) -> Judgement:
    rows = theorem5["rule"]
    exact, loose = rows["exact 0.5"], rows["exact 0.8"]
    text = (
        f"at m = s/log s the exact P(t = ½) is {max(exact):.1g} at best and {min(exact):.0e} at "
        f"worst for s = {min(rows['s'])} to {max(rows['s']):,}; at t = 0.8 it is "
        f"{min(loose):.2f} to {max(loose):.2f}"
    )
    if min(exact) >= 0.9:
        return Judgement(HOLDS, text)
    best = rows["best m 0.5"]
    # m = 1 always meets the condition, and is no exclusive sparsity: then no constant is of use.
    if min(best) < 2:
        return Judgement(FAILS, text, "At some s only m = 1 has P ≥ 0.9 at t = ½.")
    half, fifth = (_constants(rows, t) for t in ("0.5", "0.2"))
    # Rounded down, so that it does not exceed what was found.
    constant = math.floor(100 * min(half)) / 100
    return Judgement(
        CONDITION,
        text,
        f"Not with the constant 1 of Section 5.2, but a constant of {constant:.2f}, m rounded "
        f"down, fits all {len(best)} values of s: the largest m with P ≥ 0.9 at t = ½ is "
        f"{min(half):.2f} to {max(half):.2f} times s/log s (m = {best[0]} for s = "
        f"{rows['s'][0]}, {best[-1]} for s = {rows['s'][-1]:,}). At t = 0.2 it is {min(fifth):.2f} "
        f"to {max(fifth):.2f} times.",
    )


def _constants(rows: dict, t: str) -> list[float]:
    """The largest m with P ≥ 0.9, as a multiple of s/log s, for each s."""
    return [m * math.log(s) / s for m, s in zip(rows[f"best m {t}"], rows["s"], strict=True)]


def one_group(theory: dict) -> Judgement:
    row = theory["one_group"]
    text = f"‖w‖_e = ‖w‖₁ to {row['worst_error']:.0e}"
    return Judgement(HOLDS if row["worst_error"] < 1e-12 else FAILS, text)


def constants(theory: dict) -> Judgement:
    rows = theory["constants"]
    text = ", ".join(f"{r['available']:.3g} for {r['used']:g}" for r in rows.values())
    enough = all(row["available"] >= row["used"] for row in rows.values())
    return Judgement(
        CONDITION if enough else FAILS,
        f"available by Bernstein's inequality, over all t: {text}",
        "The constants are valid once the proof's p is s/n·(1 − ε) and 1 + ¾ε reads 1 + 4ε/3; "
        "the group sizes must be equal.",
    )
