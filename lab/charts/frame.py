"""What all charts share: title, margins and fonts."""

from __future__ import annotations

import textwrap

import plotly.graph_objects as go

from lab import theme

CHART_HEIGHT = 380


def framed(
    figure: go.Figure, title: str, mode: str, *, wrap: int = 72, height: int = CHART_HEIGHT
) -> go.Figure:
    """The common frame: a wrapped title on the left, little margin, no zoom by accident.

    A chart whose reader wants to zoom sets `dragmode` afterwards.
    """
    colors = theme.palette(mode)
    lines = textwrap.wrap(title, wrap)
    figure.update_layout(
        title=dict(
            text="<br>".join(lines),
            font_color=colors.text,
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
    label = dict(title_font_color=colors.text, tickfont_color=colors.text)
    figure.update_xaxes(title_standoff=6, **label)
    figure.update_yaxes(title_standoff=16, **label)
    return figure
