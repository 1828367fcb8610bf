"""Classifiers and norms we compare with, against optimality conditions and other software."""

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import Lasso, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lab.data.datasets import ESVMSpec, TwinsSpec, load
from solvers import Groups, group_norm, solve_svm
from solvers.comparisons import (
    CLASSIFIERS,
    NORMS,
    GroupLassoProblem,
    KongSVC,
    L1Logistic,
    SparseSVC,
    StandardSVC,
    fit_norm,
    group_lasso,
    largest_useful_lam,
    make_classifier,
    match_nonzeros,
    match_training_loss,
)
from solvers.estimators import ExclusiveLasso, ExclusiveSVC
from solvers.tracking import solve


@pytest.fixture(scope="module")
def classification():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 10)) + 0.2
    y = np.where(X[:, 0] - X[:, 4] + 0.8 * rng.standard_normal(60) > 0.2, 1.0, -1.0)
    return X, y


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module")
def regression():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 24)) + 0.3
    w = np.zeros(24)
    w[[0, 1, 9, 17]] = [2.0, -1.0, 1.5, 1.0]
    return X, X @ w + 2.0 + 0.5 * rng.standard_normal(40)


GROUPS = Groups.contiguous(24, 6)


# -- classifiers -----------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_standard_svm_minimises_its_objective(classification, fit_intercept):
    X, y = classification
    model = StandardSVC(2.0, fit_intercept=fit_intercept, tol=1e-8).fit(X, y)

    def objective(w, b):
        return np.maximum(0.0, 1.0 - y * (X @ w + b)).sum() + w @ w

    # Groups of one: α and β add up to the same ridge.
    ours = solve_svm(X, y, range(10), 1.0, 1.0, fit_intercept=fit_intercept, tol=1e-7)
    value = objective(model.coef_[0], model.intercept_[0])
    assert value == pytest.approx(ours.objective, rel=1e-6)
    assert value >= ours.bound * (1 - 1e-9)
    assert (model.intercept_[0] != 0.0) == fit_intercept


def test_sparse_svm_satisfies_its_optimality_conditions(classification):
    X, y = classification
    lam = 12.0
    model = SparseSVC(lam, tol=1e-9).fit(X, y)
    slack = np.maximum(0.0, 1.0 - y * model.decision_function(X))
    gradient = -2.0 * X.T @ (y * slack)
    w = model.coef_[0]
    assert 0 < np.count_nonzero(w) < 10
    assert gradient[w != 0] == pytest.approx(-lam * np.sign(w[w != 0]), rel=1e-3)
    assert (np.abs(gradient[w == 0]) <= lam * (1 + 1e-3)).all()
    # The intercept is as good as free.
    assert abs(2.0 * np.sum(y * slack)) <= 1.01 * lam / 100.0


def test_l1_logistic_satisfies_its_optimality_conditions(classification):
    X, y = classification
    lam = 5.0
    model = L1Logistic(lam, tol=1e-9).fit(X, y)
    chance = 1.0 / (1.0 + np.exp(y * model.decision_function(X)))
    gradient = -X.T @ (y * chance)
    w = model.coef_[0]
    assert 0 < np.count_nonzero(w) < 10
    assert gradient[w != 0] == pytest.approx(-lam * np.sign(w[w != 0]), rel=1e-3)
    assert (np.abs(gradient[w == 0]) <= lam * (1 + 1e-3)).all()
    assert abs(np.sum(y * chance)) <= 1.01 * lam / 100.0


def test_kong_selects_by_exclusive_lasso_then_fits_an_svm(classification):
    X, y = classification
    groups = Groups.contiguous(10, 3)
    model = KongSVC(50.0, 2.0, groups=groups, tol=1e-6).fit(X, y)
    lasso = ExclusiveLasso(50.0, groups=groups, tol=1e-6).fit(X, y)
    strong = np.abs(lasso.coef_) > 1e-3 * np.abs(lasso.coef_).max()
    assert model.selected_.tolist() == np.flatnonzero(strong).tolist()
    assert 0 < model.selected_.size < 10
    svm = StandardSVC(2.0, tol=1e-6).fit(X[:, strong], y)
    assert model.coef_[0, strong] == pytest.approx(svm.coef_[0])
    assert not model.coef_[0, ~strong].any()
    assert (model.predict(X) == svm.predict(X[:, strong])).all()
    few = KongSVC(50.0, groups=groups, n_selected=2).fit(X, y)
    assert few.selected_.tolist() == np.sort(np.argsort(-np.abs(lasso.coef_))[:2]).tolist()


@pytest.mark.filterwarnings("ignore:Solver terminated early")
def test_kong_limits_the_iterations_of_its_svm_only(classification):
    X, y = classification
    limited = KongSVC(50.0, groups=[0] * 5 + [1] * 5, max_iter=1).fit(X, y)
    free = KongSVC(50.0, groups=[0] * 5 + [1] * 5).fit(X, y)
    assert limited.n_iter_ == 1 < free.n_iter_
    assert limited.selected_.tolist() == free.selected_.tolist()


def test_kong_takes_column_names_and_many_classes(three_classes):
    X, y = three_classes
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = KongSVC(groups={"left": ["a", "b"], "right": ["c", "d"]}).fit(frame, y)
    assert model.groups_ == Groups.contiguous(4, 2)
    assert model.coef_.shape == (3, 4)
    assert model.score(frame, y) > 0.85


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_one_constructor_serves_every_row(key, three_classes):
    X, y = three_classes
    model = make_classifier(key, groups=[0, 0, 1, 1], random_state=0, tol=1e-3)
    assert clone(model).get_params().keys() == model.get_params().keys()
    assert set(CLASSIFIERS[key].strengths) <= set(model.get_params())
    for data in (X, sparse.csr_array(X)):
        model.fit(data, y)
        assert model.coef_.shape == (3, 4)
        assert model.decision_function(data).shape == (150, 3)
        assert model.score(data, y) > 0.75
    two = y != "c"
    model.fit(X[two], y[two], sample_weight=np.ones(100))
    assert model.coef_.shape == (1, 4)
    assert model.score(X[two], y[two]) > 0.98
    assert model.decision_function(X).shape == (150,)


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_every_row_can_be_searched(key, classification):
    X, y = classification
    model = make_classifier(key, groups=np.arange(10) % 2, random_state=0, tol=1e-2)
    grid = {name: [3.0, 10.0] for name in CLASSIFIERS[key].strengths[:1]}
    search = GridSearchCV(make_pipeline(StandardScaler(), model), _prefixed(model, grid), cv=2)
    assert search.fit(X, y).best_score_ > 0.6


def _prefixed(model, grid):
    return {f"{type(model).__name__.lower()}__{name}": values for name, values in grid.items()}


def test_random_groups_of_the_comparison():
    model = make_classifier("esvm_r", groups=[0, 1], n_groups=5, beta=2.0)
    assert isinstance(model, ExclusiveSVC)
    assert (model.groups, model.beta) == (5, 2.0)
    assert make_classifier("esvm_r").groups is None


@pytest.mark.parametrize("n_groups", [3, None])
def test_random_groups_are_those_of_the_seed_in_every_row(classification, n_groups):
    drawn = [
        make_classifier(key, n_groups=n_groups, random_state=4).fit(*classification).groups_
        for key in ("kong", "esvm_r")
    ]
    assert drawn[0] == drawn[1]
    if n_groups is not None:
        assert drawn[0] == Groups.random(10, n_groups, 4)
    known = make_classifier("kong", groups=np.arange(10) % 2, n_groups=n_groups)
    assert known.fit(*classification).groups_.n_groups == 2


def test_known_groups_help_where_the_paper_says_they_do():
    """Few samples, one true feature a group, independent noise: E-SVM above the plain SVM."""
    margins = []
    for seed in range(3):
        data = load(ESVMSpec(n_features=600, n_groups=60, seed=seed))
        test = data.test
        plain = make_classifier("svm", alpha=10.0, fit_intercept=False).fit(data.X, data.y)
        exclusive = make_classifier(
            "esvm", groups=data.groups, alpha=10.0, beta=100.0, fit_intercept=False, tol=1e-3
        ).fit(data.X, data.y)
        margins.append(exclusive.score(test.X, test.y) - plain.score(test.X, test.y))
    assert np.mean(margins) > 0.02


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: make_classifier("forest"), "no classifier 'forest'.*svm, sparse_svm"),
        (lambda: make_classifier("svm", lam=1.0), "SVM has no strength 'lam'; it has: alpha"),
        (lambda: make_classifier("esvm"), "E-SVM needs groups"),
        (lambda: fit_norm("l0", np.eye(2), [1, 2], [0, 1], 1.0), "no norm 'l0'.*ridge"),
        (lambda: fit_norm("ridge", np.eye(2), [1, 2], [0, 1], 0.0), "lam must be a positive"),
        (
            lambda: fit_norm("ridge", np.ones((6, 2)), range(6), [0, 0], 1e-300),
            "singular in floating-point arithmetic; use a larger lam",
        ),
        (lambda: match_nonzeros("ridge", np.eye(2), [1, 2], [0, 1], 1), "has no zeros to count"),
        (lambda: match_nonzeros("lasso", np.eye(2), [1, 2], [0, 1], 0), "at least 1"),
        (lambda: match_training_loss("lasso", np.eye(2), [1, 2], [0, 1], 9.0), "ask for less"),
        (
            lambda: match_training_loss("lasso", np.ones((2, 1)), [1.0, 3.0], [0], 0.5),
            "ask for more",
        ),
        (
            lambda: GroupLassoProblem(np.eye(3), np.ones(3), [[0, 1], [1, 2]], 1.0),
            "needs disjoint groups",
        ),
    ],
)
def test_errors_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_bad_settings_of_rows_are_named(classification):
    X, y = classification
    for model, sentence in (
        (StandardSVC(-1.0), "alpha must be a positive"),
        (SparseSVC(0.0), "lam must be a positive"),
        (KongSVC(threshold=1.5), "threshold must be"),
        (KongSVC(n_selected=11), "n_selected must be between 1 and 10"),
    ):
        with pytest.raises(ValueError, match=sentence):
            model.fit(X, y)
    for key in CLASSIFIERS:
        with pytest.raises(ValueError, match="at least two classes"):
            make_classifier(key, groups=np.arange(10) % 2).fit(X, np.ones(60))


# -- norms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("rows", [slice(None), slice(0, 15)])
def test_ridge_and_lasso_are_scikit_learns(regression, fit_intercept, rows):
    X, y = regression[0][rows], regression[1][rows]
    ridge = fit_norm("ridge", X, y, GROUPS, 3.0, fit_intercept=fit_intercept)
    reference = Ridge(alpha=3.0, fit_intercept=fit_intercept, solver="svd").fit(X, y)
    assert ridge.w == pytest.approx(reference.coef_, abs=1e-9)
    assert ridge.intercept == pytest.approx(reference.intercept_, abs=1e-9)
    assert ridge.gap < 1e-10
    lasso = fit_norm("lasso", X, y, GROUPS, 6.0, fit_intercept=fit_intercept)
    reference = Lasso(alpha=6.0 / len(y), fit_intercept=fit_intercept, tol=1e-12).fit(X, y)
    assert lasso.w == pytest.approx(reference.coef_, abs=1e-5)
    assert lasso.gap < 1e-6
    assert ridge.loss == pytest.approx(0.5 * np.sum((X @ ridge.w + ridge.intercept - y) ** 2))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "groups",
    [GROUPS, Groups.from_labels([0] * 3 + [1] * 11 + [2] * 10), Groups.random(24, 5, 0)],
    ids=["equal", "ragged", "random"],
)
def test_group_lasso_is_optimal(regression, groups, fit_intercept):
    X, y = regression
    lam = 20.0
    w, b = cp.Variable(24), cp.Variable()
    lengths = sum(cp.norm2(w[members]) for members in groups.lists())
    residual = X @ w + (b if fit_intercept else 0.0) - y
    best = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(residual) + lam * lengths)).solve(
        solver="CLARABEL"
    )
    fit = fit_norm("group", X, y, groups, lam, fit_intercept=fit_intercept, tol=1e-9)
    assert fit.objective == pytest.approx(best, rel=1e-7)
    assert fit.w == pytest.approx(w.value, abs=1e-3)
    assert fit.gap <= 1e-9
    assert fit.objective == pytest.approx(fit.loss + lam * group_norm(fit.w, groups))


def test_group_lasso_bound_never_exceeds_an_objective(regression):
    X, y = regression
    problem = GroupLassoProblem(X, y, GROUPS, 15.0)
    optimum = solve(problem, group_lasso, tol=1e-10).objective
    rng = np.random.default_rng(5)
    for _ in range(50):
        w = rng.standard_normal(24) * 10.0 ** rng.uniform(-3, 1)
        theta = rng.standard_normal(40) * 10.0 ** rng.uniform(-3, 3)
        assert problem.bound(theta, w) <= optimum * (1 + 1e-12)
        assert problem.objective(w) >= optimum * (1 - 1e-9)


def test_group_lasso_of_single_features_is_the_lasso(regression):
    X, y = regression
    singles = Groups.contiguous(24, 24)
    group = fit_norm("group", X, y, singles, 9.0, tol=1e-9)
    lasso = fit_norm("lasso", X, y, singles, 9.0, tol=1e-9)
    assert group.objective == pytest.approx(lasso.objective, rel=1e-8)
    assert group.w == pytest.approx(lasso.w, abs=1e-4)


def test_overlapping_groups_make_the_latent_group_lasso(regression):
    X, y = regression
    lists = [list(range(0, 10)), list(range(7, 18)), list(range(15, 24))]
    lam = 30.0
    copies = [cp.Variable(len(members)) for members in lists]
    prediction = sum(X[:, members] @ v for members, v in zip(lists, copies, strict=True))
    objective = 0.5 * cp.sum_squares(prediction - y) + lam * sum(cp.norm2(v) for v in copies)
    best = cp.Problem(cp.Minimize(objective)).solve(solver="CLARABEL")
    fit = fit_norm("group", X, y, Groups.from_lists(lists, 24), lam, tol=1e-8)
    assert fit.objective == pytest.approx(best, rel=1e-6)
    assert X @ fit.w == pytest.approx(prediction.value, abs=1e-2)


@pytest.mark.parametrize("key", ["lasso", "group"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_largest_lam_is_where_all_weights_vanish(regression, key, fit_intercept):
    X, y = regression
    top = largest_useful_lam(key, X, y, GROUPS, fit_intercept=fit_intercept)
    common = dict(fit_intercept=fit_intercept, tol=1e-9)
    assert fit_norm(key, X, y, GROUPS, top * 1.0001, **common).nonzeros == 0
    assert fit_norm(key, X, y, GROUPS, top * 0.999, **common).nonzeros > 0


def test_the_largest_lam_leaves_one_feature_a_group(regression):
    X, y = regression
    top = largest_useful_lam("exclusive", X, y, GROUPS)
    fit = fit_norm("exclusive", X, y, GROUPS, top)
    assert (GROUPS.sum((fit.w != 0).astype(float)) == 1).all()


@pytest.mark.parametrize("key", NORMS)
def test_sparse_data_give_the_same_fit(regression, key):
    X, y = regression
    X = np.where(np.abs(X) > 0.8, X, 0.0)
    for fit_intercept in (True, False):
        options = dict(fit_intercept=fit_intercept, tol=1e-9)
        dense = fit_norm(key, X, y, GROUPS, 4.0, **options)
        stored = fit_norm(key, sparse.csr_array(X), y, GROUPS, 4.0, **options)
        assert stored.objective == pytest.approx(dense.objective, rel=1e-7)
        assert stored.w == pytest.approx(dense.w, abs=1e-3)


@pytest.mark.parametrize("wanted", [6, 8, 12])
def test_matched_sparsity(regression, wanted):
    X, y = regression
    fits = {key: match_nonzeros(key, X, y, GROUPS, wanted) for key in NORMS if NORMS[key].sparse}
    assert fits["lasso"].nonzeros == wanted
    assert abs(fits["exclusive"].nonzeros - wanted) <= 1
    # Whole groups of four.
    assert fits["group"].nonzeros % 4 == 0
    assert abs(fits["group"].nonzeros - wanted) <= 2
    assert all(fit.gap <= 1e-6 for fit in fits.values())
    assert (GROUPS.max(np.abs(fits["exclusive"].w)) > 0).all()
    assert (GROUPS.max(np.abs(fits["group"].w)) == 0).any()


def test_fewer_nonzeros_than_groups_are_not_to_be_had(regression):
    X, y = regression
    assert match_nonzeros("exclusive", X, y, GROUPS, 2).nonzeros == 6


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("key", NORMS)
def test_matched_training_loss(regression, key, fit_intercept):
    X, y = regression
    null = 0.5 * np.sum((y - (y.mean() if fit_intercept else 0.0)) ** 2)
    for share in (0.9, 0.3):
        fit = match_training_loss(key, X, y, GROUPS, share * null, fit_intercept=fit_intercept)
        assert fit.loss == pytest.approx(share * null, rel=2e-3)
        assert fit.gap <= 1e-6


def test_twins_go_where_the_introduction_says():
    """ℓ2 takes both; ℓ2,1 the twin in the busier group; ℓe the one in the quieter group."""
    for seed in range(5):
        spec = TwinsSpec(seed=seed)
        data = load(spec)
        busy, quiet = spec.twins
        weights = {
            key: match_training_loss(key, data.X, data.y, data.groups, 50.0).w for key in NORMS
        }
        assert weights["ridge"][busy] == pytest.approx(weights["ridge"][quiet], rel=0.3)
        assert weights["group"][busy] > 3 * abs(weights["group"][quiet])
        assert weights["exclusive"][quiet] > 3 * abs(weights["exclusive"][busy])
        # Turn the groups round, and the choice turns round.
        labels = data.groups.labels.copy()
        labels[[busy, quiet]] = labels[[quiet, busy]]
        turned = Groups.from_labels(labels)
        group = match_training_loss("group", data.X, data.y, turned, 50.0).w
        exclusive = match_training_loss("exclusive", data.X, data.y, turned, 50.0).w
        assert group[quiet] > 3 * abs(group[busy])
        assert exclusive[busy] > 3 * abs(exclusive[quiet])


def test_a_group_lasso_of_another_strength_is_still_one():
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((10, 6)), Groups.contiguous(6, 3)
    y, w = X[:, 0], rng.standard_normal(6)
    changed = GroupLassoProblem(X, y, groups, 1.0).with_strength(2.5)
    assert changed.objective(w) == GroupLassoProblem(X, y, groups, 2.5).objective(w)
    assert solve(changed, group_lasso).converged
