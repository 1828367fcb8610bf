"""Scores equal those of plain scripts, digit for digit, and tuning never sees the test rows."""

import itertools
import warnings
from dataclasses import replace
from types import SimpleNamespace

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    mean_absolute_error,
    mean_poisson_deviance,
    mean_squared_error,
    roc_auc_score,
)
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from lab.own_table import contenders, fits, groupings, paths, work
from lab.own_table.case import make_groupings
from lab.own_table.encoding import preprocessor
from lab.own_table.samples import SAMPLES
from lab.own_table.scores import score
from lab.own_table.splits import folds, inner_folds
from solvers import (
    ExclusiveLasso,
    ExclusiveLogistic,
    ExclusiveSVC,
    Groups,
    solve_huber,
    solve_lasso,
    solve_logistic,
    solve_poisson,
    tracking,
)
from solvers.scales import default_n_groups, lambda_0, svm_scales
from tests.clocks import Counted
from tests.lab.own_table.tables import (
    case_of,
    fitted_case,
    mixed_table,
    number_table,
    run,
    subjects_table,
    table_of,
)

BREAST = SAMPLES["breast_cancer"].table()
CASE = case_of(BREAST, n_folds=2, seed=4)
SPEC, PREPARED = CASE.spec, CASE.prepared


# -- plain scripts: nothing of the app in them -----------------------------------------------

DATA = load_breast_cancer()
X, Y = DATA.data, 1 - DATA.target  # malignant is the positive class
PLAIN = {
    "svm": (SVC(kernel="linear", tol=1e-4), [1e-3, 1e-2, 1e-1, 1.0, 1.0 / 0.1]),
    "sparse_svm": (
        LinearSVC(penalty="l1", dual=False, intercept_scaling=100.0, max_iter=10_000),
        [1 / lam for lam in (100.0, 30.0, 10.0, 3.0, 1.0, 0.3)],
    ),
    "logistic_l1": (
        LogisticRegression(
            l1_ratio=1.0, solver="liblinear", intercept_scaling=100.0, max_iter=10_000
        ),
        [1 / lam for lam in (100.0, 30.0, 10.0, 3.0, 1.0, 0.3)],
    ),
    "majority": (DummyClassifier(strategy="most_frequent"), None),
}


def one_standard_error(results) -> int:
    """The first of the grid within one standard error of the best, for `GridSearchCV(refit=…)`."""
    scores = np.column_stack([results[f"split{k}_test_score"] for k in range(3)])
    means = scores.mean(axis=1)
    best = np.argmax(means)
    least = means[best] - scores[best].std(ddof=1) / np.sqrt(3)
    return int(np.flatnonzero(means >= least - 1e-12)[0])


def searched(pipeline, name: str, values, rows, y, **fixed) -> GridSearchCV:
    """A grid search that goes on beyond the end it chooses, twice at most."""
    inner = StratifiedKFold(3, shuffle=True, random_state=4)
    for widening in range(3):
        grid = [{name: [value], **fixed} for value in values]
        search = GridSearchCV(pipeline, grid, cv=inner, refit=one_standard_error)
        place = search.fit(rows, y).best_index_
        if 0 < place < len(values) - 1 or widening == 2:
            return search
        if place == 0:
            ratio = values[0] / values[1]
            values = [values[0] * ratio**2, values[0] * ratio, *values]
        else:
            ratio = values[-1] / values[-2]
            values = [*values, values[-1] * ratio, values[-1] * ratio**2]


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
        if Cs is None:
            fitted.fit(X[train], Y[train])
        else:
            fitted = searched(fitted, "m__C", Cs, X[train], Y[train])
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
    got = [dict(run(CASE, key, fold).metrics) for fold in range(2)]
    assert got == scores_of_plain_script(key)


def test_our_tuned_scores_equal_a_script_that_uses_solvers():
    got = run(CASE, "esvm_r", 1)
    train, test = list(StratifiedKFold(2, shuffle=True, random_state=4).split(X, Y))[1]
    groups = Groups.random(30, default_n_groups(30, 569), 4)
    pipeline = Pipeline([("scale", StandardScaler()), ("m", ExclusiveSVC(groups=groups, tol=1e-6))])
    signs = np.where(Y[train] == 1, 1.0, -1.0)
    scaled = StandardScaler().fit_transform(X[train])
    alpha, beta = svm_scales(scaled, signs, groups, fit_intercept=True)
    betas = [10.0 ** (-k / 2.0) * beta for k in range(1, 7)]
    search = searched(pipeline, "m__beta", betas, X[train], Y[train], m__alpha=[1e-3 * alpha])
    predicted, decision = search.predict(X[test]), search.decision_function(X[test])
    assert dict(got.strengths) == {k[3:]: v for k, v in search.best_params_.items()}
    assert got.metrics["accuracy"] == accuracy_score(Y[test], predicted)
    assert got.metrics["roc_auc"] == roc_auc_score(Y[test], decision)
    assert np.array_equal(got.decision, decision)
    assert np.array_equal(got.coef, search.best_estimator_["m"].coef_)
    assert got.gap <= 1e-6


# -- tuned models, each against a nested search that knows nothing of the app -----------------

SHARES = 10.0 ** (-np.arange(1, 7) / 2.0)


def r2(true, predicted, trained_on) -> float:
    return 1.0 - np.sum((true - predicted) ** 2) / np.sum((true - trained_on.mean()) ** 2)


def d2(true, predicted, trained_on) -> float:
    guess = np.full(true.size, trained_on.mean())
    return 1.0 - mean_poisson_deviance(true, predicted) / mean_poisson_deviance(true, guess)


def accuracy(true, predicted, trained_on) -> float:
    return accuracy_score(true, predicted > 0.0)


def nested_search(A, y, B, axes, predict, score, splitter, bounded=()):
    """The strengths chosen on A and y, and what is predicted for B at them: of those within one
    standard error of the best over three folds the strongest; an axis whose end is chosen goes on
    there by two, twice at most; a bounded one does not grow. `predict(A, y, B, point)` fits, on
    columns that it scales itself.
    """
    inner = list(splitter(3, shuffle=True, random_state=4).split(A, y))
    for widening in range(3):
        points = [dict(zip(axes, each, strict=True)) for each in itertools.product(*axes.values())]
        scores = [
            [score(y[b], predict(A[a], y[a], A[b], point), y[a]) for a, b in inner]
            for point in points
        ]
        columns = {f"split{k}_test_score": column for k, column in enumerate(np.array(scores).T)}
        chosen = points[one_standard_error(columns)]
        wider = {}
        for name, values in axes.items():
            step = values[0] / values[1]
            grows = chosen[name] == values[0] and name not in bounded
            wider[name] = [
                *([values[0] * step**2, values[0] * step] if grows else ()),
                *values,
                *([values[-1] / step, values[-1] / step**2] if chosen[name] == values[-1] else ()),
            ]
        if widening == 2 or wider == axes:
            return chosen, predict(A, y, B, chosen)
        axes = wider


def scaled(A, B=None):
    scaler = StandardScaler().fit(A)
    return scaler.transform(A) if B is None else (scaler.transform(A), scaler.transform(B))


def by_scikit_learn(make):
    def predict(A, y, B, point):
        model = make(len(y), **point)
        return Pipeline([("scale", StandardScaler()), ("m", model)]).fit(A, y).predict(B)

    return predict


def group_lasso_by_cvxpy(A, y, B, point):
    A, B = scaled(A, B)
    w, b = cp.Variable(A.shape[1]), cp.Variable()
    norms = [cp.norm2(w[[2 * g, 2 * g + 1]]) for g in range(A.shape[1] // 2)]
    loss = 0.5 * cp.sum_squares(A @ w + b - y)
    cp.Problem(cp.Minimize(loss + point["lam"] * sum(norms))).solve(solver="CLARABEL")
    return B @ w.value + b.value


PAIRS = Groups.from_labels([0, 0, 1, 1, 2, 2])


def huber(A, y, B, point):
    A, B = scaled(A, B)
    delta = 1.35 * stats.median_abs_deviation(y, scale="normal")
    options = dict(delta=delta, fit_intercept=True, tol=1e-9)
    r = solve_huber(A, y, PAIRS, point["lam"], **options)
    return B @ r.w + r.intercept


def logistic(A, y, B, point):
    A, B = scaled(A, B)
    r = solve_logistic(A, 2.0 * y - 1.0, PAIRS, point["lam"], fit_intercept=True, tol=1e-9)
    return B @ r.w + r.intercept


def poisson(A, y, B, point):
    A, B = scaled(A, B)
    r = solve_poisson(A, y, PAIRS, point["lam"], fit_intercept=True, tol=1e-9)
    return np.exp(B @ r.w + r.intercept)


def kong(A, y, B, point):
    """Selection by the exclusive lasso on ±1, then scikit-learn's SVM on what is selected."""
    A, B = scaled(A, B)
    r = solve_lasso(A, 2.0 * y - 1.0, PAIRS, point["lam"], fit_intercept=True, tol=1e-9)
    kept = np.abs(r.w) > 1e-3 * np.abs(r.w).max()
    model = SVC(kernel="linear", C=1.0 / point["alpha"], tol=1e-6).fit(A[:, kept], y)
    return model.decision_function(B[:, kept])


def exclusive_scale(A, y) -> float:
    return lambda_0(A, y, PAIRS, fit_intercept=True)


def signed_scale(A, y) -> float:
    return exclusive_scale(A, 2.0 * y - 1.0)


def correlations(A, y) -> np.ndarray:
    return np.abs(A.T @ (y - y.mean()))


NUMBER_SEARCHES = {
    # Half the squared residuals and λ/2‖w‖²; without a zero to reach, down from ten times ‖X‖².
    "ridge": (
        by_scikit_learn(lambda n, lam: Ridge(lam)),
        lambda A, y: 10.0 * np.linalg.norm(A, 2) ** 2,
    ),
    "lasso": (
        by_scikit_learn(lambda n, lam: Lasso(lam / n, tol=1e-10)),
        lambda A, y: correlations(A, y).max(),
    ),
    "elastic_net": (
        by_scikit_learn(lambda n, lam: ElasticNet(lam / n, l1_ratio=0.5)),
        lambda A, y: 2.0 * correlations(A, y).max(),
    ),
    "group_lasso": (
        group_lasso_by_cvxpy,
        lambda A, y: np.sqrt((correlations(A, y) ** 2).reshape(-1, 2).sum(axis=1)).max(),
    ),
    "lasso_e": (
        by_scikit_learn(lambda n, lam: ExclusiveLasso(lam, groups=PAIRS, tol=1e-9)),
        exclusive_scale,
    ),
    "huber_e": (huber, exclusive_scale),
}


def with_noise(table, more: float):
    rng = np.random.default_rng(8)
    frame = table.frame.assign(y=table.frame["y"] + more * rng.standard_normal(len(table.frame)))
    return table_of(frame, "y")


@pytest.mark.parametrize("key", list(NUMBER_SEARCHES))
def test_a_tuned_model_of_numbers_is_that_of_a_plain_nested_search(key):
    predict, scale = NUMBER_SEARCHES[key]
    method = "huber" if key == "huber_e" else "lasso"
    options = dict(target="quantity", method=method, grouping="prefix", n_folds=2, seed=4)
    case = case_of(with_noise(number_table(48), 2.0), **options)
    got = run(case, key, 0)
    X, y = case.prepared.X, case.prepared.y
    train, test = next(iter(KFold(2, shuffle=True, random_state=4).split(X)))
    axes = {"lam": list(SHARES * scale(scaled(X[train]), y[train]))}
    chosen, predicted = nested_search(X[train], y[train], X[test], axes, predict, r2, KFold)
    assert got.strengths["lam"] == pytest.approx(chosen["lam"], rel=1e-6)
    assert got.decision == pytest.approx(predicted, abs=2e-3 * np.ptp(predicted))
    assert got.metrics["r2"] == pytest.approx(r2(y[test], predicted, y[train]), abs=1e-3)
    squared = mean_squared_error(y[test], got.decision)
    assert got.metrics["rmse"] == pytest.approx(np.sqrt(squared))
    assert got.metrics["mae"] == pytest.approx(mean_absolute_error(y[test], got.decision))


def test_tuned_counts_are_those_of_a_plain_nested_search_by_explained_deviance():
    rng = np.random.default_rng(3)
    frame = number_table(60).frame
    frame["y"] = rng.poisson(np.exp(0.4 + 0.8 * frame["a_one"]))
    options = dict(target="counts", method="poisson", grouping="prefix", n_folds=2, seed=4)
    case = case_of(table_of(frame, "y"), **options)
    got = run(case, "poisson_e", 1)
    X, y = case.prepared.X, case.prepared.y
    train, test = list(KFold(2, shuffle=True, random_state=4).split(X))[1]
    scale = y[train].mean() * exclusive_scale(scaled(X[train]), y[train])
    axes = {"lam": list(SHARES * scale)}
    chosen, predicted = nested_search(X[train], y[train], X[test], axes, poisson, d2, KFold)
    assert got.strengths["lam"] == pytest.approx(chosen["lam"], rel=1e-6)
    assert got.decision == pytest.approx(predicted, rel=2e-3)
    assert got.metrics["d2"] == pytest.approx(d2(y[test], got.decision, y[train]), rel=1e-9)
    assert got.metrics["d2"] > 0.2


@pytest.mark.parametrize(
    ("key", "predict", "shares"),
    [("logistic", logistic, SHARES), ("kong", kong, np.array([100.0, 10.0, 1.0, 0.1, 0.01]))],
)
def test_a_tuned_classifier_of_groups_is_that_of_a_plain_nested_search(key, predict, shares):
    frame = with_noise(number_table(60), 3.0).frame
    frame["y"] = np.where(frame["y"] > 0.0, "yes", "no")
    case = case_of(table_of(frame, "y"), grouping="prefix", n_folds=2, seed=4)
    got = run(case, key, 0)
    X, y = case.prepared.X, case.prepared.y
    splitter = StratifiedKFold(2, shuffle=True, random_state=4)
    train, test = next(iter(splitter.split(X, y)))
    axes = {"lam": list(shares * signed_scale(scaled(X[train]), y[train]))}
    if key == "kong":
        axes["alpha"] = [10.0, 1.0, 0.1]
    rows = (X[train], y[train], X[test])
    options = dict(bounded=("lam",) if key == "kong" else ())
    chosen, decision = nested_search(*rows, axes, predict, accuracy, StratifiedKFold, **options)
    assert dict(got.strengths) == pytest.approx(chosen, rel=1e-6)
    assert got.decision == pytest.approx(decision, abs=5e-3 * np.abs(decision).max())
    assert got.metrics["accuracy"] == accuracy(y[test], decision, None)


@pytest.mark.parametrize("method", ["esvm", "logistic"])
def test_our_scores_by_hand_equal_solvers_on_encoded_features(method):
    table = mixed_table()
    strengths = dict(tuning="hand", alpha=0.5, beta=3.0, lam=3.0)
    case = case_of(table, method=method, grouping="source", **strengths)
    got = run(case, case.own, 2)
    train, test = folds(case.prepared, case.spec)[2]
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
    case = case_of(mixed_table(30))
    prepared = case.prepared
    test = folds(prepared, case.spec)[0][1]
    # Two rows of different classes change places, so that the stratified folds stay as they are.
    one, two = test[prepared.y[test] == 0][0], test[prepared.y[test] == 1][0]
    spoiled = prepared.X.copy()
    spoiled[[one, two]] = spoiled[[two, one]]
    other = replace(case, prepared=replace(prepared, X=spoiled))
    for key in ("esvm_r", "sparse_svm"):
        before, after = run(case, key, 0), run(other, key, 0)
        assert dict(before.strengths) == dict(after.strengths)
        assert np.array_equal(before.coef, after.coef)
        assert not np.array_equal(before.decision, after.decision)


def clusters_by_scikit_learn(X: np.ndarray, n_groups: int) -> set[frozenset[int]]:
    distance = 1.0 - np.abs(np.corrcoef(X, rowvar=False))
    made = AgglomerativeClustering(n_groups, metric="precomputed", linkage="average").fit(distance)
    return {frozenset(np.flatnonzero(made.labels_ == k).tolist()) for k in range(n_groups)}


def as_sets(grouped) -> set[frozenset[int]]:
    return {frozenset(map(int, members)) for members in grouped.groups.lists()}


def test_clusters_of_a_fold_are_those_of_its_training_rows_alone(monkeypatch):
    # By the wall's clock a slow method is measured at other iterates each time.
    monkeypatch.setattr(tracking, "time", SimpleNamespace(perf_counter=Counted()))
    case = case_of(number_table(30), target="quantity", method="lasso", grouping="correlation")
    prepared, spec = case.prepared, replace(case.spec, n_groups=3)
    train, test = folds(prepared, spec)[0]
    # Held-out rows that would put two features of different clusters together.
    spoiled = prepared.X.copy()
    spoiled[np.ix_(test, [0, 2])] = 100.0 * np.arange(1, test.size + 1)[:, None]
    other = replace(prepared, X=spoiled)
    before, after = make_groupings(prepared, spec), make_groupings(other, spec)
    assert as_sets(before.own) == clusters_by_scikit_learn(prepared.X, 3)
    assert as_sets(after.own) != as_sets(before.own)
    assert as_sets(before.of("lasso_e", 0)) == clusters_by_scikit_learn(prepared.X[train], 3)
    assert as_sets(after.of("lasso_e", 0)) == as_sets(before.of("lasso_e", 0))
    for key in ("lasso_e", "group_lasso"):
        first = fits.run(prepared, spec, before, key, 0)
        second = fits.run(other, spec, after, key, 0)
        assert dict(first.strengths) == dict(second.strengths)
        assert np.array_equal(first.coef, second.coef)


def test_clusters_are_made_once_for_all_contenders(monkeypatch):
    calls = []

    def counted(X, n_groups, honest=groupings._clusters):
        calls.append(X.shape[0])
        return honest(X, n_groups)

    monkeypatch.setattr(groupings, "_clusters", counted)
    case = case_of(mixed_table(30), grouping="correlation", n_folds=3, tuning="hand")
    assert sorted(calls) == [20, 20, 20, 30], "all rows, and the training rows of each fold"
    for task in work.comparison_tasks(case.spec):
        if task.key in ("esvm", "kong", "majority"):
            work.perform(case.prepared, case.spec, case.groupings, task, None)
    assert len(calls) == 4


def test_several_classes():
    case = case_of(SAMPLES["wine"].table(), n_folds=3, tuning="hand")
    got = run(case, "esvm_r", 0)
    y, predicted = case.prepared.y[got.test], np.argmax(got.decision, axis=1)
    assert got.coef.shape == (3, 13)
    assert got.metrics["f1"] == f1_score(y, predicted, average="macro")
    one_vs_rest = [roc_auc_score(y == k, got.decision[:, k]) for k in range(3)]
    assert got.metrics["roc_auc"] == pytest.approx(np.mean(one_vs_rest))


NUMBERS = case_of(number_table(40), target="quantity", method="lasso", n_folds=4)
MIXED = case_of(mixed_table(40), protocol="inverted", n_folds=4)


@pytest.mark.parametrize("key", MIXED.keys)
def test_every_classifier_runs_on_gaps_categories_and_the_inverted_protocol(key):
    got = run(MIXED, key, 0)
    assert got.test.size == 30
    assert got.decision.shape == (30,)
    assert 0.0 <= got.metrics["accuracy"] <= 1.0
    assert got.coef.shape == (1, 10) and got.selected.shape == (10,)


@pytest.mark.parametrize("key", NUMBERS.keys)
def test_every_model_of_numbers_runs(key):
    got = run(NUMBERS, key, 0)
    assert got.decision.shape == (10,) and set(got.metrics) == {"r2", "rmse", "mae"}
    if key == "mean":
        assert got.metrics["r2"] == 0.0
        train = folds(NUMBERS.prepared, NUMBERS.spec)[0][0]
        assert got.decision == pytest.approx(NUMBERS.prepared.y[train].mean())
    elif key != "forest":
        assert got.metrics["r2"] > 0.5


def test_a_class_with_one_training_row_gets_the_middle_of_the_grid():
    table = mixed_table(12)
    case = case_of(table, protocol="inverted", n_folds=3)
    case = replace(case, prepared=replace(case.prepared, y=np.array([0] * 9 + [1] * 3)))
    assert dict(run(case, "sparse_svm", 0).strengths) == {"lam": 3.0}


def test_which_models_are_compared_and_in_which_order_they_run():
    rivals = ("svm", "sparse_svm", "kong", "logistic_l1", "forest", "majority")
    known = replace(SPEC, grouping="prefix")
    assert fits.compared_keys(SPEC) == ("esvm_r", "logistic", *rivals)
    assert fits.compared_keys(known) == ("esvm", "esvm_r", "logistic", *rivals)
    own = replace(known, method="logistic")
    assert fits.compared_keys(own) == ("logistic", "esvm", "esvm_r", *rivals)
    order = fits.all_work(SPEC)
    assert order[:3] == [("esvm_r", None), ("esvm_r", 0), ("esvm_r", 1)]
    folds_in_order = [fold for _, fold in order[3:]]
    assert folds_in_order == sorted(folds_in_order), "all others fold by fold"


@pytest.mark.parametrize(
    ("shape", "quick", "by_hand", "tuned"),
    [
        ((60, 40), True, True, True),
        ((569, 30), True, True, False),
        ((73, 325), True, True, False),
        ((62, 2_000), True, False, False),
        ((1_427, 4_322), False, False, False),
    ],
)
def test_wide_tables_of_few_rows_are_fitted_while_one_waits(shape, quick, by_hand, tuned):
    """Where folds would keep a slider from answering, the first result is shown before them."""
    table = SimpleNamespace(n_samples=shape[0], n_features=shape[1], classes=("a", "b"))
    assert fits.is_quick(table) == quick
    assert fits.is_one_step(table, replace(SPEC, tuning="hand")) == by_hand
    assert fits.is_one_step(table, replace(SPEC, tuning="auto")) == tuned


def test_random_groups_beside_known_ones_are_drawn_from_the_seed():
    case = case_of(BREAST, n_folds=2, seed=4, grouping="prefix")
    assert case.grouped.n_groups == 3
    assert case.groupings.random.groups == Groups.random(30, default_n_groups(30, 569), 4)


def test_rows_of_one_subject_are_never_in_training_and_test():
    table = subjects_table()
    case = case_of(table, subjects="patient", features=("a", "b"))
    for train, test in folds(case.prepared, case.spec):
        whose = table.frame["patient"].to_numpy()
        assert not set(whose[train]) & set(whose[test])
        for a, b in inner_folds(case.prepared, case.spec, train, 3):
            assert not set(whose[a]) & set(whose[b]) and set(a) | set(b) == set(train)


def test_balanced_weights_are_those_of_scikit_learn():
    case = case_of(mixed_table(40), class_weight="balanced", tuning="hand")
    got = run(case, case.own, 0)
    train, _ = folds(case.prepared, case.spec)[0]
    X = preprocessor(case.prepared).fit_transform(case.prepared.X[train])
    model = ExclusiveSVC(
        1.0, 10.0, groups=case.grouped.groups, tol=1e-6, class_weight="balanced"
    ).fit(X, case.prepared.y[train])
    assert got.coef == pytest.approx(model.coef_, abs=1e-4)


def test_interval_is_students_t_with_the_corrected_variance():
    values = np.array([0.91, 0.94, 0.9, 0.95, 0.92])
    got = score(values, 0.25)
    spread = np.sqrt((1 / 5 + 1 / 4) * np.var(values, ddof=1))
    low, high = stats.t(df=4, loc=values.mean(), scale=spread).interval(0.95)
    assert (got.low, got.high) == pytest.approx((low, high))
    assert score([0.5, np.nan], 0.25).count == 1
    assert np.isnan(score([np.nan], 0.25).mean)
    assert score([1.0, 1.0, 0.98], 0.25, most=1.0).high == 1.0


def test_our_fits_record_no_warnings_and_know_from_their_gap_that_they_stopped(monkeypatch):
    """Threads of several visitors share what records warnings."""
    before = warnings._showwarnmsg_impl
    seen = []

    class Stopped(ExclusiveSVC):
        def fit(self, X, y, sample_weight=None):
            seen.append(warnings._showwarnmsg_impl is before)
            super().fit(X, y, sample_weight)
            self.dual_gap_ = 1e-3
            return self

    monkeypatch.setitem(contenders._CLASS_MODELS, "esvm_r", contenders._estimator(Stopped))
    case = case_of(mixed_table(30), tuning="hand")
    assert not run(case, "esvm_r", None).converged
    assert seen == [True]


def test_a_weight_below_a_thousandth_of_the_largest_is_not_used():
    coef = np.array([[1.0, 1.1e-3, 0.9e-3, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert contenders.selected_features(coef).tolist() == [True, True, False, False]
    assert not contenders.selected_features(0.0 * coef).any()


def test_a_class_that_no_plane_tells_from_the_rest_uses_nothing():
    """Between two that mirror each other its optimum is 0, and what a solver leaves is dust."""
    half = np.random.default_rng(5).standard_normal((45, 5))
    frame = pd.DataFrame(np.vstack([half, -half]), columns=[f"f{j}" for j in range(5)])
    frame["grade"] = np.asarray(pd.cut(frame["f0"], [-9, -0.7, 0.7, 9], labels=list("abc")))
    case = case_of(table_of(frame, "grade"), tuning="hand", class_weight="balanced")
    model = run(case, "esvm_r", None)
    largest = np.abs(model.coef).max(axis=1)
    assert largest[1] < 1e-4 < largest.min(where=[True, False, True], initial=1.0)
    others = contenders.selected_features(model.coef[[0, 2]])
    assert model.selected.tolist() == others.tolist()


def with_outliers(n_rows=60, seed=4):
    """Three of sixty values far off; the others follow two of six features."""
    frame = number_table(n_rows, seed).frame
    clean = frame["y"].to_numpy(copy=True)
    far = np.arange(3) * 17 + 5
    frame.loc[far, "y"] += np.array([300.0, -400.0, 350.0])
    return table_of(frame, "y"), np.setdiff1d(np.arange(n_rows), far), clean


def test_huber_is_what_cvxpy_finds_and_does_not_follow_values_far_off():
    table, rest, clean = with_outliers()
    errors = {}
    for method in ("lasso", "huber"):
        case = fitted_case(table, target="quantity", method=method, lam=0.5)
        found = case.folds
        predicted = np.zeros(60)
        for each in found:
            predicted[each.test] = each.decision
        errors[method] = np.median(np.abs(predicted - clean)[rest])
    assert errors["huber"] < 0.2 * errors["lasso"]
    case = fitted_case(table, target="quantity", method="huber", lam=3.0, grouping="prefix")
    X = preprocessor(case.prepared).fit_transform(case.prepared.X)
    y, w, b = case.prepared.y, cp.Variable(6), cp.Variable()
    delta = contenders.huber_delta(y)
    parts = [[2 * g, 2 * g + 1] for g in range(3)]
    norm = sum(cp.square(cp.norm1(w[part])) for part in parts)
    loss = 0.5 * cp.sum(cp.huber(X @ w + b - y, delta))
    cp.Problem(cp.Minimize(loss + 1.5 * norm)).solve(solver="CLARABEL")
    assert case.final.coef[0] == pytest.approx(w.value, abs=2e-3)
    assert case.final.gap <= 1e-6


def test_a_wider_grid_asks_kongs_first_stage_for_new_strengths_alone(monkeypatch):
    rows = fits.rows_of(PREPARED, SPEC, CASE.groupings.of("kong", 0), PREPARED.X, slice(None))
    asked, follow = [], paths.lasso_path
    monkeypatch.setattr(
        paths,
        "lasso_path",
        lambda X, y, g, lams, **o: (asked.append(lams), follow(X, y, g, lams, **o))[1],
    )
    grid = [{"lam": lam, "alpha": alpha} for lam in (30.0, 3.0) for alpha in (1.0, 0.1)]
    first = paths.fit_points("kong", rows, grid)
    wider = paths.fit_points("kong", rows, [*grid, {"lam": 0.3, "alpha": 0.1}])
    assert asked == [[30.0, 3.0], [0.3]]
    for one, again in zip(first, wider, strict=False):
        np.testing.assert_array_equal(one.coef, again.coef)
    # Other rows are asked anew.
    paths.fit_points("kong", replace(rows, seed=1), grid[:1])
    assert asked[2:] == [[30.0]]
