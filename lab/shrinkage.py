"""One vector shrunk in two ways: by the exclusive norm, and by ℓ1 to as many nonzeros."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers import Groups, prox_exclusive
from solvers.problems import Candidate, LassoProblem, relative_gap

N_GROUPS = 8
GROUP_SIZE = 12

# Text, so that a typed address such as ?zeta=1 means the same as the slider's own.
ZETAS = ("0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100")
DEFAULT_ZETA = "1"


@dataclass(frozen=True)
class Pattern:
    """A weight vector seen group by group."""

    weights: np.ndarray
    groups: Groups

    @cached_property
    def nonzeros(self) -> int:
        return int(np.count_nonzero(self.weights))

    @cached_property
    def alive(self) -> np.ndarray:
        """Which groups hold a nonzero."""
        return self.groups.max(np.abs(self.weights)) > 0

    @cached_property
    def n_alive(self) -> int:
        return int(np.count_nonzero(self.alive))

    @cached_property
    def n_empty(self) -> int:
        return self.groups.n_groups - self.n_alive

    @cached_property
    def grid(self) -> np.ndarray:
        """One row per group; for groups of one size."""
        return self.weights[self.groups.indices].reshape(self.groups.n_groups, -1)


def example_input(seed: int = 0) -> tuple[np.ndarray, Groups]:
    """8 groups of 12 normal numbers; each group is 1.35 times as loud as the one before it."""
    groups = Groups.contiguous(N_GROUPS * GROUP_SIZE, N_GROUPS)
    loudness = 0.4 * 1.35 ** np.arange(N_GROUPS)
    draws = np.random.default_rng(seed).standard_normal(groups.n_features)
    return groups.spread(loudness) * draws, groups


def shrink_exclusive(c: np.ndarray, groups: Groups, zeta: float) -> Pattern:
    """argmin_w ½‖w − c‖² + ζ/2 ‖w‖_e²: no group with a nonzero input ever becomes empty."""
    return Pattern(prox_exclusive(c, groups, zeta), groups)


def shrink_l1(c: np.ndarray, groups: Groups, nonzeros: int) -> Pattern:
    """argmin_w ½‖w − c‖² + τ‖w‖₁ with the least τ that leaves at most `nonzeros` nonzeros."""
    magnitudes = np.abs(c)
    tau = 0.0 if nonzeros >= c.size else np.partition(magnitudes, -nonzeros - 1)[-nonzeros - 1]
    return Pattern(np.sign(c) * np.maximum(magnitudes - tau, 0.0), groups)


def certified_gap(c: np.ndarray, pattern: Pattern, zeta: float) -> float:
    """The relative duality gap of a candidate for ½‖w − c‖² + ζ/2 ‖w‖_e², an E-LASSO with X = I."""
    score = LassoProblem(np.eye(c.size), c, pattern.groups, zeta).score(Candidate(pattern.weights))
    return relative_gap(score.objective, score.bound)


def table(c: np.ndarray, exclusive: Pattern, lasso: Pattern) -> dict[str, np.ndarray]:
    """One row per weight: its group, the input and what each norm left of it."""
    return {
        "group": exclusive.groups.labels + 1,
        "c": c,
        "exclusive": exclusive.weights,
        "l1": lasso.weights,
    }


def answer(exclusive: Pattern, lasso: Pattern) -> str:
    """The finding in one sentence, true for any pair of patterns."""
    n, m = exclusive.weights.size, exclusive.groups.n_groups
    kept = f"the exclusive norm ℓe keeps {exclusive.nonzeros} of {n} weights"
    if exclusive.n_empty:
        kept += f" in {exclusive.n_alive} of {m} groups"
    else:
        kept += f" and all {m} groups"
    if lasso.n_empty:
        rival = f"leaves {_groups(lasso.n_empty)} empty"
    else:
        rival = f"keeps all {m} groups too"
    return f"{kept}; ℓ1 with as many weights {rival}"


def group_title(norm: str, pattern: Pattern) -> str:
    """A chart title for one pattern: how many weights it keeps, and how many groups it empties."""
    if pattern.n_empty:
        finding = f"{_groups(pattern.n_empty)} empty"
    else:
        finding = f"all {pattern.groups.n_groups} groups"
    return f"{norm}: {pattern.nonzeros} weights, {finding}"


def _groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count} groups"
