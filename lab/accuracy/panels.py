"""What the figure of a sweep draws, and how a running sweep is described."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.accuracy.specs import Fig2dSpec, Spec
from lab.accuracy.summary import Cell
from lab.accuracy.words import Done, chart_title, difference_title, extreme_title
from lab.estimates import Estimate
from lab.running.jobs import Snapshot
from lab.words import clock


@dataclass(frozen=True)
class Panel:
    """Title and axis of a figure, and how its values are scaled."""

    title: str
    axis: str
    scale: float = 1.0
    logarithmic: bool = False
    zero_line: bool = False


def panel_of(spec: Spec, cells: list[Cell], show: str, done: Done) -> Panel:
    """`show` is accuracy, minus SVM, selected features or seconds."""
    if show == "minus SVM":
        title = difference_title(cells, done)
        return Panel(title, "accuracy minus that of SVM, points", 100.0, zero_line=True)
    if show == "selected features":
        words = "uses the fewest features, {:.0f} on average"
        title = extreme_title(spec, cells, done, lambda cell: cell.nonzeros, words)
        return Panel(title, "features with a nonzero weight", logarithmic=True)
    if show == "seconds":
        words = "takes the least time, {:.2g} s"
        title = extreme_title(spec, cells, done, lambda cell: cell.seconds, words)
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


def status_of(now: Snapshot) -> str:
    """A running, waiting or ended computation in words."""
    if now.state == "queued":
        place = f"number {max(now.position, 1)} in the line, about {clock(now.wait_seconds)} to go"
        return f"waiting: {place}" + (
            f" ({now.done} of {now.total} trials so far)" if now.done else ""
        )
    done = f"{now.done} of {now.total} trials"
    if now.state == "running":
        left = "" if now.seconds_left is None else f", about {clock(now.seconds_left)} left"
        return f"running: {done}{left}"
    return f"{now.state} after {clock(now.seconds)}, {done}"


def expected_seconds(spec: Spec, trials, workers: int, reference: Spec, known) -> float | None:
    """A guess at the time of trials, from those of the same kind whose time is known."""
    if type(spec) is not type(reference) or not known:
        return None
    if not isinstance(spec, Fig2dSpec) and spec.data != reference.data:
        return None
    paid = sum(reference.cost(trial) for trial in known)
    spent = sum(result["seconds"] for result in known.values())
    return spent / paid * sum(spec.cost(trial) for trial in trials) / workers


def _value(cell: Cell, show: str) -> Estimate | None:
    if show == "minus SVM":
        return None if cell.method == "oracle" else cell.difference
    if show == "selected features":
        return Estimate(cell.nonzeros, np.nan, cell.accuracy.count)
    if show == "seconds":
        return Estimate(cell.seconds, np.nan, 1) if cell.method != "oracle" else None
    return cell.accuracy
