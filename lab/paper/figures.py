"""What the page of the paper against the measurements shows: lines, tables and their findings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.accuracy import TOLERANCE
from lab.data.paper_numbers import TABLE_1
from lab.estimates import Estimate, difference, estimate, holm
from lab.paper import measured
from lab.paper.charts import Dots, Line, Points
from lab.paper.judges.looks import Looks
from lab.paper.measured import METHODS
from lab.words import counted, duration

# -- races ---------------------------------------------------------------------------------------

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


def race_lines(panel: dict, run: dict, measure: str, against: str) -> list[Line]:
    labels = measured.lane_labels(panel)
    lines = []
    for key, lane in run["lanes"].items():
        if measure == "change" and "change" not in lane["history"]:
            continue
        columns = measured.history(run, key, measure)
        x, y = columns["seconds" if against == "seconds" else "iteration"], columns["value"]
        if measure in ("suboptimality", "gap"):
            y = np.fmin.accumulate(y)  # the best so far is what a method would return
        lines.append(Line(key, labels[key], x, y))
    return lines


# What a title calls the measure on show; the objective's own numbers have no common scale.
_REACHED = MappingProxyType(
    {
        "suboptimality": "a true error of",
        "gap": "a certified gap of",
        "objective": "a true error of",
        "change": "a change of w of",
    }
)


def race_title(panel: dict, measure: str) -> str:
    """Who is at 1e-6 first by the measure on show, and when the paper's method is at 1e-2."""
    labels, what = measured.lane_labels(panel), _REACHED[measure]
    lanes = [
        key
        for key, lane in panel["runs"][0]["lanes"].items()
        if measure != "change" or "when_change_reached" in lane
    ]
    first = min(lanes, key=lambda lane: _seconds(panel, lane, 1e-6, measure))
    time = _seconds(panel, first, 1e-6, measure)
    own = next(key for key in ("locp", "licp", "pcp") if key in labels)
    late = _seconds(panel, own, 1e-2, measure)
    best = (
        f"{labels[first]} is at {what} 1e-6 after {duration(time)}"
        if math.isfinite(time)
        else f"Nobody is at {what} 1e-6 within the budget"
    )
    rest = (
        f"{labels[own]} at 1e-2 after {duration(late)}"
        if math.isfinite(late)
        else f"{labels[own]} is not at 1e-2 within the budget"
    )
    return f"{best}; {rest}"


def _seconds(panel: dict, lane: str, target: float, measure: str) -> float:
    if measure == "change":
        return measured.seconds_to_change(panel, lane, target)[0]
    return measured.seconds_to(panel, lane, target, "gap" if measure == "gap" else "suboptimality")


def race_table(panel: dict) -> dict[str, list[str]]:
    """Median seconds to each accuracy, both true and certified, and how the lanes ended."""
    labels = measured.lane_labels(panel)
    order = [lane for lane, _ in measured.ranking(panel, labels, 1e-4)]
    table: dict[str, list[str]] = {"method": [labels[lane] for lane in order]}
    for name, measure in (("true error", "suboptimality"), ("certified", "gap")):
        for target in (1e-2, 1e-4, 1e-6):
            table[f"{name} {target:.0e}"] = [
                duration(measured.seconds_to(panel, lane, target, measure), never="–")
                for lane in order
            ]
    runs = panel["runs"]
    table["certificate at the end"] = [
        f"{np.median([_number(run['lanes'][lane]['gap']) for run in runs]):.0e}" for lane in order
    ]
    table["iterations"] = [
        f"{np.median([run['lanes'][lane]['iterations'] for run in runs]):,.0f}" for lane in order
    ]
    return table


def race_note(panel: dict, run: dict) -> str:
    """The problem and the machine, in words."""
    numbers = [str(each["seed"]) for each in panel["runs"]]
    seeds = f"Seed{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
    load = max(run["load_average"])
    return (
        f"{run['problem']}. {seeds}; the curves are of seed {run['seed']}, the table has "
        f"medians. {run['seconds']:g} s of solver time a lane, {run['blas_threads']} BLAS thread, "
        f"{run['processor']}, {run['date']}, load average up to {load:g}."
    )


# -- Fig. 2(d) -----------------------------------------------------------------------------------


def accuracy_points(figure2d: dict, noise: str) -> list[Points]:
    cells = measured.trials(figure2d, noise)
    present = [key for key in METHODS if any(key in a for a in cells.values())]
    found = []
    for key in present:
        ms = [m for m, accuracy in cells.items() if key in accuracy]
        means = [estimate(cells[m][key]) for m in ms]
        found.append(
            Points(
                key,
                METHODS[key],
                np.array(ms),
                np.array([each.mean for each in means]),
                np.array([each.error for each in means]),
            )
        )
    return found


def accuracy_title(figure2d: dict, noise: str) -> str:
    """Where E-SVM is ahead of SVM and of all others beyond chance, and by how much at most."""
    cells = measured.trials(figure2d, noise)
    gains = {m: difference(a["esvm"], a["svm"]) for m, a in cells.items()}
    rivals = Looks.of(
        {str(m): {key: difference(a["esvm"], a[key]) for key in _RIVALS} for m, a in cells.items()}
    )
    sure = holm([gain.p for gain in gains.values()])
    ahead = sum(flag and gain.mean > 0.0 for flag, gain in zip(sure, gains.values(), strict=True))
    most = max(gains, key=lambda m: gains[m].mean)
    return (
        f"Beyond chance E-SVM is ahead of SVM at {ahead} of {len(cells)} m and of all others at "
        f"{len(rivals.ahead)}; against SVM at most {gains[most].in_points()} points (m = {most:,})"
    )


_RIVALS = ("svm", "sparse_svm", "kong", "esvm_r")


def accuracy_table(figure2d: dict, noise: str) -> dict[str, list[str]]:
    cells = measured.trials(figure2d, noise)
    present = [key for key in METHODS if any(key in a for a in cells.values())]
    table: dict[str, list[str]] = {
        "m": [f"{m:,}" for m in cells],
        "repeats": [str(len(next(iter(a.values())))) for a in cells.values()],
    }
    for key in present:
        table[METHODS[key]] = [_mean_text(a.get(key)) for a in cells.values()]
    for key in ("esvm", "esvm_r"):
        tests = [difference(a[key], a["svm"]) for a in cells.values()]
        table[f"{METHODS[key]} − SVM, 95 %"] = [_difference_text(test) for test in tests]
        table[f"{METHODS[key]} − SVM, p"] = [_p_text(test.p) for test in tests]
    return table


def accuracy_note(figure2d: dict, noise: str) -> str:
    cells = measured.trials(figure2d, noise)
    wanted = figure2d["wanted"]
    done = sum(len(next(iter(a.values()))) for a in cells.values())
    asked = len(wanted["ms"]) * wanted["repeats"]
    certified = _certified(measured.worst_gap(figure2d), "E-SVM")
    rest = "" if done >= asked else f" `{measured.COMMANDS['figure2d']}` runs the rest."
    return (
        f"{done} of {asked} repeats over all m are measured.{rest}{certified} Groups of E-SVM(R): "
        f"{figure2d['group_rule']}. {figure2d['protocol']}"
    )


# -- Table 1 -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TableView:
    """One protocol and preprocessing over all data sets, beside the paper's numbers."""

    names: list[str]
    dots: list[Dots]
    table: dict[str, list[str]]
    title: str


def table_view(table1: dict, protocol: str, preprocessing: str, ties: str) -> TableView | None:
    """Means by one rule; who is ahead by both, where both have results."""
    rows = [
        (row, way)
        for row in TABLE_1
        for way in measured.ways(table1, row)
        if (way.protocol, way.preprocessing) == (protocol, preprocessing) and ties in way.accuracy
    ]
    if not rows:
        return None
    accuracies = [way.accuracy[ties] for _, way in rows]
    keys = [key for key in METHODS if any(key in a for a in accuracies)]
    dots = []
    for key in keys:
        means = [estimate(a[key]) if key in a else None for a in accuracies]
        dots.append(
            Dots(
                key,
                METHODS[key],
                np.array([math.nan if m is None else 100 * m.mean for m in means]),
                np.array([math.nan if m is None else 100 * m.error for m in means]),
                np.array([row.accuracy.get(key, math.nan) for row, _ in rows]),
            )
        )
    table: dict[str, list[str]] = {
        "data": [row.title for row, _ in rows],
        "folds": [f"{way.done} of {row.folds}" for row, way in rows],
    }
    for key in keys:
        table[METHODS[key]] = [_mean_text(a.get(key)) for a in accuracies]
        if any(key in row.accuracy for row, _ in rows):
            table[f"{METHODS[key]}, paper"] = [
                f"{row.accuracy[key]:.2f}" if key in row.accuracy else "" for row, _ in rows
            ]
    return TableView(
        [row.title for row, _ in rows],
        dots,
        table,
        _table_title(protocol, preprocessing, ties, rows),
    )


def _table_title(protocol: str, preprocessing: str, ties: str, rows) -> str:
    """Where E-SVM(R) is ahead of SVM and behind it, beyond chance, by the rule on show."""
    tests = [
        way.difference(ties, "esvm_r", "svm")
        for _, way in rows
        if {"esvm_r", "svm"} <= set(way.accuracy[ties])
    ]
    sure = holm([test.p for test in tests])
    ahead, behind = (
        sum(flag and sign * test.mean > 0.0 for flag, test in zip(sure, tests, strict=True))
        for sign in (1.0, -1.0)
    )
    return (
        f"{protocol.capitalize()} folds, {_PREPROCESSED[preprocessing]}: beyond chance E-SVM(R) is "
        f"ahead of SVM on {ahead} of {counted(len(tests), 'set')} and behind on {behind}"
    )


_PREPROCESSED = MappingProxyType(
    {"standardise": "standardised", "none": "as they are", "unit length": "scaled to unit length"}
)


def rules_table(table1: dict, protocol: str, preprocessing: str) -> dict[str, list[str]]:
    """For every set that both rules have: the paired difference to SVM, and who is first."""
    ways = {
        row.title: way
        for row in TABLE_1
        for way in measured.ways(table1, row)
        if (way.protocol, way.preprocessing) == (protocol, preprocessing) and way.by_both_rules
    }
    table: dict[str, list[str]] = {
        "data": list(ways),
        "folds": [f"{way.done} of {way.folds}" for way in ways.values()],
    }
    for ties in measured.RULES:
        tests = [way.difference(ties, "esvm_r", "svm") for way in ways.values()]
        table[f"E-SVM(R) − SVM, ties to the {ties}"] = [test.in_points() for test in tests]
        table[f"p, ties to the {ties}"] = [_p_text(test.p) for test in tests]
        table[f"first, ties to the {ties}"] = [
            " = ".join(METHODS[key] for key in way.first(ties)) for way in ways.values()
        ]
    table["first by both"] = [
        "–" if way.winner() is None else METHODS[way.winner()] for way in ways.values()
    ]
    return table


RULES_NOTE = MappingProxyType(
    {
        "ordinary": (
            "Differences are paired fold by fold, ± 95 %, by the corrected resampled t test "
            "(Nadeau & Bengio 2003), because the training sets of ordinary folds overlap."
        ),
        "inverted": (
            "Differences are paired fold by fold, ± 95 %, by a t test over the disjoint training "
            "sets of inverted folds: it speaks of other training sets from the same samples, "
            "not of other samples."
        ),
    }
)


def table_note(table1: dict) -> str:
    """How much of the whole was run, and what finishes it."""
    done = sum(len(cell["number"]) for cell in table1["cells"])
    wanted = table1["wanted"]
    asked = (
        sum(wanted["folds"].values())
        * len(wanted["preprocessings"])
        * len(measured.PROTOCOLS)
        * len(measured.RULES)
        * len(wanted["methods"])
    )
    rest = "" if done >= asked else f" `{measured.COMMANDS['table1']}` runs the rest."
    certified = _certified(measured.worst_gap(table1), "E-SVM(R)")
    return f"{done:,} of {asked:,} trials over all settings are measured.{rest}{certified}"


def _certified(gap: float | None, name: str) -> str:
    if gap is None:
        return ""
    every = "Every" if gap <= TOLERANCE else "Not every"
    return f" {every} {name} is certified to {TOLERANCE:g}; the largest gap is {gap:.1e}."


def missing_rows() -> str:
    names = [row.title for row in TABLE_1 if row.data is None]
    return f"{', '.join(names)}: data not available, so these rows cannot be run again."


# -- files ---------------------------------------------------------------------------------------


def long_form(lines: Sequence[Line]) -> dict[str, Any]:
    """Curves as columns, one row per point."""
    return {
        "method": np.concatenate([np.full(line.x.size, line.label) for line in lines]),
        "x": np.concatenate([line.x for line in lines]),
        "y": np.concatenate([line.y for line in lines]),
    }


def _mean_text(values) -> str:
    if values is None:
        return ""
    found = estimate(values)
    error = "" if math.isnan(found.error) else f" ± {100 * found.error:.1f}"
    return f"{100 * found.mean:.1f}{error}"


def _p_text(p: float) -> str:
    if math.isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _difference_text(found: Estimate) -> str:
    if not math.isfinite(found.low):
        return f"{100 * found.mean:+.1f}"
    return f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


def _number(value: float | None) -> float:
    return math.inf if value is None else value
