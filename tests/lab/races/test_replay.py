"""A race as it was at any moment: places, lines, words, and the figure that replays it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lab import races
from lab.drawing import live, theme
from lab.races import outlook, recorded
from lab.races.charts import DASHES, FRAMES, replayed
from lab.races.race import Race
from lab.races.replay import AXES, HEIGHTS, replay
from lab.races.standings import Place, certified_places, true_places
from lab.races.view.board import still_of
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


def narrow() -> Race:
    """All that a logarithmic axis has is between 2.1 and 4.2, where no 1, 2 or 5 is."""
    race = recorded.shipped(races.PAPER["Paper Fig. 2(a)"])
    for heat in race.heats:
        for runner in heat.runners:
            rows = list(runner.history)
            runner.history._records = [
                row._replace(seconds=2.1 + 0.01 * k, objective=2.5 + 0.1 / (k + 1))
                for k, row in enumerate(rows)
            ]
    return race


def test_every_axis_has_two_numbers_or_more_on_a_phone_too(race, maths):
    """The figure that moves, in pictures as wide as on a desktop and on a phone, and its still."""
    views = [
        shown(each, measure, against, log_x=log_x, log_y=log_y)
        for each in (race, recorded.shipped(races.PAPER["Paper Fig. 2(b)"]), narrow())
        for measure in races.MEASURES
        for against in AXES
        for log_x in (True, False)
        for log_y in (True, False)
    ]
    sizes = {"x": (171, 250, 700), "y": (266, 334)}
    given = [
        dict(axis=getattr(view, name).spec(), pixels=pixels)
        for view in views
        for name, many in sizes.items()
        for pixels in many
    ]
    for case, found in zip(given, maths("ticks", given), strict=True):
        low, high = case["axis"]["range"]
        inside = [words for at, words in found if low * (1 - 1e-9) <= at <= high * (1 + 1e-9)]
        assert len(set(inside)) >= 2, case
    for view in views:
        layout = still_of(view, "light").layout
        for axis in (layout.xaxis, layout.yaxis):
            low, high = (10.0**at if axis.type == "log" else at for at in axis.range)
            places = axis.tickvals
            if places is None:
                assert axis.type == "log"
                leads, step = ((1, 2, 5), 1) if axis.dtick == "D2" else ((1,), axis.dtick)
                powers = range(-20, 20, step)
                places = [lead * 10.0**power for power in powers for lead in leads]
            assert sum(low <= at <= high for at in places) >= 2, (view.measure, axis)


def test_places_are_counted_by_hand(race):
    standings = races.podium(race)
    for places, times in (
        (certified_places(standings, SPEC.tol), "each_seconds_to"),
        (true_places(standings, SPEC.tol), "each_true_seconds_to"),
    ):
        each = {one.key: np.array(getattr(one, times)[SPEC.tol]) for one in standings}
        there = {key: row for key, row in each.items() if np.isfinite(np.median(row))}
        for key, place in places.items():
            if key not in there:
                assert place is None
                continue
            behind = [other for other in there if np.all(there[other] < there[key])]
            ahead = [other for other in there if np.all(there[other] > there[key])]
            assert place == Place(1 + len(behind), len(there) - len(ahead))


def standing(key, *seconds, truly=None):
    """One whose draws were certified to the tolerance after so many seconds."""
    each = dict.fromkeys({*races.LEVELS, SPEC.tol}, seconds)
    true = dict.fromkeys(each, seconds if truly is None else truly)
    middle, true_middle = (dict.fromkeys(each, float(np.median(x[SPEC.tol]))) for x in (each, true))
    label = races.METHODS["lasso"][key].label
    return races.Standing(
        *(key, label, middle, middle, true_middle, true_middle, each, true),
        *(1e-7, 1e-9, 1.0, 10.0, 5, ("converged",) * len(seconds)),
    )


def test_medals_and_titles_wait_until_all_draws_agree():
    race = Race(SPEC)
    race.cancelled = True
    clear = [standing("newton", 1, 2, 3), standing("pcp", 2, 3, 4), standing("locp", 5, 5, np.inf)]
    rows = list(races.podium_table(clear, SPEC.tol).values())[1:]
    assert [row[0] for row in rows] == ["1st, gold", "2nd, silver", "3rd, bronze"]
    assert races.title(race, clear, "gap") == (
        "When cancelled: Interior point is first with a certificate of 1e-06: 2 s (1 s to 3 s, "
        "3 of 3 draws)"
    )
    # One draw the other way: the headline says that it settles nothing, and so do these.
    open_ = [standing("newton", 1, 2, 3), standing("pcp", 2, 1, 4), standing("locp", 5, 5, 5)]
    assert "settles nothing" in races.answer(race, open_)
    rows = list(races.podium_table(open_, SPEC.tol).values())[1:]
    assert [row[0] for row in rows] == ["1st or 2nd", "1st or 2nd", "3rd, bronze"]
    for measure, goal in (("gap", "with a certificate of 1e-06"), ("error", "within 1e-06 of the")):
        title = races.title(race, open_, measure)
        assert f"who is first {goal}" in title
        assert title.endswith("is not settled: Interior point 2 s and PCP 2 s")
    figure = replay(
        race,
        open_,
        "the end",
        measure="gap",
        against="seconds",
        log_x=True,
        log_y=True,
        rates=False,
    )
    assert [one.medal for one in figure.finishes.values()] == ["1–2", "1–2", "3"]
    told = [one.told for one in figure.finishes.values()]
    assert told[0] == "1st or 2nd: certified to 1e-06 after 2 s"
    # Sure of the objective, not of the proof.
    truly = [standing("newton", 1, 2, 3), standing("pcp", 2, 1, 4, truly=(2, 3, 4))]
    assert "is first within" in races.title(race, truly, "error")
    assert "is not settled" in races.title(race, truly, "gap")
    wide = [standing("newton", 1, 5, 3), standing("pcp", 2, 4, 2), standing("locp", 3, 3, 1)]
    assert {row[0] for row in list(races.podium_table(wide, 1e-6).values())[1:]} == {"1st to 3rd"}
    late = [standing("newton", np.inf, np.inf, 1)]
    assert list(races.podium_table(late, SPEC.tol).values())[1][0] == "in 1 of 3"
    nobody = [standing("newton", np.inf, np.inf, np.inf)]
    assert list(races.podium_table(nobody, SPEC.tol).values())[1][0] == "not there"


@pytest.mark.parametrize("label", races.PAPER)
def test_what_a_race_did_not_record_is_not_told_as_a_race_without_steps(label):
    """The benchmark recorded the change of w for Fig. 2(c) only."""
    kept = recorded.shipped(races.PAPER[label])
    words = set(replayed(shown(kept, "change")).titles)
    if "2(c)" in label:
        assert len(words) > 1 and any("moves least in a step" in title for title in words)
    else:
        assert words == {"The change of w was not recorded in this race"}


def finite(values):
    return values[np.isfinite(values)]


def test_titles_by_objective_and_change_say_in_how_many_draws(race):
    standings = races.podium(race)
    for measure, value in (
        ("objective", lambda runner: runner.result.objective),
        ("change", lambda runner: finite(runner.history["change"])[-1]),
    ):
        draws = [{one.label: value(one) for one in heat.begun} for heat in race.heats]
        title = races.title(race, standings, measure)
        label = next(label for label in draws[0] if title.startswith(label))
        medians = {name: np.median([draw[name] for draw in draws]) for name in draws[0]}
        assert medians[label] == min(medians.values())
        wins = sum(draw[label] == min(draw.values()) for draw in draws)
        assert f"in {wins} of 3 draws" in title
        assert races.title(Race(SPEC), [], "gap") == "The race has not begun"


def test_who_has_crossed_has_its_place_where_it_crossed_and_not_before(race):
    found = shown(race)
    winner = races.podium(race)[0]
    finish = found.finishes[winner.key]
    assert finish.place.first == 1 and finish.at == winner.seconds_to[SPEC.tol]
    assert f"{winner.label} has crossed" not in found.at(finish.at * 0.999).title
    assert winner.label in found.at(finish.at * 1.001).title or finish.at >= found.reach
    by_count = shown(race, against="iterations").finishes[winner.key]
    assert (by_count.place, by_count.at) == (finish.place, winner.iterations_to[SPEC.tol])
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
    assert all(theme.method_line(key, "dark").dash in DASHES for key in methods)


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
