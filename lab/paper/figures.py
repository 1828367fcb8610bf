"""What the page of the paper against the measurements shows: lines, tables and their findings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from lab.accuracy import TOLERANCE
from lab.data.paper_numbers import TABLE_1
from lab.estimates import Estimate, difference, estimate, holm
from lab.paper import measured
from lab.paper.charts import Dots, Points
from lab.paper.judges.looks import Looks
from lab.paper.measured import METHODS
from lab.words import counted, signed

INTERVALS = "Bars and ± are 95 % intervals."

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
                np.array([each.half for each in means]),
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
    ahead = [m for m, flag in zip(gains, sure, strict=True) if flag and gains[m].mean > 0.0]
    behind = sum(sure) - len(ahead)
    by = ""
    if ahead:
        most = max(ahead, key=lambda m: gains[m].mean)
        by = f" (by {gains[most].in_points().removeprefix('+')} points at most, m = {most:,})"
    wanted = figure2d["wanted"]
    partial = _draws(cells) < len(wanted["ms"]) * wanted["repeats"]
    return (
        f"{'So far, b' if partial else 'B'}eyond chance E-SVM is ahead of SVM at {len(ahead)} of "
        f"{len(cells)} values of m{by}, behind at {behind}, and ahead of every other method, "
        f"E-SVM(R) included, at {len(rivals.ahead)}"
    )


def _draws(cells: dict[int, dict[str, np.ndarray]]) -> int:
    """How many draws all methods have, over all m."""
    return sum(len(next(iter(accuracy.values()))) for accuracy in cells.values())


_RIVALS = ("svm", "sparse_svm", "kong", "esvm_r")


def accuracy_table(figure2d: dict, noise: str) -> dict[str, list[str]]:
    cells = measured.trials(figure2d, noise)
    present = [key for key in METHODS if any(key in a for a in cells.values())]
    table: dict[str, list[str]] = {
        "m": [f"{m:,}" for m in cells],
        "draws": [str(len(next(iter(a.values())))) for a in cells.values()],
    }
    for key in present:
        table[METHODS[key]] = [
            _mean_text(estimate(a[key]) if key in a else None) for a in cells.values()
        ]
    for key in ("esvm", "esvm_r"):
        tests = [difference(a[key], a["svm"]) for a in cells.values()]
        table[f"{METHODS[key]} − SVM, 95 %"] = [_difference_text(test) for test in tests]
        table[f"{METHODS[key]} − SVM, p"] = [_p_text(test.p) for test in tests]
    return table


def accuracy_note(figure2d: dict, noise: str) -> str:
    cells = measured.trials(figure2d, noise)
    wanted = figure2d["wanted"]
    done = _draws(cells)
    asked = len(wanted["ms"]) * wanted["repeats"]
    certified = _certified(measured.worst_gap(figure2d), "E-SVM")
    rest = "" if done >= asked else f" `{measured.COMMANDS['figure2d']}` runs the rest."
    return (
        f"{done} of {asked} draws over all values of m are measured.{rest}{certified} "
        f"{INTERVALS} Groups of E-SVM(R): {figure2d['group_rule']}. {figure2d['protocol']}"
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
        means = [way.mean(ties, key) for _, way in rows]
        dots.append(
            Dots(
                key,
                METHODS[key],
                np.array([math.nan if m is None else 100 * m.mean for m in means]),
                np.array([math.nan if m is None else 100 * m.half for m in means]),
                np.array([row.accuracy.get(key, math.nan) for row, _ in rows]),
            )
        )
    table: dict[str, list[str]] = {
        "data": [row.title for row, _ in rows],
        "folds": [f"{way.done} of {row.folds}" for row, way in rows],
    }
    for key in keys:
        table[METHODS[key]] = [_mean_text(way.mean(ties, key)) for _, way in rows]
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
    folds = f"{protocol.capitalize()} folds, {PREPROCESSED[preprocessing]}"
    if any(way.done < way.folds for _, way in rows):
        folds = f"So far: {folds[0].lower()}{folds[1:]}"
    return (
        f"{folds}: beyond chance E-SVM(R) is "
        f"ahead of SVM on {ahead} of {counted(len(tests), 'set')} and behind on {behind}"
    )


PREPROCESSED = MappingProxyType(
    {"standardise": "standardised", "none": "as they are", "unit length": "scaled to unit length"}
)


def rules_table(table1: dict, protocol: str, preprocessing: str) -> dict[str, list[str]]:
    """For every set that both rules have: the paired difference to SVM, and the highest mean."""
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
        table[f"highest mean, ties to the {ties}"] = [
            " = ".join(METHODS[key] for key in way.highest(ties)) for way in ways.values()
        ]
    table["highest by both"] = [
        "–" if (key := way.highest_by_all()) is None else METHODS[key] for way in ways.values()
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


def assumed_rows() -> str:
    """Of which rows the data may not be the paper's, and why."""
    return " ".join(f"{row.title}: {row.assumption}" for row in TABLE_1 if row.assumption)


def _mean_text(found: Estimate | None) -> str:
    if found is None:
        return ""
    half = "" if math.isnan(found.half) else f" ± {100 * found.half:.1f}"
    return f"{100 * found.mean:.1f}{half}"


def _p_text(p: float) -> str:
    if math.isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _difference_text(found: Estimate) -> str:
    mean, low, high = (signed(f"{100 * v:+.1f}") for v in (found.mean, found.low, found.high))
    return f"{mean} ({low} to {high})" if math.isfinite(found.low) else mean
