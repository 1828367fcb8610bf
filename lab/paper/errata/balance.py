"""Theorem 5: its proof, its constants and its use."""

from __future__ import annotations

import math

from lab.paper.errata.demonstration import Demonstration, yes
from solvers import (
    grouping,
)

# n, s, m = s/log s and t: one of the paper's own settings of Section 5.2.
SPLIT = (5040, 504, 81, 0.5)


def proof_probability() -> Demonstration:
    n, s, m, t = SPLIT
    eps = 0.1 * t
    printed, right = s / m * (1 - eps), s / n * (1 - eps)
    return Demonstration(
        f"For n = {n:,}, s = {s}, m = {m} the printed p = {printed:.2f} is no probability; "
        f"p = s/n·(1 − ε) = {right:.3f} is, and the proof goes through with it.",
        {
            "": ["as printed", "corrected"],
            "p": ["s/m·(1 − ε)", "s/n·(1 − ε)"],
            "value": [f"{printed:.3f}", f"{right:.3f}"],
            "a probability": [yes(0 <= p <= 1) for p in (printed, right)],
        },
        printed > 1.0 > right,
    )


def available_constants(t: float) -> tuple[float, float, float]:
    """The constants that Bernstein's inequality gives in Theorem 5's proof at ε = t/10.

    In units of t²s/m (both tails of a group) and of t²s (the total), for which the paper has 0.08,
    0.2 and 0.001.
    """
    eps = 0.1 * t
    gap = t - eps
    upper = gap**2 / (2 * (1 + eps) + 2 * gap / 3) / t**2
    lower = gap**2 / (2 * (1 - eps) + 2 * gap / 3) / t**2
    total = eps**2 / (2 * (1 + 4 * eps / 3)) / t**2
    return upper, lower, total


def proof_constants() -> Demonstration:
    ts = (0.01, 0.5, 0.99)
    rows = {"t": [f"{t:g}" for t in ts]}
    names = ("upper tail (paper 0.08)", "lower tail (paper 0.2)", "total (paper 0.001)")
    columns = list(zip(*(available_constants(t) for t in ts), strict=True))
    for name, values in zip(names, columns, strict=True):
        rows[name] = [f"{value:.4f}" for value in values]
    least = [min(values) for values in columns]
    eps = 0.05
    printed, right = 2 * (1 + 0.75 * eps), 2 * (1 + 4 * eps / 3)
    return Demonstration(
        f"Bernstein's inequality gives 1 + 4ε/3 where 1 + ¾ε is printed ({right:.3f} against "
        f"{printed:.3f} in the denominator at t = ½); the theorem survives, because at least "
        f"{least[0]:.3f}, {least[1]:.3f} and {least[2]:.4f} are available for the 0.08, 0.2 and "
        "0.001 that it uses.",
        rows,
        least[0] >= 0.08 and least[1] >= 0.2 and least[2] >= 0.001 and right > printed,
    )


def condition_constant() -> Demonstration:
    m, t = 20, 0.5
    rows = {"C in s = C t⁻² m log m": [], "s": [], "theorem's bound": [], "exact P": []}
    bounds, exact = [], []
    for constant in (1.0, 5.0, 12.5, 20.0, 40.0):
        s = math.ceil(constant * m * math.log(m) / t**2)
        n = m * math.ceil(10 * s / m)
        bounds.append(grouping.theorem_bound(s, m, t))
        rows["C in s = C t⁻² m log m"].append(f"{constant:g}")
        rows["s"].append(f"{s:,}")
        rows["theorem's bound"].append(f"{bounds[-1]:.3f}" if bounds[-1] > 0 else "vacuous")
        exact.append(grouping.balance_probability(n, s, m, t))
        rows["exact P"].append(f"{exact[-1]:.4f}")
    return Demonstration(
        f"s ≥ O(·) hides the constant: with m = {m}, t = ½ the bound says nothing up to C = 12.5, "
        f"although the exact probability is {exact[1]:.4f} already at C = 5.",
        rows,
        bounds[0] <= 0 and bounds[2] <= 0 < bounds[-1],
    )


def rule_of_thumb() -> Demonstration:
    n, middle, _, t = SPLIT
    rows = {
        "s": [],
        "m = s/log s": [],
        "exact P at t = ½": [],
        "at t = 0.8": [],
        "most m, P ≥ 0.9": [],
    }
    values = []
    for s in (112, middle, 1008):
        m = round(s / math.log(s))
        values.append(grouping.balance_probability(n, s, m, t))
        rows["s"].append(f"{s:,}")
        rows["m = s/log s"].append(str(m))
        rows["exact P at t = ½"].append(f"{values[-1]:.2g}")
        rows["at t = 0.8"].append(f"{grouping.balance_probability(n, s, m, 0.8):.2g}")
        rows["most m, P ≥ 0.9"].append(str(grouping.recommend_n_groups(n, s, t, probability=0.9)))
    return Demonstration(
        f"With m = s/log s the grouping of s = 112 true features is balanced (t = ½) with "
        f"probability {values[0]:.2g}, of s = 1,008 with {values[-1]:.0e}.",
        rows,
        max(values) < 0.5,
    )
