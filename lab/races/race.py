"""A race as a suspended computation.

It has no thread of its own: whoever holds it calls `advance(seconds)` now and then, and looks at it
in between.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from threadpoolctl import ThreadpoolController

from lab.data.datasets import Dataset
from lab.races.lanes import Heat
from lab.races.specs import METHODS, RaceSpec, refusal
from solvers.threads import one_thread
from solvers.tracking import solve


class Race:
    """A suspended race. `advance` lets it run for a while; nothing happens in between.

    The repeats are run one after another, each with fresh data that are drawn when it begins and
    dropped when it ends. A visitor's own `table` comes with it.
    """

    def __init__(self, spec: RaceSpec, table: Dataset | None = None):
        reason = refusal(spec)
        if reason is not None:
            raise ValueError(reason)
        self.spec = spec
        self.table = table
        self.ticket = uuid.uuid4().hex[:12]
        self.heats: list[Heat] = []
        self.paused = False
        self.cancelled = False
        self.trouble = ""  # why it could not go on, where it could not
        self.made: dict = {}  # when and on what, where that was not here and now

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
        problem = self.spec.build(len(self.heats), self.table)
        methods = [METHODS[self.spec.problem][key] for key in self.spec.methods]
        _warm_up(self.spec.problem)
        self.heats.append(
            Heat(
                problem,
                methods,
                tol=self.spec.tol,
                max_seconds=self.spec.budget,
                clock=solver_clock(),
            )
        )

    def advance(self, seconds: float = np.inf) -> None:
        """Run for about that many seconds of wall time with one BLAS thread, or to the end."""
        until = time.perf_counter() + seconds
        with one_thread():
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


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """The BLAS libraries there are. Finding them takes longer than limiting them."""
    return ThreadpoolController().select(user_api="blas")


def solver_clock() -> Callable[[], float]:
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
