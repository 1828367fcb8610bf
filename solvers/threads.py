"""How many threads BLAS may use: one, unless a problem is large.

numpy and scipy each bring an OpenBLAS with a thread for every core. On 400 × 4000 data two threads
save a third of the time on two quiet cores, and cost twice to ten times as much beside a neighbour
who uses one of them: every product waits for its slower half. One thread is never far from the
best, and sums in one order whatever the machine has.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import OpenBLASController, ThreadpoolController

# Operations of one Gram matrix from which more threads are worth their risk: about a second.
LARGE = 2e10


@contextmanager
def _whoever_asks() -> Iterator[None]:
    """From version 3.8 on threadpoolctl does nothing for a thread, and says nothing, while another
    lives that asked before; the program's main thread is one that lives.
    """
    forget = getattr(OpenBLASController, "clear_controlling_thread", lambda force: None)
    forget(force=True)
    yield
    forget(force=True)


class _OneThread:
    """The number of threads belongs to the process, so whoever comes first sets it to one, and
    whoever leaves last puts it back as it was found, in whatever threads they are.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._controller: ThreadpoolController | None = None
        self._limits: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if self._users == 0:
                if self._controller is None:
                    # Looking for the libraries takes milliseconds, and they do not change.
                    self._controller = ThreadpoolController()
                with _whoever_asks():
                    self._limits = self._controller.limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    with _whoever_asks():
                        self._limits.restore_original_limits()


one_thread = _OneThread()


@contextmanager
def suitable_threads(shape: tuple[int, int]) -> Iterator[None]:
    """One thread inside for data of an ordinary shape, the caller's number for large ones."""
    n_samples, n_features = shape
    if 2.0 * n_samples * n_features * min(n_samples, n_features) > LARGE:
        yield
        return
    with one_thread():
        yield
