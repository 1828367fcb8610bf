"""What a sweep found: means and paired differences with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lab.accuracy.protocol import LABELS
from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, Trial, WhenSpec
from lab.estimates import Estimate, Together, estimate, fold_overlap
from lab.results import for_files
from lab.words import listed, percent

BASE = "svm"
OWN = ("esvm", "esvm_r")

INTERVALS = {
    "fig2d": (
        "Error bars and ± are 95 % t-intervals over independent draws of the data; differences are "
        "paired, method by method on the same samples."
    ),
    "when": (
        "Accuracies are exact: the probability that the fitted classifier is right on a new "
        "sample, in closed form. Error bars and ± are 95 % t-intervals over independent draws of "
        "the training samples; differences are paired."
    ),
    "ordinary": (
        "Error bars and ± are 95 % t-intervals over folds with the correction of Nadeau and Bengio "
        "for training sets that overlap (the variance is multiplied by 1/k + test/train in place "
        "of 1/k); differences are paired, fold by fold."
    ),
    "inverted": (
        "Error bars and ± are 95 % t-intervals over folds, whose training sets are disjoint but "
        "whose test sets overlap, so that they are approximate; differences are paired, fold by "
        "fold."
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


def rivals_of(cells: Iterable[Cell]) -> list[str]:
    """Whom E-SVM is compared with: the methods that are no form of it, the oracle left out."""
    found = {rival for cell in compared(cells) for rival in cell.leads}
    return [method for method in LABELS if method in found]


def looks_of(spec: Spec, cells: Iterable[Cell], majority: float | None = None) -> Together:
    """The differences that are looked at together: of each form of E-SVM from every other method,
    at every place, and on real data from naming the largest class, whose share is `majority`

    Who is the best of the others is seen on the same draws, so each of them counts.
    """
    rows = compared(cells)
    found = [lead for cell in rows for lead in cell.leads.values()]
    if isinstance(spec, RealSpec) and majority is not None:
        found += [cell.accuracy.minus(majority) for cell in rows]
    return Together.of(found)


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
    first: dict[str, list] = {}
    if isinstance(spec, Fig2dSpec):
        first = {"m": [cell.place for cell in rows]}
    elif isinstance(spec, WhenSpec):
        quantity = QUANTITIES[spec.quantity]
        first = {quantity.axis: [quantity.said(cell.place) for cell in rows]}
    return {
        **first,
        "method": [LABELS[cell.method] for cell in rows],
        "accuracy, %": [plus_minus(bare_percent(c.accuracy.mean), c.accuracy) for c in rows],
        "minus SVM, points": [
            "" if c.difference is None else _difference(c.difference) for c in rows
        ],
        "minus the best other, points": [
            "" if c.lead is None else f"{_difference(c.lead)} ({LABELS[c.rival]})" for c in rows
        ],
        "selected features": [round(cell.nonzeros, 1) for cell in rows],
        "CPU seconds": ["" if c.method == "oracle" else _seconds(c.seconds) for c in rows],
        "largest gap": ["" if c.worst_gap is None else gap_text(c.worst_gap, 0) for c in rows],
        "trials": [cell.accuracy.count for cell in rows],
    }


def gap_text(gap: float, digits: int) -> str:
    return f"{gap:.{digits}e}" if gap else "0"


def _seconds(value: float) -> str:
    return f"{value:.2g}" if value < 99.5 else f"{value:,.0f}"


def plus_minus(text: str, value: Estimate) -> str:
    """A number with half its interval, where draws that differ tell one."""
    return f"{text} ± {100 * value.half:.1f}" if value.half > 0.0 else text


def _difference(value: Estimate) -> str:
    return plus_minus(points(value.mean), value)


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


def bare_percent(share: float) -> str:
    """A share in per cent where the unit stands elsewhere."""
    return percent(share).removesuffix(" %")


def points(value: float) -> str:
    """A difference of accuracies in percentage points."""
    text = f"{abs(100.0 * value):.1f}"
    sign = "" if float(text) == 0.0 else ("+" if value > 0 else "−")
    return f"{sign}{text}"
