"""P(balanced) against the number of features: live, with its marker on the curve, and still."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.balance import words
from lab.balance.charts.curves import P_AXIS, STYLES
from lab.balance.charts.parts import (
    HEIGHT,
    WRAP,
    chosen,
    line,
    log_axis,
    powers_of_ten,
    probability_axis,
    upright,
)
from lab.balance.law import Setting
from lab.balance.over_n import OverN
from lab.drawing import live, theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure

LABEL = "If there were n features"


def live_sizes(at: Setting, n_groups: int, here: float, found: OverN) -> live.Figure:
    """The exact law and the bounds that say something over n, and the n on show beside another.

    `here` is P(balanced) at the n on show.
    """
    sizes = list(found.by_n)
    told = [(at, n_groups, here, n, p) for n, p in found.by_n.items()]
    bounds = [
        live.Curve(words.NAMES[name], values, STYLES[name][0], dash=STYLES[name][1])
        for name, values in found.lines().items()
        if np.isfinite(values).any()
    ]
    return live.lines(
        [live.Curve("exact", found.exact, "accent", thick=True, dots=False), *bounds],
        live.Steps(LABEL, tuple(map(str, sizes)), tuple(f"n = {n:,}" for n in sizes)),
        xs=found.n,
        marker=found.n,
        x=live.Axis(
            "number of features n, from s",
            sizes[0],
            sizes[-1],
            log=True,
            ticks=tuple((n, f"{n:,}") for n in powers_of_ten(sizes[0], sizes[-1]).tolist()),
        ),
        y=P_AXIS,
        guides=[live.Guide(at.n, f"on show: n = {at.n:,}")],
        handle=0,
        titles=[words.over_n_title(*each) for each in told],
        alts=[words.over_n_alt(*each, found) for each in told],
        height=HEIGHT,
        phone_height=320,
    )


def still_sizes(
    at: Setting, n_groups: int, here: float, found: OverN, instead: int, mode: str
) -> go.Figure:
    """One n beside the n on show; a bound that says nothing stands in the legend only."""
    colors = theme.palette(mode)
    lines = []
    for name, values in found.lines().items():
        color = colors.methods["pcp"] if STYLES[name][0] == "pcp" else colors.theory
        says = "" if np.isfinite(values).any() else " (says nothing)"
        label = f"{words.NAMES[name]}{says}"
        lines.append(line(found.n, values, label, color, 2, STYLES[name][1], "n"))
    p = found.by_n[instead]
    return framed_figure(
        [
            line(found.n, found.exact, "exact", colors.accent, 3.5, "solid", "n"),
            *lines,
            upright(at.n, f"on show: n = {at.n:,}", colors.muted),
            chosen(instead, p, f"n = {instead:,}", colors),
        ],
        words.over_n_title(at, n_groups, here, instead, p),
        mode,
        xaxis=log_axis("number of features n", found.n[0], found.n[-1]),
        yaxis=probability_axis(1.05),
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=HEIGHT,
    )
