"""P(balanced) against the number of features."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.balance.charts.parts import HEIGHT, WRAP, chosen, line, log_axis, probability_axis
from lab.balance.over_n import OverN
from lab.drawing import theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure


def over_features(found: OverN, *, here: tuple[int, float], title: str, mode: str) -> go.Figure:
    """The exact law and the bounds; one that says nothing stands in the legend only."""
    colors = theme.palette(mode)
    same = np.ones(len(found.n))
    bounds = (
        ("union bound", found.union, colors.theory, "dash"),
        ("closed bound", found.closed * same, colors.theory, "dot"),
        ("Theorem 5", found.theorem * same, colors.methods["pcp"], "solid"),
    )
    lines = [
        line(
            found.n,
            np.where(values > 0, values, np.nan),
            name if (values > 0).any() else f"{name} (says nothing)",
            color,
            2,
            dash,
            "n",
        )
        for name, values, color, dash in bounds
    ]
    return framed_figure(
        [
            line(found.n, found.exact, "exact", colors.accent, 3.5, "solid", "n"),
            *lines,
            chosen(*here, f"n = {here[0]:,}", colors),
        ],
        title,
        mode,
        xaxis=log_axis("number of features n", min(found.n[0], here[0]), max(found.n[-1], here[0])),
        yaxis=probability_axis(1.05),
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=HEIGHT,
    )
