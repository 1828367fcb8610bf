"""Predicted numbers and what is left of them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure

MOST_POINTS = 2_000


def predicted_and_true(
    predicted: np.ndarray, true: np.ndarray, *, name: str, title: str, mode: str
) -> go.Figure:
    """Held-out rows, predicted across, true up; the dotted line is where both agree."""
    low = float(min(predicted.min(), true.min()))
    high = float(max(predicted.max(), true.max()))
    return _scatter(
        predicted,
        true,
        dict(x0=low, x1=high, y0=low, y1=high),
        (f"predicted {name}", f"true {name}"),
        title,
        mode,
    )


def residuals(predicted: np.ndarray, residual: np.ndarray, title: str, mode: str) -> go.Figure:
    """True less predicted over the prediction: a pattern in it is what the model misses."""
    line = dict(x0=float(predicted.min()), x1=float(predicted.max()), y0=0.0, y1=0.0)
    return _scatter(predicted, residual, line, ("predicted", "true less predicted"), title, mode)


def _scatter(x, y, line, axes, title: str, mode: str) -> go.Figure:
    colors = theme.palette(mode)
    step = max(1, len(x) // MOST_POINTS)
    points = go.Scatter(
        x=np.asarray(x)[::step],
        y=np.asarray(y)[::step],
        mode="markers",
        marker=dict(color=colors.accent, size=6, opacity=0.6),
        hovertemplate=f"{axes[0]} %{{x:.4g}}<br>{axes[1]} %{{y:.4g}}<extra></extra>",
    )
    return framed_figure(
        [points],
        title,
        mode,
        wrap=36,
        xaxis=dict(title_text=axes[0], showgrid=False, zeroline=False),
        yaxis=dict(title_text=axes[1], zeroline=False),
        showlegend=False,
        shapes=[dict(type="line", **line, line=dict(color=colors.theory, width=1.5, dash="dot"))],
    )
