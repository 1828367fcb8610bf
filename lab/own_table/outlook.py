"""How long an analysis still takes: a guess from what is done, shown so that it only falls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.own_table.contenders import CONTENDERS
from lab.own_table.fits import Outcome
from lab.own_table.work import Task
from lab.words import clock


def left_per_done(tasks: Sequence[Task], found: Iterable[tuple[int, Any]]) -> float | None:
    """The work that is left, in units of what is done; None while nothing is.

    A model costs in the next fold what it cost in those that are done, and before its first one its
    usual share of the others'.
    """
    spent: dict[str, list[float]] = {}
    done = dict(found)
    for index, value in done.items():
        if isinstance(value, Outcome):
            spent.setdefault(tasks[index].key, []).append(value.seconds)
    usual = sum(CONTENDERS[key].cost * len(times) for key, times in spent.items())
    pace = sum(map(sum, spent.values())) / usual if spent else 1.0
    rates = {key: float(np.mean(times)) / CONTENDERS[key].cost for key, times in spent.items()}
    costs = [rates.get(task.key, pace) * task.cost for task in tasks]
    worked = sum(costs[index] for index in done)
    return (sum(costs) - worked) / worked if worked > 0.0 else None


@dataclass
class Countdown:
    """Seconds left as they are shown: never more than before, whatever is guessed later.

    From one result to the next they fall evenly, so as to arrive at 0 when the guess does.
    """

    shown: float = np.inf
    guess: float = np.inf
    seconds: float = 0.0
    done: int = -1

    def at(self, seconds: float, done: int, guess: float) -> float:
        """What to show when a job has run that long, with its number of results and the guess."""
        past = (seconds - self.seconds) / self.guess if self.guess > 0.0 else 1.0
        shown = self.shown * max(0.0, 1.0 - past) if past > 0.0 else self.shown
        if done != self.done:
            shown = min(shown, guess)
            self.shown, self.guess, self.seconds, self.done = shown, guess, seconds, done
        return shown


def time_left(shown: float, guess: float) -> str:
    """In words; what has run out while much is left is not said to be over."""
    if round(shown) == 0 and round(guess) > 1:
        return "longer than it seemed"
    return f"about {clock(max(shown, 1.0))} left"
