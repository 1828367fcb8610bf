"""When a lane was at an accuracy: one rule for a race that runs here and for the benchmark's file.

A history knows it to the row. The benchmark thins its histories, but has noted the seconds while it
had every row; so what it noted is what both the podium and *Paper vs measured* tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from solvers.result import History


class Crossing(NamedTuple):
    """Solver seconds and iterations until a level was reached."""

    seconds: float
    iterations: float


NEVER = Crossing(np.inf, np.inf)


def certified_gaps(history: History) -> np.ndarray:
    """The relative gap that a method could certify at each row: best bound and best objective.

    Row by row what `solvers.problems.relative_gap` says of the two.
    """
    best, bound = np.minimum.accumulate(history["objective"]), history["bound"]
    size = np.maximum(np.abs(best), np.abs(bound))
    with np.errstate(all="ignore"):
        gaps = np.where(size > 0.0, (best - bound) / size, 0.0)
    gaps[~np.isfinite(gaps) | (gaps <= -1e-9)] = np.inf
    return np.maximum(gaps, 0.0)


def true_errors(history: History, bound: float) -> np.ndarray:
    """How far the best objective so far is above a bound on the optimal value, relative to both."""
    best = np.minimum.accumulate(history["objective"])
    with np.errstate(all="ignore"):
        errors = (best - bound) / np.maximum(np.abs(best), abs(bound))
    errors[~np.isfinite(errors)] = np.inf
    return errors


def crossing(history: History, errors: np.ndarray, level: float) -> Crossing:
    """The first row at which errors are at a level."""
    there = np.flatnonzero(errors <= level)
    if not there.size:
        return NEVER
    row = history[int(there[0])]
    return Crossing(row.seconds, float(row.iteration))


def noted(lane: Mapping[str, Any], kind: str, level: float) -> Crossing | None:
    """What the benchmark noted of a lane: its "gap", "suboptimality" or "change" at a level.

    None where it noted nothing of such a level.
    """
    if kind == "change":
        rows = lane.get("when_change_reached", {})
        seconds = {name: row and row["seconds"] for name, row in rows.items()}
    else:
        seconds = lane["times"][kind]
    name = f"{level:.0e}"
    if name not in seconds:
        return None
    at = seconds[name]
    return NEVER if at is None else Crossing(float(at), _iterations_at(lane["history"], float(at)))


def _iterations_at(rows: Mapping[str, Any], seconds: float) -> float:
    """Between two rows that were kept a method iterates evenly, known to about three digits."""
    kept = rows["seconds"]
    if seconds in kept:
        return float(rows["iteration"][kept.index(seconds)])
    return float(f"{np.interp(seconds, kept, rows['iteration']):.3g}")
