"""What the committed NMR mixtures say: rows with paired differences, a table and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from lab.accuracy.mixtures import WAYS, MixturesSpec, specs
from lab.accuracy.repeated import so_far as told_so_far
from lab.data.mixtures import MixtureSpec
from lab.estimates import Estimate, Together, difference, estimate
from lab.results import Store, Trial
from lab.words import counted

FEWEST = 5  # mixtures; fewer say nothing
# What is measured, the column that says so, and with how many digits.
MEASURES: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "found": ("present ones found, %", 1),
        "named_absent": ("absent ones taken for present, %", 1),
        "right_shift": ("right shift, %", 1),
        "refit_error": ("refit error, %", 2),
    }
)
_ALLOWED = MappingProxyType(
    {"one each": "one a candidate", "two each": "two a candidate", "tuned": "as tuned"}
)


@dataclass(frozen=True)
class Pair:
    """One measure by both methods, and the exclusive lasso minus the lasso, mixture by mixture."""

    exclusive: Estimate
    lasso: Estimate
    difference: Estimate

    @classmethod
    def of(cls, exclusive, lasso) -> Pair:
        return cls(estimate(exclusive), estimate(lasso), difference(exclusive, lasso))


@dataclass(frozen=True)
class Row:
    """One kind of mixture at one number of copies; a measure that does not apply is left out."""

    mixture: MixtureSpec
    way: str
    measures: Mapping[str, Pair]
    copies: Pair
    repeats: int


def compared(
    spec: MixturesSpec, found: Mapping[Trial, Mapping[str, Any]], fewest: int = FEWEST
) -> list[Row]:
    """A row per number of copies, of the mixtures that both methods have; none if too few."""
    draws = [r for r in range(spec.repeats) if all((r, 0, m) in found for m in spec.methods)]
    if len(draws) < fewest:
        return []

    def pair(way: str, measure: str) -> Pair:
        ours, theirs = (
            [found[(r, 0, method)][way][measure] for r in draws]
            for method in ("exclusive", "lasso")
        )
        return Pair.of(ours, theirs)

    measures = [
        key
        for key in MEASURES
        if key != "named_absent" or spec.mixture.present < spec.mixture.candidates
    ]
    return [
        Row(
            spec.mixture,
            way,
            {key: pair(way, key) for key in measures},
            pair(way, "copies"),
            len(draws),
        )
        for way in WAYS
    ]


def results(store: Store) -> list[Row] | None:
    """Everything there is; None if there is nothing."""
    return [row for spec in specs() for row in compared(spec, store.load(spec))] or None


def looks(rows: Iterable[Row]) -> Together:
    """The differences of all kinds, numbers of copies and measures are looked at together."""
    return Together.of(pair.difference for row in rows for pair in row.measures.values())


def kind(mixture: MixtureSpec) -> str:
    between = ", shifts between copies" if mixture.between else ""
    return f"{mixture.present} of {mixture.candidates} present, noise {mixture.noise:g}{between}"


def table(rows: list[Row]) -> dict[str, list[str]]:
    """Exclusive lasso and lasso beside each other."""
    columns = {
        "mixture": [kind(row.mixture) for row in rows],
        "copies": [_ALLOWED[row.way] for row in rows],
        "copies taken": [
            f"{r.copies.exclusive.mean:.0f} / {r.copies.lasso.mean:.0f}" for r in rows
        ],
    }
    for key, (name, digits) in MEASURES.items():
        columns[name] = [
            _cell(row.measures[key], digits) if key in row.measures else "" for row in rows
        ]
    return columns


def _cell(pair: Pair, digits: int) -> str:
    ours, theirs = (f"{100 * each.mean:.{digits}f}" for each in (pair.exclusive, pair.lasso))
    return f"{ours} / {theirs} ({pair.difference.in_points(digits)})"


def answer(rows: list[Row]) -> str:
    """Structure bought, and accuracy paid or not: a line for each number of copies."""
    first, count = rows[0].mixture, looks(rows)
    repeats = [row.repeats for row in rows]
    draws = " to ".join(str(n) for n in sorted({min(repeats), max(repeats)}))
    lead = (
        f"NMR spectra of mixtures, each candidate metabolite a group of {first.copies} shifted "
        "copies of its spectrum, weights of at least 0: the exclusive lasso against the lasso, "
        "averaged over the kinds of mixture. In brackets, in how many kinds the difference is "
        f"beyond chance ({draws} mixtures of each kind; 5 %, Holm's correction for {count})."
    )
    lines = [_line(way, [r for r in rows if r.way == way], count) for way in WAYS]
    return "\n".join([lead, "", *lines])


_OPENINGS = MappingProxyType(
    {
        "one each": "With one copy a candidate",
        "two each": "With two copies a candidate",
        "tuned": "With strengths tuned by cross-validation",
    }
)
_PHRASES = MappingProxyType(
    {
        "found": "finds {} of the metabolites present",
        "named_absent": "takes {} of those absent for present",
        "right_shift": "has the right shift for {}",
        "refit_error": "and is refitted with an error of {}",
    }
)


def _line(way: str, rows: list[Row], count: Together) -> str:
    parts, sides = [], {}
    for key, phrase in _PHRASES.items():
        pairs = [row.measures[key] for row in rows if key in row.measures]
        if pairs:
            sides[key] = [count.side(pair.difference) for pair in pairs]
            parts.append(
                f"{phrase.format(_means(pairs, MEASURES[key][1]))} (more in "
                f"{sides[key].count(1)}, less in {sides[key].count(-1)} of "
                f"{counted(len(pairs), 'kind')})"
            )
    bought = _one_of("structure", "bought", "lost", sides["found"])
    paid = _one_of("accuracy", "paid", "gained", sides["refit_error"])
    return f"- {_OPENINGS[way]}: {bought}, {paid}. The exclusive lasso {', '.join(parts)}."


def _one_of(what: str, more: str, less: str, sides: list[int]) -> str:
    """What a measure that rises or falls in some kinds comes to."""
    if 1 in sides and -1 in sides:
        return f"{what} {more} in some kinds and {less} in others"
    if -1 in sides:
        return f"{what} {less}"
    return f"{what} {more}" if 1 in sides else f"no {what} {more}"


def _means(pairs: list[Pair], digits: int) -> str:
    ours, theirs = (
        sum(getattr(pair, side).mean for pair in pairs) / len(pairs)
        for side in ("exclusive", "lasso")
    )
    return f"{100 * ours:.{digits}f} % against {100 * theirs:.{digits}f} %"


def so_far(rows: list[Row]) -> str:
    """What is still to be measured, as a sentence; nothing if nothing is."""
    done = {row.mixture: row.repeats for row in rows}
    return told_so_far(
        (kind(spec.mixture), done.get(spec.mixture, 0), spec.repeats) for spec in specs()
    )


NOTE = (
    "Cells: exclusive lasso / lasso (the paired difference ± 95 %). Spectra are pure ones of a "
    "library, scaled to length 1; metabolites, shifts, concentrations (log-normal, median 1) and "
    "noise are drawn anew for each mixture. At a given number of copies each method takes the "
    "weakest strength that keeps to it; tuned strengths have the least error on held-out points. "
    "Found: a copy has a weight. The weights are then fitted again, without penalty and of at "
    "least 0, on the copies taken: right shift is whether the heaviest copy is the right one (the "
    "nearest, where shifts lie between copies), refit error the relative distance to the mixture "
    "without noise. Kinds and strengths were settled on mixtures that are not counted."
)
