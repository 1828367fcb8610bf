"""Weights, selection and groups of features. Names arrive escaped (`words.in_figure`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import CHART_HEIGHT, framed_figure
from lab.own_table.charts.rows import PHONE_TITLE, line_across, line_down, note, rows_axis, runs
from lab.words import percent

MOST_BARS = 18
NAME_SHARE = 0.34  # of the width, for a group's name on a phone
MOST_GRID_ROWS = 24
MOST_GRID_COLUMNS = 60


def weight_bars(
    names: Sequence[str],
    weights: np.ndarray,
    groups: Sequence[str],
    frequency: np.ndarray,
    *,
    title: str,
    mode: str,
    height: int = CHART_HEIGHT,
) -> go.Figure:
    """A bar per feature, blue positive, orange negative; hollow where some fold left it out.

    `frequency` is the share of folds that selected it, nan where none is done.

    Rows come sorted by group; a line separates one group from the next, and the group is named at
    the right, in the row whose bar reaches there least.
    """
    colors = theme.palette(mode)
    weights, frequency = np.asarray(weights, dtype=float), np.asarray(frequency, dtype=float)
    places = np.arange(len(names))
    hue = np.where(weights >= 0.0, colors.positive, colors.negative)
    faint = np.where(weights >= 0.0, colors.positive_faint, colors.negative_faint)
    steady = ~(frequency < 1.0)
    often = [
        "no fold is done yet" if np.isnan(share) else f"selected in {percent(share, 0)} of folds"
        for share in frequency
    ]
    bars = go.Bar(
        x=weights,
        y=places,
        orientation="h",
        marker=dict(color=np.where(steady, hue, faint), line=dict(color=hue, width=1.5)),
        customdata=np.column_stack([np.asarray(names), np.asarray(groups), often]),
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>weight %{x:.4g}<br>"
        "%{customdata[2]}<extra></extra>",
    )
    stretches = list(runs(groups))
    named, ends = _room_for_names(weights, stretches)
    between = dict(color=colors.border, width=1, dash="dot")
    return framed_figure(
        [bars],
        title,
        mode,
        height=height,
        wrap=PHONE_TITLE,
        xaxis=dict(title_text="weight", showgrid=False, zeroline=False, range=ends),
        yaxis=rows_axis(names),
        bargap=0.35,
        showlegend=False,
        shapes=[
            line_down(0.0, dict(color=colors.muted, width=1)),
            *(line_across(first - 0.5, between) for first, _ in stretches[1:]),
        ],
        annotations=[note(row, groups[row], colors.muted, side="right") for row in named],
    )


def _room_for_names(weights: np.ndarray, stretches) -> tuple[list[int], list[float]]:
    """A row of each stretch, as near its middle as may be, and an axis that leaves it room."""
    reach = np.maximum(weights, 0.0)
    named = []
    for first, last in stretches:
        rows = np.arange(first, last + 1)
        free = rows[reach[rows] == reach[rows].min()]
        named.append(int(free[np.argmin(np.abs(free - (first + last) / 2))]))
    low, high = min(0.0, weights.min(initial=0.0)), reach.max(initial=0.0)
    pad = 0.05 * ((high - low) or 1.0)
    left, longest = low - pad, max((reach[row] for row in named), default=0.0)
    return named, [left, max(high + pad, left + (longest - left) / (1.0 - NAME_SHARE))]


def stability_grid(
    frequency: np.ndarray,
    members: Sequence[np.ndarray],
    group_names: Sequence[str],
    name_of: Callable[[int], str],
    *,
    title: str,
    mode: str,
) -> go.Figure:
    """A row per group, a tile per feature, most often selected first; darker is more often.

    A feature of several groups has a tile in each. `name_of` a feature is asked for the tiles only:
    a wide table has many more.
    """
    colors = theme.palette(mode)
    rows = [
        np.asarray(each)[np.argsort(-frequency[each], kind="stable")]
        for each in members[:MOST_GRID_ROWS]
    ]
    width = min(max(row.size for row in rows), MOST_GRID_COLUMNS)
    z = np.full((len(rows), width), np.nan)
    labels = np.full((len(rows), width), "", dtype=object)
    for r, row in enumerate(rows):
        row = row[:width]
        z[r, : row.size] = frequency[row]
        labels[r, : row.size] = [
            f"{name_of(j)}<br>selected in {percent(frequency[j], 0)} of folds" for j in row
        ]
    tiles = go.Heatmap(
        z=z,
        x=np.arange(1.0, width + 1.0),
        y=np.arange(float(len(rows))),
        zmin=0.0,
        zmax=1.0,
        colorscale=[[0, colors.surface], [0.001, colors.positive_faint], [1, colors.positive]],
        xgap=2,
        ygap=2,
        customdata=labels,
        hoverongaps=False,
        hovertemplate="%{customdata}<extra></extra>",
        colorbar=dict(
            title=dict(text="share of folds", side="right", font_color=colors.text),
            tickvals=[0.0, 0.5, 1.0],
            ticktext=["0 %", "50 %", "100 %"],
            tickfont_color=colors.text,
            thickness=10,
            outlinewidth=0,
        ),
    )
    return framed_figure(
        [tiles],
        title,
        mode,
        height=max(220, min(560, 130 + 26 * len(rows))),
        wrap=36,
        xaxis=dict(
            title_text="feature of the group, most often selected first",
            showgrid=False,
            zeroline=False,
            dtick=max(1, width // 10),
        ),
        yaxis=rows_axis(group_names[: len(rows)]),
    )


def group_sizes(
    names: Sequence[str], sizes: np.ndarray, used: np.ndarray, *, title: str, mode: str
) -> go.Figure:
    """Features of each group, and how many of them the model uses; the first few groups."""
    colors = theme.palette(mode)
    shown = slice(0, MOST_GRID_ROWS)
    names, sizes, used = list(names)[shown], sizes[shown], used[shown]
    places = np.arange(len(names))
    bars = [
        go.Bar(
            x=sizes,
            y=places,
            orientation="h",
            marker=dict(color=colors.surface, line=dict(color=colors.border, width=1)),
            hovertemplate="%{x} features<extra></extra>",
        ),
        go.Bar(
            x=used,
            y=places,
            orientation="h",
            marker_color=colors.accent,
            hovertemplate="%{x} used<extra></extra>",
        ),
    ]
    return framed_figure(
        bars,
        title,
        mode,
        height=max(220, min(560, 130 + 24 * len(names))),
        xaxis=dict(title_text="features in the group; blue: used by the model", showgrid=False),
        yaxis=rows_axis(names),
        barmode="overlay",
        showlegend=False,
        bargap=0.3,
    )
