"""A table as the race page takes it: what the model sees, without a place for an intercept."""

import numpy as np
import pytest

from lab import races
from lab.own_table.encoding import encoded
from lab.own_table.race_data import numbers_for_race
from lab.races.race import Race
from tests.lab.own_table.tables import case_of, mixed_table, number_table, table_of


def three_classes():
    frame = number_table().frame
    frame["kind"] = np.array(["rare", "usual", "usual", "third"])[np.arange(len(frame)) % 4]
    return table_of(frame.drop(columns="y"), "kind")


@pytest.mark.parametrize(
    ("table", "task"),
    [
        (mixed_table(), "classification"),
        (three_classes(), "classification"),
        (number_table(), "regression"),
    ],
    ids=["two classes", "three classes", "numbers"],
)
def test_the_numbers_are_those_of_the_model_and_can_be_raced(table, task):
    quantity = dict(target="quantity", method="lasso") if task == "regression" else {}
    case = case_of(table, **quantity)
    data = numbers_for_race(case)
    assert data.task == task and data.X.flags.c_contiguous
    np.testing.assert_array_equal(data.X, encoded(case.prepared))
    assert data.groups is case.grouped.groups
    labels = case.table.column(case.spec.label)
    if task == "regression":
        values = labels.to_numpy(dtype=float)
        np.testing.assert_allclose(data.y, values - values.mean())
    else:
        assert set(data.y) == {-1.0, 1.0}
        # Of two classes each has its sign, of several the most frequent is set against the rest.
        usual = labels.value_counts().idxmax()
        agree = np.mean((data.y > 0) == (labels == usual).to_numpy())
        assert agree == 1.0 if labels.nunique() > 2 else agree in (0.0, 1.0)
    controls = {**races.default_controls(), **races.controls_for(data), "budget": 5.0}
    spec = races.spec_of(controls, data)
    assert races.refusal(spec) is None and spec.n_features == data.X.shape[1]
    problem = spec.build(0, data)
    assert np.isfinite(problem.objective(np.zeros(problem.n_features)))
    assert Race(spec, data).table is data
