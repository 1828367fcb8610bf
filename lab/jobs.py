"""Long computations that pages start, watch and cancel: one at a time, in processes of their own.

A job is a list of calls of one pure function. A `JobQueue` runs the jobs of a server in the order
in which they came; the others wait, and say where in the line they are. The calls run through
joblib, in niced processes with one BLAS thread each, so that the server's own process stays free
for pages, or on the Dask cluster that the operator names in EXCLUSIVE_SPARSITY_DASK.

- A page *touches* the job that it shows. A job that nobody has touched for a minute is cancelled,
  unless it was told to keep running.
- Cancelling kills the worker processes, also in the middle of a call. What runs on Dask workers
  cannot be killed: its results are dropped.
- A worker that dies takes no result with it: what is unfinished runs again in fresh processes. A
  call that kills its worker again and again ends the job with a sentence.
- Workers leave by themselves when the process that started them is gone.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import joblib
from joblib.externals.loky.process_executor import ProcessPoolExecutor, ShutdownExecutorError
from joblib.parallel import ParallelBackendBase

from lab import priority

DASK_VARIABLE = "EXCLUSIVE_SPARSITY_DASK"

ENDED = frozenset({"done", "cancelled", "failed"})
NOTHING: Mapping[int, Any] = MappingProxyType({})

_IDLE_SECONDS = 120  # after which workers leave, and with them what they imported
_TICK_SECONDS = 0.2
_TRIES_WITHOUT_PROGRESS = 3
_KEPT_JOBS = 20
_MOST_WAITING = 50
_DASK_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Snapshot:
    """A job as it stands.

    `state` is queued, running, done, cancelled or failed; `position` the place in the line, 0 for a
    job that runs or has ended. `results` are (index, value) pairs in order of finishing, those
    known before the start first. `seconds` is the time spent running, `seconds_left` a guess, None
    while there is nothing to go by. `error` is one sentence, empty if there is nothing to say.
    """

    state: str
    position: int
    done: int
    total: int
    seconds: float
    seconds_left: float | None
    results: tuple
    error: str


class Job:
    """One computation in the queue. Made by `JobQueue.submit`; safe to use from any thread."""

    def __init__(self, queue, id, title, function, calls, already_done, on_result, costs):
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
        self._started = self._ended = None
        self._touched = time.monotonic()
        self._stop = threading.Event()

    def snapshot(self) -> Snapshot:
        position = self._queue._position(self)
        with self._lock:
            seconds = self._seconds()
            return Snapshot(
                self._state,
                position if self._state == "queued" else 0,
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
            self._state, self._started = "running", time.monotonic()
            return True

    def _end(self, state: str, error: str = "") -> None:
        with self._lock:
            self._state, self._ended = state, time.monotonic()
            self._error = error or self._error
            self._release()

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
        if self._on_result is None:
            return
        try:
            self._on_result(index, value)
        except Exception as error:
            # The result is here; that it could not be kept elsewhere must not lose the rest.
            with self._lock:
                self._error = _sentence(error)

    def _expired(self, seconds: float) -> bool:
        return not self.keep_running and time.monotonic() - self._touched > seconds

    def _seconds(self) -> float:
        if self._started is None:
            return 0.0
        return (self._ended or time.monotonic()) - self._started

    def _seconds_left(self, seconds: float) -> float | None:
        if self._state in ENDED:
            return 0.0
        done_here = sum(self._costs[index] for index in self._finished - self._known)
        if done_here <= 0.0:
            return None
        left = sum(self._costs[index] for index in self._unfinished())
        return seconds / done_here * left


class JobQueue:
    """The computations of one server process, one at a time, in the order of their coming.

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
        self._pool = (
            _DaskPool(address) if address else _ProcessPool(self.workers, at_exit=self.close)
        )
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._jobs: dict[str, Job] = {}
        self._waiting: list[Job] = []
        self._running: Job | None = None
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
            job = Job(
                self,
                id or uuid.uuid4().hex[:12],
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
                job = self._waiting.pop(0)
                if not job._begin():
                    continue
                self._running = job
            try:
                self._run(job)
            except Exception as error:
                job._end("failed", _sentence(error))
            finally:
                with self._lock:
                    self._running = None

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
            calls = ((job._function, index, job._calls[index]) for index in left)
            try:
                for outcome in self._pool.results(calls):
                    if isinstance(outcome, _Failure):
                        self._pool.kill()
                        job._end("failed", outcome.sentence)
                        return
                    tries = 0
                    job._add(*outcome)
                    if job._stop.is_set():
                        break
            except (BrokenProcessPool, ShutdownExecutorError):
                pass  # a worker died or was killed: the loop runs what is left, or ends
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

    def _position(self, job: Job) -> int:
        with self._lock:
            return self._waiting.index(job) + 1 if job in self._waiting else 0

    def _forget_old(self) -> None:
        ended = [job for job in self._jobs.values() if job._state in ENDED]
        for job in ended[: max(0, len(ended) - _KEPT_JOBS)]:
            del self._jobs[job.id]


# -- where calls run -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Failure:
    """A call that raised: the job's fault, not the pool's."""

    sentence: str


def _call(function, index, arguments):
    try:
        return index, function(*arguments)
    except Exception as error:
        return _Failure(_sentence(error))


def _call_with_one_thread(function, index, arguments):
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return _call(function, index, arguments)


def _sentence(error: BaseException) -> str:
    """What went wrong, in one line fit for a reader."""
    if isinstance(error, MemoryError):
        return "There was not enough memory; try a smaller problem."
    text = " ".join(str(error).split())
    if isinstance(error, (ValueError, OSError, RuntimeError)) and text:
        return text if text.endswith((".", "!", "?")) else f"{text}."
    return f"The computation stopped with {type(error).__name__}{f': {text}' if text else ''}."


def _generated(backend, call, calls):
    """Outcomes as they come, from joblib. The caller's thread must also be the one that ends it."""
    parallel = joblib.Parallel(
        n_jobs=2, backend=backend, return_as="generator_unordered", batch_size=1, max_nbytes=None
    )
    outcomes = parallel(joblib.delayed(call)(*each) for each in calls)
    backend.current = parallel
    try:
        yield from outcomes
    finally:
        with warnings.catch_warnings():
            # That calls were given up is what cancelling means.
            warnings.simplefilter("ignore", UserWarning)
            outcomes.close()


def _abort(backend) -> None:
    """Make joblib's generator end; it polls a flag, and no public call sets it from outside."""
    parallel = None if backend is None else backend.current
    if parallel is not None:
        parallel._abort()


class _Processes(ParallelBackendBase):
    """joblib on a pool that is ours alone.

    joblib's own loky backend shares its workers with everything else in the server, and with one
    worker it would run calls in the server's own process, where they cannot be killed.
    """

    supports_retrieve_callback = True
    supports_inner_max_num_threads = True

    def __init__(self, pool: _ProcessPool):
        super().__init__(nesting_level=0, inner_max_num_threads=1)
        self.pool = pool
        self.current: joblib.Parallel | None = None

    def effective_n_jobs(self, n_jobs):
        return max(2, self.pool.workers)  # at 1, joblib would not use processes

    def configure(self, n_jobs=1, parallel=None, **ignored):
        environment = self._prepare_worker_env(n_jobs=self.pool.workers)
        self.executor = self.pool.executor(environment)
        return self.effective_n_jobs(n_jobs)

    def submit(self, func, callback=None):
        future = self.executor.submit(func)
        self.pool.leave_first_at_exit()
        if callback is not None:
            future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, future):
        return future.result()

    def abort_everything(self, ensure_ready=True):
        self.pool.end_processes()


class _ProcessPool:
    """Worker processes that stay warm from one job to the next, and can be killed at any time."""

    def __init__(self, workers: int, at_exit: Callable[[], None]):
        self.workers = workers
        self._at_exit = at_exit
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None
        self._doomed: list[ProcessPoolExecutor] = []
        self._backend: _Processes | None = None
        self._leaves_at_exit = False

    def leave_first_at_exit(self) -> None:
        """End all work before loky's own exit hook waits for the calls that are running.

        Such hooks run in reverse order, and loky adds its own with a pool's first call.
        """
        if not self._leaves_at_exit:
            self._leaves_at_exit = True
            register = getattr(threading, "_register_atexit", atexit.register)
            register(self._at_exit)

    def executor(self, environment) -> ProcessPoolExecutor:
        with self._lock:
            flags = self._executor._flags if self._executor is not None else None
            if flags is None or flags.broken is not None or flags.shutdown:
                self._executor = ProcessPoolExecutor(
                    self.workers,
                    timeout=_IDLE_SECONDS,
                    initializer=_settle_in,
                    initargs=(os.getpid(),),
                    env=environment,
                )
            return self._executor

    def results(self, calls):
        self._backend = _Processes(self)
        try:
            yield from _generated(self._backend, _call, calls)
        finally:
            self._backend = None

    def kill(self) -> None:
        _abort(self._backend)
        self.end_processes()

    def end_processes(self) -> None:
        """Kill the workers as an accident would: pending calls fail, and loky's thread ends.

        Its own forced shutdown may raise in that thread while calls are being handed out, and then
        leaves both calls and workers behind.
        """
        with self._lock:
            if self._executor is not None:
                self._doomed.append(self._executor)
                self._executor = None
            doomed = list(self._doomed)
        for executor in doomed:
            if _end_executor(executor):
                with self._lock, suppress(ValueError):
                    self._doomed.remove(executor)

    def check(self) -> bool:
        """Whether there is anything left to end; a pool may have been caught while starting."""
        if self._doomed:
            self.end_processes()
        return bool(self._doomed)

    def close(self) -> None:
        self.kill()


def _end_executor(executor: ProcessPoolExecutor) -> bool:
    """Kill the workers there are; True once none is left and none can come."""
    manager = executor._executor_manager_thread
    if manager is None or manager.ident is None:
        executor.shutdown(wait=False, kill_workers=True)  # no call was handed out yet
    for process in list((executor._processes or {}).values()):
        if process.is_alive():
            with suppress(ProcessLookupError):
                os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    if manager is None:
        return True
    if manager.ident is None:
        return False
    if manager is not threading.current_thread():
        manager.join(timeout=1.0)
    return not manager.is_alive()


def _settle_in(parent: int) -> None:
    """Let others go first, and leave when the server is gone, whatever took it away."""
    priority.step_back()

    def leave_with_parent():
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=leave_with_parent, daemon=True).start()


class _DaskPool:
    """A Dask cluster, which replaces its own lost workers and repeats their calls."""

    def __init__(self, address: str):
        self.address = address
        self._lock = threading.Lock()
        self._client = None
        self._backend = None
        self._unseen_since: float | None = None

    def results(self, calls):
        self._backend = self._connected()
        try:
            yield from _generated(self._backend, _call_with_one_thread, calls)
        finally:
            self._backend = None

    def kill(self) -> None:
        _abort(self._backend)

    def check(self) -> bool:
        """Give a running job up when the cluster has been out of reach for a while."""
        client = self._client
        if client is None or client.status == "running":
            self._unseen_since = None
            return False
        self._unseen_since = self._unseen_since or time.monotonic()
        if time.monotonic() - self._unseen_since > _DASK_PATIENCE_SECONDS:
            self._unseen_since = None
            self.kill()
        return False

    def close(self) -> None:
        if self._client is not None:
            self._client.close(timeout=2)
            self._client = None

    def _connected(self):
        try:
            from distributed import Client
            from joblib._dask import DaskDistributedBackend
        except ImportError as error:
            raise RuntimeError(
                f"{DASK_VARIABLE} names a Dask cluster, but Dask is not installed here; install "
                "distributed, or unset the variable."
            ) from error

        class Cluster(DaskDistributedBackend):
            current = None

            def configure(self, n_jobs=1, parallel=None, **ignored):
                # At 1, joblib would run the calls in this process.
                return max(2, super().configure(n_jobs, parallel))

        try:
            if self._client is None or self._client.status != "running":
                self._client = Client(self.address, timeout=10, set_as_default=False)
            return Cluster(client=self._client)
        except (OSError, TimeoutError, ValueError) as error:
            raise RuntimeError(
                f"The Dask cluster of {DASK_VARIABLE} cannot be reached; start its scheduler, or "
                "unset the variable to compute on this machine."
            ) from error


@lru_cache(maxsize=1)
def shared_queue() -> JobQueue:
    """The one queue of this server process, for all pages and visitors.

    Browsers wake a hidden tab about once a minute, so a job may go untouched for that long.
    """
    return JobQueue(expiry_seconds=90.0)
