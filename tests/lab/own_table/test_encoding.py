"""Preprocessing that never sees the test rows: by hand, by pandas, and as scikit-learn does it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lab.own_table.encoding import encoded, learnt, preprocessor
from lab.own_table.setup import prepare
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds
from tests.lab.own_table.tables import mixed_table, spec_of, table_of


def test_preprocessing_is_what_pandas_computes_from_the_training_rows_alone():
    table = mixed_table()
    prepared = prepare(table, spec_of(table))
    train, test = folds(prepared, spec_of(table))[0]
    got = learnt(prepared, train)(prepared.X[test])

    frame = table.frame
    numbers = frame[["a_one", "a_two", "b_one", "b_two"]]
    filled = numbers.fillna(numbers.iloc[train].median())
    base = filled.iloc[train]
    scaled = (filled - base.mean()) / base.std(ddof=0)
    words = frame[["colour", "shape"]].fillna("(missing)")
    indicators = [
        (words[name] == category).astype(float)
        for name, categories in (
            ("colour", ("blue", "green", "red")),
            ("shape", ("long", "round", "(missing)")),
        )
        for category in categories
    ]
    expected = pd.concat([scaled, *indicators], axis=1).iloc[test].to_numpy()
    assert got == pytest.approx(expected, abs=1e-12)


def test_changing_test_rows_changes_nothing_that_is_learnt():
    table = mixed_table()
    spec = spec_of(table)
    prepared = prepare(table, spec)
    train, test = folds(prepared, spec)[0]
    spoiled = prepared.X.copy()
    spoiled[test] = 1e6
    one, two = encoded(prepared, train), encoded(replace(prepared, X=spoiled), train)
    assert np.array_equal(one, two)


def test_a_column_without_any_value_in_a_fold_is_filled_with_zeros():
    frame = pd.DataFrame({"x": np.full(10, np.nan), "z": np.arange(10.0), "y": ["a", "b"] * 5})
    prepared = prepare(table_of(frame, "y"), TableSpec("y", ("x", "z")))
    assert np.array_equal(encoded(prepared)[:, 0], np.zeros(10))


@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("gaps", [True, False])
@pytest.mark.parametrize("words", [True, False])
def test_the_pipeline_to_take_home_does_the_same_to_the_last_bit(standardise, gaps, words):
    table = mixed_table()
    frame = table.frame.copy()
    if not gaps:
        frame = frame.fillna(dict.fromkeys(("a_one", "a_two", "b_one", "b_two"), 0.5))
    spec = spec_of(table_of(frame, "class"), standardise=standardise)
    if not words:
        spec = replace(spec, features=spec.features[:4], categorical=())
    prepared = prepare(table_of(frame, "class"), spec)
    train, test = folds(prepared, spec)[0]
    ours, theirs = learnt(prepared, train), preprocessor(prepared).fit(prepared.X[train])
    assert np.array_equal(ours(prepared.X[test]), theirs.transform(prepared.X[test]))
    steps = theirs.named_transformers_["numbers"]
    assert np.array_equal(ours.fills, steps[0].statistics_)
    if standardise:
        assert np.array_equal(ours.centres, steps[1].mean_)
        assert np.array_equal(ours.scales, steps[1].scale_)
