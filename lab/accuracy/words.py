"""What a sweep found, in sentences: with their intervals, corrected for how often one looked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab.accuracy.protocol import LABELS, TOLERANCE
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec
from lab.accuracy.summary import OWN, Cell, percent, points
from lab.estimates import Estimate, holm
from lab.words import listed


@dataclass(frozen=True)
class Done:
    """How many of a sweep's trials there are."""

    trials: int
    of: int

    @property
    def so_far(self) -> str:
        """What opens every statement of a sweep that is not complete."""
        return "" if self.trials >= self.of else f"So far, {self.trials} of {self.of} trials: "


def answer(spec: Spec, cells: list[Cell], done: Done, majority: float | None = None) -> str:
    """When exclusive sparsity classifies better than the best of the others, in one sentence.

    `majority` is the share of the largest class, which every classifier of real data has to beat.
    """
    own = next((key for key in OWN if any(cell.method == key for cell in cells)), None)
    rows = [cell for cell in cells if cell.method == own and cell.lead is not None]
    if not rows:
        return (
            "Nothing is known yet for these settings: run the sweep with E-SVM and another method "
            "among its methods."
        )
    if isinstance(spec, RealSpec):
        return done.so_far + _on_real_data(rows[0], majority)
    return done.so_far + _over_m(rows)


def _on_real_data(cell: Cell, majority: float | None) -> str:
    accuracy = f"{percent(cell.accuracy.mean)}"
    text = (
        f"Here, {LABELS[cell.method]} is right on {accuracy} of the test samples, "
        f"{_compared(cell.lead)} {LABELS[cell.rival]}, the best of the others"
    )
    if majority is not None:
        text += f"; always naming the largest class is right on {percent(majority)}"
    return f"{text}."


def _over_m(rows: list[Cell]) -> str:
    label = LABELS[rows[0].method]
    groups = "its groups known" if rows[0].method == "esvm" else "random groups"
    clear = holm([cell.lead.p for cell in rows])
    ahead = [cell for cell, sure in zip(rows, clear, strict=True) if sure and cell.lead.mean > 0]
    behind = [cell for cell, sure in zip(rows, clear, strict=True) if sure and cell.lead.mean < 0]
    if all(np.isnan(cell.lead.half) for cell in rows):
        best = max(rows, key=lambda cell: abs(cell.lead.mean))
        return (
            f"One draw puts {label} {points(best.lead.mean)} percentage points from the best of "
            f"the others at {_ms([best])}; more draws tell chance from difference."
        )
    looks = "" if len(rows) == 1 else f", corrected for {len(rows)} looks"
    if ahead:
        best = max(ahead, key=lambda cell: cell.lead.mean)
        where = "at every m" if len(ahead) == len(rows) else f"at {_ms(ahead)}"
        text = (
            f"With {groups}, {label} beats the best of the others {where}, by up to "
            f"{_size(best.lead)} percentage points at {_ms([best])}"
        )
        if behind:
            text += f", and is behind it at {_ms(behind)}"
        if len(ahead) + len(behind) < len(rows):
            text += "; elsewhere the difference is within chance"
        return f"{text} (95 %{looks})."
    if behind:
        rest = "" if len(behind) == len(rows) else ", and ahead nowhere beyond chance"
        return f"Not here: {label} is behind the best of the others at {_ms(behind)}{rest}."
    best = max(rows, key=lambda cell: abs(cell.lead.mean))
    return (
        f"Not clearly here: the largest difference of {label} from the best of the others, "
        f"{best.lead.in_points()} percentage points at {_ms([best])}, is within chance{looks}."
    )


def chart_title(spec: Spec, cells: list[Cell], done: Done) -> str:
    """The highest means at the largest m that has results, or on the data set."""
    candidates = [cell for cell in cells if cell.method != "oracle"]
    if not candidates:
        return "No results yet"
    last = max(cell.place for cell in candidates)
    here = sorted(
        (cell for cell in candidates if cell.place == last),
        key=lambda cell: -cell.accuracy.mean,
    )
    where = f" at m = {last}" if isinstance(spec, Fig2dSpec) else ""
    text = f"{LABELS[here[0].method]} has the highest mean{where}, {_plain(here[0].accuracy)}"
    if len(here) > 1:
        text += f"; next {LABELS[here[1].method]}, {_plain(here[1].accuracy)}"
    return done.so_far + text


def difference_title(cells: list[Cell], done: Done) -> str:
    """How many methods differ from the SVM by more than chance, all looks counted."""
    rows = [cell for cell in cells if cell.difference is not None and cell.method != "oracle"]
    known = [cell for cell in rows if not np.isnan(cell.difference.half)]
    if not known:
        return done.so_far + "Differences need at least two repeats"
    clear = sum(holm([cell.difference.p for cell in known]))
    of = f"{clear} of {len(known)} differences" if len(known) > 1 else f"{clear} of 1 difference"
    verb = "are" if len(known) > 1 else "is"
    return f"{done.so_far}{of} from SVM {verb} beyond chance, all looks counted"


def extreme_title(
    spec: Spec, cells: list[Cell], done: Done, of: Callable[[Cell], float], words: str
) -> str:
    """The method with the smallest number at the largest m, or on the data set."""
    rows = [cell for cell in cells if cell.method != "oracle"]
    if not rows:
        return "No results yet"
    last = max(cell.place for cell in rows)
    least = min((cell for cell in rows if cell.place == last), key=of)
    where = f"At m = {last} " if isinstance(spec, Fig2dSpec) else ""
    return f"{done.so_far}{where}{LABELS[least.method]} {words.format(of(least))}"


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
    if np.isnan(difference.half):
        return f"{points(difference.mean)} percentage points from"
    if difference.low > 0.0:
        return f"{_size(difference)} percentage points above"
    if difference.high < 0.0:
        return f"{_size(difference)} percentage points below"
    return f"within chance ({difference.in_points()} percentage points) of"


def _size(value: Estimate) -> str:
    return f"{100 * abs(value.mean):.1f} ± {100 * value.half:.1f}"


def _plain(value: Estimate) -> str:
    half = "" if np.isnan(value.half) else f" ± {100 * value.half:.1f}"
    return f"{100 * value.mean:.1f}{half} %"


def _ms(cells: list[Cell]) -> str:
    return f"m\u00a0=\u00a0{listed([str(cell.place) for cell in cells])}"
