"""Charts of a classified table. Names come from files: they arrive escaped (`words.in_figure`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import CHART_HEIGHT, framed_figure

MOST_BARS = 18
MOST_GRID_ROWS = 24
MOST_GRID_COLUMNS = 60
MOST_LINES = 12


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

    Rows come sorted by group; a line separates one group from the next, and the group is named at
    the right.
    """
    colors = theme.palette(mode)
    weights, frequency = np.asarray(weights, dtype=float), np.asarray(frequency, dtype=float)
    places = np.arange(len(names))
    hue = np.where(weights >= 0.0, colors.positive, colors.negative)
    faint = np.where(weights >= 0.0, colors.positive_faint, colors.negative_faint)
    steady = frequency >= 1.0
    bars = go.Bar(
        x=weights,
        y=places,
        orientation="h",
        marker=dict(color=np.where(steady, hue, faint), line=dict(color=hue, width=1.5)),
        customdata=np.column_stack([np.asarray(names), np.asarray(groups), frequency]),
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>weight %{x:.4g}<br>"
        "selected in %{customdata[2]:.0%} of folds<extra></extra>",
    )
    runs = list(_runs(groups))
    between = dict(color=colors.border, width=1, dash="dot")
    return framed_figure(
        [bars],
        title,
        mode,
        height=height,
        wrap=84,
        xaxis=dict(title_text="weight", showgrid=False, zeroline=False),
        yaxis=_rows_axis(names),
        bargap=0.35,
        showlegend=False,
        shapes=[
            _line_down(0.0, dict(color=colors.muted, width=1)),
            *(_line_across(first - 0.5, between) for first, _ in runs[1:]),
        ],
        annotations=[
            _note((first + last) / 2, groups[first], colors.muted, side="right")
            for first, last in runs
        ],
    )


def _rows_axis(names: Sequence[str]) -> dict[str, Any]:
    """One named row below the other, the first at the top."""
    return dict(
        tickvals=np.arange(len(names)),
        ticktext=list(names),
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )


def _line_down(x: float, line: dict[str, Any]) -> dict[str, Any]:
    return dict(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=line)


def _line_across(y: float, line: dict[str, Any]) -> dict[str, Any]:
    return dict(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, line=line)


def _note(row: float, text: str, color: str, *, side: str) -> dict[str, Any]:
    """Words at the left or right end of a row."""
    return dict(
        x={"left": 0.0, "right": 1.0}[side],
        xref="paper",
        xanchor=side,
        y=row,
        text=text,
        showarrow=False,
        font=dict(color=color, size=12),
    )


def _runs(groups: Sequence[str]):
    """First and last place of each run of one group."""
    start = 0
    for i in range(1, len(groups) + 1):
        if i == len(groups) or groups[i] != groups[start]:
            yield start, i - 1
            start = i


def stability_grid(
    frequency: np.ndarray,
    group: np.ndarray,
    group_names: Sequence[str],
    name_of: Callable[[int], str],
    *,
    title: str,
    mode: str,
) -> go.Figure:
    """A row per group, a tile per feature, most often selected first; darker is more often.

    `name_of` a feature is asked for the tiles only: a wide table has many more.
    """
    colors = theme.palette(mode)
    rows = [
        np.flatnonzero(group == g)[np.argsort(-frequency[group == g], kind="stable")]
        for g in range(min(len(group_names), MOST_GRID_ROWS))
    ]
    width = min(max(row.size for row in rows), MOST_GRID_COLUMNS)
    z = np.full((len(rows), width), np.nan)
    labels = np.full((len(rows), width), "", dtype=object)
    for r, row in enumerate(rows):
        row = row[:width]
        z[r, : row.size] = frequency[row]
        labels[r, : row.size] = [name_of(j) for j in row]
    tiles = go.Heatmap(
        z=z,
        x=np.arange(1, width + 1),
        y=np.arange(len(rows)),
        zmin=0.0,
        zmax=1.0,
        colorscale=[[0, colors.surface], [0.001, colors.positive_faint], [1, colors.positive]],
        xgap=2,
        ygap=2,
        customdata=labels,
        hoverongaps=False,
        hovertemplate="%{customdata}<br>selected in %{z:.0%} of folds<extra></extra>",
        colorbar=dict(
            title=dict(text="share of folds", side="right", font_color=colors.text),
            tickformat=".0%",
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
        wrap=42,
        xaxis=dict(
            title_text="feature of the group, most often selected first",
            showgrid=False,
            zeroline=False,
            dtick=max(1, width // 10),
        ),
        yaxis=_rows_axis(group_names[: len(rows)]),
    )


def confusion_matrix(
    counts: np.ndarray, classes: Sequence[str], *, title: str, mode: str
) -> go.Figure:
    """Counts, true class down, predicted class across; the colour is the share of the true class.

    Right ones are blue, wrong ones orange, and every tile says its number.
    """
    colors = theme.palette(mode)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    signed = np.where(np.eye(len(classes), dtype=bool), shares, -shares)
    places = np.arange(len(classes))
    tiles = go.Heatmap(
        z=signed,
        x=places,
        y=places,
        zmin=-1.0,
        zmax=1.0,
        colorscale=[
            [0.0, colors.negative],
            [0.4999, colors.negative_faint],
            [0.5, colors.surface],
            [0.5001, colors.positive_faint],
            [1.0, colors.positive_faint],
        ],
        showscale=False,
        xgap=2,
        ygap=2,
        customdata=counts,
        text=counts,
        texttemplate="%{text}",
        textfont=dict(color=colors.text),
        hovertemplate="%{customdata} rows<extra></extra>",
    )
    axis = dict(
        tickvals=places, ticktext=list(classes), showgrid=False, zeroline=False, automargin=True
    )
    return framed_figure(
        [tiles],
        title,
        mode,
        wrap=46,
        xaxis=dict(title_text="predicted", **axis),
        yaxis=dict(title_text="true", autorange="reversed", **axis),
    )


def curves(
    xs: Sequence[np.ndarray],
    ys: Sequence[np.ndarray],
    names: Sequence[str],
    highlight: int,
    *,
    x_title: str,
    y_title: str,
    diagonal: bool,
    title: str,
    mode: str,
) -> go.Figure:
    """Curves on the unit square, the one that matters in the accent, the others thin and grey."""
    colors = theme.palette(mode)
    traces = []
    if diagonal:
        traces.append(
            go.Scatter(
                x=np.array([0.0, 1.0]),
                y=np.array([0.0, 1.0]),
                mode="lines",
                line=dict(color=colors.theory, width=1.5, dash="dot"),
                hoverinfo="skip",
            )
        )
    order = [i for i in range(len(xs)) if i != highlight] + [highlight]
    for i in order:
        chosen = i == highlight
        traces.append(
            go.Scatter(
                x=xs[i],
                y=ys[i],
                mode="lines",
                line=dict(
                    color=colors.accent if chosen else colors.muted,
                    width=3.0 if chosen else 1.0,
                    shape="hv",
                ),
                name=names[i],
                hovertemplate=f"{x_title} %{{x:.3f}}<br>{y_title} %{{y:.3f}}<extra></extra>",
            )
        )
    axis = dict(range=[-0.02, 1.02], zeroline=False, tickformat=".1f")
    return framed_figure(
        traces,
        title,
        mode,
        wrap=46,
        xaxis=dict(title_text=x_title, showgrid=False, **axis),
        yaxis=dict(title_text=y_title, **axis),
        showlegend=False,
    )


def strength_lines(
    strengths: np.ndarray,
    coefs: np.ndarray,
    name_of: Callable[[int], str],
    *,
    symbol: str,
    current: float,
    title: str,
    mode: str,
) -> go.Figure:
    """Weights over the strength, the largest few; the dotted line is the strength in use."""
    colors = theme.palette(mode)
    size = np.abs(coefs).max(axis=0)
    shown = np.argsort(-size, kind="stable")[:MOST_LINES]
    shown = shown[size[shown] > 0.0]
    traces = []
    for place, j in enumerate(shown):
        positive = coefs[np.argmax(np.abs(coefs[:, j])), j] >= 0.0
        traces.append(
            go.Scatter(
                x=strengths,
                y=coefs[:, j],
                mode="lines",
                name=name_of(j),
                line=dict(
                    color=colors.positive if positive else colors.negative,
                    width=2.5 if place < 3 else 1.2,
                    dash=("solid", "dash", "dot")[place % 3],
                ),
                hovertemplate=f"{name_of(j)}<br>{symbol} = %{{x:.3g}}<br>weight %{{y:.4g}}"
                "<extra></extra>",
            )
        )
    weakest = int(np.argmin(strengths))
    labelled = _apart(coefs[weakest], shown, 0.07 * (np.ptp(coefs) or 1.0))[:5]
    traces.append(
        go.Scatter(
            x=np.full(labelled.size, strengths[weakest]),
            y=coefs[weakest, labelled],
            mode="text",
            text=[name_of(j) for j in labelled],
            textposition="middle left",
            textfont=dict(color=colors.text, size=11),
            hoverinfo="skip",
        )
    )
    # Half as much again as the path is room for the names at the left ends.
    room = 0.5 * np.ptp(np.log10(strengths)) or 2.0
    span = [np.log10(strengths.min()) - room, np.log10(strengths.max()) + 0.05]
    return framed_figure(
        traces,
        title,
        mode,
        wrap=46,
        xaxis=dict(
            title_text=f"{symbol}, stronger to the right",
            type="log",
            showgrid=False,
            range=span,
            tickvals=strengths[::2],
            ticktext=[f"{value:g}" for value in strengths[::2]],
        ),
        yaxis=dict(title_text="weight", zeroline=True),
        showlegend=False,
        shapes=[_line_down(current, dict(color=colors.theory, width=1.5, dash="dot"))],
    )


def _apart(heights: np.ndarray, order: np.ndarray, least: float) -> np.ndarray:
    """The first in the order whose heights are at least so far from each other."""
    kept: list[int] = []
    for j in order:
        if all(abs(heights[j] - heights[other]) >= least for other in kept):
            kept.append(int(j))
    return np.array(kept, dtype=int)


def score_intervals(
    labels: Sequence[str],
    means: np.ndarray,
    lows: np.ndarray,
    highs: np.ndarray,
    kinds: Sequence[str],
    *,
    metric: str,
    title: str,
    mode: str,
    height: int = CHART_HEIGHT,
) -> go.Figure:
    """A mean and its interval per classifier; `kinds` are "ours", "rival" or "baseline".

    A baseline far to the left would squeeze the others, so it is only pointed at.
    """
    colors = theme.palette(mode)
    hue = {"ours": colors.accent, "rival": colors.negative, "baseline": colors.theory}
    symbol = {"ours": "circle", "rival": "diamond", "baseline": "square"}
    places = np.arange(len(labels))
    tone = [hue[kind] for kind in kinds]
    lines = [
        dict(type="line", x0=low, x1=high, y0=place, y1=place, line=dict(color=color, width=3))
        for place, low, high, color in zip(places, lows, highs, tone, strict=True)
        if not np.isnan(low)  # one fold has no interval yet
    ]
    dots = go.Scatter(
        x=np.asarray(means, dtype=float),
        y=places,
        mode="markers",
        marker=dict(color=tone, size=11, symbol=[symbol[kind] for kind in kinds]),
        customdata=np.column_stack([lows, highs]),
        hovertemplate="%{x:.4f}, interval %{customdata[0]:.3f} to %{customdata[1]:.3f}"
        "<extra></extra>",
    )
    notes = [
        _note(place, f"{mean:.3f}", colors.text, side="right")
        for place, mean in zip(places, means, strict=True)
    ]
    serious = np.array([kind != "baseline" for kind in kinds])
    serious = serious if serious.any() else ~serious
    drawn = np.array([means, lows, highs])[:, serious]
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    room = max(high - low, 0.02)
    notes += [
        _note(place, "← further left", colors.muted, side="left")
        for place in places[~serious]
        if means[place] < low - 0.05 * room
    ]
    return framed_figure(
        [dots],
        title,
        mode,
        height=height,
        xaxis=dict(
            title_text=f"{metric} on held-out rows, mean and 95 % interval",
            range=[low - 0.05 * room, high + 0.16 * room],
            zeroline=False,
            automargin=True,
        ),
        yaxis=_rows_axis(labels),
        showlegend=False,
        shapes=lines,
        annotations=notes,
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
        yaxis=_rows_axis(names),
        barmode="overlay",
        showlegend=False,
        bargap=0.3,
    )
