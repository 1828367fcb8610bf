"""A method's steps as a still picture: its way in the plane, and its objective."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.cones.descent import Descent
from lab.drawing import theme
from lab.drawing.frame import framed_figure


def steps(run: Descent, frame: int, *, title: str, mode: str) -> go.Figure:
    """What the live picture shows in one frame; an odd one is after the gradient."""
    colors = theme.palette(mode)
    done, half = divmod(frame, 2)
    name = "v" if run.method == "LICP" else "w"
    way = run.iterates[: done + 1]
    if half:
        way = np.vstack([way, run.momentum[done], run.gradient[done]])
    line = dict(color=colors.accent, width=3)
    traces = [
        dict(
            type="scatter",
            x=way[:, 0],
            y=way[:, 1],
            mode="lines+markers",
            line=line,
            name="the way",
        ),
        dict(
            type="scatter",
            x=run.best[:1],
            y=run.best[1:],
            mode="markers+text",
            text=["optimum"],
            textposition="bottom center",
            marker=dict(color=colors.text, size=11),
            name="optimum",
        ),
        dict(
            type="scatter",
            x=np.arange(done + 1),
            y=run.objective[: done + 1],
            xaxis="x2",
            yaxis="y2",
            mode="lines+markers",
            line=line,
            name="objective",
        ),
    ]
    return framed_figure(
        traces,
        title,
        mode,
        height=430,
        wrap=100,
        showlegend=False,
        xaxis=dict(title_text=f"{name}₁", domain=[0, 0.56]),
        yaxis=dict(title_text=f"{name}₂", scaleanchor="x"),
        xaxis2=dict(title_text="step", domain=[0.66, 1], range=[0, len(run.objective) - 1]),
        yaxis2=dict(title_text="objective", anchor="x2"),
    )
