"""What a sweep found: means and paired differences with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lab.accuracy.protocol import LABELS
from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, Trial, WhenSpec
from lab.estimates import Estimate, estimate, fold_overlap
from lab.results import for_files
from lab.words import counted, listed

BASE = "svm"
OWN = ("esvm", "esvm_r")

INTERVALS = {
    "fig2d": (
        "Error bars and intervals are 95 % t-intervals over repeats, which are independent draws "
        "of the data; differences are paired, method by method on the same samples."
    ),
    "when": (
        "Accuracies are exact: the probability that the fitted classifier is right on a new "
        "sample, in closed form. Error bars and intervals are 95 % t-intervals over repeats, which "
        "are independent draws of the training samples; differences are paired."
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
    """One method at one place of a sweep: an m, a value, or a whole set of real data (place 0).

    `difference` is from the SVM. `lead` is that of a form of E-SVM from `rival`, the best of the
    methods that are none, by their means on the draws that both have; `leads` are all of these.
    """

    place: int
    method: str
    accuracy: Estimate
    difference: Estimate | None
    nonzeros: float
    seconds: float
    worst_gap: float | None
    missed: int
    leads: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def rival(self) -> str:
        # The rival's mean on the shared draws is the higher, the lower this difference is.
        return min(self.leads, key=lambda other: self.leads[other].mean, default="")

    @property
    def lead(self) -> Estimate | None:
        return self.leads[self.rival] if self.leads else None


def interval_kind(spec: Spec) -> str:
    if isinstance(spec, RealSpec):
        return spec.fold_kind
    return "fig2d" if isinstance(spec, Fig2dSpec) else "when"


def place_of(spec: Spec, trial: Trial) -> int:
    return 0 if isinstance(spec, RealSpec) else trial[0]


def draw_of(spec: Spec, trial: Trial) -> tuple:
    """What methods are paired on."""
    return trial[:2] if isinstance(spec, RealSpec) else (trial[1],)


def where(spec: Spec, places: Iterable[int]) -> str:
    """Places of generated data in words."""
    if isinstance(spec, WhenSpec):
        return QUANTITIES[spec.quantity].where(places)
    return f"m\u00a0=\u00a0{listed([f'{place:,}' for place in places])}"


def compared(cells: Iterable[Cell]) -> list[Cell]:
    """The cells of E-SVM that have others to be compared with."""
    return [cell for cell in cells if cell.leads]


def looks_of(spec: Spec, cells: Iterable[Cell]) -> int:
    """How many differences are looked at together: every one that the figure shows

    On generated data those of each form of E-SVM from the best of the others, place by place; on
    real data those from each of the others, and from naming the largest class.
    """
    rows = compared(cells)
    if isinstance(spec, RealSpec):
        return max(sum(len(cell.leads) + 1 for cell in rows), 1)
    return max(len(rows), 1)


def summarise(spec: Spec, results: Mapping[Trial, dict]) -> list[Cell]:
    """A cell for every place and method that has a result, in the order of the spec."""
    by_cell: dict[tuple[int, str], dict[tuple, dict]] = {}
    for trial, result in results.items():
        cell = by_cell.setdefault((place_of(spec, trial), trial[2]), {})
        cell[draw_of(spec, trial)] = result
    cells = []
    for place in sorted(spec.places):
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
    leads = {
        other: estimate(_differences(found, here[other]), overlap)
        for other in here
        if method in OWN and other not in (*OWN, "oracle") and _differences(found, here[other])
    }
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
        leads,
    )


def _differences(found, others) -> list[float]:
    """Draw by draw, on the draws that both have."""
    return [found[d]["accuracy"] - others[d]["accuracy"] for d in found if d in others]


def table(spec: Spec, cells: Iterable[Cell]) -> dict[str, list]:
    """One row per cell, in words and per cent, to be read."""
    rows = list(cells)
    looks = looks_of(spec, rows)
    first: dict[str, list] = {}
    if isinstance(spec, Fig2dSpec):
        first = {"m": [cell.place for cell in rows]}
    elif isinstance(spec, WhenSpec):
        quantity = QUANTITIES[spec.quantity]
        first = {quantity.axis: [quantity.said(cell.place) for cell in rows]}
    return {
        **first,
        "method": [LABELS[cell.method] for cell in rows],
        "accuracy, %": [_plus_minus(f"{100 * c.accuracy.mean:.1f}", c.accuracy) for c in rows],
        "minus SVM, points": [
            "" if c.difference is None else _plus_minus(points(c.difference.mean), c.difference)
            for c in rows
        ],
        f"minus the best other, {counted(looks, 'look')}": [
            "" if c.lead is None else _beside(c.lead, looks, LABELS[c.rival]) for c in rows
        ],
        "selected features": [round(cell.nonzeros, 1) for cell in rows],
        "CPU seconds": ["" if c.method == "oracle" else f"{c.seconds:.2g}" for c in rows],
        "largest gap": ["" if c.worst_gap is None else f"{c.worst_gap:.0e}" for c in rows],
        "trials": [cell.accuracy.count for cell in rows],
    }


def _plus_minus(text: str, value: Estimate, looks: int = 1) -> str:
    half = value.half_of(looks)
    return text if np.isnan(half) else f"{text} ± {100 * half:.1f}"


def _beside(lead: Estimate, looks: int, rival: str) -> str:
    return f"{_plus_minus(points(lead.mean), lead, looks)} ({rival})"


def trial_table(spec: Spec, results: Mapping[Trial, dict]) -> dict[str, list]:
    """One row per trial, everything that was measured, and who made it."""
    names = ("m", "repeat")
    if isinstance(spec, RealSpec):
        names = ("repeat", "fold")
    elif isinstance(spec, WhenSpec):
        names = (spec.quantity, "repeat")
    rows = [(trial, results[trial]) for trial in spec.trials() if trial in results]
    strengths = ("alpha", "beta", "lam")
    nan = float("nan")
    makers = [for_files(row.get("made") or {}) for _, row in rows]
    return {
        names[0]: [trial[0] for trial, _ in rows],
        names[1]: [trial[1] for trial, _ in rows],
        "method": [trial[2] for trial, _ in rows],
        "accuracy": [row["accuracy"] for _, row in rows],
        "nonzeros": [row["nonzeros"] for _, row in rows],
        "seconds": [row["seconds"] for _, row in rows],
        "gap": [nan if row["gap"] is None else row["gap"] for _, row in rows],
        **{name: [row["chosen"].get(name, nan) for _, row in rows] for name in strengths},
        **{name: [maker[name] for maker in makers] for name in for_files({})},
    }


def percent(value: float) -> str:
    return f"{100.0 * value:.1f} %"


def points(value: float) -> str:
    """A difference of accuracies in percentage points."""
    text = f"{abs(100.0 * value):.1f}"
    sign = "" if float(text) == 0.0 else ("+" if value > 0 else "−")
    return f"{sign}{text}"
