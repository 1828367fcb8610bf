"""The races of Fig. 2(a) to 2(c) as the page shows them: lines, a table and their finding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.paper import measured
from lab.paper.charts import Line
from lab.paper.wording import missed
from lab.words import duration

# Short names, for controls and addresses, of the kinds of accuracy a race can be drawn by.
MEASURES = MappingProxyType(
    {
        "true error": "suboptimality",
        "certified gap": "gap",
        "objective": "objective",
        "change of w": "change",
    }
)
PANELS = MappingProxyType(
    {
        "2(a) E-LASSO, disjoint": "2a",
        "2(b) E-LASSO, overlapped": "2b",
        "2(c) overlapped, α = 1, β = 10": "2c_overlapped_1_10",
        "2(c) overlapped, α = β = 100": "2c_overlapped_100_100",
        "2(c) disjoint, α = 1, β = 10": "2c_disjoint_1_10",
        "2(c) disjoint, α = β = 100": "2c_disjoint_100_100",
    }
)
AGAINST = MappingProxyType({"seconds": "solver time, seconds", "iterations": "iteration"})


def lines(panel: dict, run: dict, measure: str, against: str) -> list[Line]:
    labels = measured.lane_labels(panel)
    found = []
    for key, lane in run["lanes"].items():
        if measure == "change" and "change" not in lane["history"]:
            continue
        columns = measured.history(run, key, measure)
        x, y = columns["seconds" if against == "seconds" else "iteration"], columns["value"]
        if measure in ("suboptimality", "gap"):
            y = np.fmin.accumulate(y)  # the best so far is what a method would return
        found.append(Line(key, labels[key], x, y))
    return found


# What a title calls the measure on show; the objective's own numbers have no common scale.
_REACHED = MappingProxyType(
    {
        "suboptimality": "a true error of",
        "gap": "a certified gap of",
        "objective": "a true error of",
        "change": "a change of w of",
    }
)


def title(panel: dict, measure: str, against: str) -> str:
    """Who is at 1e-06 first by measure and axis on show, and when the paper's method is at 1e-02.

    Medians with the range over the draws: one draw says little about who is faster.
    """
    labels, what = measured.lane_labels(panel), _REACHED[measure]
    lanes = [
        key
        for key, lane in panel["runs"][0]["lanes"].items()
        if measure != "change" or "when_change_reached" in lane
    ]

    def reach(lane: str, target: float) -> list[float]:
        return _by_seed(panel, lane, target, measure, against)

    first = min(lanes, key=lambda lane: np.median(reach(lane, 1e-6)))
    own = next(key for key in ("locp", "licp", "pcp") if key in labels)
    soonest, late, count = reach(first, 1e-6), reach(own, 1e-2), len(panel["runs"])
    best = (
        f"{labels[first]} is at {what} 1e-06 after {_spent(soonest, against)}"
        if math.isfinite(np.median(soonest))
        else f"Nobody is at {what} 1e-06 within the budget{' in most draws' if count > 1 else ''}"
    )
    rest = (
        f"{labels[own]} at 1e-02 after {_spent(late, against)}"
        if math.isfinite(np.median(late))
        else f"{labels[own]} is not at 1e-02 within the budget {missed(late)}"
    )
    several = f" (medians and ranges of {count} draws)" if count > 1 else ""
    return f"{best}; {rest}{several}"


def _spent(amounts: Sequence[float], against: str) -> str:
    """The median, from least to most where they differ, and where it is missing."""
    there = [amount for amount in amounts if math.isfinite(amount)]
    low, high, middle = (
        _amount(value, against) for value in (min(there), max(there), float(np.median(amounts)))
    )
    spoken = middle if against == "seconds" else f"{middle} iteration{'s' * (middle != '1')}"
    rest = [f"{low} to {high}"] if low != high else []
    rest += [f"not {where}"] if (where := missed(amounts)) else []
    return f"{spoken} ({'; '.join(rest)})" if rest else spoken


def _amount(value: float, against: str) -> str:
    """To three digits where it is a count: more are not known between rows that were kept."""
    return duration(value) if against == "seconds" else f"{float(f'{value:.3g}'):,.0f}"


def _by_seed(panel: dict, lane: str, target: float, measure: str, against: str) -> list[float]:
    """What a lane spends until it reaches an accuracy, on the axis on show, draw by draw."""
    shown = "suboptimality" if measure == "objective" else measure
    at = measured.crossings(panel, lane, target, shown)
    return [each.seconds if against == "seconds" else each.iterations for each in at]


def table(panel: dict) -> dict[str, list[str]]:
    """Median seconds to each accuracy, both true and certified, and how the lanes ended."""
    labels = measured.lane_labels(panel)
    order = [lane for lane, _ in measured.ranking(panel, labels, 1e-4)]
    columns: dict[str, list[str]] = {"method": [labels[lane] for lane in order]}
    for name, measure in (("true error", "suboptimality"), ("certified", "gap")):
        for target in (1e-2, 1e-4, 1e-6):
            columns[f"{name} {target:.0e}"] = [
                _in_table(measured.seconds_by_seed(panel, lane, target, measure)) for lane in order
            ]
    runs = panel["runs"]
    columns["certificate at the end"] = [
        f"{np.median([measured.or_infinite(run['lanes'][lane]['gap']) for run in runs]):.0e}"
        for lane in order
    ]
    columns["iterations"] = [
        f"{np.median([run['lanes'][lane]['iterations'] for run in runs]):,.0f}" for lane in order
    ]
    return columns


def _in_table(seconds: Sequence[float]) -> str:
    """The median; where it is missing, in how many draws."""
    middle, there = float(np.median(seconds)), sum(map(math.isfinite, seconds))
    return duration(middle, never=f"not in {len(seconds) - there} of {len(seconds)}")


def note(panel: dict, run: dict) -> str:
    """The problem and the machine, in words."""
    numbers = [str(each["seed"]) for each in panel["runs"]]
    draws = f"Seed{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}, a draw each"
    load = max(run["load_average"])
    return (
        f"{run['problem']}. {draws}; the curves are of seed {run['seed']}, title and table have "
        f"medians over the draws. {run['seconds']:g} s of solver time a lane, "
        f"{run['blas_threads']} BLAS thread, {run['processor']}, {run['date']}, load "
        f"average up to {load:g}."
    )


def long_form(shown: Sequence[Line]) -> dict[str, Any]:
    """Curves as columns, one row per point."""
    return {
        "method": np.concatenate([np.full(line.x.size, line.label) for line in shown]),
        "x": np.concatenate([line.x for line in shown]),
        "y": np.concatenate([line.y for line in shown]),
    }
