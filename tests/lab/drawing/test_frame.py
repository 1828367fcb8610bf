"""Charts: what is drawn is what was given."""

import json

import numpy as np
import pytest

from lab import drawing as charts
from lab.drawing import theme

WEIGHTS = np.array([[0.0, 2.0, -1.0], [0.0, 0.0, 0.0]])


def grid(weights=WEIGHTS, **options):
    return charts.side_by_side({"ℓe": weights}, row_names=["a", "b"], **options)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_grid_colours_by_sign_leaves_zeros_blank_and_marks_empty_groups(mode):
    figure = grid(title="ℓe: 2 weights", mode=mode)
    (tiles,) = figure.data
    np.testing.assert_array_equal(tiles.z, WEIGHTS)
    assert (tiles.zmin, tiles.zmax) == (-2, 2)
    colors = theme.palette(mode)
    stops, scale = zip(*tiles.colorscale, strict=True)
    below, above = (
        (colors.negative, colors.negative_faint),
        (colors.positive_faint, colors.positive),
    )
    assert scale == (*below, colors.surface, colors.surface, *above)
    assert stops[1] == stops[2] < 0.5 < stops[3] == stops[4] < 0.5 + 1e-8
    assert [(note.text, note.y) for note in figure.layout.annotations] == [("empty", 1)]


def test_a_grid_of_zeros_is_all_blank():
    figure = grid(np.zeros((2, 3)), title="nothing", mode="light")
    (tiles,) = figure.data
    assert not np.any(tiles.z) and tiles.zmax > tiles.zmin


def test_true_tiles_of_every_grid_are_outlined():
    support = np.array([[True, True, False], [False, False, True]])
    figure = charts.side_by_side(
        {"one": WEIGHTS, "other": -WEIGHTS},
        title="x",
        mode="light",
        row_names=["a", "b"],
        outlined=support,
    )
    tiles, outlines = figure.data
    np.testing.assert_array_equal(tiles.z[:, :3], WEIGHTS)
    np.testing.assert_array_equal(tiles.z[:, 4:], -WEIGHTS)
    corners = outlines.x.reshape(-1, 6), outlines.y.reshape(-1, 6)
    centres = np.array([column[:, :4].mean(axis=1) for column in corners]).T
    wanted = [[0, 0], [1, 0], [2, 1], [4, 0], [5, 0], [6, 1]]
    np.testing.assert_allclose(centres, wanted, atol=1e-12)
    assert outlines.line.color == theme.palette("light").text
    assert figure.layout.xaxis.ticktext == ("one", "other")


def test_long_titles_wrap_and_get_room():
    short = grid(title="one line", mode="light", wrap=20)
    long = grid(title="a title that needs two lines", mode="light", wrap=20)
    assert long.layout.title.text == "a title that needs<br>two lines"
    assert long.layout.margin.t > short.layout.margin.t
    # Plotly lifts a title of several lines by eleven pixels, which would cut its first line.
    assert long.layout.title.pad.t == short.layout.title.pad.t + 11


def test_a_number_stays_with_its_sign_of_per_cent():
    figure = grid(title="deviance explained 49.5 % of all", mode="light", wrap=23)
    assert figure.layout.title.text == "deviance explained<br>49.5 % of all"


def test_a_figure_drawn_once_is_plain_json_with_its_own_styles():
    """Any template, and any column in binary, would make the browser draw it a second time."""
    figure = grid(title="plain", mode="dark", outlined=WEIGHTS > 0)
    before = np.array(figure.data[0].z, dtype=float)
    assert charts.has_own_styles(figure)
    sent = json.loads(charts.drawn_once(figure).to_json())
    assert "template" not in sent["layout"] and "bdata" not in json.dumps(sent)
    np.testing.assert_array_equal(np.array(sent["data"][0]["z"], dtype=float), before)
    assert sent["layout"]["paper_bgcolor"] == theme.DARK.background
    assert sent["layout"]["xaxis"]["tickfont"]["color"] == theme.DARK.text
