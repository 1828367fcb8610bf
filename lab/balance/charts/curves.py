"""P(balanced) against the number of groups: live, with its marker on the curve, and still."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.balance import law, words
from lab.balance.charts.parts import (
    HEIGHT,
    WRAP,
    Trace,
    chosen,
    level,
    line,
    log_axis,
    probability_axis,
    upright,
)
from lab.balance.law import Balance, Bounds, Setting
from lab.drawing import live, theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure

LABEL = "Number of groups m"
STYLES = {
    "union": ("theory", "dash"),
    "closed": ("theory", "dot"),
    "theorem": ("pcp", "solid"),
}
P_AXIS = live.Axis("P(balanced)", 0, 1.02, ticks=((0, "0"), (0.5, "0.5"), (1, "1")))
TICKS = tuple(
    (number, f"{number:,}") for number in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
)


def live_curve(at: Setting, found: Balance) -> live.Figure:
    """The exact curve, the wanted level, the largest m and the paper's."""
    texts = [(m, p) for m, p in found.by_m.items()]
    return _live(
        [live.Curve("exact", found.exact, "accent", thick=True, dots=False)],
        found,
        guides=[
            live.Guide(at.target, f"wanted: {words.wanted(at)}", level=True),
            live.Guide(found.largest, f"largest m: {found.largest:,}", "accent"),
            live.Guide(at.paper, f"the paper's {words.rule_text(at.c)} = {at.paper:,}", "pcp"),
        ],
        titles=[words.curve_title(at, m, p) for m, p in texts],
        alts=[words.curve_alt(at, m, p, found) for m, p in texts],
    )


def live_bounds(at: Setting, found: Balance, proven: Bounds) -> live.Figure:
    """The exact curve and the lower bounds on it, each as far as it says something."""
    told = [(m, p, proven.at(m)) for m, p in found.by_m.items()]
    bounds = []
    for name, (color, dash) in STYLES.items():
        values = law.drawn(getattr(proven, name))
        if np.isfinite(values).any():
            bounds.append(live.Curve(words.NAMES[name], values, color, dash=dash, inside=True))
    return _live(
        [live.Curve("exact", found.exact, "accent", thick=True, dots=False), *bounds],
        found,
        guides=[],
        titles=[words.bounds_title(at, *each) for each in told],
        alts=[words.bounds_alt(at, *each) for each in told],
    )


def _live(curves: list[live.Curve], found: Balance, **content) -> live.Figure:
    texts = tuple(str(m) for m in found.m.tolist())
    last = int(found.m[-1])
    return live.lines(
        curves,
        live.Steps(LABEL, texts, tuple(f"m = {m:,}" for m in found.m.tolist())),
        xs=found.m,
        marker=found.m,
        x=live.Axis(
            "number of groups m, up to s",
            1,
            last,
            log=True,
            ticks=tuple(tick for tick in TICKS if tick[0] <= last),
        ),
        y=P_AXIS,
        handle=0,
        height=HEIGHT,
        phone_height=320,
        **content,
    )


def still_curve(at: Setting, n_groups: int, found: Balance, mode: str) -> go.Figure:
    colors = theme.palette(mode)
    paper = f"the paper's {words.rule_text(at.c)} = {at.paper:,}"
    marked = [
        upright(found.largest, f"largest m: {found.largest:,}", colors.accent),
        upright(at.paper, paper, colors.methods["pcp"]),
    ]
    title = words.curve_title(at, n_groups, found.by_m[n_groups])
    return _still(n_groups, found, marked, title, mode, shapes=[level(at.target, colors.muted)])


def still_bounds(
    at: Setting, n_groups: int, found: Balance, proven: Bounds, mode: str
) -> go.Figure:
    colors = theme.palette(mode)
    lines = [
        line(
            found.m,
            law.drawn(getattr(proven, name)),
            words.NAMES[name],
            colors.methods["pcp"] if color == "pcp" else colors.theory,
            2,
            dash,
            "m",
        )
        for name, (color, dash) in STYLES.items()
    ]
    title = words.bounds_title(at, n_groups, found.by_m[n_groups], proven.at(n_groups))
    return _still(n_groups, found, lines, title, mode)


def _still(
    n_groups: int, found: Balance, others: list[Trace], title: str, mode: str, **layout
) -> go.Figure:
    colors = theme.palette(mode)
    return framed_figure(
        [
            line(found.m, found.exact, "exact", colors.accent, 3.5, "solid", "m"),
            *others,
            chosen(n_groups, found.by_m[n_groups], f"m = {n_groups:,}", colors),
        ],
        title,
        mode,
        xaxis=log_axis("number of groups m", 1, max(int(found.m[-1]), 2)),
        yaxis=probability_axis(1.05),
        legend=LEGEND_BELOW,
        wrap=WRAP,
        height=HEIGHT,
        **layout,
    )
