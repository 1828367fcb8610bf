"""Charts: what is drawn is what was given."""

import json

import numpy as np
import pytest

from lab import charts, theme

WEIGHTS = np.array([[0.0, 2.0, -1.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_weight_grid_leaves_zeros_blank_and_marks_empty_groups(mode):
    figure = charts.weight_grid(WEIGHTS, title="ℓe: 2 weights", mode=mode)
    blank, tiles = figure.data
    np.testing.assert_array_equal(np.isnan(tiles.z), WEIGHTS == 0)
    np.testing.assert_array_equal(np.nan_to_num(tiles.z), WEIGHTS)
    assert (tiles.zmin, tiles.zmax) == (-2, 2)
    colors = theme.palette(mode)
    assert tiles.colorscale[0][1] == colors.negative and tiles.colorscale[-1][1] == colors.positive
    assert blank.colorscale[0][1] == colors.surface
    assert [(note.text, note.y) for note in figure.layout.annotations] == [("empty", 2)]


def test_weight_grid_of_zeros_is_all_blank():
    figure = charts.weight_grid(np.zeros((2, 3)), title="nothing", mode="light")
    assert np.isnan(figure.data[1].z).all()
    assert figure.data[1].zmax > figure.data[1].zmin


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
    before = [np.array(trace.z, dtype=float) for trace in figure.data[:2]]
    assert charts.has_own_styles(figure)
    sent = json.loads(charts.drawn_once(figure).to_json())
    assert "template" not in sent["layout"] and "bdata" not in json.dumps(sent)
    for trace, z in zip(sent["data"], before, strict=False):
        np.testing.assert_array_equal(np.array(trace["z"], dtype=float), z)
    assert sent["layout"]["paper_bgcolor"] == theme.DARK.background
    assert sent["layout"]["xaxis"]["tickfont"]["color"] == theme.DARK.text
