"""How much of Table 1 is complete, what is not, and what the rest would cost: from the results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from lab.data.paper_numbers import TABLE_1
from lab.paper import measured
from lab.paper.figures import PREPROCESSED
from lab.words import counted, listed


@dataclass(frozen=True)
class Way:
    """One way to run a row: its trials that are there, and those there should be."""

    data: str
    protocol: str
    scaling: str
    ties: str
    done: int
    asked: int

    @property
    def complete(self) -> bool:
        return self.done == self.asked


def ways(table1: dict) -> list[Way]:
    """Every way to run every row that could be had."""
    there: Counter[tuple] = Counter()
    for cell in table1["cells"]:
        key = tuple(cell[name] for name in ("data", "protocol", "preprocessing", "ties"))
        there[key] += len(cell["number"])
    wanted = table1["wanted"]
    return [
        Way(*key, there[key], wanted["folds"][key[0]] * len(wanted["methods"]))
        for key in product(
            wanted["folds"], measured.PROTOCOLS, wanted["preprocessings"], measured.RULES
        )
    ]


def hours_missing(table1: dict) -> dict[tuple[str, str], float]:
    """By set and protocol: processor hours of the missing trials, at the pace of those there.

    The pace is that of the same method on the same set by the same protocol; nan where none is.
    """
    seconds: Counter[tuple] = Counter()
    count: Counter[tuple] = Counter()
    for cell in table1["cells"]:
        key = (cell["data"], cell["protocol"], cell["method"])
        seconds[key] += sum(cell["seconds"])
        count[key] += len(cell["number"])
    wanted = table1["wanted"]
    asked = len(wanted["preprocessings"]) * len(measured.RULES)
    hours = {}
    for data, protocol in product(wanted["folds"], measured.PROTOCOLS):
        keys = [(data, protocol, method) for method in wanted["methods"]]
        missing = {key: asked * wanted["folds"][data] - count[key] for key in keys}
        hours[data, protocol] = sum(
            number * (seconds[key] / count[key] if count[key] else math.nan) / 3600.0
            for key, number in missing.items()
            if number
        )
    return hours


def sentence(table1: dict) -> str:
    """What is complete, what is not and why: for the page, the report and the README."""
    every = ways(table1)
    complete = sum(way.complete for way in every)
    text = (
        f"Of the {len(every)} ways to run Table 1 ({counted(len(table1['wanted']['folds']), 'set')}"
        f", both fold protocols, three scalings, two rules for ties) {complete} are complete. By "
        f"both rules: {'; '.join(_complete(every)) or 'none'}.{_by_one(every)}"
    )
    if complete == len(every):
        return text
    return f"{text} {_missing(table1, every)}"


def _complete(every: list[Way]) -> Iterator[str]:
    """Protocol by protocol, the sets that are complete by both rules, scaling by scaling."""
    for protocol in measured.PROTOCOLS:
        parts = []
        for scaling in dict.fromkeys(way.scaling for way in every):
            own = [way for way in every if (way.protocol, way.scaling) == (protocol, scaling)]
            by_set: dict[str, bool] = {}
            for way in own:
                by_set[way.data] = by_set.get(way.data, True) and way.complete
            sets = [data for data, whole in by_set.items() if whole]
            if sets:
                named = f"all {len(sets)} sets" if len(sets) == len(by_set) else _titles(sets)
                parts.append(f"{named} {PREPROCESSED[scaling]}")
        if parts:
            yield f"with {protocol} folds {', '.join(parts)}"


def _by_one(every: list[Way]) -> str:
    """What is complete by one rule and not by the other, as a sentence; nothing without any."""
    whole = {way for way in every if way.complete}
    sets: dict[tuple[str, str, str], list[str]] = {}
    for way in every:
        twins = {replace(way, ties=ties, done=way.asked) for ties in measured.RULES}
        if len(twins & whole) == 1 and way in whole:
            sets.setdefault((way.protocol, way.scaling, way.ties), []).append(way.data)
    told = [
        f"{_titles(those)} {PREPROCESSED[scaling]}, {protocol} folds, ties to the {ties}"
        for (protocol, scaling, ties), those in sets.items()
    ]
    return f" By one rule only: {'; '.join(told)}." if told else ""


def _missing(table1: dict, every: list[Way]) -> str:
    """How many trials are missing, what they cost, and what was begun."""
    trials = sum(way.asked - way.done for way in every)
    hours = hours_missing(table1)
    total = sum(hours.values())
    data, protocol = max(hours, key=hours.__getitem__)
    begun = [
        f"{_titles([way.data])} {PREPROCESSED[way.scaling]}, {way.protocol} folds, ties to the "
        f"{way.ties} ({way.done} of {way.asked} trials)"
        for way in every
        if 0 < way.done < way.asked
    ]
    rest = f" Begun: {'; '.join(begun)}." if begun else ""
    return (
        f"The other {trials:,} trials are missing for their cost, about {_hours(total)} on one "
        f"core at the pace of those measured, {_hours(hours[data, protocol])} of it for "
        f"{_titles([data])} by {protocol} folds.{rest}"
    )


def _hours(hours: float) -> str:
    return counted(round(hours), "hour") if hours >= 1.0 else counted(round(60 * hours), "minute")


def _titles(sets: list[str]) -> str:
    return listed([row.title for row in TABLE_1 if row.data in sets])
