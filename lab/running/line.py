"""Who computes next where many wait for one place: short work passes, long work is not forgotten.

Nobody knows beforehand how long a computation takes, so the line goes by what each has had. A
newcomer computes undisturbed for its first `NEWCOMER_SECONDS`, in which most work is done with;
newcomers come in the order of their arrival. What takes longer goes on behind them, in slices of
`SLICE_SECONDS`, taking turns; where newcomers never end, it gets a slice when `NEWCOMERS_SHARE`
times as long as its last one has gone by. Work is handed on between two calls only, so nothing that
was begun is lost.

Rule and numbers were chosen by `benchmarks.lecture_hall`, which simulates a class of thirty:
"shortest first" is a third quicker where durations are known to a factor of three; where less is
known of them it is slower, and a wrong guess lets short work wait for more than an hour.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

NEWCOMER_SECONDS = 30.0
SLICE_SECONDS = 30.0
NEWCOMERS_SHARE = 4.0


@dataclass
class Place:
    """What the line knows of one computation: its number, what it has had, since when it waits."""

    number: int
    waiting_since: float
    served: float = 0.0
    last_turn: float = 0.0

    @property
    def is_newcomer(self) -> bool:
        return self.served < NEWCOMER_SECONDS

    def serve(self, seconds: float, now: float) -> None:
        """Note a turn that has ended; one that was shorter than a slice uses up part of the wait.

        Otherwise who is interrupted at once would have waited for nothing, again and again.
        """
        waited = now - seconds - self.waiting_since
        self.served += seconds
        self.last_turn = seconds
        self.waiting_since = now - max(0.0, 1.0 - seconds / SLICE_SECONDS) * waited


def first_of(waiting: Sequence[Place], now: float) -> Place:
    """The one whose turn it is: of the newcomers the first, of the others the longest waiting.

    Newcomers go first until the others, together, have waited for their share.
    """
    newcomers = [place for place in waiting if place.is_newcomer]
    others = [place for place in waiting if not place.is_newcomer]
    if newcomers and not (others and _are_due(others, now)):
        return min(newcomers, key=lambda place: place.number)
    return min(others, key=lambda place: (place.waiting_since, place.number))


def _are_due(others: Sequence[Place], now: float) -> bool:
    latest = max(others, key=lambda place: place.waiting_since)
    return now - latest.waiting_since >= NEWCOMERS_SHARE * max(latest.last_turn, SLICE_SECONDS)


def undisturbed(running: Place, seconds: float, waiting: Sequence[Place], now: float) -> float:
    """How much longer who has computed for `seconds` in this turn goes on before it gives way.

    Newcomers interrupt long work, but for a slice that it was owed when it began.
    """
    if not waiting:
        return math.inf
    as_newcomer = NEWCOMER_SECONDS - running.served - seconds
    if as_newcomer > 0.0:
        return as_newcomer
    others = [running, *(place for place in waiting if not place.is_newcomer)]
    if len(others) <= len(waiting) and not _are_due(others, now - seconds):
        return 0.0
    return max(0.0, SLICE_SECONDS - seconds)


def gives_way(running: Place, seconds: float, waiting: Sequence[Place], now: float) -> bool:
    """Whether who has computed for `seconds` in this turn lets another go on."""
    return undisturbed(running, seconds, waiting, now) <= 0.0


def expected_wait(
    mine: Place, waiting: Sequence[Place], seconds_left: Mapping[int, float], now: float
) -> float:
    """How long until `mine` has its turn, if nobody else comes and the guesses are right.

    `waiting` are all who wait from `now` on, and `seconds_left` guesses, by number, what each of
    them still needs. The line is played forward by its own rules, as if calls took no time.
    """
    left = dict(seconds_left)
    places = [replace(place) for place in waiting]
    clock = now
    while (current := first_of(places, clock)).number != mine.number:
        places.remove(current)
        turn = _turn(current, left[current.number], places)
        clock += turn
        current.serve(turn, clock)
        left[current.number] -= turn
        if left[current.number] > 1e-9:
            places.append(current)
    return clock - now


def _turn(place: Place, left: float, others: Sequence[Place]) -> float:
    return min(left, turn_of(place)) if others else left


def turn_of(place: Place) -> float:
    """How long a turn is that begins where others wait, if so long is needed."""
    as_newcomer = NEWCOMER_SECONDS - place.served
    return as_newcomer if as_newcomer > 0.0 else SLICE_SECONDS
