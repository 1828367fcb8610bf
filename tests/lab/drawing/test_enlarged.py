"""Figures for a projector: larger type and room, the same data."""

import numpy as np
import plotly.graph_objects as go

from lab.drawing import enlarged, framed, has_own_styles
from lab.drawing.frame import framed_figure


def test_fonts_height_and_margins_grow_and_data_do_not():
    figure = framed(go.Figure(go.Scatter(x=[1, 2], y=[3, 4], marker_size=7)), "Title", "light")
    figure.add_annotation(text="here", x=1, y=3, font_size=12)
    larger = enlarged(figure, 2.0)
    assert larger.layout.height == 2 * figure.layout.height
    assert larger.layout.margin.t == 2 * figure.layout.margin.t
    assert (larger.layout.title.font.size, larger.layout.xaxis.tickfont.size) == (32, 24)
    assert larger.layout.annotations[0].font.size == 24
    assert larger.data[0].to_plotly_json() == figure.data[0].to_plotly_json()


def test_a_figure_with_its_own_styles_keeps_them_and_its_subtitle_grows():
    data = [dict(type="scatter", x=np.arange(3.0), y=np.arange(3.0))]
    figure = framed_figure(data, "Title", "dark", xaxis={}, yaxis={}, subtitle="more")
    larger = enlarged(figure, 1.5)
    assert has_own_styles(larger)
    assert "font-size:20px" in larger.layout.title.text
    assert larger.to_dict()["data"] == figure.to_dict()["data"]
    assert larger.layout.xaxis.tickfont.size == 1.5 * figure.layout.xaxis.tickfont.size
