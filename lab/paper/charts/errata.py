"""An erratum's demonstration: curves, or a table where there is nothing to plot."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed, legend_below
from lab.paper.charts.results import WRAP

_BARE = dict(showgrid=False, zeroline=False)


def erratum_lines(
    x: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    x_title: str,
    y_title: str,
    title: str,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """What is printed, what is right and the theorem's bound, on two logarithmic axes."""
    colors = theme.palette(mode)
    rival, ours = theme.method_line("kong", mode), theme.method_line("ours", mode)
    styles = {
        "as printed": rival,
        "last w": rival,
        "corrected": ours,
        "averaged w̄": ours,
        "dual": theme.method_line("locp", mode),
        "theorem's bound": theme.method_line("theory", mode),
    }
    keep = np.unique(np.geomspace(1, x.size, 300).astype(int)) - 1
    figure = go.Figure()
    for name, values in lines.items():
        style = styles[name]
        figure.add_scatter(
            x=x[keep],
            y=np.where(values[keep] > 0.0, values[keep], np.nan),
            mode="lines",
            name=name,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            hovertemplate="%{fullData.name}, iteration %{x:,}: %{y:.2e}<extra></extra>",
        )
    figure.update_xaxes(title_text=x_title, type="log", dtick=1, **_BARE)
    figure.update_yaxes(
        title_text=y_title,
        type="log",
        dtick=1,
        exponentformat="power",
        zeroline=False,
        gridcolor=colors.border,
    )
    figure.update_layout(**legend_below(colors))
    return framed(figure, title, mode, wrap=wrap, height=380)


def text_table(columns: Mapping[str, Sequence[str]], *, title: str, mode: str) -> go.Figure:
    """A small table as a figure, for a file where there is nothing to plot."""
    colors = theme.palette(mode)
    cells = dict(line_color=colors.border, align="left", font=dict(color=colors.text, size=13))
    figure = go.Figure(
        go.Table(
            header=dict(
                values=[html.escape(name, quote=False) for name in columns],
                fill_color=colors.surface,
                **cells,
            ),
            cells=dict(
                values=[
                    [html.escape(str(value), quote=False) for value in values]
                    for values in columns.values()
                ],
                fill_color=colors.background,
                **cells,
            ),
        )
    )
    return framed(figure, title, mode, height=320)
