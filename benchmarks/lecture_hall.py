"""A class of thirty before one server: how long short work waits under different kinds of line.

    python -m benchmarks.lecture_hall            # writes results/lecture_hall.json

Thirty visitors start a sweep of about 15 seconds within five minutes, two of them a comparison of
44 minutes before that. Every job is a list of calls that cannot be interrupted. The time a visitor
waits until the job is complete, divided by what it would take alone, is its slowdown. The line of
`lab.running.line` is run as it is in the app; the others are what it was chosen from, of which one
needs to know how long a job will take: that is guessed well, badly, or not at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks import common
from lab.running import line

SHORT_SECONDS, LONG_SECONDS = 15.0, 44 * 60.0
CLASS, LONG_JOBS, ARRIVAL_SECONDS = 30, 2, 300.0
DRAWS = 200
# How far off the guesses of durations are: the spread of their logarithms, None for no guess.
GUESSES = {"to a factor of three": 0.6, "to a factor of a hundred": 2.3, "none": None}


@dataclass
class Work:
    """A job of the simulation: when it comes, its calls, and what the line knows of it."""

    arrives: float
    calls: list[float]
    guess: float
    place: line.Place
    ended: float = np.nan
    done: int = 0
    alone: float = field(init=False)

    def __post_init__(self):
        self.alone = sum(self.calls)

    @property
    def left(self) -> float:
        return sum(self.calls[self.done :])


# A kind of line: who is next of those waiting, and whether the one at work gives way.


@dataclass(frozen=True)
class Kind:
    name: str
    choose: Callable
    gives_way: Callable


def _never(*_):
    return False


def _in_turns(work, seconds, waiting, now):
    return bool(waiting)


def _aged(work, now, per_second=1.0):
    """The guessed seconds left, less what the work has waited."""
    return work.guess * work.left / work.alone - per_second * (now - work.place.waiting_since)


KINDS = {
    "first come, first served": Kind(
        "first come, first served",
        lambda waiting, now: min(waiting, key=lambda work: work.place.number),
        _never,
    ),
    "shortest first, ageing": Kind(
        "shortest first, ageing",
        lambda waiting, now: min(waiting, key=lambda work: _aged(work, now)),
        lambda work, seconds, waiting, now: any(
            _aged(other, now) < work.guess * work.left / work.alone for other in waiting
        ),
    ),
    "in turns, call by call": Kind(
        "in turns, call by call",
        lambda waiting, now: min(waiting, key=lambda work: work.place.waiting_since),
        _in_turns,
    ),
    "newcomers first, then slices (ours)": Kind(
        "newcomers first, then slices (ours)",
        lambda waiting, now: next(
            work
            for work in waiting
            if work.place is line.first_of([each.place for each in waiting], now)
        ),
        lambda work, seconds, waiting, now: line.gives_way(
            work.place, seconds, [each.place for each in waiting], now
        ),
    ),
}


def lecture(rng, spread: float | None) -> list[Work]:
    """Two long comparisons, then a class that starts its sweeps within five minutes.

    What is known of durations is off by `spread` in logarithms, None for nothing known.
    """
    jobs = []
    for number in range(LONG_JOBS + CLASS):
        long = number < LONG_JOBS
        total = (LONG_SECONDS if long else SHORT_SECONDS) * rng.uniform(0.7, 1.3)
        count = 60 if long else 12
        calls = total * rng.dirichlet(np.full(count, 2.0))
        arrives = 0.0 if long else rng.uniform(5.0, ARRIVAL_SECONDS)
        # Without a guess all are taken for equally long.
        guess = SHORT_SECONDS if spread is None else total * float(np.exp(rng.normal(0.0, spread)))
        jobs.append(Work(arrives, [float(c) for c in calls], guess, line.Place(number, arrives)))
    jobs.sort(key=lambda job: job.arrives)
    for number, job in enumerate(jobs):
        job.place.number = number
    return jobs


def simulate(jobs: list[Work], kind: Kind) -> None:
    """Serve the jobs on one place; fills `ended`."""
    coming, waiting, now = list(jobs), [], 0.0
    while coming or waiting:
        if not waiting:
            now = max(now, coming[0].arrives)
        waiting += [job for job in coming if job.arrives <= now]
        coming = [job for job in coming if job.arrives > now]
        work = kind.choose(waiting, now)
        waiting.remove(work)
        began = now
        while work.done < len(work.calls):
            now += work.calls[work.done]
            work.done += 1
            waiting += [job for job in coming if job.arrives <= now]
            coming = [job for job in coming if job.arrives > now]
            if work.done < len(work.calls) and kind.gives_way(work, now - began, waiting, now):
                break
        work.place.serve(now - began, now)
        if work.done == len(work.calls):
            work.ended = now
        else:
            waiting.append(work)


def measure(kind: Kind, draws: int, spread: float | None) -> dict:
    waits, slowdowns = [], []
    for seed in range(draws):
        jobs = lecture(np.random.default_rng(seed), spread)
        simulate(jobs, kind)
        for job in jobs:
            took = job.ended - job.arrives
            (waits if job.alone < 60.0 else slowdowns).append(
                took if job.alone < 60.0 else took / job.alone
            )
    return {
        "short_median_seconds": float(np.median(waits)),
        "short_p95_seconds": float(np.percentile(waits, 95)),
        "short_worst_seconds": float(np.max(waits)),
        "long_median_slowdown": float(np.median(slowdowns)),
        "long_worst_slowdown": float(np.max(slowdowns)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few draws")
    draws = 10 if parser.parse_args().quick else DRAWS
    found = {
        name: {guess: measure(kind, draws, spread) for guess, spread in GUESSES.items()}
        for name, kind in KINDS.items()
    }
    for name, by_guess in found.items():
        for guess, numbers in by_guess.items():
            rounded = {key: round(value, 2) for key, value in numbers.items()}
            print(f"{name}; guesses {guess}: {rounded}")
    common.write("lecture_hall", {"draws": draws, "kinds": found})


if __name__ == "__main__":
    main()
