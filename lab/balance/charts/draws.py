"""Draws into buckets with the histogram of all so far: live, and still."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from lab.balance import settings, words
from lab.balance.charts.parts import BARE, HEIGHT, WRAP, Trace
from lab.balance.draws import Draws, RatioLaw
from lab.drawing import live, theme
from lab.drawing.frame import framed_figure

LABEL = "Draws so far"
PLAY_MILLISECONDS = 40
RATIO = "fullest ÷ emptiest of each draw"
EMPTY = "a group without any"


def live_draws(found: Draws, law: RatioLaw, t: float, exact: str) -> live.Figure:
    draws = [int(text) for text in settings.DRAW_STEPS]
    return live.buckets(
        found.shown,
        live.Histogram(
            falls=law.falls,
            law=law.law,
            names=bin_names(law),
            ticks=_ticks(law),
            bad_from=law.bad_from,
            limit=f"balanced ≤ {words.ratio_text(t)}" if law.limit_shown else "",
            label=RATIO,
        ),
        live.Steps(LABEL, settings.DRAW_STEPS, tuple(f"{k:,}" for k in draws)),
        ratio=float(settings.largest_ratio(t)),
        label=words.draw_label(found),
        words=dict(
            fullest="fullest",
            emptiest="emptiest",
            limit=f"{words.ratio_text(t)} × emptiest",
        ),
        names=bucket_names(found),
        titles=[words.draw_title(found, t, k, exact) for k in draws],
        alts=[words.draw_alt(found, t, k, exact) for k in draws],
        height=HEIGHT,
        phone_height=300,
        play=PLAY_MILLISECONDS,
        play_label=f"{settings.DRAWS:,} draws",
        step_label="Draw again",
    )


def bucket_names(found: Draws) -> list[str]:
    if found.thinned:
        return ["a group" for _ in range(found.shown.shape[1])]
    return [f"group {j + 1}" for j in range(found.m)]


def bin_names(law: RatioLaw) -> list[str]:
    """Which ratios a bin holds; the outer ones hold all beyond."""
    places = [f"{float(edge):.4g}" for edge in law.edges]
    inner = [f"above {low} to {high}" for low, high in pairwise(places)]
    inner[0] = f"up to {places[1]}"
    inner[-1] = f"above {places[-2]}" if len(inner) > 1 else "any"
    return [*inner, EMPTY]


def _ticks(law: RatioLaw) -> list[tuple[float, str]]:
    """A few edges, and the bin of empty groups."""
    last = len(law.edges) - 1
    every = max(1, round(last / 5))
    # Counted from the limit, which is the edge that matters.
    kept = [k for k in range(last) if (k - law.bad_from) % every == 0]
    return [*((k, f"{float(law.edges[k]):.3g}") for k in kept), (last + 0.5, "∞")]


def still_draws(
    found: Draws, law: RatioLaw, t: float, draws: int, exact: str, mode: str
) -> go.Figure:
    """The last draw as bars, and the histogram with the exact law over it."""
    colors = theme.palette(mode)
    counts = found.shown[settings.DRAW_STEPS.index(str(draws))]
    limit = float(settings.largest_ratio(t)) * int(counts.min())
    over = (counts > limit) & (counts.min() > 0)
    ticks = _ticks(law)
    return framed_figure(
        [
            dict(
                type="bar",
                x=np.arange(1, len(counts) + 1),
                y=counts,
                marker=dict(color=[colors.negative if bad else colors.positive for bad in over]),
                hovertemplate="group %{x}: %{y} true<extra></extra>",
                name="true features",
            ),
            *_histogram(law, draws, colors),
        ],
        words.draw_title(found, t, draws, exact),
        mode,
        xaxis=dict(title_text=words.draw_label(found), domain=[0, 0.54], **BARE),
        yaxis=dict(title_text="true features", zeroline=False),
        xaxis2=dict(
            title_text=RATIO,
            domain=[0.64, 1],
            anchor="y2",
            tickvals=[place for place, _ in ticks],
            ticktext=[text for _, text in ticks],
            color=colors.text,
            **BARE,
        ),
        yaxis2=dict(title_text="draws", anchor="x2", color=colors.text, gridcolor=colors.border),
        shapes=_limits(found, law, limit, colors),
        showlegend=False,
        bargap=0.12,
        wrap=WRAP,
        height=HEIGHT,
    )


def _histogram(law: RatioLaw, draws: int, colors: theme.Palette) -> list[Trace]:
    """The draws so far in bins, and how many the exact law expects there."""
    centres = np.arange(len(law.law)) + 0.5
    good = np.arange(len(law.law)) < law.bad_from
    beside = dict(xaxis="x2", yaxis="y2")
    return [
        dict(
            type="bar",
            x=centres,
            y=np.bincount(law.falls[:draws], minlength=len(law.law)),
            marker=dict(color=[colors.positive if ok else colors.negative for ok in good]),
            customdata=bin_names(law),
            hovertemplate="%{customdata}: %{y} draws<extra></extra>",
            name="draws",
            **beside,
        ),
        dict(
            type="scatter",
            x=centres,
            y=law.law * draws,
            mode="lines+markers",
            line=dict(color=colors.text, width=1.8),
            name="exact law",
            **beside,
        ),
    ]


def _limits(found: Draws, law: RatioLaw, limit: float, colors: theme.Palette) -> list[dict]:
    dashed = dict(color=colors.text, width=1.5, dash="dash")
    shapes = []
    if limit > 0:
        ends = dict(x0=0.5, x1=found.shown.shape[1] + 0.5, y0=limit, y1=limit)
        shapes.append(dict(type="line", line=dashed, **ends))
    if law.limit_shown:
        at = law.bad_from
        ends = dict(xref="x2", yref="y2 domain", x0=at, x1=at, y0=0, y1=1)
        shapes.append(dict(type="line", line=dashed, **ends))
    return shapes
