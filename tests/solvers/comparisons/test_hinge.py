"""The SVM of the comparisons comes to its end whatever its strength, and says where it did not."""

import warnings

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from solvers.comparisons import KongSVC, StandardSVC, fit_hinge, hinge


@pytest.fixture
def overlapping():
    """Rows that no plane separates, with few features of unlike spread: libsvm's worst case."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 4)) * [1.0, 0.3, 0.1, 0.03]
    return X, np.where(X[:, 0] + rng.standard_normal(120) > 0.0, 1.0, -1.0)


def objective(X, y, weight, alpha, w, b) -> float:
    return float(weight @ np.maximum(0.0, 1.0 - y * (X @ w + b)) + 0.5 * alpha * w @ w)


def optimum(X, y, weight, alpha) -> float:
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    loss = weight @ cp.pos(1.0 - cp.multiply(y, X @ w + b))
    return cp.Problem(cp.Minimize(loss + 0.5 * alpha * cp.sum_squares(w))).solve(cp.CLARABEL)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_weak_strength_is_solved_where_libsvm_moves_without_end(overlapping, kind, weighted):
    (X, y), alpha = overlapping, 1e-6
    weight = np.where(y > 0, 3.0, 0.5) if weighted else np.ones(120)
    options = dict(tol=1e-4, sample_weight=weight if weighted else None)
    found = fit_hinge(kind(X), y, alpha, **options)
    assert found.converged and found.gap <= 1e-6 and found.n_iter_ < 1_000
    value = objective(X, y, weight, alpha, found.coef_[0], found.intercept_[0])
    assert value == pytest.approx(optimum(X, y, weight, alpha), rel=2e-6)
    # As many moves of libsvm's as it is given leave it far from there.
    model = SVC(kernel="linear", C=1.0 / alpha, tol=1e-4, max_iter=hinge._LOOKS // 120)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y, sample_weight=weight)
    there = objective(X, y, weight, alpha, model.coef_[0], model.intercept_[0])
    assert there > (1.0 + 1e-3) * value


@pytest.mark.parametrize("n_features", [4, 60])
def test_both_ways_and_products_of_rows_give_the_same_machine(monkeypatch, n_features):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, n_features))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(40) > 0.0, 1.0, -1.0)
    libsvm = fit_hinge(X, y, 2.0, tol=1e-8)
    products = fit_hinge(X, y, 2.0, tol=1e-8, gram=X @ X.T)
    assert libsvm.gap is None and libsvm.converged
    monkeypatch.setattr(hinge, "_MOVES", 0)
    monkeypatch.setattr(hinge, "_LOOKS", 40)
    ours = fit_hinge(X, y, 2.0, tol=1e-8, gram=X @ X.T)
    assert ours.gap <= 1e-6
    for other in (products, ours):
        assert other.coef_ == pytest.approx(libsvm.coef_, abs=1e-5)
        assert other.intercept_ == pytest.approx(libsvm.intercept_, abs=1e-5)


def test_estimators_come_to_the_end_without_a_warning_and_warn_where_they_are_held(overlapping):
    X, y = overlapping
    for model in (StandardSVC(1e-6), KongSVC(1e-3, 1e-6, groups=2, random_state=0)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.fit(X, y)
        assert model.n_iter_ < 1_000
        with pytest.warns(ConvergenceWarning, match="not at its tolerance"):
            model.set_params(max_iter=50).fit(X, y)
        assert model.n_iter_ == 50
