"""Clocks for tests, so that no outcome depends on how busy the machine is."""

from __future__ import annotations

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


class Counted(Clock):
    """Moves by one tick whenever somebody looks at it, and when somebody works."""

    def __call__(self) -> float:
        self.works()
        return self.now
