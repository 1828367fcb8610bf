"""Grids of weights as pictures: one row per group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure

GRID_HEIGHT = 430
NAME_LINE = 17  # pixels of a line of a grid's name

# Weights below this share of the largest look like zeros; what the solvers leave is above it.
FAINTEST = 1e-9


def side_by_side(
    grids: Mapping[str, np.ndarray],
    *,
    title: str,
    mode: str,
    row_names: Sequence[str],
    outlined: np.ndarray | None = None,
    wrap: int = 120,
    height: int = GRID_HEIGHT,
) -> go.Figure:
    """Grids by what is said over them, on one scale: blue positive, orange negative, zeros blank.

    A row of zeros is marked "empty", so that the pattern can be read without colour; `outlined`
    (groups × features) has a line around the true tiles of every grid.
    """
    colors = theme.palette(mode)
    weights = [np.asarray(grid, dtype=float) for grid in grids.values()]
    rows, columns = weights[0].shape
    starts = (columns + 1) * np.arange(len(weights))
    data = [_tiles(weights, row_names, colors)]
    if outlined is not None:
        true_rows, true_columns = np.nonzero(outlined)
        places = (starts[:, None] + true_columns).ravel()
        data.append(_outlines(np.tile(true_rows, len(weights)), places, colors))
    axis = dict(showgrid=False, zeroline=False, ticks="")
    middles = starts + (columns - 1) / 2
    places = [(columns - 1) / 2] * rows if outlined is None else _free_middles(outlined)
    figure = framed_figure(
        data,
        title,
        mode,
        wrap=wrap,
        height=height,
        xaxis=dict(side="top", tickvals=middles.tolist(), ticktext=list(grids), **axis),
        yaxis=dict(
            autorange="reversed", tickvals=list(range(rows)), ticktext=list(row_names), **axis
        ),
        annotations=[
            dict(
                x=start + places[row],
                y=row,
                text="empty",
                showarrow=False,
                font=dict(color=colors.muted),
            )
            for start, grid in zip(starts.tolist(), weights, strict=True)
            for row in np.flatnonzero(~grid.any(axis=1)).tolist()
        ],
    )
    # The names stand between the title and the grids, in as many lines as the longest has.
    lines = 1 + max(name.count("<br>") for name in grids)
    figure.layout.margin.t += NAME_LINE * lines
    figure.layout.height += NAME_LINE * (lines - 1)
    return figure


def _tiles(
    weights: Sequence[np.ndarray], row_names: Sequence[str], colors: theme.Palette
) -> go.Heatmap:
    """All grids in one trace, a column of nothing between two."""
    rows = weights[0].shape[0]
    gap = np.full((rows, 1), np.nan)
    joined = np.hstack([part for grid in weights for part in (grid, gap)])[:, :-1]
    span = float(np.nanmax(np.abs(joined))) or 1.0
    return go.Heatmap(
        y=np.arange(rows),
        z=joined,
        zmin=-span,
        zmax=span,
        xgap=2,
        ygap=2,
        showscale=False,
        colorscale=signed_scale(colors, FAINTEST),
        customdata=np.repeat(np.array(row_names)[:, None], joined.shape[1], axis=1),
        hovertemplate="%{customdata}<br>w = %{z:.4g}<extra></extra>",
    )


def _free_middles(outlined: np.ndarray) -> list[float]:
    """Of each row the middle of the widest stretch without an outline, where a word can be read."""
    middles = []
    for row in np.asarray(outlined, dtype=bool):
        ends = np.concatenate([[-1], np.flatnonzero(row), [row.size]])
        widest = int(np.argmax(np.diff(ends)))
        middles.append((ends[widest] + ends[widest + 1]) / 2)
    return middles


def _outlines(rows: np.ndarray, columns: np.ndarray, colors: theme.Palette) -> go.Scatter:
    """One line around each tile, all in one trace: cheaper than a shape each."""
    corners_x = np.array([-0.46, 0.46, 0.46, -0.46, -0.46, np.nan])
    corners_y = np.array([-0.46, -0.46, 0.46, 0.46, -0.46, np.nan])
    return go.Scatter(
        x=(columns[:, None] + corners_x).ravel(),
        y=(rows[:, None] + corners_y).ravel(),
        mode="lines",
        line=dict(color=colors.text, width=1.6),
        hoverinfo="skip",
        showlegend=False,
        name="true support",
    )


def signed_scale(colors: theme.Palette, faintest: float) -> list[list]:
    """Orange below, blue above, and the surface where a weight is 0.

    It jumps at ± `faintest`, a share of the largest, so that the smallest nonzero is still seen.
    """
    low, high = (1 - faintest) / 2, (1 + faintest) / 2
    return [
        [0.0, colors.negative],
        [low, colors.negative_faint],
        [low, colors.surface],
        [high, colors.surface],
        [high, colors.positive_faint],
        [1.0, colors.positive],
    ]
