"""Paths in λ, their numbers, and the twins' shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed_figure

PATH_HEIGHT = 400
METRIC_HEIGHT = 320
TWINS_HEIGHT = 360

# Hue and dash together name a group: five hues that colour-blind readers can tell apart, then the
# next dash.
DASHES = ("solid", "dash", "dot", "dashdot")
NORM_DASHES = {"le": "solid", "l21": "dash", "l1": "dot", "l2": "dashdot"}
MOST_LABELS = 8


def group_hues(mode: str) -> tuple[str, ...]:
    colors = theme.palette(mode)
    return (
        colors.accent,
        colors.negative,
        colors.norms["l1"],
        colors.methods["subgradient"],
        colors.muted,
    )


def group_style(group: int, mode: str) -> dict:
    """Colour and dash of a group, counted from 0."""
    hues = group_hues(mode)
    return dict(color=hues[group % len(hues)], dash=DASHES[(group // len(hues)) % len(DASHES)])


def weight_paths(
    shares: np.ndarray,
    coefs: np.ndarray,
    owners: np.ndarray,
    support: np.ndarray,
    *,
    current: float,
    title: str,
    mode: str,
    only_group: int | None = None,
    height: int = PATH_HEIGHT,
) -> go.Figure:
    """Every weight against λ, a hue and dash per group; true features thick, others thin.

    `only_group` (from 0) keeps one group's colour and greys the others. The largest weights are
    labelled at the weak end of the path. Weights that are 0 all along are left out.
    """
    colors = theme.palette(mode)
    greyed, coloured = [], []
    for group in range(int(owners.max()) + 1):
        for true in (False, True):
            members = np.flatnonzero((owners == group) & (support == true) & coefs.any(axis=0))
            if members.size == 0:
                continue
            faded = only_group is not None and group != only_group
            style = dict(color=colors.border, dash="solid") if faded else group_style(group, mode)
            trace = _joined(shares, coefs[:, members])
            line = go.Scatter(
                **trace,
                mode="lines",
                line=dict(width=2.4 if true else 1.0, **style),
                customdata=np.repeat(members + 1, shares.size + 1),
                hovertemplate=f"group {group + 1}, feature %{{customdata}}"
                f"{', true' if true else ''}<br>λ at %{{x:.2g}}: w = %{{y:.3g}}<extra></extra>",
                name=f"group {group + 1}{', true' if true else ''}",
                showlegend=False,
            )
            (greyed if faded else coloured).append(line)
    return framed_figure(
        [*greyed, *coloured],
        title,
        mode,
        height=height,
        wrap=42,
        xaxis=_share_axis(shares, room=0.1),
        yaxis=dict(title_text="weight", zeroline=True, zerolinecolor=colors.border),
        shapes=[_upright(current, colors.text, 1.2)],
        annotations=[
            *_largest_labels(shares, coefs, owners, only_group, mode),
            dict(
                x=np.log10(current),
                y=1,
                yref="paper",
                yanchor="bottom",
                text="now",
                showarrow=False,
                font=dict(size=11, color=colors.text),
            ),
        ],
        hovermode="closest",
    )


def metric_lines(
    shares: Mapping[str, np.ndarray],
    values: Mapping[str, np.ndarray],
    *,
    current: Mapping[str, float],
    best: str,
    axis: str,
    title: str,
    mode: str,
    percent: bool = False,
    floor: tuple[str, float] | None = None,
    height: int = METRIC_HEIGHT,
) -> go.Figure:
    """One number against λ for all norms, the best of each marked by a star, the current by a dot.

    `best` is "max" or "min"; `floor` draws a dotted line that nothing should pass, with its name.
    """
    colors = theme.palette(mode)
    data, shapes, notes = [], [], []
    pick = np.argmax if best == "max" else np.argmin
    for norm, column in values.items():
        at, color = int(pick(column)), colors.norms[norm]
        here = int(np.argmin(np.abs(np.log(shares[norm] / current[norm]))))
        label = theme.NORM_LABELS[norm]
        data.append(
            go.Scatter(
                x=shares[norm],
                y=column,
                mode="lines",
                line=dict(color=color, width=3 if norm == "le" else 2, dash=NORM_DASHES[norm]),
                name=label,
                hovertemplate=f"{label}, λ at %{{x:.2g}}: %{{y:.3g}}<extra></extra>",
            )
        )
        data.append(
            go.Scatter(
                x=shares[norm][[at, here]],
                y=column[[at, here]],
                mode="markers",
                marker=dict(color=color, symbol=["star", "circle"], size=[12, 8]),
                text=["best", "now"],
                hovertemplate=f"{label}, %{{text}}: %{{y:.3g}} at %{{x:.2g}}<extra></extra>",
                showlegend=False,
            )
        )
    if floor is not None:
        name, level = floor
        line = dict(color=colors.theory, dash="dot", width=1.5)
        shapes = [dict(type="line", xref="paper", x0=0, x1=1, y0=level, y1=level, line=line)]
        notes = [
            dict(
                xref="paper",
                x=0,
                xanchor="left",
                y=level,
                yanchor="top",
                text=name,
                showarrow=False,
                font_color=colors.muted,
            )
        ]
    return framed_figure(
        data,
        title,
        mode,
        height=height,
        wrap=42,
        xaxis=_share_axis(shares["le"]),
        yaxis=dict(
            title_text=axis, rangemode="tozero", **({"tickformat": ".0%"} if percent else {})
        ),
        shapes=shapes,
        annotations=notes,
        **_legend_below(colors),
    )


def twin_shares(
    values: Sequence[float],
    quiet_shares: Mapping[str, np.ndarray],
    *,
    current: float,
    axis: str,
    title: str,
    mode: str,
    height: int = TWINS_HEIGHT,
) -> go.Figure:
    """How each norm divides the twins' weight: 0 all to the busy group's, 1 all to the quiet one's

    Where a norm drops both twins there is a gap in its line.
    """
    colors = theme.palette(mode)
    x = np.arange(len(values))
    here = int(np.argmin(np.abs(np.asarray(values, dtype=float) - current)))
    data = []
    for norm, column in quiet_shares.items():
        sizes = np.where(x == here, 12, 6)
        data.append(
            go.Scatter(
                x=x,
                y=column,
                mode="lines+markers",
                line=dict(
                    color=colors.norms[norm],
                    width=3.5 if norm == "le" else 2,
                    dash=NORM_DASHES[norm],
                ),
                marker=dict(size=sizes, color=colors.norms[norm]),
                name=theme.NORM_LABELS[norm],
                hovertemplate=f"{theme.NORM_LABELS[norm]}: %{{y:.0%}} to the quiet twin"
                "<extra></extra>",
            )
        )
    band = dict(
        type="rect",
        xref="paper",
        x0=0,
        x1=1,
        y0=1 / 3,
        y1=2 / 3,
        fillcolor=colors.surface,
        line_width=0,
        layer="below",
    )
    return framed_figure(
        data,
        title,
        mode,
        height=height,
        wrap=40,
        xaxis=dict(
            title_text=axis,
            tickvals=x,
            ticktext=[f"{value:g}" for value in values],
            showgrid=False,
            range=[-0.3, len(values) - 0.7],
        ),
        yaxis=dict(
            tickvals=[0, 0.5, 1],
            ticktext=["busy<br>twin", "both", "quiet<br>twin"],
            range=[-0.06, 1.06],
            zeroline=False,
        ),
        shapes=[band, _upright(here, colors.muted, 1)],
        **_legend_below(colors),
    )


def _joined(x: np.ndarray, columns: np.ndarray) -> dict:
    """Columns as one line broken between them."""
    broken = np.vstack([columns, np.full(columns.shape[1], np.nan)])
    return dict(x=np.tile(np.append(x, np.nan), columns.shape[1]), y=broken.T.ravel())


def _largest_labels(shares, coefs, owners, only_group, mode) -> list[dict]:
    """Names of groups beside the largest weights at the weak end, none over another."""
    ends = coefs[0]
    room = 0.055 * (np.ptp(ends) or 1.0)
    labels: list[dict] = []
    for feature in np.argsort(-np.abs(ends)):
        height, group = float(ends[feature]), int(owners[feature])
        wanted = height != 0.0 and (only_group is None or group == only_group)
        if not wanted or any(abs(height - other["y"]) <= room for other in labels):
            continue
        labels.append(
            dict(
                x=np.log10(shares[0]),
                y=height,
                text=f"g{group + 1}",
                xanchor="right",
                xshift=-3,
                showarrow=False,
                font=dict(size=11, color=group_style(group, mode)["color"]),
            )
        )
        if len(labels) == MOST_LABELS:
            break
    return labels


def _upright(x: float, color: str, width: float) -> dict:
    """A dotted line from the bottom of the plot to its top."""
    line = dict(color=color, width=width, dash="dot")
    return dict(type="line", yref="paper", x0=x, x1=x, y0=0, y1=1, line=line)


def _share_axis(shares, room: float = 0.02) -> dict:
    low, high = np.log10(shares[0]), np.log10(shares[-1])
    return dict(
        type="log",
        title_text="λ as a share of the norm's own scale",
        range=[low - room, high + 0.05],
        tickvals=[0.01, 0.1, 1, 10],
        ticktext=["0.01", "0.1", "1", "10"],
        showgrid=False,
    )


def _legend_below(colors) -> dict:
    return dict(
        legend=dict(
            orientation="h",
            y=-0.26,
            yanchor="top",
            x=0,
            font_color=colors.text,
            itemwidth=34,
        ),
        showlegend=True,
    )
