"""Data of extreme size: the same digits as at an ordinary one."""

import numpy as np
import pytest
from scipy import sparse

from solvers import (
    ExclusiveLasso,
    ExclusiveLogistic,
    ExclusiveSVC,
    Groups,
    lasso_path,
    solve_lasso,
    solve_logistic,
    solve_svm,
    svm_path,
)
from solvers.comparisons import fit_norm
from solvers.scales import lambda_0, svm_scales
from solvers.units import Units


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 20))
    y = X[:, 0] - X[:, 7] + 0.1 * rng.standard_normal(12)
    return X, y, Groups.contiguous(20, 4)


@pytest.mark.parametrize("data_exponent", [-490, -100, 100, 490])
@pytest.mark.parametrize("target_exponent", [-490, 0, 490])
@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array, lambda X: X.tolist()])
def test_lasso_gives_the_same_digits(data, data_exponent, target_exponent, wrap):
    X, y, groups = data
    plain = solve_lasso(X, y, groups, 0.5)
    seen = []
    scaled = solve_lasso(
        wrap(np.ldexp(X, data_exponent)),
        np.ldexp(y, target_exponent),
        groups,
        np.ldexp(0.5, 2 * data_exponent),
        callback=lambda record, w: seen.append((record.objective, w)),
    )
    assert scaled.converged
    # A target of ordinary size keeps its units; the data are divided by all of their size.
    np.testing.assert_allclose(
        scaled.w, np.ldexp(plain.w, target_exponent - data_exponent), rtol=1e-6, atol=0
    )
    assert np.ldexp(scaled.objective, -2 * target_exponent) == pytest.approx(plain.objective)
    assert scaled.history.objective[-1] == pytest.approx(seen[-1][0])
    assert scaled.gap <= 1e-6


@pytest.mark.parametrize("exponent", [-490, 490])
def test_classifiers_give_the_same_digits(data, exponent):
    X, y, groups = data
    labels, big = np.sign(y), np.ldexp(X, exponent)
    strength = float(np.ldexp(0.5, 2 * exponent))
    for plain, scaled in (
        (
            solve_svm(X, labels, groups, 0.5, 0.5),
            solve_svm(big, labels, groups, strength, strength),
        ),
        (solve_logistic(X, labels, groups, 0.5), solve_logistic(big, labels, groups, strength)),
    ):
        assert scaled.converged
        assert scaled.objective == pytest.approx(plain.objective, rel=1e-6)
        np.testing.assert_allclose(X @ plain.w, big @ scaled.w, atol=2e-3)


def test_a_count_of_groups_is_refused_at_every_size(data):
    X, y, _ = data
    for scale, lam in ((1.0, 1.0), (1e30, 1e60)):
        with pytest.raises(ValueError, match="groups = 4 would draw random groups"):
            solve_lasso(scale * X, y, 4, lam)


@pytest.mark.parametrize("form", ["dok", "lil", "coo", "csc", "bsr", "dia"])
def test_every_sparse_form_is_scaled(data, form):
    X, y, groups = data
    plain = solve_lasso(X, y, groups, 0.5)
    stored = getattr(sparse, f"{form}_array")(np.ldexp(X, 100))
    scaled = solve_lasso(stored, y, groups, np.ldexp(0.5, 200))
    assert scaled.objective == pytest.approx(plain.objective, rel=1e-6)


def test_a_target_that_hardly_differs_from_its_mean_keeps_its_differences(data):
    X, _, groups = data
    steps = np.arange(12.0) % 3
    plain = solve_lasso(X, steps, groups, 0.5, fit_intercept=True, tol=1e-9)
    assert plain.objective > 0.1
    for level in (1e3, 1e12, 1e15):
        shifted = solve_lasso(X, steps + level, groups, 0.5, fit_intercept=True, tol=1e-9)
        assert shifted.objective == pytest.approx(plain.objective, rel=1e-8)
        np.testing.assert_allclose(shifted.w, plain.w, atol=1e-5)
    for constant in (0.1, 1e15 / 3.0):
        flat = solve_lasso(X, np.full(12, constant), groups, 0.5, fit_intercept=True)
        assert (flat.objective, flat.intercept) == (0.0, constant) and not flat.w.any()


def test_a_start_is_scaled_too(data):
    X, y, groups = data
    w = solve_lasso(X, y, groups, 0.5, tol=1e-10).w
    again = solve_lasso(
        np.ldexp(X, 300), y, groups, np.ldexp(0.5, 600), w0=np.ldexp(w, -300), method="locp"
    )
    assert again.history.gap[0] < 1e-6


def test_a_strength_out_of_proportion_leaves_the_data_as_they_are(data):
    X, y, groups = data
    assert not Units.of(np.ldexp(X, 490)).suit([1e-20])
    result = solve_lasso(np.ldexp(X, 490), y, groups, 1e-20, max_iter=20)
    assert result.status != "converged" or result.gap <= 1e-6
    with pytest.raises(ValueError, match="whose square overflows"):
        solve_lasso(np.ldexp(X, 600), y, groups, 1e-20)


@pytest.mark.parametrize("values", [[["a", "b"]], [[np.nan, 1.0]], [[np.inf, 1.0]], []])
def test_what_is_no_data_is_left_to_the_problem(values):
    assert Units.of(values).ordinary


# -- all three doors: functions, paths, estimators -----------------------------------------------


def through_every_door(X, y, groups, lam):
    found = solve_lasso(X, y, groups, lam)
    yield found.w, found.gap
    path = lasso_path(X, y, groups, [lam, 3.0 * lam])
    yield path.coefs[0], path.gaps[0]
    model = ExclusiveLasso(lam, groups=groups, fit_intercept=False, tol=1e-6).fit(X, y)
    yield model.coef_, model.dual_gap_
    fit = fit_norm("exclusive", X, y, groups, lam)
    yield fit.w, fit.gap


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("data_size", "target_size"),
    [(1e-150, 1.0), (1.0, 1e-170), (1e-150, 1e-160), (1e140, 1e-170), (1e-140, 1e-300)],
)
def test_every_door_of_the_lasso_gives_the_same_certificate(data, data_size, target_size):
    X, y, groups = data
    plain = solve_lasso(X, y, groups, 0.5).w * (target_size / data_size)
    size = np.abs(plain).max()
    for w, gap in through_every_door(X * data_size, y * target_size, groups, 0.5 * data_size**2):
        assert 0.0 <= gap <= 1e-6
        # Against all weights being wrong, as they were where a tiny objective looked like 0.
        np.testing.assert_allclose(w / size, plain / size, atol=2e-3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-150, 1e140])
def test_every_door_of_the_classifiers_gives_the_same_certificate(data, size):
    X, y, groups = data
    labels, strength = np.sign(y), 0.5 * size**2
    plain = solve_svm(X, labels, groups, 0.5, 0.5).w
    path = svm_path(X * size, labels, groups, strength, [3.0 * strength, strength])
    model = ExclusiveSVC(strength, strength, groups=groups, fit_intercept=False, tol=1e-6)
    model.fit(X * size, labels)
    for w, gap in ((path.coefs[1], path.gaps[1]), (model.coef_[0], model.dual_gap_)):
        assert 0.0 <= gap <= 1e-6
        np.testing.assert_allclose(w * size, plain, atol=2e-3)
    logistic = ExclusiveLogistic(strength, groups=groups, fit_intercept=False, tol=1e-6)
    logistic.fit(X * size, labels)
    expected = solve_logistic(X, labels, groups, 0.5).w
    np.testing.assert_allclose(logistic.coef_[0] * size, expected, atol=2e-3)


@pytest.mark.parametrize("size", [1e-150, 1e140])
def test_a_start_and_its_path_are_in_the_units_of_the_data(data, size):
    X, y, groups = data
    labels, strength = np.sign(y), 0.5 * size**2
    for solver, target, strengths in (
        (solve_lasso, size * y, [strength]),
        (solve_svm, labels, [strength, strength]),
    ):
        cold = solver(X * size, target, groups, *strengths)
        warm = solver(X * size, target, groups, *strengths, w0=cold.w, max_iter=0)
        assert warm.objective <= cold.objective * (1.0 + 1e-6)


@pytest.mark.parametrize("size", [1e-150, 1e140])
def test_scales_follow_the_size_of_the_data(data, size):
    X, y, groups = data
    assert lambda_0(X * size, y, groups) == pytest.approx(lambda_0(X, y, groups) * size**2)
    plain = np.array(svm_scales(X, np.sign(y), groups))
    assert svm_scales(X * size, np.sign(y), groups) == pytest.approx(plain * size**2)


@pytest.mark.parametrize("size", [1e-300, 1e-160])
def test_a_strength_out_of_proportion_leaves_no_weight_and_says_so(data, size):
    X, y, groups = data
    for found in (
        solve_lasso(X * size, y, groups, 1.0),
        solve_logistic(X * size, np.sign(y), groups, 1.0),
        solve_svm(X * size, np.sign(y), groups, 1.0, 1.0),
    ):
        assert found.status == "converged" and found.gap <= 1e-6
