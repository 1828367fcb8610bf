"""What the page and the README say of Table 1's completeness follows from the trials there are."""

import re

from lab.data.paper_numbers import TABLE_1
from lab.paper import completeness, measured

METHODS = ("svm", "esvm_r")


def table(*cells) -> dict:
    """LEU in two folds and TDT2 in three; a cell is (data, protocol, scaling, ties, folds done)."""
    return {
        "wanted": {
            "preprocessings": ["standardise", "none"],
            "methods": list(METHODS),
            "folds": {"leu": 2, "tdt2": 3},
        },
        "cells": [
            {
                "data": data,
                "protocol": protocol,
                "preprocessing": scaling,
                "ties": ties,
                "method": method,
                "number": list(range(done)),
                "seconds": [1800.0] * done,
            }
            for data, protocol, scaling, ties, done in cells
            for method in METHODS
        ],
    }


def test_a_set_is_complete_when_both_rules_have_every_trial():
    content = table(
        ("leu", "inverted", "standardise", "weakest", 2),
        ("leu", "inverted", "standardise", "strongest", 2),
        ("leu", "ordinary", "standardise", "weakest", 2),
        ("tdt2", "inverted", "standardise", "weakest", 3),
        ("tdt2", "inverted", "standardise", "strongest", 1),
        ("tdt2", "ordinary", "none", "weakest", 3),
    )
    said = completeness.sentence(content)
    assert "Of the 16 ways" in said and "5 are complete" in said
    assert "By both rules: with inverted folds LEU standardised. By one rule only: " in said
    assert "only: LEU standardised, ordinary folds, ties to the weakest; TDT2 standardised" in said
    # Two methods; 8 ways of 2 folds and 8 of 3, less the folds above; half an hour each.
    missing = 2 * (8 * 2 + 8 * 3 - (2 + 2 + 2 + 3 + 1 + 3))
    hours = completeness.hours_missing(content)
    assert f"The other {missing} trials" in said
    assert sum(hours.values()) == missing / 2
    assert "of it for TDT2 by ordinary folds" in said
    assert (
        "Begun: TDT2 standardised, inverted folds, ties to the strongest (2 of 6 trials)." in said
    )


def test_nothing_is_missing_where_all_is_there():
    ways = [
        (data, protocol, scaling, ties, folds)
        for data, folds in (("leu", 2), ("tdt2", 3))
        for protocol in measured.PROTOCOLS
        for scaling in ("standardise", "none")
        for ties in measured.RULES
    ]
    said = completeness.sentence(table(*ways))
    for protocol in measured.PROTOCOLS:
        assert f"with {protocol} folds all 2 sets standardised, all 2 sets as they are" in said
    assert "missing" not in said and "Begun" not in said and "one rule" not in said


def test_the_committed_results_say_what_they_hold():
    content = measured.read().table1
    ways = completeness.ways(content)
    assert sum(way.done for way in ways) == sum(len(cell["number"]) for cell in content["cells"])
    assert f"{sum(way.complete for way in ways)} are complete" in completeness.sentence(content)


def test_every_complete_way_is_told_either_by_both_rules_or_by_one():
    """The number that are complete is that of the ways that the sentence goes on to name."""
    content = measured.read().table1
    told = completeness.sentence(content)
    by_both = re.search(r"By both rules: (.*?)\.", told)[1]
    by_one = "".join(re.findall(r"By one rule only: (.*?)\.", told))
    by_both = by_both.replace("all 7 sets", ", ".join(row.title for row in TABLE_1 if row.data))
    names = [row.title for row in TABLE_1 if row.data]
    named = [sum(text.count(name) for name in names) for text in (by_both, by_one)]
    assert 2 * named[0] + named[1] == sum(way.complete for way in completeness.ways(content))
