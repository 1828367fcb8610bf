"""Clocks for tests, so that no outcome depends on how busy the machine is; and patience."""

from __future__ import annotations

import time
from collections.abc import Callable

# Seconds that a test waits for other processes and threads: only what never ends takes longer.
PATIENCE = 600

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


def until(condition: Callable[[], object]) -> None:
    """Poll a condition on another process, which nothing can wake us for."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.02)
