"""One long computation: what it has found, how long it has had and still needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from lab.running import line
from lab.running.pools import sentence

ENDED = frozenset({"done", "cancelled", "failed"})
NOTHING: Mapping[int, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Snapshot:
    """A job as it stands.

    `state` is queued, running, done, cancelled or failed; a job that gave way is queued again, with
    what it has found so far. `position` is the place in the line, 0 for a job that runs or has
    ended, and `wait_seconds` a guess of the time until its turn comes. `results` are (index, value)
    pairs in order of finishing, those known before the start first. `seconds` is the time spent
    running, `seconds_left` a guess, None while there is nothing to go by. `error` is one sentence,
    empty if there is nothing to say.
    """

    state: str
    position: int
    wait_seconds: float
    done: int
    total: int
    seconds: float
    seconds_left: float | None
    results: tuple
    error: str


class Job:
    """One computation in the queue. Made by `JobQueue.submit`; safe to use from any thread."""

    def __init__(self, queue, id, number, title, function, calls, already_done, on_result, costs):
        self.id = id
        self.title = title
        self.keep_running = False
        self._queue = queue
        self._function = function
        self._calls = calls
        self._total = len(calls)
        self._costs = costs
        self._on_result = on_result
        self._lock = threading.Lock()
        self._state = "queued"
        self._error = ""
        self._results = tuple(already_done.items())
        self._finished = set(already_done)
        self._known = frozenset(already_done)
        self._turn_began: float | None = None
        # Seconds and costs until there was a result for each worker, which had to start first.
        self._warm: tuple[float, float] | None = None
        self.place = line.Place(number, time.monotonic())
        self._touched = time.monotonic()
        self._stop = threading.Event()

    def snapshot(self) -> Snapshot:
        position, wait = self._queue._outlook(self)
        with self._lock:
            seconds = self._seconds()
            queued = self._state == "queued"
            return Snapshot(
                self._state,
                position if queued else 0,
                wait if queued else 0.0,
                len(self._finished),
                self._total,
                seconds,
                self._seconds_left(seconds),
                self._results,
                self._error,
            )

    def cancel(self) -> None:
        """Stop the job; what it has found so far stays. Returns at once."""
        self._stop.set()
        with self._lock:
            if self._state == "queued":
                self._state = "cancelled"
                self._release()
        self._queue._interrupt()

    def touch(self) -> None:
        """Say that somebody still looks at this job."""
        self._touched = time.monotonic()

    def let_go(self, seconds: float = 15.0) -> None:
        """Say that a page which showed this job is gone: unless touched again, it ends soon."""
        self._touched = min(self._touched, time.monotonic() + seconds - self._queue.expiry_seconds)

    # What only the queue calls.

    def _begin(self) -> bool:
        with self._lock:
            if self._state != "queued":
                return False
            self._state, self._turn_began = "running", time.monotonic()
            return True

    def _rest(self) -> None:
        """Go back into the line with what has been found."""
        with self._lock:
            self._end_turn()
            self._state = "queued"

    def _end(self, state: str, error: str = "") -> None:
        with self._lock:
            self._end_turn()
            self._state = state
            self._error = error or self._error
            self._release()

    def _end_turn(self) -> None:
        if self._turn_began is not None:
            now = time.monotonic()
            self.place.serve(now - self._turn_began, now)
            self._turn_began = None

    def _release(self) -> None:
        """Let go of what the calls were given: a visitor's table must not outlive its work."""
        self._calls, self._on_result = (), None

    def _unfinished(self) -> list[int]:
        return [index for index in range(self._total) if index not in self._finished]

    def _add(self, index: int, value: Any) -> None:
        with self._lock:
            if index in self._finished:
                return
            self._finished.add(index)
            self._results = (*self._results, (index, value))
            if len(self._finished - self._known) == self._queue.workers:
                self._warm = self._seconds(), self._cost_done()
        if self._on_result is None:
            return
        try:
            self._on_result(index, value)
        except Exception as error:
            # The result is here; that it could not be kept elsewhere must not lose the rest.
            with self._lock:
                self._error = sentence(error)

    def _expired(self, seconds: float) -> bool:
        return not self.keep_running and time.monotonic() - self._touched > seconds

    def _turn_seconds(self) -> float:
        began = self._turn_began
        return 0.0 if began is None else time.monotonic() - began

    def _seconds(self) -> float:
        return self.place.served + self._turn_seconds()

    def _seconds_left(self, seconds: float) -> float | None:
        if self._state in ENDED:
            return 0.0
        pace = self._seconds_per_cost(seconds) or self._queue._usual_pace(self._function)
        return None if pace is None else pace * self._cost_left()

    def _seconds_per_cost(self, seconds: float) -> float | None:
        if self._warm is None:
            return None
        began, before = self._warm
        done = self._cost_done() - before
        return (seconds - began) / done if done > 0.0 else None

    def _cost_done(self) -> float:
        return sum(self._costs[index] for index in self._finished - self._known)

    def _cost_left(self) -> float:
        return sum(self._costs[index] for index in self._unfinished())

    def _guess_left(self) -> float:
        """Seconds still needed; where there is nothing to go by, what a newcomer is given."""
        with self._lock:
            known = self._seconds_left(self._seconds())
        return line.NEWCOMER_SECONDS if known is None else known
