"""What a sweep found: means, paired differences with confidence intervals, and words for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from lab.estimates import Estimate, estimate, fold_overlap
from lab.sweeps.protocol import LABELS, TOLERANCE
from lab.sweeps.specs import Fig2dSpec, RealSpec, Spec, Trial

BASE = "svm"

INTERVALS = {
    "fig2d": (
        "Error bars and intervals are 95 % t-intervals over repeats, which are independent draws "
        "of the data; differences are paired, method by method on the same samples."
    ),
    "ordinary": (
        "Intervals are 95 % t-intervals over folds with the correction of Nadeau and Bengio for "
        "training sets that overlap (the variance is multiplied by 1/k + test/train in place of "
        "1/k); differences are paired, fold by fold."
    ),
    "inverted": (
        "Intervals are 95 % t-intervals over folds, whose training sets are disjoint but whose "
        "test sets overlap, so that they are approximate; differences are paired, fold by fold."
    ),
}


@dataclass(frozen=True)
class Cell:
    """One method at one place of a sweep: an m, or the whole of a real data set (place 0)."""

    place: int
    method: str
    accuracy: Estimate
    difference: Estimate | None
    nonzeros: float
    seconds: float
    worst_gap: float | None
    missed: int


def interval_kind(spec: Spec) -> str:
    return "fig2d" if isinstance(spec, Fig2dSpec) else spec.fold_kind


def place_of(spec: Spec, trial: Trial) -> int:
    return trial[0] if isinstance(spec, Fig2dSpec) else 0


def draw_of(spec: Spec, trial: Trial) -> tuple:
    """What methods are paired on."""
    return (trial[1],) if isinstance(spec, Fig2dSpec) else trial[:2]


def summarise(spec: Spec, results: Mapping[Trial, dict]) -> list[Cell]:
    """A cell for every place and method that has a result, in the order of the spec."""
    by_cell: dict[tuple[int, str], dict[tuple, dict]] = {}
    for trial, result in results.items():
        cell = by_cell.setdefault((place_of(spec, trial), trial[2]), {})
        cell[draw_of(spec, trial)] = result
    places = spec.ms if isinstance(spec, Fig2dSpec) else (0,)
    cells = []
    for place in sorted(places):
        base = by_cell.get((place, BASE), {})
        for method in spec.methods:
            found = by_cell.get((place, method))
            if found:
                cells.append(_cell(spec, place, method, found, base))
    return cells


def _cell(spec, place, method, found, base) -> Cell:
    rows = list(found.values())
    overlap = 0.0
    if isinstance(spec, RealSpec):
        ratio = float(np.mean([row["n_test"] / row["n_train"] for row in rows]))
        overlap = fold_overlap(spec.fold_kind, ratio)
    shared = [draw for draw in found if draw in base]
    differences = [found[draw]["accuracy"] - base[draw]["accuracy"] for draw in shared]
    gaps = [row["gap"] for row in rows if row["gap"] is not None]
    return Cell(
        place,
        method,
        estimate([row["accuracy"] for row in rows], overlap),
        estimate(differences, overlap) if method != BASE and differences else None,
        float(np.mean([row["nonzeros"] for row in rows])),
        float(np.median([row["seconds"] for row in rows])),
        max(gaps) if gaps else None,
        sum(bool(row["missed"]) for row in rows),
    )


def table(spec: Spec, cells: Iterable[Cell]) -> dict[str, list]:
    """One row per cell, in words and per cent, to be read."""
    rows = list(cells)
    first = {"m": [cell.place for cell in rows]} if isinstance(spec, Fig2dSpec) else {}
    return {
        **first,
        "method": [LABELS[cell.method] for cell in rows],
        "accuracy, %": [_plus_minus(f"{100 * c.accuracy.mean:.1f}", c.accuracy) for c in rows],
        "minus SVM, points": [
            "" if c.difference is None else _plus_minus(points(c.difference.mean), c.difference)
            for c in rows
        ],
        "selected features": [round(cell.nonzeros, 1) for cell in rows],
        "CPU seconds": ["" if c.method == "oracle" else f"{c.seconds:.2g}" for c in rows],
        "largest gap": ["" if c.worst_gap is None else f"{c.worst_gap:.0e}" for c in rows],
        "trials": [cell.accuracy.count for cell in rows],
    }


def _plus_minus(text: str, value: Estimate) -> str:
    return text if np.isnan(value.half) else f"{text} ± {100 * value.half:.1f}"


def trial_table(spec: Spec, results: Mapping[Trial, dict]) -> dict[str, list]:
    """One row per trial, everything that was measured."""
    names = ("m", "repeat") if isinstance(spec, Fig2dSpec) else ("repeat", "fold")
    rows = [(trial, results[trial]) for trial in spec.trials() if trial in results]
    strengths = ("alpha", "beta", "lam")
    nan = float("nan")
    return {
        names[0]: [trial[0] for trial, _ in rows],
        names[1]: [trial[1] for trial, _ in rows],
        "method": [trial[2] for trial, _ in rows],
        "accuracy": [row["accuracy"] for _, row in rows],
        "nonzeros": [row["nonzeros"] for _, row in rows],
        "seconds": [row["seconds"] for _, row in rows],
        "gap": [nan if row["gap"] is None else row["gap"] for _, row in rows],
        **{name: [row["chosen"].get(name, nan) for _, row in rows] for name in strengths},
    }


# -- findings in words ---------------------------------------------------------------------


def percent(value: float) -> str:
    return f"{100.0 * value:.1f} %"


def points(value: float) -> str:
    """A difference of accuracies in percentage points."""
    text = f"{abs(100.0 * value):.1f}"
    sign = "" if float(text) == 0.0 else ("+" if value > 0 else "−")
    return f"{sign}{text}"


def answer(spec: Spec, cells: list[Cell]) -> str:
    """One sentence that answers when exclusive sparsity classifies better, from the numbers."""
    own = "esvm" if any(cell.method == "esvm" for cell in cells) else "esvm_r"
    rows = [cell for cell in cells if cell.method == own and cell.difference is not None]
    if not rows:
        return (
            "Nothing is known yet for these settings: run the sweep with SVM and E-SVM among its "
            "methods."
        )
    label = LABELS[own]
    if isinstance(spec, RealSpec):
        difference = rows[0].difference
        return (
            f"Here, {label} is right on {percent(rows[0].accuracy.mean)} of the test samples, "
            f"{_compared(difference)} a plain SVM."
        )
    ahead = [cell for cell in rows if cell.difference.low > 0.0]
    behind = [cell for cell in rows if cell.difference.high < 0.0]
    best = max(rows, key=lambda cell: cell.difference.mean)
    if ahead:
        best = max(ahead, key=lambda cell: cell.difference.mean)
        where = "at every m" if len(ahead) == len(rows) else f"at {_ms(ahead)}"
        groups = "its groups known" if own == "esvm" else "random groups"
        text = (
            f"With {groups}, {label} beats a plain SVM {where}, by up to "
            f"{points(best.difference.mean).lstrip('+')} percentage points at {_ms([best])}"
        )
        if behind:
            text += f", and loses at {_ms(behind)}"
        elif len(ahead) < len(rows):
            text += "; elsewhere the difference is within chance"
        return f"{text}."
    if behind:
        return f"Not here: {label} is behind a plain SVM at {_ms(behind)}, and ahead nowhere."
    if np.isnan(best.difference.half):
        return (
            f"One repeat puts {label} {points(best.difference.mean)} percentage points from a "
            f"plain SVM at {_ms([best])}; more repeats tell chance from difference."
        )
    return (
        f"Not clearly here: the largest difference of {label} from a plain SVM, "
        f"{points(best.difference.mean)} percentage points at {_ms([best])}, is within chance."
    )


def chart_title(spec: Spec, cells: list[Cell]) -> str:
    """The leader at the largest m that has results, or on the data set."""
    candidates = [cell for cell in cells if cell.method != "oracle"]
    if not candidates:
        return "No results yet"
    last = max(cell.place for cell in candidates)
    here = [cell for cell in candidates if cell.place == last]
    best = max(here, key=lambda cell: cell.accuracy.mean)
    where = f" at m = {last}" if isinstance(spec, Fig2dSpec) else ""
    text = f"{LABELS[best.method]} leads{where} with {percent(best.accuracy.mean)}"
    base = next((cell for cell in here if cell.method == BASE), None)
    if base is not None and best.method != BASE:
        text += f", SVM has {percent(base.accuracy.mean)}"
    return text


def difference_title(cells: list[Cell]) -> str:
    """How many methods differ from the SVM by more than chance."""
    rows = [cell for cell in cells if cell.difference is not None and cell.method != "oracle"]
    known = [cell for cell in rows if not np.isnan(cell.difference.half)]
    if not known:
        return "Differences need at least two repeats"
    clear = [cell for cell in known if cell.difference.low > 0 or cell.difference.high < 0]
    return f"{len(clear)} of {len(known)} differences from SVM are beyond chance"


def certificate_words(cells: list[Cell]) -> str:
    """How good the final fits of E-SVM are, and whose fits ended before they had converged."""
    said = []
    gaps = [cell.worst_gap for cell in cells if cell.worst_gap is not None]
    if gaps:
        verdict = "every" if max(gaps) <= TOLERANCE else "not every"
        said.append(
            f"{verdict} final E-SVM fit is certified to {TOLERANCE:g}; the largest gap is "
            f"{max(gaps):.1e}"
        )
    missed: dict[str, int] = {}
    for cell in cells:
        if cell.missed:
            missed[cell.method] = missed.get(cell.method, 0) + cell.missed
    if missed:
        whose = ", ".join(f"{LABELS[method]} in {n}" for method, n in missed.items())
        said.append(f"trials with a fit that stopped before its tolerance: {whose}")
    return "; ".join(said)


def _compared(difference: Estimate) -> str:
    size = points(difference.mean).lstrip("+−")
    if np.isnan(difference.half):
        return f"{points(difference.mean)} percentage points from"
    if difference.low > 0.0:
        return f"{size} percentage points above"
    if difference.high < 0.0:
        return f"{size} percentage points below"
    return f"within chance ({points(difference.mean)} percentage points) of"


def _ms(cells: list[Cell]) -> str:
    values = [str(cell.place) for cell in cells]
    text = values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
    return f"m\u00a0=\u00a0{text}"
