"""P(balanced) as shade over s and m."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab.balance import words
from lab.balance.charts.curves import LABEL
from lab.balance.charts.parts import BARE, WRAP, Trace, marks, ring
from lab.balance.law import Balance, Setting
from lab.balance.phase import Phase, rule_curve
from lab.drawing import live, theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure

HEIGHT = 440
RULE, IMPOSSIBLE = "s = (m log m)/t²", "m > s: impossible"


def live_phase(at: Setting, found: Phase, curve: Balance) -> live.Figure:
    """The law of one n over s and m, and the s on show, whose m is dragged up and down."""
    m = curve.m.tolist()
    titles = [words.phase_title(at, k, curve.by_m[k]) for k in m]
    return live.shade(
        found.s,
        found.m,
        found.probability,
        live.Steps(LABEL, tuple(map(str, m)), tuple(f"m = {k:,}" for k in m)),
        at=at.s,
        marker=curve.m,
        lines=[
            live.Border(f"largest m with P ≥ {words.wanted(at)}", found.s, found.largest),
            live.Border(RULE, *rule_curve(at.t, found), "negative", "dot"),
        ],
        x=_live_axis("true features s", min(found.s[0], at.s), max(found.s[-1], at.s)),
        y=_live_axis("groups m", 0.88, max(found.m[-1], at.s)),  # half a tile below the one group
        names=("s", "m", "P"),
        corner=IMPOSSIBLE,
        titles=titles,
        alts=[f"{words.phase_alt(at, found)} {title}." for title in titles],
        height=HEIGHT,
        phone_height=340,
    )


def _live_axis(label: str, first: float, last: float) -> live.Axis:
    """A logarithmic one with room for the outermost tiles."""
    ticks = tuple((int(number), f"{number:,}") for number in marks(first, last))
    return live.Axis(label, first * 0.8, last * 1.25, log=True, ticks=ticks)


def phase_diagram(
    found: Phase, t: float, *, target: float, here: tuple[int, int], title: str, mode: str
) -> go.Figure:
    """The law of one n over s and m, both logarithmic, with the theorem's condition."""
    colors = theme.palette(mode)
    s, m = found.s, found.m
    return framed_figure(
        [
            _shade(found, colors),
            _line(
                *rule_curve(t, found),
                RULE,
                dict(color=colors.negative, width=3) | dict(dash="dot"),
            ),
            _line(
                s,
                found.largest,
                f"largest m with P ≥ {words.percent(target, 0)}",
                dict(color=colors.text),
            ),
            dict(
                type="scatter",
                x=np.log10(here[:1]),
                y=np.log10(here[1:]),
                name=f"s = {here[0]:,}, m = {here[1]:,}",
                mode="markers",
                marker=ring(colors),
                hoverinfo="name",
            ),
        ],
        title,
        mode,
        xaxis=_axis("true features s", min(s[0], here[0]), max(s[-1], here[0])),
        yaxis=_axis("groups m", min(m[0], here[1]), max(m[-1], here[1])),
        annotations=[
            dict(
                xref="paper",
                yref="paper",
                x=0.02,
                y=0.97,
                text=IMPOSSIBLE,
                showarrow=False,
                font_color=colors.muted,
            )
        ],
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=HEIGHT,
    )


def _shade(found: Phase, colors: theme.Palette) -> Trace:
    return dict(
        type="heatmap",
        x=np.log10(found.s),
        y=np.log10(found.m),
        z=found.probability,
        zmin=0,
        zmax=1,
        colorscale=[[0, colors.surface], [0.5, colors.positive_faint], [1, colors.positive]],
        colorbar=dict(
            title=dict(text="P(balanced)", side="right", font_color=colors.text),
            thickness=12,
            tickvals=[0, 0.5, 1],
            tickfont_color=colors.text,
        ),
        customdata=np.stack(np.meshgrid(found.s, found.m), axis=-1),
        hovertemplate="s = %{customdata[0]}, m = %{customdata[1]}<br>P = %{z:.4g}<extra></extra>",
        hoverongaps=False,
    )


def _line(s: np.ndarray, m: np.ndarray, name: str, line: dict[str, Any]) -> Trace:
    return dict(
        type="scatter",
        x=np.log10(s),
        y=np.log10(m),
        name=name,
        mode="lines",
        line=dict(width=2.5) | line,
        customdata=np.column_stack([s, m]),
        hovertemplate=f"{name}<br>s = %{{customdata[0]:.4g}}, m = %{{customdata[1]:.4g}}"
        "<extra></extra>",
    )


def _axis(title: str, first: float, last: float) -> dict[str, Any]:
    """An axis of logarithms with the numbers as labels: tiles keep an even width on it."""
    numbers = marks(first, last)
    return dict(
        title_text=title,
        tickvals=np.log10(numbers),
        ticktext=[f"{number:,}" for number in numbers],
        range=[np.log10(first) - 0.05, np.log10(last) + 0.05],
        **BARE,
    )
