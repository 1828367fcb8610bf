"""Scores equal those of plain scripts, digit for digit, and tuning never sees the test rows."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from lab.classify import compare
from lab.classify.samples import SAMPLES
from lab.classify.setup import folds, prepare
from solvers import ExclusiveLogistic, ExclusiveSVC, Groups
from solvers.estimators import default_n_groups
from tests.lab.classify.tables import mixed_table, spec_of

BREAST = SAMPLES["breast_cancer"].table()
SPEC = spec_of(BREAST, n_folds=2, tuning="cv", seed=4)
PREPARED = prepare(BREAST, SPEC)


# -- plain scripts: nothing of the app in them -----------------------------------------------

DATA = load_breast_cancer()
X, Y = DATA.data, 1 - DATA.target  # malignant is the positive class
PLAIN = {
    "svm": (SVC(kernel="linear", tol=1e-4), [1e-3, 1e-2, 1e-1, 1.0, 1.0 / 0.1]),
    "sparse_svm": (
        LinearSVC(penalty="l1", dual=False, intercept_scaling=100.0, max_iter=10_000),
        [1 / lam for lam in (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)],
    ),
    "logistic_l1": (
        LogisticRegression(
            l1_ratio=1.0, solver="liblinear", intercept_scaling=100.0, max_iter=10_000
        ),
        [1 / lam for lam in (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)],
    ),
    "majority": (DummyClassifier(strategy="most_frequent"), None),
}


def scores_of_plain_script(key) -> list[dict]:
    model, Cs = PLAIN[key]
    if isinstance(model, LinearSVC | LogisticRegression):
        model.set_params(random_state=4)
    scores = []
    outer = StratifiedKFold(2, shuffle=True, random_state=4)
    for train, test in outer.split(X, Y):
        fitted = Pipeline(
            [("fill", SimpleImputer(strategy="median")), ("scale", StandardScaler()), ("m", model)]
        )
        if Cs is not None:
            inner = StratifiedKFold(3, shuffle=True, random_state=4)
            fitted = GridSearchCV(fitted, [{"m__C": [C]} for C in Cs], cv=inner)
        fitted.fit(X[train], Y[train])
        predicted = fitted.predict(X[test])
        flat = key == "majority"
        decision = np.zeros(test.size) if flat else fitted.decision_function(X[test])
        scores.append(
            {
                "accuracy": accuracy_score(Y[test], predicted),
                "balanced_accuracy": balanced_accuracy_score(Y[test], predicted),
                "f1": f1_score(Y[test], predicted, zero_division=0.0),
                "roc_auc": roc_auc_score(Y[test], decision),
            }
        )
    return scores


@pytest.mark.parametrize("key", list(PLAIN))
def test_scores_equal_a_plain_scikit_learn_script_to_the_last_digit(key):
    got = [dict(compare.run(PREPARED, SPEC, key, fold).metrics) for fold in range(2)]
    assert got == scores_of_plain_script(key)


def test_our_tuned_scores_equal_a_script_that_uses_solvers():
    got = compare.run(PREPARED, SPEC, "esvm_r", 1)
    train, test = list(StratifiedKFold(2, shuffle=True, random_state=4).split(X, Y))[1]
    groups = Groups.random(30, default_n_groups(30, 569), 4)
    pipeline = Pipeline([("scale", StandardScaler()), ("m", ExclusiveSVC(groups=groups, tol=1e-6))])
    grid = [
        {"m__beta": [beta], "m__alpha": [alpha]}
        for beta in (100.0, 30.0, 10.0, 3.0, 1.0)
        for alpha in (10.0, 1.0, 0.1)
    ]
    inner = StratifiedKFold(3, shuffle=True, random_state=4)
    search = GridSearchCV(pipeline, grid, cv=inner).fit(X[train], Y[train])
    predicted, decision = search.predict(X[test]), search.decision_function(X[test])
    assert dict(got.strengths) == {k[3:]: v for k, v in search.best_params_.items()}
    assert got.metrics["accuracy"] == accuracy_score(Y[test], predicted)
    assert got.metrics["roc_auc"] == roc_auc_score(Y[test], decision)
    assert np.array_equal(got.decision, decision)
    assert np.array_equal(got.coef, search.best_estimator_["m"].coef_)
    assert got.gap <= 1e-6


@pytest.mark.parametrize("method", ["esvm", "logistic"])
def test_our_scores_by_hand_equal_solvers_on_encoded_features(method):
    table = mixed_table()
    spec = spec_of(table, method=method, grouping="source", alpha=0.5, beta=3.0, lam=3.0)
    prepared = prepare(table, spec)
    got = compare.run(prepared, spec, compare.own_key(spec), 2)
    train, test = folds(prepared, spec)[2]
    frame = table.frame
    numbers = frame[["a_one", "a_two", "b_one", "b_two"]]
    filled = numbers.fillna(numbers.iloc[train].median()).to_numpy()
    scaler = StandardScaler().fit(filled[train])
    words = frame[["colour", "shape"]].fillna("(missing)")
    indicators = np.column_stack(
        [
            *((words["colour"] == text) for text in ("blue", "green", "red")),
            *((words["shape"] == text) for text in ("long", "round", "(missing)")),
        ]
    )
    encoded = np.hstack([scaler.transform(filled), indicators.astype(float)])
    groups = Groups.from_labels([0, 1, 2, 3, 4, 4, 4, 5, 5, 5])
    model = (
        ExclusiveSVC(0.5, 3.0, groups=groups, tol=1e-6)
        if method == "esvm"
        else ExclusiveLogistic(3.0, groups=groups, tol=1e-6)
    )
    y = (frame["class"] == "yes").to_numpy().astype(int)
    model.fit(encoded[train], y[train])
    assert np.array_equal(got.decision, model.decision_function(encoded[test]))
    assert got.metrics["accuracy"] == model.score(encoded[test], y[test])
    assert got.gap == model.dual_gap_


def test_labels_of_test_rows_change_no_fit():
    table = mixed_table(30)
    spec = spec_of(table, tuning="cv")
    prepared = prepare(table, spec)
    test = folds(prepared, spec)[0][1]
    # Two rows of different classes change places, so that the stratified folds stay as they are.
    one, two = test[prepared.y[test] == 0][0], test[prepared.y[test] == 1][0]
    spoiled = prepared.X.copy()
    spoiled[[one, two]] = spoiled[[two, one]]
    other = replace(prepared, X=spoiled)
    for key in ("esvm_r", "sparse_svm"):
        before, after = (compare.run(data, spec, key, 0) for data in (prepared, other))
        assert dict(before.strengths) == dict(after.strengths)
        assert np.array_equal(before.coef, after.coef)
        assert not np.array_equal(before.decision, after.decision)


def test_several_classes():
    table = SAMPLES["wine"].table()
    spec = spec_of(table, n_folds=3)
    prepared = prepare(table, spec)
    got = compare.run(prepared, spec, "esvm_r", 0)
    y, predicted = prepared.y[got.test], np.argmax(got.decision, axis=1)
    assert got.coef.shape == (3, 13)
    assert got.metrics["f1"] == f1_score(y, predicted, average="macro")
    one_vs_rest = [roc_auc_score(y == k, got.decision[:, k]) for k in range(3)]
    assert got.metrics["roc_auc"] == pytest.approx(np.mean(one_vs_rest))


@pytest.mark.parametrize("key", compare.compared_keys(SPEC))
def test_every_classifier_runs_on_gaps_categories_and_the_inverted_protocol(key):
    table = mixed_table(40)
    spec = spec_of(table, protocol="inverted", n_folds=4)
    prepared = prepare(table, spec)
    got = compare.run(prepared, spec, key, 0)
    assert got.test.size == 30
    assert got.decision.shape == (30,)
    assert 0.0 <= got.metrics["accuracy"] <= 1.0
    assert got.coef.shape == (1, 10)


def test_a_class_with_one_training_row_gets_the_middle_of_the_grid():
    table = mixed_table(12)
    y = np.array([0] * 9 + [1] * 3)
    spec = spec_of(table, protocol="inverted", n_folds=3, tuning="cv")
    prepared = replace(prepare(table, spec), y=y)
    got = compare.run(prepared, spec, "sparse_svm", 0)
    assert dict(got.strengths) == {"lam": 3.0}


def test_which_classifiers_are_compared():
    known = replace(SPEC, grouping="prefix")
    rivals = ("svm", "sparse_svm", "kong", "logistic_l1", "majority")
    assert compare.compared_keys(SPEC) == ("esvm_r", "logistic", *rivals)
    assert compare.compared_keys(known) == ("esvm", "esvm_r", "logistic", *rivals)
    own = replace(known, method="logistic")
    assert compare.compared_keys(own) == ("logistic", "esvm", "esvm_r", *rivals)
    calls = compare.tasks(PREPARED, SPEC, ("esvm_r", "svm"))
    assert [call[2:] for call in calls] == [
        ("esvm_r", None),
        *(("esvm_r", fold) for fold in range(2)),
        *(("svm", fold) for fold in range(2)),
    ]


def test_random_groups_beside_known_ones_are_drawn_from_the_seed():
    known = replace(SPEC, grouping="prefix")
    assert compare.groups_of(PREPARED, known, "esvm").n_groups == 3
    drawn = compare.groups_of(PREPARED, known, "esvm_r").groups
    assert drawn == Groups.random(30, default_n_groups(30, 569), 4)
    assert compare.groups_of(PREPARED, known, "svm") is None


def test_interval_is_students_t_with_the_corrected_variance():
    values = np.array([0.91, 0.94, 0.9, 0.95, 0.92])
    got = compare.interval(values, 0.25)
    spread = np.sqrt((1 / 5 + 1 / 4) * np.var(values, ddof=1))
    low, high = stats.t(df=4, loc=values.mean(), scale=spread).interval(0.95)
    assert (got.low, got.high) == pytest.approx((low, min(high, 1.0)))
    assert compare.interval([0.5, np.nan], 0.25).n_folds == 1
    assert np.isnan(compare.interval([np.nan], 0.25).mean)
    assert compare.interval([1.0, 1.0, 0.98], 0.25).high == 1.0


def test_a_fit_by_hand_records_no_warnings_and_knows_from_its_gap_that_it_stopped(monkeypatch):
    """Threads of several visitors share what records warnings."""
    seen, before = [], warnings._showwarnmsg_impl

    class Stopped(ExclusiveSVC):
        def fit(self, X, y):
            seen.append(warnings._showwarnmsg_impl is before)
            super().fit(X, y)
            self.dual_gap_ = 1e-3
            return self

    monkeypatch.setattr(compare, "classifier", lambda *_: Stopped(tol=1e-6))
    monkeypatch.setattr(compare, "tune", lambda *_: {})
    for tuning, alone in (("hand", True), ("cv", False)):
        spec = replace(SPEC, tuning=tuning)
        assert not compare.run(PREPARED, spec, compare.own_key(spec), None).converged
        assert seen.pop() == alone


def test_standings_follow_the_folds_that_are_done():
    outcomes = [
        compare.run(PREPARED, SPEC, key, fold) for key, fold in (("majority", 1), ("majority", 0))
    ]
    (row,) = compare.standings(outcomes, SPEC)
    assert (row.label, row.n_folds, row.n_selected) == ("majority class", 2, 0.0)
    means = [outcome.metrics["accuracy"] for outcome in outcomes]
    assert row.scores["accuracy"].mean == pytest.approx(np.mean(means))


def test_a_weight_below_a_thousandth_of_the_largest_is_not_used():
    coef = np.array([[1.0, 1.1e-3, 0.9e-3, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert compare.selected_features(coef).tolist() == [True, True, False, False]
