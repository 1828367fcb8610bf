"""The twins' shares: against their correlation or the busy group's load, live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import live, theme
from lab.drawing.frame import framed_figure, legend_below
from lab.norms.charts.paths import NORM_DASHES
from lab.norms.twins import BOTH

TWINS_HEIGHT, PHONE_HEIGHT = 430, 360
# Where a norm's line is among the others: ℓe above all.
ORDER = ("l2", "l1", "l21", "le")
TICKS = (
    (0.0, "0 %"),
    (0.25, "25 %"),
    (0.5, "50 %"),
    (0.75, "75 %"),
    (1.0, "100 %"),
)
SHARE_AXIS = "the quiet twin's share of the twins' weight"


def live_twins(
    values: Sequence[float],
    quiet_shares: Mapping[str, np.ndarray],
    control: live.Steps,
    *,
    axis: str,
    titles: Sequence[str],
    alts: Sequence[str],
) -> live.Figure:
    """How each norm divides the twins' weight, on axes in their own units.

    The band is where both are taken; where a norm drops both twins there is a gap in its line.
    """
    numbers = np.asarray(values, dtype=float)
    middle = np.full(numbers.size, 0.5)
    both = live.Curve(
        "",
        middle,
        "muted",
        faint=True,
        low=np.full(numbers.size, BOTH[0]),
        high=np.full(numbers.size, BOTH[1]),
        tip="both twins are taken: neither has more than twice the other's weight",
    )
    curves = [
        live.Curve(
            theme.NORM_LABELS[norm],
            quiet_shares[norm],
            norm,
            dash={"dashdot": "dash"}.get(NORM_DASHES[norm], NORM_DASHES[norm]),
            thick=norm == "le",
        )
        for norm in ORDER
        if np.isfinite(quiet_shares[norm]).any()
    ]
    return live.lines(
        [both, *curves],
        control,
        xs=numbers,
        marker=numbers,
        x=live.Axis(axis, float(numbers[0]), float(np.ceil(numbers[-1])), ticks=_ticks(numbers)),
        y=live.Axis(SHARE_AXIS, -0.02, 1.02, ticks=TICKS),
        titles=titles,
        alts=alts,
        guides=[live.Guide(BOTH[1], "shaded: both twins are taken", level=True)],
        height=TWINS_HEIGHT,
        phone_height=PHONE_HEIGHT,
    )


def _ticks(values: np.ndarray) -> tuple[tuple[float, str], ...]:
    """Round numbers, evenly spaced: fifths of a correlation, or every load."""
    places = np.linspace(0.0, 1.0, 6) if values[-1] <= 1.0 else values
    return tuple((float(place), f"{place:g}") for place in places)


def still_twins(
    values: Sequence[float],
    quiet_shares: Mapping[str, np.ndarray],
    *,
    current: float,
    axis: str,
    title: str,
    mode: str,
) -> go.Figure:
    """One value as a picture, on the same axes."""
    colors = theme.palette(mode)
    x = np.asarray(values, dtype=float)
    data = [
        go.Scatter(
            x=x,
            y=quiet_shares[norm],
            customdata=100.0 * quiet_shares[norm],
            mode="lines+markers",
            line=dict(
                color=colors.norms[norm],
                width=3.5 if norm == "le" else 2,
                dash=NORM_DASHES[norm],
            ),
            marker=dict(size=np.where(x == current, 12, 6), color=colors.norms[norm]),
            name=theme.NORM_LABELS[norm],
            hovertemplate=f"{theme.NORM_LABELS[norm]}: %{{customdata:.0f}} % to the quiet twin"
            "<extra></extra>",
        )
        for norm in ORDER
    ]
    band = dict(
        type="rect",
        xref="paper",
        x0=0,
        x1=1,
        y0=BOTH[0],
        y1=BOTH[1],
        fillcolor=colors.surface,
        line_width=0,
        layer="below",
    )
    line = dict(color=colors.muted, width=1, dash="dot")
    upright = dict(type="line", yref="paper", x0=current, x1=current, y0=0, y1=1, line=line)
    return framed_figure(
        data,
        title,
        mode,
        height=TWINS_HEIGHT,
        wrap=90,
        xaxis=dict(title_text=axis, showgrid=False),
        yaxis=dict(
            title_text=SHARE_AXIS,
            tickvals=[place for place, _ in TICKS],
            ticktext=[text for _, text in TICKS],
            range=[-0.04, 1.04],
            zeroline=False,
        ),
        shapes=[band, upright],
        **legend_below(colors, 0.26),
    )
