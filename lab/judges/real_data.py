"""Table 1: accuracy on real data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from lab import measured
from lab.judges.verdicts import CONDITION, FAILS, HOLDS, PENDING, Judgement, listed, missing
from lab.measured import METHODS, RULES, TABLE_METHODS, Way
from lab.paper_numbers import TABLE_1, TableRow

_FEWEST_ROWS = 3
_OWN = "esvm_r"
_RIVALS = tuple(key for key in TABLE_METHODS if key != _OWN)


def table_row(row: TableRow) -> Callable[[dict], Judgement]:
    """Is E-SVM(R) first, in every way to run the row or in some? By both rules, or not at all."""

    def judge(table1: dict) -> Judgement:
        ways = _usable(table1, row)
        if not ways:
            begun = [way for way in measured.ways(table1, row) if way.by_both_rules]
            if not begun:
                return missing(row.title)
            why = "No verdict before half of the folds are measured."
            return Judgement(PENDING, "; ".join(map(_in_words, begun)), why)
        firsts = [sum(way.first(ties) == [_OWN] for ties in RULES) for way in ways]
        both, one = firsts.count(len(RULES)), firsts.count(1)
        verdict = HOLDS if both == len(ways) else CONDITION if both else FAILS
        tests = [way.difference(ties, _OWN, "svm") for way in ways for ties in RULES]
        ahead = sum(test.significant and test.value > 0.0 for test in tests)
        behind = sum(test.significant and test.value < 0.0 for test in tests)
        why = (
            f"First, alone, by both rules in {both} of {len(ways)} ways to run it (fold protocol × "
            f"preprocessing) and by one rule only in {one}, which does not count: there no "
            f"winner can be named. Of {len(tests)} paired tests against SVM (5 %, not adjusted for "
            f"their number) {ahead} find E-SVM(R) ahead, {behind} behind."
        )
        return Judgement(verdict, "; ".join(map(_in_words, ways)), why)

    return judge


def overall(table1: dict) -> Judgement:
    """Who is first by both rules, and how often."""
    won: Counter[str | None] = Counter()
    ahead, sets, waiting, partial = Counter(), 0, [], []
    for row in (row for row in TABLE_1 if row.data):
        ways = _usable(table1, row)
        won.update(way.winner() for way in ways)
        partial += [way for way in ways if way.done < way.folds]
        if not ways:
            waiting.append(row.title)
            continue
        sets += 1
        orders = {way.order(_OWN, "svm") for way in ways}
        ahead[orders.pop() if len(orders) == 1 else 0] += 1
    tried = won.total()
    if not tried:
        return missing("usable row of Table 1")
    shares = ", ".join(f"{METHODS[key]} {won[key]}" for key in (_OWN, *_RIVALS))
    text = (
        f"first of the four by both rules, over {tried} ways to run {sets} sets: {shares}; none, "
        f"because of ties or because the rules disagree: {won[None]}. Against SVM, by "
        f"the means, E-SVM(R) is ahead in every way and by both rules on {ahead[1]} sets, behind "
        f"on {ahead[-1]}; on {ahead[0]} it depends"
    )
    if waiting:
        return Judgement(PENDING, text, f"Still to be measured: {listed(waiting)}.")
    why = "“Overall” read as first in more than half of the ways."
    if partial:
        why += f" {len(partial)} of the ways have some of their folds only."
    best = max((_OWN, *_RIVALS), key=lambda key: won[key])
    if won[_OWN] > tried / 2:
        return Judgement(HOLDS, text, why)
    if won[_OWN] < won[best]:
        return Judgement(FAILS, text, f"{METHODS[best]} is first most often. {why}")
    return Judgement(CONDITION if won[_OWN] else FAILS, text, f"Most often nobody is. {why}")


def protocol(table1: dict) -> Judgement:
    """Which reading of "#Folds" is nearer to the paper's SVM column?"""
    errors: dict[str, list[float]] = {"ordinary": [], "inverted": []}
    rows = []
    for row in TABLE_1:
        near: dict[str, list[float]] = {}
        for way in _usable(table1, row):
            near.setdefault(way.protocol, []).extend(
                abs(100 * float(methods["svm"].mean()) - row.accuracy["svm"])
                for methods in way.accuracy.values()
            )
        if len(near) == 2:
            nearest = {protocol: min(values) for protocol, values in near.items()}
            rows.append(f"{row.title} {nearest['ordinary']:.1f} / {nearest['inverted']:.1f}")
            for protocol, value in nearest.items():
                errors[protocol].append(value)
    if len(rows) < _FEWEST_ROWS:
        return missing("sufficient number of rows of Table 1 by both protocols")
    ordinary, inverted = (float(np.median(errors[p])) for p in ("ordinary", "inverted"))
    text = (
        f"distance of our SVM to the paper's, in points, ordinary / inverted folds: "
        f"{', '.join(rows)}"
    )
    if ordinary <= inverted:
        return Judgement(HOLDS, text)
    return Judgement(
        CONDITION,
        text,
        f"The numbers fit inverted folds (train on one, test on the rest): median distance "
        f"{inverted:.1f} points against {ordinary:.1f}. Not all rows are explained by it.",
    )


def _usable(table1: dict, row: TableRow) -> list[Way]:
    """The ways with the four methods, both rules, and at least half of their folds."""
    return [
        way for way in measured.ways(table1, row) if way.by_both_rules and 2 * way.done >= way.folds
    ]


def _in_words(way: Way) -> str:
    """Accuracies of E-SVM(R) and of its best rival, the two rules side by side."""
    own, rival, minus = [], [], []
    for ties in RULES:
        means = {key: 100 * float(way.accuracy[ties][key].mean()) for key in TABLE_METHODS}
        best = max(_RIVALS, key=means.__getitem__)
        own.append(f"{means[_OWN]:.1f}")
        rival.append(f"{METHODS[best]} {means[best]:.1f}")
        difference = way.difference(ties, _OWN, "svm")
        minus.append(difference.in_points())
    return (
        f"{way.protocol}, {way.preprocessing}, {way.done} of {way.folds} folds: E-SVM(R) "
        f"{' | '.join(own)}, best rival {' | '.join(rival)}, minus SVM {' | '.join(minus)}"
    )
