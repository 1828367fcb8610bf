"""The lines of a race's chart: measures against time or iterations, and rates to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from lab.races.crossings import certified_gaps, true_errors
from lab.races.race import Race
from solvers.result import History

MEASURES = MappingProxyType(
    {
        "gap": "Certified gap",
        "error": "True error",
        "objective": "Objective",
        "change": "Relative change of w",
    }
)


# What is 0 is below rounding, which a logarithmic axis can show.
SMALLEST = 1e-16


def values(measure: str, history: History, bound: float) -> np.ndarray:
    """A measured quantity at each row of a history; `bound` is the best one of all lanes."""
    if measure == "error":
        return np.maximum(true_errors(history, bound), SMALLEST)
    if measure == "gap":
        return np.maximum(certified_gaps(history), SMALLEST)
    return history[measure]


@dataclass(frozen=True)
class Trace:
    """What one method's repeats show of a measure: the median, and the lowest and highest."""

    key: str
    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


def curves(race: Race, measure: str, against: str) -> list[Trace]:
    """A curve per method, against "seconds" of solver time or "iteration"s.

    With several repeats the curve is their median and the band reaches from the lowest to the
    highest, on a common grid; a run that has ended keeps its last value.
    """
    found = []
    for key, label in race.labels.items():
        runs = []
        for heat in race.heats:
            for runner in heat.begun:
                if runner.key == key:
                    x = runner.history[against].astype(float)
                    y = values(measure, runner.history, heat.bound)
                    known = np.isfinite(y)
                    if known.any():
                        runs.append((x[known], y[known]))
        if len(runs) == 1:
            found.append(Trace(key, label, *runs[0]))
        elif runs:
            found.append(Trace(key, label, *_median_and_band(runs)))
    return found


def _median_and_band(runs, points=400):
    first, last = max(x[0] for x, _ in runs), max(x[-1] for x, _ in runs)
    if last <= first:
        grid = np.array([first])
    elif first > 0.0:
        grid = np.geomspace(first, last, points)
    else:
        rest = min((x[x > 0.0].min() for x, _ in runs if (x > 0.0).any()), default=last)
        grid = np.concatenate([[first], np.geomspace(rest, last, points)])
    # At a time the value is that of the last measurement before it.
    rows = [y[np.maximum(np.searchsorted(x, grid, side="right") - 1, 0)] for x, y in runs]
    return grid, np.median(rows, axis=0), np.min(rows, axis=0), np.max(rows, axis=0)


def why_not_log(curves: Sequence[Trace], measure: str) -> str | None:
    """None, or the reason why these curves cannot be drawn on a logarithmic scale."""
    for curve in curves:
        lowest = curve.y if curve.low is None else curve.low
        wrong = int(np.count_nonzero(lowest <= 0.0))
        if wrong:
            times = "once" if wrong == 1 else f"{wrong} times"
            return (
                f"{MEASURES[measure].lower()} of {curve.label} is 0 or below {times} on this line, "
                "and a logarithm knows no such value"
            )
    return None


RATES = MappingProxyType({"O(1/√k)": 0.5, "O(1/k)": 1.0, "O(1/k²)": 2.0})


@dataclass(frozen=True)
class RateLine:
    """A rate of convergence as a line, y ∝ k^−power."""

    label: str
    x: np.ndarray
    y: np.ndarray


def guides(curves: Sequence[Trace], points: int = 60) -> list[RateLine]:
    """The rates O(1/√k), O(1/k), O(1/k²), anchored where the highest positive curve begins.

    They say how steep a rate is, not where a method should be: the constant is the data's. They end
    where the data end. On an axis of seconds k is time, which is right up to a factor, since the
    iterations of a method take equally long.
    """
    drawn = [
        (curve.x[there], curve.y[there])
        for curve in curves
        if np.count_nonzero(there := (curve.x > 0.0) & (curve.y > 0.0)) > 1
    ]
    if not drawn:
        return []
    height, start = max((float(y[0]), float(x[0])) for x, y in drawn)
    end = max(float(x[-1]) for x, _ in drawn)
    lowest = min(float(y.min()) for _, y in drawn)
    found = []
    for label, power in RATES.items():
        last = min(end, start * (height / lowest) ** (1.0 / power))
        if last > start:
            x = np.geomspace(start, last, points)
            found.append(RateLine(label, x, height * (start / x) ** power))
    return found
