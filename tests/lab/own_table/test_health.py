"""The health gate: each fault of a table is found, named and given a remedy; health is silent."""

import numpy as np
import pandas as pd
import pytest

from lab.own_table.health import examine
from lab.tables import ReadOptions, Table, column_report


def found(frame: pd.DataFrame, label: str, **options):
    table = Table(frame.reset_index(drop=True), ReadOptions(label=label), (), "0" * 64)
    return {
        each.kind: each for each in examine(table, label, column_report(table, label), **options)
    }


def healthy(n_rows: int = 80, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.standard_normal((n_rows, 5)), columns=list("abcde"))
    frame["ward"] = rng.choice(["north", "south", "west"], n_rows)
    frame["state"] = np.where(frame["a"] + rng.standard_normal(n_rows) > 0, "ill", "well")
    return frame


def test_a_healthy_table_is_not_accused():
    assert found(healthy(), "state") == {}


@pytest.mark.parametrize("text", [True, False])
def test_a_column_that_nearly_tells_the_class_is_a_leak(text):
    frame = healthy()
    tells = (frame["state"] == "ill").to_numpy().astype(float)
    if text:
        # Two ways of being ill and two of being well, so that it is not the label renamed.
        odd = np.arange(len(frame)) % 2 == 0
        frame["Entlassart"] = np.where(tells > 0, np.where(odd, "A", "B"), np.where(odd, "C", "D"))
    else:
        frame["dose"] = tells + 0.3 * np.random.default_rng(1).random(len(frame))
    finding = found(frame, "state")["leak"]
    assert finding.columns == ("Entlassart" if text else "dose",)
    assert finding.remedy == "leave out" and finding.button == "Leave out"
    assert "alone nearly separates the classes" in finding.sentence


def test_three_classes_in_order_on_one_column_are_a_leak():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((90, 2)), columns=["a", "b"])
    frame["grade"] = np.repeat(["low", "mid", "high"], 30)
    frame["code"] = np.repeat([1.0, 2.0, 3.0], 30) + 0.1 * rng.random(90)
    assert found(frame, "grade")["leak"].columns == ("code",)


def test_a_number_in_other_units_is_a_leak_of_a_quantity():
    frame = healthy()
    frame["kg"] = 50 + 10 * frame["a"] + np.random.default_rng(1).random(80)
    frame["pounds"] = 2.2 * frame["kg"]
    finding = found(frame, "kg", numeric_target=True)["leak"]
    assert finding.columns == ("pounds",) and "follows the target" in finding.sentence


def test_a_category_that_tells_a_number_is_a_leak_and_one_that_only_helps_is_not():
    rng, frame = np.random.default_rng(2), healthy()
    frame["tariff"] = np.where(rng.random(80) < 0.4, "low", "high")
    frame["ward"] = rng.choice(["north", "south"], 80)
    frame["price"] = np.where(frame["tariff"] == "low", 10.0, 20.0) + 0.1 * rng.random(80)
    finding = found(frame, "price", numeric_target=True)["leak"]
    assert finding.columns == ("tariff",) and finding.remedy == "leave out"
    frame["price"] += 3.0 * frame["a"]
    assert "leak" not in found(frame, "price", numeric_target=True)


def test_rows_of_one_patient_are_seen_and_kept_together():
    frame = healthy()
    frame["patient"] = np.repeat(np.arange(20), 4) * 7 + 3
    finding = found(frame, "state")["subjects"]
    assert finding.columns == ("patient",) and finding.remedy == "together"
    assert "80 rows come from 20 values of 'patient'" in finding.sentence
    assert "subjects" not in found(frame, "state", subjects="patient")
    frame["patient"] = np.arange(80)[::-1]
    assert "subjects" not in found(frame, "state"), "one row each is no repetition"


@pytest.mark.parametrize(
    "name",
    ["pid", "sid", "pat_nr", "ID", "PatID", "Pat-Nr", "patientNo", "mrn", "fall_nr", "Fallnummer"],
)
@pytest.mark.parametrize("text", [True, False])
def test_repeats_tell_a_subject_from_a_short_name(name, text):
    frame = healthy()
    who = np.random.default_rng(1).permutation(np.repeat(np.arange(20), 4)) * 11 + 20_001
    frame[name] = [f"K{each}" for each in who] if text else who
    doubts = found(frame, "state")
    assert doubts["subjects"].columns == (name,) and "codes" not in doubts, "doubted once"
    frame[name] = np.random.default_rng(2).permutation(80) * 11 + 20_001
    assert "subjects" not in found(frame, "state"), "one row each is no repetition"


@pytest.mark.parametrize("name", ["site_id", "ward", "plz", "acid", "grade", "no", "solid"])
def test_places_and_words_that_end_alike_are_no_subjects(name):
    frame = healthy()
    frame[name] = np.random.default_rng(1).integers(1, 9, 80)
    assert "subjects" not in found(frame, "state")


def test_case_numbers_are_codes():
    frame = healthy()
    frame["fall_nr"] = np.random.default_rng(2).permutation(80) * 13 + 70_001
    finding = found(frame, "state")["codes"]
    assert finding.columns == ("fall_nr",) and finding.remedy == "leave out"


def test_duplicates_are_counted_also_across_classes():
    frame = pd.concat([healthy(), healthy().iloc[:3]], ignore_index=True)
    frame.loc[80, "state"] = "well" if frame.loc[80, "state"] == "ill" else "ill"
    finding = found(frame, "state")["duplicates"]
    assert finding.sentence.startswith("3 rows repeat the features of another row, 1 of them with")
    assert finding.remedy == "distinct"


def test_postcodes_are_codes():
    frame = healthy()
    frame["plz"] = np.random.default_rng(2).integers(10115, 99999, 80)
    finding = found(frame, "state")["codes"]
    assert finding.columns == ("plz",) and finding.remedy == "leave out"
    frame["plz"] = np.random.default_rng(2).choice([10115, 20095, 80331], 80)
    assert found(frame, "state")["codes"].remedy == "categories"


def test_counts_with_a_tail_are_offered_logarithms():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        rng.negative_binomial(1, 0.01, (60, 6)), columns=[f"g{i}" for i in range(6)]
    )
    frame["state"] = rng.choice(["a", "b"], 60)
    assert found(frame, "state")["counts"].remedy == "log"


def test_a_slip_and_a_code_for_a_gap_are_far_from_all_others_of_their_column():
    frame = healthy()
    frame.loc[3, "b"] = 40_000.0
    slip = found(frame, "state")["slips"]
    assert slip.sentence.startswith("'b' is 40000 in row 4, while all others lie between \u22122.")
    assert (slip.columns, slip.remedy) == (("b",), "leave out")
    frame.loc[[1, 7, 9], "d"] = -999.0
    both = found(frame, "state")["slips"]
    assert both.columns == ("b", "d") and "likewise in 'd'" in both.sentence
    gaps = found(frame.drop(columns="b"), "state")["slips"].sentence
    assert gaps.startswith("'d' is \u2212999 in 3 rows, the first of them 2, while all others")
    # Where many rows have them they are another kind of row, and a long tail is no slip.
    frame = healthy()
    frame.loc[:20, "c"] = -999.0
    frame["e"] = np.exp(3.0 * frame["e"])
    assert found(frame, "state") == {}


def test_a_table_on_its_side_is_recognised():
    rng = np.random.default_rng(4)
    genes = pd.DataFrame(
        rng.standard_normal((200, 12)).round(3), columns=[f"s{i}" for i in range(12)]
    )
    genes.insert(0, "gene", [f"ENSG{i:05d}" for i in range(200)])
    assert found(genes, "s11")["transposed"].remedy == "turn"
    words = genes.astype(str)
    words.loc[200] = ["class", *["tumour", "normal"] * 6]
    assert "the row 'class' holds words" in found(words, "s11")["transposed"].sentence
