"""What the page of the paper against the measurements shows: lines, tables and their findings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from lab import claims, measured
from lab.charts.paper import Dots, Line, Points, Tile
from lab.claims import Row
from lab.measured import METHODS, Difference, Mean
from lab.paper_numbers import TABLE_1
from lab.sweeps import TOLERANCE

EVERY = "all"

# -- claims --------------------------------------------------------------------------------------


def chosen(rows: Sequence[Row], topic: str, verdict: str) -> list[Row]:
    """The rows of a topic and a verdict, either of which may be "all"."""
    return [
        row for row in rows if topic in (EVERY, row.claim.topic) and verdict in (EVERY, row.verdict)
    ]


def tiles(rows: Sequence[Row], shown: Sequence[Row]) -> list[Tile]:
    """A tile per row; those that are shown stand out."""
    keys = {row.claim.key for row in shown}
    return [
        Tile(
            row.claim.topic,
            row.verdict,
            f"“{row.claim.quote}” ({row.claim.where}): {row.verdict}",
            row.claim.key in keys,
        )
        for row in rows
    ]


def tiles_title(rows: Sequence[Row]) -> str:
    """Where the paper holds best and worst, by topic."""
    judged: dict[str, list[bool]] = {}
    for row in rows:
        if row.verdict in (claims.HOLDS, claims.CONDITION, claims.FAILS):
            judged.setdefault(row.claim.topic, []).append(row.verdict != claims.FAILS)
    if not judged:
        return "No claim has been measured yet"
    shares = {topic: sum(values) / len(values) for topic, values in judged.items()}
    worst = min(shares, key=shares.__getitem__)
    stands = sum(map(sum, judged.values()))
    total = sum(map(len, judged.values()))
    if shares[worst] == 1.0:
        return f"All {total} claims measured so far stand, some with a condition"
    held, of = sum(judged[worst]), len(judged[worst])
    return (
        f"{stands} of {total} measured claims stand, some with a condition; weakest: "
        f"{worst.lower()}, {held} of {of}"
    )


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


def race_title(panel: dict) -> str:
    """Who is at 1e-6 first, and when the paper's method is at 1e-2."""
    labels = measured.lane_labels(panel)
    (first, time), *_ = measured.ranking(panel, labels, 1e-6, "gap")
    if not math.isfinite(time):
        return "Nobody is certified to 1e-6 within the budget"
    own = next(key for key in ("locp", "licp", "pcp") if key in labels)
    late = measured.seconds_to(panel, own, 1e-2, "gap")
    rest = (
        f"{labels[own]} needs {duration(late)} for a certified 1e-2"
        if math.isfinite(late)
        else f"{labels[own]} does not certify 1e-2 within the budget"
    )
    return f"{labels[first]} is certified to 1e-6 after {duration(time)}; {rest}"


def race_table(panel: dict) -> dict[str, list[str]]:
    """Median seconds to each accuracy, both true and certified, and how the lanes ended."""
    labels = measured.lane_labels(panel)
    order = [lane for lane, _ in measured.ranking(panel, labels, 1e-4)]
    table: dict[str, list[str]] = {"method": [labels[lane] for lane in order]}
    for name, measure in (("true error", "suboptimality"), ("certified", "gap")):
        for target in (1e-2, 1e-4, 1e-6):
            table[f"{name} {target:.0e}"] = [
                duration(measured.seconds_to(panel, lane, target, measure)) for lane in order
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
        means = [Mean.of(cells[m][key]) for m in ms]
        found.append(
            Points(
                key,
                METHODS[key],
                np.array(ms),
                np.array([mean.value for mean in means]),
                np.array([mean.error for mean in means]),
            )
        )
    return found


def accuracy_title(figure2d: dict, noise: str) -> str:
    cells = measured.trials(figure2d, noise)
    ahead = [
        m
        for m, a in cells.items()
        if max(("svm", "sparse_svm", "kong", "esvm", "esvm_r"), key=lambda k: a[k].mean()) == "esvm"
    ]
    gains = {m: 100 * Difference.of(a["esvm"], a["svm"]).value for m, a in cells.items()}
    most = max(gains, key=gains.__getitem__)
    least = min(gains, key=gains.__getitem__)
    return (
        f"E-SVM is first at {len(ahead)} of {len(cells)} m; against SVM it gains "
        f"{gains[least]:+.1f} (m = {least:,}) to {gains[most]:+.1f} points (m = {most:,})"
    )


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
        tests = [Difference.of(a[key], a["svm"]) for a in cells.values()]
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


# -- Theorem 3 -----------------------------------------------------------------------------------

BOUNDS = MappingProxyType(
    {"union": "union bound", "chernoff": "Chernoff bound", "theorem": "Theorem 3"}
)


@dataclass(frozen=True, eq=False)
class BoundView:
    """One cut through the grid: P against s for given n, m and t."""

    s: np.ndarray
    exact: np.ndarray
    bounds: Mapping[str, np.ndarray]
    title: str


def theorem_choices(theorem3: dict) -> dict[str, list]:
    """The n, m and t of the grid, as texts."""
    grid = theorem3["grid"]
    return {
        "n": [str(n) for n in sorted(set(grid["n"]))],
        "m": [str(m) for m in sorted(set(grid["m"]))],
        "t": [f"{t:g}" for t in sorted(set(grid["t"]))],
    }


def bound_view(theorem3: dict, n: int, m: int, t: float) -> BoundView | None:
    """None where the grid holds no such setting (m does not divide n)."""
    grid = {name: np.array(values) for name, values in theorem3["grid"].items()}
    rows = (grid["n"] == n) & (grid["m"] == m) & np.isclose(grid["t"], t)
    if not rows.any():
        return None
    s = grid["s"][rows]
    exact = grid["exact"][rows]
    bounds = {label: grid[name][rows] for name, label in BOUNDS.items()}
    likely = s[exact >= 0.9]
    knows = s[bounds[BOUNDS["theorem"]] >= 0.9]
    first = f"P ≥ .9 from s = {likely[0]:,} on" if likely.size else "P stays below .9"
    late = f"the theorem knows it from {knows[0]:,}" if knows.size else "the theorem never says so"
    return BoundView(s, exact, bounds, f"n = {n:,}, m = {m}, t = {t:g}: {first}; {late}")


def rule_table(theorem3: dict) -> dict[str, list[str]]:
    rows = theorem3["rule"]
    return {
        "s": [f"{s:,}" for s in rows["s"]],
        "m = s/log s": [str(m) for m in rows["m"]],
        **{f"exact P, t = {t}": [f"{p:.2g}" for p in rows[f"exact {t}"]] for t in ("0.5", "0.8")},
        **{
            f"most m with P ≥ .9, t = {t}": [str(m) for m in rows[f"best m {t}"]]
            for t in ("0.5", "0.8")
        },
    }


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
        means = [Mean.of(a[key]) if key in a else None for a in accuracies]
        dots.append(
            Dots(
                key,
                METHODS[key],
                np.array([math.nan if m is None else 100 * m.value for m in means]),
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
        [row.title for row, _ in rows], dots, table, _table_title(protocol, preprocessing, rows)
    )


def _table_title(protocol: str, preprocessing: str, rows) -> str:
    both = [way for _, way in rows if way.by_both_rules]
    orders = [way.order("esvm_r", "svm") for way in both]
    first = sum(way.winner() == "esvm_r" for way in both)
    return (
        f"{protocol.capitalize()} folds, {_PREPROCESSED[preprocessing]}: by both rules E-SVM(R) is "
        f"ahead of SVM on {orders.count(1)} of {len(both)} sets, behind on {orders.count(-1)}, "
        f"and first of the four on {first}"
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


def duration(seconds: float) -> str:
    if not math.isfinite(seconds):
        return "–"
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.0995 else f"{seconds:.2g} s"


def _mean_text(values) -> str:
    if values is None:
        return ""
    mean = Mean.of(values)
    error = "" if math.isnan(mean.error) else f" ± {100 * mean.error:.1f}"
    return f"{100 * mean.value:.1f}{error}"


def _p_text(p: float) -> str:
    if math.isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _difference_text(difference: Difference) -> str:
    if not math.isfinite(difference.low):
        return f"{100 * difference.value:+.1f}"
    return (
        f"{100 * difference.value:+.1f} ({100 * difference.low:+.1f} to "
        f"{100 * difference.high:+.1f})"
    )


def _number(value: float | None) -> float:
    return math.inf if value is None else value
