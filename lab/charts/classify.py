"""Charts of a classified table. Names come from files: they arrive escaped (`words.in_figure`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import CHART_HEIGHT, framed

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
    figure = go.Figure(
        go.Bar(
            x=weights,
            y=places,
            orientation="h",
            marker=dict(color=np.where(steady, hue, faint), line=dict(color=hue, width=1.5)),
            customdata=np.column_stack([np.asarray(names), np.asarray(groups), frequency]),
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>weight %{x:.4g}<br>"
            "selected in %{customdata[2]:.0%} of folds<extra></extra>",
        )
    )
    figure.add_vline(x=0.0, line=dict(color=colors.muted, width=1))
    starts = [i for i in range(1, len(groups)) if groups[i] != groups[i - 1]]
    for start in starts:
        figure.add_hline(y=start - 0.5, line=dict(color=colors.border, width=1, dash="dot"))
    for first, last in _runs(groups):
        figure.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="right",
            y=(first + last) / 2,
            text=groups[first],
            showarrow=False,
            font=dict(color=colors.muted, size=12),
        )
    figure.update_xaxes(title_text="weight", showgrid=False, zeroline=False)
    figure.update_yaxes(
        tickvals=places,
        ticktext=list(names),
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    figure.update_layout(bargap=0.35, showlegend=False)
    return framed(figure, title, mode, height=height, wrap=84)


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
    names: Sequence[str],
    *,
    title: str,
    mode: str,
) -> go.Figure:
    """A row per group, a tile per feature, most often selected first; darker is more often."""
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
        labels[r, : row.size] = [names[j] for j in row]
    places = np.arange(len(rows))
    figure = go.Figure(
        go.Heatmap(
            z=z,
            x=np.arange(1, width + 1),
            y=places,
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
    )
    figure.update_xaxes(
        title_text="feature of the group, most often selected first",
        showgrid=False,
        zeroline=False,
        dtick=max(1, width // 10),
    )
    figure.update_yaxes(
        tickvals=places,
        ticktext=list(group_names[: len(rows)]),
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return framed(figure, title, mode, height=max(220, min(560, 130 + 26 * len(rows))), wrap=42)


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
    figure = go.Figure(
        go.Heatmap(
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
    )
    axis = dict(tickvals=places, ticktext=list(classes), showgrid=False, zeroline=False)
    figure.update_xaxes(title_text="predicted", automargin=True, **axis)
    figure.update_yaxes(title_text="true", autorange="reversed", automargin=True, **axis)
    return framed(figure, title, mode, height=CHART_HEIGHT, wrap=46)


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
    figure = go.Figure(traces)
    axis = dict(range=[-0.02, 1.02], zeroline=False, tickformat=".1f")
    figure.update_xaxes(title_text=x_title, showgrid=False, **axis)
    figure.update_yaxes(title_text=y_title, **axis)
    figure.update_layout(showlegend=False)
    return framed(figure, title, mode, wrap=46)


def strength_lines(
    strengths: np.ndarray,
    coefs: np.ndarray,
    names: Sequence[str],
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
                name=names[j],
                line=dict(
                    color=colors.positive if positive else colors.negative,
                    width=2.5 if place < 3 else 1.2,
                    dash=("solid", "dash", "dot")[place % 3],
                ),
                hovertemplate=f"{names[j]}<br>{symbol} = %{{x:.3g}}<br>weight %{{y:.4g}}"
                "<extra></extra>",
            )
        )
    figure = go.Figure(traces)
    figure.add_vline(x=current, line=dict(color=colors.theory, width=1.5, dash="dot"))
    weakest = int(np.argmin(strengths))
    labelled = _apart(coefs[weakest], shown, 0.07 * (np.ptp(coefs) or 1.0))[:5]
    figure.add_trace(
        go.Scatter(
            x=np.full(labelled.size, strengths[weakest]),
            y=coefs[weakest, labelled],
            mode="text",
            text=[names[j] for j in labelled],
            textposition="middle left",
            textfont=dict(color=colors.text, size=11),
            hoverinfo="skip",
        )
    )
    # Half as much again as the path is room for the names at the left ends.
    room = 0.5 * np.ptp(np.log10(strengths)) or 2.0
    span = [np.log10(strengths.min()) - room, np.log10(strengths.max()) + 0.05]
    figure.update_xaxes(
        title_text=f"{symbol}, stronger to the right", type="log", showgrid=False, range=span
    )
    figure.update_xaxes(
        tickvals=strengths[::2], ticktext=[f"{value:g}" for value in strengths[::2]]
    )
    figure.update_yaxes(title_text="weight", zeroline=True)
    figure.update_layout(showlegend=False)
    return framed(figure, title, mode, wrap=46)


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
    figure = go.Figure()
    for place, low, high, color in zip(places, lows, highs, tone, strict=True):
        if not np.isnan(low):  # one fold has no interval yet
            figure.add_shape(
                type="line",
                x0=low,
                x1=high,
                y0=place,
                y1=place,
                line=dict(color=color, width=3),
            )
    figure.add_trace(
        go.Scatter(
            x=np.asarray(means, dtype=float),
            y=places,
            mode="markers",
            marker=dict(color=tone, size=11, symbol=[symbol[kind] for kind in kinds]),
            customdata=np.column_stack([lows, highs]),
            hovertemplate="%{x:.4f}, interval %{customdata[0]:.3f} to %{customdata[1]:.3f}"
            "<extra></extra>",
        )
    )
    for place, mean in zip(places, means, strict=True):
        figure.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="right",
            y=place,
            text=f"{mean:.3f}",
            showarrow=False,
            font=dict(color=colors.text, size=12),
        )
    serious = np.array([kind != "baseline" for kind in kinds])
    serious = serious if serious.any() else ~serious
    drawn = np.array([means, lows, highs])[:, serious]
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    room = max(high - low, 0.02)
    for place in places[~serious]:
        if means[place] < low - 0.05 * room:
            figure.add_annotation(
                x=0.0,
                xref="paper",
                xanchor="left",
                y=place,
                text="← further left",
                showarrow=False,
                font=dict(color=colors.muted, size=12),
            )
    figure.update_xaxes(
        title_text=f"{metric} on held-out rows, mean and 95 % interval",
        range=[low - 0.05 * room, high + 0.16 * room],
        zeroline=False,
        automargin=True,
    )
    figure.update_yaxes(
        tickvals=places,
        ticktext=list(labels),
        range=[len(labels) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    figure.update_layout(showlegend=False)
    return framed(figure, title, mode, height=height)


def group_sizes(
    names: Sequence[str], sizes: np.ndarray, used: np.ndarray, *, title: str, mode: str
) -> go.Figure:
    """Features of each group, and how many of them the model uses; the first few groups."""
    colors = theme.palette(mode)
    shown = slice(0, MOST_GRID_ROWS)
    names, sizes, used = list(names)[shown], sizes[shown], used[shown]
    places = np.arange(len(names))
    figure = go.Figure(
        [
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
    )
    figure.update_layout(barmode="overlay", showlegend=False, bargap=0.3)
    figure.update_xaxes(title_text="features in the group; blue: used by the model", showgrid=False)
    figure.update_yaxes(
        tickvals=places,
        ticktext=names,
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return framed(figure, title, mode, height=max(220, min(560, 130 + 24 * len(names))))
