"""Errors, curves and scores. Names arrive escaped (`words.in_figure`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import CHART_HEIGHT, framed_figure
from lab.own_table.charts.rows import PHONE_TITLE, note, rows_axis


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
        wrap=36,
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
    steps: bool = True,
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
                mode="lines" if steps else "lines+markers",
                line=dict(
                    color=colors.accent if chosen else colors.muted,
                    width=3.0 if chosen else 1.0,
                    shape="hv" if steps else "linear",
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
        wrap=36,
        xaxis=dict(title_text=x_title, showgrid=False, **axis),
        yaxis=dict(title_text=y_title, **axis),
        showlegend=False,
    )


def _means_and_intervals(means, lows, highs, kinds: Sequence[str], colors):
    """A dot a row in the colour and form of its kind, and a line from low to high through it."""
    hue = {"ours": colors.accent, "rival": colors.negative, "baseline": colors.theory}
    symbol = {"ours": "circle", "rival": "diamond", "baseline": "square"}
    places, tone = np.arange(len(kinds)), [hue[kind] for kind in kinds]
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
    return dots, lines


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
    places = np.arange(len(labels))
    dots, lines = _means_and_intervals(means, lows, highs, kinds, colors)
    notes = [
        note(place, f"{mean:.3f}", colors.text, side="right")
        for place, mean in zip(places, means, strict=True)
    ]
    serious = np.array([kind != "baseline" for kind in kinds])
    serious = serious if serious.any() else ~serious
    drawn = np.array([means, lows, highs])[:, serious]
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    room = max(high - low, 0.02)
    notes += [
        note(place, "← further left", colors.muted, side="left")
        for place in places[~serious]
        if means[place] < low - 0.05 * room
    ]
    return framed_figure(
        [dots],
        title,
        mode,
        height=height,
        wrap=PHONE_TITLE,
        xaxis=dict(
            title_text=f"{metric}, mean and 95 % interval",
            range=[low - 0.05 * room, high + 0.16 * room],
            zeroline=False,
            automargin=True,
        ),
        yaxis=rows_axis(labels),
        showlegend=False,
        shapes=lines,
        annotations=notes,
    )
