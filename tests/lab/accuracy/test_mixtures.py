"""NMR mixtures: the moments, the two routes, the scores, and what is said of them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Lasso

from lab.accuracy import mixture_results
from lab.accuracy.mixture_results import compared
from lab.accuracy.mixtures import (
    STRONGEST,
    WAYS,
    WEAKEST,
    MixturesSpec,
    Moments,
    matched,
    route,
    run_mixture,
    score,
    specs,
)
from lab.data.datasets import DATA_FOLDER_VARIABLE, load
from lab.data.mixtures import MixtureSpec
from solvers import Groups, exclusive_norm
from tests.lab.data.test_mixtures import made_library


@pytest.fixture
def small(tmp_path, monkeypatch) -> MixturesSpec:
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    made_library(tmp_path)
    mixture = MixtureSpec(candidates=6, present=4, noise=0.02, copies=3, step=2, seed=3)
    return MixturesSpec(mixture, repeats=2, folds=3, strengths=30)


@pytest.fixture
def problem():
    """A true weight in each of three groups."""
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.standard_normal((40, 9)))
    return X, X @ np.array([4.0, 0, 0, 0, 3.0, 0, 0, 0, 2.0]) + rng.standard_normal(40)


def test_moments_know_every_squared_error(problem):
    X, y = problem
    whole = Moments.of(X, y)
    w = np.random.default_rng(1).standard_normal((3, 9))
    by_hand = [float(np.sum((X @ row - y) ** 2)) for row in w]
    assert np.allclose(whole.squared_errors(w), by_hand)
    R, z = whole.square()
    constant = by_hand[0] - np.sum((R @ w[0] - z) ** 2)
    assert np.allclose([np.sum((R @ row - z) ** 2) + constant for row in w], by_hand)
    rest = whole.without(Moments.of(X[:10], y[:10]))
    assert np.allclose(rest.gram, (X[10:].T @ X[10:]).toarray())
    # A column that is nought has no part in R and leaves it finite.
    empty = Moments.of(sparse.csr_array(np.c_[X.toarray(), np.zeros(40)]), y)
    assert empty.square()[0].shape[0] == 9 and np.isfinite(empty.square()[0]).all()


def test_the_lasso_route_is_scikit_learns(problem):
    """λ/2‖w‖₁² at w is a lasso at weight λ‖w‖₁: solved again by somebody else."""
    X, y = problem
    whole = Moments.of(X, y)
    found = route("lasso", whole, Groups.contiguous(9, 3), np.array([1.0, 0.1, 0.01]))
    from solvers.scales import lambda_0

    R, z = whole.square()
    scale = lambda_0(R, z, Groups.contiguous(9, 1), positive=True)
    for strength, w in zip(found.strengths, found.weights, strict=True):
        weight = strength * scale * np.abs(w).sum()
        other = Lasso(alpha=weight / 40, positive=True, fit_intercept=False, tol=1e-10)
        assert np.allclose(w, other.fit(X.toarray(), y).coef_, atol=1e-5)
    exclusive = route("exclusive", whole, Groups.contiguous(9, 3), np.array([1.0]))
    assert exclusive_norm(exclusive.weights[0], Groups.contiguous(9, 3)) > 0
    assert not np.allclose(exclusive.weights[0], found.weights[0], atol=1e-3)
    assert exclusive.gap <= 1e-6


def test_matched_copies_are_the_weakest_strength_that_keeps_to_them(problem):
    X, y = problem
    whole, groups = Moments.of(X, y), Groups.contiguous(9, 3)
    along = route("lasso", whole, groups, np.geomspace(STRONGEST, WEAKEST, 12))
    assert along.copies.min() <= 2 < along.copies.max()
    found = matched("lasso", whole, groups, along, 2)
    assert found.copies[0] <= 2
    weaker = route("lasso", whole, groups, found.strengths * 0.5)
    assert weaker.copies[0] > 2
    strong = route("exclusive", whole, groups, np.array([1e4, 1.0]))
    none = matched("exclusive", whole, groups, strong, 1)
    assert none.copies[0] == 3  # one a group is the fewest there is


def test_a_score_is_counted_by_hand(small):
    data = load(small.mixture)
    moments = Moments.of(data.X, data.y)
    perfect = score(data.true_weights, data, moments)
    assert (perfect["found"], perfect["named_absent"], perfect["right_shift"]) == (1.0, 0.0, 1.0)
    assert perfect["copies"] == 4 and perfect["refit_error"] < 0.05
    nothing = score(np.zeros(18), data, moments)
    assert (nothing["found"], nothing["refit_error"], nothing["copies"]) == (0.0, 1.0, 0)
    # One present metabolite at a wrong copy, and one that is absent.
    there = data.true_weights.reshape(6, 3).any(axis=1)
    wrong = data.true_weights.reshape(6, 3).copy()
    first = int(np.flatnonzero(there)[0])
    wrong[first] = np.roll(wrong[first], 1)
    wrong[int(np.flatnonzero(~there)[0]), 1] = 0.1
    found = score(wrong.reshape(-1), data, moments)
    assert found["found"] == 1.0 and found["named_absent"] == 0.5
    assert found["right_shift"] == 0.75


def test_a_trial_is_a_function_of_its_spec(small):
    trial = (1, 0, "exclusive")
    once, again = run_mixture(small, trial), run_mixture(small, trial)
    for result in (once, again):
        result.pop("seconds")
    assert once == again and once["gap"] <= 1e-6
    assert once["one each"]["copies"] <= 6 and once["two each"]["copies"] <= 12
    other = run_mixture(small, (1, 0, "lasso"))
    assert 0.0 <= other["accuracy"] <= 1.0 and other["one each"]["copies"] <= 6


def some(repeats, exclusive, lasso, absent=None) -> dict:
    def result(values, r):
        keys = ("found", "right_shift", "refit_error")
        own = {key: value[r] for key, value in zip(keys, values, strict=True)}
        return {way: {**own, "named_absent": absent, "copies": 40 + r} for way in WAYS}

    return {
        (r, 0, method): {"accuracy": 1.0, **result(values, r)}
        for r in range(repeats)
        for method, values in (("exclusive", exclusive), ("lasso", lasso))
    }


def test_structure_and_what_it_costs_are_said_as_they_are():
    spec = MixturesSpec(MixtureSpec(), repeats=5)
    found = some(
        5,
        ([1.0, 1.0, 1.0, 0.99, 1.0], [0.5, 0.6, 0.4, 0.5, 0.5], [0.30, 0.31, 0.29, 0.30, 0.31]),
        ([0.7, 0.71, 0.69, 0.7, 0.7], [0.5, 0.4, 0.6, 0.5, 0.5], [0.10, 0.10, 0.10, 0.11, 0.10]),
    )
    rows = compared(spec, found)
    assert [row.way for row in rows] == list(WAYS) and mixture_results.looks(rows).looks == 9
    first = rows[0].measures
    assert "named_absent" not in first  # all are present
    assert first["found"].difference.mean == pytest.approx(0.298)
    text = mixture_results.answer(rows)
    assert (
        "- With one copy a candidate: structure bought, accuracy paid. The exclusive lasso finds "
        "99.8 % against 70.0 % of the metabolites present "
        "(more in 1, less in 0 of 1 kind), has the right shift for 50.0 % against 50.0 % (more in "
        "0, less in 0 of 1 kind), and is refitted with an error of 30.20 % against 10.20 % (more "
        "in 1, less in 0 of 1 kind)."
    ) in text
    assert "5 mixtures of each kind" in text and "Holm's correction for 9 looks" in text
    cell = mixture_results.table(rows)["refit error, %"][0]
    assert cell.startswith("30.20 / 10.20 (+20.00 ± ")
    assert mixture_results.table(rows)["absent ones taken for present, %"] == ["", "", ""]
    del found[(4, 0, "lasso")]
    assert compared(spec, found) == []  # four pairs say nothing
    assert {row.repeats for row in compared(spec, found, fewest=4)} == {4}


def test_absent_ones_count_where_some_are_absent():
    spec = MixturesSpec(MixtureSpec(present=20), repeats=5)
    flat = ([0.9] * 5, [0.8] * 5, [0.1] * 5)
    rows = compared(spec, some(5, flat, flat, absent=0.5))
    assert rows[0].measures["named_absent"].exclusive.mean == 0.5
    assert "tuned by cross-validation: no structure bought, no accuracy paid. The exclusive" in (
        mixture_results.answer(rows)
    )
    assert "takes 50.0 % against 50.0 % of those absent for present (more in 0" in (
        mixture_results.answer(rows)
    )
    assert mixture_results.so_far(rows).startswith(
        "So far: 40 of 40 present, noise 0.02 (0 of 20 draws)"
    )


def test_the_committed_kinds_differ_in_one_thing_each():
    kinds = [spec.mixture for spec in specs()]
    assert len({spec.family for spec in specs()}) == len(kinds) == 5
    assert {(kind.present, kind.noise, kind.between) for kind in kinds} == {
        (40, 0.02, False),
        (40, 0.2, False),
        (20, 0.02, False),
        (20, 0.2, False),
        (40, 0.02, True),
    }
