"""Grids of weights: one row per group."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed

GRID_HEIGHT = 310


def weight_grid(
    weights: np.ndarray, *, title: str, mode: str, wrap: int = 46, height: int = GRID_HEIGHT
) -> go.Figure:
    """A tile per weight, a row per group: blue positive, orange negative, zeros blank.

    A tile's colour grows with its share of the largest weight; a row of zeros is marked "empty",
    so that the pattern can be read without colour.
    """
    weights = np.asarray(weights, dtype=float)
    n_groups, size = weights.shape
    colors = theme.palette(mode)
    features, groups = np.arange(1, size + 1), np.arange(1, n_groups + 1)
    span = float(np.abs(weights).max()) or 1.0
    tiles = dict(x=features, y=groups, xgap=2, ygap=2, showscale=False)
    figure = go.Figure(
        data=[
            go.Heatmap(
                z=np.zeros_like(weights),
                colorscale=[[0, colors.surface], [1, colors.surface]],
                hoverinfo="skip",
                **tiles,
            ),
            go.Heatmap(
                z=np.where(weights == 0.0, np.nan, weights),
                zmin=-span,
                zmax=span,
                colorscale=_signed_scale(colors),
                hoverongaps=False,
                hovertemplate="group %{y}, feature %{x}<br>w = %{z:.4g}<extra></extra>",
                **tiles,
            ),
        ]
    )
    for group in groups[~np.any(weights, axis=1)]:
        figure.add_annotation(
            x=(size + 1) / 2, y=group, text="empty", showarrow=False, font_color=colors.muted
        )
    axis = dict(showgrid=False, zeroline=False, ticks="")
    figure.update_xaxes(title_text="feature within its group", tickvals=[1, size], **axis)
    figure.update_yaxes(title_text="group", tickvals=groups, autorange="reversed", **axis)
    return framed(figure, title, mode, wrap=wrap, height=height)


def _signed_scale(colors: theme.Palette) -> list[list]:
    """A diverging scale with a jump at zero, so that the smallest nonzero is still seen."""
    return [
        [0.0, colors.negative],
        [0.5, colors.negative_faint],
        [0.5, colors.positive_faint],
        [1.0, colors.positive],
    ]
