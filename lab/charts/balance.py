"""Charts of random grouping: P(balanced) over m and n, the law of max/min, a draw, the phases.

Traces are plain dicts and figures are made in one go: a slider redraws several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import LEGEND_BELOW, framed_figure

CURVE_HEIGHT = 420
PANEL_HEIGHT = 380
PHASE_HEIGHT = 460
MOST_BARS = 100
# Beyond so many in a row, a line between tiles would be as wide as a tile.
MOST_PARTED_TILES = 125
# Characters in a line of a title that still fits a phone.
WRAP = 42
_ONE_TWO_FIVE = np.array([a * 10**k for k in range(7) for a in (1, 2, 5)])
_BARE = dict(showgrid=False, zeroline=False)

# Pixels at the left and below that these charts take on a page of ordinary width, so that they are
# drawn once there. On a phone the legend has more lines, and plotly makes the room for them.
CURVE_ROOM, COUNTS_ROOM = (64, 132), (60, 48)

Trace = dict[str, Any]


@dataclass(frozen=True)
class Bound:
    """A lower bound's line: its name in the legend and whether it is the paper's."""

    name: str
    x: np.ndarray
    values: np.ndarray
    dash: str
    of_paper: bool = False


@dataclass(frozen=True)
class Band:
    """Simulated probabilities with their confidence intervals."""

    name: str
    x: np.ndarray
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def probability_curve(
    m: np.ndarray,
    exact: np.ndarray,
    bounds: Sequence[Bound],
    band: Band,
    *,
    chosen: tuple[int, float] | None,
    largest: int,
    paper: int,
    paper_name: str,
    target: float,
    title: str,
    mode: str,
) -> go.Figure:
    """P(balanced) against the number of groups: exact, simulated, bounded."""
    colors = theme.palette(mode)
    last = max(m[-1], chosen[0] if chosen else 1, 2)
    marked = sorted(
        [
            (largest, f"largest m: {largest:,}", colors.accent),
            (paper, f"{paper_name} = {paper:,}", colors.methods["pcp"]),
        ]
    )
    labels = [
        dict(
            x=np.log10(x),
            y=1.08,
            text=text,
            showarrow=False,
            xanchor=anchor,
            xshift={"left": 4, "right": -4, "center": 0}[anchor],
            font_color=color,
        )
        for (x, text, color), anchor in zip(marked, _label_anchors(marked, last), strict=True)
    ]
    return framed_figure(
        [
            *_band_traces(band, colors),
            _line(m, exact, "exact", colors.accent, 3.5, "solid", "m"),
            *_bound_traces(bounds, colors, "m"),
            *(_upright(x, color) for x, _, color in marked),
            *([_chosen(*chosen, f"m = {chosen[0]:,}", colors)] if chosen else []),
        ],
        title,
        mode,
        xaxis=_log_axis("number of groups m", 1, last),
        yaxis=_probability_axis(1.12),
        shapes=[_level(target, dict(color=colors.border, width=1))],
        annotations=labels,
        # In shares of the axes: only so is the room below known beforehand.
        legend=LEGEND_BELOW | {"yref": "paper", "y": -0.32, "yanchor": "top"},
        room=CURVE_ROOM,
        wrap=WRAP,
        height=CURVE_HEIGHT,
    )


def ratio_law(
    r: np.ndarray,
    exact: np.ndarray,
    band: Band,
    *,
    limit: float,
    at_limit: float,
    title: str,
    mode: str,
) -> go.Figure:
    """P(max/min ≤ r) against r, the limit of balance marked."""
    colors = theme.palette(mode)
    return framed_figure(
        [
            *_band_traces(band, colors),
            _line(r, exact, "exact", colors.accent, 3.5, "solid", "r"),
            _upright(limit, colors.text),
            _chosen(limit, at_limit, "balanced up to here", colors),
        ],
        title,
        mode,
        xaxis=dict(title_text="ratio r of the largest to the smallest count", **_BARE),
        yaxis=_probability_axis(1.05, "P(max/min ≤ r)"),
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=PANEL_HEIGHT,
    )


def over_features(
    n: np.ndarray,
    exact: np.ndarray,
    bounds: Sequence[Bound],
    *,
    chosen: tuple[int, float],
    title: str,
    mode: str,
) -> go.Figure:
    """P(balanced) against the number of features."""
    colors = theme.palette(mode)
    return framed_figure(
        [
            _line(n, exact, "exact", colors.accent, 3.5, "solid", "n"),
            *_bound_traces(bounds, colors, "n"),
            _chosen(*chosen, f"n = {chosen[0]:,}", colors),
        ],
        title,
        mode,
        xaxis=_log_axis("number of features n", min(n[0], chosen[0]), max(n[-1], chosen[0])),
        yaxis=_probability_axis(1.05),
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=PANEL_HEIGHT,
    )


def phase_diagram(
    s: np.ndarray,
    m: np.ndarray,
    probability: np.ndarray,
    *,
    rule: tuple[np.ndarray, np.ndarray],
    boundary: tuple[np.ndarray, np.ndarray],
    boundary_name: str,
    chosen: tuple[int, int],
    title: str,
    mode: str,
) -> go.Figure:
    """P(balanced) as shade over s and m, both logarithmic, with the theorem's condition."""
    colors = theme.palette(mode)
    shade = dict(
        type="heatmap",
        x=np.log10(s),
        y=np.log10(m),
        z=probability,
        zmin=0,
        zmax=1,
        colorscale=[[0, colors.surface], [0.5, colors.positive_faint], [1, colors.positive]],
        colorbar=dict(
            title=dict(text="P(balanced)", side="right", font_color=colors.text),
            thickness=12,
            tickvals=[0, 0.5, 1],
            tickfont_color=colors.text,
        ),
        customdata=np.stack(np.meshgrid(s, m), axis=-1),
        hovertemplate="s = %{customdata[0]}, m = %{customdata[1]}<br>P = %{z:.4g}<extra></extra>",
        hoverongaps=False,
    )
    condition = dict(
        type="scatter",
        x=np.log10(rule[0]),
        y=np.log10(rule[1]),
        name="s = (m log m)/t²",
        mode="lines",
        line=dict(color=colors.negative, width=3, dash="dot"),
        hoverinfo="skip",
    )
    border = dict(
        type="scatter",
        x=np.log10(boundary[0]),
        y=np.log10(boundary[1]),
        name=boundary_name,
        mode="lines",
        line=dict(color=colors.text, width=2.5),
        customdata=np.column_stack(boundary),
        hovertemplate="s = %{customdata[0]}: m ≤ %{customdata[1]}<extra></extra>",
    )
    here = dict(
        type="scatter",
        x=np.log10(chosen[:1]),
        y=np.log10(chosen[1:]),
        name=f"s = {chosen[0]:,}, m = {chosen[1]:,}",
        mode="markers",
        marker=_ring(colors),
        hoverinfo="name",
    )
    return framed_figure(
        [shade, condition, border, here],
        title,
        mode,
        xaxis=_log10_axis("true features s", min(s[0], chosen[0]), max(s[-1], chosen[0])),
        yaxis=_log10_axis("groups m", min(m[0], chosen[1]), max(m[-1], chosen[1])),
        annotations=[
            dict(
                xref="paper",
                yref="paper",
                x=0.02,
                y=0.97,
                text="m > s: impossible",
                showarrow=False,
                font_color=colors.muted,
            )
        ],
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=PHASE_HEIGHT,
    )


def draw_picture(tiles: np.ndarray, *, title: str, mode: str) -> go.Figure:
    """A cell per group; tile codes are blank, a feature, a true one, a true one out of band."""
    colors = theme.palette(mode)
    steps = [colors.background, colors.border, colors.positive, colors.negative]
    hidden = dict(visible=False, constrain="domain", **_BARE)
    between = 1 if max(tiles.shape) <= MOST_PARTED_TILES else 0
    return framed_figure(
        [
            dict(
                type="heatmap",
                z=tiles,
                zmin=-0.5,
                zmax=3.5,
                colorscale=[[(k + end) / 4, c] for k, c in enumerate(steps) for end in (0, 1)],
                xgap=between,
                ygap=between,
                showscale=False,
                hoverinfo="skip",
            )
        ],
        title,
        mode,
        xaxis=dict(constraintoward="left", **hidden),
        yaxis=dict(autorange="reversed", scaleanchor="x", constraintoward="top", **hidden),
        wrap=WRAP,
        height=PANEL_HEIGHT,
    )


def draw_counts(
    counts: np.ndarray,
    outside: np.ndarray,
    *,
    ideal: float,
    t: float,
    title: str,
    mode: str,
) -> go.Figure:
    """Bars of |Ω_j| with the ideal s/m and the band (1 ± t)·s/m; sorted where there are many."""
    colors = theme.palette(mode)
    many = len(counts) > MOST_BARS
    most = max(float(counts.max()), (1 + t) * ideal)
    band = dict(
        type="rect",
        xref="paper",
        x0=0,
        x1=1,
        y0=(1 - t) * ideal,
        y1=(1 + t) * ideal,
        line_width=0,
        fillcolor=_faded(colors.theory, 0.18),
        layer="below",
    )
    return framed_figure(
        [_sorted_counts(counts, colors)] if many else _bars(counts, outside, colors),
        title,
        mode,
        xaxis=dict(
            title_text="groups, fewest true features first" if many else "group j",
            range=[0.4, len(counts) + 0.6],
            tickformat=",d",
            **_BARE,
        ),
        yaxis=dict(
            title_text="true features |Ω_j|", zeroline=False, range=[0, 1.2 * most], tickformat="~d"
        ),
        shapes=[band, _level(ideal, dict(color=colors.text, width=1.5, dash="dash"))],
        annotations=[
            dict(
                xref="paper",
                x=1,
                xanchor="right",
                y=1.12 * most,
                text=f"dashed: s/m = {ideal:.4g}; grey: (1 ± {t:g})·s/m",
                showarrow=False,
                font_color=colors.text,
            )
        ],
        showlegend=False,
        bargap=0.15,
        room=COUNTS_ROOM,
        wrap=WRAP,
        height=PANEL_HEIGHT,
    )


# ---------------------------------------------------------------- traces


def _bars(counts: np.ndarray, outside: np.ndarray, colors: theme.Palette) -> list[Trace]:
    groups = np.arange(1, len(counts) + 1)
    return [
        dict(
            type="bar",
            x=groups[where],
            y=counts[where],
            marker=dict(color=color, pattern_shape=pattern),
            hovertemplate="group %{x}: %{y} true features<extra></extra>",
        )
        for where, color, pattern in (
            (~outside, colors.positive, ""),
            (outside, colors.negative, "/"),
        )
        if where.any()
    ]


def _sorted_counts(counts: np.ndarray, colors: theme.Palette) -> Trace:
    kept = np.unique(np.linspace(0, len(counts) - 1, min(len(counts), 1000)).astype(int))
    return dict(
        type="scatter",
        x=kept + 1,
        y=np.sort(counts)[kept],
        mode="lines",
        line=dict(color=colors.positive, width=2, shape="hv"),
        fill="tozeroy",
        fillcolor=_faded(colors.positive, 0.35),
        hovertemplate="%{y} true features<extra></extra>",
    )


def _line(x, y, name: str, color: str, width: float, dash: str, symbol: str) -> Trace:
    return dict(
        type="scatter",
        x=x,
        y=y,
        name=name,
        mode="lines",
        line=dict(color=color, width=width, dash=dash),
        hovertemplate=f"{name}<br>{symbol} = %{{x}}, P = %{{y:.4g}}<extra></extra>",
    )


def _bound_traces(bounds: Sequence[Bound], colors: theme.Palette, symbol: str) -> list[Trace]:
    """The bounds where they say something; one that never does stands in the legend only."""
    return [
        _line(
            bound.x,
            bound.values,
            bound.name,
            colors.methods["pcp"] if bound.of_paper else colors.theory,
            2,
            bound.dash,
            symbol,
        )
        for bound in bounds
    ]


def _band_traces(band: Band, colors: theme.Palette) -> list[Trace]:
    return [
        dict(
            type="scatter",
            x=np.concatenate([band.x, band.x[::-1]]),
            y=np.concatenate([band.high, band.low[::-1]]),
            mode="lines",
            line_width=0,
            fill="toself",
            fillcolor=_faded(colors.negative, 0.25),
            showlegend=False,
            hoverinfo="skip",
        ),
        dict(
            type="scatter",
            x=band.x,
            y=band.value,
            name=band.name,
            mode="markers",
            marker=dict(color=colors.negative, size=6, symbol="diamond"),
            customdata=np.column_stack([band.low, band.high]),
            hovertemplate="simulated: %{y:.4g}<br>%{customdata[0]:.4g} to %{customdata[1]:.4g}"
            "<extra></extra>",
        ),
    ]


def _upright(x: float, color: str) -> Trace:
    return dict(
        type="scatter",
        x=np.array([x, x], dtype=float),
        y=np.array([0.0, 1.0]),
        mode="lines",
        line=dict(color=color, width=1.5, dash="dot"),
        showlegend=False,
        hoverinfo="skip",
    )


def _chosen(x: float, y: float, name: str, colors: theme.Palette) -> Trace:
    return dict(
        type="scatter",
        x=np.array([x], dtype=float),
        y=np.array([y]),
        name=name,
        mode="markers",
        marker=_ring(colors),
        hovertemplate=f"{name}<br>P = %{{y:.6g}}<extra></extra>",
    )


def _ring(colors: theme.Palette) -> dict[str, Any]:
    return dict(
        color=colors.background, size=13, line=dict(color=colors.text, width=3), symbol="circle"
    )


# ---------------------------------------------------------------- axes and shapes


def _level(y: float, line: dict[str, Any]) -> dict[str, Any]:
    return dict(type="line", xref="paper", x0=0, x1=1, y0=y, y1=y, line=line, layer="below")


def _label_anchors(marked: Sequence[tuple], last: float) -> tuple[str, str]:
    """The left label ends at its line and the right one begins there, if the axis leaves room."""
    first, second = (np.log10(x) / np.log10(last) for x, *_ in marked)
    return (
        "right" if first > 0.25 else "left",
        "left" if second < 0.72 else "center" if second < 0.9 else "right",
    )


def _log_axis(title: str, first: float, last: float) -> dict[str, Any]:
    marks = _marks(first, last)
    if last > 5000:
        marks = marks[np.isin(marks, 10 ** np.arange(7))]
    return dict(
        title_text=title,
        type="log",
        range=[np.log10(first) - 0.04, np.log10(last) + 0.06],
        tickvals=marks,
        ticktext=[f"{mark:,}" for mark in marks],
        **_BARE,
    )


def _log10_axis(title: str, first: float, last: float) -> dict[str, Any]:
    """An axis of logarithms with the numbers as labels: tiles keep an even width on it."""
    marks = _marks(first, last)
    return dict(
        title_text=title,
        tickvals=np.log10(marks),
        ticktext=[f"{mark:,}" for mark in marks],
        range=[np.log10(first) - 0.05, np.log10(last) + 0.05],
        **_BARE,
    )


def _marks(first: float, last: float) -> np.ndarray:
    """1, 2, 5, 10, 20, … from first to last."""
    marks = _ONE_TWO_FIVE
    return marks[(marks >= first) & (marks <= last)]


def _probability_axis(top: float, title: str = "P(balanced)") -> dict[str, Any]:
    return dict(
        title_text=title, range=[-0.03, top], tickvals=[0, 0.25, 0.5, 0.75, 1], zeroline=False
    )


def _faded(hex_color: str, alpha: float) -> str:
    red, green, blue = (int(hex_color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"
