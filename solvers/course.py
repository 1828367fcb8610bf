"""How far from its aim a method was after how much work, and how much more it will take."""

from __future__ import annotations

import numpy as np

TINY = np.finfo(float).tiny


class Course:
    """Distances from an aim, in multiples of it, on a logarithmic scale: 0 there."""

    def __init__(self):
        self._points: list[tuple[float, float]] = []

    def log(self, work, distance) -> None:
        """Note the distance after so much work."""
        self._points.append((work, float(np.log(max(distance, TINY)))))

    def work_left(self, since=0.0) -> float:
        """To the end, at the rate of the second half of the work since then."""
        work, now = self._points[-1]
        if not now > 0.0:
            return 0.0
        half = 0.5 * (since + work)
        then, before = next(point for point in reversed(self._points) if point[0] <= half)
        return now * (work - then) / (before - now) if before > now else np.inf
