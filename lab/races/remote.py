"""Races that run in a process of their own, so that a server's pages never wait for them.

A `RemoteRace` reads like a race and holds copies of what was measured. `advance(seconds)` lets the
lanes run for that long from now and comes back with the first news; whoever watches calls it again
before the time is over, and when nobody does, the race stands still by itself. All races of a
server share one process, started for the first of them, in which one runs at a time.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections import deque
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lab.data.datasets import Dataset
from lab.races.lanes import Heat
from lab.races.race import Race
from lab.races.specs import RaceSpec

ROOT = Path(__file__).resolve().parents[2]
# Far longer than any answer takes, the first of a large race on a busy machine included: a process
# that does not answer would keep everybody's races waiting.
PATIENCE_SECONDS = 180.0
LOST = (
    "The process that ran this race has ended, perhaps for want of memory; what it had reported is "
    "shown, and Start races again."
)


class Order(NamedTuple):
    """What the process is to do with the race of a ticket: "advance", "hold" or "cancel" it.

    `spec`, and a visitor's `table` if it is one, come with a race's first order. `seen` repeats are
    known here to the end and need no report; the `forgotten` tickets are nobody's any more.
    """

    kind: str
    ticket: str
    spec: RaceSpec | None
    seconds: float
    seen: int
    forgotten: tuple[str, ...]
    table: Dataset | None = None


class Report(NamedTuple):
    """The repeats from the first one asked for, and a sentence if the race cannot go on."""

    heats: list[Heat]
    trouble: str = ""


class RemoteRace(Race):
    """A race whose lanes run elsewhere; `heats` is what they last reported."""

    def __init__(self, spec: RaceSpec, host: RaceHost | None = None, table: Dataset | None = None):
        super().__init__(spec, table)
        self._lock = threading.RLock()  # a link lets several visitors watch one race
        self._host = the_host() if host is None else host
        self._entered = False
        weakref.finalize(self, self._host.forget, self.ticket)

    def prepare(self) -> None:
        """The process draws the data itself, at the first `advance` of a repeat."""

    def advance(self, seconds: float = 2.0) -> None:
        """Let it run for that long from now; comes back as soon as there is something new."""
        with self._lock:
            if self.advancing:
                self._order("advance", seconds)

    def pause(self) -> None:
        with self._lock:
            if self.advancing and self._entered:
                self._order("hold")
            super().pause()

    def cancel(self) -> None:
        with self._lock:
            if self.finished:
                return
            if self._entered:
                self._order("cancel")
            self.cancelled = True

    def _order(self, kind: str, seconds: float = 0.0) -> None:
        seen = sum(not heat.running for heat in self.heats)
        spec, table = (None, None) if self._entered else (self.spec, self.table)
        self._entered = True
        try:
            order = Order(kind, self.ticket, spec, seconds, seen, (), table)
            report = self._host.ask(order)
        except (OSError, EOFError, pickle.UnpicklingError):
            report = Report([], LOST)
        if report.trouble:
            self.trouble, self.cancelled = report.trouble, True
        else:
            self.heats = self.heats[:seen] + report.heats


class RaceHost:
    """The process in which the races of a server run. Orders come from any thread, one at a time.

    The process leaves when its input ends: on `close`, and whenever this process is gone. One that
    gives no answer within `patience` seconds is ended.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS):
        self._lock = threading.Lock()
        self._patience = patience
        self._process: subprocess.Popen | None = None
        self._forgotten: deque[str] = deque()

    def ask(self, order: Order) -> Report:
        """The answer of the process, which only a race's first order may start anew."""
        with self._lock:
            if self._process is None and order.spec is None:
                raise EOFError("the process has ended")
            process = self._process = self._process or _started()
            forgotten = tuple(self._forgotten.popleft() for _ in range(len(self._forgotten)))
            hung = threading.Timer(self._patience, process.kill)
            hung.daemon = True
            hung.start()
            try:
                pickle.dump(order._replace(forgotten=forgotten), process.stdin)
                process.stdin.flush()
                return pickle.load(process.stdout)
            except BaseException:
                # Half a message makes nonsense of all that follow.
                self._process = None
                _end(process)
                raise
            finally:
                hung.cancel()

    def forget(self, ticket: str) -> None:
        """Let go of a race; called from a finaliser, which must not wait for anybody."""
        self._forgotten.append(ticket)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _end(process)

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid


def _started() -> subprocess.Popen:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "lab.races.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
    )


def _end(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # a message that could not be delivered
            pipe.close()


@lru_cache(maxsize=1)
def the_host() -> RaceHost:
    """The one of this server."""
    host = RaceHost()
    atexit.register(host.close)
    return host
