"""Titles of the figure of a sweep: counts of what is beyond chance, and plain readings."""

from __future__ import annotations

from collections.abc import Callable

from lab.accuracy.protocol import LABELS
from lab.accuracy.specs import RealSpec, Spec
from lab.accuracy.summary import (
    OWN,
    Cell,
    bare_percent,
    compared,
    looks_of,
    plus_minus,
    where,
)
from lab.accuracy.words import (
    BEST,
    Done,
    draws_of,
    from_to,
    may_compare,
    places_of,
    said_once,
    several_draws,
)
from lab.estimates import Together
from lab.words import counted


def lead_title(spec: Spec, cells: list[Cell], done: Done, majority: float | None = None) -> str:
    """At how many places E-SVM is ahead of the best of the others, and behind, beyond chance."""
    rows = compared(cells)
    if not rows:
        return done.so_far(_nothing_to_compare(spec)) if cells else "No results yet"
    if not several_draws(rows):
        lone = "One fold" if isinstance(spec, RealSpec) else "One draw at each place"
        return done.so_far(f"{lone}: nothing tells these differences from chance")
    looks = looks_of(spec, cells, majority)
    if isinstance(spec, RealSpec):
        return done.so_far(_real_title(rows[0], looks))
    parts = []
    for form in OWN:
        sides = [looks.side(cell.lead) for cell in rows if cell.method == form]
        if len(sides) == 1:
            parts.append(f"{LABELS[form]} {_ALONE[sides[0]]}")
        elif sides:
            parts.append(
                f"{LABELS[form]} ahead at {sides.count(1)} of {places_of(spec, len(sides))}, "
                f"behind at {sides.count(-1)}"
            )
    of_all = f" of {places_of(spec, len({cell.place for cell in rows}))}"
    said = said_once("; ".join(parts), of_all)
    return done.so_far(f"Beyond chance: {said} ({draws_of(rows, 'draw')})")


_ALONE = {
    1: f"ahead of {BEST}",
    -1: f"behind {BEST}",
    0: f"neither ahead of {BEST} nor behind",
}


def _nothing_to_compare(spec: Spec) -> str:
    if may_compare(spec):
        return "No draw has E-SVM and another method yet"
    return "E-SVM and another method are needed to compare"


def _real_title(cell: Cell, looks: Together) -> str:
    sides = [looks.side(lead) for lead in cell.leads.values()]
    if len(sides) == 1:
        how = {1: "beyond chance ahead of", -1: "beyond chance behind", 0: "within chance of"}
        return f"{LABELS[cell.method]} is {how[sides[0]]} {LABELS[cell.rival]}"
    return (
        f"{LABELS[cell.method]} is beyond chance ahead of {sides.count(1) or 'none'} of "
        f"{counted(len(sides), 'other method')}, behind {sides.count(-1) or 'none'}"
    )


def chart_title(spec: Spec, cells: list[Cell], done: Done) -> str:
    """The highest means at the largest m that has results, or on the data set, as they are read."""
    return _reading(
        spec, cells, done, "Highest mean", lambda cell: -cell.accuracy.mean, _mean_accuracy
    )


def extreme_title(
    spec: Spec,
    cells: list[Cell],
    done: Done,
    what: str,
    of: Callable[[Cell], float],
    told: Callable[[float], str],
) -> str:
    """The smallest numbers at the largest m, or on the data set, as they are read."""
    return _reading(spec, cells, done, what, of, lambda cell: told(of(cell)))


def _reading(
    spec: Spec,
    cells: list[Cell],
    done: Done,
    what: str,
    cost: Callable[[Cell], float],
    told: Callable[[Cell], str],
) -> str:
    """The first two methods by a cost at the last place: numbers, and no claim who is better."""
    candidates = [cell for cell in cells if cell.method != "oracle"]
    if not candidates:
        return "No results yet"
    last = max(cell.place for cell in candidates)
    here = sorted((cell for cell in candidates if cell.place == last), key=cost)[:2]
    word = "fold" if isinstance(spec, RealSpec) else "draw"
    place = "" if isinstance(spec, RealSpec) else f" at {where(spec, [last])}"
    read = ", then ".join(f"{LABELS[cell.method]} {told(cell)}" for cell in here)
    counts = [cell.accuracy.count for cell in here]
    return done.so_far(f"{what}{place}, {from_to(counts, word)}: {read}")


def _mean_accuracy(cell: Cell) -> str:
    return f"{plus_minus(bare_percent(cell.accuracy.mean), cell.accuracy)} %"
