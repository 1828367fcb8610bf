"""What the figure of a sweep draws, and how a running sweep is described."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.settings import LEAD
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, WhenSpec
from lab.accuracy.summary import Cell, compared, looks_of
from lab.accuracy.titles import chart_title, extreme_title, lead_title
from lab.accuracy.words import Done
from lab.estimates import Estimate
from lab.running.jobs import Snapshot
from lab.words import clock, duration

# Seconds that a trial takes however small its data: many strengths, several folds each.
SMALLEST = 0.1


@dataclass(frozen=True)
class Panel:
    """Title and axis of a figure, and how its values are scaled."""

    title: str
    axis: str
    scale: float = 1.0
    logarithmic: bool = False


@dataclass(frozen=True)
class Axis:
    """The axis of what a sweep varies, a tick at every value."""

    title: str
    values: tuple[int, ...]
    ticks: tuple[str, ...]
    log: bool


def axis_of(spec: Fig2dSpec | WhenSpec) -> Axis:
    if isinstance(spec, Fig2dSpec):
        ticks = tuple(f"{m:,}" for m in spec.ms)
        return Axis("m = samples = groups = true features", spec.ms, ticks, True)
    quantity = QUANTITIES[spec.quantity]
    ticks = tuple(map(quantity.said, spec.values))
    return Axis(quantity.axis, spec.values, ticks, quantity.log)


def panel_of(
    spec: Spec, cells: list[Cell], show: str, done: Done, majority: float | None = None
) -> Panel:
    """`show` is accuracy, minus the best other, selected features or seconds."""
    if show == LEAD:
        axis = "points ahead of the best other"
        if isinstance(spec, RealSpec):
            axis = "points that E-SVM(R) is ahead of each"
        return Panel(lead_title(spec, cells, done, majority), axis, 100.0)
    if show == "selected features":
        what = "Fewest features on average"
        title = extreme_title(spec, cells, done, what, lambda cell: cell.nonzeros, "{:,.0f}".format)
        return Panel(title, "features with a nonzero weight", logarithmic=True)
    if show == "seconds":
        what = "Least median CPU time"
        title = extreme_title(spec, cells, done, what, lambda cell: cell.seconds, duration)
        return Panel(title, "CPU seconds to choose and fit", logarithmic=True)
    return Panel(chart_title(spec, cells, done), "test accuracy, %", 100.0)


def columns_of(cells: list[Cell], show: str) -> dict[str, np.ndarray]:
    """m, method, mean and half-width of the interval, a row per cell that has what is shown."""
    rows = [
        (cell.place, cell.method, value.mean, value.half)
        for cell in cells
        if (value := _value(cell, show)) is not None
    ]
    m, method, mean, half = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "m": np.array(m, dtype=float),
        "method": np.array(method, dtype=str),
        "mean": np.array(mean, dtype=float),
        "half": np.array(half, dtype=float),
    }


def leads_of(spec: Spec, cells: list[Cell], majority: float | None = None) -> dict[str, np.ndarray]:
    """place, method, rival, mean, half of its interval, and how far from 0 chance can take it

    On generated data the differences from the best of the others; on real data those from each of
    them, and from naming the largest class, whose share is `majority`.
    """
    looks = looks_of(spec, cells, majority)
    rows = []
    for cell in compared(cells):
        found = {cell.rival: cell.lead}
        if isinstance(spec, RealSpec):
            found = dict(cell.leads)
            if majority is not None:
                found["majority"] = cell.accuracy.minus(majority)
        rows += [
            (cell.place, cell.method, rival, lead.mean, lead.half, looks.reach(lead))
            for rival, lead in found.items()
        ]
    place, method, rival, *numbers = zip(*rows, strict=True) if rows else ((),) * 6
    names = ("mean", "half", "chance")
    return {
        "place": np.array(place, dtype=float),
        "method": np.array(method, dtype=str),
        "rival": np.array(rival, dtype=str),
        **{
            name: np.array(column, dtype=float) for name, column in zip(names, numbers, strict=True)
        },
    }


def status_of(now: Snapshot) -> str:
    """A running, waiting or ended computation in words."""
    if now.state == "queued":
        place = f"number {max(now.position, 1)} in the line, about {clock(now.wait_seconds)} to go"
        return f"waiting: {place}" + (
            f" ({Done(now.done, now.total).in_words} so far)" if now.done else ""
        )
    done = Done(now.done, now.total).in_words
    if now.state == "running":
        left = "" if now.seconds_left is None else f", about {clock(now.seconds_left)} left"
        return f"running: {done}{left}"
    return f"{now.state} after {clock(now.seconds)}, {done}"


def expected_seconds(spec: Spec, trials, workers: int, reference: Spec, known) -> float | None:
    """A guess at the time of trials, from those of the same kind whose time is known."""
    if type(spec) is not type(reference) or not known:
        return None
    if isinstance(spec, RealSpec) and spec.data != reference.data:
        return None
    paid = sum(reference.cost(trial) for trial in known)
    rate = sum(result["seconds"] for result in known.values()) / paid
    cheapest: dict[str, float] = {}
    for trial in known:
        cheapest[trial[-1]] = min(cheapest.get(trial[-1], np.inf), reference.cost(trial))
    costs = [(spec.cost(trial), cheapest.get(trial[-1], 0.0)) for trial in trials]
    # Below all that is known time no longer falls with the size of the data.
    guessed = (max(rate * cost, SMALLEST if cost < least else 0.0) for cost, least in costs)
    return sum(guessed) / workers


def _value(cell: Cell, show: str) -> Estimate | None:
    if show == "selected features":
        return Estimate(cell.nonzeros, np.nan, cell.accuracy.count)
    if show == "seconds":
        return Estimate(cell.seconds, np.nan, 1) if cell.method != "oracle" else None
    return cell.accuracy
