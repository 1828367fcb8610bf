"""Who may race: one at a time, since two at once would take each other's processor."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager


class Turnstile:
    """One at a time, first come first served; who is not heard of for a while loses the place.

    A ticket's holder calls `turn` again and again. The first of the queue has the turn until it
    leaves or falls silent for `patience` seconds; while it works inside `turn` it is not silent.
    """

    def __init__(self, patience: float = 5.0, clock=time.monotonic):
        self.patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._heard: dict[str, float] = {}
        self._working: str | None = None

    @contextmanager
    def turn(self, ticket: str):
        """Queue up or be heard again; gives the place in the queue, 0 for having the turn."""
        position = self._arrive(ticket)
        try:
            yield position
        finally:
            self._rest(ticket, worked=position == 0)

    def leave(self, ticket: str) -> None:
        """Give up the turn or the place in the queue."""
        with self._lock:
            self._heard.pop(ticket, None)

    @property
    def queue(self) -> tuple[str, ...]:
        """Who is waiting, the one that has the turn first."""
        with self._lock:
            self._forget_the_silent()
            return tuple(self._heard)

    def _arrive(self, ticket) -> int:
        with self._lock:
            # Heard first, so that nobody is forgotten in the moment of coming back.
            if ticket in self._heard:
                self._heard[ticket] = self._clock()
            self._forget_the_silent()
            self._heard.setdefault(ticket, self._clock())
            position = list(self._heard).index(ticket)
            if position == 0 and self._working not in (None, ticket):
                # The one before left while it was still at work; it will notice in a moment.
                return 1
            if position == 0:
                self._working = ticket
            return position

    def _rest(self, ticket, *, worked) -> None:
        with self._lock:
            if worked and self._working == ticket:
                self._working = None
            if ticket in self._heard:
                self._heard[ticket] = self._clock()

    def _forget_the_silent(self) -> None:
        oldest = self._clock() - self.patience
        for ticket, heard in list(self._heard.items()):
            if heard < oldest and ticket != self._working:
                del self._heard[ticket]
