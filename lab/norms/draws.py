"""What usually happens: the same settings drawn again and again, in place of one lucky seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.estimates import difference, holm
from lab.norms.claims import is_seen
from lab.norms.paths import FITTED_AS, SHARES, solve_paths
from lab.norms.shown import look_up
from lab.norms.spec import PatternSpec

SEEDS = tuple(range(20))
NORMS = tuple(FITTED_AS)
# One norm against three others, in error and in F1: all six are looked at.
COMPARISONS = 6
COLUMNS = ("nonzeros", "empty", "f1", "error", "seen")
BEST = ("best_f1", "best_error")


@dataclass(frozen=True, eq=False)
class Draws:
    """Numbers of the panels over the first of `SEEDS`.

    Each is draws × (equal shares, equal sparsity) × λ × norms; `best_f1` and `best_error` are
    draws × norms, each norm at the λ where it does best.
    """

    spec: PatternSpec
    nonzeros: np.ndarray
    empty: np.ndarray
    f1: np.ndarray
    error: np.ndarray
    seen: np.ndarray
    best_f1: np.ndarray
    best_error: np.ndarray

    @property
    def count(self) -> int:
        return len(self.best_f1)

    def at(self, column: str, share: str, matched: bool) -> Mapping[str, np.ndarray]:
        """One column at one λ: for each norm, a number per draw."""
        found = getattr(self, column)[:, int(matched), SHARES.index(share)]
        return dict(zip(NORMS, found.T, strict=True))


def any_seed(spec: PatternSpec) -> PatternSpec:
    """The spec with its seed at the default, as a key for what does not depend on it."""
    return replace(spec, seed=PatternSpec().seed)


def solve_draws(spec: PatternSpec) -> Draws:
    """All four norms along their paths for every seed."""
    return collected(spec, [solve_draw(replace(spec, seed=seed)) for seed in SEEDS])


def within(
    spec: PatternSpec, seconds: float, solve: Callable[[PatternSpec], Mapping[str, np.ndarray]]
) -> Draws:
    """As many draws as fit into some seconds, at least two; where `solve` keeps what it solved, a
    later call goes further."""
    deadline = time.monotonic() + seconds
    parts = []
    for seed in SEEDS:
        if len(parts) >= 2 and time.monotonic() > deadline:
            break
        parts.append(solve(replace(spec, seed=seed)))
    return collected(spec, parts)


def collected(spec: PatternSpec, parts: Sequence[Mapping[str, np.ndarray]]) -> Draws:
    columns = {name: np.stack([part[name] for part in parts]) for name in (*COLUMNS, *BEST)}
    return Draws(any_seed(spec), **columns)


def solve_draw(spec: PatternSpec) -> dict[str, np.ndarray]:
    """What `Draws` keeps of one draw."""
    paths = solve_paths(spec)
    numbers = np.array(
        [
            [
                [
                    (
                        fit.pattern.nonzeros,
                        fit.pattern.n_empty,
                        fit.f1,
                        fit.error,
                        is_seen(fit),
                    )
                    for fit in look_up(paths, float(share), matched).values()
                ]
                for share in SHARES
            ]
            for matched in (False, True)
        ]
    )
    found = {name: numbers[..., k] for k, name in enumerate(COLUMNS)}
    found["seen"] = found["seen"].astype(bool)
    for name in ("nonzeros", "empty"):
        found[name] = found[name].astype(np.int16)
    found["best_f1"] = np.array([path.f1.max() for path in paths.by_norm.values()])
    found["best_error"] = np.array([path.errors.min() for path in paths.by_norm.values()])
    return found


@dataclass(frozen=True)
class Comparison:
    """The norm that leads on average, how often it was best, and whom it is surely ahead of.

    `wins` counts the draws in which no norm was better, `ties` those among them with an equal.
    """

    leader: str
    wins: int
    ties: int
    means: Mapping[str, float]
    behind: tuple[str, ...]
    level: tuple[str, ...]


def compare(draws: Draws) -> dict[str, Comparison]:
    """Best test error and best F1 over draws, by paired differences with the norm that leads.

    A norm is behind where a t test of its mean difference says so after Holm's correction for all
    `COMPARISONS`, which are looked at together.
    """
    columns = {"best_error": draws.best_error, "best_f1": -draws.best_f1}
    p_values = {
        (name, norm): difference(costs[:, k], costs[:, _leader(costs)]).p
        for name, costs in columns.items()
        for k, norm in enumerate(NORMS)
        if k != _leader(costs)
    }
    surely = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    found = {}
    for name, costs in columns.items():
        own = {norm: sure for (column, norm), sure in surely.items() if column == name}
        found[name] = _comparison(costs, getattr(draws, name), own)
    return found


def _leader(costs: np.ndarray) -> int:
    return int(np.argmin(costs.mean(axis=0)))


def _comparison(costs: np.ndarray, values: np.ndarray, surely: Mapping[str, bool]) -> Comparison:
    lead, best = _leader(costs), costs.min(axis=1)
    won = costs[:, lead] == best
    shared = won & ((costs == best[:, None]).sum(axis=1) > 1)
    return Comparison(
        NORMS[lead],
        int(won.sum()),
        int(shared.sum()),
        dict(zip(NORMS, values.mean(axis=0).tolist(), strict=True)),
        tuple(norm for norm, sure in surely.items() if sure),
        tuple(norm for norm, sure in surely.items() if not sure),
    )
