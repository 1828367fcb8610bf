"""What a fit looks like, against counts by hand and scikit-learn's curves."""

import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

from lab.own_table import charts, decisions, findings, groupings, results
from lab.own_table.encoding import learnt, preprocessor
from lab.own_table.model import to_model
from lab.own_table.samples import SAMPLES
from lab.own_table.standings import standings, trials_by_class
from solvers import Groups, solve_logistic, solve_svm
from tests.lab.own_table.tables import (
    case_of,
    fitted_case,
    mixed_table,
    number_table,
    run,
    table_of,
)

MIXED = fitted_case(mixed_table())
WINE = fitted_case(SAMPLES["wine"].table())


@pytest.mark.parametrize("case", [MIXED, WINE], ids=["two classes", "three classes"])
def test_held_out_predictions(case):
    prepared, held = case.prepared, case.held
    assert sorted(held.row.tolist()) == list(range(prepared.n_samples))
    counts = results.confusion(held, len(prepared.classes))
    assert np.array_equal(counts, confusion_matrix(held.true, held.predicted))
    assert held.n_wrong == counts.sum() - np.trace(counts)
    assert np.array_equal(held.margin > 0.0, held.true == held.predicted)
    weighted = np.average(
        [each.metrics["accuracy"] for each in case.folds],
        weights=[each.test.size for each in case.folds],
    )
    assert 1.0 - held.n_wrong / held.row.size == pytest.approx(weighted)


def test_rivals_in_the_same_folds_change_nothing_that_is_shown_of_ours():
    rivals = tuple(run(MIXED, key, 0) for key in ("svm", "majority"))
    beside = MIXED.knowing(outcomes=(*rivals, *MIXED.outcomes))
    assert np.array_equal(MIXED.held.decision, beside.held.decision)
    assert np.array_equal(MIXED.found.frequency, beside.found.frequency)
    assert beside.found.n_folds == 3 and beside.verdict == MIXED.verdict


def test_residuals_of_numbers():
    case = fitted_case(number_table(), target="quantity", method="lasso", lam=1.0)
    held = case.held
    assert np.array_equal(held.true, case.prepared.y[held.row])
    assert np.array_equal(held.predicted, held.decision)
    table = results.row_table(case.prepared, held, wrong_only=False)
    assert np.all(np.diff(np.abs(table["residual"])) <= 0), "the worst first"
    assert table["true"] - table["predicted"] == pytest.approx(table["residual"])


def test_margins_of_several_classes_by_hand():
    scores = np.array([[1.0, 3.0, 2.0], [0.5, -1.0, 0.0]])
    assert results.margins(np.array([1, 2]), scores).tolist() == [1.0, -0.5]
    assert results.margins(np.array([1, 0]), np.array([2.0, 0.5])).tolist() == [2.0, -0.5]


def test_curves_have_the_area_they_claim():
    prepared, held = WINE.prepared, WINE.held
    curves = results.roc_curves(held, prepared.classes)
    assert [curve.class_name for curve in curves] == ["class_0", "class_1", "class_2"]
    for k, curve in enumerate(curves):
        assert curve.area == pytest.approx(roc_auc_score(held.true == k, held.decision[:, k]))
        assert np.trapezoid(curve.y, curve.x) == pytest.approx(curve.area, abs=1e-9)
    (curve,) = results.precision_recall_curves(MIXED.held, MIXED.prepared.classes)
    steps = -np.diff(curve.x[::-1]) * curve.y[::-1][:-1]
    assert curve.class_name == "yes"
    assert steps.sum() == pytest.approx(curve.area)


def test_long_curves_are_thinned_but_keep_their_ends():
    x = np.linspace(0.0, 1.0, 5000)
    thin_x, thin_y = results._thinned(x, x**2)
    assert thin_x.size <= 400 and thin_x[0] == 0.0 and thin_x[-1] == 1.0
    assert np.array_equal(thin_y, thin_x**2)


def test_features_count_selections_over_folds():
    got = MIXED.found
    by_hand = np.zeros(MIXED.prepared.n_features)
    for each in MIXED.folds:
        size = np.abs(each.coef[0])
        by_hand += size > 1e-3 * size.max()
    assert np.array_equal(got.frequency, by_hand / 3)
    assert got.weight.tolist() == MIXED.final.coef[0].tolist()
    assert np.array_equal(got.group, MIXED.grouped.groups.labels)
    table = got.table()
    assert len(table["feature"]) == np.count_nonzero((got.weight != 0) | (got.frequency > 0))
    assert np.all(np.diff(np.abs(table["weight"])) <= 0)
    order = got.order(4)
    assert order.size <= 4 and np.all(np.diff(got.group[order]) >= 0)


def test_overlapping_groups_are_whole_in_every_view():
    groups = Groups.from_lists([[0, 1, 2, 3, 4], [0, 4, 5, 6, 7, 8, 9]], 10)
    grouped = groupings.Grouping(groups, ("g", "h"))
    got = results.features(MIXED.prepared, grouped, MIXED.final, MIXED.folds)
    assert got.group.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "sorted by the first"
    assert [each.tolist() for each in got.members] == [[0, 1, 2, 3, 4], [0, 4, 5, 6, 7, 8, 9]]
    assert [got.group_name(j) for j in (0, 1, 9)] == ["g; h", "g", "h"]
    grid = charts.stability_grid(
        got.frequency, got.members, ["g", "h"], str, title="t", mode="light"
    ).data[0]
    assert np.count_nonzero(~np.isnan(grid.z), axis=1).tolist() == [5, 7]


def test_rows_are_those_of_the_table_and_the_least_safe_come_first():
    prepared, held = MIXED.prepared, MIXED.held
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
    case = case_of(table, method=method, n_groups=2)
    prepared, spec, grouped = case.prepared, case.spec, case.grouped
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
    case = case_of(table, n_groups=3)
    prepared, spec, grouped = case.prepared, case.spec, case.grouped
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


def test_a_feature_of_two_groups_uses_both():
    n = MIXED.prepared.n_features
    everywhere = groupings.Grouping(
        Groups.from_lists([[0, 1], [0, *range(2, n)]], n), ("one", "other")
    )
    only = np.zeros((1, n))
    only[0, 0] = 1.0
    final = replace(MIXED.final, coef=only)
    assert results.features(MIXED.prepared, everywhere, final, []).groups_used == 2
    only[0] = np.eye(n)[1]
    assert results.features(MIXED.prepared, everywhere, final, []).groups_used == 1


def test_what_a_row_adds_up_to_is_said_to_be_what_it_is():
    """A number is what the model predicts, for counts it is its logarithm."""
    for method, target in (("lasso", "quantity"), ("poisson", "counts")):
        table = number_table()
        frame = table.frame.assign(y=np.round(np.exp(table.frame["y"] / 4.0)))
        case = fitted_case(table_of(frame, "y"), target=target, method=method, lam=1.0)
        x = learnt(case.prepared)(case.prepared.X[:1])[0]
        coef, intercept = case.final.coef[0], float(case.final.intercept[0])
        reasons = decisions.contributions(x, coef, intercept, case.grouped.groups)
        said = findings.reasons_sentence(case, 0, 0, reasons)
        model = to_model(case.prepared, case.final, {}, None)
        predicted = float(model.predict(frame.iloc[:1])[0])
        meant = reasons.score if method == "lasso" else np.exp(reasons.score)
        assert meant == pytest.approx(predicted)
        assert f"{predicted:.3g}" in said and ("logarithm" in said) == (method == "poisson")


# -- the comparison --------------------------------------------------------------------------


def compared(scores: dict[str, list[float]], n_folds: int = 5):
    """Outcomes with these accuracies, fold by fold, and as many features as the place tells."""
    spec = replace(MIXED.spec, n_folds=n_folds)
    outcomes = []
    for place, (key, values) in enumerate(scores.items()):
        coef = np.zeros((1, 10))
        coef[0, : place + 1] = 1.0
        for fold, value in enumerate(values):
            metrics = dict.fromkeys(MIXED.final.metrics, value)
            changes = dict(key=key, fold=fold, metrics=metrics, coef=coef)
            strengths = dict.fromkeys(("alpha", "beta", "lam"), 1.0)
            outcomes.append(replace(MIXED.folds[0], strengths=strengths, **changes))
    return replace(MIXED, spec=spec, outcomes=tuple(outcomes))


def test_paired_differences_are_over_the_folds_that_both_have_done():
    case = compared({"esvm_r": [0.9, 0.8, 0.9, 0.8, 0.9], "svm": [0.8, 0.9]})
    ours, svm = case.standings
    assert ours.complete and not svm.complete and svm.n_folds == 2
    assert svm.behind["accuracy"].mean == pytest.approx(0.0)
    assert case.decision("accuracy") is None, "who has not done all folds is not judged"
    title = findings.standings_title(case, "accuracy")
    assert title == "E-SVM(R): accuracy 86.0 %"


def test_folds_without_an_error_are_not_certainty():
    case = compared({"esvm_r": [1.0] * 5, "svm": [0.9, 1.0, 1.0, 1.0, 1.0]})
    tested = np.unique(np.concatenate([each.test for each in case.outcomes]))
    n, counts = tested.size, np.bincount(case.prepared.y[tested])
    accuracy, balanced, area = (
        case.standings[0].scores[name] for name in ("accuracy", "balanced_accuracy", "roc_auc")
    )
    # So that n right ones have a chance of 2.5 %.
    assert accuracy.high == 1.0 and accuracy.low**n == pytest.approx(0.025)
    assert balanced.low == pytest.approx(1.0 - (1.0 - 0.025 ** (1.0 / counts.min())) / counts.size)
    assert accuracy.known and not area.known, "no interval is better than one of no width"


def test_rows_of_one_subject_are_one_trial():
    prepared = replace(MIXED.prepared, subjects=np.arange(MIXED.prepared.n_samples) // 2)
    rows = np.arange(prepared.n_samples)
    alone = trials_by_class(MIXED.prepared, rows)
    assert alone.sum() == rows.size and trials_by_class(prepared, rows).sum() < rows.size
    assert np.all(trials_by_class(prepared, rows) <= alone)


def test_a_clear_winner_and_one_that_is_as_good_with_fewer_features():
    near = [0.9, 0.81, 0.88, 0.83, 0.9]
    case = compared({"esvm_r": near, "svm": [0.91, 0.8, 0.9, 0.82, 0.9]})
    decision = case.decision("accuracy")
    assert (decision.winner.key, decision.sparsest.key) == ("svm", "esvm_r")
    title = findings.standings_title(case, "accuracy")
    assert title.endswith("; equally good and sparser: E-SVM(R), 1 feature instead of 2")
    case = compared({"esvm_r": [0.95, 0.96, 0.95, 0.96, 0.95], "svm": [0.7, 0.71, 0.7, 0.71, 0.71]})
    title = findings.standings_title(case, "accuracy")
    assert title.startswith("E-SVM(R) leads in accuracy with 95.4 % (95 % interval 94.")
    assert ", 5 folds), ahead of all others: the closest, SVM, by 24.8 points " in title
    assert title.endswith("(95 % interval 24.0 to 25.6)")
    errors = findings.standings_title(case, "f1")
    assert "F1 with 0.954 (95 % interval 0.9" in errors


def test_sparser_is_who_needs_fewer_whole_features():
    case = compared({"svm": [0.9, 0.81, 0.88, 0.83, 0.9], "esvm_r": [0.91, 0.8, 0.9, 0.82, 0.9]})
    ours = np.eye(10)[:1] + np.eye(10)[1:2]
    outcomes = tuple(
        replace(each, coef=ours[:, ::-1] if each.key == "svm" and each.fold else each.coef)
        for each in case.outcomes
    )
    case = replace(case, outcomes=outcomes)
    assert [row.n_selected for row in case.standings] == [2.0, 1.8]
    decision = case.decision("accuracy")
    assert decision.winner is decision.sparsest
    assert findings.standings_title(case, "accuracy").endswith(
        ", 5 folds); equally good: 1 other, none with fewer features"
    )


def test_a_comparison_under_way_says_so_far():
    case = compared({"esvm_r": [0.9] * 5, "svm": [0.8, 0.81, 0.8, 0.82, 0.8], "sparse_svm": [0.99]})
    assert findings.standings_title(case, "accuracy").startswith("So far E-SVM(R) leads")


def test_scores_intervals_and_differences_have_the_same_digits():
    case = compared({"esvm_r": [0.9, 0.85, 0.9, 0.8, 1.0], "svm": [0.95, 0.9, 0.9, 0.9, 1.0]})
    shown = findings.shown_standings(case.standings, "accuracy")
    alike = compared({"esvm_r": [0.9, 0.8, 0.9, 0.8, 0.9], "svm": [0.8, 0.9, 0.9001, 0.8, 0.9]})
    zero = findings.shown_standings(alike.standings, "accuracy")["ours better by"][1]
    assert zero.startswith("0.000 "), "a loss that rounds to nothing has no sign"
    for text in (*shown["accuracy"], shown["ours better by"][1], zero):
        assert re.fullmatch(r"−?\d\.\d{3} \[−?\d\.\d{3}, −?\d\.\d{3}\]", text), text


def test_standings_follow_the_folds_that_are_done():
    outcomes = [run(MIXED, "majority", fold) for fold in (1, 0)]
    (row,) = standings(outcomes, MIXED.spec, MIXED.prepared)
    assert (row.label, row.n_folds, row.n_selected) == ("majority class", 2, 0.0)
    means = [outcome.metrics["accuracy"] for outcome in outcomes]
    assert row.scores["accuracy"].mean == pytest.approx(np.mean(means))


def test_fits_that_missed_their_tolerance_are_named():
    outcomes = [replace(MIXED.outcomes[0], converged=False), *MIXED.outcomes[1:]]
    assert findings.missed_sentence(MIXED.outcomes) == ""
    sentence = findings.missed_sentence(outcomes)
    assert sentence == "Stopped before its tolerance: E-SVM(R) in 1 fit."
