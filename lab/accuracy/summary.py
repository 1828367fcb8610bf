"""What a sweep found: means and paired differences with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from lab.accuracy.protocol import LABELS
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, Trial
from lab.estimates import Estimate, estimate, fold_overlap

BASE = "svm"
OWN = ("esvm", "esvm_r")

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
    """One method at one place of a sweep: an m, or the whole of a real data set (place 0).

    `difference` is from the SVM. `lead` is that of a form of E-SVM from `rival`, the best of the
    methods that are none, by their means on the draws that both have.
    """

    place: int
    method: str
    accuracy: Estimate
    difference: Estimate | None
    nonzeros: float
    seconds: float
    worst_gap: float | None
    missed: int
    lead: Estimate | None = None
    rival: str = ""


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
        here = {method: by_cell.get((place, method), {}) for method in spec.methods}
        for method, found in here.items():
            if found:
                cells.append(_cell(spec, place, method, found, here))
    return cells


def _cell(spec, place, method, found, here) -> Cell:
    rows = list(found.values())
    overlap = 0.0
    if isinstance(spec, RealSpec):
        ratio = float(np.mean([row["n_test"] / row["n_train"] for row in rows]))
        overlap = fold_overlap(spec.fold_kind, ratio)
    differences = _differences(found, here.get(BASE, {}))
    lead, rival = None, ""
    if method in OWN:
        # The rival's mean on the shared draws is the higher, the lower this difference is.
        leads = {
            other: estimate(_differences(found, here[other]), overlap)
            for other in here
            if other not in (*OWN, "oracle") and _differences(found, here[other])
        }
        if leads:
            rival = min(leads, key=lambda other: leads[other].mean)
            lead = leads[rival]
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
        lead,
        rival,
    )


def _differences(found, others) -> list[float]:
    """Draw by draw, on the draws that both have."""
    return [found[d]["accuracy"] - others[d]["accuracy"] for d in found if d in others]


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


def percent(value: float) -> str:
    return f"{100.0 * value:.1f} %"


def points(value: float) -> str:
    """A difference of accuracies in percentage points."""
    text = f"{abs(100.0 * value):.1f}"
    sign = "" if float(text) == 0.0 else ("+" if value > 0 else "−")
    return f"{sign}{text}"
