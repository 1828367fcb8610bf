"""Theorem 5: how likely is a balanced random grouping, exactly, and what do the bounds say?

    python -m benchmarks.theorem5            the whole grid (about a minute)
    python -m benchmarks.theorem5 --quick    a part of it

Writes benchmarks/results/theorem5.json (or theorem5-quick.json): the exact probability of
max/min ≤ (1+t)/(1−t) over a grid of (n, s, m, t) beside the theorem's bound, the sharper Chernoff
bound and the union bound; where the theorem begins to say something; what the paper's choice
m = s/log s achieves; and how little n matters.
"""

from __future__ import annotations

import argparse
import math
import time

from benchmarks import common
from lab.data.paper_numbers import FIG2D_MS, N_FEATURES
from solvers import grouping

FEATURES = (1008, 5040, 20160, 100_800)
TRUE = (56, 112, 315, 504, 1008, 2520, 5040, 10_080)
GROUPS = (2, 4, 7, 8, 14, 16, 24, 28, 42, 56, 84, 112)
T = ("1/5", "1/2", "4/5")
# Where the theorem's own constants start to bite, s = C t⁻² m log m with C = 1/0.08 and beyond.
CONSTANTS = (12.5, 15.0, 20.0, 40.0)
ROUNDING = 1e-9


def _t(text: str) -> float:
    numerator, _, denominator = text.partition("/")
    return int(numerator) / int(denominator)


def grid_rows(features, trues, groups) -> list[dict]:
    """Every (n, s, m, t) with m | n, s ≤ n and at least one true feature a group."""
    rows = []
    for n in features:
        for s in (s for s in trues if s <= n):
            for m in (m for m in groups if m <= s and n % m == 0):
                rows += [row_of(n, s, m, text) for text in T]
    return rows


def row_of(n: int, s: int, m: int, text: str) -> dict:
    t = _t(text)
    return {
        "n": n,
        "s": s,
        "m": m,
        "t": t,
        "exact": grouping.balance_probability(n, s, m, t),
        "theorem": grouping.theorem_bound(s, m, t),
        "chernoff": grouping.chernoff_bound(s, m, t),
        "union": grouping.union_bound(n, s, m, t),
    }


def summary(rows) -> dict:
    """How often each bound is violated (never, if it is true), says anything, and how loosely."""
    out = {"rows": len(rows)}
    for name in ("theorem", "chernoff", "union"):
        above = [row for row in rows if row[name] > row["exact"] + ROUNDING]
        useful = [row for row in rows if row[name] > 0.0]
        # A split that is balanced nine times in ten: does the bound know?
        likely = [row for row in rows if row["exact"] >= 0.9]
        knows = [row for row in likely if row[name] >= 0.9]
        out[name] = {
            "violations": len(above),
            "positive": len(useful),
            "worst_shortfall_where_positive": max(
                (row["exact"] - row[name] for row in useful), default=None
            ),
            "likely": len(likely),
            "likely_and_known": len(knows),
        }
    return out


def onset_rows(groups) -> list[dict]:
    """The least s at which each closed bound is positive and reaches 0.9, and the exact P there."""
    rows = []
    for m in groups:
        for text in T:
            t = _t(text)
            row = {"m": m, "t": t, "t_m_log_m": m * math.log(m) / t**2}
            for name, bound in (
                ("theorem", grouping.theorem_bound),
                ("chernoff", grouping.chernoff_bound),
            ):
                for level, label in ((0.0, "positive"), (0.9, "0.9")):
                    row[f"{name} {label}"] = _least(
                        lambda s, b=bound, m=m, t=t: b(s, m, t), m, level
                    )
            rows.append(row)
    return rows


def _least(bound, first, level) -> int:
    """The least s ≥ first with bound(s) > level; both closed bounds grow with s."""
    low, high = first - 1, first
    while bound(high) <= level:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if bound(middle) > level:
            high = middle
        else:
            low = middle
    return high


def condition_rows(groups) -> list[dict]:
    """P at s = C t⁻² m log m, the theorem's condition, for growing C: does it tend to 1?"""
    rows = []
    for m in groups:
        for text in T:
            t = _t(text)
            for constant in CONSTANTS:
                s = math.ceil(constant * m * math.log(m) / t**2)
                n = m * math.ceil(10 * s / m)
                rows.append({"constant": constant, **row_of(n, s, m, text)})
    return rows


def rule_rows(trues) -> list[dict]:
    """The paper's m = s/log s, and the most groups that are balanced with probability 0.9."""
    rows = []
    for s in trues:
        m = round(s / math.log(s))
        row = {"n": N_FEATURES, "s": s, "m": m}
        for text in T:
            t = _t(text)
            row[f"exact {t:g}"] = grouping.balance_probability(N_FEATURES, s, m, t)
            row[f"theorem {t:g}"] = grouping.theorem_bound(s, m, t)
            row[f"best m {t:g}"] = grouping.recommend_n_groups(N_FEATURES, s, t, probability=0.9)
        rows.append(row)
    return rows


def independence_rows(quick: bool) -> list[dict]:
    """The same s, m and t with ever more features: P settles at the limit of independent draws."""
    sizes = (1008, 5040, 100_800) if quick else (560, 1008, 2520, 5040, 20_160, 100_800, 1_008_000)
    cases = ((504, 8, 0.5), (504, 28, 0.8), (112, 8, 0.5))
    return [
        {
            "n": n,
            "s": s,
            "m": m,
            "t": t,
            "exact": grouping.balance_probability(n, s, m, t),
        }
        for s, m, t in cases
        for n in sizes
    ]


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a part of the grid, in seconds")
    quick = parser.parse_args(arguments).quick
    started = time.perf_counter()
    features, trues = (FEATURES[:2], TRUE[:4]) if quick else (FEATURES, TRUE)
    rows = grid_rows(features, trues, GROUPS)
    results = {
        "quick": quick,
        "seed": None,  # nothing is drawn
        "summary": summary(rows),
        "grid": _columns(rows),
        "onset": _columns(onset_rows((4, 8, 20) if quick else (4, 8, 20, 56, 112))),
        "condition": _columns(condition_rows((4, 8) if quick else (4, 8, 20, 56))),
        "rule": _columns(rule_rows(FIG2D_MS[:3] if quick else FIG2D_MS)),
        "independence": _columns(independence_rows(quick)),
    }
    results["elapsed_seconds"] = round(time.perf_counter() - started, 1)
    path = common.write("theorem5-quick" if quick else "theorem5", results, compact=True)
    for name, row in results["summary"].items():
        print(f"{name}: {row}")
    print(f"wrote {path.name} ({results['elapsed_seconds']} s)")


def _columns(rows: list[dict]) -> dict[str, list]:
    """Rows as columns of ten digits, the smallest text that keeps what the law guarantees."""
    return {name: [_short(row[name]) for row in rows] for name in rows[0]}


def _short(value):
    return float(f"{value:.10g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
