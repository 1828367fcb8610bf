"""What this page says of the page about accuracy, held against that page's own specs and code."""

from dataclasses import replace

import numpy as np
import pytest

from lab.accuracy import uploads
from lab.accuracy.protocol import SETTINGS
from lab.accuracy.specs import RealSpec, UploadSpec
from lab.accuracy.trials import outer_fold, scaled
from lab.own_table import elsewhere, splits
from solvers.comparisons import make_classifier
from tests.lab.own_table.tables import case_of, mixed_table, number_table, run, table_of

SPEC = RealSpec(data=UploadSpec("your own file", "0" * 16))


def test_what_is_said_of_the_other_page_is_what_its_specs_say():
    assert dict(elsewhere.THERE) == {
        "folds": SPEC.folds,
        "protocol": SPEC.fold_kind,
        "settings": SETTINGS,
        "ties": SPEC.protocol.ties,
        "inner_folds": SPEC.protocol.inner_folds,
        "group_rule": SPEC.group_rule,
        "standardise": SPEC.scaling == "standardise",
        "metric": "accuracy",
    }
    assert "by the accuracy of one and the same" in SPEC.protocol.in_words()


def test_rows_with_gaps_and_columns_of_words_are_counted_as_they_are_left_out_there():
    case = case_of(mixed_table())
    there = uploads.prepare(case.table, "class", 5)
    text = " ".join(elsewhere.reasons(case))
    gone = case.prepared.n_samples - len(there.y)
    assert gone > 1 and f"there {gone} rows with gaps are left out" in text
    assert there.X.shape[1] == case.prepared.n_numbers
    assert "there 2 columns of categories are left out" in text
    assert "even the folds that test are others" in text


def whole_table():
    """Numbers without a gap."""
    return table_of(mixed_table().frame.drop(columns=["a_two", "colour", "shape"]), "class")


@pytest.mark.parametrize("protocol", ["ordinary", "inverted"])
def test_without_these_the_folds_are_the_same_and_so_is_a_model_at_the_same_strengths(protocol):
    case = case_of(whole_table(), tuning="hand", protocol=protocol, n_folds=4, alpha=2.0, beta=5.0)
    text = " ".join(elsewhere.reasons(case))
    assert "gaps" not in text and "categories" not in text
    assert "the folds that test are the same for the same number, kind and seed" in text
    there = uploads.prepare(case.table, "class", 4)
    spec = replace(SPEC, folds=4, fold_kind=protocol)
    for fold, (train, test) in enumerate(splits.folds(case.prepared, case.spec)):
        theirs = outer_fold(spec, there.y, 0, fold)
        assert np.array_equal(train, theirs[0]) and np.array_equal(test, theirs[1])
        X, X_test = scaled(spec.scaling, there.X[train], there.X[test])
        groups = case.groupings.random.groups
        model = make_classifier("esvm", groups=groups, alpha=2.0, beta=5.0, tol=1e-6)
        model.fit(X, there.y[train])
        outcome = run(case, "esvm_r", fold)
        # Classes are in the order of their names there, and the positive one is last here.
        assert model.decision_function(X_test) == pytest.approx(outcome.decision, abs=1e-9)
        assert np.mean(model.predict(X_test) == there.y[test]) == outcome.metrics["accuracy"]


def test_what_was_set_here_and_is_not_there_is_said():
    case = case_of(
        mixed_table(),
        class_weight="balanced",
        metric="balanced_accuracy",
        distinct=True,
        n_folds=3,
        standardise=False,
    )
    text = " ".join(elsewhere.reasons(case))
    for part in (
        "judged by accuracy, here by balanced accuracy",
        "here every class",
        "repeated rows left out: that page has none",
        "standardised unless one says otherwise",
        "there 5 folds are the usual, ordinary K-fold, here 3, ordinary K-fold",
    ):
        assert part in text


def test_numbers_have_no_answer_there():
    case = case_of(number_table(), target="quantity", method="lasso")
    assert "no answer for this table" in elsewhere.sentence(case)
    with pytest.raises(ValueError):
        uploads.prepare(case.table, "y", 5)
