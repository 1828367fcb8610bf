"""P(balanced) as shade over s and m."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab.balance.charts.parts import BARE, WRAP, Trace, marks, ring
from lab.balance.phase import Phase, rule_curve
from lab.drawing import theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure

HEIGHT = 440


def phase_diagram(
    found: Phase, t: float, *, target: float, here: tuple[int, int], title: str, mode: str
) -> go.Figure:
    """The law of one n over s and m, both logarithmic, with the theorem's condition."""
    colors = theme.palette(mode)
    s, m = found.s, found.m
    return framed_figure(
        [
            _shade(found, colors),
            _line(
                *rule_curve(t, found),
                "s = (m log m)/t²",
                dict(color=colors.negative, width=3) | dict(dash="dot"),
            ),
            _line(s, found.largest, f"largest m with P ≥ {target:.0%}", dict(color=colors.text)),
            dict(
                type="scatter",
                x=np.log10(here[:1]),
                y=np.log10(here[1:]),
                name=f"s = {here[0]:,}, m = {here[1]:,}",
                mode="markers",
                marker=ring(colors),
                hoverinfo="name",
            ),
        ],
        title,
        mode,
        xaxis=_axis("true features s", min(s[0], here[0]), max(s[-1], here[0])),
        yaxis=_axis("groups m", min(m[0], here[1]), max(m[-1], here[1])),
        annotations=[
            dict(
                xref="paper",
                yref="paper",
                x=0.02,
                y=0.97,
                text="m > s: impossible",
                showarrow=False,
                font_color=colors.muted,
            )
        ],
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=HEIGHT,
    )


def _shade(found: Phase, colors: theme.Palette) -> Trace:
    return dict(
        type="heatmap",
        x=np.log10(found.s),
        y=np.log10(found.m),
        z=found.probability,
        zmin=0,
        zmax=1,
        colorscale=[[0, colors.surface], [0.5, colors.positive_faint], [1, colors.positive]],
        colorbar=dict(
            title=dict(text="P(balanced)", side="right", font_color=colors.text),
            thickness=12,
            tickvals=[0, 0.5, 1],
            tickfont_color=colors.text,
        ),
        customdata=np.stack(np.meshgrid(found.s, found.m), axis=-1),
        hovertemplate="s = %{customdata[0]}, m = %{customdata[1]}<br>P = %{z:.4g}<extra></extra>",
        hoverongaps=False,
    )


def _line(s: np.ndarray, m: np.ndarray, name: str, line: dict[str, Any]) -> Trace:
    return dict(
        type="scatter",
        x=np.log10(s),
        y=np.log10(m),
        name=name,
        mode="lines",
        line=dict(width=2.5) | line,
        customdata=np.column_stack([s, m]),
        hovertemplate=f"{name}<br>s = %{{customdata[0]:.4g}}, m = %{{customdata[1]:.4g}}"
        "<extra></extra>",
    )


def _axis(title: str, first: float, last: float) -> dict[str, Any]:
    """An axis of logarithms with the numbers as labels: tiles keep an even width on it."""
    numbers = marks(first, last)
    return dict(
        title_text=title,
        tickvals=np.log10(numbers),
        ticktext=[f"{number:,}" for number in numbers],
        range=[np.log10(first) - 0.05, np.log10(last) + 0.05],
        **BARE,
    )
