"""Clock, measuring, stopping and history, on toy methods and on the real ones."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest

from solvers import LASSO_METHODS, Method
from solvers.problems import Candidate, relative_gap
from solvers.result import STATUSES, History, Record
from solvers.tracking import Lane, solve
from tests.clocks import TICK, Clock, Counted
from tests.oracles import KINDS, MAY_BE_SLOW, METHODS, patience, random_instance


def toy(run, **options) -> Method:
    return Method("toy", "Toy", "a test", run, **options)


@pytest.fixture(scope="module")
def instance():
    return random_instance("lasso", 1)


@pytest.fixture(scope="module")
def problem(instance):
    return instance.problem


@pytest.fixture(scope="module")
def solution(instance):
    result = instance.solve(method="locp", tol=1e-10, restart=True)
    assert result.converged
    return result


LOCP = LASSO_METHODS["locp"]
PCP = LASSO_METHODS["pcp"]


def every_accepted_method():
    for kind in KINDS:
        for key in METHODS[kind]:
            yield pytest.param(kind, key, id=f"{kind}-{key}")


each_method = pytest.mark.parametrize(("kind", "key"), list(every_accepted_method()))


# -- history --------------------------------------------------------------------------------------


def check_history(result, *, cold=True):
    """What holds for every run, however it ended."""
    history = result.history
    assert history.columns == (
        "iteration",
        "seconds",
        "objective",
        "gap",
        "bound",
        "nonzeros",
        "change",
    )
    assert len(history) >= 1
    assert history.iteration[0] == 0
    assert history.iteration[-1] == result.n_iter
    assert np.all(np.diff(history.iteration) > 0)
    assert np.all(np.diff(history.seconds) >= 0)
    assert history.seconds[0] >= 0
    assert history.seconds[-1] <= result.seconds
    assert np.isfinite(history.objective).all()
    assert np.all(np.diff(history.bound) >= 0)
    expected = [relative_gap(row.objective, row.bound) for row in history]
    np.testing.assert_array_equal(history.gap, expected)
    assert result.gap >= 0.0
    assert result.gap == relative_gap(result.objective, result.bound)
    assert result.bound >= history.bound[-1]
    if result.converged:
        # Of the points within the tolerance the sparsest is returned, not the very lowest.
        assert cold is False or np.count_nonzero(result.w) == history.nonzeros[-1]
    else:
        assert result.gap <= history.gap.min() + 1e-15
    if cold:
        assert result.objective >= history.objective.min()
        assert result.objective in history.objective
        assert result.bound == history.bound[-1]
    assert np.all(history.nonzeros >= 0) and np.all(history.nonzeros <= result.w.size)


@each_method
def test_every_method_leaves_a_valid_history(kind, key):
    instance = random_instance(kind, 2, fit_intercept=True)
    result = instance.solve(method=key, max_iter=40, tol=1e-3)
    assert result.status in ("converged", "max_iter", "stalled")
    assert result.method == key
    check_history(result)
    again = instance.problem.score(Candidate(result.w))
    assert again.objective == pytest.approx(result.objective, rel=1e-12)
    assert again.bound <= result.bound * (1 + 1e-12) + 1e-15 or key in SVM_BOUNDS_FROM_W
    stated = (result.objective - result.bound) / max(abs(result.objective), abs(result.bound))
    assert result.gap == pytest.approx(stated, rel=1e-12)


# Hinge methods hand over u; the u that a score guesses from w alone may happen to be better.
SVM_BOUNDS_FROM_W = frozenset(METHODS["svm"])


def test_the_gap_is_the_one_the_problem_computes(instance):
    """On the last row of a fully measured run: objective of that iterate, best bound so far."""
    rows = []
    result = solve(
        instance.problem,
        PCP,
        max_iter=25,
        tol=0.0,
        measuring_share=0.0,
        callback=lambda record, w: rows.append((record, w.copy())),
    )
    assert len(rows) == len(result.history) == 26
    best = -np.inf
    for record, w in rows:
        score = instance.problem.score(Candidate(w))
        best = max(best, score.bound)
        assert record.objective == pytest.approx(score.objective, rel=1e-13)
        assert record.bound == pytest.approx(best, rel=1e-12)
        assert record.gap == pytest.approx(relative_gap(score.objective, best), rel=1e-9)
        assert record.nonzeros == np.count_nonzero(w)
        assert instance.objective(w) == pytest.approx(record.objective, rel=1e-12)


def test_history_by_column_row_and_name():
    history = History()
    history.append(Record(0, 0.0, 2.0, 0.5, 1.0, 3))
    history.append(Record(5, 0.1, 1.5, 0.2, 1.2, 4))
    np.testing.assert_array_equal(history["gap"], [0.5, 0.2])
    np.testing.assert_array_equal(history.iteration, [0, 5])
    assert history[-1].objective == 1.5
    assert [row.nonzeros for row in history] == [3, 4]
    assert list(history.to_dict()) == list(history.columns)
    with pytest.raises(KeyError, match="iteration, seconds, objective, gap"):
        history["loss"]
    with pytest.raises(AttributeError):
        history.loss  # noqa: B018
    assert len(History()) == 0
    assert History().gap.shape == (0,)


def test_results_travel(solution):
    for copied in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
        np.testing.assert_array_equal(copied.w, solution.w)
        np.testing.assert_array_equal(copied.history.gap, solution.history.gap)
        assert copied.status == "converged"
    assert "history" not in repr(solution)


# -- stopping -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6, 1e-9])
def test_tolerance_is_on_the_certified_gap(instance, tol):
    result = instance.solve(method="locp", tol=tol)
    assert result.status == "converged" and result.converged
    assert result.gap <= tol
    assert np.all(result.history.gap[:-1] > tol)
    assert result.objective - instance.reference.upper <= tol * result.objective
    check_history(result)


@pytest.mark.parametrize("max_iter", [0, 1, 7])
def test_iteration_limit(problem, max_iter):
    result = solve(problem, LOCP, tol=0.0, max_iter=max_iter)
    assert result.status == "max_iter" and not result.converged
    assert result.n_iter == max_iter
    check_history(result)


def test_time_limit(problem):
    # Two looks at the clock a step: each takes one tick of the method's time.
    result = solve(problem, LOCP, tol=0.0, max_seconds=50 * TICK, clock=Counted())
    assert result.status == "time_budget" and not result.converged
    assert result.seconds == 50 * TICK
    assert result.n_iter == 49
    check_history(result)


def test_no_time_at_all_still_gives_the_start(problem):
    result = solve(problem, LOCP, max_seconds=0.0)
    assert result.status == "time_budget"
    assert result.n_iter == 0
    np.testing.assert_array_equal(result.w, np.zeros(problem.n_features))
    check_history(result)


def test_a_method_may_have_its_own_iteration_limit(problem):
    method = toy(PCP.run, max_iter=12)
    assert solve(problem, method, tol=0.0).n_iter == 12
    assert solve(problem, method, tol=0.0, max_iter=5).n_iter == 5
    assert solve(problem, method, tol=0.0, max_iter=30).n_iter == 30


def test_statuses_are_said_in_words(instance):
    expected = {"converged", "max_iter", "time_budget", "cancelled", "stalled", "diverged"}
    assert expected <= set(STATUSES)
    result = instance.solve(method="pcp", max_iter=3)
    assert result.message == STATUSES["max_iter"]
    assert all(" " in words for words in STATUSES.values())


# -- callback and cancelling ----------------------------------------------------------------------


def test_the_callback_sees_every_record(problem):
    seen = []
    result = solve(problem, PCP, tol=1e-4, callback=lambda record, w: seen.append(record))
    assert seen == list(result.history)
    assert seen[0].iteration == 0
    assert result.converged


@pytest.mark.parametrize("when", [0, 1, 10])
def test_returning_true_cancels(problem, when):
    calls = []

    def callback(record, w):
        calls.append(record.iteration)
        return record.iteration >= when

    result = solve(problem, PCP, tol=0.0, callback=callback, measuring_share=0.0)
    assert result.status == "cancelled" and not result.converged
    assert result.n_iter == when
    assert calls == list(range(when + 1))
    check_history(result)


@pytest.mark.parametrize("answer", [None, False, 0, np.False_])
def test_anything_false_goes_on(problem, answer):
    result = solve(problem, PCP, tol=1e-3, callback=lambda record, w: answer)
    assert result.converged


def test_a_callback_cannot_spoil_the_result(problem):
    """It is handed the live array, and people write into arrays."""
    untouched = solve(problem, LOCP, tol=0.0, max_iter=30, measuring_share=0.0)

    def vandal(record, w):
        w[:] = np.nan

    try:
        result = solve(problem, LOCP, tol=0.0, max_iter=30, measuring_share=0.0, callback=vandal)
    except ValueError as error:
        # A read-only array is as good a protection as a copy.
        assert "read-only" in str(error)
    else:
        np.testing.assert_array_equal(result.w, untouched.w)


def test_an_exception_in_the_callback_is_the_callers(problem):
    def callback(record, w):
        raise RuntimeError("from the caller")

    with pytest.raises(RuntimeError, match="from the caller"):
        solve(problem, PCP, callback=callback)


def test_cancel_from_outside_keeps_a_valid_history(problem):
    lane = Lane(problem, PCP, tol=0.0)
    lane.advance(0.01)
    assert lane.running
    lane.cancel()
    assert lane.status == "cancelled" and not lane.running
    result = lane.result()
    check_history(result)
    length = len(result.history)
    assert lane.advance(0.01) == "cancelled"
    lane.cancel()
    assert len(lane.history) == length


def test_cancel_before_anything_ran(problem):
    lane = Lane(problem, PCP)
    lane.cancel()
    result = lane.result()
    assert result.status == "cancelled"
    assert result.n_iter == 0
    assert result.objective == pytest.approx(problem.objective(np.zeros(problem.n_features)))
    assert result.bound <= result.objective


def test_cancel_after_the_end_changes_nothing(problem):
    lane = Lane(problem, LOCP, tol=1e-3)
    lane.advance()
    lane.cancel()
    assert lane.status == "converged"


def test_a_running_lane_shows_its_best_so_far(problem):
    lane = Lane(problem, LOCP, tol=0.0, measuring_share=0.0, clock=Counted())
    lane.advance(20 * TICK)
    assert lane.running and lane.iteration == 19
    result = lane.result()
    assert result.status == "running"
    assert result.message == STATUSES["running"]
    assert result.objective >= result.bound
    lane.cancel()


# -- slices ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_slices_of_solver_time_make_the_same_run(kind):
    instance = random_instance(kind, 3, overlapping=True)
    for key in instance.accepted():
        method = instance.methods[key]
        options = {"tol": 1e-4, "max_iter": 60, "measuring_share": 0.0}
        whole = solve(instance.problem, method, **options)
        lane = Lane(instance.problem, method, clock=Counted(), **options)
        slices = 0
        while lane.running:
            before = lane.seconds
            lane.advance(0.5 * TICK)
            slices += 1
            assert lane.seconds == before + TICK
        sliced = lane.result()
        assert slices >= whole.n_iter > 0
        assert sliced.status == whole.status
        np.testing.assert_array_equal(sliced.w, whole.w)
        np.testing.assert_array_equal(sliced.history.objective, whole.history.objective)
        np.testing.assert_array_equal(sliced.history.bound, whole.history.bound)


def test_a_slice_ends_with_the_step_that_uses_it_up(problem):
    clock = Clock()
    lane = Lane(problem, toy(steady(clock, 4)), tol=0.0, clock=clock)
    lane.advance(20 * TICK)
    assert lane.seconds == 20 * TICK and lane.iteration + 1 == 5
    lane.advance(1 * TICK)
    assert lane.seconds == 24 * TICK and lane.iteration + 1 == 6
    lane.cancel()


# -- the clock ------------------------------------------------------------------------------------


class SlowToScore:
    """A problem whose measurement takes far longer than an iteration, by the clock given."""

    def __init__(self, problem, clock, ticks):
        self.problem = problem
        self.clock, self.ticks = clock, ticks
        self.n_features, self.n_samples = problem.n_features, problem.n_samples

    def score(self, candidate, **options):
        self.clock.works(self.ticks)
        return self.problem.score(candidate, **options)


def steady(clock, ticks=1, setup=0):
    """A method that takes equally long for every step, and gets nowhere."""

    def run(problem, w0):
        clock.works(setup)
        while True:
            clock.works(ticks)
            yield lambda: Candidate(np.zeros(problem.n_features))

    return run


standing_still = steady(Clock())


def test_the_clock_stands_still_while_measuring(problem):
    clock = Clock()
    slow = SlowToScore(problem, clock, 20)
    result = solve(slow, toy(steady(clock)), tol=0.0, max_iter=8, measuring_share=0.0, clock=clock)
    assert clock.now == 9 * (20 + 1) * TICK
    assert result.seconds == 9 * TICK
    np.testing.assert_array_equal(result.history.seconds, np.arange(1, 10) * TICK)


@pytest.mark.parametrize(
    ("share", "measured"),
    # The first and the last, whatever the share.
    [(1.0, [0, 20, 40, 60]), (2.0, [0, 40, 60]), (1e6, [0, 60]), (0.0, list(range(61)))],
)
def test_measuring_does_not_take_over(problem, share, measured):
    """A slow measurement is made only after the method has worked as long, times its share."""
    clock = Clock()
    slow = SlowToScore(problem, clock, 20)
    options = {"tol": 0.0, "max_iter": 60, "measuring_share": share, "clock": clock}
    result = solve(slow, toy(steady(clock)), **options)
    assert result.history.iteration.tolist() == measured
    check_history(result)


def test_the_time_a_method_takes_to_set_up_counts(problem):
    clock = Clock()
    result = solve(problem, toy(steady(clock, setup=30)), tol=0.0, max_iter=3, clock=clock)
    assert result.history.seconds[0] == 31 * TICK
    assert result.seconds == 34 * TICK


def test_a_reproducible_run_does_not_look_at_the_clock(problem):
    """Measured at the same iterations whatever the machine does, so the same result."""
    quick = solve(problem, LOCP, tol=1e-5, reproducible=True)
    clock = Clock()
    slow = solve(
        SlowToScore(problem, clock, 20),
        toy(lambda problem, w0: LOCP.run(problem.problem, w0)),
        tol=1e-5,
        reproducible=True,
        clock=clock,
    )
    for one, other in ((quick, slow), (quick, solve(problem, LOCP, tol=1e-5, reproducible=True))):
        np.testing.assert_array_equal(one.history.iteration, other.history.iteration)
        np.testing.assert_array_equal(one.w, other.w)
        assert one.gap == other.gap
    assert quick.converged
    assert list(quick.history.iteration[:21]) == list(range(21))
    assert np.diff(quick.history.iteration).max() <= 10


def test_another_clock_may_be_given(problem):
    clock = Clock()
    result = solve(problem, toy(steady(clock)), tol=0.0, max_seconds=8 * TICK, clock=clock)
    assert result.status == "time_budget"
    assert result.seconds == 8 * TICK and result.n_iter == 7
    np.testing.assert_array_equal(result.history.seconds, TICK * (result.history.iteration + 1))


def test_thinning_keeps_a_history_short(problem):
    whole = solve(problem, PCP, tol=0.0, max_iter=3000, measuring_share=0.0)
    thin = solve(problem, PCP, tol=0.0, max_iter=3000, measuring_share=0.0, thinning=1.05)
    check_history(thin)
    rows = thin.history.iteration
    assert list(rows[:21]) == list(range(21))
    apart = np.diff(rows[:-1])
    assert np.all(apart == np.maximum(1, (1.05 * rows[:-2]).astype(int) - rows[:-2]))
    assert len(rows) < 150 < len(whole.history)
    np.testing.assert_array_equal(thin.history.objective, whole.history.objective[rows])


# -- the change of the last step ------------------------------------------------------------------


def doubling(problem, w0):
    """w, 2w, 4w, ...: each step changes w by 100 %, two steps by 300 %."""
    w = np.ones(problem.n_features)
    while True:
        yield lambda w=w: Candidate(w)
        w = 2.0 * w


def test_the_change_is_that_of_one_step_however_rare_the_measurements(problem):
    clock = Clock()

    def steady(problem, w0):
        for build in doubling(problem, w0):
            clock.now += 1.0
            yield build

    class TakesFiveSteps:
        n_features, n_samples = problem.n_features, problem.n_samples

        def score(self, candidate, **options):
            clock.now += 5.0
            return problem.score(candidate, **options)

    result = solve(TakesFiveSteps(), toy(steady), tol=0.0, max_iter=43, clock=clock)
    assert list(result.history.iteration) == [*range(0, 41, 5), 43]
    assert np.isnan(result.history.change[0])
    np.testing.assert_array_equal(result.history.change[1:], 1.0)
    for thinning in (1.0, 1.3):
        result = solve(problem, toy(doubling), tol=0.0, max_iter=60, thinning=thinning)
        known = result.history.change[1:]
        np.testing.assert_array_equal(known[np.isfinite(known)], 1.0)
    reproducible = solve(problem, toy(doubling), tol=0.0, max_iter=60, reproducible=True)
    np.testing.assert_array_equal(reproducible.history.change[1:], 1.0)


def test_a_step_that_nobody_could_foresee_has_no_change(problem):
    """A sudden long step makes a measurement due, and the iterate before it was not kept."""
    clock = Clock()

    def bursts(problem, w0):
        for k, build in enumerate(doubling(problem, w0)):
            clock.now += 100.0 if k == 7 else 0.001
            yield build

    class Slow:
        n_features, n_samples = problem.n_features, problem.n_samples

        def score(self, candidate, **options):
            clock.now += 1.0
            return problem.score(candidate, **options)

    result = solve(Slow(), toy(bursts), tol=0.0, max_iter=8, clock=clock)
    assert list(result.history.iteration) == [0, 7, 8]
    assert np.isnan(result.history.change[1]) and result.history.change[2] == 1.0


def test_changes_from_and_at_zero(problem):
    def leaves_zero(problem, w0):
        zero, one = np.zeros(problem.n_features), np.ones(problem.n_features)
        for w in (zero, zero, one, one):
            yield lambda w=w: Candidate(w)

    result = solve(problem, toy(leaves_zero), tol=0.0, measuring_share=0.0)
    np.testing.assert_array_equal(result.history.change, [np.nan, 0.0, np.inf, 0.0])


@each_method
def test_the_change_is_that_of_the_methods_own_points(kind, key):
    instance = random_instance(kind, 2)
    method = METHODS[kind][key]
    own = []
    generator = method.iterates(instance.problem, None, {})
    for _ in range(6):
        build = next(generator, None)
        if build is None:
            break
        own.append(build().w.copy())
    result = solve(instance.problem, method, tol=0.0, max_iter=5, measuring_share=0.0)
    for k in range(1, min(len(own), len(result.history))):
        size = np.linalg.norm(own[k - 1])
        if size > 0.0:
            step = np.linalg.norm(own[k] - own[k - 1]) / size
            assert result.history.change[k] == pytest.approx(step, rel=1e-9)


# -- warm starts ----------------------------------------------------------------------------------


@each_method
def test_a_warm_start_at_the_solution_converges_at_once(kind, key):
    instance = random_instance(kind, 4, fit_intercept=True)
    exact = instance.accurate()
    method = METHODS[kind][key]
    options = {"tol": 1e-4, **patience(key), "measuring_share": 0.0}
    cold = solve(instance.problem, method, **options)
    warm = solve(instance.problem, method, w0=exact.w, **options)
    check_history(warm, cold=False)
    assert warm.objective <= exact.objective * (1 + 1e-9)
    if key in MAY_BE_SLOW:
        return
    assert warm.converged
    if kind != "svm":
        assert warm.n_iter == 0
    elif key.startswith("licp"):
        # w does not tell the hinge's multipliers on the margin; they have to be found again.
        assert warm.n_iter <= cold.n_iter // 2
    else:
        assert warm.n_iter <= cold.n_iter


@each_method
def test_a_result_is_never_worse_than_its_warm_start(kind, key):
    instance = random_instance(kind, 4, fit_intercept=True)
    w0 = instance.reference.w
    for max_iter in (0, 1, 5):
        result = instance.solve(method=key, w0=w0, max_iter=max_iter, tol=0.0)
        assert result.objective <= instance.reference.upper * (1 + 1e-9)


@each_method
def test_a_warm_start_is_not_modified(kind, key):
    instance = random_instance(kind, 5)
    w0 = np.random.default_rng(0).standard_normal(instance.problem.n_features)
    before = w0.copy()
    first = instance.solve(method=key, w0=w0, max_iter=20, tol=0.0)
    np.testing.assert_array_equal(w0, before)
    first.w[:] = 0.0
    np.testing.assert_array_equal(w0, before)


def test_a_warm_start_far_away_reaches_the_same_optimum(instance, solution):
    w0 = 1e3 * np.random.default_rng(1).standard_normal(instance.problem.n_features)
    for key in instance.accepted():
        options = {"restart": True} if "restart" in instance.methods[key].options else {}
        result = instance.solve(method=key, w0=w0, tol=1e-8, **patience(key), **options)
        if key not in MAY_BE_SLOW:
            assert result.converged
            assert result.objective == pytest.approx(solution.objective, rel=1e-7)
        assert result.bound <= solution.objective


def test_warm_starts_may_be_lists_or_whole_numbers(instance):
    zeros = [0] * instance.problem.n_features
    assert instance.solve(w0=zeros, tol=1e-3).converged


# -- arithmetic that runs out ---------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"restart": True}, {"backtracking": True}])
def test_asking_for_no_gap_at_all_ends_by_itself(instance, options):
    result = instance.solve(method="locp", tol=0.0, **options)
    # With luck the last digits agree, and that is convergence.
    assert result.status in ("stalled", "converged")
    assert result.gap < 1e-10
    assert result.n_iter < 100_000
    check_history(result)


def test_a_method_that_returns_has_stalled(problem, solution):
    def gives_up(problem, w0):
        for size in (0.0, 0.5, 0.9):
            yield lambda size=size: Candidate(size * solution.w)

    result = solve(problem, toy(gives_up), tol=1e-9)
    assert result.status == "stalled" and not result.converged
    assert result.n_iter == 2
    check_history(result)
    np.testing.assert_allclose(result.w, 0.9 * solution.w)


def test_a_method_that_returns_at_the_solution_has_converged(problem, solution):
    """The last iterate is measured even if no measurement was due."""

    def arrives(problem, w0):
        yield lambda: Candidate(np.zeros(problem.n_features))
        yield lambda: Candidate(solution.w)

    result = solve(problem, toy(arrives), tol=1e-6, measuring_share=1e9)
    assert result.status == "converged"
    assert result.n_iter == 1
    check_history(result)


def test_a_method_that_stands_still_has_stalled(problem):
    result = solve(problem, toy(standing_still), measuring_share=0.0)
    assert result.status == "stalled"
    assert result.n_iter < 20_000


def test_a_method_that_yields_nothing_leaves_zero(problem):
    def nothing(problem, w0):
        return
        yield

    result = solve(problem, toy(nothing))
    assert result.status == "stalled"
    np.testing.assert_array_equal(result.w, np.zeros(problem.n_features))
    assert result.objective >= result.bound


@pytest.mark.parametrize("factor", [1e30, -1e3, np.inf, np.nan])
def test_a_method_that_blows_up_has_diverged(problem, factor):
    def blows_up(problem, w0):
        w = np.ones(problem.n_features)
        while True:
            yield lambda w=w: Candidate(w)
            w = factor * w

    result = solve(problem, toy(blows_up), measuring_share=0.0)
    assert result.status == "diverged" and not result.converged
    assert result.message == STATUSES["diverged"]
    # What was seen before stays, certified.
    np.testing.assert_array_equal(result.w, np.ones(problem.n_features))
    assert np.isfinite(result.history.objective).all()
    assert result.history.iteration[0] == 0
    assert result.objective >= result.bound
    assert 0.0 < result.gap <= 1.0


def test_a_method_that_starts_broken_leaves_zero(problem):
    def broken(problem, w0):
        while True:
            yield lambda: Candidate(np.full(problem.n_features, np.nan))

    result = solve(problem, toy(broken))
    assert result.status == "diverged"
    np.testing.assert_array_equal(result.w, np.zeros(problem.n_features))
    assert result.objective >= result.bound


def test_a_broken_dual_point_does_no_harm(problem, solution):
    """A bound that is not a number is no bound; the primal point still counts."""

    def half_broken(problem, w0):
        nan = np.full(problem.n_samples, np.nan)
        while True:
            yield lambda: Candidate(solution.w, dual=nan, other_dual=nan)

    result = solve(problem, toy(half_broken), tol=1e-6, max_iter=5)
    assert np.isfinite(result.objective)
    assert not result.bound > result.objective
    assert result.gap >= 0.0 and not np.isnan(result.gap)


def test_a_worse_iterate_later_does_not_replace_the_best(problem, solution):
    def wanders(problem, w0):
        for size in itertools.cycle([0.0, 0.95, 3.0, 5.0]):
            yield lambda size=size: Candidate(size * solution.w)

    result = solve(problem, toy(wanders), tol=1e-9, max_iter=11, measuring_share=0.0)
    np.testing.assert_allclose(result.w, 0.95 * solution.w)
    assert result.objective == result.history.objective.min()


def test_a_method_may_reuse_its_arrays(problem, solution):
    """Candidates are built when measured; what is kept is a copy."""

    def in_place(problem, w0):
        w = 0.5 * solution.w

        def build():
            return Candidate(w)

        while True:
            yield build
            np.add(w, 0.7 * solution.w, out=w)

    result = solve(problem, toy(in_place), tol=1e-12, max_iter=4, measuring_share=0.0)
    np.testing.assert_allclose(result.w, 1.2 * solution.w)
    assert problem.objective(result.w) == pytest.approx(result.objective, rel=1e-12)


def test_generators_are_closed(problem):
    closed = []

    def tidy(problem, w0):
        try:
            yield from standing_still(problem, w0)
        finally:
            closed.append(True)

    solve(problem, toy(tidy), tol=0.0, max_iter=2)
    lane = Lane(problem, toy(tidy), tol=0.0)
    lane.advance(1e-6)
    lane.cancel()
    assert closed == [True, True]


def test_options_reach_the_method(problem):
    taken = []

    def choosy(problem, w0, *, courage=1):
        taken.append(courage)
        yield from standing_still(problem, w0)

    solve(problem, toy(choosy), max_iter=1, options={"courage": 7})
    solve(problem, toy(choosy), max_iter=1)
    assert taken == [7, 1]
