"""Races: several methods on one problem, each given its turn in solver time, and who may race.

A `RaceSpec` says what is raced; a `Race` of it is a suspended computation. It has no thread of its
own: whoever holds it calls `advance(seconds)` now and then, and looks at it in between. A
`Turnstile` lets one race of a process advance at a time, since two would falsify each other's
clocks, and keeps the others in a queue.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np
from threadpoolctl import ThreadpoolController

from lab.datasets import ELassoSpec, ESVMSpec, load
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups
from solvers.method import Method
from solvers.problems import LassoProblem, LogisticProblem, Problem, SVMProblem
from solvers.tracking import STATUSES, History, Lane, Result, solve

PROBLEMS = MappingProxyType(
    {
        "lasso": "E-LASSO",
        "overlapped": "E-LASSO overlapped",
        "logistic": "Exclusive logistic",
        "svm": "E-SVM",
    }
)
METHODS: Mapping[str, Mapping[str, Method]] = MappingProxyType(
    {
        "lasso": LASSO_METHODS,
        "overlapped": LASSO_METHODS,
        "logistic": LOGISTIC_METHODS,
        "svm": SVM_METHODS,
    }
)
LEVELS = (1e-2, 1e-4, 1e-6, 1e-8)

# The paper's largest race, 720 × 5040, fits with a little to spare.
MOST_NUMBERS = 4_000_000
MOST_SAMPLES = 2_000
MOST_FEATURES = 10_000
MOST_GROUP_MEMBERS = 100_000
MOST_BUDGET = 60.0
MOST_REPEATS = 5
NONZEROS_PER_GROUP = 4

# Solver time a lane gets before the one behind is looked for again: switching after every iteration
# costs half of it, because each method finds the caches full of another's data.
SLICE = 0.02

# A race ends by tolerance, budget or arithmetic, not by a count of iterations.
_ITERATIONS = 10**9

# Rows are 1 % of the iterations apart, so that a history has about a thousand of them.
_THINNING = 1.01


@dataclass(frozen=True)
class RaceSpec:
    """What is raced: the data, the problem on them, the contestants and when they stop.

    `lam` None is the paper's rule in the solvers' convention, λ = 2·0.4/‖w*‖₁. `extras` random
    other features join each group, which then overlap. `budget` is solver time for each contestant,
    in seconds. Each repeat draws new data, from the next seed.
    """

    problem: str = "lasso"
    n_samples: int = 100
    n_features: int = 600
    n_groups: int = 20
    extras: int = 0
    rho: float = 0.0
    lam: float | None = None
    alpha: float = 1.0
    beta: float = 10.0
    seed: int = 0
    methods: tuple[str, ...] = ("newton", "pcp", "locp", "kong")
    tol: float = 1e-6
    budget: float = 1.0
    repeats: int = 1

    def data(self, repeat: int = 0) -> ELassoSpec | ESVMSpec:
        """The data of a repeat: Section 5.1 of the paper for E-LASSO, Section 5.2 for classes."""
        common = dict(
            n_samples=self.n_samples,
            n_features=self.n_features,
            n_groups=self.n_groups,
            extras=self.extras,
            seed=self.seed + repeat,
            rho=self.rho,
        )
        if self.problem in ("lasso", "overlapped"):
            return ELassoSpec(nonzeros_per_group=NONZEROS_PER_GROUP, **common)
        return ESVMSpec(**common)

    def build(self, repeat: int = 0) -> Problem:
        """The problem of a repeat, its data drawn or taken from the cache."""
        data = load(self.data(repeat))
        if self.problem == "svm":
            return SVMProblem(data.X, data.y, data.groups, self.alpha, self.beta)
        lam = self.lam
        if lam is None:
            lam = 0.8 / float(np.abs(data.true_weights).sum())
        kind = LogisticProblem if self.problem == "logistic" else LassoProblem
        return kind(data.X, data.y, data.groups, lam)

    @property
    def strength(self) -> str:
        """λ, or α and β, in words."""
        if self.problem == "svm":
            return f"α = {self.alpha:g}, β = {self.beta:g}"
        return "the paper's λ" if self.lam is None else f"λ = {self.lam:g}"

    @property
    def description(self) -> str:
        """The problem in a few words."""
        words = [
            f"{PROBLEMS[self.problem]}, {self.n_samples} × {self.n_features}",
            f"{self.n_groups} groups",
            self.strength,
        ]
        if self.extras and self.problem != "overlapped":
            words[1] += f" with {self.extras} extras each"
        if self.rho:
            words.append(f"correlation {self.rho:g}")
        words.append(f"seed {self.seed}" if self.repeats == 1 else f"{self.repeats} seeds")
        return ", ".join(words)

    def settings(self) -> dict[str, str | int | float]:
        """The spec as plain values, for a file."""
        plain = asdict(self)
        plain["methods"] = ", ".join(self.methods)
        plain["lam"] = "0.8/|w*|_1 (the paper's)" if self.lam is None else self.lam
        return plain


def refusal(spec: RaceSpec) -> str | None:
    """None, or one sentence on why this race is not run here and what to change."""
    numbers = spec.n_samples * spec.n_features
    if numbers > MOST_NUMBERS:
        return (
            f"{spec.n_samples:,} samples × {spec.n_features:,} features are {numbers / 1e6:.1f} "
            f"million numbers, and a race here has at most {MOST_NUMBERS / 1e6:.0f} million: lower "
            "either one."
        )
    least = NONZEROS_PER_GROUP if spec.problem in ("lasso", "overlapped") else 1
    if spec.n_features < least * spec.n_groups:
        return (
            f"{spec.n_groups:,} groups of {spec.n_features:,} features cannot hold {least} true "
            f"features each: take at most {spec.n_features // least:,} groups."
        )
    outside = spec.n_features - -(-spec.n_features // spec.n_groups)
    if spec.extras > outside:
        return (
            f"there are only {outside:,} features outside a group, too few for {spec.extras:,} "
            "extras: lower the extra features or raise the number of groups."
        )
    if spec.extras * spec.n_groups > MOST_GROUP_MEMBERS:
        return (
            f"{spec.n_groups:,} groups with {spec.extras:,} extras each are more than "
            f"{MOST_GROUP_MEMBERS:,} memberships, too many for a race here: lower either one."
        )
    if spec.problem == "overlapped" and spec.extras < 1:
        return "overlapped groups need at least 1 extra feature each: raise the extra features."
    if not spec.methods:
        return "a race needs a contestant: switch on at least one method."
    return None


@lru_cache(maxsize=64)
def refused_methods(
    problem: str, n_samples: int, n_features: int, n_groups: int, overlapping: bool
) -> Mapping[str, str]:
    """The methods that do not accept such a problem, and each one's reason.

    What a method accepts depends on the shape of the data, not on the numbers in them; so they are
    asked about zeros.
    """
    labels = np.arange(n_features) % n_groups
    groups = Groups.from_labels(labels)
    if overlapping:
        lists = [list(members) for members in groups.lists()]
        lists[0].append(int(np.flatnonzero(labels != 0)[0]))
        groups = Groups.from_lists(lists, n_features)
    X = np.zeros((n_samples, n_features))
    y = np.where(np.arange(n_samples) % 2, 1.0, -1.0)
    if problem == "svm":
        posed = SVMProblem(X, y, groups, 1.0, 1.0)
    elif problem == "logistic":
        posed = LogisticProblem(X, y, groups, 1.0)
    else:
        posed = LassoProblem(X, y, groups, 1.0)
    reasons = {key: method.accepts(posed) for key, method in METHODS[problem].items()}
    return MappingProxyType({key: reason for key, reason in reasons.items() if reason})


# -- the race itself -------------------------------------------------------------------------------


class Runner:
    """One contestant in one repeat; it outlives the lane and so the data it ran on."""

    def __init__(self, lane: Lane):
        self._lane: Lane | None = lane
        self._result: Result | None = None
        self.key = lane.method.key
        self.label = lane.method.label
        self.history = lane.history

    @property
    def running(self) -> bool:
        return self._lane is not None and self._lane.running

    @property
    def seconds(self) -> float:
        return self._result.seconds if self._lane is None else self._lane.seconds

    @property
    def result(self) -> Result:
        return self._result if self._lane is None else self._lane.result()

    def advance(self, seconds: float) -> None:
        self._lane.advance(seconds)

    def cancel(self) -> None:
        if self._lane is not None:
            self._lane.cancel()

    def retire(self) -> None:
        """Keep the result and the history, let go of problem and data."""
        if self._lane is not None:
            self._result, self._lane = self._lane.result(), None


class Heat:
    """Runners on one problem. The one that is behind in solver time is always the next to work."""

    def __init__(
        self,
        problem: Problem,
        methods: Sequence[Method],
        *,
        tol: float,
        max_seconds: float,
        clock: Callable[[], float] = time.perf_counter,
    ):
        self.runners = [
            Runner(
                Lane(
                    problem,
                    method,
                    tol=tol,
                    max_iter=_ITERATIONS,
                    max_seconds=max_seconds,
                    thinning=_THINNING,
                    clock=clock,
                )
            )
            for method in methods
        ]

    @property
    def running(self) -> bool:
        return any(runner.running for runner in self.runners)

    @property
    def bound(self) -> float:
        """The best lower bound on the optimal value that any of the runners has found."""
        bounds = [runner.history[-1].bound for runner in self.runners if len(runner.history)]
        return max(bounds, default=-np.inf)

    def step(self) -> None:
        """One slice of solver time for the runner that is behind."""
        waiting = [runner for runner in self.runners if runner.running]
        if waiting:
            min(waiting, key=lambda runner: runner.seconds).advance(SLICE)

    def cancel(self) -> None:
        for runner in self.runners:
            runner.cancel()

    def retire(self) -> None:
        for runner in self.runners:
            runner.retire()


class Race:
    """A suspended race. `advance` lets it run for a while; nothing happens in between.

    The repeats are run one after another, each with fresh data that are drawn when it begins and
    dropped when it ends.
    """

    def __init__(self, spec: RaceSpec):
        reason = refusal(spec)
        if reason is not None:
            raise ValueError(reason)
        self.spec = spec
        self.ticket = uuid.uuid4().hex
        self.heats: list[Heat] = []
        self.paused = False
        self.cancelled = False

    @property
    def finished(self) -> bool:
        """Whether all repeats have ended, by themselves or cancelled."""
        if self.cancelled:
            return True
        return len(self.heats) == self.spec.repeats and not self.heats[-1].running

    @property
    def advancing(self) -> bool:
        return not (self.paused or self.finished)

    @property
    def needs_data(self) -> bool:
        """Whether the next `advance` begins by drawing data."""
        return not self.finished and (not self.heats or not self.heats[-1].running)

    @property
    def version(self) -> tuple[int, ...]:
        """Changes when there is something new to draw."""
        lengths = (len(runner.history) for heat in self.heats for runner in heat.runners)
        return (len(self.heats), self.finished, *lengths)

    def prepare(self) -> None:
        """Draw the data of the next repeat, if it is time for them."""
        if not self.needs_data:
            return
        problem = self.spec.build(len(self.heats))
        methods = [METHODS[self.spec.problem][key] for key in self.spec.methods]
        _warm_up(self.spec.problem)
        self.heats.append(
            Heat(
                problem,
                methods,
                tol=self.spec.tol,
                max_seconds=self.spec.budget,
                clock=_solver_clock(),
            )
        )

    def advance(self, seconds: float = np.inf) -> None:
        """Run for about that many seconds of wall time with one BLAS thread, or to the end."""
        until = time.perf_counter() + seconds
        with _one_blas_thread():
            while self.advancing:
                self.prepare()
                heat = self.heats[-1]
                heat.step()
                if not heat.running:
                    heat.retire()
                if time.perf_counter() >= until:
                    break

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def cancel(self) -> None:
        """End it where it is; what was measured stays."""
        if not self.finished:
            self.cancelled = True
            for heat in self.heats:
                heat.cancel()
                heat.retire()

    @property
    def progress(self) -> float:
        """The share of all solver time that was used or is no longer needed."""
        if self.finished:
            return 1.0
        shares = [
            min(runner.seconds / self.spec.budget, 1.0) if runner.running else 1.0
            for heat in self.heats
            for runner in heat.runners
        ]
        return sum(shares) / (self.spec.repeats * len(self.spec.methods))

    @property
    def labels(self) -> dict[str, str]:
        return {key: METHODS[self.spec.problem][key].label for key in self.spec.methods}

    def runners_of(self, key: str) -> list[Runner]:
        """The runs of one method, a repeat each."""
        return [runner for heat in self.heats for runner in heat.runners if runner.key == key]


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """The BLAS libraries there are. Finding them takes longer than limiting them."""
    return ThreadpoolController().select(user_api="blas")


def _one_blas_thread():
    """Two threads are slower than one as soon as anybody else uses the machine."""
    return _blas().limit(limits=1)


def _solver_clock() -> Callable[[], float]:
    """CPU time of the thread that works, which other visitors and programs cannot lengthen.

    Only where all BLAS work is known to be done in that thread; otherwise the wall's time.
    """
    return time.thread_time if _blas().info() else time.perf_counter


@cache
def _warm_up(problem: str) -> None:
    """Let every method take its first steps once: what it loads then is no part of any race."""
    extras = 2 if problem == "overlapped" else 0
    posed = RaceSpec(problem, 12, 24, 4, extras=extras, lam=1.0).build()
    for method in METHODS[problem].values():
        if method.accepts(posed) is None:
            solve(posed, method, max_iter=5)


# -- what it shows ---------------------------------------------------------------------------------

MEASURES = MappingProxyType(
    {
        "objective": "Objective",
        "suboptimality": "Certified suboptimality",
        "gap": "Relative gap",
        "change": "Relative change of w",
    }
)


def values(measure: str, history: History, bound: float) -> np.ndarray:
    """A measured quantity at each row of a history; `bound` is the best one of all contestants."""
    if measure == "suboptimality":
        return history["objective"] - bound
    return history[measure]


@dataclass(frozen=True)
class Curve:
    """What one method's repeats show of a measure: the median, and the lowest and highest."""

    key: str
    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


def curves(race: Race, measure: str, against: str) -> list[Curve]:
    """A curve per method, against "seconds" of solver time or "iteration"s.

    With several repeats the curve is their median and the band reaches from the lowest to the
    highest, on a common grid; a run that has ended keeps its last value.
    """
    found = []
    for key, label in race.labels.items():
        runs = []
        for heat in race.heats:
            for runner in heat.runners:
                if runner.key == key and len(runner.history):
                    x = runner.history[against].astype(float)
                    y = values(measure, runner.history, heat.bound)
                    known = np.isfinite(y)
                    if known.any():
                        runs.append((x[known], y[known]))
        if len(runs) == 1:
            found.append(Curve(key, label, *runs[0]))
        elif runs:
            found.append(Curve(key, label, *_median_and_band(runs)))
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


def why_not_log(curves: Sequence[Curve], measure: str) -> str | None:
    """None, or the reason why these curves cannot be drawn on a logarithmic scale."""
    for curve in curves:
        lowest = curve.y if curve.low is None else curve.low
        wrong = int(np.count_nonzero(lowest <= 0.0))
        if wrong:
            times = "once" if wrong == 1 else f"{wrong} times"
            return (
                f"{MEASURES[measure].lower()} of {curve.label} is 0 or below {times}, and a "
                "logarithm knows no such value"
            )
    return None


RATES = MappingProxyType({"O(1/√k)": 0.5, "O(1/k)": 1.0, "O(1/k²)": 2.0})


@dataclass(frozen=True)
class Guide:
    """A rate of convergence as a line, y ∝ k^−power."""

    label: str
    x: np.ndarray
    y: np.ndarray


def guides(curves: Sequence[Curve], points: int = 60) -> list[Guide]:
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
            found.append(Guide(label, x, height * (start / x) ** power))
    return found


@dataclass(frozen=True)
class Standing:
    """How a method did: medians over the repeats; infinite where a level was not reached."""

    key: str
    label: str
    seconds_to: Mapping[float, float]
    iterations_to: Mapping[float, float]
    gap: float
    suboptimality: float
    seconds: float
    iterations_per_second: float
    nonzeros: float
    statuses: tuple[str, ...]

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


def _reached(history: History, levels) -> list[tuple[float, float]]:
    """Solver seconds and iterations until each level was certified; infinite if never."""
    gaps, found = certified_gaps(history), []
    for level in levels:
        there = np.flatnonzero(gaps <= level)
        row = history[int(there[0])] if there.size else None
        found.append((row.seconds, float(row.iteration)) if row else (np.inf, np.inf))
    return found


def podium(race: Race) -> list[Standing]:
    """The contestants, first the one that was first at the tolerance, then by certificate."""
    standings = []
    for key, label in race.labels.items():
        runs = [
            (runner, runner.result, heat.bound)
            for heat in race.heats
            for runner in heat.runners
            if runner.key == key and len(runner.history)
        ]
        if runs:
            standings.append(_standing(key, label, runs, {*LEVELS, race.spec.tol}))
    return sorted(standings, key=lambda one: (one.seconds_to[race.spec.tol], one.gap))


def _standing(key, label, runs, levels) -> Standing:
    rows = [_reached(runner.history, levels) for runner, _, _ in runs]
    reach = dict(zip(levels, zip(*rows, strict=True), strict=True))
    results = [result for _, result, _ in runs]

    def middle(numbers) -> float:
        return float(np.median(list(numbers)))

    return Standing(
        key,
        label,
        {level: middle(seconds for seconds, _ in pairs) for level, pairs in reach.items()},
        {level: middle(count for _, count in pairs) for level, pairs in reach.items()},
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
    )


def answer(race: Race, standings: Sequence[Standing]) -> str:
    """Who won, in one sentence with its numbers; true at any moment of a race."""
    tol = race.spec.tol
    if not standings:
        return "no measurement yet"
    first, rest = standings[0], standings[1:]
    time_to = first.seconds_to[tol]
    if not np.isfinite(time_to):
        best = min(standings, key=lambda standing: standing.gap)
        return (
            f"nobody has a certificate of {tol:.0e} after {_duration(best.seconds)} of solver "
            f"time; {best.label} is closest with {best.gap:.0e}"
        )
    sentence = f"{first.label} is certified to {tol:.0e} after {_duration(time_to)}"
    if not rest:
        return sentence
    second = rest[0]
    if np.isfinite(second.seconds_to[tol]):
        ratio = second.seconds_to[tol] / time_to if time_to > 0.0 else np.inf
        sentence += f", {_times(ratio)} as fast as {second.label}"
        rest = rest[1:]
    late = [standing.label for standing in rest if not np.isfinite(standing.seconds_to[tol])]
    if late and race.finished and not race.cancelled:
        allowed = _duration(race.spec.budget)
        sentence += f"; {_listed(late)} did not get there in {allowed}"
    elif late:
        sentence += f"; {_listed(late)} not yet"
    return sentence


def headline(race: Race, standings: Sequence[Standing], *, example: bool) -> str:
    """The page's answer: the finding, and of which race it is."""
    finding = answer(race, standings)
    if not race.finished:
        return f"So far: {finding} ({race.spec.description})."
    finding = finding[0].upper() + finding[1:]
    if example:
        return f"{finding}: a small example, {race.spec.description}."
    if race.cancelled:
        return f"{finding}, when the race was cancelled ({race.spec.description})."
    return f"{finding} ({race.spec.description})."


def podium_table(standings: Sequence[Standing]) -> dict[str, list[str]]:
    """The podium as columns of text: one for each contestant, the first one first.

    Contestants are columns because they are few: a phone shows the table without scrolling.
    """

    def reach(standing, level) -> str:
        seconds, iterations = standing.seconds_to[level], standing.iterations_to[level]
        return f"{_duration(seconds)} · {iterations:,.0f}" if np.isfinite(seconds) else "—"

    rows = {
        **{
            f"to {level:.0e}": [reach(standing, level) for standing in standings]
            for level in LEVELS
        },
        "final certificate": [_size(standing.gap) for standing in standings],
        "above best bound": [_size(standing.suboptimality) for standing in standings],
        "iterations/s": [f"{standing.iterations_per_second:,.0f}" for standing in standings],
        "nonzeros": [f"{standing.nonzeros:,.0f}" for standing in standings],
        "status": [standing.status for standing in standings],
    }
    columns = {"method": list(rows)}
    for place, standing in enumerate(standings):
        columns[standing.label] = [row[place] for row in rows.values()]
    # A number is not to be broken at its minus sign.
    return {
        name: [text.replace("e-", "e\u2011") for text in column] for name, column in columns.items()
    }


def _size(value: float) -> str:
    if not np.isfinite(value):
        return "none"
    return "below 1e-15" if value < 1e-15 else f"{value:.1e}"


def title(race: Race, standings: Sequence[Standing], measure: str) -> str:
    """A chart title: where the contestants stand by this measure."""
    if not standings:
        return "The race has not begun"
    first = standings[0]
    time_to = first.seconds_to[race.spec.tol]
    if measure == "objective":
        lowest = min((runner.result.objective, runner.label) for runner in race.heats[-1].runners)
        return f"{lowest[1]} has the lowest objective, {lowest[0]:.6g}"
    if np.isfinite(time_to):
        return f"{first.label} is first at {race.spec.tol:.0e}: {_duration(time_to)}"
    best = min(standings, key=lambda standing: standing.gap)
    return f"{best.label} leads with a certified gap of {best.gap:.0e}"


def _duration(seconds: float) -> str:
    if seconds < 0.00995:
        return f"{1000.0 * seconds:.2g} ms"
    if seconds < 0.9995:
        return f"{1000.0 * seconds:.0f} ms"
    return f"{seconds:.3g} s"


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 10.0 else f"{ratio:.0f} times"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def progress_line(race: Race) -> str:
    """Where a race is, in words."""
    spec = race.spec
    if not race.heats:
        return f"about to draw the data of {spec.description}"
    heat = race.heats[-1]
    ended = sum(not runner.running for runner in heat.runners)
    solver_time = max(runner.seconds for runner in heat.runners)
    words = [
        f"{ended} of {len(heat.runners)} lanes have ended",
        f"{_duration(solver_time)} of at most {_duration(spec.budget)} solver time a lane",
        "one BLAS thread",
    ]
    if spec.repeats > 1:
        words.insert(0, f"repeat {len(race.heats)} of {spec.repeats}")
    return ", ".join(words)


# -- to take home ----------------------------------------------------------------------------------


def table(race: Race) -> dict[str, np.ndarray]:
    """All histories as columns, one row per measurement."""
    columns: dict[str, list] = {"method": [], "label": [], "repeat": [], "seed": []}
    parts: dict[str, list[np.ndarray]] = {name: [] for name in History.columns}
    for repeat, heat in enumerate(race.heats):
        for runner in heat.runners:
            rows = len(runner.history)
            columns["method"] += [runner.key] * rows
            columns["label"] += [runner.label] * rows
            columns["repeat"] += [repeat + 1] * rows
            columns["seed"] += [race.spec.seed + repeat] * rows
            for name in parts:
                parts[name].append(runner.history[name][:rows])
    joined = {
        name: np.concatenate(pieces) if pieces else np.array([]) for name, pieces in parts.items()
    }
    return {**{name: np.array(column) for name, column in columns.items()}, **joined}


def document(race: Race) -> dict:
    """Spec, results and histories, with nothing in it that JSON does not know."""
    runs = []
    for repeat, heat in enumerate(race.heats):
        for runner in heat.runners:
            result = runner.result
            runs.append(
                {
                    "method": runner.key,
                    "label": runner.label,
                    "repeat": repeat + 1,
                    "seed": race.spec.seed + repeat,
                    "status": result.status,
                    "status_in_words": result.message,
                    "objective": _number(result.objective),
                    "bound": _number(result.bound),
                    "gap": _number(result.gap),
                    "iterations": result.n_iter,
                    "seconds": result.seconds,
                    "nonzeros": int(np.count_nonzero(result.w)),
                    "history": {
                        name: [_number(value) for value in runner.history[name].tolist()]
                        for name in History.columns
                    },
                }
            )
    return {"spec": asdict(race.spec), "cancelled": race.cancelled, "runs": runs}


def _number(value):
    """JSON has no infinity and no nan."""
    return value if np.isfinite(value) else None


# -- who may race ----------------------------------------------------------------------------------


class Turnstile:
    """One at a time, first come first served; who is not heard of for a while loses the place.

    A ticket's holder calls `turn` again and again. The first of the queue has the turn until it
    leaves or falls silent for `patience` seconds; while it works inside `turn` it is not silent.
    """

    def __init__(self, patience: float = 5.0, clock=time.monotonic):
        self.patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._heard: dict[str, float] = {}
        self._working: str | None = None

    @contextmanager
    def turn(self, ticket: str):
        """Queue up or be heard again; gives the place in the queue, 0 for having the turn."""
        position = self._arrive(ticket)
        try:
            yield position
        finally:
            self._rest(ticket, worked=position == 0)

    def leave(self, ticket: str) -> None:
        """Give up the turn or the place in the queue."""
        with self._lock:
            self._heard.pop(ticket, None)

    @property
    def queue(self) -> tuple[str, ...]:
        """Who is waiting, the one that has the turn first."""
        with self._lock:
            self._forget_the_silent()
            return tuple(self._heard)

    def _arrive(self, ticket) -> int:
        with self._lock:
            # Heard first, so that nobody is forgotten in the moment of coming back.
            if ticket in self._heard:
                self._heard[ticket] = self._clock()
            self._forget_the_silent()
            self._heard.setdefault(ticket, self._clock())
            position = list(self._heard).index(ticket)
            if position == 0 and self._working not in (None, ticket):
                # The one before left while it was still at work; it will notice in a moment.
                return 1
            if position == 0:
                self._working = ticket
            return position

    def _rest(self, ticket, *, worked) -> None:
        with self._lock:
            if worked and self._working == ticket:
                self._working = None
            if ticket in self._heard:
                self._heard[ticket] = self._clock()

    def _forget_the_silent(self) -> None:
        oldest = self._clock() - self.patience
        for ticket, heard in list(self._heard.items()):
            if heard < oldest and ticket != self._working:
                del self._heard[ticket]


# -- where people begin ----------------------------------------------------------------------------

# Small enough to be raced while a page opens, with a λ at which all four arrive.
QUICK = RaceSpec(lam=100.0)
PAPER = MappingProxyType(
    {
        "Paper Fig. 2(a)": RaceSpec(
            problem="lasso", n_samples=400, n_features=4000, n_groups=100, budget=15.0
        ),
        "Paper Fig. 2(b)": RaceSpec(
            problem="overlapped",
            n_samples=400,
            n_features=4000,
            n_groups=100,
            extras=100,
            methods=("newton", "pcp", "kong", "pls_dn"),
            budget=15.0,
        ),
        "Paper Fig. 2(c)": RaceSpec(
            problem="svm",
            n_samples=720,
            n_features=5040,
            n_groups=720,
            methods=("newton", "licp_block", "licp", "admm"),
            budget=15.0,
        ),
    }
)
PRESELECTED = frozenset({"newton", "locp", "pcp", "kong", "dual_u", "licp", "admm"})
CONTESTANTS = tuple(dict.fromkeys(key for methods in METHODS.values() for key in methods))

# Texts, so that a typed address means the same as the control's own.
LAMS = ("paper", "0.001", "0.01", "0.1", "1", "3", "10", "30", "100", "300", "1000")
STRENGTHS = ("0.01", "0.1", "1", "10", "100")
CORRELATIONS = ("0", "0.3", "0.5", "0.7", "0.9", "0.99")
TOLERANCES = ("1e-2", "1e-4", "1e-6", "1e-8")


def controls_of(spec: RaceSpec) -> dict[str, str | int | float | bool]:
    """A spec as the values of named controls, the inverse of `spec_of`.

    The switches of other problems' methods are left alone.
    """
    overlapped = spec.problem == "overlapped"
    return {
        "problem": PROBLEMS[spec.problem],
        "samples": spec.n_samples,
        "features": spec.n_features,
        "groups": spec.n_groups,
        "lam": "paper" if spec.lam is None else f"{spec.lam:g}",
        "alpha": f"{spec.alpha:g}",
        "beta": f"{spec.beta:g}",
        "overlap": spec.extras if overlapped else 20,
        "extras": 0 if overlapped else spec.extras,
        "rho": f"{spec.rho:g}",
        "seed": spec.seed,
        "tol": next(text for text in TOLERANCES if float(text) == spec.tol),
        "budget": spec.budget,
        "repeats": spec.repeats,
        **{f"m_{key}": key in spec.methods for key in METHODS[spec.problem]},
    }


def spec_of(controls: Mapping) -> RaceSpec:
    """The race that some controls describe; methods that refuse the problem are left out."""
    problem = problem_called(controls["problem"])
    extras = {"lasso": 0, "overlapped": controls["overlap"]}.get(problem, controls["extras"])
    spec = RaceSpec(
        problem=problem,
        n_samples=int(controls["samples"]),
        n_features=int(controls["features"]),
        n_groups=int(controls["groups"]),
        extras=int(extras),
        rho=float(controls["rho"]),
        lam=None if controls["lam"] == "paper" else float(controls["lam"]),
        alpha=float(controls["alpha"]),
        beta=float(controls["beta"]),
        seed=int(controls["seed"]),
        methods=tuple(key for key in METHODS[problem] if controls[f"m_{key}"]),
        tol=float(controls["tol"]),
        budget=float(controls["budget"]),
        repeats=int(controls["repeats"]),
    )
    refused = refused_by(spec)
    return replace(spec, methods=tuple(key for key in spec.methods if key not in refused))


def problem_called(label: str) -> str:
    """The key of a problem from its label, which is what controls and addresses carry."""
    return next(key for key, name in PROBLEMS.items() if name == label)


def refused_by(spec: RaceSpec) -> Mapping[str, str]:
    """The methods that cannot take part, with the reason; none where the data are impossible."""
    if refusal(replace(spec, methods=("any",))) is not None:
        return MappingProxyType({})
    return refused_methods(
        spec.problem, spec.n_samples, spec.n_features, spec.n_groups, spec.extras > 0
    )


def default_controls() -> dict[str, str | int | float | bool]:
    """The quick race, with each problem's preselected methods: four of them at most."""
    return {**controls_of(QUICK), **{f"m_{key}": key in PRESELECTED for key in CONTESTANTS}}


def presets() -> dict[str, dict]:
    """The changes that the paper's races make to the default controls."""
    return {label: controls_of(spec) for label, spec in PAPER.items()}
