"""What a fit looks like, against counts by hand and scikit-learn's curves."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

from lab.classify import compare, findings, groupings, results
from lab.classify.samples import SAMPLES
from lab.classify.setup import prepare, preprocessor
from solvers import Groups, solve_logistic, solve_svm
from tests.lab.classify.tables import mixed_table, spec_of


def fitted(table, **changes):
    spec = spec_of(table, **{"n_folds": 3, **changes})
    prepared = prepare(table, spec)
    key = compare.own_key(spec)
    outcomes = [compare.run(prepared, spec, key, fold) for fold in (None, *range(spec.n_folds))]
    return prepared, spec, groupings.group_features(prepared, spec), outcomes


MIXED = fitted(mixed_table())
WINE = fitted(SAMPLES["wine"].table())


@pytest.mark.parametrize("case", [MIXED, WINE], ids=["two classes", "three classes"])
def test_held_out_predictions(case):
    prepared, _, _, outcomes = case
    held = results.held_out(prepared, outcomes)
    assert sorted(held.row.tolist()) == list(range(prepared.n_samples))
    counts = results.confusion(held, len(prepared.classes))
    assert np.array_equal(counts, confusion_matrix(held.true, held.predicted))
    assert held.n_wrong == counts.sum() - np.trace(counts)
    assert np.array_equal(held.margin > 0.0, held.true == held.predicted)
    weighted = np.average(
        [each.metrics["accuracy"] for each in outcomes[1:]],
        weights=[each.test.size for each in outcomes[1:]],
    )
    assert 1.0 - held.n_wrong / held.row.size == pytest.approx(weighted)


def test_rivals_in_the_same_folds_change_nothing_that_is_shown_of_ours():
    prepared, spec, grouped, outcomes = MIXED
    rivals = [compare.run(prepared, spec, key, 0) for key in ("svm", "majority")]
    held, mixed = (results.held_out(prepared, each) for each in (outcomes, [*rivals, *outcomes]))
    assert np.array_equal(held.row, mixed.row) and np.array_equal(held.decision, mixed.decision)
    alone = results.features(prepared, grouped, outcomes)
    beside = results.features(prepared, grouped, [*rivals, *outcomes])
    assert np.array_equal(alone.frequency, beside.frequency) and beside.n_folds == 3


def test_margins_of_several_classes_by_hand():
    scores = np.array([[1.0, 3.0, 2.0], [0.5, -1.0, 0.0]])
    assert results.margins(np.array([1, 2]), scores).tolist() == [1.0, -0.5]
    assert results.margins(np.array([1, 0]), np.array([2.0, 0.5])).tolist() == [2.0, -0.5]


def test_curves_have_the_area_they_claim():
    prepared, _, _, outcomes = WINE
    held = results.held_out(prepared, outcomes)
    curves = results.roc_curves(held, prepared.classes)
    assert [curve.class_name for curve in curves] == ["class_0", "class_1", "class_2"]
    for k, curve in enumerate(curves):
        assert curve.area == pytest.approx(roc_auc_score(held.true == k, held.decision[:, k]))
        assert np.trapezoid(curve.y, curve.x) == pytest.approx(curve.area, abs=1e-9)
    (curve,) = results.precision_recall_curves(results.held_out(*MIXED[::3]), MIXED[0].classes)
    steps = -np.diff(curve.x[::-1]) * curve.y[::-1][:-1]
    assert curve.class_name == "yes"
    assert steps.sum() == pytest.approx(curve.area)


def test_long_curves_are_thinned_but_keep_their_ends():
    x = np.linspace(0.0, 1.0, 5000)
    thin_x, thin_y = results._thinned(x, x**2)
    assert thin_x.size <= 400 and thin_x[0] == 0.0 and thin_x[-1] == 1.0
    assert np.array_equal(thin_y, thin_x**2)


def test_features_count_selections_over_folds():
    prepared, _, grouped, outcomes = MIXED
    got = results.features(prepared, grouped, outcomes)
    by_hand = np.zeros(prepared.n_features)
    for each in outcomes[1:]:
        size = np.abs(each.coef[0])
        by_hand += size > 1e-3 * size.max()
    assert np.array_equal(got.frequency, by_hand / 3)
    assert got.weight.tolist() == outcomes[0].coef[0].tolist()
    assert np.array_equal(got.group, grouped.groups.labels)
    table = got.table()
    assert len(table["feature"]) == np.count_nonzero((got.weight != 0) | (got.frequency > 0))
    assert np.all(np.diff(np.abs(table["weight"])) <= 0)
    order = got.order(4)
    assert order.size <= 4 and np.all(np.diff(got.group[order]) >= 0)


def test_a_feature_of_overlapping_groups_is_shown_in_the_first():
    prepared, _, _, outcomes = MIXED
    groups = Groups.from_lists([[0, 1, 2, 3, 4], [0, 4, 5, 6, 7, 8, 9]], 10)
    got = results.features(prepared, groupings.Grouping(groups, ("g", "h")), outcomes)
    assert got.group.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_rows_are_those_of_the_table_and_the_least_safe_come_first():
    prepared, _, _, outcomes = MIXED
    held = results.held_out(prepared, outcomes)
    table = results.row_table(prepared, held, wrong_only=True)
    frame = mixed_table().frame
    assert len(table["row"]) == held.n_wrong
    assert table["true"].tolist() == [frame["class"][row - 1] for row in table["row"]]
    assert all(t != p for t, p in zip(table["true"], table["predicted"], strict=True))
    every = results.row_table(prepared, held, wrong_only=False)
    assert np.all(np.diff(every["margin"]) >= 0) and every["row"].size == 60


@pytest.mark.parametrize("method", ["esvm", "logistic"])
def test_the_path_holds_the_solutions_of_single_solves(method):
    table = mixed_table()
    spec = spec_of(table, method=method, n_groups=2)
    prepared = prepare(table, spec)
    grouped = groupings.group_features(prepared, spec)
    path = results.strength_path(prepared, spec, grouped, [1.0, 30.0], alpha=0.5)
    X = preprocessor(prepared).fit_transform(prepared.X)
    y = np.where(prepared.y == 1, 1.0, -1.0)
    assert path.strengths.tolist() == [30.0, 1.0]
    assert path.class_name == "yes"
    for strength, w in zip(path.strengths, path.coefs, strict=True):
        options = dict(fit_intercept=True, tol=1e-9)
        if method == "esvm":
            one = solve_svm(X, y, grouped.groups, 0.5, strength, **options)
        else:
            one = solve_logistic(X, y, grouped.groups, strength, **options)
        assert X @ w == pytest.approx(X @ one.w, abs=5e-3)
    assert path.gaps.max() <= 1e-6


def test_a_path_in_parts_is_the_path_of_each_class():
    table = SAMPLES["wine"].table()
    spec = spec_of(table, n_groups=3)
    prepared = prepare(table, spec)
    grouped = groupings.group_features(prepared, spec)
    X = preprocessor(prepared).fit_transform(prepared.X)
    strengths = [100.0, 0.1, 1.0, 10.0]
    for place, name in enumerate(prepared.classes):
        tasks = results.path_tasks(prepared, spec, grouped, strengths, 1.0, place)
        assert len(tasks) == 2
        path = results.joined_path([results.strength_path(*task) for task in reversed(tasks)])
        assert path.strengths.tolist() == [100.0, 10.0, 1.0, 0.1]
        assert path.class_name == str(name) and path.gaps.max() <= 1e-6
        target = np.where(prepared.y == place, 1.0, -1.0)
        for strength, w in zip(path.strengths, path.coefs, strict=True):
            one = solve_svm(X, target, grouped.groups, 1.0, strength, fit_intercept=True, tol=1e-9)
            assert X @ w == pytest.approx(X @ one.w, abs=5e-3)


def test_sentences_state_the_numbers():
    prepared, spec, grouped, outcomes = MIXED
    found = results.features(prepared, grouped, outcomes)
    own = compare.standings(outcomes, spec)[0]
    sentence = findings.answer("a *name*", prepared, spec, found, own)
    mean = np.mean([each.metrics["accuracy"] for each in outcomes[1:]])
    largest = prepared.class_counts.max() / 60
    assert sentence.startswith(rf"**a \*name\***: {found.n_selected} of 10 features decide")
    assert f"classifies {mean:.1%} of held-out rows" in sentence
    assert sentence.endswith(f"gets {largest:.1%}.")


def test_a_feature_of_two_groups_uses_both():
    prepared, _, _, outcomes = MIXED
    n = prepared.n_features
    everywhere = groupings.Grouping(
        Groups.from_lists([[0, 1], [0, *range(2, n)]], n), ("one", "other")
    )
    only = np.zeros((1, n))
    only[0, 0] = 1.0
    final = replace(outcomes[0], coef=only)
    assert results.features(prepared, everywhere, [final]).groups_used == 2
    only[0] = np.eye(n)[1]
    assert results.features(prepared, everywhere, [final]).groups_used == 1


def test_parts_of_a_path_that_was_cancelled_are_known_to_the_next():
    prepared, spec, grouped, _ = MIXED
    tasks = results.path_tasks(prepared, spec, grouped, (1.0, 3.0, 10.0, 30.0, 100.0), 1.0, 1)
    last = results.strength_path(*tasks[-1])
    assert results.parts_done(tasks, [last]) == {len(tasks) - 1: last}
    assert results.parts_done(tasks, []) == {}


@pytest.mark.parametrize(
    ("own", "rival", "sentence"),
    [
        ((0.9, 0.8, 1.0), 0.85, "E-SVM(R) is 0.050 ahead of SVM in accuracy, within its interval"),
        ((0.9, 0.89, 0.91), 0.85, "E-SVM(R) is 0.050 ahead of SVM in accuracy"),
        ((0.8, 0.79, 0.81), 0.85, "E-SVM(R) is 0.050 behind SVM in accuracy"),
        ((0.8, 0.79, 0.81), 0.8, "E-SVM(R) and SVM are level in accuracy, at 0.800"),
    ],
)
def test_the_title_of_a_comparison_says_whether_the_lead_is_safe(own, rival, sentence):
    def row(key, mean, low, high):
        scores = {"accuracy": compare.Interval(mean, low, high, 5)}
        return compare.Standing(key, compare.LABELS[key], scores, 5, 1.0, {}, 0.0)

    rows = [row("esvm_r", *own), row("svm", rival, 0.0, 1.0)]
    assert findings.standings_title(rows, "accuracy") == sentence


def test_fits_that_missed_their_tolerance_are_named():
    outcomes = [replace(MIXED[3][0], converged=False), *MIXED[3][1:]]
    assert findings.missed_sentence(MIXED[3]) == ""
    sentence = findings.missed_sentence(outcomes)
    assert sentence == "Stopped before its tolerance: E-SVM(R) in 1 fit."
