"""Sets with groups of their own: the draws, the trials, and what is said of them."""

import numpy as np
import pytest

from lab.accuracy import natural
from lab.accuracy.natural import GroupedSpec, bought, run_grouped, split
from lab.data.datasets import data_folder, load
from lab.data.natural import NATURAL, NaturalSpec

AT_HAND = all((data_folder() / file.path).is_file() for file in NATURAL.values())
needs_data = pytest.mark.skipif(not AT_HAND, reason="the sets are not on this machine")


def test_a_draw_takes_as_many_of_each_class_and_tests_on_all_others():
    y = np.repeat([0, 1, 2], [9, 6, 12])
    train, test = split(y, 4, 1)
    assert np.bincount(y[train]).tolist() == [4, 4, 4]
    assert np.sort(np.concatenate([train, test])).tolist() == list(range(27))
    assert split(y, 4, 1)[0].tolist() == train.tolist() != split(y, 4, 2)[0].tolist()
    with pytest.raises(ValueError, match="a class has 6 samples, and 6 of each are to train on"):
        split(y, 6, 0)


@needs_data
def test_a_trial_counts_its_features_by_group():
    spec = GroupedSpec("nutrimouse_genotype", 8, repeats=1, methods=("svm", "esvm"))
    data = load(NaturalSpec(spec.data))
    results = {trial: run_grouped(spec, trial) for trial in spec.trials()}
    assert results[(0, 0, "svm")]["per_group"] == data.groups.sizes.tolist()
    own = results[(0, 0, "esvm")]
    assert sum(own["per_group"]) == own["nonzeros"] < data.n_features
    assert (own["n_train"], own["n_test"]) == (16, 24) and own["gap"] <= 1e-4


def some(accuracies, per_group) -> dict:
    return {
        (r, 0, method): {
            "accuracy": values[r],
            "nonzeros": sum(per_group[method]),
            "per_group": per_group[method],
        }
        for method, values in accuracies.items()
        for r in range(len(values))
    }


def test_structure_and_accuracy_are_said_as_they_are():
    spec = GroupedSpec("mfeat", 5, repeats=4, methods=("sparse_svm", "esvm"))
    found = some(
        {"sparse_svm": [0.7, 0.71, 0.72, 0.7], "esvm": [0.8, 0.81, 0.83, 0.8]},
        {"sparse_svm": [9, 0, 0, 3, 0, 0], "esvm": [2, 2, 2, 2, 1, 1]},
    )
    rows = bought(spec, found, fewest=4)
    assert [row.every_group for row in rows] == [0, 4]
    assert rows[0].difference.mean == pytest.approx(0.1025) and rows[1].difference is None
    answer = natural.answer(rows)
    assert "every group in 4 of 4 fits, S-SVM in 0" in answer
    assert "ahead of another method in 1 of 1 comparisons and behind in 0" in answer
    table = natural.table(rows)
    assert table["by group"] == ["9 / 0 / 0 / 3 / 0 / 0", "2 / 2 / 2 / 2 / 1 / 1"]
    assert table["all groups used"] == ["0 of 4", "4 of 4"]
    del found[(3, 0, "esvm")]
    assert bought(spec, found) == []  # too few to say anything
    assert {row.repeats for row in bought(spec, found, fewest=3)} == {3}  # paired draws only


def test_what_is_missing_is_said():
    spec = GroupedSpec("mfeat", 5, repeats=4, methods=("sparse_svm", "esvm"))
    counts = {"sparse_svm": [1] * 6, "esvm": [1] * 6}
    rows = bought(spec, some({"sparse_svm": [0.7, 0.8], "esvm": [0.8, 0.8]}, counts), 2)
    assert natural.so_far(rows).startswith(
        f"So far: Handwritten digits in six views (2 of {natural.REPEATS} draws)"
    )
