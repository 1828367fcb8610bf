"""The steps that are played are the solvers' own, and the script prints them."""

from itertools import islice

import numpy as np
import pytest

from lab.cones import charts, code, descent, words
from solvers.first_order.fista import fista
from tests.lab.code_runner import printed_by

methods = pytest.mark.parametrize("method", descent.METHODS)


@methods
def test_the_iterates_are_those_of_the_solvers_loop(method):
    run = descent.descent(method)
    posed, objective, seen = descent._posed(method)
    start = posed.start(None if method == "LICP" else descent.START)
    theirs = [x for x, _ in islice(fista(posed, start), descent.STEPS + 1)]
    np.testing.assert_allclose(run.iterates, [seen(x) for x in theirs], atol=1e-12)
    np.testing.assert_allclose(run.objective, [objective(x) for x in theirs], atol=1e-12)


@methods
def test_the_objective_falls_to_the_certified_least(method):
    run = descent.descent(method)
    assert run.gap <= 1e-10
    above = run.objective - run.least
    assert above.min() >= -1e-9
    assert above[-1] < 0.02 * above[0]
    assert np.all(np.diff(run.objective[:6]) < 0)


def test_the_optimum_of_the_small_lasso_has_a_weight_that_vanished():
    best = descent.descent("LOCP").best
    assert best[0] > 0.5 and best[1] == 0.0
    np.testing.assert_allclose(descent.descent("PCP").best, best, atol=1e-6)


@methods
def test_the_figure_has_two_frames_a_step_holds_all_its_points_and_is_small(method):
    run = descent.descent(method)
    figure = charts.live.steps(run)
    assert len(figure.titles) == len(descent.TEXTS) == 2 * descent.STEPS + 1
    assert figure.titles[1].startswith(f"{method}, step 1: go down the gradient")
    assert f"objective {words.shown(run.objective[1])}" in figure.titles[2]
    assert len(figure.payload) < 300_000
    places = np.vstack([run.iterates, run.momentum, run.gradient, run.best])
    for axis, column in (("x", 0), ("y", 1)):
        low, high = figure.content[axis]["range"]
        assert low < places[:, column].min() and places[:, column].max() < high
    still = charts.steps(run, 3, title=figure.titles[3], mode="light")
    assert still.data[0].x[-1] == run.gradient[1, 0]


@methods
def test_the_answer_counts_steps(method):
    run = descent.descent(method)
    assert "starts" in words.descent_answer(run, 0)
    assert f"after 1 step of {method}" in words.descent_answer(run, 1)
    assert words.shown(run.objective[3] - run.least, 2) in words.descent_answer(run, 3)


@methods
def test_the_script_prints_every_step(method):
    run = descent.descent(method)
    lines = printed_by(code.steps(method)).splitlines()
    assert len(lines) == descent.STEPS + 1
    for line, place, value in zip(lines, run.iterates, run.objective, strict=True):
        first, second, _, printed = line.split(": ")[1].split()
        assert [float(first), float(second)] == pytest.approx(place, rel=1e-5, abs=1e-12)
        assert float(printed) == pytest.approx(value, rel=1e-5, abs=1e-12)
