"""Where calls run: in processes of our own that can be killed, or on a Dask cluster."""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import joblib
from joblib.externals.loky.process_executor import ProcessPoolExecutor
from joblib.parallel import ParallelBackendBase

from lab.running import priority

DASK_VARIABLE = "EXCLUSIVE_SPARSITY_DASK"

_IDLE_SECONDS = 120  # after which workers leave, and with them what they imported
_DASK_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Failure:
    """A call that raised: the job's fault, not the pool's."""

    sentence: str


def _call(function, index, arguments):
    try:
        return index, function(*arguments)
    except Exception as error:
        return Failure(sentence(error))


def _call_with_one_thread(function, index, arguments):
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return _call(function, index, arguments)


def sentence(error: BaseException) -> str:
    """What went wrong, in one line fit for a reader."""
    if isinstance(error, MemoryError):
        return "There was not enough memory; try a smaller problem."
    text = " ".join(str(error).split())
    if isinstance(error, (ValueError, OSError, RuntimeError)) and text:
        return text if text.endswith((".", "!", "?")) else f"{text}."
    return f"The computation stopped with {type(error).__name__}{f': {text}' if text else ''}."


def _generated(backend, call, calls, ahead):
    """Outcomes as they come, from joblib. The caller's thread must also be the one that ends it.

    `ahead` calls are handed out before the first comes back, then one for each that does.
    """
    parallel = joblib.Parallel(
        n_jobs=2,
        backend=backend,
        return_as="generator_unordered",
        batch_size=1,
        max_nbytes=None,
        pre_dispatch=ahead,
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

    def __init__(self, pool: ProcessPool):
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


class ProcessPool:
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
            # No more than run at once, so that who gives way is soon done with what was begun.
            yield from _generated(self._backend, _call, calls, self.workers)
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


class DaskPool:
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
            yield from _generated(self._backend, _call_with_one_thread, calls, "2 * n_jobs")
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
