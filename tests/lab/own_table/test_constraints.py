"""Signs, weights of features and covariates: in fits, verdicts, scripts and files."""

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from lab.own_table import constraints, fits, groupings, splits
from lab.own_table.case import identity
from lab.own_table.chance import DRAWS, chance_fold, shuffled_labels
from lab.own_table.encoding import preprocessor
from lab.own_table.headline import answer
from lab.own_table.stability import loss_without, selection_draws
from lab.tables import TableError
from tests.lab.own_table.tables import case_of, fitted_case, mixed_table, number_table, table_of
from tests.lab.own_table.test_code import reproduced, written

BOUND = {
    "signs": (("a_one", -1), ("a_two", 1), ("b_one", 1)),
    "feature_weights": (("c_one", 0.0), ("b_two", 3.0)),
}
NUMBERS = dict(target="quantity", method="lasso", lam=5.0, grouping="prefix", **BOUND)


def test_a_lasso_under_constraints_is_what_cvxpy_finds():
    case = fitted_case(number_table(), **NUMBERS)
    X = preprocessor(case.prepared).fit_transform(case.prepared.X)
    names = list(case.prepared.feature_names)
    w, b = cp.Variable(6), cp.Variable()
    f = np.array([{"c_one": 0.0, "b_two": 3.0}.get(name, 1.0) for name in names])
    parts = [[names.index(f"{g}_{k}") for k in ("one", "two")] for g in "abc"]
    norm = sum(cp.square(f[part] @ cp.abs(w[part])) for part in parts)
    loss = 0.5 * cp.sum_squares(X @ w + b - case.prepared.y)
    signs = [w[names.index("a_one")] <= 0, w[names.index("a_two")] >= 0]
    problem = cp.Problem(
        cp.Minimize(loss + 0.5 * 5.0 * norm), [*signs, w[names.index("b_one")] >= 0]
    )
    problem.solve(solver="CLARABEL")
    found = case.final.coef[0]
    assert found == pytest.approx(w.value, abs=1e-4)
    assert found[names.index("a_one")] == 0.0, "its true weight is 3, and at most 0 was asked for"
    assert case.final.gap <= 1e-6


@pytest.mark.parametrize("method", ["esvm", "logistic"])
def test_signs_and_weights_bind_every_classifier_of_ours_and_no_rival(method):
    bound = dict(signs=(("a_one", -1), ("a_two", 1)), feature_weights=(("b_one", 50.0),))
    case = fitted_case(mixed_table(), method=method, alpha=0.1, beta=0.1, lam=0.1, **bound)
    free = fitted_case(mixed_table(), method=method, alpha=0.1, beta=0.1, lam=0.1)
    for each, other in zip(case.outcomes, free.outcomes, strict=True):
        assert each.coef[0, 0] <= 0.0 <= each.coef[0, 1]
        assert other.coef[0, 0] > 0.0 > other.coef[0, 1], "or the signs would bind nothing"
        assert abs(each.coef[0, 2]) < abs(other.coef[0, 2]) or other.coef[0, 2] == 0.0
    auto = case_of(mixed_table(), method=method, **bound)
    assert fits.run(auto.prepared, auto.spec, auto.groupings, auto.own, 0).coef[0, 0] <= 0.0
    assert identity(case.spec, "svm") == identity(free.spec, "svm")
    assert identity(case.spec, case.own) != identity(free.spec, free.own)


def test_huber_and_poisson_are_bound_too():
    for method, target in (("huber", "quantity"), ("poisson", "counts")):
        frame = number_table().frame
        if target == "counts":
            frame = frame.assign(y=np.round(np.exp(0.4 * frame["a_one"])))
        signs = (("a_one", -1),)
        case = fitted_case(table_of(frame, "y"), target=target, method=method, signs=signs)
        assert all(each.coef[0, 0] == 0.0 for each in case.outcomes)


def test_covariates_are_apart_unpenalised_and_alone_least_squares():
    case = fitted_case(number_table(), **NUMBERS)
    assert case.grouped.names[-1] == groupings.COVARIATES
    assert [case.prepared.feature_names[j] for j in case.grouped.groups.lists()[-1]] == ["c_one"]
    train, test = splits.folds(case.prepared, case.spec)[1]
    alone = next(each for each in case.outcomes if (each.key, each.fold) == ("covariates", 1))
    column = case.prepared.X[:, [case.prepared.feature_names.index("c_one")]]
    plain = LinearRegression().fit(column[train], case.prepared.y[train]).predict(column[test])
    assert alone.decision == pytest.approx(plain, rel=1e-4, abs=1e-4)
    assert case.found.n_choices == 5 and case.found.selected[case.found.covariates].all()


def confounded(beyond: bool):
    """The target follows age; a feature adds to it, or nothing does."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 5))
    frame = pd.DataFrame(X, columns=["age", "f1", "f2", "f3", "f4"])
    frame["y"] = 3.0 * X[:, 0] + (2.0 * X[:, 2] if beyond else 0.0) + rng.standard_normal(80)
    return table_of(frame, "y")


@pytest.mark.parametrize("beyond", [True, False])
def test_the_verdict_is_about_what_features_add_to_covariates(beyond):
    options = dict(target="quantity", method="lasso", tuning="auto", n_folds=5)
    case = fitted_case(confounded(beyond), feature_weights=(("age", 0.0),), **options)
    table = (case.prepared, case.spec, case.groupings)
    chance = [
        chance_fold(*table, fold, each.strengths, range(DRAWS))
        for fold, each in enumerate(case.folds)
    ]
    case = case.knowing(chance=np.mean(chance, axis=0))
    said = answer(case)
    assert case.verdict.level == ("decides" if beyond else "nothing")
    assert "age alone explains" in said and "shuffling the other features at best" in said
    assert "beside age" in said
    # The same table without covariates: age itself is what decides.
    free = fitted_case(confounded(beyond), **options)
    assert free.verdict.level == "unknown" and free.verdict.score.low > 0.0


def test_shuffling_moves_covariates_with_the_labels():
    case = case_of(confounded(True), target="quantity", method="lasso")
    spec = case_of(
        confounded(True), target="quantity", method="lasso", feature_weights=(("age", 0.0),)
    ).spec
    names = case.prepared.feature_names
    shuffled = shuffled_labels(case.prepared, spec, 0)
    moved = {tuple(row) for row in np.column_stack([shuffled.X[:, 0], shuffled.y])}
    assert names[0] == "age"
    assert moved == {
        tuple(row) for row in np.column_stack([case.prepared.X[:, 0], case.prepared.y])
    }
    assert np.array_equal(shuffled.X[:, 1:], case.prepared.X[:, 1:])
    assert not np.array_equal(shuffled.y, case.prepared.y)


def test_half_samples_and_losses_know_the_constraints():
    case = fitted_case(number_table(), **NUMBERS)
    strengths = dict(case.final.strengths)
    draws = selection_draws(case.prepared, case.spec, case.groupings, strengths, range(4))
    assert draws[:, list(case.prepared.feature_names).index("c_one")].all()
    assert not draws[:, list(case.prepared.feature_names).index("a_one")].any()
    points = [dict(each.strengths) for each in case.folds]
    assert np.isfinite(loss_without(case.prepared, case.spec, case.groupings, points, 0)).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (dict(method="logistic", feature_weights=(("a_one", 0.0),)), "cannot leave a feature"),
        (dict(feature_weights=tuple((n, 0.0) for n in ("a_one", "a_two"))), "every feature is"),
    ],
)
def test_what_cannot_be_asked_for_is_said(options, sentence):
    table = table_of(mixed_table().frame[["a_one", "a_two", "class"]], "class")
    case = case_of(table, **options)
    assert sentence in splits.setup_problem(case.prepared, case.spec)


def test_signs_of_several_classes_are_refused():
    frame = mixed_table().frame.assign(**{"class": np.resize(["a", "b", "c"], 60)})
    case = case_of(table_of(frame, "class"), signs=(("a_one", 1),))
    assert "a sign speaks for one of two classes" in splits.setup_problem(case.prepared, case.spec)


@pytest.mark.parametrize(("method", "grouping"), [("lasso", "correlation"), ("huber", "random")])
def test_code_under_constraints_reproduces_the_view(method, grouping, tmp_path):
    options = dict(NUMBERS, method=method, grouping=grouping, tuning="auto", n_folds=2)
    case = fitted_case(number_table(), **options)
    printed, said = reproduced(case, written(tmp_path / "numbers.csv", case), n_features=5)
    assert printed[1:] == said[1:]
    # Turned columns may be summed in another order.
    scores = [float(text.split(": ")[1]) for text in (printed[0], said[0])]
    assert scores[0] == pytest.approx(scores[1], rel=1e-9)


def test_a_file_of_weights_and_signs():
    told = constraints.read_constraints(b"gene,weight,sign\nf1,0,\nf2,2.5,+\nf3,1,-\n", "w.csv")
    assert told == ((("f1", 0.0), ("f2", 2.5), ("f3", 1.0)), (("f2", 1), ("f3", -1)))
    assert constraints.read_constraints(b"a,weight\nf1,2\nf2,3\n", "w.csv")[1] == ()
    for data, sentence in (
        (b"a,weight\nf1,-2\nf2,1\n", "no number of at least 0"),
        (b"a,weight\nf1,many\nf2,1\n", "no number of at least 0"),
        (b"a,weight,sign\nf1,2,up\nf2,1,-\n", "write"),
        (b"f1\nf2\nf3\n", "two columns"),
    ):
        with pytest.raises(TableError, match=sentence):
            constraints.read_constraints(data, "w.csv")
