"""Long computations that pages start, watch and cancel: one at a time, in processes of their own.

A job is a list of calls of one pure function. A `JobQueue` runs one job of a server at a time; the
others wait, and say where in the line they are and for how long. Between two calls a long job gives
way to newcomers, by the rules of `lab.running.line`. The calls run through joblib, in niced
processes with one BLAS thread each, so that the server's own process stays free for pages, or on
the Dask cluster that the operator names in EXCLUSIVE_SPARSITY_DASK.

- A page *touches* the job that it shows. A job that nobody has touched for a minute is cancelled,
  unless it was told to keep running.
- Cancelling kills the worker processes, also in the middle of a call. What runs on Dask workers
  cannot be killed: its results are dropped.
- A worker that dies takes no result with it: what is unfinished runs again in fresh processes. A
  call that kills its worker again and again ends the job with a sentence.
- Workers leave by themselves when the process that started them is gone.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache
from typing import Any

import joblib
from joblib.externals.loky.process_executor import ShutdownExecutorError

from lab.running import line
from lab.running.job import ENDED, NOTHING, Job, Snapshot
from lab.running.pools import DASK_VARIABLE, DaskPool, Failure, ProcessPool, sentence

__all__ = ["ENDED", "NOTHING", "Job", "JobQueue", "Snapshot", "shared_queue"]

_TICK_SECONDS = 0.2
_TRIES_WITHOUT_PROGRESS = 3
_KEPT_JOBS = 20
_MOST_WAITING = 50


class JobQueue:
    """The computations of one server process, one at a time, short ones before long ones.

    `workers` processes (one less than there are cores), or the cluster at `dask`, an address that
    only the operator can give. A job untouched for `expiry_seconds` is cancelled.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        expiry_seconds: float = 60.0,
        dask: str | None = None,
    ):
        self.workers = max(1, joblib.cpu_count() - 1) if workers is None else workers
        self.expiry_seconds = expiry_seconds
        address = os.environ.get(DASK_VARIABLE, "").strip() if dask is None else dask
        self._pool = DaskPool(address) if address else ProcessPool(self.workers, at_exit=self.close)
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._jobs: dict[str, Job] = {}
        self._waiting: list[Job] = []
        self._running: Job | None = None
        self._arrivals = 0
        self._paces: dict[Callable, float] = {}
        self._closed = False
        self._threads: list[threading.Thread] = []

    def submit(
        self,
        title: str,
        function: Callable,
        argument_list: Sequence[tuple],
        *,
        already_done: Mapping[int, Any] = NOTHING,
        on_result: Callable[[int, Any], None] | None = None,
        keep_running: bool = False,
        id: str | None = None,
        costs: Sequence[float] | None = None,
    ) -> Job:
        """Put function(*arguments) for each of the argument tuples into the line.

        The function is importable from a module and its arguments can be pickled. `already_done`
        holds results by index, which are not computed again. `on_result(index, value)` is called
        for every new result, in a thread of the queue. `costs` weigh the calls when the time left
        is guessed. An `id` that is waiting or running already is that same job. Where too many wait
        already, the job has failed at once, and says so.
        """
        calls = [tuple(arguments) for arguments in argument_list]
        costs = [1.0] * len(calls) if costs is None else [float(cost) for cost in costs]
        if len(costs) != len(calls):
            raise ValueError(f"there are {len(calls)} calls but {len(costs)} costs.")
        with self._lock:
            if self._closed:
                raise RuntimeError("this queue is closed; make a new one.")
            known = self._jobs.get(id) if id else None
            if known is not None and known._state not in ENDED:
                known.keep_running |= keep_running
                known.touch()
                return known
            self._arrivals += 1
            job = Job(
                self,
                id or uuid.uuid4().hex[:12],
                self._arrivals,
                title,
                function,
                calls,
                {index: already_done[index] for index in already_done if index < len(calls)},
                on_result,
                costs,
            )
            job.keep_running = keep_running
            self._jobs.pop(job.id, None)
            self._jobs[job.id] = job
            self._forget_old()
            if len(self._waiting) >= _MOST_WAITING:
                job._end(
                    "failed",
                    f"{_MOST_WAITING} computations wait in this line already, and it takes "
                    "no more; try again in a few minutes.",
                )
                return job
            self._waiting.append(job)
            self._start_threads()
            self._arrived.notify_all()
        return job

    def get(self, id: str) -> Job | None:
        return self._jobs.get(id)

    def jobs(self) -> list[Job]:
        """All jobs that are remembered, the oldest first."""
        with self._lock:
            return list(self._jobs.values())

    def close(self) -> None:
        """Cancel everything and end the workers."""
        with self._lock:
            self._closed = True
            live = self._live()
            self._arrived.notify_all()
        for job in live:
            job.cancel()
        self._pool.kill()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)
        self._pool.close()

    # -- the dispatcher and its watchman ---------------------------------------------------

    def _start_threads(self) -> None:
        if self._threads:
            return
        for name, target in (("job dispatcher", self._dispatch), ("job watchman", self._watch)):
            self._threads.append(threading.Thread(target=target, name=name, daemon=True))
        for thread in self._threads:
            thread.start()

    def _dispatch(self) -> None:
        while True:
            with self._arrived:
                while not self._waiting and not self._closed:
                    self._arrived.wait()
                if self._closed:
                    return
                job = self._in_order(time.monotonic())[0]
                self._waiting.remove(job)
                if not job._begin():
                    continue
                self._running = job
            try:
                self._run(job)
            except Exception as error:
                job._end("failed", sentence(error))
            finally:
                with self._lock:
                    self._running = None
                    if job._state == "queued":
                        self._waiting.append(job)
                    else:
                        self._note_pace(job)

    def _in_order(self, now: float) -> list[Job]:
        """Those who wait, who would be taken first at the front."""
        left, ordered = list(self._waiting), []
        while left:
            first = line.first_of([job.place for job in left], now)
            ordered.append(next(job for job in left if job.place is first))
            left.remove(ordered[-1])
        return ordered

    def _gives_way(self, job: Job) -> bool:
        with self._lock:
            waiting = [other.place for other in self._waiting if not other._stop.is_set()]
        return line.gives_way(job.place, job._turn_seconds(), waiting, time.monotonic())

    def _calls_of_turn(self, job: Job, left: list[int]):
        """The calls of one turn: after the first, each asks whether others are to go on."""
        for count, index in enumerate(left):
            if count and self._gives_way(job):
                return
            yield job._function, index, job._calls[index]

    def _note_pace(self, job: Job) -> None:
        """How long a unit of cost takes for this function, to guess how long others will need."""
        pace = job._seconds_per_cost(job.place.served)
        if pace is not None:
            self._paces[job._function] = pace

    def _usual_pace(self, function: Callable) -> float | None:
        return self._paces.get(function)

    def _run(self, job: Job) -> None:
        tries = 0
        while not job._stop.is_set():
            left = job._unfinished()
            if not left:
                job._end("done")
                return
            if tries == _TRIES_WITHOUT_PROGRESS:
                job._end(
                    "failed",
                    f"The worker processes died {tries} times in a row at the same place, perhaps "
                    "for want of memory; try a smaller problem.",
                )
                return
            tries += 1
            try:
                for outcome in self._pool.results(self._calls_of_turn(job, left)):
                    if isinstance(outcome, Failure):
                        self._pool.kill()
                        job._end("failed", outcome.sentence)
                        return
                    tries = 0
                    job._add(*outcome)
                    if job._stop.is_set():
                        break
            except (BrokenProcessPool, ShutdownExecutorError):
                continue  # a worker died or was killed: the loop runs what is left, or ends
            if job._unfinished() and not job._stop.is_set():
                job._rest()
                return
        self._pool.kill()
        job._end("cancelled")

    def _watch(self) -> None:
        """End what was cancelled or forgotten; repeated, since workers may be about to start."""
        unfinished = False
        while True:
            with self._arrived:
                while not self._live() and not self._closed and not unfinished:
                    self._arrived.wait()
                if self._closed:
                    return
                live = self._live()
            time.sleep(_TICK_SECONDS)
            for job in live:
                if job._expired(self.expiry_seconds):
                    job.cancel()
            self._interrupt()
            unfinished = self._pool.check()

    def _interrupt(self) -> None:
        with self._lock:
            self._waiting = [job for job in self._waiting if not job._stop.is_set()]
            running = self._running
        if running is not None and running._stop.is_set():
            self._pool.kill()

    def _live(self) -> list[Job]:
        return [*self._waiting, *([self._running] if self._running else [])]

    def _outlook(self, job: Job) -> tuple[int, float]:
        """The place of a job in the line, and the seconds until its turn comes; 0 if it has it."""
        now = time.monotonic()
        with self._lock:
            if job not in self._waiting:
                return 0, 0.0
            position = self._in_order(now).index(job) + 1
            waiting, running = list(self._waiting), self._running
        left = {other.place.number: other._guess_left() for other in waiting}
        places = [other.place for other in waiting]
        free_in = 0.0
        if running is not None:
            needs = running._guess_left()
            free_in = min(needs, self._until_it_gives_way(running, places, now))
            if needs > free_in:
                place = replace(running.place)
                place.serve(running._turn_seconds() + free_in, now + free_in)
                places.append(place)
                left[place.number] = needs - free_in
        return position, free_in + line.expected_wait(job.place, places, left, now + free_in)

    @staticmethod
    def _until_it_gives_way(running: Job, waiting: list[line.Place], now: float) -> float:
        """The rest of its undisturbed time or slice, and half a call beyond."""
        per_call = running._seconds() / max(1, len(running._finished - running._known))
        left = line.undisturbed(running.place, running._turn_seconds(), waiting, now)
        return left + 0.5 * per_call

    def _forget_old(self) -> None:
        ended = [job for job in self._jobs.values() if job._state in ENDED]
        for job in ended[: max(0, len(ended) - _KEPT_JOBS)]:
            del self._jobs[job.id]


@lru_cache(maxsize=1)
def shared_queue() -> JobQueue:
    """The one queue of this server process, for all pages and visitors.

    Browsers wake a hidden tab about once a minute, so a job may go untouched for that long.
    """
    return JobQueue(expiry_seconds=90.0)
