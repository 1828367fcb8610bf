"""Grids of weights: one row per group."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed_figure

GRID_HEIGHT = 310

# Pixels for the groups' numbers and the word "group"; below, for the features' likewise.
LEFT, BELOW, BELOW_COMPACT = 56, 48, 8

# Weights below this share of the largest look like zeros; what the solvers leave is above it.
FAINTEST = 1e-9


def weight_grid(
    weights: np.ndarray,
    *,
    title: str,
    mode: str,
    wrap: int = 46,
    height: int = GRID_HEIGHT,
    support: np.ndarray | None = None,
    counts: bool = False,
    shared: int = 0,
    subtitle: str = "",
    compact: bool = False,
) -> go.Figure:
    """A tile per weight, a row per group: blue positive, orange negative, zeros blank.

    A tile's colour grows with its share of the largest weight; a row of zeros is marked "empty",
    so that the pattern can be read without colour. `support` outlines the tiles where it is true;
    `counts` writes each row's number of nonzeros at its end, which says "empty" as 0; the last
    `shared` columns are set apart by a line, because they repeat features of the next row.
    `compact` leaves out the horizontal axis, for panels side by side.
    """
    weights = np.asarray(weights, dtype=float)
    n_groups, size = weights.shape
    colors = theme.palette(mode)
    features, groups = np.arange(1, size + 1), np.arange(1, n_groups + 1)
    span = float(np.abs(weights).max()) or 1.0
    data = [
        go.Heatmap(
            x=features,
            y=groups,
            z=weights,
            zmin=-span,
            zmax=span,
            xgap=2,
            ygap=2,
            showscale=False,
            colorscale=signed_scale(colors, FAINTEST),
            hovertemplate="group %{y}, feature %{x}<br>w = %{z:.4g}<extra></extra>",
        )
    ]
    if support is not None:
        rows, columns = np.nonzero(support)
        data.append(outlines(rows + 1, columns + 1, colors))
    if counts:
        data.append(_row_counts(weights, support, colors))
    axis = dict(showgrid=False, zeroline=False, ticks="")
    return framed_figure(
        data,
        title,
        mode,
        subtitle=subtitle,
        wrap=wrap,
        height=height,
        room=(LEFT, BELOW_COMPACT if compact else BELOW),
        xaxis=dict(
            title_text="feature within its group"
            + (f" (last {shared} of the next)" if shared else ""),
            tickvals=[1, size],
            range=[0.5, (size * 1.08 if counts else size) + 0.5],
            visible=not compact,
            **axis,
        ),
        yaxis=dict(
            title_text="group",
            tickvals=_sparse_ticks(groups).tolist(),
            range=[n_groups + 0.5, 0.5],
            **axis,
        ),
        annotations=[] if counts else _empty_marks(weights, colors),
        shapes=[_border(size - shared + 0.5, n_groups, colors)] if shared else [],
    )


def _empty_marks(weights: np.ndarray, colors: theme.Palette) -> list[dict]:
    """The word "empty" across every row of zeros."""
    middle = (weights.shape[1] + 1) / 2
    return [
        dict(x=middle, y=row + 1, text="empty", showarrow=False, font=dict(color=colors.muted))
        for row in np.flatnonzero(~weights.any(axis=1)).tolist()
    ]


def _border(x: float, n_groups: int, colors: theme.Palette) -> dict:
    """A dotted line from the first row to the last."""
    line = dict(color=colors.muted, width=1.5, dash="dot")
    return dict(type="line", x0=x, x1=x, y0=0.5, y1=n_groups + 0.5, line=line)


def outlines(rows: np.ndarray, columns: np.ndarray, colors: theme.Palette, width=1.6) -> go.Scatter:
    """One line around each tile, all in one trace: cheaper than a shape each."""
    corners_x = np.array([-0.46, 0.46, 0.46, -0.46, -0.46, np.nan])
    corners_y = np.array([-0.46, -0.46, 0.46, 0.46, -0.46, np.nan])
    return go.Scatter(
        x=(columns[:, None] + corners_x).ravel(),
        y=(rows[:, None] + corners_y).ravel(),
        mode="lines",
        line=dict(color=colors.text, width=width),
        hoverinfo="skip",
        showlegend=False,
        name="true support",
    )


def _row_counts(weights: np.ndarray, support, colors: theme.Palette) -> go.Scatter:
    """Each row's number of nonzeros, right of it."""
    n_groups, size = weights.shape
    kept = weights != 0.0
    right = np.zeros(n_groups, int) if support is None else (kept & support).sum(axis=1)
    return go.Scatter(
        x=np.full(n_groups, size * 1.04 + 0.5),
        y=np.arange(1, n_groups + 1),
        text=[str(count) for count in kept.sum(axis=1)],
        customdata=right,
        mode="text",
        textfont=dict(color=colors.muted, size=11),
        hovertemplate="group %{y}: %{text} nonzeros, %{customdata} of them true<extra></extra>"
        if support is not None
        else "group %{y}: %{text} nonzeros<extra></extra>",
        showlegend=False,
        name="nonzeros per group",
        cliponaxis=False,
    )


def _sparse_ticks(groups: np.ndarray) -> np.ndarray:
    """Every group's number while they fit in a small chart, else the odd ones."""
    return groups if groups.size <= 10 else groups[::2]


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
