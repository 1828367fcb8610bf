"""The scikit-learn estimators, against scikit-learn, closed forms and least squares with q ≥ 0."""

import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, sparse
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from solvers import Groups, exclusive_norm, solve_lasso, solve_svm
from solvers.estimators import (
    ExclusiveLasso,
    ExclusiveLassoCV,
    ExclusiveLogistic,
    ExclusiveSVC,
    ExclusiveSVCCV,
    default_n_groups,
    lasso_cv,
    svc_cv,
)
from solvers.scales import lambda_0, svm_scales

ESTIMATORS = [ExclusiveLasso(), ExclusiveLogistic(), ExclusiveSVC()]
ESTIMATORS_CV = [
    ExclusiveLassoCV(),
    ExclusiveLassoCV(criterion="bic"),
    # The default grid passes too, but takes 130 s of processor time for a few hundred fits.
    ExclusiveSVCCV(alphas=[10.0], betas=[10.0, 1.0], cv=2, tol=1e-2),
]


@pytest.fixture(autouse=True)
def _missed_tolerances_are_failures():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        yield


@pytest.fixture
def regression():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 12)) + 0.5
    w = np.where(np.arange(12) % 4 == 0, 2.0, 0.0)
    return X, X @ w + 3.0 + 0.3 * rng.standard_normal(40)


@pytest.fixture
def classification():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 8))
    y = np.where(X[:, 0] - X[:, 4] + 0.8 * rng.standard_normal(60) > 0.2, "yes", "no")
    return X, y


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["a", "b", "c"])[y]


def exact_lasso(X, y, groups, lam):
    """The exclusive lasso as non-negative least squares, by an active-set method."""
    A = groups.incidence.toarray() * np.sqrt(lam)
    B = np.block([[X, -X], [A, A]])
    q, _ = optimize.nnls(B, np.concatenate([y, np.zeros(groups.n_groups)]), maxiter=10_000)
    n = X.shape[1]
    return q[:n] - q[n:]


# -- scikit-learn's own checks ---------------------------------------------------------------


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *ESTIMATORS_CV], ids=lambda e: repr(e))
def test_scikit_learn_checks_pass_without_exception(estimator):
    with warnings.catch_warnings():
        # Some checks set max_iter to a handful of iterations on purpose.
        warnings.simplefilter("ignore", ConvergenceWarning)
        results = check_estimator(estimator, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    skipped = [result for result in results if result["status"] == "skipped"]
    assert [result["check_name"] for result in skipped] in ([], ["check_array_api_input"])


# -- exclusive lasso -------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.1, 3.0, 100.0])
def test_lasso_solves_its_problem(regression, lam):
    X, y = regression
    groups = Groups.contiguous(12, 3)
    model = ExclusiveLasso(lam, groups=groups, tol=1e-12).fit(X, y)
    w = exact_lasso(X - X.mean(0), y - y.mean(), groups, lam)
    assert model.coef_ == pytest.approx(w, abs=1e-6)
    assert model.intercept_ == pytest.approx(y.mean() - X.mean(0) @ w, abs=1e-6)
    assert model.predict(X) == pytest.approx(X @ w + model.intercept_, abs=1e-5)
    assert model.dual_gap_ <= 1e-12
    assert model.n_iter_ >= 1


def test_lasso_without_intercept(regression):
    X, y = regression
    groups = Groups.contiguous(12, 3)
    model = ExclusiveLasso(2.0, groups=groups, fit_intercept=False, tol=1e-12).fit(X, y)
    assert model.intercept_ == 0.0
    assert model.coef_ == pytest.approx(exact_lasso(X, y, groups, 2.0), abs=1e-6)


def test_lasso_with_groups_of_one_is_ridge(regression):
    X, y = regression
    model = ExclusiveLasso(5.0, groups=range(12), tol=1e-13).fit(X, y)
    ridge = Ridge(alpha=5.0).fit(X, y)
    assert model.coef_ == pytest.approx(ridge.coef_, abs=1e-6)
    assert model.intercept_ == pytest.approx(ridge.intercept_, abs=1e-6)


def test_lasso_takes_overlapping_groups(regression):
    X, y = regression
    lists = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8], [8, 9, 10, 11, 0]]
    model = ExclusiveLasso(2.0, groups=lists, fit_intercept=False, tol=1e-10).fit(X, y)
    groups = Groups.from_lists(lists, 12)
    w = exact_lasso(X, y, groups, 2.0)

    def objective(w):
        return 0.5 * np.sum((X @ w - y) ** 2) + exclusive_norm(w, groups) ** 2

    assert objective(model.coef_) == pytest.approx(objective(w), rel=1e-9)
    assert X @ model.coef_ == pytest.approx(X @ w, abs=1e-3)


@pytest.mark.parametrize(
    "estimator",
    [
        ExclusiveLasso(),
        ExclusiveLassoCV(lams=[10.0, 1.0], cv=3),
        ExclusiveLassoCV(lams=[10.0, 1.0], criterion="bic"),
        ExclusiveLogistic(),
        ExclusiveSVC(),
        ExclusiveSVCCV(alphas=[1.0], betas=[10.0, 1.0], cv=3),
    ],
    ids=repr,
)
def test_sparse_data_give_the_same_fit(estimator, regression, classification):
    X, y = regression if is_regressor(estimator) else classification
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    estimator = clone(estimator).set_params(groups=3, random_state=0, tol=1e-9)
    dense = clone(estimator).fit(X, y)
    for container in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        model = clone(estimator).fit(container(X), y)
        assert model.coef_ == pytest.approx(dense.coef_, abs=1e-4)
        assert model.intercept_ == pytest.approx(dense.intercept_, abs=1e-4)
        if is_regressor(model):
            assert model.predict(container(X)) == pytest.approx(model.predict(X))
        else:
            assert (model.predict(container(X)) == model.predict(X)).all()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_a_weight_is_a_number_of_copies(estimator, regression, classification):
    X, y = regression if isinstance(estimator, ExclusiveLasso) else classification
    copies = np.random.default_rng(2).integers(0, 4, y.size)
    model = clone(estimator).set_params(groups=2, random_state=0)
    weighted = clone(model).fit(X, y, sample_weight=copies)
    repeated = clone(model).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    assert weighted.coef_ == pytest.approx(repeated.coef_, rel=1e-9, abs=1e-12)
    scattered = np.random.default_rng(3).permutation(copies.sum())
    shuffled = clone(model).fit(
        np.repeat(X, copies, axis=0)[scattered], np.repeat(y, copies)[scattered]
    )
    assert shuffled.coef_ == pytest.approx(repeated.coef_, rel=1e-9, abs=1e-12)


def test_copies_with_other_targets_are_not_merged():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    y = np.array([1.0, 3.0, 5.0, 5.0])
    model = ExclusiveLasso(1.0, groups=[0, 1], fit_intercept=False, tol=1e-13).fit(X, y)
    assert model.coef_ == pytest.approx([4 / 3, 10 / 3], abs=1e-6)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_two_fits_agree_to_the_last_digit(estimator, regression, classification):
    X, y = regression if isinstance(estimator, ExclusiveLasso) else classification
    model = clone(estimator).set_params(groups=3, random_state=5)
    first, second = clone(model).fit(X, y), clone(model).fit(X, y)
    assert np.array_equal(first.coef_, second.coef_)
    assert np.array_equal(first.intercept_, second.intercept_)
    assert first.n_iter_ == second.n_iter_
    shuffled = np.random.default_rng(0).permutation(y.size)
    third = clone(model).fit(X[shuffled], y[shuffled])
    assert np.array_equal(first.coef_, third.coef_)


# -- groups ----------------------------------------------------------------------------------


def test_every_way_to_name_groups(regression):
    X, y = regression
    names = [f"c{i}" for i in range(12)]
    frame = pd.DataFrame(X, columns=names)
    labels = np.arange(12) % 3
    expected = Groups.from_labels(labels)
    lists = [np.flatnonzero(labels == k).tolist() for k in range(3)]
    specs = [labels, labels.tolist(), lists, expected]
    for spec in specs:
        model = ExclusiveLasso(groups=spec).fit(X, y)
        assert model.groups_ == expected
        assert model.groups is spec
    named = [
        dict(zip(names, labels, strict=True)),
        pd.Series(labels, index=names),
        {k: [names[i] for i in members] for k, members in enumerate(lists)},
        [[names[i] for i in members] for members in lists],
    ]
    for spec in named:
        model = ExclusiveLasso(groups=spec).fit(frame, y)
        assert model.groups_ == expected
        assert model.feature_names_in_.tolist() == names


def test_random_groups_follow_the_seed(regression):
    X, y = regression
    assert ExclusiveLasso(groups=4, random_state=7).fit(X, y).groups_ == Groups.random(12, 4, 7)
    drawn = [
        ExclusiveLasso(groups=4, random_state=np.random.RandomState(1)).fit(X, y).groups_
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    shared = np.random.default_rng(1)
    one = ExclusiveLasso(groups=4, random_state=shared).fit(X, y).groups_
    assert one != ExclusiveLasso(groups=4, random_state=shared).fit(X, y).groups_


def test_default_groups_count_samples_by_weight():
    assert default_n_groups(30, 569) == default_n_groups(30, 15)
    assert default_n_groups(5040, 112.0) == 7
    assert default_n_groups(4, 1e-3) == 1
    assert default_n_groups(1, 10.0) == 1
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 300)), rng.standard_normal(20)
    model = ExclusiveLasso(lam=100.0, random_state=0)
    assert model.fit(X, y).groups_.n_groups == default_n_groups(300, 20)
    tenfold = clone(model).fit(X, y, sample_weight=np.full(20, 10.0)).groups_
    assert tenfold.n_groups == default_n_groups(300, 150) > model.groups_.n_groups
    copied = clone(model).fit(np.repeat(X, 10, axis=0), np.repeat(y, 10)).groups_
    assert copied == tenfold


def test_all_classes_share_one_draw_of_groups(three_classes):
    X, y = three_classes
    model = ExclusiveSVC(groups=2, random_state=3).fit(X, y)
    assert model.groups_ == Groups.random(4, 2, 3)
    for row, label in enumerate("abc"):
        signs = np.where(y == label, 1.0, -1.0)
        alone = solve_svm(X, signs, model.groups_, 1.0, 1.0, fit_intercept=True, tol=1e-4)
        assert model.coef_[row] == pytest.approx(alone.w, abs=0.05)


# -- logistic regression ---------------------------------------------------------------------


def test_logistic_with_groups_of_one_is_ridge_logistic(classification):
    X, y = classification
    model = ExclusiveLogistic(2.0, groups=range(8), tol=1e-12).fit(X, y)
    reference = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.coef_.shape == (1, 8)
    assert model.coef_ == pytest.approx(reference.coef_, abs=1e-5)
    assert model.intercept_ == pytest.approx(reference.intercept_, abs=1e-5)
    assert model.predict_proba(X) == pytest.approx(reference.predict_proba(X), abs=1e-5)
    assert model.predict_log_proba(X) == pytest.approx(reference.predict_log_proba(X), abs=1e-4)


def test_logistic_with_many_classes_normalises_chances(three_classes):
    X, y = three_classes
    model = ExclusiveLogistic(0.1, groups=2, random_state=0).fit(X, y)
    chances = model.predict_proba(X)
    assert model.coef_.shape == (3, 4)
    one_by_one = 1.0 / (1.0 + np.exp(-model.decision_function(X)))
    assert chances == pytest.approx(one_by_one / one_by_one.sum(1, keepdims=True), abs=1e-12)
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(chances, abs=1e-12)
    assert (model.classes_[chances.argmax(1)] == model.predict(X)).all()
    assert log_loss(y, chances) < 0.4


def test_logistic_chances_stay_chances_far_away(three_classes):
    X, y = three_classes
    model = ExclusiveLogistic(0.1, groups=2, random_state=0).fit(X, y)
    far = model.predict_proba(1e6 * X)
    assert np.isfinite(far).all()
    assert far.sum(1) == pytest.approx(np.ones(len(X)))


# -- support vector machine ------------------------------------------------------------------


def test_svc_with_groups_of_one_is_the_standard_svm(classification):
    X, y = classification
    model = ExclusiveSVC(0.5, 1.5, groups=range(8), tol=1e-8).fit(X, y)
    reference = SVC(kernel="linear", C=0.5, tol=1e-8).fit(X, y)
    assert model.coef_ == pytest.approx(reference.coef_, abs=1e-3)
    w = reference.coef_[0]
    signs = np.where(y == "yes", 1.0, -1.0)

    def objective(w, b):
        return np.maximum(0, 1 - signs * (X @ w + b)).sum() + w @ w

    mine = objective(model.coef_[0], model.intercept_[0])
    assert mine == pytest.approx(objective(w, reference.intercept_[0]), rel=1e-6)


def test_svc_solves_the_published_problem(classification):
    cp = pytest.importorskip("cvxpy")
    X, y = classification
    signs = np.where(y == "yes", 1.0, -1.0)
    labels = np.arange(8) % 2
    w, b = cp.Variable(8), cp.Variable()
    loss = cp.sum(cp.pos(1 - cp.multiply(signs, X @ w + b)))
    penalty = sum(cp.square(cp.norm1(w[np.flatnonzero(labels == k)])) for k in range(2))
    problem = cp.Problem(cp.Minimize(loss + 0.5 * cp.sum_squares(w) + 2.0 * penalty))
    best = problem.solve(solver="CLARABEL")
    model = ExclusiveSVC(1.0, 4.0, groups=labels, tol=1e-8).fit(X, y)
    assert model.coef_[0] == pytest.approx(w.value, abs=1e-3)
    margins = signs * model.decision_function(X)
    value = np.maximum(0, 1 - margins).sum() + 0.5 * np.sum(model.coef_**2)
    value += 2.0 * exclusive_norm(model.coef_[0], model.groups_) ** 2
    assert best - 1e-6 <= value <= best * (1 + 1e-6)


def test_svc_many_classes_and_shapes(three_classes):
    X, y = three_classes
    model = ExclusiveSVC(groups=2, random_state=0).fit(X, y)
    assert model.coef_.shape == (3, 4)
    assert model.intercept_.shape == (3,)
    assert model.decision_function(X).shape == (150, 3)
    assert model.score(X, y) > 0.85
    assert not hasattr(model, "predict_proba")


@pytest.mark.parametrize("labels", [["no", "yes"], ["a", "b", "c"]], ids=["two", "three"])
@pytest.mark.parametrize("model", [ExclusiveLogistic(), ExclusiveSVC()], ids=repr)
def test_class_weights_are_sample_weights(model, labels, classification, three_classes):
    X, y = classification if len(labels) == 2 else three_classes
    # Classes of unequal size, or "balanced" would do nothing.
    kept = np.ones(y.size, dtype=bool)
    kept[np.flatnonzero(y == labels[-1])[::3]] = False
    X, y = X[kept], y[kept]
    model = clone(model).set_params(groups=2, random_state=0)
    by_class = clone(model).set_params(class_weight={labels[-1]: 3.0}).fit(X, y)
    by_sample = clone(model).fit(X, y, sample_weight=np.where(y == labels[-1], 3.0, 1.0))
    assert by_class.coef_ == pytest.approx(by_sample.coef_)
    assert np.abs(by_class.coef_ - clone(model).fit(X, y).coef_).max() > 1e-3
    balanced = clone(model).set_params(class_weight="balanced").fit(X, y)
    share = {label: y.size / (len(labels) * np.sum(y == label)) for label in labels}
    by_hand = clone(model).set_params(class_weight=share).fit(X, y)
    assert balanced.coef_ == pytest.approx(by_hand.coef_)


# -- as a scikit-learn user would write it ---------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_grid_search_on_breast_cancer():
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), random_state=0
    )
    pipeline = make_pipeline(StandardScaler(), ExclusiveSVC(random_state=0))
    grid = {"exclusivesvc__alpha": [1.0, 30.0], "exclusivesvc__beta": [1.0, 30.0]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X_train, y_train)
    assert search.score(X_test, y_test) > 0.93
    assert search.best_estimator_[-1].coef_.shape == (1, 30)


@pytest.mark.filterwarnings("error")
def test_grid_search_on_digits():
    X_train, X_test, y_train, y_test = train_test_split(
        *load_digits(return_X_y=True), random_state=0
    )
    pipeline = make_pipeline(MinMaxScaler(), ExclusiveSVC(random_state=0))
    search = GridSearchCV(pipeline, {"exclusivesvc__beta": [0.1, 1.0]}, cv=3).fit(X_train, y_train)
    assert search.score(X_test, y_test) > 0.93
    assert search.best_estimator_[-1].coef_.shape == (10, 64)


def test_column_names_reach_the_groups_inside_a_searched_pipeline():
    X, y = load_iris(return_X_y=True, as_frame=True)
    by_column = {name: name.split()[0] for name in X.columns}
    by_group = {
        part: [name for name in X.columns if name.startswith(part)] for part in ("sepal", "petal")
    }
    for groups in (by_column, by_group):
        pipeline = make_pipeline(
            StandardScaler().set_output(transform="pandas"), ExclusiveSVC(groups=groups)
        )
        search = GridSearchCV(pipeline, {"exclusivesvc__beta": [0.1, 1.0]}, cv=3).fit(X, y)
        model = search.best_estimator_[-1]
        assert {frozenset(members) for members in model.groups_.lists()} == {
            frozenset([0, 1]),
            frozenset([2, 3]),
        }
        assert model.feature_names_in_.tolist() == X.columns.tolist()
        assert search.score(X, y) > 0.85


def test_models_survive_cloning_and_pickling(classification):
    X, y = classification
    model = ExclusiveSVC(2.0, 3.0, groups=[[0, 1, 2, 3, 4], [4, 5, 6, 7]], tol=1e-3)
    assert clone(model).get_params() == model.get_params()
    model.fit(X, y)
    thawed = pickle.loads(pickle.dumps(model))
    assert thawed.groups_ == model.groups_
    assert np.array_equal(thawed.decision_function(X), model.decision_function(X))
    with_groups = clone(ExclusiveLasso(groups=Groups.contiguous(8, 2)))
    assert with_groups.groups == Groups.contiguous(8, 2)


def test_frames_are_checked_by_column_name(regression):
    X, y = regression
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(12)])
    model = ExclusiveLasso(groups=3, random_state=0).fit(frame, y)
    assert model.predict(frame) == pytest.approx(X @ model.coef_ + model.intercept_)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[frame.columns[::-1]])


# -- cross-validation ------------------------------------------------------------------------


def test_lasso_cv_agrees_with_a_plain_search():
    X, y = load_diabetes(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    groups, lams = Groups.contiguous(10, 3), [300.0, 30.0, 3.0]
    folds = KFold(4, shuffle=True, random_state=0)
    model = ExclusiveLassoCV(lams=lams, groups=groups, cv=folds, tol=1e-9).fit(X, y)
    plain = np.array(
        [
            -cross_val_score(
                ExclusiveLasso(lam, groups=groups, tol=1e-9),
                X,
                y,
                cv=folds,
                scoring="neg_mean_squared_error",
            )
            for lam in lams
        ]
    )
    assert model.mse_path_ == pytest.approx(plain, rel=1e-4)
    assert model.lam_ == lams[int(plain.mean(1).argmin())]
    final = ExclusiveLasso(model.lam_, groups=groups, tol=1e-9).fit(X, y)
    assert np.array_equal(model.coef_, final.coef_)
    assert model.dual_gap_ == final.dual_gap_


@pytest.fixture
def calls(monkeypatch):
    """How often each path is followed, which it still is."""
    counts = {"lasso_path": 0, "svm_grid": 0}

    def spy(name, follow):
        def counted(*arguments, **options):
            counts[name] += 1
            return follow(*arguments, **options)

        return counted

    for module, name in ((lasso_cv, "lasso_path"), (svc_cv, "svm_grid")):
        monkeypatch.setattr(module, name, spy(name, getattr(module, name)))
    return counts


def test_lasso_cv_follows_one_path_a_fold(regression, calls):
    model = ExclusiveLassoCV(lams=[100.0, 10.0, 1.0], groups=3, random_state=0, cv=4, tol=1e-7)
    followed = clone(model).fit(*regression)
    assert calls == {"lasso_path": 4, "svm_grid": 0}
    named = clone(model).set_params(method="pcp").fit(*regression)
    assert calls == {"lasso_path": 4, "svm_grid": 0}
    assert named.mse_path_ == pytest.approx(followed.mse_path_, rel=1e-3)
    clone(model).set_params(criterion="bic").fit(*regression)
    assert calls == {"lasso_path": 5, "svm_grid": 0}


def test_svc_cv_solves_one_grid_a_fold_and_class(three_classes, classification, calls):
    model = ExclusiveSVCCV(alphas=[10.0, 1.0], betas=[10.0, 1.0], groups=2, random_state=0, cv=3)
    clone(model).fit(*three_classes)
    assert calls == {"lasso_path": 0, "svm_grid": 3 * 3}
    # Scores that change with every weight, not only where a sample changes sides.
    model.set_params(scoring=mean_hinge_score, tol=1e-6)
    followed = clone(model).fit(*classification)
    assert calls == {"lasso_path": 0, "svm_grid": 3 * 3 + 3}
    named = clone(model).set_params(method="licp_block").fit(*classification)
    assert calls == {"lasso_path": 0, "svm_grid": 3 * 3 + 3}
    assert named.scores_ == pytest.approx(followed.scores_, rel=1e-3)


def mean_hinge_score(model, X, y):
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    return -np.maximum(0.0, 1.0 - signs * model.decision_function(X)).mean()


def test_lasso_cv_makes_its_own_grid(regression):
    X, y = regression
    model = ExclusiveLassoCV(lams=5, eps=1e-3, groups=3, random_state=0, cv=3).fit(X, y)
    assert model.lams_.shape == (5,)
    assert model.mse_path_.shape == (5, 3)
    scale = lambda_0(X, y, model.groups_, fit_intercept=True)
    assert model.lams_[[0, -1]] == pytest.approx([10 * scale, 0.01 * scale])
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("criterion", ["bic", "ebic"])
def test_lasso_cv_by_information_criterion(regression, criterion):
    X, y = regression
    model = ExclusiveLassoCV(lams=8, eps=1e-4, groups=3, random_state=0, criterion=criterion).fit(
        X, y
    )
    assert model.lam_ == model.lams_[model.criterion_path_.argmin()]
    assert (np.diff(model.df_path_) > -1e-6).all()
    assert model.score(X, y) > 0.9


def test_information_criteria_do_not_depend_on_the_method(regression):
    X, y = regression
    model = ExclusiveLassoCV(lams=[300.0, 30.0, 10.0], groups=3, random_state=0, criterion="bic")
    plain = clone(model).fit(X, y)
    # Reweighting leaves small numbers where the solution is 0.
    named = clone(model).set_params(method="lelr", tol=1e-3).fit(X, y)
    assert np.count_nonzero(named.coef_) > np.count_nonzero(plain.coef_)
    assert named.df_path_ == pytest.approx(plain.df_path_, rel=1e-3)
    assert named.criterion_path_ == pytest.approx(plain.criterion_path_, rel=1e-3)
    assert named.lam_ == plain.lam_


def test_scale_of_lam_halves_the_best_feature_per_group(regression):
    X, y = regression
    groups = Groups.contiguous(12, 3)
    X, y = X - X.mean(0), y - y.mean()
    correlations = X.T @ y
    u = np.zeros(12)
    for members in groups.lists():
        best = members[int(np.argmax(np.abs(correlations[members])))]
        u[best] = correlations[best]
    lam = lambda_0(X, y, groups)
    alone = solve_lasso(X[:, [0]] * 0 + (X @ u)[:, None], y, [0], 1e-12).w[0]
    size = exclusive_norm(u, groups) ** 2
    shrunk = optimize.minimize_scalar(
        lambda c: 0.5 * np.sum((c * (X @ u) - y) ** 2) + 0.5 * lam * size * c * c
    ).x
    assert shrunk == pytest.approx(alone / 2, rel=1e-6)


@pytest.mark.parametrize("mislabelled", [False, True])
def test_scales_of_the_svm_are_where_the_first_sample_leaves_the_margin(
    classification, mislabelled
):
    X, labels = classification
    y = np.where(labels == "yes", 1.0, -1.0)
    if mislabelled:
        # The largest score of all, on the wrong side: it never leaves the margin.
        far = X.T @ y
        X, y = np.vstack([X, 8.0 * far / np.linalg.norm(far)]), np.append(y, -1.0)
    groups = Groups.contiguous(8, 2)
    alpha, beta = svm_scales(X, y, groups)
    v = X.T @ y
    assert (np.argmax(np.abs(X @ v)) == 60) == mislabelled
    strongest = np.zeros(8)
    for members in groups.lists():
        best = members[int(np.argmax(np.abs(v[members])))]
        strongest[best] = v[best]
    negligible = 1e-7
    for direction, scale, strengths in (
        (v, alpha, lambda scale: (scale, negligible)),
        (strongest, beta, lambda scale: (negligible, scale)),
    ):
        beyond = solve_svm(X, y, groups, *strengths(1.01 * scale), tol=1e-12).w
        assert beyond == pytest.approx(direction / (1.01 * scale), abs=1e-6)
        assert (y * (X @ beyond)).max() == pytest.approx(1 / 1.01, abs=1e-5)
        below = solve_svm(X, y, groups, *strengths(0.97 * scale), tol=1e-10).w
        shrunk = direction / (0.97 * scale)
        assert (y * (X @ shrunk)).max() > 1.02
        assert np.abs(below - shrunk).max() > 1e-3 * np.abs(shrunk).max()


def test_svc_cv_agrees_with_grid_search(classification):
    X, y = classification
    folds = StratifiedKFold(3)
    common = dict(groups=2, random_state=0, tol=1e-5)
    grid = {"alpha": [30.0, 3.0], "beta": [30.0, 3.0]}
    model = ExclusiveSVCCV(alphas=grid["alpha"], betas=grid["beta"], cv=folds, **common).fit(X, y)
    search = GridSearchCV(ExclusiveSVC(**common), grid, cv=folds).fit(X, y)
    means = search.cv_results_["mean_test_score"].reshape(2, 2)
    assert model.scores_.shape == (2, 2, 3)
    assert model.scores_.mean(2) == pytest.approx(means)
    assert means.max() == pytest.approx(
        model.scores_.mean(2)[
            model.alphas_.tolist().index(model.alpha_), model.betas_.tolist().index(model.beta_)
        ]
    )
    final = ExclusiveSVC(model.alpha_, model.beta_, **common).fit(X, y)
    assert np.array_equal(model.coef_, final.coef_)


def test_svc_cv_makes_its_own_grid_and_takes_a_scorer(classification):
    X, y = classification
    model = ExclusiveSVCCV(
        alphas=2, betas=2, eps=0.1, cv=3, groups=2, random_state=0, scoring="balanced_accuracy"
    ).fit(X, y)
    assert model.alphas_[0] == pytest.approx(10 * model.alphas_[1])
    assert model.scores_.shape == (model.alphas_.size, model.betas_.size, 3)
    assert model.score(X, y) > 0.75


def test_svc_cv_hands_weights_only_to_scorers_that_take_them(classification):
    X, y = classification
    weights = np.random.default_rng(0).integers(1, 4, y.size).astype(float)
    model = ExclusiveSVCCV(alphas=[3.0], betas=[30.0, 3.0], cv=3, groups=2, random_state=0)

    def share_right(model, X, y):
        return np.mean(model.predict(X) == y)

    def weighed(model, X, y, sample_weight=None):
        return np.average(model.predict(X) == y, weights=sample_weight)

    without = clone(model).fit(X, y)
    assert clone(model).set_params(scoring=share_right).fit(X, y).scores_ == pytest.approx(
        without.scores_
    )
    plain = clone(model).fit(X, y, sample_weight=weights)
    by_hand = clone(model).set_params(scoring=weighed).fit(X, y, sample_weight=weights)
    assert by_hand.scores_ == pytest.approx(plain.scores_)
    made = make_scorer(lambda y, predicted: np.mean(y == predicted))
    for scoring in (share_right, made):
        with pytest.raises(ValueError, match=r"takes no sample_weight.*use a scorer that takes"):
            clone(model).set_params(scoring=scoring).fit(X, y, sample_weight=weights)


# -- words when something is wrong -----------------------------------------------------------


def test_missing_the_tolerance_warns(regression, classification):
    first_order = ExclusiveLasso(0.01, method="locp"), ExclusiveSVC(method="dual_u")
    for estimator, data in zip(first_order, (regression, classification), strict=True):
        with pytest.warns(ConvergenceWarning, match="certified relative gap is .* Raise max_iter"):
            model = estimator.set_params(max_iter=2, groups=2).fit(*data)
        assert model.dual_gap_ > model.tol
        assert model.n_iter_ == 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        ExclusiveLassoCV(lams=[1.0], groups=2, max_iter=2, method="locp").fit(*regression)
    assert ["5 of 5 solves of cross-validation" in str(w.message) for w in caught] == [True, False]


@pytest.mark.parametrize(
    "estimator",
    [
        ExclusiveLasso(0.01),
        ExclusiveLassoCV(lams=[1.0]),
        ExclusiveLassoCV(lams=[1.0], criterion="bic"),
        ExclusiveLogistic(),
        ExclusiveSVC(),
        ExclusiveSVCCV(alphas=[1.0], betas=[1.0], cv=3),
    ],
    ids=repr,
)
def test_warnings_name_the_line_that_called_fit(estimator, regression, classification):
    data = regression if is_regressor(estimator) else classification
    # A first-order method gets nowhere in one iteration; ours may be there.
    slow = "licp_block" if isinstance(estimator, ExclusiveSVC | ExclusiveSVCCV) else "locp"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        change = dict(method=slow, max_iter=1)
        clone(estimator).set_params(groups=2, random_state=0, **change).fit(*data)
    assert {warning.filename for warning in caught} == {__file__}
    assert all("missed tol" in str(warning.message) for warning in caught)


def test_a_missed_point_of_a_path_claims_no_cause(regression, monkeypatch):
    def missed(X, y, groups, lams, **options):
        zero = np.zeros(len(lams))
        coefs = np.zeros((len(lams), groups.n_features))
        return SimpleNamespace(
            coefs=coefs, intercepts=zero, gaps=zero + 0.5, iterations=zero, converged=zero > 0
        )

    monkeypatch.setattr(lasso_cv, "lasso_path", missed)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        ExclusiveLassoCV(lams=[1.0], groups=2).fit(*regression)
    assert "the path's point missed the tolerance" in str(caught[0].message)


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (ExclusiveLasso(-1.0), "lam must be a positive"),
        (ExclusiveLasso(groups=99), "99 groups cannot each hold one of 12"),
        (ExclusiveLasso(groups=[0, 1]), "over 2 features, but X has 12"),
        (ExclusiveLasso(groups={"a": 1}), "need X to be a frame"),
        (ExclusiveLasso(method="magic"), "no method 'magic'"),
        (ExclusiveLasso(max_iter=1.5), "max_iter must be a whole number"),
        (ExclusiveLassoCV(lams=0), "lams must be at least 1"),
        (ExclusiveLassoCV(lams=[]), "lams is empty"),
        (ExclusiveLassoCV(lams=[1.0, -1.0]), "lams must be a positive"),
        (ExclusiveLassoCV(criterion="luck"), "no criterion 'luck'.*cv, bic, ebic"),
    ],
)
def test_bad_parameters_are_named(estimator, sentence, regression):
    with pytest.raises(ValueError, match=sentence):
        estimator.fit(*regression)


def test_names_of_columns_must_be_strings(regression):
    X, y = regression
    with pytest.raises(ValueError, match="a frame with string column names; rename"):
        ExclusiveLasso(groups={i: i % 3 for i in range(12)}).fit(pd.DataFrame(X), y)


def test_class_weights_must_be_positive(classification):
    with pytest.raises(ValueError, match="gives class 'yes' the weight -2; weights must be"):
        ExclusiveSVC(class_weight={"yes": -2.0}).fit(*classification)
    with pytest.raises(ValueError, match=r"sample_weight\[0\] is -1.0"):
        ExclusiveSVC().fit(*classification, sample_weight=np.full(60, -1.0))


def test_one_class_is_refused(classification):
    X, y = classification
    for estimator in (ExclusiveLogistic(), ExclusiveSVC(), ExclusiveSVCCV()):
        with pytest.raises(ValueError, match=r"at least two classes.*'no'"):
            estimator.fit(X, y, sample_weight=(y == "no").astype(float))
