"""What a sweep found, in sentences: with their intervals, corrected for how often one looked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lab.accuracy.protocol import LABELS, TOLERANCE
from lab.accuracy.settings import data_in_words
from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, WhenSpec
from lab.accuracy.summary import (
    OWN,
    Cell,
    compared,
    gap_text,
    looks_of,
    plus_minus,
    points,
    rivals_of,
    where,
)
from lab.estimates import Estimate, Together
from lab.words import counted, listed, percent


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
        return f"So far, {self.in_words}: {text}"

    def __str__(self) -> str:
        return f"{self.trials:,} of {self.of:,}"

    @property
    def in_words(self) -> str:
        return "its only trial" if self.trials == self.of == 1 else f"{self} {_trials(self.of)}"


def _trials(count: int) -> str:
    return "trial" if count == 1 else "trials"


_FORMS = {"esvm": "E-SVM (groups known)", "esvm_r": "E-SVM(R) (random groups)"}


def answer(
    spec: Spec,
    cells: list[Cell],
    done: Done,
    majority: float | None = None,
    others: tuple[Spec, list[Cell]] | None = None,
    by_hand: tuple[WhenSpec, list[Cell]] | None = None,
) -> str:
    """For what data exclusive sparsity helps and where it does not, in one sentence.

    `majority` is the share of the largest class, which every classifier of real data has to beat;
    `others` is the same sweep with the other kind of noise, `by_hand` one over the strength β.
    """
    rows = compared(cells)
    if not rows:
        return done.so_far(_nothing_to_compare(spec))
    if isinstance(spec, RealSpec):
        looks = looks_of(spec, cells, majority)
        return done.so_far(_on_real_data(spec, rows[0], looks, majority))
    if not several_draws(rows):
        return done.so_far(_of_one_draw(spec, rows))
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
        said.append(f"all else is within chance{' or of one draw' if lone else ''}")
    each = " at each noise" if len(seen) > len(compared(cells)) else ""
    how = f"{draws_of(seen, 'draw')}, {_strengths(spec)}; ± 95 %{_corrected(looks, each)}"
    said = [f"{'; '.join(said)} ({how})"]
    if by_hand is not None and compared(by_hand[1]):
        said.append(_with_strengths(*by_hand))
    return done.so_far(f"{_named(_unit_once('; '.join(said)), cells)}.")


def several_draws(rows: list[Cell]) -> bool:
    """Whether there is any interval to speak of."""
    return any(np.isfinite(cell.lead.half) for cell in rows)


def brief(
    spec: Spec,
    cells: list[Cell],
    done: Done,
    majority: float | None = None,
    others: tuple[Spec, list[Cell]] | None = None,
) -> str:
    """The answer as it opens the page, in two lines: of the other noise, at how many places."""
    rows = compared(cells)
    if isinstance(spec, RealSpec) or not several_draws(rows):
        return answer(spec, cells, done, majority)
    found = _by_form(spec, rows, looks_of(spec, rows), LABELS)
    over = draws_of(rows, "draw")
    said = [f"With {spec.noise} noise, over {over}, {found}"]
    if others is not None and (rows := compared(others[1])):
        found = _by_form(others[0], rows, looks_of(*others), LABELS, _how_often)
        places = places_of(spec, len({cell.place for cell in rows}))
        found = said_once(found, f" of {places}")
        again = draws_of(rows, "draw")
        draws = "" if again == over else f", over {again},"
        said.append(f"with {others[0].noise} noise{draws} {found}")
    return done.so_far(f"{_named(_unit_once('; '.join(said), ', 95 % interval'), cells)}.")


def _how_often(spec: Spec, rows: list[Cell], looks: Together, side: int) -> str:
    """At how many places E-SVM is ahead or behind, and by how much; nothing if nowhere."""
    some = [cell for cell in rows if looks.side(cell.lead) == side]
    if not some:
        return ""
    at = f"{len(some)} of {places_of(spec, len(rows))}"
    if len(some) == len(rows):
        at = where(spec, [rows[0].place]) if len(rows) == 1 else f"all {places_of(spec, len(rows))}"
    return f"{_BEATS if side > 0 else _TRAILS} at {at} {_how_far(some, side)}"


def _with_strengths(spec: WhenSpec, cells: list[Cell]) -> str:
    """For which strengths it helps, with the data on which they were varied."""
    rows, looks = compared(cells), looks_of(spec, cells)
    data = f"{spec.noise} noise, m = {spec.n_groups:,} of {spec.n_features:,} features"
    how = f"{data}; {draws_of(rows, 'draw')}, {looks}"
    return f"with β set by hand ({how}) {_by_form(spec, rows, looks, LABELS)}"


def said_once(text: str, of_all: str) -> str:
    """Counts after the first need not say again of how many."""
    first, again, rest = text.partition(of_all)
    return f"{first}{again}{rest.replace(of_all, '')}"


def _unit_once(text: str, how: str = "") -> str:
    """The first size has its unit, and says how it is meant."""
    first, unit, rest = text.partition(" points)")
    return f"{first} points{how}){rest.replace(unit, ')')}" if unit else text


BEST = "the best other"
_BEATS, _TRAILS = f"beats {BEST}", f"trails {BEST}"


def _named(text: str, cells: list[Cell]) -> str:
    """Whom the best other is the best of, said once."""
    rivals = [LABELS[rival] for rival in rivals_of(cells)]
    first, again = rivals[0], rivals[0]
    if len(rivals) > 1:
        first, again = f"the best of {listed(rivals)}", "the best of them"
    before, _, after = text.partition(BEST)
    return f"{before}{first}{after.replace(_TRAILS, 'trails').replace(BEST, again)}"


def may_compare(spec: Spec) -> bool:
    """Whether the methods that are chosen can be compared once there are results."""
    own = [method for method in spec.methods if method in OWN]
    others = [method for method in spec.methods if method not in (*OWN, "oracle")]
    return bool(own and others)


def _nothing_to_compare(spec: Spec) -> str:
    if may_compare(spec):
        return "No draw has E-SVM and another method yet, so there is nothing to compare."
    return "There is nothing to compare: choose E-SVM and another one among the methods."


def _of_one_draw(spec: Spec, rows: list[Cell]) -> str:
    cell = max(rows, key=lambda cell: abs(cell.lead.mean))
    lead, side = cell.lead.mean, "above" if cell.lead.mean > 0 else "below"
    where_it_is = f"{points(abs(lead)).lstrip('+')} percentage points {side}"
    if points(lead) == "0.0":
        where_it_is = "level with"
    text = (
        f"One draw puts {LABELS[cell.method]} {where_it_is} {BEST} at "
        f"{where(spec, [cell.place])}; more draws tell chance from difference."
    )
    return _named(text, rows)


def draws_of(rows: list[Cell], word: str) -> str:
    """Over how many draws or folds the differences are."""
    return from_to([cell.lead.count for cell in rows], word)


def from_to(counts: list[int], word: str) -> str:
    least, most = min(counts), max(counts)
    return counted(most, word) if least == most else f"{least} to {counted(most, word)}"


def _strengths(spec: Spec) -> str:
    told = isinstance(spec, WhenSpec) and spec.quantity == "strength"
    return "β as set" if told else "strengths by cross-validation"


def _decided(rows: list[Cell], looks: Together) -> bool:
    """Whether there is no other difference to speak of: all are beyond chance, or none is."""
    sides = [looks.side(cell.lead) != 0 for cell in rows]
    return all(sides) or not any(sides)


def _by_form(
    spec: Spec,
    rows: list[Cell],
    looks: Together,
    names: Mapping[str, str],
    told: Callable[[Spec, list[Cell], Together, int], str] | None = None,
) -> str:
    """Where each form of E-SVM is ahead of the best of the others, and where behind, as `told`."""
    forms, told = [form for form in OWN if any(cell.method == form for cell in rows)], told or _side
    said = []
    for form in forms:
        here = [cell for cell in rows if cell.method == form]
        parts = [told(spec, here, looks, 1), told(spec, here, looks, -1)]
        if any(parts):
            said.append((names[form], listed([part for part in parts if part])))
    if said:
        return _without_repeated_verbs(said)
    if len(forms) == 1:
        return f"{names[forms[0]]} does not differ from {BEST} beyond chance"
    both = " nor ".join(names[form] for form in forms)
    return f"neither {both} differs from {BEST} beyond chance"


def _without_repeated_verbs(said: list[tuple[str, str]]) -> str:
    """Subjects with what they do; who does the same as the one before needs no verb."""
    parts, last = [], ""
    for subject, does in said:
        verb = next(verb for verb in (_BEATS, _TRAILS) if does.startswith(verb))
        parts.append(f"{subject} {does.removeprefix(f'{verb} ') if verb == last else does}")
        last = _TRAILS if f" and {_TRAILS} at " in does else verb
    return ", ".join(parts)


def _side(spec: Spec, rows: list[Cell], looks: Together, side: int) -> str:
    """Where E-SVM is ahead or behind, and by how much at most; nothing if nowhere."""
    some = [cell for cell in rows if looks.side(cell.lead) == side]
    if not some:
        return ""
    places = _everywhere(spec, some, rows)
    return f"{_BEATS if side > 0 else _TRAILS} at {places} {_how_far(some, side)}"


def _how_far(some: list[Cell], side: int) -> str:
    """The largest of some differences on one side."""
    best = max(some, key=lambda cell: side * cell.lead.mean)
    return f"(by {'up to ' if len(some) > 1 else ''}{_size(best.lead)} points)"


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


def _corrected(looks: Together, where: str = "") -> str:
    return "" if looks.looks == 1 else f", beyond chance by Holm's correction{where} for {looks}"


def _on_real_data(spec: RealSpec, cell: Cell, looks: Together, majority: float | None) -> str:
    text = (
        f"On {data_in_words(spec)}, {LABELS[cell.method]} is right on "
        f"{percent(cell.accuracy.mean)} of the test samples, {_compared(cell.lead, looks)} "
        f"{LABELS[cell.rival]}, the best of the others ({_how_known(cell, looks)})"
    )
    if majority is not None:
        above = _above(cell.accuracy.minus(majority), looks)
        text += f", and {above} always naming the largest class ({percent(majority)})"
    return f"{text}."


def _how_known(cell: Cell, looks: Together) -> str:
    """How the differences of one set of data are told from chance, if they are."""
    folds = draws_of([cell], "fold")
    return folds if np.isnan(cell.lead.half) else f"{folds}; ± 95 %{_corrected(looks)}"


def _above(difference: Estimate, looks: Together) -> str:
    side = looks.side(difference)
    return {1: "beyond chance above", -1: "beyond chance below", 0: "within chance of"}[side]


def places_of(spec: Spec, count: int) -> str:
    if isinstance(spec, Fig2dSpec):
        return counted(count, "value of m", "values of m")
    return counted(count, "value")


def certificate_words(cells: list[Cell]) -> str:
    """How good the final fits of E-SVM are, and whose fits ended before they had converged."""
    said = []
    gaps = [cell.worst_gap for cell in cells if cell.worst_gap is not None]
    if gaps:
        verdict = "every" if max(gaps) <= TOLERANCE else "not every"
        said.append(
            f"{verdict} final E-SVM fit is certified to {TOLERANCE:g}, largest gap "
            f"{gap_text(max(gaps), 1)}"
        )
    missed: dict[str, int] = {}
    for cell in cells:
        if cell.missed:
            missed[cell.method] = missed.get(cell.method, 0) + cell.missed
    if missed:
        whose = ", ".join(f"{LABELS[method]} in {n}" for method, n in missed.items())
        said.append(f"trials with a fit that stopped before its tolerance: {whose}")
    return "; ".join(said)


def _compared(difference: Estimate, looks: Together) -> str:
    if np.isnan(difference.half):
        return f"{points(difference.mean)} percentage points from"
    size = f"{_size(difference)} percentage points"
    side = looks.side(difference)
    if side:
        return f"{size} {'above' if side > 0 else 'below'}"
    sign = "−" if points(difference.mean).startswith("−") else ""
    return f"within chance ({sign}{size}) of"


def _size(value: Estimate) -> str:
    return plus_minus(f"{100 * abs(value.mean):.1f}", value)
