"""What repeated draws of one setting have in common, whatever is drawn."""

from __future__ import annotations

from collections.abc import Iterable

from lab.results import Named, Trial
from lab.words import listed


class Repeated(Named):
    """Names and trials of a spec with `repeats` and `methods`: every method on every draw."""

    repeats: int
    methods: tuple[str, ...]

    _EXTENT = ("repeats", "methods")

    def trials(self) -> list[Trial]:
        """(repeat, 0, method)"""
        return [(repeat, 0, method) for repeat in range(self.repeats) for method in self.methods]

    def cost(self, trial: Trial) -> float:
        return 1.0


def so_far(measured: Iterable[tuple[str, int, int]]) -> str:
    """Of what is named, how many draws of how many there are; nothing if all are."""
    left = [
        f"{name} ({done} of {wanted} draws)" for name, done, wanted in measured if done < wanted
    ]
    return f"So far: {listed(left)}. " if left else ""
