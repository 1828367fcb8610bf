"""Clocks for tests, so that no outcome depends on how busy the machine is."""

from __future__ import annotations

from itertools import count

# A power of two: sums of it are exact.
TICK = 2.0**-10


class Clock:
    """Stands still until somebody works, and then moves by exactly what that took."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def works(self, ticks: float = 1) -> None:
        self.now += ticks * TICK


def ticking():
    """A clock that moves by one tick whenever somebody looks at it."""
    ticks = count()
    return lambda: next(ticks) * TICK
