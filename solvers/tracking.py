"""Clock, measuring, stopping and history: everything around a method that is not the method.

A method is an endless generator of iterates that never times, scores, stops or prints. A `Lane`
runs one against its problem, so that timing, cancelling, budgets and statuses are written once.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from .large.arrays import OutOfTime
from .problems import Candidate, Problem, Score, relative_gap
from .result import History, Record, Result
from .threads import suitable_threads
from .units import ORDINARY
from .validation import as_limit, as_start


class Lane:
    """One method on one problem: advance it, measure it, stop it.

    The clock runs only while the method works. A measurement is made when the method has worked
    `measuring_share` times as long as the last one took, and always of iteration 0 and the last;
    of every iterate where the method makes only a few. With `reproducible` the clock has no say:
    iterations 0 to 20 are measured, then one in ten at least, so that the same call always ends at
    the same iterate. `thinning` = 1.01 also waits until there are 1 % more iterations than at the
    last measurement, so that the history stays short however long the run.

    The iterate before a measurement is kept too, off the clock, so that the measurement can tell
    how far the last step went. Which one that is has to be foreseen; where a step took unforeseen
    long and a measurement fell due, its `change` is nan.

    `clock` is what counts as the method's time: the wall's, unless another one is given.

    Data that are not in memory are gone through in passes, which a method and its certificates
    share. There the clock runs on while measuring, and `max_seconds` is looked at before every
    pass, once the start has its certificate.
    """

    def __init__(
        self,
        problem: Problem,
        method,
        *,
        tol=1e-6,
        max_iter=None,
        max_seconds=None,
        w0=None,
        callback=None,
        measuring_share=1.0,
        reproducible=False,
        thinning=1.0,
        clock=None,
        options=None,
    ):
        self.problem = problem
        self.method = method
        self.tol = as_limit(tol, "tol")
        # A method that cannot reach the tolerance must still end by itself.
        self.max_iter = method.max_iter if max_iter is None else as_limit(max_iter, "max_iter")
        if self.max_iter != np.floor(self.max_iter):
            raise ValueError(f"max_iter must be a whole number, got {max_iter}.")
        self.max_seconds = np.inf if max_seconds is None else as_limit(max_seconds, "max_seconds")
        self.callback = callback
        self.status = "running"
        self.history = History()
        self.seconds = 0.0
        self.iteration = -1
        self.best: Score | None = None
        self.best_bound = -np.inf
        self._share = measuring_share
        self._reproducible = reproducible
        self._thinning = thinning
        self._clock = time.perf_counter if clock is None else clock
        self._next_measured = 0
        self._kept = (-1, None)
        self._last_step_took = 0.0
        self._timed_until = 0.0
        self._latest: Any = None
        self._latest_measured = True
        self._worked_since_measuring = 0.0
        self._last_measuring_took = 0.0
        self._progress = (0, np.inf)
        self._design = getattr(problem, "design", None)
        self._in_passes = not getattr(self._design, "in_memory", True)
        if self._in_passes:
            self._design.stop_when(self._time_is_up)
        self._units = getattr(problem, "units", ORDINARY)
        start = self._units.small_weights(as_start(w0, problem.n_features))
        self._w0 = None if start is None else problem.geometry.clip(start)
        self._iterates = method.iterates(problem, self._w0, options or {})

    @property
    def running(self) -> bool:
        return self.status == "running"

    def advance(self, seconds=np.inf) -> str:
        """Let the method work for that many seconds of its own time, or until it ends."""
        until = self.seconds + seconds
        shape = self.problem.n_samples, self.problem.n_features
        with suitable_threads(shape), np.errstate(all="ignore"):
            while self.running:
                try:
                    self._step()
                except OutOfTime:
                    # To measure once more would take a pass too.
                    self.status = "time_budget"
                    self._iterates.close()
                if self.seconds >= until:
                    break
        return self.status

    def cancel(self) -> None:
        """Stop where it is; the history stays valid and ends with the last iterate."""
        if self.running:
            self._finish("cancelled")

    def result(self) -> Result:
        if self.best is None:
            self._score_zero()
        best = self.best
        result = Result(
            w=best.w,
            intercept=best.intercept,
            objective=best.objective,
            bound=self.best_bound,
            gap=relative_gap(best.objective, self.best_bound),
            n_iter=max(self.iteration, 0),
            seconds=self.seconds,
            status=self.status,
            method=self.method.key,
            history=self.history,
            n_passes=getattr(self._design, "passes", None),
        )
        return self._units.restored(result)

    def _time_is_up(self) -> bool:
        spent = self.seconds + self._clock() - self._timed_until
        return self.best is not None and spent >= self.max_seconds

    def _step(self) -> None:
        started = self._timed_until = self._clock()
        try:
            latest = next(self._iterates)
        except StopIteration:
            self._finish("stalled")
            return
        finally:
            self._timed_until = self._clock()
            took = self._timed_until - started
            self.seconds += took
            self._worked_since_measuring += took
            self._last_step_took = took
        self._latest, self._latest_measured = latest, False
        self.iteration += 1

        out_of_iterations = self.iteration >= self.max_iter
        out_of_time = self.seconds >= self.max_seconds
        if self.iteration == 0 or self._due() or out_of_iterations or out_of_time:
            self._measure()
        elif self._due(ahead=1):
            self._keep(self._latest())
        if self.running and out_of_iterations:
            self._finish("max_iter")
        elif self.running and out_of_time:
            self._finish("time_budget")

    def _due(self, ahead=0) -> bool:
        """Whether to measure now, or probably after that many more iterations."""
        iteration = self.iteration + ahead
        if self.method.few_iterations:
            return True
        if self._reproducible:
            return iteration >= self._next_measured
        # Steps vary; one of twice the last one's length is still foreseen.
        worked = self._worked_since_measuring + 2.0 * ahead * self._last_step_took
        if ahead and iteration >= self.max_iter:
            return True
        return iteration >= self._next_measured and (
            worked >= self._share * self._last_measuring_took
        )

    def _keep(self, candidate) -> None:
        self._kept = (self.iteration, candidate.w.copy())

    def _change_to(self, w) -> float:
        """‖w − w₋‖/‖w₋‖ with w₋ the iterate just before, or nan where that one was not kept."""
        iteration, before = self._kept
        if before is None or iteration != self.iteration - 1:
            return np.nan
        size, moved = float(np.linalg.norm(before)), float(np.linalg.norm(w - before))
        if size == 0.0:
            return 0.0 if moved == 0.0 else np.inf
        return moved / size

    def _measure(self) -> None:
        started = self._clock()
        self._latest_measured = True
        candidate = self._latest()
        change = self._change_to(candidate.w)
        self._keep(candidate)
        score = self.problem.score(candidate, tol=self.tol, known_bound=self.best_bound)
        if not np.isfinite(score.objective):
            if self.best is None:
                self._score_zero()
            gap = relative_gap(self.best.objective, self.best_bound)
            self.status = "converged" if gap <= self.tol else "diverged"
            self._iterates.close()
            return
        if self.best is None and self._w0 is not None:
            # A dual method may not start at w0, and only w = 0 attains an optimal value of 0.
            self._consider(self.problem.score(Candidate(self._w0)))
            self._consider(self.problem.score(Candidate(np.zeros_like(self._w0))))
        self._consider(score)
        self._last_measuring_took = self._clock() - started
        if self._in_passes:
            self.seconds += self._last_measuring_took
            self._timed_until = started + self._last_measuring_took
        self._worked_since_measuring = 0.0
        self._next_measured = self._after_this()
        record = Record(
            self.iteration,
            self.seconds,
            score.objective,
            relative_gap(score.objective, self.best_bound),
            self.best_bound,
            int(np.count_nonzero(score.w)),
            change,
        )
        record = self._units.record(record)
        self.history.append(record)
        gap = relative_gap(self.best.objective, self.best_bound)
        seen = self._units.weights(score.w.copy())
        if self.callback is not None and self.callback(record, seen):
            self._finish("cancelled")
        elif gap <= self.tol:
            self._finish("converged")
        elif self._out_of_digits():
            self._finish("stalled")

    def _after_this(self) -> int:
        """The first iteration that may be measured next."""
        if self._reproducible:
            return self.iteration + min(max(self.iteration // 10, 1), 10)
        return max(self.iteration + 1, int(self._thinning * self.iteration))

    def _consider(self, score: Score) -> None:
        """Keep the best point and the best bound, which need not come from the same iterate."""
        if np.isfinite(score.bound):
            self.best_bound = max(self.best_bound, score.bound)
        if self.best is None or self._preferred(score):
            self.best = replace(score, w=score.w.copy())

    def _preferred(self, score: Score) -> bool:
        """The lower objective; of points within the tolerance, the sparser one."""
        if relative_gap(score.objective, self.best_bound) <= self.tol:
            if relative_gap(self.best.objective, self.best_bound) > self.tol:
                return True
            fewer = np.count_nonzero(score.w) - np.count_nonzero(self.best.w)
            return bool(fewer < 0) or (fewer == 0 and score.objective < self.best.objective)
        return score.objective < self.best.objective

    def _out_of_digits(self) -> bool:
        """A method that still works shrinks P − D by 0.1 % within half its iterations."""
        since, smallest = self._progress
        difference = self.best.objective - self.best_bound
        if difference < 0.999 * smallest:
            self._progress = (self.iteration, difference)
            return False
        return self.iteration - since > max(_PATIENCE, self.iteration // 2)

    def _finish(self, status) -> None:
        if not self._latest_measured:
            # The last iterate belongs in the history; what it shows may also be convergence.
            self._measure()
        if self.running:
            self.status = status
        self._iterates.close()

    def _score_zero(self) -> None:
        """A method that never produced a finite point leaves w = 0, certified like any other."""
        self._consider(self.problem.score(Candidate(np.zeros(self.problem.n_features))))


# Momentum can hold a first-order method at one gap for thousands of iterations.
_PATIENCE = 10_000


def solve(problem: Problem, method, *, w0=None, **options) -> Result:
    """Run a method on a problem to the end: a `Lane` advanced without a pause.

    Options are those of `Lane`.
    """
    lane = Lane(problem, method, w0=w0, **options)
    lane.advance()
    return lane.result()
