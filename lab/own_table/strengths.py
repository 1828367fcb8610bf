"""Choosing strengths from data: a grid on the data's own scale, one standard error, wider edges.

A strength means nothing without the rows it is used on: β = 10 against a loss that is a sum keeps
nearly all features of 45,000 rows and few of 62. So the grids of our models are shares of β₀ and
α₀ (or λ₀), the strengths at which the penalty begins to take over on these very rows. Candidates
are scored by a cross-validation inside the training rows, with the preprocessing refitted in each
part; of those within one standard error of the best the strongest is taken, and where that is the
end of the grid, the grid goes on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Point = Mapping[str, float]
Grid = Mapping[str, tuple[float, ...]]

# Shares of β₀ and λ₀ from strong to weak; α at a thousandth of α₀ steadies E-SVM without filling
# it up (six tables from 72 × 2,000 to 569 × 30: within a row of the best α).
SHARES = tuple(10.0 ** (-k / 2.0) for k in range(1, 7))
ALPHA_SHARE = 1e-3
MOST_WIDENINGS = 2
_ADDED = 2  # values that a widening adds at the edge that was chosen


@dataclass(frozen=True, eq=False)
class Choice:
    """The strengths chosen, and what each candidate scored: `scores` is candidates × inner folds.

    `widened` counts how often the grid went on beyond its end.
    """

    point: Point
    points: tuple[Point, ...]
    scores: np.ndarray
    widened: int = 0


def points_of(grid: Grid) -> list[dict[str, float]]:
    """All combinations, the first name varying slowest: from strong to weak where the values do."""
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def one_standard_error(scores: np.ndarray) -> int:
    """The first candidate whose mean is within one standard error of the best mean.

    `scores` is candidates × folds, from strong to weak; the error is that of the best one.
    """
    means = np.nanmean(scores, axis=1)
    best = int(np.nanargmax(means))
    folds = np.count_nonzero(~np.isnan(scores[best]))
    spread = float(np.nanstd(scores[best], ddof=1)) if folds > 1 else 0.0
    least = means[best] - spread / np.sqrt(max(folds, 1))
    # A hair below, so that equal means stay equal whatever order their folds were added in.
    return int(np.flatnonzero(means >= least - 1e-12)[0])


def choose(
    grid: Grid,
    score: Callable[[Sequence[Point]], np.ndarray],
    *,
    bounded: Container[str] = (),
    most_widenings: int = MOST_WIDENINGS,
) -> Choice:
    """The strengths that `score` (points → points × folds) finds good, by one standard error.

    Those that are `bounded` do not grow beyond their strong end.
    """
    axes = {name: tuple(values) for name, values in grid.items()}
    points = points_of(axes)
    known: dict[tuple, np.ndarray] = {}
    widened = 0
    while True:
        new = [point for point in points if tuple(point.values()) not in known]
        for point, row in zip(new, score(new) if new else (), strict=True):
            known[tuple(point.values())] = np.asarray(row, dtype=float)
        scores = np.array([known[tuple(point.values())] for point in points])
        chosen = points[one_standard_error(scores)]
        wider = _widened(axes, chosen, bounded) if widened < most_widenings else axes
        if wider == axes:
            return Choice(chosen, tuple(points), scores, widened)
        axes, widened = wider, widened + 1
        points = points_of(axes)


def _widened(
    axes: dict[str, tuple[float, ...]], chosen: Point, bounded: Container[str]
) -> dict[str, tuple[float, ...]]:
    """The axes that go on, in their own ratio, beyond the end that was chosen."""
    wider = dict(axes)
    for name, values in axes.items():
        if len(values) < 2:
            continue
        if chosen[name] == values[0]:
            if name in bounded:
                continue
            ratio = values[0] / values[1]
            before = tuple(values[0] * ratio**k for k in range(_ADDED, 0, -1))
            wider[name] = before + values
        elif chosen[name] == values[-1]:
            ratio = values[-1] / values[-2]
            wider[name] = values + tuple(values[-1] * ratio ** (k + 1) for k in range(_ADDED))
    return wider
