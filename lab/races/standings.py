"""The podium: when each contestant was certified to each level, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lab.races.race import Race
from solvers.result import STATUSES, History

LEVELS = (1e-2, 1e-4, 1e-6, 1e-8)


@dataclass(frozen=True)
class Standing:
    """How a method did: medians over the repeats; infinite where a level was not reached.

    `seconds_to` and `iterations_to` are those until the method's own certificate reached a level,
    `each_seconds_to` repeat by repeat. `true_seconds_to`, `true_iterations_to` are those until its
    objective was that close to the best bound of all contestants, which it may have reached without
    knowing. `worst_gap` is the largest final certificate.
    """

    key: str
    label: str
    seconds_to: Mapping[float, float]
    iterations_to: Mapping[float, float]
    true_seconds_to: Mapping[float, float]
    true_iterations_to: Mapping[float, float]
    each_seconds_to: Mapping[float, tuple[float, ...]]
    gap: float
    suboptimality: float
    seconds: float
    iterations_per_second: float
    nonzeros: float
    statuses: tuple[str, ...]
    worst_gap: float = np.inf

    @property
    def status(self) -> str:
        """How the runs ended, in words."""
        counts = {name: self.statuses.count(name) for name in dict.fromkeys(self.statuses)}
        if len(counts) == 1:
            return STATUSES[self.statuses[0]]
        of = len(self.statuses)
        return "; ".join(f"{count} of {of}: {STATUSES[name]}" for name, count in counts.items())


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


def _reached(history: History, errors: np.ndarray, levels) -> list[tuple[float, float]]:
    """Solver seconds and iterations until each level was reached; infinite if never."""
    found = []
    for level in levels:
        there = np.flatnonzero(errors <= level)
        row = history[int(there[0])] if there.size else None
        found.append((row.seconds, float(row.iteration)) if row else (np.inf, np.inf))
    return found


def certified_places(standings: Sequence[Standing], tol: float) -> dict[str, int | None]:
    """The place of each at the tolerance by its own certificate; None where it has none."""
    return _places({standing.key: standing.seconds_to[tol] for standing in standings})


def true_places(standings: Sequence[Standing], tol: float) -> dict[str, int | None]:
    """The place of each by when its objective was that close to the best bound of all."""
    return _places({standing.key: standing.true_seconds_to[tol] for standing in standings})


def _places(times: Mapping[str, float]) -> dict[str, int | None]:
    return {
        key: 1 + sum(other < time for other in times.values()) if np.isfinite(time) else None
        for key, time in times.items()
    }


def podium(race: Race) -> list[Standing]:
    """The contestants, first the one that was first at the tolerance, then by certificate."""
    standings = []
    for key, label in race.labels.items():
        runs = [
            (runner, runner.result, heat.bound)
            for heat in race.heats
            for runner in heat.begun
            if runner.key == key
        ]
        if runs:
            standings.append(_standing(key, label, runs, {*LEVELS, race.spec.tol}))
    return sorted(standings, key=lambda one: (one.seconds_to[race.spec.tol], one.gap))


def _standing(key, label, runs, levels) -> Standing:
    def at_levels(rows):
        return dict(zip(levels, zip(*rows, strict=True), strict=True))

    histories = [(runner.history, bound) for runner, _, bound in runs]
    reach = at_levels([_reached(rows, certified_gaps(rows), levels) for rows, _ in histories])
    truly = at_levels(
        [_reached(rows, true_errors(rows, bound), levels) for rows, bound in histories]
    )
    results = [result for _, result, _ in runs]

    def middle(numbers) -> float:
        return float(np.median(list(numbers)))

    return Standing(
        key,
        label,
        {level: middle(seconds for seconds, _ in pairs) for level, pairs in reach.items()},
        {level: middle(count for _, count in pairs) for level, pairs in reach.items()},
        {level: middle(seconds for seconds, _ in pairs) for level, pairs in truly.items()},
        {level: middle(count for _, count in pairs) for level, pairs in truly.items()},
        {level: tuple(seconds for seconds, _ in pairs) for level, pairs in reach.items()},
        gap=middle(result.gap for result in results),
        suboptimality=middle(
            max(result.objective - bound, 0.0) / abs(result.objective or 1.0)
            for _, result, bound in runs
        ),
        seconds=middle(result.seconds for result in results),
        iterations_per_second=middle(
            result.n_iter / result.seconds if result.seconds > 0.0 else 0.0 for result in results
        ),
        nonzeros=middle(np.count_nonzero(result.w) for result in results),
        statuses=tuple(result.status for result in results),
        worst_gap=max(float(result.gap) for result in results),
    )
