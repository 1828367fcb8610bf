"""The process in which a server's races run: `python -m lab.races.worker`.

It takes orders from its input and answers each with a report; between orders it goes on with the
race that was last let run, as long as that was granted. It leaves when its input ends.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

from lab.races.race import Race
from lab.races.remote import LOST, Order, Report
from lab.running import priority

# Wall time between two looks at the orders.
TURN_SECONDS = 0.05

# How long an order to advance waits for something that was not reported yet.
NEWS_SECONDS = 1.0


class Stable:
    """The races of a server by ticket, of which the one that was last let run may be running."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._races: dict[str, Race] = {}
        self._reported: dict[str, tuple[int, ...]] = {}
        self._troubles: dict[str, str] = {}
        self._running: str | None = None
        self._until = 0.0

    def work(self) -> bool:
        """Go on with the race that may run; False if there is nothing to do."""
        race = self._races.get(self._running)
        if race is None or not race.advancing or self._clock() >= self._until:
            return False
        try:
            race.advance(TURN_SECONDS)
        except Exception as error:
            # It is told to the race's own visitor; the races of others go on.
            self._troubles[self._running] = _sentence(error)
            self._drop(self._running)
        return True

    def carry_out(self, order: Order) -> Report:
        for ticket in order.forgotten:
            self._drop(ticket)
            self._troubles.pop(ticket, None)
        if order.spec is not None:
            self._races[order.ticket] = race = Race(order.spec, order.table)
            self._reported[order.ticket] = race.version
        race = self._races.get(order.ticket)
        if race is not None and order.kind == "advance":
            self._let_run(order.ticket, race, order.seconds)
        elif race is not None:
            self._running = None
            if order.kind == "cancel":
                race.cancel()
        if order.ticket not in self._races:
            return Report([], self._troubles.pop(order.ticket, LOST))
        self._reported[order.ticket] = race.version
        if race.finished:
            self._drop(order.ticket)
        return Report(race.heats[order.seen :])

    def _let_run(self, ticket: str, race: Race, seconds: float) -> None:
        self._running, self._until = ticket, self._clock() + seconds
        known, late = self._reported[ticket], self._clock() + NEWS_SECONDS
        while race.version == known and self._clock() < late and self.work():
            pass

    def _drop(self, ticket: str) -> None:
        self._races.pop(ticket, None)
        self._reported.pop(ticket, None)
        if self._running == ticket:
            self._running = None


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "There was not enough memory for this race: lower samples or features."
    return f"The race stopped with {type(error).__name__}: {' '.join(str(error).split())}."


def serve(orders: BinaryIO, reports: BinaryIO) -> None:
    """Answer orders until there are no more."""
    waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders, waiting), daemon=True).start()
    stable = Stable()
    while True:
        try:
            order = waiting.get(block=False)
        except queue.Empty:
            if stable.work():
                continue
            order = waiting.get()
        pickle.dump(stable.carry_out(order), reports)
        reports.flush()


def _listen(orders: BinaryIO, waiting: queue.SimpleQueue) -> None:
    """Take orders as they come; leave at once, also in the middle of an iteration, at the end."""
    while True:
        try:
            waiting.put(pickle.load(orders))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)


def main() -> None:
    # Whoever stops the server from a terminal stops this process by ending its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    priority.step_back()
    reports, sys.stdout = sys.stdout.buffer, sys.stderr
    serve(sys.stdin.buffer, reports)


if __name__ == "__main__":
    main()
