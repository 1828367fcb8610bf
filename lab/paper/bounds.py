"""Cuts through the grid of Theorem 5: the exact law beside the bounds; Bernstein's inequality."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

BOUNDS = MappingProxyType(
    {"union": "union bound", "chernoff": "Chernoff bound", "theorem": "Theorem 5"}
)


@dataclass(frozen=True, eq=False)
class BoundView:
    """One cut through the grid: P against s for given n, m and t."""

    s: np.ndarray
    exact: np.ndarray
    bounds: Mapping[str, np.ndarray]
    title: str


def theorem_choices(theorem5: dict) -> dict[str, list]:
    """The n, m and t of the grid, as texts."""
    grid = theorem5["grid"]
    return {
        "n": [str(n) for n in sorted(set(grid["n"]))],
        "m": [str(m) for m in sorted(set(grid["m"]))],
        "t": [f"{t:g}" for t in sorted(set(grid["t"]))],
    }


def bound_view(theorem5: dict, n: int, m: int, t: float) -> BoundView | None:
    """None where the grid holds no such setting (m does not divide n)."""
    grid = {name: np.array(values) for name, values in theorem5["grid"].items()}
    rows = (grid["n"] == n) & (grid["m"] == m) & np.isclose(grid["t"], t)
    if not rows.any():
        return None
    s = grid["s"][rows]
    exact = grid["exact"][rows]
    bounds = {label: grid[name][rows] for name, label in BOUNDS.items()}
    likely = s[exact >= 0.9]
    knows = s[bounds[BOUNDS["theorem"]] >= 0.9]
    return BoundView(
        s, exact, bounds, f"n = {n:,}, m = {m}, t = {t:g}: {_finding(s, likely, knows)}"
    )


def bound_views(theorem5: dict, n: int, t: float) -> dict[str, BoundView]:
    """The cuts of one n and t, by the m that the grid has of them."""
    cuts = {m: bound_view(theorem5, n, int(m), t) for m in theorem_choices(theorem5)["m"]}
    return {m: cut for m, cut in cuts.items() if cut is not None}


def _finding(s: np.ndarray, likely: np.ndarray, knows: np.ndarray) -> str:
    """From which s on P is at least 0.9, and from which the theorem says so, of the s on show."""
    if not likely.size:
        return f"P is below 0.9 up to s = {s[-1]:,}"
    late = f"only from {knows[0]:,} on" if knows.size else f"for no s up to {s[-1]:,}"
    return f"P is at least 0.9 from s = {likely[0]:,} on; the theorem shows it {late}"


def rule_table(theorem5: dict) -> dict[str, list[str]]:
    rows = theorem5["rule"]
    return {
        "s": [f"{s:,}" for s in rows["s"]],
        "m = s/log s": [str(m) for m in rows["m"]],
        **{f"exact P, t = {t}": [f"{p:.2g}" for p in rows[f"exact {t}"]] for t in ("0.5", "0.8")},
        **{
            f"most m with P ≥ 0.9, t = {t}": [str(m) for m in rows[f"best m {t}"]]
            for t in ("0.5", "0.8")
        },
    }


def widest_by_n(theorem5: dict) -> tuple[tuple[int, int, float], dict[int, float]]:
    """The (s, m, t) whose probability depends on n the most, and that probability by n."""
    columns = theorem5["independence"]
    cases: dict[tuple[int, int, float], dict[int, float]] = {}
    for n, s, m, t, exact in zip(*(columns[k] for k in ("n", "s", "m", "t", "exact")), strict=True):
        cases.setdefault((s, m, t), {})[n] = exact
    return max(cases.items(), key=lambda item: max(item[1].values()) - min(item[1].values()))


def bernstein_bound(k: int, p: float, delta: float, c: float) -> float:
    """exp{−δ²/(2kσ² + 2cδ/3)} for k Bernoulli variables."""
    return math.exp(-(delta**2) / (2 * k * p * (1 - p) + 2 * c * delta / 3))
