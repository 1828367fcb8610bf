"""Who may race: one at a time, since two at once would take each other's processor."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

from lab.running import line


class Turnstile:
    """One at a time, by the rules of the line; who is not heard of for a while loses the place.

    A ticket's holder calls `turn` again and again, and says what it still needs. The one that has
    the turn keeps it until it leaves, falls silent for `patience` seconds (while it works inside
    `turn` it is not silent), or has to give way: newcomers pass who has raced for long, which goes
    on after them where it was.
    """

    def __init__(self, patience: float = 5.0, clock=time.monotonic):
        self.patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._heard: dict[str, float] = {}
        self._places: dict[str, line.Place] = {}
        self._needs: dict[str, float] = {}
        self._numbers = count()
        self._holder: str | None = None
        self._since = 0.0
        self._working: str | None = None

    @contextmanager
    def turn(self, ticket: str, needs: float = 0.0):
        """Queue up or be heard again; gives the place in the queue, 0 for having the turn."""
        position = self._arrive(ticket, needs)
        try:
            yield position
        finally:
            self._rest(ticket, worked=position == 0)

    def leave(self, ticket: str) -> None:
        """Give up the turn or the place in the queue."""
        with self._lock:
            self._drop(ticket)

    @property
    def queue(self) -> tuple[str, ...]:
        """Who is waiting, the one that has the turn first."""
        with self._lock:
            self._forget_the_silent()
            return tuple(self._in_order(self._clock()))

    def wait_of(self, ticket: str = "") -> float:
        """How long until a ticket, or one that is yet to come, has its turn, at most."""
        with self._lock:
            self._forget_the_silent()
            now = self._clock()
            mine = self._places.get(ticket) or line.Place(0, now)
            ahead = self._in_order(now)
            if ticket in ahead:
                ahead = ahead[: ahead.index(ticket)]
            if not mine.is_newcomer:
                return sum(self._needs[other] for other in ahead)
            # Who has raced for long gives way; a newcomer before it does so after a while.
            return sum(
                min(self._needs[other], self._turn_left(other, mine, now)) for other in ahead
            )

    def _turn_left(self, ticket: str, newcomer: line.Place, now: float) -> float:
        """How long a ticket goes on, or will, where a newcomer waits behind it."""
        place = self._places[ticket]
        if ticket != self._holder:
            return line.turn_of(place)
        others = [other for key, other in self._places.items() if key != ticket]
        return line.undisturbed(place, now - self._since, [*others, newcomer], now)

    def _arrive(self, ticket, needs) -> int:
        with self._lock:
            now = self._clock()
            # Heard first, so that nobody is forgotten in the moment of coming back.
            if ticket in self._heard:
                self._heard[ticket] = now
            self._forget_the_silent()
            self._heard.setdefault(ticket, now)
            self._needs[ticket] = needs
            if ticket not in self._places:
                self._places[ticket] = line.Place(next(self._numbers), now)
            self._hand_on(now)
            position = self._in_order(now).index(ticket)
            if position == 0 and self._working not in (None, ticket):
                # The one before left while it was still at work; it will notice in a moment.
                return 1
            if position == 0:
                self._working = ticket
            return position

    def _hand_on(self, now: float) -> None:
        """The turn goes to the next where nobody has it, or who has it must give way."""
        if self._holder is not None:
            place, had = self._places[self._holder], now - self._since
            others = [other for key, other in self._places.items() if key != self._holder]
            if not line.gives_way(place, had, others, now):
                return
            place.serve(had, now)
        self._since = now
        first = line.first_of(list(self._places.values()), now)
        self._holder = next(key for key, place in self._places.items() if place is first)

    def _in_order(self, now: float) -> list[str]:
        places = {key: replace(place) for key, place in self._places.items() if key != self._holder}
        ordered = [] if self._holder is None else [self._holder]
        while places:
            first = line.first_of(list(places.values()), now)
            ordered.append(next(key for key, place in places.items() if place is first))
            del places[ordered[-1]]
        return ordered

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
                self._drop(ticket)

    def _drop(self, ticket: str) -> None:
        for kept in (self._heard, self._places, self._needs):
            kept.pop(ticket, None)
        if self._holder == ticket:
            self._holder = None
