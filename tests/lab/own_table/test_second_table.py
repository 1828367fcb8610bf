"""Another table under the same model: its scores, its drift, and names that are near."""

import numpy as np
import pandas as pd
import pytest

from lab.own_table import card, findings, model, second_table
from tests.lab.own_table.tables import fitted_case, mixed_table, number_table, table_of

CASE = fitted_case(mixed_table())
FITTED = model.to_model(CASE.prepared, CASE.final, card.about(CASE))


def test_a_labelled_second_table_is_scored_and_strange_classes_are_counted():
    frame = mixed_table(50, seed=3).frame
    frame.loc[:1, "class"] = "perhaps"
    got = second_table.external_scores(FITTED, table_of(frame, "class"), CASE)
    right = FITTED.predict(frame)[2:] == frame["class"].to_numpy()[2:]
    assert (got.n_rows, got.n_strange) == (48, 2)
    assert got.metrics["accuracy"] == pytest.approx(right.mean())
    assert got.low <= got.metrics["accuracy"] <= got.high
    alone = table_of(frame.drop(columns="class"), "shape")
    assert second_table.external_scores(FITTED, alone, CASE) is None


@pytest.mark.parametrize(
    ("old", "new", "begins", "said"),
    [
        (0, 30, "**External validation**", ""),
        (12, 18, "**In part external**", " 12 of them are in the first table too,"),
        (1, 29, "**In part external**", " 1 of them is in the first table too,"),
        (30, 0, "**No external validation**", " They are in the first table too,"),
    ],
)
def test_rows_that_the_model_was_fitted_to_are_no_external_validation(old, new, begins, said):
    first, other = CASE.table.frame.iloc[:old], mixed_table(60, seed=3).frame.iloc[:new]
    table = table_of(pd.concat([other, first], ignore_index=True), "class")
    got = second_table.external_scores(FITTED, table, CASE)
    assert (got.n_known, got.n_rows) == (old, 30)
    text = findings.external_sentence(CASE, got)
    assert text.startswith(begins) and said in text
    assert ("in the first table too" in text) == (old > 0)


def test_rows_without_an_error_are_not_certainty():
    frame = mixed_table(40, seed=3).frame
    frame["class"] = FITTED.predict(frame)
    got = second_table.external_scores(FITTED, table_of(frame, "class"), CASE)
    assert got.metrics["accuracy"] == got.high == 1.0 and CASE.metric == "accuracy"
    assert got.low**40 == pytest.approx(0.025)


def test_a_second_table_of_numbers_is_scored_against_the_mean_of_the_first():
    case = fitted_case(number_table(), target="quantity", method="lasso", lam=1.0)
    fitted = model.to_model(case.prepared, case.final, card.about(case))
    frame = number_table(40, seed=9).frame
    got = second_table.external_scores(fitted, table_of(frame, "y"), case)
    residual = frame["y"].to_numpy() - fitted.predict(frame)
    spread = frame["y"].to_numpy() - case.prepared.y.mean()
    assert got.metrics["r2"] == pytest.approx(1.0 - (residual @ residual) / (spread @ spread))


def test_a_table_times_a_thousand_has_drifted_and_the_same_one_has_not():
    same = mixed_table(60, seed=4)
    assert second_table.drifts(FITTED, same) == []
    frame = same.frame.assign(a_one=1000.0 * same.frame["a_one"])
    (drift,) = second_table.drifts(FITTED, table_of(frame, "class"))
    assert drift.column == "a_one" and drift.stretch > 100.0
    said = second_table.drift_sentence([drift], 4)
    assert said.startswith("1 of 4 columns with a weight has drifted; most of all 'a_one'")
    shifted = same.frame.assign(a_one=same.frame["a_one"] + 50.0)
    found = second_table.drifts(FITTED, table_of(shifted, "class"))
    assert [each.column for each in found] == ["a_one"] and found[0].shift > 10.0


def test_names_that_are_nearly_right_are_suggested():
    names = ["A One", "a-two", "bone", "colr"]
    got = second_table.suggestions(["a_one", "a_two", "colour", "shape"], names)
    assert got == {"a_one": "A One", "a_two": "a-two", "colour": "colr"}
    frame = mixed_table().frame.rename(columns={"a_one": "A One"})
    back = second_table.renamed(table_of(frame, "class"), {"a_one": "A One"})
    assert np.array_equal(FITTED.predict(back.frame), FITTED.predict(mixed_table().frame))


def test_row_identifiers_are_carried_along():
    frame = mixed_table(12).frame.assign(code=[f"R{k}" for k in range(12)], more=1.5)
    table = table_of(frame, "class")
    named = second_table.identifiers(table, ["code", "more", "class"])
    assert named == ("code",)
    assert model.predictions(FITTED, table, named)["code"].tolist() == [f"R{k}" for k in range(12)]
