"""Charts: what is drawn is what was given."""

import json

import numpy as np
import pytest

from lab import charts, theme

WEIGHTS = np.array([[0.0, 2.0, -1.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_weight_grid_colours_by_sign_leaves_zeros_blank_and_marks_empty_groups(mode):
    figure = charts.weight_grid(WEIGHTS, title="ℓe: 2 weights", mode=mode)
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
    assert [(note.text, note.y) for note in figure.layout.annotations] == [("empty", 2)]


def test_weight_grid_of_zeros_is_all_blank():
    figure = charts.weight_grid(np.zeros((2, 3)), title="nothing", mode="light")
    (tiles,) = figure.data
    assert not np.any(tiles.z) and tiles.zmax > tiles.zmin


def test_long_titles_wrap_and_get_room():
    short = charts.weight_grid(WEIGHTS, title="one line", mode="light", wrap=20)
    long = charts.weight_grid(WEIGHTS, title="a title that needs two lines", mode="light", wrap=20)
    assert long.layout.title.text == "a title that needs<br>two lines"
    assert long.layout.margin.t > short.layout.margin.t


def test_a_figure_drawn_once_is_plain_json_with_its_own_styles():
    """Any template, and any column in binary, would make the browser draw it a second time."""
    figure = charts.weight_grid(
        WEIGHTS, title="plain", mode="dark", support=WEIGHTS > 0, counts=True
    )
    before = np.array(figure.data[0].z, dtype=float)
    assert charts.has_own_styles(figure)
    sent = json.loads(charts.drawn_once(figure).to_json())
    assert "template" not in sent["layout"] and "bdata" not in json.dumps(sent)
    np.testing.assert_array_equal(np.array(sent["data"][0]["z"], dtype=float), before)
    assert sent["layout"]["paper_bgcolor"] == theme.DARK.background
    assert sent["layout"]["xaxis"]["tickfont"]["color"] == theme.DARK.text
