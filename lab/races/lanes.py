"""Lanes on one problem, each given its turn in solver time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from lab.races.crossings import Crossing
from solvers.method import Method
from solvers.problems import Problem
from solvers.result import Result
from solvers.tracking import Lane

# Solver time a lane gets before the one behind is looked for again: switching after every iteration
# costs half of it, because each method finds the caches full of another's data.
SLICE = 0.02

# A race ends by tolerance, budget or arithmetic, not by a count of iterations.
_ITERATIONS = 10**9

# Rows are 1 % of the iterations apart, so that a history has about a thousand of them.
_THINNING = 1.01

Noted = Mapping[tuple[str, float], Crossing]


class Runner:
    """A lane in one draw of the data; it outlives the lane and so the data it ran on.

    A copy, as a pickle makes one, has the measurements and the result so far but no lane. `noted`
    has the crossings, by kind and level, that are known better than a thinned history tells them.
    """

    def __init__(self, lane: Lane):
        self._lane: Lane | None = lane
        self._result: Result | None = None
        self.key = lane.method.key
        self.label = lane.method.label
        self.history = lane.history
        self.noted: Noted = {}

    @classmethod
    def recorded(cls, key: str, label: str, result: Result, noted: Noted | None = None) -> Runner:
        """A lane of a race that was run before."""
        runner = cls.__new__(cls)
        runner._lane, runner._result = None, result
        runner.key, runner.label, runner.history = key, label, result.history
        runner.noted = noted or {}
        return runner

    @property
    def running(self) -> bool:
        if self._lane is not None:
            return self._lane.running
        return self._result is None or self._result.status == "running"

    @property
    def begun(self) -> bool:
        """Whether there is a measurement to show, and a result."""
        return len(self.history) > 0

    @property
    def seconds(self) -> float:
        if self._lane is not None:
            return self._lane.seconds
        return 0.0 if self._result is None else self._result.seconds

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

    def __getstate__(self) -> dict:
        # A result asked for before the first measurement would be worth one, free of charge.
        known = self.begun or not self.running
        return {**vars(self), "_lane": None, "_result": self.result if known else None}


class Heat:
    """Runners on one problem. The one that is behind in solver time is always the next to work.

    `reference` is a bound on the optimal value from a solve outside of the race, if there was one.
    """

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

        self.reference = -np.inf

    @classmethod
    def recorded(cls, runners: list[Runner]) -> Heat:
        """A repeat of a race that was run before."""
        heat = cls.__new__(cls)
        heat.runners, heat.reference = runners, -np.inf
        return heat

    @property
    def running(self) -> bool:
        return any(runner.running for runner in self.runners)

    @property
    def begun(self) -> list[Runner]:
        """The runners that have something to show."""
        return [runner for runner in self.runners if runner.begun]

    @property
    def bound(self) -> float:
        """The best lower bound on the optimal value that is known: of a runner or from outside."""
        return max([self.reference, *(runner.history[-1].bound for runner in self.begun)])

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
