"""method="auto": exact, with few products, the same on every machine, never a dense answer."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from benchmarks.peers import Counter, Peer, draw, eta, strengths
from solvers import (
    LASSO_METHODS,
    LOGISTIC_METHODS,
    SVM_METHODS,
    Groups,
    automatic,
    cheap_steps,
    lasso_path,
    logistic_path,
    solve_huber,
    solve_lasso,
    solve_logistic,
    solve_poisson,
    solve_svm,
    svm_grid,
    svm_path,
    svm_paths,
)
from solvers.design import Design
from solvers.problems import LassoProblem, LogisticProblem, SVMProblem
from solvers.registry import choose
from solvers.scales import lambda_0, svm_scales
from solvers.second_order import svm_path as svm_steps
from solvers.second_order import svm_sieve
from solvers.second_order.face_systems import ThinSystem
from solvers.second_order.sieve import Sieve
from solvers.second_order.svm_elimination import Coupling
from solvers.second_order.svm_interior import interior_fits
from solvers.second_order.svm_quasi_newton import DualPoint
from solvers.tracking import solve
from tests.oracles import random_instance
from tests.solvers.test_solve import check_against

SQUARED = Peer("squared", "squared", 60, 1_200, True, None, None, 12)
LOGISTIC = Peer("logistic", "logistic", 60, 1_200, True, None, None, 12)


def windows(n_features, width):
    return Groups.from_lists(
        [list(range(i, i + width)) for i in range(n_features - width + 1)], n_features
    )


def all_pairs(n_features):
    pairs = [[i, j] for i in range(n_features) for j in range(i)]
    return Groups.from_lists(pairs, n_features)


def data(n_samples, n_features, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    w = np.zeros(n_features)
    w[rng.permutation(n_features)[:8]] = 3.0 * rng.standard_normal(8)
    return X, X @ w + rng.standard_normal(n_samples)


SHAPES = {
    "wide": (*data(40, 900), Groups.random(900, 9, random_state=0)),
    "tall": (*data(400, 60), Groups.random(60, 6, random_state=0)),
    "square": (*data(80, 80), Groups.contiguous(80, 8)),
    "windows": (*data(25, 450), windows(450, 3)),
    "all pairs": (*data(30, 24), all_pairs(24)),
    "one group": (*data(30, 50), Groups.contiguous(50, 1)),
}
each_shape = pytest.mark.parametrize("shape", SHAPES)


def test_a_hard_problem_goes_to_the_interior_point_early(monkeypatch):
    """Overlapping groups whose signs keep changing: also a small one does not spend that work."""
    X, y = data(200, 1_000)
    groups = Groups.from_lists([range(i, min(i + 25, 1_000)) for i in range(0, 1_000, 20)], 1_000)
    problem = LassoProblem(X, y, groups, 1e-3 * lambda_0(X, y, groups))
    path = automatic.StrengthPath(problem)
    spent, run = [], path._next.run

    def interior(problem, w0):
        spent.append(path._sieve.work)
        return run(problem, w0)

    monkeypatch.setattr(path, "_next", SimpleNamespace(run=interior))
    found = [problem.score(build()) for build in path.candidates(problem)]
    assert min(score.objective - score.bound for score in found) <= 1e-6 * found[-1].objective
    assert 0.0 < spent[0] < automatic.interior_work(problem)


@each_shape
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("share", [10.0, 1e-1, 1e-3])
def test_every_loss_agrees_with_another_method(shape, fit_intercept, share):
    X, y, groups = SHAPES[shape]
    labels = np.where(y > np.median(y), 1.0, -1.0)
    lam = share * lambda_0(X, y, groups, fit_intercept=fit_intercept)
    alpha, beta = svm_scales(X, labels, groups, fit_intercept=fit_intercept)
    options = {"fit_intercept": fit_intercept}
    svm = SVMProblem(X, labels, groups, 0.1 * alpha, share * beta, **options)
    for problem, methods, other in (
        (LassoProblem(X, y, groups, lam, **options), LASSO_METHODS, "newton"),
        (LogisticProblem(X, labels, groups, lam / 4.0, **options), LOGISTIC_METHODS, "newton"),
        (svm, SVM_METHODS, "interior"),
    ):
        result = solve(problem, choose(methods, "auto", problem), tol=1e-7)
        reference = solve(problem, methods[other], tol=1e-9)
        assert result.converged, (result.status, result.gap)
        assert result.objective == pytest.approx(reference.objective, rel=2e-7)
        if problem is not svm:
            # Where an interior point ends the run, its zeros are read off at 1e-7.
            assert np.count_nonzero(result.w) <= np.count_nonzero(reference.w) + 2


@pytest.mark.parametrize("kind", ["lasso", "logistic", "svm"])
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("storage", ["C", "csr"])
def test_auto_agrees_with_clarabel(kind, overlapping, storage):
    for seed in range(20, 23):
        instance = random_instance(
            kind, seed, overlapping=overlapping, storage=storage, fit_intercept=seed % 2 == 0
        )
        check_against(instance.solve(tol=5e-7), instance)


@pytest.mark.parametrize("peer", [SQUARED, LOGISTIC], ids=["squared", "logistic"])
def test_a_wide_path_takes_few_products(peer):
    X, y, groups = draw(peer)
    lams = strengths(peer, X, y)
    along, kind = (
        (lasso_path, LassoProblem) if peer is SQUARED else (logistic_path, LogisticProblem)
    )
    with Counter() as counter:
        path = along(X, y, groups, lams)
    assert counter.products <= 5 * lams.size
    assert path.gaps.max() <= 1e-6
    for lam, w in zip(lams, path.coefs, strict=True):
        assert eta(kind(X, y, groups, float(lam)), w) <= 1e-6
        assert np.count_nonzero(w) <= X.shape[0] + groups.n_groups


def test_a_product_asked_for_twice_is_computed_once():
    X, y, groups = SHAPES["wide"]
    design = LassoProblem(X, y, groups, 1.0).design
    with Counter() as counter:
        first = design.rmatvec(y)
        first[:] = 0.0
        np.testing.assert_array_equal(design.rmatvec(y), y @ X)
        design.rmatvec(2.0 * y)
    assert counter.products == 2


@pytest.mark.parametrize("share", [1.0, 1e-3])
def test_decisions_do_not_depend_on_the_clock(monkeypatch, share):
    X, y, groups = SHAPES["wide"]
    labels, lam = np.where(y > 0, 1.0, -1.0), share * lambda_0(X, y, groups)
    alpha, beta = svm_scales(X, labels, groups)

    def answers():
        return (
            solve_lasso(X, y, groups, lam),
            solve_logistic(X, labels, groups, lam / 4.0),
            solve_svm(X, labels, groups, 0.1 * alpha, share * beta),
        )

    before = answers()
    ticks = np.random.default_rng(0).exponential(3.0, 1_000_000).cumsum()
    monkeypatch.setattr(time, "perf_counter", iter(ticks).__next__)
    for one, other in zip(before, answers(), strict=True):
        assert one.n_iter == other.n_iter
        np.testing.assert_array_equal(one.w, other.w)


@pytest.mark.parametrize("shape", ["wide", "windows"])
@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
def test_the_support_does_not_depend_on_the_tolerance(shape, tol):
    X, y, groups = SHAPES[shape]
    labels, lam = np.where(y > 0, 1.0, -1.0), 0.3 * lambda_0(X, y, groups)
    counts = np.random.default_rng(0).poisson(np.exp(np.clip(y / 8.0, -2.0, 2.0)))
    for answer in (
        lambda tol: solve_lasso(X, y, groups, lam, tol=tol),
        lambda tol: solve_logistic(X, labels, groups, lam / 4.0, tol=tol),
        lambda tol: solve_poisson(X, counts, groups, lam, fit_intercept=True, tol=tol),
        lambda tol: solve_huber(X, y, groups, lam, delta=2.0, tol=tol),
    ):
        loose, strict = answer(tol), answer(1e-10)
        assert loose.converged
        np.testing.assert_array_equal(np.flatnonzero(loose.w), np.flatnonzero(strict.w))


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("share", [1e-6, 1e-10])
def test_the_svm_with_little_ridge_has_exact_zeros_too(share, fit_intercept):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((70, 3000)) + 2.0 * rng.standard_normal((70, 1))
    y, groups = np.sign(X[:, 0] + rng.standard_normal(70)), Groups.random(3000, 50, random_state=0)
    alpha, beta = svm_scales(X, y, groups, fit_intercept=fit_intercept)
    for tol in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11):
        result = solve_svm(
            X, y, groups, share * alpha, 1e-2 * beta, tol=tol, fit_intercept=fit_intercept
        )
        assert result.converged
        assert np.count_nonzero(result.w) <= 70 + 50


def test_starting_at_the_solution_costs_no_more_than_starting_cold():
    X, y, groups = SHAPES["wide"]
    labels = np.where(y > 0, 1.0, -1.0)
    alpha, beta = svm_scales(X, labels, groups)
    lam = 0.1 * lambda_0(X, y, groups)
    for answer in (
        lambda **start: solve_lasso(X, y, groups, lam, **start),
        lambda **start: solve_logistic(X, labels, groups, lam / 4.0, **start),
        lambda **start: solve_svm(X, labels, groups, 0.1 * alpha, 0.1 * beta, **start),
    ):
        with Counter() as cold_products:
            cold = answer()
        with Counter() as warm_products:
            warm = answer(w0=cold.w)
        assert warm.converged
        # Scoring w0, w = 0 and the cold dual point are products that a cold start does without.
        assert warm_products.products <= cold_products.products + 3


def test_sparse_data_stay_sparse(monkeypatch):
    """The columns gathered are a small share of all, and nothing else is made dense."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((300, 6000), density=0.01, rng=rng, format="csr")
    y = np.asarray(X[:, :5].sum(axis=1)).ravel() + 0.1 * rng.standard_normal(300)
    groups = Groups.random(6000, 30, random_state=0)
    problem = LassoProblem(X, y, groups, lambda_0(X, y, groups))
    sieve = Sieve(problem)
    for _ in sieve.rounds(problem):
        pass
    assert sieve.settled and sieve._columns.features.size <= 600
    monkeypatch.setattr(Design, "weighted_gram", None)
    labels, asked, columns = np.where(y > np.median(y), 1.0, -1.0), [], Design.columns

    def counted(design, indices):
        asked.append(np.size(indices) if design.is_sparse else 0)
        return columns(design, indices)

    monkeypatch.setattr(Design, "columns", counted)
    alpha, beta = svm_scales(X, labels, groups)
    for posed, methods in (
        (problem, LASSO_METHODS),
        (LogisticProblem(X, labels, groups, 0.25 * problem.lam), LOGISTIC_METHODS),
        (SVMProblem(X, labels, groups, 0.1 * alpha, 0.1 * beta), SVM_METHODS),
    ):
        asked.clear()
        assert solve(posed, choose(methods, "auto", posed)).converged
        assert max(asked, default=0) <= 600


def test_cheap_steps_run_beside_a_sieve_of_large_systems(monkeypatch):
    """Whether they get there first or are given up, the answer is the same and certified."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((200, 1500), density=0.02, rng=rng, format="csr")
    y = np.asarray(X[:, :9].sum(axis=1)).ravel() + 0.1 * rng.standard_normal(200)
    groups = Groups.random(1500, 150, random_state=0)
    labels = np.where(y > np.median(y), 1.0, -1.0)
    looks = []
    until = automatic.CheapSteps.until

    def counted(self, *arguments):
        yield from until(self, *arguments)
        looks.append(self._left)

    monkeypatch.setattr(automatic.CheapSteps, "until", counted)
    for share in (1.0, 1e-2):
        for kind, methods, target, curvature in (
            (LassoProblem, LASSO_METHODS, y, 1.0),
            (LogisticProblem, LOGISTIC_METHODS, labels, 0.25),
        ):
            problem = kind(X, target, groups, curvature * share * lambda_0(X, y, groups))
            reference = solve(problem, methods["newton"], tol=1e-8)
            with monkeypatch.context() as changed:
                changed.setattr(automatic, "SYSTEM_STEPS", 0.0)
                changed.setattr(cheap_steps, "LANCZOS", 0.0)
                looks.clear()
                result = solve(problem, choose(methods, "auto", problem))
            assert result.converged and looks
            assert result.objective == pytest.approx(reference.objective, rel=2e-6)


def documents(n_samples, n_words, length, seed=0):
    """Counts of words of which few are frequent, and labels that have nothing to do with them."""
    rng = np.random.default_rng(seed)
    frequency = np.arange(1.0, n_words + 1.0) ** -0.9
    words = rng.choice(n_words, (n_samples, length), p=frequency / frequency.sum())
    rows = np.repeat(np.arange(n_samples), length)
    X = sparse.csr_array((np.ones(rows.size), (rows, words.ravel())), shape=(n_samples, n_words))
    X.sum_duplicates()
    return X, np.where(rng.random(n_samples) < 0.5, 1.0, -1.0)


def test_short_newton_steps_do_not_end_cheap_steps_on_sparse_documents(monkeypatch):
    """An interior point would cost more than ten times what they still need."""
    X, y = documents(500, 20_000, 80)
    problem = SVMProblem(X, y, Groups.random(20_000, 20, random_state=0), 1.0, 10.0)
    reference = solve(problem, SVM_METHODS["quasi_newton"], tol=1e-7)
    monkeypatch.setattr(svm_steps, "svm_interior_point", None)
    steps, newton_step = [], svm_steps.newton_step

    def counted(*arguments, **options):
        step, systems = newton_step(*arguments, **options)
        steps.append(step)
        return step, systems

    monkeypatch.setattr(svm_steps, "newton_step", counted)
    result = solve(problem, choose(SVM_METHODS, "auto", problem))
    assert result.converged and min(steps) < 0.1
    assert result.objective == pytest.approx(reference.objective, rel=2e-6)


def test_few_samples_and_many_small_groups_take_the_thin_system(monkeypatch):
    made = []
    fitting = ThinSystem.fitting.__func__

    def counted(cls, *arguments):
        made.append(fitting(cls, *arguments))
        return made[-1]

    monkeypatch.setattr(ThinSystem, "fitting", classmethod(counted))
    X, y = data(10, 1050)
    groups = windows(1050, 3)
    lam = 1e-2 * lambda_0(X, y, groups)
    result = solve_lasso(X, y, groups, lam, method="active_set", tol=1e-9)
    reference = solve_lasso(X, y, groups, lam, method="newton", tol=1e-9)
    assert any(system is not None for system in made)
    assert result.converged
    assert result.objective == pytest.approx(reference.objective, rel=2e-9)


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_overlapping_svm_on_few_features_agrees_with_all(fit_intercept):
    X, y = data(20, 700)
    labels = np.where(y > 0, 1.0, -1.0)
    groups = Groups.from_lists([list(range(i, min(i + 60, 700))) for i in range(0, 700, 40)], 700)
    alpha, beta = svm_scales(X, labels, groups, fit_intercept=fit_intercept)
    problem = SVMProblem(X, labels, groups, 0.1 * alpha, 0.1 * beta, fit_intercept=fit_intercept)
    assert svm_sieve.sieve_pays(problem)
    few = solve(problem, choose(SVM_METHODS, "auto", problem), tol=1e-8)
    every = solve(problem, SVM_METHODS["interior"], tol=1e-8)
    assert few.converged and every.converged
    assert few.objective == pytest.approx(every.objective, rel=2e-8)


@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("n_samples", [15, 80])
@pytest.mark.parametrize("groups", [windows(60, 3), all_pairs(25)], ids=["windows", "pairs"])
def test_many_overlapping_groups_are_handled_by_features(
    groups, n_samples, fit_intercept, monkeypatch
):
    """Matrices of the size of the features, banded or dense, and of the groups: one solution."""
    X, y = data(n_samples, groups.n_features)
    labels = np.where(y > 0, 1.0, -1.0)
    alpha, beta = svm_scales(X, labels, groups, fit_intercept=fit_intercept)
    weight = np.geomspace(0.1, 10.0, groups.n_features)

    def answer(share):
        return solve_svm(
            X,
            labels,
            groups,
            share * alpha,
            share * beta,
            fit_intercept=fit_intercept,
            feature_weight=weight,
            tol=1e-9,
        )

    problem = SVMProblem(X, labels, groups, alpha, beta, feature_weight=weight)
    assert Coupling.fitting(problem.geometry) is not None
    shares = (1.0, 1e-2, 1e-4)
    by_features = [answer(share) for share in shares]
    monkeypatch.setattr(Coupling, "fitting", lambda geometry: None)
    for one, share in zip(by_features, shares, strict=True):
        assert one.converged
        assert one.objective == pytest.approx(answer(share).objective, rel=2e-9)


def test_ten_thousand_windows_fit():
    """Neither 10,000 windows nor 10,000 pairs need a matrix of that size."""
    y = np.tile([1.0, -1.0], 10)
    for groups in (windows(10_000, 3), all_pairs(142)):
        X = np.random.default_rng(0).standard_normal((20, groups.n_features))
        assert interior_fits(SVMProblem(X, y, groups, 1.0, 1.0))


def test_a_sample_a_speck_off_its_bound_is_held():
    X, y = data(40, 60)
    labels = np.where(y > 0, 1.0, -1.0)
    problem = SVMProblem(X, labels, Groups.random(60, 6, random_state=0), 1.0, 1.0)
    point = DualPoint(problem)
    point.u, point._gradient, point._multiplier = np.full(40, 1e-17), np.full(40, 3.0), 0.0
    assert point.near_margin().size == 0
    point.u, point._gradient, point._multiplier = np.full(40, 1.0 - 1e-16), np.full(40, -3.0), 0.0
    assert point.near_margin().size == 0


@each_shape
def test_an_svm_path_starts_from_the_last_point(shape):
    X, y, groups = SHAPES[shape]
    labels = np.where(y > 0, 1.0, -1.0)
    alpha, beta = svm_scales(X, labels, groups)
    betas = beta * np.geomspace(1e-2, 1.0, 8)
    path = svm_path(X, labels, groups, 0.1 * alpha, betas)
    assert path.converged.all()
    cold = [solve_svm(X, labels, groups, 0.1 * alpha, float(b)) for b in betas]
    for value, one in zip(path.objectives, cold, strict=True):
        assert value == pytest.approx(one.objective, rel=2e-6)
    assert path.iterations.sum() <= sum(one.n_iter + 1 for one in cold)


def test_a_grid_prepares_the_data_once(monkeypatch):
    made = []

    class Counted(SVMProblem):
        def __init__(self, *arguments, **options):
            made.append(self)
            super().__init__(*arguments, **options)

    monkeypatch.setattr(svm_paths, "SVMProblem", Counted)
    X, y = data(120, 3000)
    labels, groups = np.where(y > 0, 1.0, -1.0), Groups.random(3000, 30, random_state=0)
    alpha, beta = svm_scales(X, labels, groups)
    alphas, betas = alpha * np.geomspace(1e-2, 1e-1, 3), beta * np.geomspace(1e-2, 1e-1, 3)
    grid = svm_grid(X, labels, groups, alphas, betas, tol=1e-4)
    assert len(made) == 1 and grid.converged.all()
    for a, objectives in zip(alphas, grid.objectives, strict=True):
        path = svm_path(X, labels, groups, float(a), betas, tol=1e-4)
        np.testing.assert_allclose(objectives, path.objectives, rtol=2e-4)
