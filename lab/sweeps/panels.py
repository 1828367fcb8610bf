"""What the figure of a sweep draws, and how a running sweep is described."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.estimates import Estimate
from lab.jobs import Snapshot
from lab.sweeps.protocol import LABELS
from lab.sweeps.specs import Fig2dSpec, Spec
from lab.sweeps.summary import Cell, chart_title, difference_title


@dataclass(frozen=True)
class Panel:
    """Title and axis of a figure, and how its values are scaled."""

    title: str
    axis: str
    scale: float = 1.0
    logarithmic: bool = False
    zero_line: bool = False


def panel_of(spec: Spec, cells: list[Cell], show: str) -> Panel:
    """`show` is accuracy, minus SVM, selected features or seconds."""
    if show == "minus SVM":
        title = difference_title(cells)
        return Panel(title, "accuracy minus that of SVM, points", 100.0, zero_line=True)
    if show == "selected features":
        title = _extreme(spec, cells, "nonzeros", "uses the fewest features, {:.0f} on average")
        return Panel(title, "features with a nonzero weight", logarithmic=True)
    if show == "seconds":
        title = _extreme(spec, cells, "seconds", "takes the least time, {:.2g} s")
        return Panel(title, "CPU seconds to choose and fit", logarithmic=True)
    return Panel(chart_title(spec, cells), "test accuracy, %", 100.0)


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
        return f"waiting: number {max(now.position, 1)} in the line behind what is running"
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


def clock(seconds: float) -> str:
    """A duration to read at a glance."""
    seconds = round(seconds)
    if seconds < 120:
        return f"{seconds} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _value(cell: Cell, show: str) -> Estimate | None:
    if show == "minus SVM":
        return None if cell.method == "oracle" else cell.difference
    if show == "selected features":
        return Estimate(cell.nonzeros, np.nan, cell.accuracy.count)
    if show == "seconds":
        return Estimate(cell.seconds, np.nan, 1) if cell.method != "oracle" else None
    return cell.accuracy


def _extreme(spec: Spec, cells: list[Cell], field: str, words: str) -> str:
    rows = [cell for cell in cells if cell.method != "oracle"]
    if not rows:
        return "No results yet"
    last = max(cell.place for cell in rows)
    least = min((cell for cell in rows if cell.place == last), key=lambda c: getattr(c, field))
    where = f"At m = {last} " if isinstance(spec, Fig2dSpec) else ""
    return f"{where}{LABELS[least.method]} {words.format(getattr(least, field))}"
