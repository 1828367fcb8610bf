"""A race as it was at any moment: places, lines, words, and the figure that replays it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lab import races
from lab.drawing import live
from lab.races import outlook
from lab.races.charts import DASHES, FRAMES, replayed, style_of
from lab.races.race import Race
from lab.races.replay import AXES, HEIGHTS, replay
from lab.races.standings import certified_places, true_places
from lab.races.words import ordinal

SPEC = races.RaceSpec(
    n_samples=30, n_features=60, n_groups=6, lam=30.0, budget=5.0, methods=("newton", "pcp", "locp")
)


@pytest.fixture(scope="module")
def race():
    race = Race(replace(SPEC, repeats=3))
    race.advance()
    return race


def shown(race, measure="gap", against="seconds", **changes):
    standings = races.podium(race)
    options = dict(log_x=True, log_y=True, rates=False) | changes
    final = races.title(race, standings, measure)
    return replay(race, standings, final, measure=measure, against=against, **options)


@pytest.mark.parametrize("measure", races.MEASURES)
@pytest.mark.parametrize("against", AXES)
@pytest.mark.parametrize("log", [True, False])
def test_every_view_has_numbers_on_its_axes_and_words_for_every_frame(race, measure, against, log):
    found = shown(race, measure, against, log_x=log, log_y=log, rates=True)
    figure = replayed(found)
    assert (found.x.label, found.y.label) == (AXES[against], HEIGHTS[measure])
    assert len(figure.titles) == len(FRAMES) and figure.titles[-1] == found.final
    assert all(title.startswith("After ") for title in figure.titles[:-1])
    content = json.loads(figure.payload)["content"]
    assert content["finish"] == (SPEC.tol if measure in ("gap", "error") else None)
    for lane in content["lanes"]:
        xs, ys = np.array(lane["x"]), np.array(lane["y"])
        assert (
            np.all(np.diff(xs) >= 0.0)
            and xs[0] >= found.x.low * (1 - 1e-4)
            and xs[-1] <= found.x.high
        )
        assert np.all((ys >= found.y.low * (1 - 1e-4)) & (ys <= found.y.high * (1 + 1e-4)) | ~log)
        assert len(xs) == len(ys) == len(lane["low"]) == len(lane["high"])


def test_places_are_counted_by_hand(race):
    standings = races.podium(race)
    for places, times in (
        (certified_places(standings, SPEC.tol), "seconds_to"),
        (true_places(standings, SPEC.tol), "true_seconds_to"),
    ):
        reached = {one.key: getattr(one, times)[SPEC.tol] for one in standings}
        order = sorted(reached, key=reached.get)
        for key, place in places.items():
            assert place == (order.index(key) + 1 if np.isfinite(reached[key]) else None)


def test_who_has_crossed_has_its_place_where_it_crossed_and_not_before(race):
    found = shown(race)
    winner = races.podium(race)[0]
    finish = found.finishes[winner.key]
    assert finish.place == 1 and finish.at == winner.seconds_to[SPEC.tol]
    assert f"{winner.label} has crossed" not in found.at(finish.at * 0.999).title
    assert winner.label in found.at(finish.at * 1.001).title or finish.at >= found.reach
    by_count = shown(race, against="iterations").finishes[winner.key]
    assert (by_count.place, by_count.at) == (1, winner.iterations_to[SPEC.tol])
    assert shown(race, "objective").finishes == {}


def test_the_curves_of_a_moment_end_there(race):
    found = shown(race)
    middle = float(np.sqrt(found.x.low * found.reach))
    for curve in found.until(middle):
        whole = next(one for one in found.curves if one.key == curve.key)
        assert curve.x[-1] <= middle * (1 + 1e-9)
        np.testing.assert_array_equal(curve.y, whole.y[: len(curve.y)])
    assert len(found.until(found.reach)) == len(found.curves)


def test_the_axis_of_a_race_that_is_on_leaves_room_for_its_budget(race):
    running = Race(replace(SPEC, lam=1e-3, tol=1e-8, budget=30.0))
    while not running.heats or not all(runner.begun for runner in running.heats[0].runners):
        running.advance(0.02)
    assert shown(running).x.high > 30.0 > shown(running).reach
    assert shown(race).x.high < 1.1 * shown(race).reach
    assert 0.0 < outlook.seconds_left(running) <= outlook.most_seconds(running.spec)
    assert outlook.seconds_taken(running) is None
    running.cancel()
    assert outlook.seconds_left(running) == 0.0


def test_the_largest_race_fits_into_a_figure():
    """Nine lanes with bands and all rates, as long as histories get."""
    x = np.geomspace(1e-4, 60.0, 400)
    race = Race(replace(SPEC, methods=tuple(races.METHODS["lasso"])))
    curves = [
        races.Trace(key, label, x, 1.0 / x, 0.5 / x, 2.0 / x) for key, label in race.labels.items()
    ]
    found = shown(race)
    object.__setattr__(found, "curves", curves)
    object.__setattr__(found, "rates", races.guides(curves))
    object.__setattr__(found, "reach", 60.0)
    assert len(replayed(found).payload.encode()) < live.MOST_BYTES / 2


@pytest.mark.parametrize("kind", races.PROBLEMS)
def test_lines_of_one_colour_differ_in_dash_and_head(kind):
    x = np.array([1.0, 2.0])
    methods = races.METHODS[kind]
    extras = 3 if kind == "overlapped" else 0
    found = shown(Race(replace(SPEC, problem=kind, extras=extras, methods=tuple(methods))))
    curves = [races.Trace(key, method.label, x, x) for key, method in methods.items()]
    object.__setattr__(found, "curves", curves)
    lanes = json.loads(replayed(found).payload)["content"]["lanes"]
    looks = {(lane["color"], lane["dash"], lane["marker"]) for lane in lanes}
    assert len(looks) == len(methods)
    assert all(style_of(key, "dark").dash in DASHES for key in methods)


def test_what_is_expected_is_told():
    spec = replace(SPEC, budget=10.0)
    assert races.expectation(spec, None, 0, 0.0) == (
        "**Start** takes at most 60 s if this machine is idle; no race is before it."
    )
    race = Race(SPEC)
    race.advance()
    assert races.expectation(SPEC, race, 2, 90.0).startswith("**Start** takes about ")
    assert races.expectation(SPEC, race, 2, 90.0).endswith(
        "2 races are before it, for at most 90 s."
    )
    assert races.expectation(spec, race, 1, 0.1).endswith("1 race is before it, for at most 1 s.")


def test_ordinals():
    words = [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 22)]
    assert words == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd"]
