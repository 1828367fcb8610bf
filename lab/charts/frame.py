"""What all charts share: title, margins and fonts."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from lab import theme

CHART_HEIGHT = 380


def framed(
    figure: go.Figure, title: str, mode: str, *, wrap: int = 72, height: int = CHART_HEIGHT
) -> go.Figure:
    """The common frame: a wrapped title on the left, little margin, no zoom by accident.

    A chart whose reader wants to zoom sets `dragmode` afterwards.
    """
    figure.update_layout(**_layout(title, mode, wrap, height))
    x_axis, y_axis = _axes(mode)
    figure.update_xaxes(**x_axis)
    figure.update_yaxes(**y_axis)
    return figure


def framed_figure(
    data: Sequence,
    title: str,
    mode: str,
    *,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    wrap: int = 72,
    height: int = CHART_HEIGHT,
    **layout,
) -> go.Figure:
    """A figure of one pair of axes in the common frame, made in one go.

    Plotly takes ten times as long to update a layout as to be given one, so a chart that a slider
    redraws is made like this.
    """
    x_frame, y_frame = _axes(mode)
    return go.Figure(
        data=data,
        layout={
            **_layout(title, mode, wrap, height),
            "xaxis": {**x_frame, **xaxis},
            "yaxis": {**y_frame, **yaxis},
            **layout,
        },
    )


def _layout(title: str, mode: str, wrap: int, height: int) -> dict[str, Any]:
    lines = textwrap.wrap(title, wrap)
    return dict(
        title=dict(
            text="<br>".join(lines),
            font_color=theme.palette(mode).text,
            x=0,
            xanchor="left",
            y=1,
            yanchor="top",
            pad=dict(t=10),
        ),
        margin=dict(l=8, r=8, t=22 + 20 * len(lines), b=8),
        height=height,
        dragmode=False,
    )


def _axes(mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the x and the y axis share with those of all charts."""
    text = theme.palette(mode).text
    label = dict(title_font_color=text, tickfont_color=text)
    return dict(title_standoff=6, **label), dict(title_standoff=16, **label)
