"""Sweeps over one quantity: the data they draw, exact accuracies, what is shipped."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lab.accuracy import QUANTITIES, WhenSpec, from_dict, run_trial
from lab.accuracy.trials import chance_of_being_right, when_data
from lab.data.datasets import load
from solvers import ExclusiveSVC

SMALL = WhenSpec(n_features=60, n_samples=24, n_groups=6, repeats=2, methods=("svm", "esvm"))


@pytest.mark.parametrize("quantity, value", [("error", 20), ("correlation", 70), ("per_group", 3)])
def test_the_chance_of_being_right_is_what_a_large_test_set_finds(quantity, value):
    spec = replace(SMALL, quantity=quantity, values=(value,), n_samples=40_000)
    generator = when_data(spec, value, 0)
    data = load(generator)
    rng = np.random.default_rng(0)
    for w in (data.true_weights, data.true_weights + 0.3 * rng.standard_normal(60)):
        right = np.mean(np.sign(data.test.X @ w) == data.test.y)
        # Four standard errors of a share of 40,000.
        assert chance_of_being_right(generator, data.true_weights, w) == pytest.approx(
            right, abs=0.01
        )
    oracle = chance_of_being_right(generator, data.true_weights, data.true_weights)
    assert oracle == pytest.approx(1.0 - spec.settings_at(value)["error"])
    assert chance_of_being_right(generator, data.true_weights, np.zeros(60)) == 0.5


def test_a_trial_is_what_its_parts_give():
    spec = replace(SMALL, quantity="strength", values=(10,))
    result = run_trial(spec, (10, 1, "esvm"))
    generator = when_data(spec, 10, 1)
    data = load(generator)
    model = ExclusiveSVC(**result["chosen"], groups=data.groups, fit_intercept=False)
    w = model.fit(data.X, data.y).coef_.reshape(-1)
    assert result["accuracy"] == pytest.approx(
        chance_of_being_right(generator, data.true_weights, w), abs=1e-6
    )
    assert result["n_test"] == 0 and result["gap"] <= 1e-4
    # The strength is told, so only α is chosen; twice the strength is twice the β.
    twice = run_trial(replace(spec, values=(20,)), (20, 1, "esvm"))
    assert twice["chosen"]["beta"] == pytest.approx(2 * result["chosen"]["beta"])


def test_only_the_quantity_changes_what_it_should():
    right = replace(SMALL, quantity="wrong", values=(0, 100))
    # Wrong groups do not concern who has none.
    same = {run_trial(right, (value, 0, "svm"))["accuracy"] for value in (0, 100)}
    assert len(same) == 1
    assert run_trial(right, (0, 0, "esvm")) != run_trial(right, (100, 0, "esvm"))
    many = load(when_data(replace(SMALL, quantity="per_group", values=(4,)), 4, 0))
    counts = [np.count_nonzero(many.true_weights[list(group)]) for group in many.groups.lists()]
    assert counts == [4] * 6


def test_ids_follow_content_and_values_are_extent():
    assert replace(SMALL, values=(1, 2)).family == SMALL.family
    assert replace(SMALL, quantity="wrong").family != SMALL.family
    for quantity in QUANTITIES:
        spec = WhenSpec(quantity=quantity, values=QUANTITIES[quantity].values)
        again = from_dict(json.loads(json.dumps(spec.as_dict())))
        assert again == spec and again.id == spec.id


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"quantity": "luck"}, "no quantity 'luck'"),
        ({"values": ()}, "list of values is empty"),
        ({"values": (50,)}, "Bayes error must lie between 1 and 49, got 50"),
        ({"quantity": "correlation", "values": (100,)}, "between 0 and 0.99, got 1"),
        ({"quantity": "per_group", "values": (11,)}, "no room for 11 true features each"),
        ({"n_samples": 2}, "n_samples must be at least 8"),
    ],
)
def test_bad_specs_are_named(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(SMALL, **changes)
