"""Estimators with signs and weights, what cross-validation offers, and life inside scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.ensemble import BaggingRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, f_regression
from sklearn.linear_model import PoissonRegressor
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from solvers import (
    Groups,
    MultiTaskExclusiveLasso,
    lasso_path,
    logistic_path,
    poisson_path,
    solve_lasso,
    solve_logistic,
    solve_multitask,
    solve_poisson,
    solve_svm,
)
from solvers.estimators import (
    ExclusiveLasso,
    ExclusiveLassoCV,
    ExclusiveLogistic,
    ExclusiveLogisticCV,
    ExclusivePoisson,
    ExclusiveSVC,
    ExclusiveSVCCV,
    stability_selection,
)
from solvers.estimators.base import distinct_samples, sample_keys
from solvers.scales import lambda_0
from solvers.selection import degrees_of_freedom


@pytest.fixture(scope="module")
def regression():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 12))
    y = 2.0 * X[:, 0] - X[:, 4] + X[:, 8] + 0.5 * rng.standard_normal(60) + 3.0
    return X, y


@pytest.fixture(scope="module")
def classes(regression):
    X, y = regression
    return X, np.where(y > 3.0, "high", "low")


GROUPS = Groups.contiguous(12, 3)


@pytest.mark.parametrize(
    "estimator",
    [
        ExclusivePoisson(),
        ExclusiveLogisticCV(lams=[10.0], cv=2, tol=0.1, method="locp"),
        ExclusiveLasso(positive=True, warm_start=True),
        ExclusiveLassoCV(lams=[10.0, 1.0], cv=2, rule="1se", relaxed=True),
    ],
    ids=lambda e: repr(e),
)
def test_scikit_learn_checks_pass_without_exception(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        results = check_estimator(estimator, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    skipped = [result for result in results if result["status"] == "skipped"]
    assert [result["check_name"] for result in skipped] in ([], ["check_array_api_input"])


# -- options ---------------------------------------------------------------------------------


def test_options_reach_the_problem(regression, classes):
    X, y = regression
    options = dict(
        positive=np.arange(12) % 2 == 0,
        feature_weight=np.linspace(0.5, 2.0, 12),
        group_weight=[1.0, 2.0, 0.5],
    )
    model = ExclusiveLasso(5.0, groups=GROUPS, tol=1e-10, **options).fit(X, y)
    expected = solve_lasso(X, y, GROUPS, 5.0, fit_intercept=True, tol=1e-10, **options)
    assert model.coef_ == pytest.approx(expected.w, abs=1e-6)
    assert (model.coef_[::2] >= 0.0).all()
    X, y = classes
    model = ExclusiveLogistic(2.0, groups=GROUPS, tol=1e-9, **options).fit(X, y)
    signs = np.where(y == "low", 1.0, -1.0)
    expected = solve_logistic(X, signs, GROUPS, 2.0, fit_intercept=True, tol=1e-9, **options)
    assert model.coef_[0] == pytest.approx(expected.w, abs=1e-5)
    svc = ExclusiveSVC(0.5, 2.0, groups=GROUPS, **options).fit(X, y)
    assert (svc.coef_[0, ::2] >= 0.0).all() and svc.coef_.any()


def test_options_reach_the_final_fit_of_counts_tasks_and_every_choice(regression, classes):
    X, y = regression
    options = dict(
        positive=np.arange(12) % 2 == 0,
        feature_weight=np.linspace(0.5, 2.0, 12),
        group_weight=[1.0, 2.0, 0.5],
    )
    common = dict(groups=GROUPS, tol=1e-8, **options)
    given = dict(fit_intercept=True, tol=1e-9, **options)
    counts = np.random.default_rng(0).poisson(np.exp(0.5 * X[:, 0]))
    poisson = ExclusivePoisson(2.0, **common).fit(X, counts)
    expected = solve_poisson(X, counts, GROUPS, 2.0, **given)
    assert poisson.coef_ == pytest.approx(expected.w, abs=1e-5)
    lasso = ExclusiveLassoCV([5.0, 1.0], cv=2, **common).fit(X, y)
    expected = solve_lasso(X, y, GROUPS, lasso.lam_, **given)
    assert lasso.coef_ == pytest.approx(expected.w, abs=1e-5)
    X, names = classes
    signs = np.where(names == "low", 1.0, -1.0)
    logistic = ExclusiveLogisticCV([5.0, 1.0], cv=2, **common).fit(X, names)
    expected = solve_logistic(X, signs, GROUPS, logistic.lam_, **given)
    assert logistic.coef_[0] == pytest.approx(expected.w, abs=1e-4)
    svc = ExclusiveSVCCV([1.0, 0.1], [5.0, 1.0], cv=2, **common).fit(X, names)
    expected = solve_svm(X, signs, GROUPS, svc.alpha_, svc.beta_, **given)
    assert svc.coef_[0] == pytest.approx(expected.w, abs=1e-4)
    Y = np.column_stack([y, X[:, 4]])
    options["group_weight"] = np.linspace(0.5, 2.0, 12)
    tasks = MultiTaskExclusiveLasso(2.0, tol=1e-8, **options).fit(X, Y)
    expected = solve_multitask(X, Y, 2.0, fit_intercept=True, tol=1e-9, **options)
    assert pytest.approx(expected.w, abs=1e-4) == tasks.coef_.T
    for model in (poisson, lasso, logistic, svc, tasks):
        coef = np.atleast_2d(model.coef_)
        assert (coef[:, ::2] >= 0.0).all() and coef.any()


def test_a_feature_of_weight_0_is_not_shrunk(regression):
    X, y = regression
    weight = np.ones(12)
    weight[0] = 0.0
    model = ExclusiveLasso(1e6, groups=GROUPS, feature_weight=weight, tol=1e-8).fit(X, y)
    alone = np.polyfit(X[:, 0], y, 1)[0]
    assert model.coef_[0] == pytest.approx(alone, abs=1e-3)
    assert np.abs(model.coef_[1:]).max() < 1e-3


def test_poisson_ridge_is_a_limit():
    rng = np.random.default_rng(1)
    X = 0.4 * rng.standard_normal((100, 5))
    y = rng.poisson(np.exp(0.5 + X[:, 0]))
    ours = ExclusivePoisson(lam=2.0, groups=5, tol=1e-9).fit(X, y)
    theirs = PoissonRegressor(alpha=0.02, tol=1e-10).fit(X, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(X), rel=1e-3)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-4)


def test_warm_start_begins_at_the_last_fit(regression):
    X, y = regression
    model = ExclusiveLasso(1.0, groups=GROUPS, method="locp", tol=1e-8, warm_start=True)
    cold = model.fit(X, y).n_iter_
    again = model.fit(X, y).n_iter_
    assert again < cold / 2
    assert ExclusiveLasso(1.0, groups=GROUPS, method="locp", tol=1e-8).fit(X, y).n_iter_ == cold


# -- paths -----------------------------------------------------------------------------------


def test_paths_are_the_solutions_point_by_point(classes):
    X, y = classes
    signs = np.where(y == "low", 1.0, -1.0)
    lams = [1.0, 30.0, 5.0]
    options = dict(fit_intercept=True, feature_weight=np.linspace(1, 2, 12), tol=1e-8)
    path = logistic_path(X, signs, GROUPS, lams, **options)
    assert path.lams.tolist() == lams and path.converged.all()
    for lam, w in zip(lams, path.coefs, strict=True):
        assert w == pytest.approx(solve_logistic(X, signs, GROUPS, lam, **options).w, abs=1e-4)
    counts = np.random.default_rng(0).poisson(np.exp(0.5 * X[:, 0]))
    path = poisson_path(X, counts, GROUPS, lams, offset=np.full(60, 0.1), fit_intercept=True)
    assert path.converged.all() and path.objectives[1] > path.objectives[2] > path.objectives[0]
    path = lasso_path(X, X[:, 0], GROUPS, lams, positive=True)
    assert (path.coefs >= 0.0).all() and path.converged.all()


# -- cross-validation ------------------------------------------------------------------------


def test_one_standard_error_chooses_a_stronger_penalty(regression, classes):
    X, y = regression
    best = ExclusiveLassoCV(groups=GROUPS).fit(X, y)
    rule = ExclusiveLassoCV(groups=GROUPS, rule="1se").fit(X, y)
    means, at = best.scores_.mean(axis=1), best.lams_.tolist().index(best.lam_)
    error = best.scores_[at].std(ddof=1) / np.sqrt(5)
    within = best.lams_[means >= means[at] - error]
    assert rule.lam_ == within.max() > best.lam_
    X, y = classes
    logistic = ExclusiveLogisticCV(groups=GROUPS, rule="1se", cv=3).fit(X, y)
    assert logistic.lam_ >= ExclusiveLogisticCV(groups=GROUPS, cv=3).fit(X, y).lam_
    with pytest.raises(ValueError, match="there is no rule '2se'; choose one of: min, 1se"):
        ExclusiveLassoCV(rule="2se").fit(X, np.arange(60.0))


def test_relaxed_refits_on_the_support_with_a_certificate(regression, classes):
    X, y = regression
    lam = [100.0]
    shrunk = ExclusiveLassoCV(lams=lam, groups=GROUPS, tol=1e-8).fit(X, y)
    model = ExclusiveLassoCV(lams=lam, groups=GROUPS, relaxed=True, tol=1e-8).fit(X, y)
    support = np.flatnonzero(shrunk.coef_)
    assert np.flatnonzero(model.coef_).tolist() == support.tolist() and support.size < 12
    design = np.column_stack([X[:, support], np.ones(60)])
    least = np.linalg.lstsq(design, y, rcond=None)[0]
    assert model.coef_[support] == pytest.approx(least[:-1], abs=1e-3)
    assert model.dual_gap_ <= 1e-8
    X, y = classes
    for kind in (ExclusiveSVCCV(alphas=[0.1], betas=[50.0]), ExclusiveLogisticCV(lams=[50.0])):
        plain = kind.set_params(groups=GROUPS, cv=2, relaxed=False, tol=1e-6).fit(X, y).coef_
        refit = kind.set_params(relaxed=True).fit(X, y)
        assert np.abs(refit.coef_).sum() > np.abs(plain).sum()
        assert refit.dual_gap_ <= 1e-6


def test_scoring_by_name_and_jobs_that_change_nothing(regression, classes):
    X, y = regression
    common = dict(groups=GROUPS, cv=3, lams=5)
    r2 = ExclusiveLassoCV(scoring="r2", **common).fit(X, y)
    assert r2.scores_.shape == (5, 3) and r2.scores_.max() <= 1.0
    assert not hasattr(r2, "mse_path_")
    two = ExclusiveLassoCV(scoring="r2", n_jobs=2, **common).fit(X, y)
    assert two.scores_ == pytest.approx(r2.scores_, rel=1e-6) and two.lam_ == r2.lam_
    X, y = classes
    for model in (
        ExclusiveLogisticCV(scoring="accuracy", **common),
        ExclusiveSVCCV(alphas=2, betas=2, groups=GROUPS, cv=3),
    ):
        one = model.fit(X, y).scores_
        assert 0.8 < one.mean(axis=-1).max() <= 1.0
        two = model.set_params(n_jobs=2).fit(X, y).scores_
        np.testing.assert_allclose(two, one, rtol=1e-6)


def test_fit_hands_groups_to_the_splitter(regression, classes):
    X, y = regression
    people = np.repeat(np.arange(6), 10)
    by_person = GroupKFold(3)
    model = ExclusiveLassoCV(groups=GROUPS, cv=by_person, lams=3).fit(X, y, groups=people)
    folds = list(by_person.split(X, y, people))
    by_hand = ExclusiveLassoCV(groups=GROUPS, cv=folds, lams=3).fit(X, y)
    assert model.scores_ == pytest.approx(by_hand.scores_)
    with pytest.raises(ValueError, match="groups"):
        ExclusiveLassoCV(groups=GROUPS, cv=by_person, lams=3).fit(X, y)
    X, y = classes
    options = dict(groups=GROUPS, cv=by_person)
    assert ExclusiveLogisticCV(lams=2, **options).fit(X, y, groups=people).scores_.shape == (2, 3)
    svc = ExclusiveSVCCV(alphas=[1.0], betas=[1.0], **options).fit(X, y, groups=people)
    assert svc.scores_.shape == (1, 1, 3)


@pytest.mark.parametrize("criterion", ["bic", "ebic"])
def test_degrees_of_freedom_are_right_at_the_default_tolerance(criterion):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((40, 200))
    y = X[:, :3].sum(axis=1) + 0.5 * rng.standard_normal(40)
    groups = Groups.contiguous(200, 10)
    model = ExclusiveLassoCV(criterion=criterion, groups=groups, lams=9).fit(X, y)
    path = lasso_path(X, y, groups, model.lams_, tol=1e-11, fit_intercept=True)
    right = [
        degrees_of_freedom(X, groups, lam, w, fit_intercept=True)
        for lam, w in zip(model.lams_, path.coefs, strict=True)
    ]
    assert model.df_path_ == pytest.approx(right, rel=1e-3)
    assert np.all(np.diff(model.df_path_) > 0)
    # At the default tolerance all of these are many more.
    loose = lasso_path(X, y, groups, model.lams_, tol=1e-4, fit_intercept=True)
    assert model.lam_ == model.lams_[np.argmin(model.criterion_path_)]
    assert loose.converged.all()


def test_the_grid_of_the_svm_grows_where_its_best_is_at_the_edge(classes):
    """By a score that likes weak penalties, however weak."""

    def weakness(model, X, y):
        return -np.log(model.alpha) - np.log(model.beta)

    X, y = classes
    common = dict(groups=GROUPS, cv=2, scoring=weakness)
    named = ExclusiveSVCCV(alphas=[100.0, 10.0], betas=[100.0, 10.0], **common).fit(X, y)
    assert named.alphas_.tolist() == named.betas_.tolist() == [100.0, 10.0]
    with pytest.warns(UserWarning, match=r"the best \(alpha_ = .*, beta_ = .*\)"):
        model = ExclusiveSVCCV(alphas=2, betas=2, eps=0.5, **common).fit(X, y)
    assert model.alphas_.size == model.betas_.size == 6
    assert model.scores_.shape == (6, 6, 2)
    assert np.all(np.diff(model.alphas_) < 0) and np.all(np.diff(model.betas_) < 0)
    expected = -np.log(model.alphas_)[:, None] - np.log(model.betas_)
    assert model.scores_[..., 0] == pytest.approx(expected)
    assert (model.alpha_, model.beta_) == (model.alphas_[-1], model.betas_[-1])


# -- inside scikit-learn ---------------------------------------------------------------------


def test_groups_that_follow_the_columns(regression):
    X, y = regression

    def by_sign(X):
        return (X.mean(axis=0) > np.median(X.mean(axis=0))).astype(int)

    model = ExclusiveLasso(1.0, groups=by_sign, random_state=0)
    assert model.fit(X, y).groups_.labels.tolist() == by_sign(X).tolist()
    assert RFE(model, n_features_to_select=4).fit(X, y).support_[0]
    bag = BaggingRegressor(model, n_estimators=3, max_features=0.5, random_state=0).fit(X, y)
    assert [each.groups_.n_features for each in bag.estimators_] == [6, 6, 6]


def test_a_mapping_by_name_follows_the_columns(regression):
    pandas = pytest.importorskip("pandas")
    X, y = regression
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(12)])
    labels = {name: i // 4 for i, name in enumerate(frame.columns)}
    lists = {str(g): [n for n in frame.columns if labels[n] == g] for g in range(3)}
    for mapping in (labels, lists):
        chosen = SelectKBest(f_regression, k=5).set_output(transform="pandas")
        model = make_pipeline(chosen, ExclusiveLasso(1.0, groups=mapping)).fit(frame, y)
        names = list(model[:-1].get_feature_names_out())
        expected = Groups.from_labels([labels[name] for name in names])
        assert model[-1].groups_ == expected


def test_select_from_model_keeps_what_is_not_zero(classes):
    X, y = classes
    for model in (
        ExclusiveSVC(1.0, 1e4, groups=GROUPS, tol=1e-8),
        ExclusiveLogistic(100.0, groups=GROUPS, tol=1e-8),
    ):
        selector = SelectFromModel(model).fit(X, y)
        used = np.abs(selector.estimator_.coef_[0]) > 1e-5
        assert selector.get_support().tolist() == used.tolist()
        assert 3 <= used.sum() < 12


@pytest.mark.parametrize("spec", ["auto", 3.0])
def test_groups_that_are_none_get_a_sentence(spec, regression):
    with pytest.raises(ValueError, match=r"neither a whole number of random groups"):
        ExclusiveLasso(groups=spec).fit(*regression)


# -- stability -------------------------------------------------------------------------------


def test_stable_features_are_the_true_ones():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 40))
    y = X[:, 3] - X[:, 17] + 0.3 * rng.standard_normal(120)
    model = ExclusiveLasso(300.0, groups=5)
    found = stability_selection(model, X, y, n_draws=20, threshold=0.9, random_state=0)
    assert np.flatnonzero(found.selected).tolist() == [3, 17]
    assert found.expected_false == pytest.approx(found.mean_selected**2 / (0.8 * 40))
    assert found.probability.sum() == pytest.approx(found.mean_selected)
    again = stability_selection(model, X, y, n_draws=20, threshold=0.9, random_state=0, n_jobs=2)
    assert again.probability.tolist() == found.probability.tolist()
    low = stability_selection(model, X, y, n_draws=4, threshold=0.4, random_state=0)
    assert np.isnan(low.expected_false)


def test_false_selections_stay_below_their_bound_where_features_are_exchangeable():
    """Columns of independent noise, two of which y is made of: the average of many drawings."""
    rng = np.random.default_rng(0)
    model = ExclusiveLasso(20.0, groups=5, fit_intercept=False)
    false, bounds = [], []
    for seed in range(25):
        X = rng.standard_normal((24, 30))
        y = X[:, 0] + X[:, 1] + rng.standard_normal(24)
        found = stability_selection(model, X, y, n_draws=10, threshold=0.7, random_state=seed)
        false.append(np.count_nonzero(found.selected[2:]))
        bounds.append(found.expected_false)
    assert 0.0 < np.mean(false) <= np.mean(bounds)


def test_halves_are_complementary_and_keep_the_classes(classes):
    X, y = classes
    seen = []

    class Watched(ExclusiveSVC):
        def fit(self, X, y):
            seen.append((X[:, 0].tolist(), self.groups))
            assert set(y) == {"high", "low"}
            return super().fit(X, y)

    stability_selection(Watched(1.0, 10.0, groups=3), X, y, n_draws=4, random_state=1)
    for (first, one), (second, other) in zip(seen[::2], seen[1::2], strict=True):
        assert not set(first) & set(second) and len(first) == len(second)
        assert one != other
    seen.clear()
    fixed = dict(n_draws=4, random_state=1, groupings="fixed")
    stability_selection(Watched(1.0, 10.0, groups=3), X, y, **fixed)
    assert len({groups for _, groups in seen}) == 1


def test_bad_stability_arguments(regression):
    with pytest.raises(ValueError, match="there is no grouping 'none'"):
        stability_selection(ExclusiveLasso(), *regression, groupings="none")
    with pytest.raises(ValueError, match="threshold must lie between 0 and 1"):
        stability_selection(ExclusiveLasso(), *regression, threshold=1.2)
    with pytest.raises(ValueError, match="n_draws must be at least 2"):
        stability_selection(ExclusiveLasso(), *regression, n_draws=1)


def test_scales_know_weights(regression):
    X, y = regression
    f = np.linspace(0.5, 2.0, 12)
    weighted = lambda_0(X, y, GROUPS, feature_weight=f, fit_intercept=True)
    assert weighted == pytest.approx(lambda_0(X / f, y, GROUPS, fit_intercept=True))


def test_repeated_rows_with_other_targets_stay_apart():
    """Of several tasks too: samples are told apart by all their numbers."""
    X = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0], [1.0, 2.0]])
    Y = np.array([[5.0, 5.0], [7.0, 1.0], [0.0, 0.0], [5.0, 5.0]])
    weight = np.array([1.0, 2.0, 3.0, 4.0])
    rows, targets, weights = distinct_samples(X, Y, weight)
    found = {(*x, *y): w for x, y, w in zip(rows, targets, weights, strict=True)}
    assert found == {(1, 2, 5, 5): 5.0, (1, 2, 7, 1): 2.0, (0, 1, 0, 0): 3.0}
    keys = sample_keys(X, Y)
    for one, other in zip(
        distinct_samples(X, Y, weight, keys), (rows, targets, weights), strict=True
    ):
        np.testing.assert_array_equal(one, other)
