"""The figures of random grouping: every frame live and still from the same numbers."""

import json

import numpy as np
import pytest

from lab.balance import charts, draws, law, over_n, settings, words
from lab.balance.law import Setting
from lab.drawing import live

LARGEST = Setting(1_000_000, 5000, 0.5)
AT = Setting(5040, 112, 0.5)


@pytest.fixture(scope="module")
def curve():
    return law.curve(AT)


@pytest.fixture(scope="module")
def proven():
    return law.bounds(AT)


def content(figure: live.Figure) -> dict:
    return json.loads(figure.payload)["content"]


def test_the_marker_rides_on_the_exact_law_at_every_m(curve):
    figure = charts.live_curve(AT, curve)
    inside = content(figure)
    assert inside["handle"] == 0 and inside["marker"] == inside["xs"] == curve.m.tolist()
    np.testing.assert_allclose(inside["curves"][0]["y"], curve.exact, rtol=1e-4)
    assert figure.control.texts == settings.groups_up_to(AT.s)
    names = [guide["name"] for guide in inside["guides"]]
    assert names == ["wanted: 95 %", f"largest m: {curve.largest}", "the paper's s/log s = 24"]


def test_bounds_are_named_at_their_ends_and_never_below_zero(curve, proven):
    inside = content(charts.live_bounds(AT, curve, proven))
    names = [line["name"] for line in inside["curves"]]
    assert names[0] == "exact" and set(names) <= {
        "exact",
        "union bound",
        "closed bound",
        "Theorem 5",
    }
    for line in inside["curves"][1:]:
        assert line["inside"]
        assert all(value is None or value >= 0 for value in line["y"])


def test_every_figure_stays_small_at_the_largest_problem():
    found, proven = law.curve(LARGEST), law.bounds(LARGEST)
    figures = [charts.live_curve(LARGEST, found), charts.live_bounds(LARGEST, found, proven)]
    for m in (1, 100, 5000):
        splits = draws.draw(LARGEST.n, LARGEST.s, m, 0)
        ratios = draws.ratio_law(splits, LARGEST.t)
        figures.append(charts.live_draws(splits, ratios, LARGEST.t, "0.5"))
    assert max(len(figure.payload.encode()) for figure in figures) < 150_000


@pytest.mark.parametrize("m", [1, 24, 112])
def test_the_still_draw_shows_the_same_counts_and_histogram(m):
    found = draws.draw(AT.n, AT.s, m, 0)
    ratios = draws.ratio_law(found, AT.t)
    figure = charts.still_draws(found, ratios, AT.t, 40, "0.5", "dark")
    buckets, seen, exact = figure.data
    assert np.array_equal(buckets.y, found.shown[39])
    assert sum(seen.y) == 40
    np.testing.assert_allclose(exact.y, 40 * ratios.law)
    assert figure.layout.title.text.replace("<br>", " ") == charts.live_draws(
        found, ratios, AT.t, "0.5"
    ).title("40")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_stills_say_what_the_live_figures_say(curve, proven, mode):
    for still, moving in (
        (charts.still_curve(AT, 24, curve, mode), charts.live_curve(AT, curve)),
        (charts.still_bounds(AT, 24, curve, proven, mode), charts.live_bounds(AT, curve, proven)),
    ):
        assert still.layout.title.text.replace("<br>", " ") == moving.title("24")
        marker = next(trace for trace in still.data if trace.name == "m = 24")
        assert marker.y[0] == curve.by_m[24]


@pytest.mark.parametrize("instead", [500, 1_000_000])
def test_the_marker_rides_on_the_exact_law_at_every_n(instead):
    at, found = Setting(5040, 500, 0.5), over_n.over_n(500, 20, 0.5)
    moving = charts.live_sizes(at, 20, 0.98, found)
    inside = content(moving)
    assert inside["handle"] == 0 and inside["marker"] == inside["xs"] == found.n.tolist()
    np.testing.assert_allclose(inside["curves"][0]["y"], found.exact, rtol=1e-4)
    assert [line["name"] for line in inside["curves"]] == ["exact", "union bound"]
    assert [guide["at"] for guide in inside["guides"]] == [5040]
    assert moving.control.texts == settings.sizes_from(500)

    still = charts.still_sizes(at, 20, 0.98, found, instead, "dark")
    assert still.layout.title.text.replace("<br>", " ") == moving.title(str(instead))
    marker = next(trace for trace in still.data if trace.name == f"n = {instead:,}")
    assert (marker.x[0], marker.y[0]) == (instead, found.by_n[instead])


def test_bounds_that_say_nothing_over_n_say_so():
    at, found = Setting(5040, 500, 0.5), over_n.over_n(500, 20, 0.5)
    names = [trace.name for trace in charts.still_sizes(at, 20, 0.98, found, 500, "light").data]
    assert "Theorem 5 (says nothing)" in names and "union bound" in names
    said = words.over_n_prose(at, 20, found, {5040: 22})
    assert found.closed <= 0 and found.theorem <= 0
    assert said.endswith("For m = 20 nothing is said by the closed bound or Theorem 5.")
