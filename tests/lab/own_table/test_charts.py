"""Charts of a classified table: what is drawn is what was handed over."""

import numpy as np
import pytest

from lab.drawing import theme
from lab.own_table import charts


def bars(frequency):
    return charts.weight_bars(
        ["a", "b", "c"],
        np.array([1.0, -2.0, 0.5]),
        ["g", "g", "h"],
        np.array(frequency),
        title="t",
        mode="light",
    )


def test_bars_show_sign_by_colour_and_doubt_by_paleness():
    colors = theme.palette("light")
    figure = bars([1.0, 0.6, 1.0])
    marker = figure.data[0].marker
    assert list(marker.color) == [colors.positive, colors.negative_faint, colors.positive]
    assert list(marker.line.color) == [colors.positive, colors.negative, colors.positive]
    assert [note.text for note in figure.layout.annotations] == ["g", "h"]


@pytest.mark.parametrize("weights", [[1.0, -2.0, 2.5], [3.0, 1.0, 0.2], [0.0, 0.0, 0.0]])
def test_the_names_of_groups_cover_no_bar(weights):
    figure = charts.weight_bars(
        *(["a", "b", "c"], np.array(weights), ["g", "g", "h"], np.ones(3)),
        **dict(title="t", mode="light"),
    )
    low, high = figure.layout.xaxis.range
    assert low < min(weights) and high > max(weights)
    for note in figure.layout.annotations:
        assert weights[note.y] <= low + 0.67 * (high - low)


def test_a_long_title_is_wrapped_so_that_a_phone_shows_it_whole():
    title = "SVM leads in accuracy with 97.4 %; equally good and sparser: Kong, 9 features of 30"
    shown = charts.weight_bars(["a"], np.ones(1), ["g"], np.ones(1), title=title, mode="light")
    compared = charts.score_intervals(
        *(["ours"], [0.9], [0.8], [1.0], ["ours"]),
        **dict(metric="accuracy", title=title, mode="light", height=200),
    )
    for figure in (shown, compared):
        lines = figure.layout.title.text.split("<br>")
        assert " ".join(lines) == title and max(map(len, lines)) <= 42


def test_names_that_are_equal_keep_a_bar_each():
    figure = charts.weight_bars(
        ["same", "same"], np.ones(2), ["g", "g"], np.ones(2), title="t", mode="dark"
    )
    assert list(figure.data[0].y) == [0, 1]


def test_a_baseline_far_to_the_left_is_pointed_at():
    def notes(baseline):
        figure = charts.score_intervals(
            ["ours", "rival", "majority"],
            [0.95, 0.94, baseline],
            [0.93, 0.92, np.nan],
            [0.97, 0.96, np.nan],
            ["ours", "rival", "baseline"],
            metric="accuracy",
            title="t",
            mode="light",
        )
        low, high = figure.layout.xaxis.range
        assert low < 0.92 and high > 0.97 and len(figure.layout.shapes) == 2
        return [note.text for note in figure.layout.annotations]

    assert "← further left" in notes(0.6)
    assert "← further left" not in notes(0.93)


def test_a_comparison_of_the_baseline_alone_is_drawn():
    figure = charts.score_intervals(
        ["majority"], [0.6], [np.nan], [np.nan], ["baseline"], metric="F1", title="t", mode="dark"
    )
    assert figure.layout.xaxis.range[0] < 0.6 < figure.layout.xaxis.range[1]


def test_the_live_path_and_its_still_have_the_same_lines_named_at_a_distance():
    strengths = np.array([0.1, 1.0, 10.0])
    coefs = np.array([[1.0, 0.98, -0.5, 0.1, 0.0], [0.5, 0.2, 0.0, 0.1, 0.0], [0.1] + [0.0] * 4])
    texts = ["0.1", "1", "10"]
    same = dict(symbol="β", in_use=1.0)
    told = dict(texts=texts, titles=texts, alts=texts)
    live = charts.live_strengths(strengths, coefs, "abcde".__getitem__, **told, **same)
    curves = live.content["curves"]
    assert [curve["tip"] for curve in curves] == [*"abcd"], "what never has a weight has no line"
    assert [curve["name"] for curve in curves] == ["a", "", "c", "d"]
    assert curves[2]["color"] == "negative" and live.content["guides"][0]["at"] == 1.0
    assert live.content["x"]["range"][0] == 0.1, "names have room of their own"
    still = charts.still_strengths(
        strengths, coefs, "abcde".__getitem__, at=10.0, title="t", mode="light", **same
    )
    assert [trace.name for trace in still.data[:-1]] == [*"abcd"]
    for trace, curve in zip(still.data, curves, strict=False):
        assert np.allclose(trace.y, curve["y"])
    assert list(still.data[-1].text) == ["a", "c", "d"]
    assert sorted(shape.x0 for shape in still.layout.shapes) == [1.0, 10.0]


def test_the_stability_grid_sorts_each_group_and_leaves_the_rest_blank():
    figure = charts.stability_grid(
        np.array([0.2, 1.0, 0.4]),
        [np.array([0, 1]), np.array([2])],
        ["g", "h"],
        "abc".__getitem__,
        title="t",
        mode="light",
    )
    z = np.array(figure.data[0].z)
    assert z[0].tolist() == [1.0, 0.2] and z[1, 0] == 0.4 and np.isnan(z[1, 1])
    assert figure.data[0].customdata[0].tolist() == [
        "b<br>selected in 100 % of folds",
        "a<br>selected in 20 % of folds",
    ]


def test_confusion_says_counts_and_tells_right_from_wrong():
    figure = charts.confusion_matrix(
        np.array([[8, 2], [0, 5]]), ["a", "b"], title="t", mode="light"
    )
    z = np.array(figure.data[0].z)
    assert z.tolist() == [[0.8, -0.2], [0.0, 1.0]]
    assert np.array(figure.data[0].text).tolist() == [[8, 2], [0, 5]]
