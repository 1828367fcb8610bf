"""Weights over the strength, a marker to be dragged along it: the largest few, some of them named.

Names arrive as they are for the live figure, which writes them as text, and escaped for the still.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.drawing import live, theme
from lab.drawing.frame import framed_figure
from lab.own_table.charts.rows import line_down
from lab.words import short

MOST_LINES, MOST_NAMES = 12, 5
LONGEST_NAME = 16  # in the live figure, on a phone too
HEIGHT = 380


def live_strengths(
    strengths: np.ndarray,
    coefs: np.ndarray,
    name_of: Callable[[int], str],
    *,
    texts: Sequence[str],
    symbol: str,
    in_use: float,
    titles: Sequence[str],
    alts: Sequence[str],
) -> live.Figure:
    """`strengths` rise, with a text, a title and an alternative text each."""
    shown, named = _shown(coefs)
    curves = [
        live.Curve(
            short(name_of(j), LONGEST_NAME) if j in named else "",
            coefs[:, j],
            "positive" if _is_positive(coefs[:, j]) else "negative",
            dash=_dash(place),
            thick=place < 3,
            tip=name_of(j),
        )
        for place, j in enumerate(shown)
    ]
    low, high = float(coefs.min()), float(coefs.max())
    room = 0.05 * ((high - low) or 1.0)
    # The live figure keeps room for names by itself.
    left, right = float(strengths[0]), _ends(strengths)[1]
    ticks = tuple((float(value), f"{value:g}") for value in strengths[::2])
    guides = [live.Guide(in_use, "in use")] if left <= in_use <= right else []
    return live.lines(
        curves,
        live.Steps(
            f"Look at {symbol}", tuple(texts), tuple(f"{symbol} = {text}" for text in texts)
        ),
        xs=strengths,
        marker=strengths,
        x=live.Axis(_axis(symbol), left, right, True, ticks),
        y=live.Axis("weight", low - room, high + room),
        titles=titles,
        alts=alts,
        names_at="start",
        guides=guides,
        height=HEIGHT,
    )


def still_strengths(
    strengths: np.ndarray,
    coefs: np.ndarray,
    name_of: Callable[[int], str],
    *,
    symbol: str,
    at: float,
    in_use: float,
    title: str,
    mode: str,
) -> go.Figure:
    """The same lines as a picture: solid where one looks, dotted at the strength in use."""
    colors = theme.palette(mode)
    shown, named = _shown(coefs)
    traces = [
        go.Scatter(
            x=strengths,
            y=coefs[:, j],
            mode="lines",
            name=name_of(j),
            line=dict(
                color=colors.positive if _is_positive(coefs[:, j]) else colors.negative,
                width=2.5 if place < 3 else 1.2,
                dash=_dash(place),
            ),
            hovertemplate=f"{name_of(j)}<br>{symbol} = %{{x:.3g}}<br>weight %{{y:.4g}}"
            "<extra></extra>",
        )
        for place, j in enumerate(shown)
    ]
    traces.append(_names_at_left(strengths, coefs, named, name_of, colors))
    ticks = dict(tickvals=strengths[::2], ticktext=[f"{value:g}" for value in strengths[::2]])
    span = np.log10(_ends(strengths)).tolist()
    return framed_figure(
        traces,
        title,
        mode,
        wrap=36,
        xaxis=dict(title_text=_axis(symbol), type="log", showgrid=False, range=span, **ticks),
        yaxis=dict(title_text="weight", zeroline=True),
        showlegend=False,
        shapes=[
            line_down(in_use, dict(color=colors.theory, width=1.5, dash="dot")),
            line_down(at, dict(color=colors.accent, width=1.5)),
        ],
    )


def _names_at_left(strengths, coefs, named: list[int], name_of, colors) -> go.Scatter:
    return go.Scatter(
        x=np.full(len(named), strengths[0]),
        y=coefs[0, named],
        mode="text",
        text=[name_of(j) for j in named],
        textposition="middle left",
        textfont=dict(color=colors.text, size=11),
        hoverinfo="skip",
    )


def _shown(coefs: np.ndarray) -> tuple[list[int], list[int]]:
    """The largest few, and those of them whose left ends leave room for a name each."""
    size = np.abs(coefs).max(axis=0)
    order = np.argsort(-size, kind="stable")[:MOST_LINES]
    shown = order[size[order] > 0.0].tolist()
    least, named = 0.07 * (np.ptp(coefs) or 1.0), []
    for j in shown:
        if all(abs(coefs[0, j] - coefs[0, other]) >= least for other in named):
            named.append(j)
    return shown, named[:MOST_NAMES]


def _is_positive(weights: np.ndarray) -> bool:
    return bool(weights[np.argmax(np.abs(weights))] >= 0.0)


def _dash(place: int) -> str:
    return ("solid", "dash", "dot")[place % 3]


def _axis(symbol: str) -> str:
    return f"{symbol}, stronger to the right"


def _ends(strengths: np.ndarray) -> tuple[float, float]:
    """The axis: half as much again as the path is room for the names at the left ends."""
    room = 0.5 * np.ptp(np.log10(strengths)) or 2.0
    return float(strengths[0] / 10.0**room), float(strengths[-1] * 10.0**0.05)
