"""The code of the random grouping page."""

from __future__ import annotations


def snippet(
    n: int, s: int, m: int, t: float, *, trials: int, seed: int, c: float, target: float
) -> str:
    """A script that prints what the page says for these settings."""
    return f"""\
import math
from fractions import Fraction

import numpy as np
from scipy.special import betaincinv

from solvers import grouping

n, s, m, t = {n!r}, {s!r}, {m!r}, {t!r}

# the exact law: P(max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)), an empty group being unbalanced
print(f"exact: {{grouping.balance_probability(n, s, m, t):.10g}}")

# lower bounds; at or below 0 they say nothing
for name, bound in (
    ("union bound", grouping.union_bound(n, s, m, t)),
    ("closed bound", grouping.chernoff_bound(s, m, t)),
    ("theorem bound", grouping.theorem_bound(s, m, t)),
):
    print(f"{{name}}: {{'vacuous' if bound <= 0 else format(bound, '.10g')}}")

# simulation, with the exact (Clopper–Pearson) 95 % confidence interval
counts = grouping.simulate_balance(n, s, m, {trials!r}, np.random.default_rng([{seed!r}, m]))
low, high = counts.min(axis=1), counts.max(axis=1)
ratio = (1 + Fraction(str(t))) / (1 - Fraction(str(t)))
hits = int(((low > 0) & (high * ratio.denominator <= low * ratio.numerator)).sum())
least = betaincinv(hits, {trials!r} - hits + 1, 0.025) if hits else 0.0
most = betaincinv(hits + 1, {trials!r} - hits, 0.975) if hits < {trials!r} else 1.0
print(f"simulated: {{hits}} of {trials!r}, {{least:.10g}} to {{most:.10g}}")

# the largest number of groups that reaches the target, and the paper's rule m = c·s/log s
print(f"largest m: {{grouping.recommend_n_groups(n, s, t, {target!r})}}")
paper = min(max(round({c!r} * s / math.log(s)), 1), s)
print(f"paper's m: {{paper}}, exact: {{grouping.balance_probability(n, s, paper, t):.10g}}")

# one draw; which features are true does not matter, so the first s are
draw = np.bincount(grouping.random_labels(n, m, {seed!r})[:s], minlength=m)
print(f"one draw: {{draw.min()}} to {{draw.max()}} true features a group")
"""
