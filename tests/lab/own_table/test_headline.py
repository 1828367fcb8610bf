"""The verdict in words, for numbers of features that a small table rarely comes to."""

from dataclasses import replace

import numpy as np
import pytest

from lab.own_table import findings, headline
from tests.lab.own_table.tables import fitted_case, mixed_table

CASE = fitted_case(mixed_table()).knowing(chance=np.zeros(19))
UNSETTLED = "which features decide is not settled: "


@pytest.mark.parametrize(
    ("selected", "always", "of", "said"),
    [
        (1, 1, 30, ": 1 of 30 features decides, in every fold, in"),
        (4, 4, 30, ": 4 of 30 features decide, each of them in every fold, in"),
        (20, 15, 30, ": 20 of 30 features decide, 15 of them in every fold, in"),
        (21, 15, 30, f"{UNSETTLED}of 30 features it uses 21, 15 of them in every fold. "),
        (4, 1, 30, f"{UNSETTLED}of 30 features it uses 4, only 1 of them in every fold. "),
        (4, 0, 30, f"{UNSETTLED}of 30 features it uses 4, none of them in every fold. "),
        (1, 0, 30, f"{UNSETTLED}of 30 features it uses 1, not in every fold. "),
        (30, 30, 30, f"{UNSETTLED}it uses all 30 features. "),
        (2, 2, 2, f"{UNSETTLED}it uses both features. "),
        (1, 1, 1, ": its one feature decides. "),
    ],
)
def test_that_features_decide_is_said_of_a_part_of_them_that_stays(selected, always, of, said):
    case = replace(CASE)
    verdict = replace(CASE.verdict, n_selected=selected, n_always=always, n_features=of)
    case.__dict__["verdict"] = replace(verdict, level="decides")
    assert said in headline.answer(case)


@pytest.mark.parametrize(
    ("folds", "used", "grid"),
    [
        ([[1, 1], [1, 0]], "2 features used, 1 of them in every fold", "1 of them in all 2"),
        ([[1, 1], [1, 1]], "2 features used, each of them in every fold", "each of them in all 2"),
        ([[0, 1], [1, 0]], "2 features used, none of them in every fold", "none of them in all 2"),
        ([[1], [0]], "1 feature used, not in every fold", "not in all 2"),
        ([[1], [1]], "1 feature used, in every fold", "in all 2"),
    ],
)
def test_how_many_stay_is_told_in_words_that_fit_their_number(folds, used, grid):
    folds = np.array(folds, dtype=bool)
    found = replace(
        CASE.found,
        selected=np.ones(folds.shape[1], dtype=bool),
        covariates=np.zeros(folds.shape[1], dtype=bool),
        frequency=folds.mean(axis=0),
        n_folds=2,
        wanted=2,
    )
    assert findings.bars_title(found, folds.shape[1]) == used
    counted = "1 feature" if folds.shape[1] == 1 else "2 features"
    assert findings.stability_title(found) == f"{counted} selected in some fold, {grid}"


def test_numbers_of_the_targets_size_are_written_as_by_hand():
    assert headline.number(1163.2, "rmse") == "1,160"
    assert headline.number(0.01234, "mae") == "0.0123"
