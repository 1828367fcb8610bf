"""The spec of a live figure: checked when made, small, and written as the browser reads it."""

import base64
import json

import numpy as np
import pytest

from lab.drawing import live, theme
from lab.drawing.live.figure import PARTS, packed, rounded

STEPS = live.Steps("Strength", ("1", "2", "5"))
WORDS = dict(titles=["one", "two", "five"], alts=["at 1", "at 2", "at 5"])
AXIS = live.Axis("size", 0, 1)
# Parts that are no kind of their own.
SHARED = {"nodes", "value", "size", "slider", "telling", "base", "axes", "names", "touch", "cones"}


def unpacked(spec: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(spec["base64"]), "<i2") * spec["unit"]


def grid_figure(weights: np.ndarray, **options) -> live.Figure:
    panels = [live.Panel("One", weights, ["caption"])]
    return live.tiles(panels, STEPS, **(WORDS | options))


def test_packed_numbers_are_nearly_themselves_and_no_nonzero_becomes_zero():
    values = np.array([3.0, -1.7, 0.0, 1e-9, -1e-9])
    again = unpacked(packed(values))
    assert np.abs(again - values).max() <= 3.0 / 32767
    assert np.array_equal(np.sign(again), np.sign(values))


def test_packed_zeros_and_nothing_but_finite_numbers():
    assert np.array_equal(unpacked(packed(np.zeros(3))), np.zeros(3))
    with pytest.raises(ValueError, match="finite"):
        packed(np.array([1.0, np.nan]))


def test_rounded_writes_gaps_as_none():
    assert rounded(np.array([1 / 3, np.nan, np.inf])) == [0.33333, None, None]


def test_the_payload_holds_every_frame_and_its_words():
    weights = np.arange(18.0).reshape(3, 2, 3)
    figure = grid_figure(weights, outlined=np.eye(2, 3, dtype=bool), row_names=["a", "b"])
    spec = json.loads(figure.payload)
    assert spec["kind"] == "tiles"
    assert (spec["label"], spec["steps"]) == ("Strength", ["1", "2", "5"])
    assert spec["titles"] == WORDS["titles"] and spec["alts"] == WORDS["alts"]
    assert spec["content"]["outlined"] == [0, 4]
    again = unpacked(spec["content"]["panels"][0]["weights"]).reshape(3, 2, 3)
    assert np.allclose(again, weights, atol=17 / 32767)
    assert (figure.title("2"), figure.alt("5")) == ("two", "at 5")


def test_a_figure_above_the_limit_is_refused_with_its_size():
    with pytest.raises(ValueError, match=r"above 300,000: use fewer frames"):
        grid_figure(np.ones((3, 200, 200)))


def claimed(**parts) -> live.Figure:
    panel = live.Panel("x", np.ones((3, 2, 2)), ["same"], claim="is so", **parts)
    return live.tiles([panel], STEPS, **WORDS)


def test_a_claim_is_ticked_and_counted_frame_by_frame():
    held = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    [panel] = claimed(seen=[True, True, False], draws=held).content["panels"]
    assert panel["seen"] == "110" and panel["draws"] == ["110", "100", "000"]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: live.Steps("x", ("1", "1")), "all different"),
        (lambda: live.Steps("x", ("1", "2"), ("one",)), "2 steps have 1 words"),
        (lambda: grid_figure(np.ones((2, 2, 2))), "must be 3 × 2 × 2, or 1 × 2 × 2"),
        (lambda: grid_figure(np.ones((3, 2, 2)), titles=["a"]), "3 frames have 1 titles"),
        (lambda: grid_figure(np.ones((3, 2, 2)), alts=["a", "", "c"]), "alternative text"),
        (lambda: grid_figure(np.ones((3, 2, 2)), row_names=["a"]), "2 rows have 1 names"),
        (lambda: grid_figure(np.ones((3, 2, 2)), scale="row"), "not of 'row'"),
        (lambda: claimed(seen=[True]), "says 1 times what is seen"),
        (lambda: claimed(seen=[True] * 3, draws=np.ones((2, 5))), "draws for 2 frames"),
        (
            lambda: live.lines(
                [], STEPS, xs=[1], marker=[1, 2, 3], x=AXIS, y=AXIS, names_at="top", **WORDS
            ),
            "not at 'top'",
        ),
        (lambda: live.Axis("λ", 0, 1, log=True).spec(), "on a logarithmic scale"),
        (lambda: live.Axis("λ", 1, 1).spec(), "cannot go from 1 to 1"),
        (
            lambda: live.lines(
                [live.Curve("c", [1, 2])], STEPS, xs=[1], marker=[1, 2, 3], x=AXIS, y=AXIS, **WORDS
            ),
            "2 points over 1",
        ),
        (
            lambda: live.lines([], STEPS, xs=[1], marker=[1], x=AXIS, y=AXIS, **WORDS),
            "3 steps have 1 places",
        ),
        (
            lambda: live.bars(
                ["a"], np.ones(2), STEPS, levels=[0, 1, 2], y=AXIS, x_label="x", **WORDS
            ),
            "for 1 bars and 3 steps",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()


def test_a_point_accepts_what_is_on_show():
    point = live.Point(("x", "y"), (-1, 0), (1, 2))
    assert point.accepts("0.5,1.25")
    for text in ("0.5", "2,1", "nan,1", "a,b", "0,1,2", ""):
        assert not point.accepts(text)


def test_every_curve_names_a_colour_of_both_modes():
    light, dark = live.colors()["light"], live.colors()["dark"]
    assert light.keys() == dark.keys()
    assert light["le"] == theme.LIGHT.norms["le"] and dark["pcp"] == theme.DARK.methods["pcp"]


def test_the_module_has_all_parts_and_never_writes_markup():
    module = live.javascript()
    for kind in set(PARTS) - SHARED:
        assert f"KINDS.{kind} = " in module
    for risk in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
        assert risk not in module


def draws_figure(counts=((3, 1), (2, 2), (4, 0)), steps=STEPS, **changes) -> live.Figure:
    histogram = dict(
        falls=[0, 1, 1, 0, 1],
        law=[0.25, 0.75],
        names=["few", "many"],
        ticks=[(1, "3")],
        bad_from=1,
        limit="balanced ≤ 3",
        label="ratio",
    )
    return live.buckets(
        np.array(counts),
        live.Histogram(**(histogram | changes)),
        steps,
        ratio=3,
        label="two buckets",
        words=dict(fullest="fullest", emptiest="emptiest", limit="3 × emptiest"),
        names=["a", "b"],
        step_label="Draw again",
        play=40,
        play_label="5 draws",
        **WORDS,
    )


def test_buckets_hold_their_counts_and_the_histogram_its_draws():
    spec = json.loads(draws_figure().payload)
    assert (spec["play_label"], spec["step_label"]) == ("5 draws", "Draw again")
    content = spec["content"]
    assert unpacked(content["counts"]).round().tolist() == [3, 1, 2, 2, 4, 0]
    assert content["draws"] == [1, 2, 5]
    assert content["histogram"]["falls"] == [0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (dict(counts=((1, 2, 3),) * 3), "counts of shape"),
        (dict(falls=[0, 2, 1, 1, 1]), "outside the 2 bins"),
        (dict(names=["one"]), "2 bins have 1 names"),
        (dict(falls=[0, 1]), "rising numbers of draws"),
        (dict(steps=live.Steps("x", ("1", "5", "2"))), "rising numbers of draws"),
    ],
)
def test_buckets_refuse_what_does_not_fit(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        draws_figure(**change)


def race_figure(speeds=(1, 2), **changes) -> live.Figure:
    xs = np.geomspace(1, 100, 500)
    lane = dict(x=xs, y=1 / xs, low=0.5 / xs, high=2 / xs, place=1, finish=50.0)
    options = dict(x=live.Axis("t", 1, 100, log=True), y=live.Axis("gap", 0.01, 1, log=True))
    return live.race(
        [live.Lane("first", **(lane | changes))],
        STEPS,
        reach=100.0,
        finish=0.02,
        finish_name="finish",
        speeds=speeds,
        **options,
        **WORDS,
    )


def test_a_race_has_few_points_speeds_and_a_finish():
    spec = json.loads(race_figure().payload)
    [lane] = spec["content"]["lanes"]
    assert len(lane["x"]) <= 141 and (lane["x"][0], lane["x"][-1]) == (1, 100)
    assert max(np.diff(np.log(lane["x"]))) < 0.1  # evenly spread as drawn
    assert min(lane["y"]) >= 0.01 and max(lane["high"]) <= 1  # what is outside is held
    assert spec["play"] and 1 in spec["speeds"] and spec["follows"]
    with pytest.raises(ValueError, match="a head is one of"):
        race_figure(marker="star")
    with pytest.raises(ValueError, match="must hold 1"):
        race_figure(speeds=(2, 4))
    assert live.head_places(live.Axis("t", 1, 100, log=True), 100.0, 3).tolist() == [1, 10, 100]
    assert live.head_places(live.Axis("t", 0, 100), 50.0, 3).tolist() == [0, 25, 50]


def test_guides_and_a_handle_are_written():
    figure = live.lines(
        [live.Curve("c", [1, 2, 3], inside=True)],
        STEPS,
        xs=[1, 2, 3],
        marker=[1, 2, 3],
        x=live.Axis("m", 1, 3),
        y=AXIS,
        guides=[live.Guide(2, "here"), live.Guide(0.5, "wanted", level=True)],
        handle=0,
        **WORDS,
    )
    content = json.loads(figure.payload)["content"]
    assert content["handle"] == 0 and content["curves"][0]["inside"]
    assert [(guide["name"], guide["level"]) for guide in content["guides"]] == [
        ("here", False),
        ("wanted", True),
    ]


def test_a_family_has_a_shape_of_every_curve_for_every_step():
    steps = np.array([[0.0, 1.0], [0.5, np.nan], [np.nan, np.nan]])
    axes = dict(xs=[1, 2], x=AXIS, y=AXIS, nowhere="says nothing")
    figure = live.family([live.Member("bound", steps)], STEPS, **axes, **WORDS)
    assert json.loads(figure.payload)["content"]["curves"][0]["ys"] == [
        [0.0, 1.0],
        [0.5, None],
        [None, None],
    ]
    with pytest.raises(ValueError, match=r"curve 'bound' is \(2, 2\), and must be \(3, 2\)"):
        live.family([live.Member("bound", steps[:2])], STEPS, **axes, **WORDS)
