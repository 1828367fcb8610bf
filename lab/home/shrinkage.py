"""One vector shrunk in three ways: by the exclusive norm, by ℓ1 and by the group lasso."""

from __future__ import annotations

import numpy as np

from lab.pattern import Pattern
from lab.words import counted
from solvers import Groups, prox_exclusive
from solvers.problems import Candidate, LassoProblem, relative_gap

N_GROUPS = 8
GROUP_SIZE = 12
# Each group is drawn so many times as loud as the one before it.
LOUDER = 1.35

# Text, so that a typed address such as ?zeta=1 means the same as the slider's own.
ZETAS = (
    *("0.02", "0.025", "0.03", "0.04", "0.05", "0.06", "0.08"),
    *("0.1", "0.12", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.8"),
    *("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8"),
    *("10", "12", "15", "20", "25", "30", "40", "50", "60", "80", "100"),
)
DEFAULT_ZETA = "1"


def example_input(seed: int = 0) -> tuple[np.ndarray, Groups]:
    """8 groups of 12 normal numbers, each drawn 1.35 times as loud as the one before it."""
    groups = Groups.contiguous(N_GROUPS * GROUP_SIZE, N_GROUPS)
    loudness = 0.4 * LOUDER ** np.arange(N_GROUPS)
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


def shrink_group_lasso(c: np.ndarray, groups: Groups, nonzeros: int) -> Pattern:
    """argmin_w ½‖w − c‖² + τ Σ_g ‖w_g‖₂ with the least τ that leaves at most `nonzeros` nonzeros.

    It keeps or drops whole groups, and here it keeps one at least, the loudest, since an empty
    picture would compare nothing.
    """
    norms = np.sqrt(groups.sum(c**2))
    loudest = np.argsort(-norms, kind="stable")
    kept = max(1, int(np.count_nonzero(np.cumsum(groups.sizes[loudest]) <= nonzeros)))
    tau = norms[loudest[kept]] if kept < groups.n_groups else 0.0
    shares = np.maximum(1.0 - tau / np.maximum(norms, np.finfo(float).tiny), 0.0)
    return Pattern(groups.spread(shares) * c, groups)


def certified_gap(c: np.ndarray, pattern: Pattern, zeta: float) -> float:
    """The relative duality gap of a candidate for ½‖w − c‖² + ζ/2 ‖w‖_e², an E-LASSO with X = I."""
    score = LassoProblem(np.eye(c.size), c, pattern.groups, zeta).score(Candidate(pattern.weights))
    return relative_gap(score.objective, score.bound)


def table(
    c: np.ndarray, exclusive: Pattern, lasso: Pattern, whole: Pattern
) -> dict[str, np.ndarray]:
    """One row per weight: its group, the input and what each norm left of it."""
    return {
        "group": exclusive.groups.labels + 1,
        "c": c,
        "exclusive": exclusive.weights,
        "l1": lasso.weights,
        "group_lasso": whole.weights,
    }


def answer(exclusive: Pattern, lasso: Pattern, whole: Pattern | None = None) -> str:
    """The finding in one sentence, true for any pair of patterns."""
    n, m = exclusive.weights.size, exclusive.groups.n_groups
    kept = f"the exclusive norm ℓe keeps {exclusive.nonzeros} of {n} weights"
    if exclusive.n_empty:
        kept += f" in {exclusive.n_alive} of {m} groups"
    else:
        kept += f" and all {m} groups"
    if lasso.n_empty:
        rival = f"leaves {counted(lasso.n_empty, 'group')} empty"
    else:
        rival = f"keeps all {m} groups too"
    said = f"{kept}; ℓ1 with as many weights {rival}"
    if whole is None:
        return said
    return f"{said}, and the group lasso {_emptied(whole)}"


def loudness(c: Pattern) -> np.ndarray:
    """How loud each group is: the root mean square of its numbers."""
    return np.sqrt(c.groups.sum(c.weights**2) / c.groups.sizes)


def unequal(c: Pattern) -> str:
    """How much the loudness differs, of the very numbers on show: a draw is not what it is of."""
    loud = loudness(c)
    return f"the last is {loud[-1] / loud[0]:.0f} times as loud as the first"


def caption(pattern: Pattern) -> str:
    """What stands over one picture."""
    return f"{pattern.nonzeros} weights, {_emptied(pattern, short=True)}"


def _emptied(pattern: Pattern, short: bool = False) -> str:
    if short:
        empty = pattern.n_empty
        return (
            f"{counted(empty, 'group')} empty" if empty else f"all {pattern.groups.n_groups} groups"
        )
    if pattern.n_empty:
        return f"leaves {counted(pattern.n_empty, 'group')} empty"
    return f"keeps all {pattern.groups.n_groups}"
