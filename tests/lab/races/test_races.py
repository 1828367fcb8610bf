"""Races: fair turns, certified standings, a queue in which nobody is lost."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from lab import races
from lab.data.datasets import load
from lab.drawing import theme
from lab.races import Heat, Race, RaceSpec, Turnstile, recorded
from lab.races.charts import race_lines
from lab.races.panels import PANELS
from lab.races.standings import Place, certified_places, true_places
from solvers import LASSO_METHODS, Method, solve_lasso, solve_logistic, solve_svm
from solvers.problems import Candidate, relative_gap
from solvers.result import History, Record
from solvers.tracking import solve
from tests.clocks import PATIENCE, TICK, Clock, Counted

SMALL = RaceSpec(n_samples=30, n_features=60, n_groups=6, lam=30.0, budget=5.0)


def toy(key: str, clock: Clock, seconds: float, iterations: int | None = None) -> Method:
    """A method whose every iteration takes exactly that long and gets nowhere."""

    def run(problem, w0):
        k = 0
        while iterations is None or k <= iterations:
            clock.now += seconds
            yield lambda: Candidate(np.zeros(problem.n_features))
            k += 1

    return Method(key, key.title(), "a test", run)


@pytest.fixture(scope="module")
def problem():
    return SMALL.build()


def run_to_the_end(spec: RaceSpec) -> Race:
    race = Race(spec)
    race.advance()
    assert race.finished
    return race


@pytest.fixture(scope="module")
def finished():
    return run_to_the_end(replace(SMALL, methods=("newton", "pcp", "locp"), repeats=2))


# -- fairness -------------------------------------------------------------------------------------


def test_running_lanes_are_never_further_apart_than_a_slice_and_an_iteration(problem):
    clock = Clock()
    lengths = {"fast": 0.0007, "medium": 0.009, "slow": 0.05}
    methods = [toy(key, clock, length) for key, length in lengths.items()]
    heat = Heat(problem, methods, tol=0.0, max_seconds=2.0, clock=clock)
    allowed = races.SLICE + max(lengths.values()) + 1e-9
    steps = 0
    while heat.running:
        behind = min(
            (runner for runner in heat.runners if runner.running), key=lambda one: one.seconds
        )
        before = behind.seconds
        heat.step()
        steps += 1
        assert behind.seconds > before, "the lane that was behind did not get the turn"
        assert behind.seconds - before < races.SLICE + lengths[behind.key] + 1e-9
        seconds = [runner.seconds for runner in heat.runners if runner.running]
        assert not seconds or max(seconds) - min(seconds) <= allowed
    assert steps > 60
    for runner in heat.runners:
        assert runner.result.status == "time_budget"
        assert 2.0 <= runner.seconds <= 2.0 + lengths[runner.key] + 1e-9


def test_a_lane_that_has_ended_costs_the_others_nothing(problem):
    clock = Clock()
    methods = [toy("short", clock, 0.01, iterations=3), toy("long", clock, 0.01)]
    heat = Heat(problem, methods, tol=0.0, max_seconds=1.0, clock=clock)
    while heat.running:
        heat.step()
    short, long = heat.runners
    assert short.result.status == "stalled" and short.seconds == pytest.approx(0.04)
    assert long.seconds == pytest.approx(1.0, abs=0.011)
    assert clock.now == pytest.approx(short.seconds + long.seconds)


def test_solver_time_is_processor_time_of_the_working_thread():
    """Time that passes while the thread sleeps, or waits for a busy machine, does not count."""
    assert races.solver_clock() is time.thread_time  # the BLAS of this environment is known


SOLVE = {"lasso": solve_lasso, "overlapped": solve_lasso, "logistic": solve_logistic}


@pytest.mark.parametrize("kind", races.PROBLEMS)
def test_a_lane_ends_like_the_same_method_run_alone(kind):
    extras = 3 if kind == "overlapped" else 0
    spec = replace(SMALL, problem=kind, extras=extras, tol=1e-8, budget=20.0)
    refused = races.refused_by(spec)
    second = {"lasso": "locp", "overlapped": "pls_dn", "logistic": "locp", "svm": "dual_u"}[kind]
    spec = replace(spec, methods=("newton", second))
    assert not set(spec.methods) & set(refused)
    race = run_to_the_end(spec)
    data = load(spec.data())
    for runner in race.heats[0].runners:
        options = dict(method=runner.key, tol=spec.tol)
        if kind == "svm":
            alone = solve_svm(data.X, data.y, data.groups, spec.alpha, spec.beta, **options)
        else:
            alone = SOLVE[kind](data.X, data.y, data.groups, spec.lam, **options)
        assert runner.result.status == alone.status == "converged"
        assert runner.result.objective == pytest.approx(alone.objective, rel=2e-8)
        np.testing.assert_allclose(runner.result.w, alone.w, atol=1e-3)
        if races.METHODS[kind][runner.key].few_iterations:
            # Every iterate is measured, alone and in a race, so the last one is the same.
            np.testing.assert_array_equal(runner.result.w, alone.w)
            np.testing.assert_array_equal(runner.history["objective"], alone.history["objective"])


def test_taking_turns_changes_no_iterate(problem):
    """The same iteration of a lane that was interrupted and of a run without a pause."""
    heat = Heat(
        problem,
        [LASSO_METHODS["pcp"], LASSO_METHODS["kong"]],
        tol=1e-9,
        max_seconds=200 * TICK,
        clock=Counted(),
    )
    while heat.running:
        heat.step()
    for runner in heat.runners:
        whole = solve(
            problem,
            LASSO_METHODS[runner.key],
            tol=0.0,
            max_iter=200,
            measuring_share=0.0,
        )
        by_iteration = dict(
            zip(whole.history["iteration"], whole.history["objective"], strict=True)
        )
        shared = [row for row in runner.history if row.iteration in by_iteration]
        assert len(shared) > 5
        for row in shared:
            assert row.objective == by_iteration[row.iteration]


def test_advance_stops_with_the_slice_that_uses_its_time_up(monkeypatch):
    race = Race(replace(SMALL, lam=1e-3, tol=1e-8, methods=("pcp", "locp"), budget=30.0))
    race.prepare()
    steps, step = [], race.heats[0].step
    monkeypatch.setattr(race.heats[0], "step", lambda: steps.append(step()))
    # A look at the clock before the first slice, and one after each.
    monkeypatch.setattr("lab.races.race.time", SimpleNamespace(perf_counter=Counted()))
    race.advance(3 * TICK)
    assert len(steps) == 3
    assert race.advancing and 0.0 < race.progress < 1.0
    race.cancel()


# -- pause, cancel, repeats -----------------------------------------------------------------------


def test_a_paused_race_does_not_move():
    race = Race(replace(SMALL, lam=1e-3, tol=1e-8, methods=("pcp", "locp"), budget=30.0))
    race.advance(0.02)
    race.pause()
    version = race.version
    race.advance(0.05)
    assert race.version == version and not race.advancing and not race.finished
    race.resume()
    race.advance(0.05)
    assert race.version != version
    race.cancel()


def test_cancel_keeps_what_was_measured():
    race = Race(replace(SMALL, lam=1e-3, tol=1e-8, methods=("pcp", "locp"), budget=30.0, repeats=3))
    while not race.heats or any(len(runner.history) < 3 for runner in race.heats[0].runners):
        race.advance(0.02)
    race.cancel()
    assert race.finished and not race.advancing and race.progress == 1.0
    version = race.version
    race.advance(0.05)
    assert race.version == version
    assert len(race.heats) == 1
    for runner in race.heats[0].runners:
        assert runner.result.status == "cancelled"
        assert runner.history["iteration"][-1] == runner.result.n_iter
    assert "was cancelled" in races.podium(race)[0].status
    headline = races.headline(race, races.podium(race), example=False)
    assert "when the race was cancelled in draw 1 of 3 (" in headline  # two draws were never made


def test_cancel_before_the_first_turn():
    race = Race(SMALL)
    race.cancel()
    assert race.finished and races.podium(race) == []
    assert races.curves(race, "gap", "seconds") == []
    assert races.table(race)["gap"].size == 0
    assert json.loads(json.dumps(races.document(race)))["runs"] == []
    assert races.answer(race, []) == "no measurement yet"


def test_each_repeat_draws_new_data_and_lets_the_old_go(finished):
    assert len(finished.heats) == 2
    first, second = (heat.runners[0].result for heat in finished.heats)
    assert first.objective != second.objective
    alone = [load(SMALL.data(repeat)) for repeat in (0, 1)]
    assert alone[1].X is not alone[0].X
    for heat in finished.heats:
        for runner in heat.runners:
            assert runner._lane is None


# -- what it shows --------------------------------------------------------------------------------


def test_the_true_error_is_against_the_best_bound_of_all(finished):
    for heat in finished.heats:
        best = max(runner.result.bound for runner in heat.runners)
        assert heat.bound == best
    single = run_to_the_end(replace(SMALL, methods=("newton", "pcp")))
    bound = single.heats[0].bound
    for curve, runner in zip(
        races.curves(single, "error", "seconds"), single.heats[0].runners, strict=True
    ):
        best = np.minimum.accumulate(runner.history["objective"])
        expected = (best - bound) / np.maximum(np.abs(best), abs(bound))
        np.testing.assert_array_equal(curve.y, np.maximum(expected, 1e-16))
        np.testing.assert_array_equal(curve.x, runner.history["seconds"])


@pytest.mark.parametrize("measure", races.MEASURES)
@pytest.mark.parametrize("against", ["seconds", "iteration"])
def test_repeats_give_a_median_inside_its_band(finished, measure, against):
    for curve in races.curves(finished, measure, against):
        assert np.all(np.diff(curve.x) > 0)
        assert np.all(curve.low <= curve.y) and np.all(curve.y <= curve.high)
        # Two runs: the median is the mean of both, read off the histories by hand.
        at = len(curve.x) // 2
        by_hand = []
        for heat in finished.heats:
            runner = next(one for one in heat.runners if one.key == curve.key)
            y = races.values(measure, runner.history, heat.bound)
            x = runner.history[against][np.isfinite(y)]
            y = y[np.isfinite(y)]
            earlier = y[x <= curve.x[at]]
            by_hand.append(earlier[-1] if earlier.size else y[0])
        assert curve.y[at] == pytest.approx(np.mean(by_hand), rel=1e-12)


def runners_of(race, key):
    """The runs of one method, a repeat each."""
    return [runner for heat in race.heats for runner in heat.runners if runner.key == key]


def test_the_podium_reads_the_first_row_at_each_level(finished):
    for standing in races.podium(finished):
        for level in races.LEVELS:
            found = []
            for runner in runners_of(finished, standing.key):
                best, row = np.inf, None
                for record in runner.history:
                    best = min(best, record.objective)
                    if relative_gap(best, record.bound) <= level:
                        row = record
                        break
                found.append((np.inf, np.inf) if row is None else (row.seconds, row.iteration))
            seconds, iterations = np.median(np.array(found), axis=0)
            assert standing.seconds_to[level] == seconds
            assert standing.iterations_to[level] == iterations
    times = [standing.seconds_to[SMALL.tol] for standing in races.podium(finished)]
    assert times == sorted(times) and np.isfinite(times[0])


def ranks(cell: str) -> list[int]:
    return [int(place) for place, _ in re.findall(r"(\d+)(st|nd|rd|th)", cell)]


def test_the_table_of_the_podium_says_what_the_standings_hold(finished):
    standings = races.podium(finished)
    columns = races.podium_table(standings, SMALL.tol)
    places = [f"place by {what} of 1e\u201106" for what in ("certificate", "true error")]
    assert columns["method"] == [
        *places,
        *(f"certified to {level:.0e}".replace("e-", "e\u2011") for level in races.LEVELS),
        *(f"true error {level:.0e}".replace("e-", "e\u2011") for level in races.LEVELS),
        *("final certificate", "above best bound", "iterations/s", "nonzeros", "status"),
    ]
    assert list(columns)[1:] == [standing.label for standing in standings]
    for standing in standings:
        certified, true = columns[standing.label][:2]
        for cell, places in (
            (certified, races.standings.certified_places),
            (true, races.standings.true_places),
        ):
            place = places(standings, SMALL.tol)[standing.key]
            assert ranks(cell) == ([] if place is None else sorted({place.first, place.last}))
        cells = [cell.replace("\u2011", "-") for cell in columns[standing.label][2:]]
        for cell, level in zip(cells, races.LEVELS, strict=False):
            if np.isinf(standing.seconds_to[level]):
                assert cell == "—"
            else:
                assert cell.endswith(f" · {standing.iterations_to[level]:,.0f}")
            # Who has a proof is there, and may have been there before.
            assert standing.true_seconds_to[level] <= standing.seconds_to[level]
        assert cells[8] in (f"{standing.gap:.1e}", "below 1e-15")
        gaps = [run.result.gap for run in runners_of(finished, standing.key)]
        assert (standing.gap, standing.worst_gap) == (np.median(gaps), max(gaps))
        rates = [run.result.n_iter / run.seconds for run in runners_of(finished, standing.key)]
        assert cells[10] == f"{np.median(rates):,.0f}"
        assert cells[11:] == [f"{standing.nonzeros:,.0f}", standing.status]


def test_certified_gaps_are_those_of_the_solvers():
    history = History()
    rows = [(3.0, 1.0), (2.0, -np.inf), (2.5, 1.5), (1.5, 1.5), (0.0, 0.0), (0.0, 1.0)]
    for k, (objective, bound) in enumerate(rows):
        history.append(Record(k, float(k), objective, 0.0, bound, 0))
    best = np.minimum.accumulate([objective for objective, _ in rows])
    expected = [relative_gap(p, d) for p, (_, d) in zip(best, rows, strict=True)]
    np.testing.assert_array_equal(races.certified_gaps(history), expected)


def test_the_answer_states_winner_ratio_and_who_was_late():
    race = Race(replace(SMALL, methods=("newton", "pcp", "kong")))
    never = {level: np.inf for level in races.LEVELS}

    def standing(label, *seconds):
        middle = float(np.median(seconds)) if seconds else np.inf
        reach = {**never, 1e-2: 0.001, 1e-6: middle}
        each = {level: (np.inf,) for level in never} | {1e-6: seconds or (np.inf,)}
        return races.Standing(
            label,
            label,
            reach,
            reach,
            reach,
            reach,
            each,
            each,
            1e-7,
            1e-9,
            1.0,
            10.0,
            5,
            ("converged",),
        )

    standings = [standing("A", 0.02), standing("B", 0.05), standing("C")]
    assert races.answer(race, standings) == (
        "A is certified to 1e-06 after 20 ms, B after 50 ms, in one draw; C not yet"
    )
    several = [standing("A", 0.02, 0.02, 0.03), standing("B", 0.05, 0.08, 0.06)]
    assert races.answer(race, several) == (
        "A is certified to 1e-06 after 20 ms, 2.5 times as fast as B (2 to 4 over 3 draws)"
    )
    unclear = [standing("A", 0.02, 0.02, 0.03), standing("B", 0.05, 0.01, 0.06)]
    assert races.answer(race, unclear).endswith("ahead of B in 2 of 3 draws, which settles nothing")
    # Draws without a certificate count: for the other where that has one, for nobody if none has.
    failed = [standing("A", 0.02, 0.02, np.inf), standing("B", 0.05, 0.08, 0.06)]
    assert races.answer(race, failed) == (
        "A is certified to 1e-06 after 20 ms in 2 of 3 draws, ahead of B in 2 of 3 draws, which "
        "settles nothing"
    )
    both = [standing("A", 0.02, 0.02, np.inf), standing("B", 0.05, 0.08, np.inf)]
    assert races.answer(race, both).endswith(
        "in 2 of 3 draws, 3.2 times as fast as B (2.5 to 4 over 2 draws)"
    )
    late = [standing("A", 0.02, 0.02, 0.03), standing("B", 0.05, 0.08, np.inf)]
    assert races.answer(race, late) == (
        "A is certified to 1e-06 after 20 ms, 4.0 times as fast as B (at least 2.5 over 3 draws; B "
        "was there in 2 of 3)"
    )
    # Who got there in some draws did get there.
    seldom = [standing("A", 0.02, 0.02, 0.03), standing("B", 0.05, np.inf, np.inf), standing("C")]
    assert races.answer(race, seldom) == (
        "A is certified to 1e-06 after 20 ms; B in 1 of 3 draws only; C not yet"
    )
    table = races.podium_table(seldom, 1e-6)
    assert table["B"][0] == table["B"][table["method"].index("certified to 1e‑06")] == "in 1 of 3"
    assert table["C"][0] == "not there"
    assert races.answer(race, seldom[1:]) == (
        "nobody has a certificate of 1e-06 in more than half of the draws: B in 1 of 3 draws"
    )
    nobody = [standing("A"), standing("B")]
    assert races.answer(race, nobody).startswith("nobody has a certificate of 1e-06 after 1 s")


def test_what_needs_no_iteration_is_no_faster_than_another():
    """λ so large that w = 0 is optimal to the tolerance: only the set-up takes time."""
    easy = RaceSpec(
        "logistic", 20, 40, 4, lam=1e9, tol=1e-2, methods=("newton", "pcp", "locp"), repeats=3
    )
    race = Race(easy)
    race.advance()
    standings = races.podium(race)
    assert {one.iterations_to[easy.tol] for one in standings} == {0.0}
    said = races.answer(race, standings)
    assert "too easy to tell who is faster" in said and "times" not in said
    assert set(certified_places(standings, easy.tol).values()) == {Place(1, 3)}
    assert set(true_places(standings, easy.tol).values()) == {Place(1, 3)}
    assert "is not settled" in races.title(race, standings, "gap")


def test_no_title_puts_one_lane_before_the_others_without_its_draws():
    for repeats, told in ((1, "one draw"), (3, "3 draws")):
        race = Race(replace(SMALL, repeats=repeats))
        race.advance()
        standings = races.podium(race)
        for measure in races.MEASURES:
            title = races.title(race, standings, measure)
            assert told in title or "is not settled" in title
        slow = Race(
            replace(SMALL, lam=1e-3, tol=1e-8, methods=("pcp",), budget=0.2, repeats=repeats)
        )
        slow.advance()
        for measure in races.MEASURES:
            assert told in races.title(slow, races.podium(slow), measure)


def test_the_curve_of_the_certified_gap_is_what_the_podium_goes_by():
    """The best so far, as *Paper vs measured* draws it: PLS-DN's own iterates go up and down."""
    race = recorded.shipped(replace(PANELS["2a"].spec, repeats=1))
    standings = {one.key: one for one in races.podium(race)}
    for curve in races.curves(race, "gap", "seconds"):
        assert np.all(np.diff(curve.y) <= 0.0)
        there = curve.x[curve.y <= 1e-4]
        certified = standings[curve.key].seconds_to[1e-4]
        assert np.isfinite(certified) == bool(there.size)
        # Of the benchmark's rows some were dropped, none between two that are further apart.
        assert not there.size or certified <= there[0] <= 1.1 * certified


def test_log_is_refused_where_a_value_is_not_positive():
    x = np.array([1.0, 2.0])
    good = races.Trace("pcp", "PCP", x, np.array([1.0, 0.1]))
    zero = races.Trace("kong", "Kong", x, np.array([1.0, 0.0]))
    band = races.Trace("kong", "Kong", x, x, low=np.array([-1.0, 0.0]), high=x)
    assert races.why_not_log([good], "gap") is None
    assert "certified gap of Kong is 0 or below once" in races.why_not_log([good, zero], "gap")
    assert "2 times" in races.why_not_log([good, band], "gap")


def test_guides_begin_and_end_with_the_data():
    x = np.array([0.0, 2.0, 50.0])
    slow = races.Trace("pcp", "PCP", x, np.array([9.0, 3.0, 1.0]))
    fast = races.Trace("newton", "Newton", x, np.array([9.0, 2.0, 1e-2]))
    guides = races.guides([fast, slow])
    assert [guide.label for guide in guides] == list(races.RATES)
    for guide, power in zip(guides, (0.5, 1.0, 2.0), strict=True):
        assert (guide.x[0], guide.y[0]) == (2.0, 3.0)
        slope = np.polyfit(np.log(guide.x), np.log(guide.y), 1)[0]
        assert slope == pytest.approx(-power)
        assert guide.y[-1] >= 1e-2 * (1 - 1e-9) and guide.x[-1] <= 50.0 * (1 + 1e-9)
    assert races.guides([races.Trace("pcp", "PCP", x, np.zeros(3))]) == []


def test_the_measured_change_is_the_papers():
    """LOCP alone, each iterate measured: ‖w⁺ − w‖/‖w‖ from the iterates themselves."""
    problem = SMALL.build()
    iterates = []
    result = solve(
        problem,
        LASSO_METHODS["locp"],
        max_iter=20,
        tol=0.0,
        measuring_share=0.0,
        callback=lambda record, w: iterates.append(w),
    )
    for k in range(2, 20):
        step = np.linalg.norm(iterates[k] - iterates[k - 1]) / np.linalg.norm(iterates[k - 1])
        assert result.history["change"][k] == pytest.approx(step, rel=1e-12)


# -- the chart ------------------------------------------------------------------------------------


def chart(curves, **changes):
    options = dict(title="t", x_title="x", y_title="y", log_x=False, log_y=True, mode="light")
    return race_lines(curves, **{**options, **changes})


def test_chart_draws_a_line_per_method_with_its_name_at_the_end(finished):
    curves = races.curves(finished, "gap", "seconds")
    figure = chart(curves, rates=races.guides(curves))
    names = [trace.name for trace in figure.data if trace.name]
    assert sorted(names) == sorted([*(curve.label for curve in curves), *races.RATES])
    assert {note.text for note in figure.layout.annotations} == set(names)
    bands = [trace for trace in figure.data if trace.fill == "tonexty"]
    assert len(bands) == len(curves)
    low, high = figure.layout.yaxis.range
    assert 10**low <= min(curve.low.min() for curve in curves)
    assert 10**high >= max(curve.high.max() for curve in curves)
    assert figure.layout.yaxis.type == "log"
    assert chart(curves, log_y=False).layout.yaxis.type == "linear"
    assert chart(curves).layout.dragmode is False and chart(curves, zoom=True).layout.dragmode


def test_many_methods_get_a_legend():
    x = np.linspace(1, 2, 40)
    curves = [races.Trace(key, key, x, x) for key in LASSO_METHODS]
    figure = chart(curves)
    assert not figure.layout.annotations
    assert all(trace.showlegend for trace in figure.data)


def test_an_empty_race_makes_an_empty_chart():
    assert len(chart([]).data) == 0


@pytest.mark.parametrize("kind", races.PROBLEMS)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_methods_of_one_problem_can_be_told_apart(kind, mode):
    looks = [theme.method_line(key, mode) for key in races.METHODS[kind]]
    assert len({look.color for look in looks}) == len(looks)


# -- specs and controls ---------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [races.QUICK, *races.PAPER.values()], ids=lambda s: s.description)
def test_presets_go_through_the_controls_unchanged(spec):
    assert races.spec_of(races.controls_of(spec)) == spec
    assert races.refusal(spec) is None
    assert len(spec.methods) > 1
    assert spec != races.QUICK or len(spec.methods) <= 4
    assert spec.repeats >= 3  # one draw does not tell who is faster
    assert not set(spec.methods) & set(races.refused_by(spec))


@pytest.mark.parametrize(
    ("kind", "other"), [("svm", {"lam": "3"}), ("lasso", {"alpha": "100", "beta": "0.1"})]
)
def test_a_strength_that_a_problem_does_not_have_makes_no_other_race_of_it(kind, other):
    """A link does not say what is not on show; the race that it reopens is still the one set up."""
    controls = {**races.default_controls(), "problem": races.PROBLEMS[kind]}
    spec = races.spec_of(controls)
    assert races.spec_of({**controls, **other}) == spec
    assert not set(other) & set(spec.settings())


def test_the_race_of_fig_2c_is_known_however_its_settings_were_reached():
    label, spec = next((label, spec) for label, spec in races.PAPER.items() if "2(c)" in label)
    controls = {**races.default_controls(), **races.presets()[label], "lam": "100"}
    assert races.spec_of(controls) == spec


@pytest.mark.parametrize("kind", races.PROBLEMS)
def test_at_most_four_are_preselected(kind):
    controls = {**races.default_controls(), "problem": races.PROBLEMS[kind]}
    spec = races.spec_of(controls)
    assert spec.repeats >= 3
    assert spec.problem == kind
    assert 2 <= len(spec.methods) <= 4
    assert races.refusal(spec) is None


def test_the_papers_presets_are_at_full_size():
    a, b, c, d = races.PAPER.values()
    assert (a.n_samples, a.n_features, a.n_groups, a.extras) == (400, 4000, 100, 0)
    assert (b.n_samples, b.n_features, b.n_groups, b.extras) == (400, 4000, 100, 100)
    assert (c.n_samples, c.n_features, c.n_groups, c.problem) == (720, 5040, 720, "svm")
    assert (d.n_samples, d.n_features, d.n_groups, d.problem) == (720, 5040, 720, "svm")
    assert c.extras > 0 and d.extras == 0
    assert {spec.tol for spec in (a, b, c, d)} == {1e-6}
    assert {spec.budget for spec in (a, b, c, d)} == {15.0}
    assert {"locp", "pcp"} <= set(a.methods) and {"licp", "admm"} <= set(c.methods)


def test_the_papers_lambda_is_doubled():
    spec = replace(SMALL, lam=None)
    data = load(spec.data())
    assert spec.build().lam == pytest.approx(2 * 0.4 / np.abs(data.true_weights).sum())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (dict(n_samples=2000, n_features=10_000), "at most 4 million: lower either"),
        (dict(n_groups=20), "take at most 15 groups"),
        (dict(methods=()), "switch on at least one method"),
        (dict(problem="overlapped"), "at least 1 extra feature"),
        (dict(problem="overlapped", extras=55), "only 50 features outside a group"),
        (
            dict(problem="svm", n_features=4000, n_groups=500, extras=400),
            "more than 100,000 memberships",
        ),
    ],
)
def test_impossible_races_are_refused_in_one_sentence(changes, words):
    spec = replace(SMALL, **changes)
    assert words in races.refusal(spec)
    with pytest.raises(ValueError, match=words[:10]):
        Race(spec)


@pytest.mark.parametrize("kind", races.PROBLEMS)
def test_refused_methods_are_those_that_refuse_the_real_problem(kind):
    for extras in (0, 2):
        if kind in ("lasso", "overlapped") and (kind == "lasso") == bool(extras):
            continue
        spec = replace(SMALL, problem=kind, extras=extras)
        problem = spec.build()
        expected = {
            key: method.accepts(problem)
            for key, method in races.METHODS[kind].items()
            if method.accepts(problem)
        }
        if kind == "svm" and extras:  # two names for one algorithm are one lane
            expected["interior"] = (
                "Dual Newton runs the same algorithm on such data, one lane for both"
            )
        assert dict(races.refused_by(spec)) == expected
    assert "locp" in races.refused_by(replace(SMALL, problem="overlapped", extras=2))


def test_methods_that_refuse_are_not_raced():
    controls = races.controls_of(replace(SMALL, problem="overlapped", extras=2))
    assert controls["m_locp"] and "locp" not in races.spec_of(controls).methods


# -- to take home ---------------------------------------------------------------------------------


def test_table_and_document_hold_every_measurement(finished):
    columns = races.table(finished)
    rows = sum(len(runner.history) for heat in finished.heats for runner in heat.runners)
    assert {column.shape[0] for column in columns.values()} == {rows}
    assert set(columns["seed"]) == {0, 1} and set(columns["repeat"]) == {1, 2}
    document = json.loads(json.dumps(races.document(finished), allow_nan=False))
    assert document["spec"]["n_features"] == 60 and len(document["runs"]) == 6
    run = document["runs"][0]
    runner = finished.heats[0].runners[0]
    assert run["history"]["objective"] == runner.history["objective"].tolist()
    assert run["status_in_words"] == runner.result.message
    assert run["history"]["change"][0] is None


# -- the turnstile --------------------------------------------------------------------------------


def place(turnstile: Turnstile, ticket: str) -> int:
    with turnstile.turn(ticket) as position:
        return position


def test_first_come_first_served():
    turnstile = Turnstile(patience=5.0, clock=Clock())
    assert [place(turnstile, name) for name in "abc"] == [0, 1, 2]
    assert [place(turnstile, name) for name in "cba"] == [2, 1, 0]
    turnstile.leave("a")
    assert [place(turnstile, name) for name in "bca"] == [0, 1, 2]
    turnstile.leave("c")
    assert turnstile.queue == ("b", "a")
    turnstile.leave("nobody")


def test_who_falls_silent_loses_the_turn_and_the_place():
    clock = Clock()
    turnstile = Turnstile(patience=5.0, clock=clock)
    for name in "abc":
        place(turnstile, name)
    clock.now = 4.0
    assert place(turnstile, "c") == 2
    clock.now = 5.5
    assert place(turnstile, "c") == 0
    # Coming back means queueing up again.
    assert place(turnstile, "a") == 1
    assert turnstile.queue == ("c", "a")


def test_who_works_is_not_silent_however_long_it_takes():
    clock = Clock()
    turnstile = Turnstile(patience=5.0, clock=clock)
    with turnstile.turn("a") as position:
        assert position == 0
        clock.now = 20.0
        assert place(turnstile, "b") == 1
    assert place(turnstile, "a") == 0
    clock.now = 66.0
    assert place(turnstile, "b") == 0


def test_the_turn_is_not_given_away_while_the_one_that_left_still_works():
    turnstile = Turnstile(clock=Clock())
    with turnstile.turn("a"):
        turnstile.leave("a")
        assert place(turnstile, "b") == 1
    assert place(turnstile, "b") == 0


def test_an_error_gives_the_turn_back():
    turnstile = Turnstile(patience=5.0, clock=(clock := Clock()))
    with pytest.raises(RuntimeError), turnstile.turn("a"):
        raise RuntimeError("in the race")
    clock.now = 6.0
    assert place(turnstile, "b") == 0


def test_only_one_thread_works_at_a_time():
    turnstile = Turnstile()
    inside, most, worked = [0], [0], set()
    barrier = threading.Barrier(6)

    def visitor(name):
        barrier.wait()
        while name not in worked:
            with turnstile.turn(name) as position:
                if position == 0:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                    sum(range(2000))
                    inside[0] -= 1
                    worked.add(name)
            if name in worked:
                turnstile.leave(name)

    threads = [threading.Thread(target=visitor, args=(str(k),)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(worked) == 6 and most[0] == 1
    assert turnstile.queue == ()
