"""The rivals: each reaches the optimum to the accuracy it states, at the rate it states."""

from __future__ import annotations

import itertools
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse

from solvers import Groups
from solvers.method import Method
from solvers.problems import Candidate, LassoProblem, SVMProblem
from solvers.rivals.admm import _RidgeStep, admm
from solvers.rivals.kong import kong, kong_smoothed
from solvers.rivals.least_squares import CentredSquares
from solvers.rivals.lelr import lelr
from solvers.rivals.pls_dn import _OptimalitySystem, pls_dn
from solvers.rivals.subgradient import subgradient, svm_subgradient
from solvers.tracking import solve
from tests.oracles import random_instance

LASSO_RIVALS = (kong, kong_smoothed, pls_dn, lelr, subgradient)
SVM_RIVALS = (admm, svm_subgradient)
RIVALS = (*LASSO_RIVALS, *SVM_RIVALS)
each_rival = pytest.mark.parametrize(
    "method", RIVALS, ids=lambda method: f"{kind_of(method)}-{method.key}"
)
each_lasso_rival = pytest.mark.parametrize("method", LASSO_RIVALS, ids=lambda method: method.key)


def kind_of(method):
    return "svm" if method in SVM_RIVALS else "lasso"


def cases(kind, seed=100):
    """Fewer, about as many and more features than samples, in every other respect mixed."""
    shapes = [(14, 18, 4), (30, 12, 3), (12, 60, 6)]
    for overlapping, (j, (n_samples, n_features, n_groups)) in itertools.product(
        (False, True), enumerate(shapes)
    ):
        for weighted in (False, True):
            seed += 1
            yield random_instance(
                kind,
                seed,
                overlapping=overlapping,
                fit_intercept=(j + weighted) % 2 == 1,
                weighted=weighted,
                storage="csr" if (j + overlapping + weighted) % 2 else "C",
                n_samples=n_samples,
                n_features=n_features,
                n_groups=n_groups,
            )


CASES = {kind: list(cases(kind)) for kind in ("lasso", "svm")}


def as_dense(problem):
    """The (centred) design, written out."""
    return problem.design.columns(np.arange(problem.n_features))


# -- the optimum, to each method's own accuracy ----------------------------------------------------

# Relative suboptimality after so many iterations.
ACHIEVED = {
    "kong": (2500, 1e-10),
    "kong_smoothed": (1500, 1e-7),
    "pls_dn": (500, 1e-10),
    "lelr": (3000, 1e-3),
    "subgradient": (3000, 2e-2),
    "admm": (3000, 1e-9),
}


# Each shape with both kinds of groups; intercepts, weights and storages change along with them.
@pytest.mark.parametrize("case", [0, 3, 5, 7, 8, 10])
@each_rival
def test_each_rival_reaches_the_optimum_to_its_own_accuracy(method, case):
    instance = CASES[kind_of(method)][case]
    reference = instance.reference
    assert abs(reference.upper - reference.value) <= 1e-8 * reference.upper
    iterations, accuracy = ACHIEVED[method.key]
    result = solve(instance.problem, method, tol=0.0, max_iter=iterations)
    assert result.status in ("max_iter", "stalled", "converged")
    assert result.objective >= reference.value * (1 - 1e-8)
    assert result.objective <= reference.upper * (1 + accuracy)
    assert result.bound <= reference.upper * (1 + 1e-12)
    restated = instance.objective(result.w, result.intercept)
    assert restated == pytest.approx(result.objective, rel=1e-10)


@pytest.mark.parametrize("key", ["pls_dn", "admm"])
def test_the_second_order_and_splitting_methods_certify_what_they_reach(key):
    method = {"pls_dn": pls_dn, "admm": admm}[key]
    for instance in CASES[kind_of(method)]:
        assert solve(instance.problem, method, tol=1e-8, max_iter=3000).converged


def problem_of_the_papers_kind():
    """Many more features than samples and a tiny λ: nearly interpolation, the hard case."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 200))
    w = np.zeros(200)
    w[::10] = rng.standard_normal(20)
    y = X @ w + 0.01 * rng.standard_normal(40)
    return LassoProblem(X, y, Groups.contiguous(200, 10), 0.8 / np.abs(w).sum())


@each_lasso_rival
def test_a_problem_of_the_papers_kind(method):
    problem = problem_of_the_papers_kind()
    optimum = solve(problem, pls_dn, tol=1e-9)
    assert optimum.converged
    accuracy = {
        "kong": 1e-5,
        "kong_smoothed": 1e-5,
        "pls_dn": 1e-9,
        "lelr": 2e-3,
        "subgradient": 0.15,
    }
    result = solve(problem, method, tol=0.0, max_iter=1500)
    assert result.objective <= optimum.objective * (1 + accuracy[method.key])


# -- the contract ----------------------------------------------------------------------------------


@each_rival
def test_what_a_person_reads_about_it(method):
    assert isinstance(method, Method)
    assert method.label.strip() and len(method.reference) > 40
    assert any(year in method.reference for year in ("2010", "2011", "2014"))
    assert 1000 <= method.max_iter <= 10**6


@each_lasso_rival
def test_only_the_squared_norm_is_accepted(method):
    problem = random_instance("lasso", 1, exponent=1.5).problem
    assert "exponent" in method.accepts(problem)
    assert method.accepts(random_instance("lasso", 1, overlapping=True).problem) is None


def test_which_of_them_take_another_loss():
    problem = random_instance("logistic", 1, overlapping=True).problem
    for method in (kong, kong_smoothed, pls_dn):
        assert "least squares" in method.accepts(problem)
    for method in (lelr, subgradient):
        assert method.accepts(problem) is None


@pytest.mark.parametrize("method", [lelr, subgradient], ids=lambda method: method.key)
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_the_first_order_rivals_solve_logistic_regression(method, fit_intercept):
    instance = random_instance("logistic", 3, overlapping=True, fit_intercept=fit_intercept)
    result = solve(instance.problem, method, tol=0.0, max_iter=3000)
    accuracy = 1e-4 if method is lelr else 1e-2
    assert result.objective <= instance.reference.upper * (1 + accuracy)
    assert result.bound <= instance.reference.upper * (1 + 1e-12)


@each_rival
def test_the_first_item_is_the_start(method):
    instance = CASES[kind_of(method)][7]
    w0 = np.random.default_rng(0).standard_normal(instance.problem.n_features)
    w0[::2] = 0.0
    candidate = next(method.run(instance.problem, w0.copy()))()
    np.testing.assert_array_equal(candidate.w, w0)
    if method not in (kong, kong_smoothed):
        assert not next(method.run(instance.problem, None))().w.any()


@each_rival
def test_a_warm_start_reaches_the_same_optimum(method):
    """From a point with exact zeros in the wrong places, and from 0 itself."""
    instance = CASES[kind_of(method)][6]
    problem, reference = instance.problem, instance.reference
    iterations, accuracy = ACHIEVED[method.key]
    w0 = np.random.default_rng(1).standard_normal(problem.n_features)
    w0[np.abs(reference.w) > 1e-3] = 0.0
    for start in (w0, np.zeros_like(w0)):
        result = solve(problem, method, tol=0.0, max_iter=iterations, w0=start)
        assert result.objective <= reference.upper * (1 + accuracy)


@pytest.mark.parametrize("method", [kong, pls_dn, admm], ids=lambda method: method.key)
def test_a_start_far_away_does_no_harm(method):
    for case in (0, 6):
        problem = CASES[kind_of(method)][case].problem
        w0 = 1e3 * np.random.default_rng(1).standard_normal(problem.n_features)
        assert solve(problem, method, tol=1e-7, w0=w0, max_iter=2000).converged


@each_rival
def test_candidates_are_not_changed_afterwards(method):
    instance = CASES[kind_of(method)][6]
    seen = []
    for build in itertools.islice(method.run(instance.problem, None), 25):
        candidate = build()
        arrays = (candidate.w, candidate.dual, candidate.other_w, candidate.other_dual)
        seen += [(array, array.copy()) for array in arrays if array is not None]
    for array, copy in seen:
        np.testing.assert_array_equal(array, copy)


def degenerate_problems(kind):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((9, 12))
    signs = np.where(np.arange(9) % 2, 1.0, -1.0)
    groups = Groups.from_lists([[0, 1, 2, 3], [3, 4, 5], [6, 7, 8, 9, 10, 11]], 12)
    twins = X.copy()
    twins[:, 6:] = twins[:, :6]
    constant = X.copy()
    constant[:, :4] = 3.0
    one = Groups.contiguous(1, 1)

    def posed(X, y, groups, **options):
        if kind == "svm":
            return SVMProblem(X, np.where(y > 0, 1.0, -1.0), groups, 1.0, 2.0, **options)
        return LassoProblem(X, y, groups, 0.5, **options)

    yield "all zero y", posed(X, np.zeros(9), groups, fit_intercept=True)
    yield "all zero X", posed(np.zeros((9, 12)), signs, groups)
    yield "twin columns", posed(twins, signs, groups)
    yield "constant columns", posed(constant, signs, groups, fit_intercept=True)
    yield "one feature", posed(X[:, :1], signs, one, fit_intercept=True)
    yield "one sample", posed(X[:1], signs[:1], groups)
    yield "huge", posed(1e8 * X, signs, groups)
    yield "tiny", posed(1e-8 * X, signs, groups)
    yield "empty rows", posed(sparse.csr_array(X * (X > 1.5)), signs, groups, fit_intercept=True)


@each_rival
def test_degenerate_data_give_finite_points(method):
    for name, problem in degenerate_problems(kind_of(method)):
        for w0 in (None, np.ones(problem.n_features)):
            with np.errstate(all="ignore"):
                for build in itertools.islice(method.run(problem, w0), 60):
                    candidate = build()
                    assert np.isfinite(candidate.w).all(), name
                    score = problem.score(candidate)
                    assert np.isfinite(score.objective), name
                    assert score.bound <= score.objective * (1 + 1e-9) + 1e-12, name


@each_rival
def test_nothing_of_the_size_of_features_squared_is_formed(method):
    n_features = 6000
    rng = np.random.default_rng(2)
    X = sparse.random_array((8, n_features), density=0.05, rng=rng).tocsr()
    groups = Groups.random(n_features, 30, random_state=0)
    y = np.where(np.arange(8) % 2, 1.0, -1.0)
    if method in SVM_RIVALS:
        problem = SVMProblem(X, y, groups, 1.0, 1.0, fit_intercept=True)
    else:
        problem = LassoProblem(X, y, groups, 1.0, fit_intercept=True)
    tracemalloc.start()
    for build in itertools.islice(method.run(problem, None), 10):
        problem.score(build())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.1 * 8 * n_features**2


# -- Kong ------------------------------------------------------------------------------------------


def drawn_problem(seed, overlapping, fit_intercept, weighted, wide):
    return random_instance(
        "lasso",
        seed,
        overlapping=overlapping,
        fit_intercept=fit_intercept,
        weighted=weighted,
        n_samples=10 if wide else 25,
        n_features=20 if wide else 12,
    ).problem


random_problems = given(
    seed=st.integers(0, 10**6),
    overlapping=st.booleans(),
    fit_intercept=st.booleans(),
    weighted=st.booleans(),
    wide=st.booleans(),
)


@random_problems
@settings(max_examples=40)
def test_kong_never_raises_the_objective(seed, overlapping, fit_intercept, weighted, wide):
    problem = drawn_problem(seed, overlapping, fit_intercept, weighted, wide)
    values = [
        problem.score(build()).objective for build in itertools.islice(kong.run(problem, None), 60)
    ]
    assert np.all(np.diff(values) <= 1e-12 * np.abs(values[:-1]))


@random_problems
@settings(max_examples=20)
def test_smoothed_kong_never_raises_the_smoothed_objective(
    seed, overlapping, fit_intercept, weighted, wide
):
    problem = drawn_problem(seed, overlapping, fit_intercept, weighted, wide)
    smoothing = 1e-2
    points = [b().w for b in itertools.islice(kong_smoothed.run(problem, None), 1)]
    root_epsilon = smoothing * np.abs(points[0]).max()
    values = []
    iterates = kong_smoothed.run(problem, None, smoothing=smoothing)
    for build in itertools.islice(iterates, 60):
        w = build().w
        loss = problem.score(build()).objective - problem.penalty.value(w)
        values.append(loss + problem.penalty.value(np.hypot(w, root_epsilon)))
    assert np.all(np.diff(values) <= 1e-12 * np.abs(values[:-1]))


@pytest.mark.parametrize("case", range(12))
def test_one_step_of_kong_is_the_published_formula(case):
    """w ← (XᵀΩX + λF)⁻¹XᵀΩy with F_ii = Σ_{g∋i}‖w_g‖₁/|w_i|, the n × n system written out."""
    instance = CASES["lasso"][case]
    problem = instance.problem
    first, second = (build().w for build in itertools.islice(kong.run(problem, None), 2))
    X, omega = as_dense(problem), problem.sample_weight
    y = problem.y - (omega @ problem.y / omega.sum() if problem.fit_intercept else 0.0)
    totals = np.array([np.abs(first[members]).sum() for members in problem.groups.lists()])
    # A column of zeros in X has weight 0 from the start, and F would be infinite there.
    used = first != 0.0
    assert not X[:, ~used].any()
    weights = (problem.groups.incidence.T @ totals)[used] / np.abs(first[used])
    matrix = X[:, used].T @ (omega[:, None] * X[:, used]) + problem.lam * np.diag(weights)
    expected = np.linalg.solve(matrix, X[:, used].T @ (omega * y))
    np.testing.assert_allclose(second[used], expected, atol=1e-8 * np.abs(expected).max())
    assert not second[~used].any()


def test_kong_converges_fully_where_its_linear_rate_is_fast():
    for case in (0, 3, 6):
        instance = CASES["lasso"][case]
        result = solve(instance.problem, kong, tol=1e-9)
        assert result.converged
        assert result.objective <= instance.reference.upper * (1 + 1e-9)


def exact_solution(problem):
    """The optimal w with its exact zeros."""
    *_, last = pls_dn.run(problem, None)
    w = last().w
    score = problem.score(Candidate(w))
    assert score.objective - score.bound <= 1e-10 * score.objective
    return w


def leaving_rates(problem, w):
    """|xᵢᵀ(y − Xw)|/(λ(AᵀA|w|)ᵢ) at the optimum, written out; 1 on the support."""
    X, omega = as_dense(problem), problem.sample_weight
    y = problem.y - (omega @ problem.y / omega.sum() if problem.fit_intercept else 0.0)
    A = problem.groups.incidence.toarray()
    return np.abs(X.T @ (omega * (y - X @ w))) / (problem.lam * (A.T @ (A @ np.abs(w))))


@pytest.mark.parametrize("case", [2, 4, 6, 7, 8, 9])
def test_kong_features_leave_at_their_documented_rates(case):
    """|wᵢ⁺|/|wᵢ| late in the run, against the rates that the optimum alone determines."""
    problem = CASES["lasso"][case].problem
    optimum = exact_solution(problem)
    rates = leaving_rates(problem, optimum)
    leaving = optimum == 0.0
    np.testing.assert_allclose(rates[~leaving], 1.0, atol=1e-7)
    assert rates[leaving].max() < 1.0
    late = itertools.islice(kong.run(problem, None), 800, 802)
    before, after = (np.abs(build().w) for build in late)
    # Most have left for good: below the range of floating-point numbers there is no ratio.
    measured = leaving & (after > 1e-250)
    assert measured[np.argmax(np.where(leaving, rates, 0.0))]
    np.testing.assert_allclose(after[measured] / before[measured], rates[measured], atol=1e-6)


@pytest.mark.parametrize(
    ("case", "slower"),
    [
        *((case, "leaving") for case in (1, 6, 7, 9)),
        *((case, "staying") for case in (4, 5, 11)),
    ],
)
def test_kong_converges_at_the_slower_of_its_two_documented_rates(case, slower):
    problem = CASES["lasso"][case].problem
    optimum = exact_solution(problem)
    rates = {"leaving": leaving_rates(problem, optimum)[optimum == 0.0].max()}
    support = np.flatnonzero(optimum)
    X = np.sqrt(problem.sample_weight)[:, None] * as_dense(problem)[:, support]
    A = problem.groups.incidence.toarray()[:, support]
    size = np.abs(optimum[support])
    F = np.diag(A.T @ (A @ size) / size)
    AS = A * np.sign(optimum[support])
    rates["staying"] = linalg.eigvalsh(
        problem.lam * (F - AS.T @ AS), X.T @ X + problem.lam * F
    ).max()
    assert max(rates, key=rates.get) == slower

    before = distance = np.inf
    for build in itertools.islice(kong.run(problem, None), 2000):
        before, distance = distance, np.linalg.norm(build().w - optimum)
        if distance <= 1e-8 * np.linalg.norm(optimum):
            break
    assert distance <= 1e-8 * np.linalg.norm(optimum)
    assert distance / before == pytest.approx(rates[slower], abs=2e-4)


@pytest.mark.parametrize("case", [2, 4, 6, 7, 8, 9, 11])
def test_the_bias_of_smoothed_kong_is_as_documented(case):
    """Proportional to `smoothing` and of its size; what should be 0 has a closed form."""
    problem = CASES["lasso"][case].problem
    optimum = exact_solution(problem)
    lowest = problem.score(Candidate(optimum)).objective
    rates, leaving = leaving_rates(problem, optimum), optimum == 0.0
    start = np.abs(next(kong_smoothed.run(problem, None))().w).max()
    excess = {}
    for smoothing in (1e-4, 1e-6, 1e-8):
        iterates = kong_smoothed.run(problem, None, smoothing=smoothing)
        *_, last = itertools.islice(iterates, 1500)
        w = last().w
        excess[smoothing] = (problem.score(Candidate(w)).objective / lowest - 1) / smoothing
        assert 0.1 <= excess[smoothing] <= 10.0
        if smoothing == 1e-6:
            expected = rates[leaving] / np.sqrt(1 - rates[leaving] ** 2)
            found = np.abs(w[leaving]) / (smoothing * start)
            np.testing.assert_allclose(found, expected, atol=2e-3)
    assert excess[1e-4] == pytest.approx(excess[1e-6], rel=0.05)
    assert excess[1e-8] == pytest.approx(excess[1e-6], rel=0.05)


def test_kong_skips_features_that_no_longer_matter_without_changing_anything():
    problem = CASES["lasso"][4].problem
    posed = CentredSquares(problem)
    scale = np.full(problem.n_features, 0.5)
    scale[10:] = 1e-40
    everything = posed.sample_gram(scale)
    np.testing.assert_allclose(posed._relevant_gram(scale, 1.0), everything, rtol=1e-12)


@pytest.mark.parametrize("case", range(12))
def test_least_squares_in_w_alone_is_the_problem(case):
    problem = CASES["lasso"][case].problem
    posed = CentredSquares(problem)
    X = np.sqrt(problem.sample_weight)[:, None] * as_dense(problem)
    rng = np.random.default_rng(case)
    w = rng.standard_normal(problem.n_features)
    direct = problem.loss.value(
        problem.design.matvec(w) + problem.best_intercept(problem.design.matvec(w))
    )
    assert 0.5 * np.sum((posed.matvec(w) - posed.target) ** 2) == pytest.approx(direct, rel=1e-12)
    np.testing.assert_allclose(posed.matvec(w), X @ w, atol=1e-12)
    np.testing.assert_allclose(posed.rmatvec(posed.target), X.T @ posed.target, atol=1e-11)
    np.testing.assert_allclose(posed.feature_gram(), X.T @ X, atol=1e-11)
    np.testing.assert_allclose(posed.column_norms_squared, np.sum(X * X, axis=0), atol=1e-11)
    np.testing.assert_allclose(posed.sample_gram(w**2), (X * w**2) @ X.T, atol=1e-10)
    matrix = problem.groups.incidence.T.tocsc()
    np.testing.assert_allclose(posed.times(matrix), X @ matrix.toarray(), atol=1e-11)
    np.testing.assert_allclose(posed.columns([2, 0]), X[:, [2, 0]], atol=1e-12)


# -- PLS-DN ----------------------------------------------------------------------------------------


def dense_system(problem):
    """B and b of the non-negative least squares form, written out."""
    X = np.sqrt(problem.sample_weight)[:, None] * as_dense(problem)
    A = np.sqrt(problem.lam) * problem.groups.incidence.toarray()
    return np.block([[X, -X], [A, A]])


@pytest.mark.parametrize("case", range(12))
def test_pls_dn_ends_by_itself_at_the_exact_solution(case):
    """Finite termination: the generator returns, at a point where the KKT conditions hold."""
    problem = CASES["lasso"][case].problem
    builders = list(itertools.islice(pls_dn.run(problem, None), 200))
    assert len(builders) < 200
    candidate = builders[-1]()
    score = problem.score(candidate)
    assert score.objective - score.bound <= 1e-10 * score.objective
    B = dense_system(problem)
    posed = CentredSquares(problem)
    b = np.concatenate([posed.target, np.zeros(problem.groups.n_groups)])
    q = np.concatenate([np.maximum(candidate.w, 0.0), np.maximum(-candidate.w, 0.0)])
    multipliers = B.T @ (B @ q - b)
    scale = np.abs(B.T @ b).max()
    assert multipliers.min() >= -1e-7 * scale
    assert np.abs(multipliers[q > 0]).max() <= 1e-7 * scale


@pytest.mark.parametrize("case", range(12))
def test_both_ways_to_solve_the_newton_system_are_right(case):
    problem = CASES["lasso"][case].problem
    system = _OptimalitySystem(problem)
    B = dense_system(problem)
    rng = np.random.default_rng(case)
    z = rng.standard_normal(2 * problem.n_features)
    active = np.flatnonzero(z > 0)
    rho = 0.3
    right = rng.standard_normal(active.size)
    columns = B[:, active]
    expected = np.linalg.solve(columns.T @ columns + rho * np.eye(active.size), right)
    np.testing.assert_allclose(system._solve_by_features(active, right, rho), expected, atol=1e-9)
    np.testing.assert_allclose(system._solve_by_rows(active, right, rho), expected, atol=1e-9)
    centre = np.abs(rng.standard_normal(z.size))
    residual = system.residual(z, centre, rho)
    q = np.maximum(z, 0.0)
    np.testing.assert_allclose(
        residual, rho * (z - centre) + B.T @ (B @ q) - system.pull, atol=1e-9
    )
    jacobian = rho * np.eye(z.size) + (B.T @ B) * (z > 0)
    direction = system.newton_direction(z, residual, rho)
    np.testing.assert_allclose(jacobian @ direction, -residual, atol=1e-8)


@pytest.mark.parametrize("ridge", [1e-2, 1e-5])
def test_pls_dn_removes_the_bias_of_its_ridge(ridge):
    for case in (0, 6):
        result = solve(CASES["lasso"][case].problem, pls_dn, tol=1e-9, options={"ridge": ridge})
        assert result.converged


def test_pls_dn_started_at_the_solution_stays_there():
    instance = CASES["lasso"][6]
    optimum = solve(instance.problem, pls_dn, tol=1e-10)
    objectives = [
        instance.problem.score(build()).objective
        for build in itertools.islice(pls_dn.run(instance.problem, optimum.w), 6)
    ]
    np.testing.assert_allclose(objectives, optimum.objective, rtol=1e-8)


@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize("together", [True, False], ids=["in a group", "across groups"])
@pytest.mark.parametrize("shape", [(14, 18), (30, 12), (12, 60)], ids=str)
def test_pls_dn_keeps_its_accuracy_with_duplicated_columns(shape, together, copies):
    """Neighbours are in one group, features n/copies apart in different ones."""
    n_samples, n_features = shape
    instance = random_instance("lasso", 300, n_samples=n_samples, n_features=n_features)
    X = np.asarray(instance.X)[:, : n_features // copies]
    X = np.repeat(X, copies, axis=1) if together else np.tile(X, copies)
    instance = replace(instance, X=X, groups=Groups.contiguous(n_features, 3))
    *_, last = itertools.islice(pls_dn.run(instance.problem, None), 500)
    score = instance.problem.score(last())
    assert score.objective - score.bound <= 1e-8 * score.objective
    assert instance.objective(last().w) <= instance.reference.upper * (1 + 1e-8)


# -- LELR ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accuracy", [1e-1, 1e-3])
@pytest.mark.parametrize("case", [0, 4, 6, 10])
def test_lelr_with_a_fixed_smoothing_keeps_its_proven_bound(case, accuracy):
    """P(w_k) ≤ (1 + ε)(P* + 2L‖w*‖²/(k + 1)²), L = ‖X‖² + λ·overlap·d/ε, at every k."""
    instance = random_instance(
        "lasso", 200 + case, overlapping=case >= 6, n_samples=12, n_features=24, weighted=True
    )
    problem, reference = instance.problem, instance.reference
    X = np.sqrt(instance.weight)[:, None] * instance.dense
    groups = instance.groups
    curvature = np.linalg.norm(X, 2) ** 2 * (1 + 1e-6)
    curvature += problem.lam * groups.overlap_counts.max() * groups.sizes.max() / accuracy
    radius = float(reference.w @ reference.w)
    iterates = lelr.run(problem, None, accuracy=accuracy, continuation=False)
    for k, build in enumerate(itertools.islice(iterates, 400)):
        objective = instance.objective(build().w)
        gap = 2.0 * curvature * radius / (k + 1) ** 2
        assert k == 0 or objective <= (1 + accuracy) * (reference.upper + gap) * (1 + 1e-9)


def test_lelr_without_continuation_is_stuck_at_its_smoothing():
    """The bias is real, below the stated accuracy, and proportional to it."""
    instance = random_instance("lasso", 205, n_samples=20, n_features=24, strengths=(3.0,))
    optimum = instance.reference.upper
    errors = []
    for accuracy in (1e-1, 1e-2, 1e-3):
        iterates = lelr.run(instance.problem, None, accuracy=accuracy, continuation=False)
        last = next(itertools.islice(iterates, 3000, None))
        errors.append(instance.objective(last().w) / optimum - 1)
        assert 1e-3 * accuracy < errors[-1] <= accuracy
    assert errors[0] > 3 * errors[1] > 9 * errors[2]


@pytest.mark.parametrize("case", [1, 4, 6, 11])
def test_lelr_converges_like_one_over_k(case):
    instance = CASES["lasso"][case]
    problem, optimum = instance.problem, instance.reference.value
    scaled = []
    for k, build in enumerate(itertools.islice(lelr.run(problem, None), 4001)):
        if k in (125, 250, 500, 1000, 2000, 4000):
            scaled.append(k * (problem.score(build()).objective / optimum - 1))
    assert max(scaled[3:]) <= 1.1 * max(scaled[:3])
    assert max(scaled[3:]) <= 10.0


# -- subgradient -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", [subgradient, svm_subgradient], ids=lambda method: kind_of(method)
)
@pytest.mark.parametrize("case", range(12))
def test_the_subgradient_method_converges_like_one_over_root_k(case, method):
    instance = CASES[kind_of(method)][case]
    problem, optimum = instance.problem, instance.reference.value
    start = problem.score(Candidate(np.zeros(problem.n_features))).objective
    scaled = []
    for k, build in enumerate(itertools.islice(method.run(problem, None), 4097)):
        if k in (64, 256, 1024, 4096):
            scaled.append(np.sqrt(k) * (problem.score(build()).objective - optimum))
    assert max(scaled) <= 4.0 * start
    assert scaled[-1] <= 1.1 * max(scaled[:-1])


@pytest.mark.parametrize(("case", "accuracy"), [(0, 2e-4), (7, 2e-4), (4, 1e-2), (10, 1e-2)])
def test_the_subgradient_method_reaches_its_documented_accuracy(case, accuracy):
    instance = CASES["lasso"][case]
    far_wider = instance.problem.n_features >= 5 * instance.problem.n_samples
    assert far_wider == (accuracy == 1e-2)
    result = solve(instance.problem, subgradient, tol=0.0, max_iter=10_000)
    assert result.objective <= instance.reference.upper * (1 + accuracy)


def test_the_subgradient_method_on_a_problem_of_the_papers_kind():
    problem = problem_of_the_papers_kind()
    result = solve(problem, subgradient, tol=0.0, max_iter=10_000)
    assert result.objective <= solve(problem, pls_dn, tol=1e-9).objective * (1 + 2e-2)


def test_the_subgradient_method_shows_its_best_iterate():
    problem = CASES["lasso"][6].problem
    best = [
        problem.score(Candidate(build().w)).objective
        for build in itertools.islice(subgradient.run(problem, None), 300)
    ]
    assert np.all(np.diff(best) <= 0.0)
    assert best[-1] < 0.9 * best[0]


# -- ADMM ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", range(12))
def test_the_ridge_step_is_the_least_squares_solution(case):
    """Against a dense least squares problem in (w, b), by either way of eliminating."""
    problem = CASES["svm"][case].problem
    X, groups = as_dense(problem), problem.groups
    rng = np.random.default_rng(case)
    predictions = rng.standard_normal(problem.n_samples)
    members = rng.standard_normal(groups.indices.size)
    for rho_p, rho_v in ((1.0, 1.0), (0.03, 7.0)):
        step = _RidgeStep(problem)
        assert step.factorise(2 * rho_p, rho_v)
        assert step.factorise(rho_p, rho_v)
        w, fitted = step.solve(predictions, members)
        picks = np.eye(problem.n_features)[groups.indices]
        rows = np.vstack(
            [
                np.sqrt(problem.alpha) * np.eye(problem.n_features),
                np.sqrt(rho_p) * X,
                np.sqrt(rho_v) * picks,
            ]
        )
        ones = np.zeros(rows.shape[0])
        if problem.fit_intercept:
            ones[problem.n_features : -groups.indices.size] = np.sqrt(rho_p)
        right = np.concatenate(
            [np.zeros(problem.n_features), np.sqrt(rho_p) * predictions, np.sqrt(rho_v) * members]
        )
        expected = np.linalg.lstsq(np.column_stack([rows, ones]), right, rcond=None)[0]
        np.testing.assert_allclose(w, expected[:-1], atol=1e-10)
        intercept = expected[-1] if problem.fit_intercept else 0.0
        np.testing.assert_allclose(fitted, X @ w + intercept, atol=1e-10)


def test_admm_hands_over_a_dual_point_in_its_box():
    for instance in CASES["svm"]:
        problem = instance.problem
        for build in itertools.islice(admm.run(problem, None), 1, 40):
            u = build().dual
            assert u.shape == (problem.n_samples,)
            assert u.min() >= 0.0
            assert np.all(u <= problem.sample_weight * (1 + 1e-12))


@pytest.mark.parametrize("relaxation", [1.0, 1.6, 1.9])
def test_admm_converges_with_any_relaxation(relaxation):
    for case in (3, 6, 11):
        instance = CASES["svm"][case]
        options = {"relaxation": relaxation}
        result = solve(instance.problem, admm, tol=1e-7, max_iter=5000, options=options)
        assert result.converged
        assert result.objective <= instance.reference.upper * (1 + 1e-7)


def test_admm_converges_at_least_like_one_over_k():
    for instance in CASES["svm"]:
        problem, optimum = instance.problem, instance.reference.value
        scaled = []
        for k, build in enumerate(itertools.islice(admm.run(problem, None), 801)):
            if k in (25, 50, 100, 200, 400, 800):
                scaled.append(k * (problem.score(build()).objective / optimum - 1))
        assert max(scaled[3:]) <= max(max(scaled[:3]), 1e-6)


def test_admm_adapts_its_penalties_to_the_data():
    """The same problem in other units: 10⁴ in X is 10⁻⁸ in α and β."""
    instance = CASES["svm"][0]
    alpha, beta = instance.strengths
    for size in (1e-4, 1.0, 1e4):
        problem = SVMProblem(
            size * instance.X, instance.y, instance.groups, size**2 * alpha, size**2 * beta
        )
        result = solve(problem, admm, tol=1e-7, max_iter=1000)
        assert result.converged
        assert result.objective == pytest.approx(instance.reference.upper, rel=2e-7)


@pytest.mark.parametrize("case", [0, 2, 4, 7, 11])
def test_admm_keeps_its_factorisation(case, monkeypatch):
    """At most one for the start and one in ten iterations, and none once the penalties stay."""
    calls = []
    cholesky = np.linalg.cholesky

    def counted(matrix):
        calls.append(matrix.shape)
        return cholesky(matrix)

    problem = CASES["svm"][case].problem
    monkeypatch.setattr("solvers.linear_algebra.np.linalg.cholesky", counted)
    at = []
    for k, _ in enumerate(itertools.islice(admm.run(problem, None), 1301)):
        at.append(len(calls))
        assert at[k] <= 1 + k / 10
    assert at[0] == 0 and at[1] == 1
    # Item k + 1 is after the balancing of iteration k.
    assert at[-1] == at[1001]
    smaller = min(problem.n_samples, problem.n_features)
    assert set(calls) == {(smaller, smaller)}


def test_admm_solutions_have_exact_zeros():
    instance = random_instance("svm", 21, n_samples=20, n_features=40, strengths=(1.0, 20.0))
    result = solve(instance.problem, admm, tol=1e-9)
    assert result.converged
    expected = np.abs(instance.reference.w) > 1e-6
    last = None
    for build in itertools.islice(admm.run(instance.problem, None), 1500):
        last = build
    np.testing.assert_array_equal(last().w != 0.0, expected)
