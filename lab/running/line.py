"""Who computes next where many wait for one place: short work passes, long work is not forgotten.

Nobody knows beforehand how long a computation takes, so the line goes by what each has had. A
newcomer computes undisturbed for its first `NEWCOMER_SECONDS`, in which most work is done with;
newcomers come in the order of their arrival. What takes longer goes on behind them, in slices of
`SLICE_SECONDS`, taking turns; where newcomers never end, it gets a turn when `NEWCOMERS_SHARE`
times as long as its last one has gone by. Work is handed on between two calls only, so nothing that
was begun is lost.

The numbers were chosen by `benchmarks.lecture_hall`, which simulates a class of thirty.
"""

from __future__ import annotations

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
        """Note a turn that has ended."""
        self.served += seconds
        self.last_turn = seconds
        self.waiting_since = now


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


def gives_way(running: Place, seconds: float, waiting: Sequence[Place]) -> bool:
    """Whether who has computed for `seconds` in this turn lets another go on."""
    if not waiting or running.served + seconds < NEWCOMER_SECONDS:
        return False
    return seconds >= SLICE_SECONDS or any(place.is_newcomer for place in waiting)


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
    if not others:
        return left
    as_newcomer = NEWCOMER_SECONDS - place.served
    return min(left, as_newcomer if as_newcomer > 0.0 else SLICE_SECONDS)
