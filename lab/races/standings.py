"""The podium: when each lane was certified to each level, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lab.races.crossings import Crossing, certified_gaps, crossing, true_errors
from lab.races.lanes import Runner
from lab.races.race import Race
from solvers.result import STATUSES

LEVELS = (1e-2, 1e-4, 1e-6, 1e-8)


@dataclass(frozen=True)
class Standing:
    """How a method did: medians over the repeats; infinite where a level was not reached.

    `seconds_to` and `iterations_to` are those until the method's own certificate reached a level,
    `each_seconds_to` repeat by repeat. `true_seconds_to` and so on are those until its objective
    was that close to the best bound of all lanes, which it may have reached without knowing.
    `worst_gap` is the largest final certificate.
    """

    key: str
    label: str
    seconds_to: Mapping[float, float]
    iterations_to: Mapping[float, float]
    true_seconds_to: Mapping[float, float]
    true_iterations_to: Mapping[float, float]
    each_seconds_to: Mapping[float, tuple[float, ...]]
    each_true_seconds_to: Mapping[float, tuple[float, ...]]
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


@dataclass(frozen=True)
class Place:
    """The places that one can have: several where the draws do not agree who was before whom."""

    first: int
    last: int

    @property
    def settled(self) -> bool:
        return self.first == self.last


def certified_places(standings: Sequence[Standing], tol: float) -> dict[str, Place | None]:
    """The place of each at the tolerance by its own certificate; None where it has none."""
    return _places(
        {one.key: _worked(one.each_seconds_to[tol], one.iterations_to[tol]) for one in standings}
    )


def true_places(standings: Sequence[Standing], tol: float) -> dict[str, Place | None]:
    """The place of each by when its objective was that close to the best bound of all."""
    return _places(
        {
            one.key: _worked(one.each_true_seconds_to[tol], one.true_iterations_to[tol])
            for one in standings
        }
    )


def _worked(seconds: Sequence[float], iterations: float) -> Sequence[float]:
    """What needs no iteration takes no time that would tell one method from another."""
    return seconds if iterations else [0.0 * each if each < np.inf else each for each in seconds]


def _places(times: Mapping[str, Sequence[float]]) -> dict[str, Place | None]:
    there = {key: each for key, each in times.items() if np.isfinite(np.median(each))}
    found: dict[str, Place | None] = dict.fromkeys(times)
    for key, own in there.items():
        others = [each for other, each in there.items() if other != key]
        before = sum(always_before(each, own) for each in others)
        after = sum(always_before(own, each) for each in others)
        found[key] = Place(1 + before, len(there) - after)
    return found


def always_before(ones: Sequence[float], others: Sequence[float]) -> bool:
    """Whether one was earlier in every draw in which either of the two got there at all."""
    known = [(a, b) for a, b in zip(ones, others, strict=False) if min(a, b) < np.inf]
    return bool(known) and all(a < b for a, b in known)


def podium(race: Race) -> list[Standing]:
    """The lanes, first the one that was first at the tolerance, then by certificate."""
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

    reach = at_levels(
        [_crossings(one, "gap", certified_gaps(one.history), levels) for one, _, _ in runs]
    )
    truly = at_levels(
        [
            _crossings(one, "suboptimality", true_errors(one.history, bound), levels)
            for one, _, bound in runs
        ]
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
        {level: tuple(seconds for seconds, _ in pairs) for level, pairs in truly.items()},
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


def _crossings(runner: Runner, kind: str, errors: np.ndarray, levels) -> list[Crossing]:
    """When each level was reached: as it was noted, else as the history has it."""
    return [
        runner.noted.get((kind, level)) or crossing(runner.history, errors, level)
        for level in levels
    ]
