"""What a sweep found, in sentences: with their intervals, corrected for how often one looked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lab.accuracy.protocol import LABELS, TOLERANCE
from lab.accuracy.settings import data_in_words
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, WhenSpec
from lab.accuracy.summary import OWN, Cell, compared, looks_of, percent, points, where
from lab.estimates import Estimate
from lab.words import counted, listed


@dataclass(frozen=True)
class Done:
    """How many of a sweep's trials there are."""

    trials: int
    of: int

    def so_far(self, text: str) -> str:
        """A statement, opened by how much of the sweep it knows where that is not all."""
        if self.trials >= self.of:
            return text
        if not text.startswith(tuple(LABELS.values())):  # a name keeps its capital
            text = text[0].lower() + text[1:]
        return f"So far, {self} trials: {text}"

    def __str__(self) -> str:
        return f"{self.trials:,} of {self.of:,}"


_FORMS = {"esvm": "E-SVM (groups known)", "esvm_r": "E-SVM(R) (random groups)"}


def answer(
    spec: Spec,
    cells: list[Cell],
    done: Done,
    majority: float | None = None,
    others: tuple[Spec, list[Cell]] | None = None,
) -> str:
    """For what data exclusive sparsity helps and where it does not, in one sentence.

    `majority` is the share of the largest class, which every classifier of real data has to beat;
    `others` is the same sweep with the other kind of noise.
    """
    rows = compared(cells)
    if not rows:
        return done.so_far(_nothing_to_compare(spec))
    if isinstance(spec, RealSpec):
        return done.so_far(_on_real_data(spec, rows[0], looks_of(spec, cells), majority))
    if all(np.isnan(cell.lead.half) for cell in rows):
        return done.so_far(_of_one_draw(spec, max(rows, key=lambda cell: abs(cell.lead.mean))))
    looks = looks_of(spec, rows)
    said = [f"With {spec.noise} noise {_by_form(spec, rows, looks, _FORMS)}"]
    every, seen = _decided(rows, looks), rows
    if others is not None and compared(others[1]):
        other, found = others
        rows, own = compared(found), looks_of(*others)
        said.append(f"with {other.noise} noise {_by_form(other, rows, own, LABELS)}")
        every, seen = every and _decided(rows, own), [*seen, *rows]
    if not every:
        lone = any(np.isnan(cell.lead.half) for cell in seen)
        said.append(f"all other differences are within chance{' or of one draw' if lone else ''}")
    how = f"{_draws(seen, 'draw')}, {_strengths(spec)}; 95 %{_corrected(looks)}"
    return done.so_far(f"{'; '.join(said)} ({how}).")


def _nothing_to_compare(spec: Spec) -> str:
    own = [method for method in spec.methods if method in OWN]
    others = [method for method in spec.methods if method not in (*OWN, "oracle")]
    if own and others:
        return "No draw has E-SVM and another method yet, so there is nothing to compare."
    return "There is nothing to compare: choose E-SVM and another one among the methods."


def _of_one_draw(spec: Spec, cell: Cell) -> str:
    lead, side = cell.lead.mean, "above" if cell.lead.mean > 0 else "below"
    where_it_is = f"{points(abs(lead)).lstrip('+')} percentage points {side}"
    if points(lead) == "0.0":
        where_it_is = "level with"
    return (
        f"One draw puts {LABELS[cell.method]} {where_it_is} the best of the others at "
        f"{where(spec, [cell.place])}; more draws tell chance from difference."
    )


def _draws(rows: list[Cell], word: str) -> str:
    """Over how many draws or folds the differences are."""
    least, most = (end(cell.lead.count for cell in rows) for end in (min, max))
    return counted(most, word) if least == most else f"{least} to {counted(most, word)}"


def _strengths(spec: Spec) -> str:
    told = isinstance(spec, WhenSpec) and spec.quantity == "strength"
    return "β as set" if told else "strengths by cross-validation"


def _decided(rows: list[Cell], looks: int) -> bool:
    """Whether there is no other difference to speak of: all are beyond chance, or none is."""
    sides = [cell.lead.side(looks) != 0 for cell in rows]
    return all(sides) or not any(sides)


def _by_form(spec: Spec, rows: list[Cell], looks: int, names: Mapping[str, str]) -> str:
    """Where each form of E-SVM is ahead of the best of the others, and where behind."""
    forms = [form for form in OWN if any(cell.method == form for cell in rows)]
    said = []
    for form in forms:
        here = [cell for cell in rows if cell.method == form]
        parts = [_side(spec, here, looks, 1), _side(spec, here, looks, -1)]
        if any(parts):
            said.append(f"{names[form]} {listed([part for part in parts if part])}")
    if said:
        return ", ".join(said)
    if len(forms) == 1:
        return f"{names[forms[0]]} does not differ from the best other beyond chance"
    both = " nor ".join(names[form] for form in forms)
    return f"neither {both} differs from the best other beyond chance"


def _side(spec: Spec, rows: list[Cell], looks: int, side: int) -> str:
    """Where E-SVM is ahead or behind, and by how much at most; nothing if nowhere."""
    some = [cell for cell in rows if cell.lead.side(looks) == side]
    if not some:
        return ""
    best = max(some, key=lambda cell: side * cell.lead.mean)
    most = "by up to" if len(some) > 1 else "by"
    says = "beats the best other" if side > 0 else "trails"
    places = _everywhere(spec, some, rows)
    return f"{says} at {places} ({most} {_size(best.lead, looks)} points)"


def _everywhere(spec: Spec, some: list[Cell], rows: list[Cell]) -> str:
    """Where, the short way: all, all but one, or those."""
    if len(rows) == 1:
        return where(spec, [some[0].place])
    left = [cell.place for cell in rows if cell not in some]
    if len(left) > 1 or len(rows) < 4:
        return where(spec, [cell.place for cell in some])
    every = "every m" if isinstance(spec, Fig2dSpec) else "every value tried"
    if not left:
        return every
    last = f"{left[0]:,}" if isinstance(spec, Fig2dSpec) else where(spec, left)
    return f"{every} but {last}"


def _corrected(looks: int) -> str:
    return "" if looks == 1 else f", corrected for {looks} looks"


def _on_real_data(spec: RealSpec, cell: Cell, looks: int, majority: float | None) -> str:
    text = (
        f"On {data_in_words(spec)}, {LABELS[cell.method]} is right on "
        f"{percent(cell.accuracy.mean)} of the test samples, {_compared(cell.lead, looks)} "
        f"{LABELS[cell.rival]}, the best of the others "
        f"({_draws([cell], 'fold')}; 95 %{_corrected(looks)})"
    )
    if majority is not None:
        above = _above(cell.accuracy.minus(majority), looks)
        text += f", and {above} always naming the largest class ({percent(majority)})"
    return f"{text}."


def _above(difference: Estimate, looks: int) -> str:
    side = difference.side(looks)
    return {1: "beyond chance above", -1: "beyond chance below", 0: "within chance of"}[side]


def lead_title(spec: Spec, cells: list[Cell], done: Done) -> str:
    """At how many places E-SVM is ahead of the best of the others, and behind, beyond chance."""
    rows = compared(cells)
    if not rows:
        return "No results yet" if not cells else "E-SVM and another method are needed to compare"
    if all(np.isnan(cell.lead.half) for cell in rows):
        return done.so_far("Differences need at least two repeats")
    looks = looks_of(spec, rows)
    if isinstance(spec, RealSpec):
        return done.so_far(_real_title(rows[0], looks))
    parts = []
    for form in OWN:
        sides = [cell.lead.side(looks) for cell in rows if cell.method == form]
        if sides:
            parts.append(
                f"{LABELS[form]} ahead at {sides.count(1)} of {len(sides)}, behind at "
                f"{sides.count(-1)}"
            )
    return done.so_far(f"Beyond chance: {'; '.join(parts)}")


def _real_title(cell: Cell, looks: int) -> str:
    sides = [lead.side(looks) for lead in cell.leads.values()]
    return (
        f"{LABELS[cell.method]} is beyond chance ahead of {sides.count(1)} of "
        f"{counted(len(sides), 'other method')}, behind {sides.count(-1)}"
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
    place = "" if isinstance(spec, RealSpec) else f" at {where(spec, [last])}"
    text = f"{LABELS[here[0].method]} has the highest mean{place}, {_plain(here[0].accuracy)}"
    if len(here) > 1:
        text += f"; next {LABELS[here[1].method]}, {_plain(here[1].accuracy)}"
    return done.so_far(text)


def extreme_title(
    spec: Spec, cells: list[Cell], done: Done, of: Callable[[Cell], float], words: str
) -> str:
    """The method with the smallest number at the largest m, or on the data set."""
    rows = [cell for cell in cells if cell.method != "oracle"]
    if not rows:
        return "No results yet"
    last = max(cell.place for cell in rows)
    least = min((cell for cell in rows if cell.place == last), key=of)
    place = "" if isinstance(spec, RealSpec) else f"At {where(spec, [last])} "
    return done.so_far(f"{place}{LABELS[least.method]} {words.format(of(least))}")


def certificate_words(cells: list[Cell]) -> str:
    """How good the final fits of E-SVM are, and whose fits ended before they had converged."""
    said = []
    gaps = [cell.worst_gap for cell in cells if cell.worst_gap is not None]
    if gaps:
        verdict = "every" if max(gaps) <= TOLERANCE else "not every"
        said.append(
            f"{verdict} final E-SVM fit is certified to {TOLERANCE:g}, largest gap {max(gaps):.1e}"
        )
    missed: dict[str, int] = {}
    for cell in cells:
        if cell.missed:
            missed[cell.method] = missed.get(cell.method, 0) + cell.missed
    if missed:
        whose = ", ".join(f"{LABELS[method]} in {n}" for method, n in missed.items())
        said.append(f"trials with a fit that stopped before its tolerance: {whose}")
    return "; ".join(said)


def _compared(difference: Estimate, looks: int) -> str:
    if np.isnan(difference.half):
        return f"{points(difference.mean)} percentage points from"
    size = f"{_size(difference, looks)} percentage points"
    side = difference.side(looks)
    if side:
        return f"{size} {'above' if side > 0 else 'below'}"
    sign = "−" if points(difference.mean).startswith("−") else ""
    return f"within chance ({sign}{size}) of"


def _size(value: Estimate, looks: int) -> str:
    return f"{100 * abs(value.mean):.1f} ± {100 * value.half_of(looks):.1f}"


def _plain(value: Estimate) -> str:
    half = "" if np.isnan(value.half) else f" ± {100 * value.half:.1f}"
    return f"{100 * value.mean:.1f}{half} %"
