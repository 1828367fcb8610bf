"""The phase diagram of Theorem 3: P(balanced) over (s, m), tabulated for a million features.

The table takes a minute to compute, so it is kept beside this module; run the module to make it
again. A million features is the hardest case shown: fewer make the counts vary less.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from lab import balance
from solvers import grouping

FILE = Path(__file__).with_name("balance_phase.json")
N_FEATURES = balance.MOST_FEATURES
TRUE = np.unique(np.geomspace(10, 5000, 28).round().astype(int))
GROUPS = np.unique(np.geomspace(2, 1000, 30).round().astype(int))


@dataclass(frozen=True)
class Phase:
    """P(balanced) of s true features in m groups, a row per m; nan where m > s."""

    s: np.ndarray
    m: np.ndarray
    probability: np.ndarray


@cache
def _tables() -> dict[str, list]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def phase(t_text: str) -> Phase:
    """The committed table of one t."""
    stored = _tables()
    rows = [[math.nan if p is None else p for p in row] for row in stored["P"][t_text]]
    return Phase(np.array(stored["s"]), np.array(stored["m"]), np.array(rows))


def tabulate(t_text: str) -> list[list[float | None]]:
    """The table of one t, computed: six digits, None where m > s."""
    return [
        [
            float(f"{grouping.balance_probability(N_FEATURES, s, m, float(t_text)):.6g}")
            if m <= s
            else None
            for s in TRUE.tolist()
        ]
        for m in GROUPS.tolist()
    ]


def rule_curve(t: float, most_true: int = 5000) -> tuple[np.ndarray, np.ndarray]:
    """The theorem's condition with its constant set to one, s = t⁻² m log m, as (s, m)."""
    m = np.geomspace(2, 1000, 60)
    s = m * np.log(m) / t**2
    inside = s <= most_true
    return s[inside], m[inside]


def boundary(n_features: int, t: float, target: float) -> tuple[np.ndarray, np.ndarray]:
    """The largest m with P ≥ target over s, for the reader's own number of features.

    Only up to half of the features: where nearly all are true, every m that divides n is balanced.
    """
    most = min(max(n_features // 2, 2), 5000)
    s = np.unique(np.geomspace(min(most, 10), most, 8).round().astype(int))
    m = [grouping.recommend_n_groups(n_features, k, t, target) for k in s.tolist()]
    return s, np.array(m)


def constant_needed(n_true: int, n_groups: int, t: float) -> float:
    """The C of s = C t⁻² m log m; infinite for one group."""
    return n_true * t**2 / (n_groups * math.log(n_groups)) if n_groups > 1 else math.inf


def title(t: float, target: float, s: np.ndarray, m: np.ndarray) -> str:
    """What the boundary says about the constant in the theorem's condition."""
    last_s, last_m = int(s[-1]), int(m[-1])
    if last_m < 2:
        return f"Even s = {last_s:,} true features fill no two groups with P ≥ {target:.0%}"
    return (
        f"P ≥ {target:.0%} at s = {last_s:,} wants s = C·(m log m)/t² with "
        f"C = {constant_needed(last_s, last_m, t):.2g}"
    )


def prose(n_features: int, t: float, target: float, s: np.ndarray, m: np.ndarray) -> str:
    """The condition of Theorem 3 against the exact law."""
    needed = [
        f"{constant_needed(a, b, t):.2g} at s = {a:,}"
        for a, b in zip(s.tolist(), m.tolist(), strict=True)
        if b > 1
    ]
    constants = (
        f"Along it s = C·(m log m)/t² with C = {', '.join(needed[-3:])}: the theorem's condition "
        "has the right shape where C stays put; the constants of its proof ask for C > 12.5."
        if needed
        else "On this range it never leaves one group."
    )
    return (
        f"Shade: P(balanced) for t = {t:g} and n = {N_FEATURES:,}. Dotted: s = (m log m)/t², the "
        "theorem's condition with its constant set to one. Solid: the largest m with "
        f"P ≥ {target:.0%} at your n = {n_features:,}, for s up to n/2. {constants}"
    )


if __name__ == "__main__":
    tables = {t_text: tabulate(t_text) for t_text in balance.T_STEPS}
    stored = {"n": N_FEATURES, "s": TRUE.tolist(), "m": GROUPS.tolist(), "P": tables}
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")
