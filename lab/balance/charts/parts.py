"""What the still figures share: lines, markers, axes. Traces are plain dicts, for speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.drawing import theme

HEIGHT = 420
# Characters in a line of a title. Where it must fit a phone, it stands above the figure instead.
WRAP = 80
BARE = dict(showgrid=False, zeroline=False)
_ONE_TWO_FIVE = np.array([a * 10**k for k in range(7) for a in (1, 2, 5)])

Trace = dict[str, Any]


def line(x, y, name: str, color: str, width: float, dash: str, symbol: str) -> Trace:
    return dict(
        type="scatter",
        x=x,
        y=y,
        name=name,
        mode="lines",
        line=dict(color=color, width=width, dash=dash),
        hovertemplate=f"{name}<br>{symbol} = %{{x}}, P = %{{y:.4g}}<extra></extra>",
    )


def upright(x: float, name: str, color: str) -> Trace:
    return dict(
        type="scatter",
        x=np.array([x, x], dtype=float),
        y=np.array([0.0, 1.0]),
        name=name,
        mode="lines",
        line=dict(color=color, width=1.5, dash="dash"),
        hoverinfo="name",
    )


def chosen(x: float, y: float, name: str, colors: theme.Palette) -> Trace:
    return dict(
        type="scatter",
        x=np.array([x], dtype=float),
        y=np.array([y], dtype=float),
        name=name,
        mode="markers",
        marker=ring(colors),
        hovertemplate=f"{name}<br>P = %{{y:.6g}}<extra></extra>",
    )


def ring(colors: theme.Palette) -> dict[str, Any]:
    return dict(
        color=colors.background, size=13, line=dict(color=colors.text, width=3), symbol="circle"
    )


def level(y: float, color: str) -> dict[str, Any]:
    stroke = dict(color=color, width=1, dash="dash")
    return dict(type="line", xref="paper", x0=0, x1=1, y0=y, y1=y, line=stroke, layer="below")


def log_axis(title: str, first: float, last: float) -> dict[str, Any]:
    numbers = marks(first, last)
    if last > 5000:
        numbers = powers_of_ten(first, last)
    return dict(
        title_text=title,
        type="log",
        range=[np.log10(first) - 0.04, np.log10(last) + (0.2 if last > 5000 else 0.06)],
        tickvals=numbers,
        ticktext=[f"{number:,}" for number in numbers],
        **BARE,
    )


def probability_axis(top: float) -> dict[str, Any]:
    return dict(
        title_text="P(balanced)",
        range=[-0.03, top],
        tickvals=[0, 0.25, 0.5, 0.75, 1],
        zeroline=False,
    )


def powers_of_ten(first: float, last: float) -> np.ndarray:
    numbers = marks(first, last)
    return numbers[np.isin(numbers, 10 ** np.arange(7))]


def marks(first: float, last: float) -> np.ndarray:
    """1, 2, 5, 10, 20, … from first to last."""
    return _ONE_TWO_FIVE[(first <= _ONE_TWO_FIVE) & (last >= _ONE_TWO_FIVE)]
