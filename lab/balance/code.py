"""The code of the random grouping page: for each tab a script that prints what it says."""

from __future__ import annotations

from lab.balance.law import Setting

HEAD = """\
from solvers import grouping

n, s, t = {n!r}, {s!r}, {t!r}
"""


def _head(at: Setting, imports: str = "") -> str:
    return imports + HEAD.format(n=at.n, s=at.s, t=at.t)


def draws(at: Setting, n_groups: int, seed: int, shown: int) -> str:
    imports = "from fractions import Fraction\n\nimport numpy as np\n\n"
    return f"""{_head(at, imports)}m = {n_groups!r}

# 1,000 random splits: how many true features each group gets; an empty group is unbalanced
counts = grouping.simulate_balance(n, s, m, 1000, np.random.default_rng([{seed!r}, m]))
low, high = counts.min(axis=1), counts.max(axis=1)
ratio = (1 + Fraction(str(t))) / (1 - Fraction(str(t)))
balanced = (low > 0) & (high * ratio.denominator <= low * ratio.numerator)
print(f"draw {shown}: fullest {{high[{shown - 1}]}}, emptiest {{low[{shown - 1}]}}")
print(f"balanced so far: {{balanced[:{shown}].sum()}} of {shown}")
print(f"exact: {{grouping.balance_probability(n, s, m, t):.10g}}")
"""


def curve(at: Setting, n_groups: int) -> str:
    return f"""{_head(at)}m = {n_groups!r}

# P(max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)), an empty group being unbalanced
print(f"m = {{m}}: {{grouping.balance_probability(n, s, m, t):.10g}}")

# the largest number of groups that reaches the target, and the paper's rule m = c·s/log s
largest = grouping.recommend_n_groups(n, s, t, {at.target!r})
print(f"largest m: {{largest}}, {{grouping.balance_probability(n, s, largest, t):.10g}}")
paper = {at.paper!r}  # {at.c:g} · s / log s, rounded
print(f"paper's m: {{paper}}, {{grouping.balance_probability(n, s, paper, t):.10g}}")
"""


def bounds(at: Setting, n_groups: int) -> str:
    return f"""{_head(at)}m = {n_groups!r}

print(f"exact: {{grouping.balance_probability(n, s, m, t):.10g}}")
# lower bounds; at or below 0 they say nothing
for name, bound in (
    ("union", grouping.union_bound(n, s, m, t)),
    ("closed", grouping.chernoff_bound(s, m, t)),
    ("theorem", grouping.theorem_bound(s, m, t)),
):
    print(f"{{name}}: {{'says nothing' if bound <= 0 else format(bound, '.10g')}}")
"""


def phase(at: Setting, s: list[int], m: list[int]) -> str:
    return f"""\
from solvers import grouping

n, t = {at.n!r}, {at.t!r}
groups = {m!r}

# for each s: the largest m that reaches the target, then P(balanced) at each m up to s
for s in {s!r}:
    largest = grouping.recommend_n_groups(n, s, t, {at.target!r})
    law = grouping.balance_curve(n, s, [m for m in groups if m <= s], t)
    print(s, largest, *(f"{{p:.6g}}" for p in law))
"""


def over_n(at: Setting, n_groups: int, sizes: list[int]) -> str:
    return f"""\
from solvers import grouping

s, m, t = {at.s!r}, {n_groups!r}, {at.t!r}

for n in {sizes!r}:
    exact = grouping.balance_probability(n, s, m, t)
    print(n, f"{{exact:.10g}}", f"{{grouping.union_bound(n, s, m, t):.10g}}")

# the largest m where half, a tenth or next to none of the features are true
for n in {[2 * at.s, 10 * at.s, 1_000_000]!r}:
    print(n, grouping.recommend_n_groups(n, s, t, {at.target!r}))
"""
