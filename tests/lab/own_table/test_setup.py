"""From a table to numbers: columns, classes and folds."""

import re

import numpy as np
import pandas as pd
import pytest

from lab.own_table.setup import SetupError, prepare
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds, setup_problem
from tests.lab.own_table.tables import mixed_table, spec_of, table_of


def test_numbers_come_first_and_categories_become_places_in_their_list():
    table = mixed_table()
    prepared = prepare(table, spec_of(table))
    frame = table.frame
    names = [column.name for column in prepared.columns]
    assert names == ["a_one", "a_two", "b_one", "b_two", "colour", "shape"]
    assert prepared.columns[4].categories == ("blue", "green", "red")
    assert prepared.columns[5].categories == ("long", "round", "(missing)")
    assert np.array_equal(prepared.X[:, :4], frame[names[:4]].to_numpy(), equal_nan=True)
    codes = prepared.X[:, 4].astype(int)
    assert [prepared.columns[4].categories[code] for code in codes] == frame["colour"].tolist()
    assert prepared.classes == ("no", "yes")
    assert [prepared.classes[code] for code in prepared.y] == frame["class"].tolist()
    assert prepared.feature_names[4:7] == ("colour = blue", "colour = green", "colour = red")
    assert prepared.sources.tolist() == [0, 1, 2, 3, 4, 4, 4, 5, 5, 5]


def test_rows_without_a_label_are_left_out_and_the_others_keep_their_places():
    table = mixed_table()
    frame = table.frame.copy()
    frame.loc[[0, 5], "class"] = np.nan
    prepared = prepare(table_of(frame, "class"), spec_of(table))
    assert prepared.rows.tolist() == [i for i in range(60) if i not in (0, 5)]
    assert prepared.X[0, 0] == frame["a_one"][1]


@pytest.mark.parametrize(
    ("labels", "positive", "classes"),
    [
        ([1.0, 2.0, 1.0], None, (1, 2)),
        ([10, 9, 10], None, (9, 10)),
        ([0.5, 1.0, 0.5], None, ("0.5", "1")),
        ([True, False, True], None, ("False", "True")),
        (["b", "a", "b"], "a", ("b", "a")),
        (["b", "a", "b"], None, ("b", "a")),
        (["nein", "ja", "nein"], None, ("nein", "ja")),
        (["case", "control", "case"], None, ("control", "case")),
        (["tumour", "normal", "normal"], None, ("normal", "tumour")),
        ([0, 1, 0], "0", (1, 0)),
    ],
)
def test_classes_are_whole_numbers_or_text_and_the_positive_one_is_last(labels, positive, classes):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": labels})
    prepared = prepare(table_of(frame, "y"), TableSpec("y", ("x",), positive=positive))
    assert prepared.classes == classes


def test_inverted_folds_swap_training_and_test_rows():
    table = mixed_table()
    prepared = prepare(table, spec_of(table))
    ordinary = folds(prepared, spec_of(table))
    inverted = folds(prepared, spec_of(table, protocol="inverted"))
    for (train, test), (small, large) in zip(ordinary, inverted, strict=True):
        assert np.array_equal(train, large) and np.array_equal(test, small)
    assert sorted(np.concatenate([test for _, test in ordinary]).tolist()) == list(range(60))


@pytest.mark.parametrize(
    ("frame", "features", "categorical", "sentence"),
    [
        ({"x": [1.0, np.inf]}, ("x",), (), "column 'x' is infinite in row 2; replace it"),
        ({"x": ["a", "b"]}, ("x",), (), "column 'x' holds text; make it categorical"),
        ({"x": [1.0, 2.0]}, (), (), "there is no column to learn from; choose at least one"),
        ({"x": [1.0, 2.0]}, ("z",), (), "there is no column 'z'; choose features among"),
    ],
)
def test_what_cannot_be_prepared_says_why(frame, features, categorical, sentence):
    table = table_of(pd.DataFrame({**frame, "y": ["a", "b"]}), "y")
    with pytest.raises(SetupError, match=sentence):
        prepare(table, TableSpec("y", features, categorical))


def test_too_many_categories_are_refused():
    frame = pd.DataFrame({"x": [f"t{i}" for i in range(101)], "y": ["a"] * 50 + ["b"] * 51})
    with pytest.raises(SetupError, match="column 'x' has 101 categories, and the limit is 100"):
        prepare(table_of(frame, "y"), TableSpec("y", ("x",), ("x",)))


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["a"] * 6, "has one class only"),
        (["a"] * 5 + ["b"], "class 'b' has 1 row, fewer than the 5 folds; leave that class out"),
        (["a"] * 6 + ["b"] * 3, "class 'b' has 3 rows, fewer than the 5 folds; use 3 folds"),
        ([f"c{i}" for i in range(60)], "has 60 different values, more than 50"),
        (["a"] * 5 + ["b"] * 5, "^$"),
    ],
)
def test_labels_that_cannot_be_split_say_why(labels, sentence):
    frame = pd.DataFrame({"x": np.arange(float(len(labels))), "y": labels})
    spec = TableSpec("y", ("x",))
    assert re.search(sentence, setup_problem(prepare(table_of(frame, "y"), spec), spec))


def test_the_digest_of_a_spec_names_all_that_decides_a_fit():
    spec = TableSpec("y", ("x",))
    assert spec.digest == TableSpec("y", ("x",)).digest
    for change in ({"seed": 1}, {"beta": 2.0}, {"features": ("x", "z")}, {"positive": "a"}):
        parts = {"label": "y", "features": ("x",), **change}
        assert TableSpec(**parts).digest != spec.digest
    with pytest.raises(ValueError, match="method must be one of"):
        TableSpec("y", ("x",), method="forest")
