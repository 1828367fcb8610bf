"""A group of two weights as a still picture: bars under the water line, and the plane."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.cones.charts.plane import EDGE
from lab.cones.projections import Projection
from lab.drawing import theme
from lab.drawing.frame import framed_figure


def group(p: Projection, delta: float, *, title: str, mode: str) -> go.Figure:
    """What the live picture shows with the line at rest."""
    colors = theme.palette(mode)
    sizes, kept = np.abs(p.a), np.abs(p.x)
    names = ["first", "second"]
    k, y = EDGE * p.zeta / (1.0 + p.zeta), p.y
    sides = np.array([[EDGE, k], [EDGE, -k], [-EDGE, k], [-EDGE, -k]])
    wedges = np.vstack([sides, sides[:, ::-1]])
    traces = [
        dict(type="bar", x=names, y=sizes - kept, name="under water", marker_color=colors.border),
        dict(type="bar", x=names, y=kept, name="stands out", marker_color=colors.accent),
        *(
            dict(
                _path(np.vstack([[0.0, 0.0], wedges[i : i + 2], [0.0, 0.0]]), "a weight vanishes"),
                fill="toself",
                fillcolor=colors.positive_faint,
                line=dict(width=0),
            )
            for i in range(0, 8, 2)
        ),
        dict(
            _path(np.array([[y, 0], [0, y], [-y, 0], [0, -y], [y, 0]]), "the same norm"),
            line=dict(color=colors.theory, dash="dash"),
        ),
        dict(
            _path(np.array([p.a, p.x]), "step"),
            mode="lines+markers+text",
            text=["before", "after the step"],
            textposition="top center",
            line=dict(color=colors.negative, dash="dash"),
            marker=dict(size=11, color=[colors.text, colors.accent]),
        ),
    ]
    axis = dict(range=[-EDGE, EDGE], zeroline=True, zerolinecolor=colors.border)
    return framed_figure(
        traces,
        title,
        mode,
        height=430,
        wrap=100,
        showlegend=False,
        barmode="stack",
        xaxis=dict(domain=[0, 0.42]),
        yaxis=dict(title_text="size of a weight", range=[0, EDGE]),
        xaxis2=dict(domain=[0.54, 1], title_text="first weight", constrain="domain", **axis),
        yaxis2=dict(anchor="x2", scaleanchor="x2", title_text="second weight", **axis),
        shapes=[
            dict(
                type="line",
                xref="x domain",
                x0=0,
                x1=1,
                y0=delta,
                y1=delta,
                line=dict(color=colors.text, width=1.5),
            )
        ],
    )


def _path(places: np.ndarray, name: str) -> dict:
    return dict(
        type="scatter",
        x=places[:, 0],
        y=places[:, 1],
        xaxis="x2",
        yaxis="y2",
        mode="lines",
        name=name,
        hoverinfo="name",
    )
