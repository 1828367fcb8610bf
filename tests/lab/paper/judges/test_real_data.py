"""Rows of Table 1: the same looks for every row, corrected together, and what a verdict needs."""

import numpy as np
import pytest
from scipy.special import stdtrit

from lab.data.paper_numbers import TABLE_1
from lab.estimates import Estimate, holm
from lab.paper import claims, measured
from lab.paper.claims import CONDITION, FAILS, HOLDS, PENDING, UNCHECKABLE, UNDECIDED
from lab.paper.judges import real_data
from lab.paper.judges.looks import Looks
from lab.paper.measured import Results
from tests.lab.paper import paper_results

SETS = [row.data for row in TABLE_1 if row.data]
AHEAD = {data: {"esvm_r": 99.0} for data in SETS}


def judge(key: str, table1: dict) -> claims.Row:
    rows = claims.judged(Results(table1=table1))
    return next(row for row in rows if row.claim.key == key)


def difference(value: float, p: float) -> Estimate:
    """Ten values with this mean and p value of the t test."""
    return Estimate(value, abs(value) / -float(stdtrit(9, p / 2.0)), 10)


def test_every_row_is_looked_at_in_the_same_ways():
    assert len(real_data.LOOKS) == len(measured.PROTOCOLS)
    every = claims.judged(measured.read())
    rows = [row for row in every if "all three beyond chance in" in row.measured]
    rows = [row for row in rows if row.claim.title.endswith("is best")]
    decided = [row for row in rows if row.verdict != PENDING]
    assert len(rows) == len(SETS) and decided
    for row in decided:
        assert f"of {len(real_data.LOOKS)} looks" in row.measured


@pytest.mark.parametrize(
    ("p_values", "kept"),
    [
        ([0.01], [True]),
        ([0.04, 0.04], [False, False]),
        ([0.001, 0.04], [True, True]),
        ([0.02, 0.03, 0.04], [False, False, False]),
        ([0.2, 0.001, float("nan")], [False, True, False]),
    ],
)
def test_holms_correction(p_values, kept):
    assert holm(p_values) == kept


@pytest.mark.parametrize(
    ("ahead", "behind", "chance", "verdict"),
    [
        (2, 0, 0, HOLDS),
        (1, 0, 1, CONDITION),
        (1, 1, 0, CONDITION),
        (0, 1, 1, FAILS),
        (1, 0, 11, UNDECIDED),
        (1, 8, 3, FAILS),
        (0, 0, 2, UNDECIDED),
    ],
)
def test_one_win_in_many_looks_is_not_a_condition(ahead, behind, chance, verdict):
    looks = [difference(0.05, 1e-6)] * ahead + [difference(-0.05, 1e-6)] * behind
    looks += [difference(0.01, 0.4)] * chance
    seen = Looks.of({str(k): {"svm": each} for k, each in enumerate(looks)})
    assert (len(seen.ahead), len(seen.behind)) == (ahead, behind)
    assert seen.verdict == verdict


def test_many_looks_are_corrected_together():
    """One look in 20 at p = .01 is what chance gives."""
    looks = {str(k): {"svm": difference(0.01, 0.5)} for k in range(19)}
    looks["lucky"] = {"svm": difference(0.05, 0.01)}
    assert Looks.of(looks).ahead == []
    assert Looks.of({"lucky": looks["lucky"]}).ahead == ["lucky"]


def test_rows_follow_their_looks():
    assert judge("table_isolet", paper_results.table1(AHEAD)).verdict == HOLDS
    assert judge("table_colorectal", paper_results.table1(AHEAD)).verdict == UNCHECKABLE
    worse = paper_results.table1({"isolet": {"svm": 80.0}})
    found = judge("table_isolet", worse)
    assert found.verdict == FAILS and "SVM 80.0 %" in found.measured
    assert "behind one in 2" in found.measured
    # The other rule for ties is no look.
    other = paper_results.table1(AHEAD, strongest={"isolet": {"svm": 99.9}})
    assert judge("table_isolet", other).verdict == HOLDS


def test_a_row_waits_for_all_its_looks():
    content = paper_results.table1(AHEAD, protocols=("inverted",))
    found = judge("table_leu", content)
    assert found.verdict == PENDING and "missing: ordinary folds" in found.why
    content = paper_results.table1(AHEAD)
    content["cells"] = [c for c in content["cells"] if c["method"] != "kong"]
    assert judge("table_leu", content).verdict == PENDING
    content = paper_results.table1(AHEAD)
    for cell in content["cells"]:
        if cell["data"] == "leu" and cell["protocol"] == "ordinary":
            for name in ("number", "accuracy"):
                cell[name] = cell[name][:2]
    assert judge("table_leu", content).verdict == PENDING
    # Of the rule for ties that no look uses nothing is asked.
    content = paper_results.table1(AHEAD)
    content["cells"] = [cell for cell in content["cells"] if cell["ties"] == "weakest"]
    assert judge("table_leu", content).verdict == HOLDS


def test_overall_counts_sets():
    assert judge("table_overall", paper_results.table1(AHEAD)).verdict == HOLDS
    everywhere = {data: {"svm": 99.0} for data in SETS}
    assert judge("table_overall", paper_results.table1(everywhere)).verdict == FAILS
    half = {data: AHEAD[data] for data in SETS[:4]} | {d: {"svm": 99.0} for d in SETS[4:]}
    assert judge("table_overall", paper_results.table1(half)).verdict == CONDITION


def test_the_whole_table_waits_for_every_row_and_then_follows_the_same_rule():
    """Trials that come later complete a row; until then nothing is said of the table."""
    complete = paper_results.table1(AHEAD)
    partial = {
        **complete,
        "cells": [
            cell
            for cell in complete["cells"]
            if cell["data"] not in ("isolet", "pcmac") or cell["protocol"] == "inverted"
        ],
    }
    for key in ("table_overall", "hedge"):
        found = judge(key, partial)
        assert found.verdict == PENDING and "of 12 looks" in found.measured
        assert "missing: ISOLET and PCMAT" in found.why
        assert (
            judge(key, complete).verdict == HOLDS and "of 14 looks" in judge(key, complete).measured
        )
    behind = paper_results.table1({data: {"svm": 99.0} for data in SETS})
    behind["cells"] = [
        c for c in behind["cells"] if c["data"] != "pcmac" or c["protocol"] == "inverted"
    ]
    assert judge("table_overall", behind).verdict == PENDING  # not even what seems lost
    assert judge("table_isolet", behind).verdict == FAILS
    assert judge("table_pcmac", behind).verdict == PENDING


def test_equal_accuracies_are_within_chance():
    content = paper_results.table1()
    rng = np.random.default_rng(0)
    for cell in content["cells"]:
        cell["accuracy"] = (0.8 + 0.02 * rng.standard_normal(len(cell["accuracy"]))).tolist()
    assert judge("table_isolet", content).verdict == UNDECIDED
    assert judge("hedge", content).verdict == UNDECIDED


def test_the_hedge_needs_one_set():
    content = paper_results.table1(
        {data: {"svm": 99.0} for data in SETS[1:]} | {SETS[0]: {"esvm_r": 99.0}}
    )
    found = judge("hedge", content)
    assert found.verdict == HOLDS and "in 2 of 14 looks: ISOLET" in found.measured


def test_protocol_is_the_one_nearer_to_the_paper():
    found = judge("table_protocol", paper_results.table1())
    assert found.verdict == CONDITION and "inverted" in found.why
    assert "15.0 points with ordinary folds, 0.0 with inverted ones" in found.measured


def test_rows_whose_data_are_assumed_say_so():
    content = paper_results.table1(AHEAD)
    for row in (row for row in TABLE_1 if row.data):
        why = judge(f"table_{row.data}", content).why
        assert bool(row.assumption) == (row.assumption in why and bool(row.assumption))
    tdt2 = judge("table_tdt2", content).why
    assert "has 811 of 885 samples, 91.6 %; the paper's SVM is at 53.84 %" in tdt2
    assert "larger class has" not in judge("table_isolet", content).why
    for key in ("table_overall", "hedge", "table_protocol"):
        assert "Of the data of ISOLET, MNIST, TDT2 and LEU" in judge(key, content).why
