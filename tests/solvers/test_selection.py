"""Degrees of freedom against the divergence of exact fits, and the criteria built on them."""

import numpy as np
import pytest
from scipy import optimize

from solvers import Groups
from solvers.selection import degrees_of_freedom, information_criterion


def exact_fit(X, y, groups, lam):
    """The exclusive lasso as non-negative least squares, by an active-set method."""
    A = groups.incidence.toarray() * np.sqrt(lam)
    B = np.block([[X, -X], [A, A]])
    q, _ = optimize.nnls(B, np.concatenate([y, np.zeros(groups.n_groups)]), maxiter=10_000)
    n = X.shape[1]
    return q[:n] - q[n:]


def problem(n_samples, groups, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, groups.n_features))
    w = np.where(rng.random(groups.n_features) < 0.3, 1.5, 0.0)
    return X, X @ w, rng


GROUPS = {
    "disjoint": Groups.contiguous(15, 4),
    "overlapping": Groups.from_lists([range(6), range(4, 11), [*range(9, 15), 0]], 15),
}


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("lam", [0.5, 20.0])
@pytest.mark.parametrize("n_samples", [30, 10])
def test_degrees_of_freedom_are_the_divergence_of_the_fit(kind, lam, n_samples):
    groups = GROUPS[kind]
    X, signal, rng = problem(n_samples, groups)
    y = signal + rng.standard_normal(n_samples)
    step = 1e-6
    divergence = 0.0
    for i in range(n_samples):
        up, down = y.copy(), y.copy()
        up[i] += step
        down[i] -= step
        difference = X[i] @ (exact_fit(X, up, groups, lam) - exact_fit(X, down, groups, lam))
        divergence += difference / (2 * step)
    found = degrees_of_freedom(X, groups, lam, exact_fit(X, y, groups, lam))
    assert found == pytest.approx(divergence, rel=1e-4)


def test_degrees_of_freedom_are_the_covariance_with_the_data():
    groups, lam, draws, sigma = GROUPS["disjoint"], 5.0, 3000, 1.0
    X, signal, rng = problem(20, groups)
    noise = sigma * rng.standard_normal((draws, 20))
    covariances, estimates = np.empty(draws), np.empty(draws)
    for k in range(draws):
        w = exact_fit(X, signal + noise[k], groups, lam)
        covariances[k] = noise[k] @ (X @ w - signal) / sigma**2
        estimates[k] = degrees_of_freedom(X, groups, lam, w)
    error = covariances.std() / np.sqrt(draws)
    assert error < 0.25
    assert abs(covariances.mean() - estimates.mean()) < 4 * error


def test_groups_of_one_have_the_degrees_of_freedom_of_ridge():
    groups = Groups.contiguous(15, 15)
    X, signal, rng = problem(30, groups)
    w = exact_fit(X, signal + rng.standard_normal(30), groups, 7.0)
    values = np.linalg.eigvalsh(X.T @ X)
    assert degrees_of_freedom(X, groups, 7.0, w) == pytest.approx(np.sum(values / (values + 7.0)))
    centred = np.linalg.eigvalsh((X - X.mean(0)).T @ (X - X.mean(0)))
    assert degrees_of_freedom(X, groups, 7.0, w, fit_intercept=True) == pytest.approx(
        1.0 + np.sum(centred / (centred + 7.0))
    )


def test_one_group_without_penalty_counts_its_support():
    groups = Groups.contiguous(15, 1)
    X, _, _ = problem(30, groups)
    w = np.zeros(15)
    w[[1, 4, 7]] = [1.0, -2.0, 0.5]
    assert degrees_of_freedom(X, groups, 1e-9, w) == pytest.approx(3.0)
    assert degrees_of_freedom(X, groups, 1e12, w) == pytest.approx(2.0, abs=1e-6)
    assert degrees_of_freedom(X, groups, 1.0, np.zeros(15)) == 0.0


def test_duplicate_columns_share_one_degree_of_freedom():
    groups = Groups.contiguous(4, 2)
    column = np.random.default_rng(0).standard_normal(20)
    X = np.column_stack([column, column, np.ones(20), np.ones(20)])
    twice = degrees_of_freedom(X, groups, 1.0, np.array([1.0, 1.0, 0.5, 0.5]))
    once = degrees_of_freedom(X, groups, 1.0, np.array([1.0, 0.0, 0.5, 0.0]))
    assert twice == pytest.approx(once)


def test_a_weight_is_a_number_of_copies():
    groups = GROUPS["disjoint"]
    X, signal, rng = problem(12, groups)
    y, copies = signal + rng.standard_normal(12), rng.integers(1, 4, 12)
    w = exact_fit(X, y, groups, 2.0)
    for criterion in ("bic", "ebic"):
        common = dict(criterion=criterion, fit_intercept=True, noise_variance=1.0)
        weighted = information_criterion(X, y, groups, 2.0, w, sample_weight=copies, **common)
        repeated = information_criterion(
            np.repeat(X, copies, axis=0), np.repeat(y, copies), groups, 2.0, w, **common
        )
        assert weighted == pytest.approx(repeated)


def test_criteria_add_up():
    groups = GROUPS["disjoint"]
    X, signal, rng = problem(40, groups)
    y = signal + rng.standard_normal(40)
    w = exact_fit(X, y, groups, 2.0)
    df, rss = degrees_of_freedom(X, groups, 2.0, w), np.sum((y - X @ w) ** 2)
    bic = information_criterion(X, y, groups, 2.0, w)
    assert bic == pytest.approx(40 * np.log(rss / 40) + df * np.log(40))
    ebic = information_criterion(X, y, groups, 2.0, w, criterion="ebic", gamma=1.0)
    assert ebic - bic == pytest.approx(2 * df * np.log(15))
    known = information_criterion(X, y, groups, 2.0, w, noise_variance=2.0)
    assert known == pytest.approx(rss / 2.0 + df * np.log(40))
    assert information_criterion(X, y, groups, 2.0, w, max_df=df - 0.1) == np.inf


def test_bic_prefers_the_true_strength_of_noise():
    """With more noise the chosen penalty grows."""
    groups = Groups.contiguous(30, 6)
    rng = np.random.default_rng(4)
    X = rng.standard_normal((60, 30))
    w = np.zeros(30)
    w[::5] = 2.0
    lams = np.geomspace(1e3, 1e-2, 12)
    chosen = []
    for sigma in (0.1, 5.0):
        y = X @ w + sigma * rng.standard_normal(60)
        fits = [exact_fit(X, y, groups, lam) for lam in lams]
        values = [
            information_criterion(X, y, groups, lam, fit)
            for lam, fit in zip(lams, fits, strict=True)
        ]
        chosen.append(lams[int(np.argmin(values))])
    assert chosen[0] < chosen[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"criterion": "aic"}, "no criterion 'aic'.*bic, ebic"),
        ({"gamma": 2.0}, "gamma must lie between 0 and 1"),
        ({"noise_variance": 0.0}, "noise_variance must be a positive"),
    ],
)
def test_bad_arguments_are_named(change, sentence):
    groups = GROUPS["disjoint"]
    X, y, _ = problem(20, groups)
    with pytest.raises(ValueError, match=sentence):
        information_criterion(X, y, groups, 1.0, np.ones(15), **change)
    with pytest.raises(ValueError, match="one finite number per feature"):
        degrees_of_freedom(X, groups, 1.0, np.ones(3))
