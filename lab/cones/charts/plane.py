"""The cone of one weight in the plane: a point, its projection, and what is left over."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure

PLANE_HEIGHT = 430
PLANE_ROOM = (72, 58)  # pixels at the left and below that the names and numbers of its axes need

# What the plane shows at least, from its floor up to EDGE, so that it holds every point (|a| ≤ 3,
# |b| ≤ 2), its projection (0 ≤ y ≤ 3, |x| ≤ 3) and, where that is drawn, its polar part, which is
# (b − |a|)/(1 + ζ) high. A wide or a tall picture shows more of it at the same scale.
EDGE, FLOOR, POLAR_FLOOR = 3.1, -2.3, -4.7
BEYOND = 40.0  # the cones go on for ever; this is past any picture's border


def floor(decomposed: bool) -> float:
    """How far down the plane is shown."""
    return POLAR_FLOOR if decomposed else FLOOR


def plane(
    point: tuple[float, float],
    projection: tuple[float, float],
    zeta: float,
    *,
    title: str,
    mode: str,
    stretched: bool = False,
    decomposed: bool = False,
    wrap: int = 46,
    height: int = PLANE_HEIGHT,
) -> go.Figure:
    """The cone |x| ≤ y and its polar |x| ≤ −ζy, a point, and its nearest point of the cone.

    The ellipse around the point holds what is equally far in the ζ metric; `stretched` draws √ζ·y
    instead of y, so that it is a circle and right angles look right. `decomposed` draws the point
    as the sum of its two projections.
    """
    colors = theme.palette(mode)
    up = math.sqrt(zeta) if stretched else 1.0
    parts = _decomposition if decomposed else _way
    level = "top" if decomposed else "middle"
    traces = [
        _wedge(1.0, up, colors.positive_faint, "cone: |x| ≤ y"),
        _wedge(-zeta, up, colors.negative_faint, "polar cone: |x| ≤ −ζy"),
        *parts(point, projection, zeta, up, colors),
        _mark(projection, up, "projection", level, colors.accent, "circle", colors),
        _mark(point, up, "point", "middle", colors.text, "square", colors),
    ]
    axis = dict(showgrid=False, zeroline=True, zerolinecolor=colors.border, constrain="range")
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        room=PLANE_ROOM,
        xaxis=dict(title_text="x, the weight", range=[-EDGE, EDGE], **axis),
        yaxis=dict(
            title_text="√ζ · y" if stretched else "y, the height",
            range=[floor(decomposed) * up, EDGE * up],
            scaleanchor="x",
            **axis,
        ),
        annotations=[
            dict(x=0, y=up * y, text=text, showarrow=False, font_color=colors.text)
            for text, y in (("cone", 2.0), ("polar cone", -2.0))
        ],
        showlegend=False,
    )


def _way(point, projection, zeta: float, up: float, colors: theme.Palette) -> list[dict]:
    """From the point to its projection, and all that is as far."""
    rest = (point[0] - projection[0], point[1] - projection[1])
    return [
        _equally_far(point, rest, zeta, up, colors),
        _line(projection, point, up, _rest_line(colors)),
    ]


def _decomposition(point, projection, zeta: float, up: float, colors: theme.Palette) -> list[dict]:
    """The point as the sum of its projections onto the cone and onto its polar."""
    rest = (point[0] - projection[0], point[1] - projection[1])
    kept_line, rest_line = dict(color=colors.accent, width=3), _rest_line(colors)
    origin = (0.0, 0.0)
    return [
        _line(origin, projection, up, kept_line),
        _line(rest, point, up, kept_line),
        _line(origin, rest, up, rest_line),
        _line(projection, point, up, rest_line),
        _mark(rest, up, "polar part", "bottom", colors.negative, "diamond", colors),
    ]


def _rest_line(colors: theme.Palette) -> dict:
    return dict(color=colors.negative, width=3, dash="dash")


def _wedge(slope: float, up: float, color: str, name: str) -> dict:
    """{|x| ≤ slope·y}, pointing up if the slope is positive; all of it that a picture can show."""
    y = math.copysign(BEYOND, slope)
    x = abs(slope) * BEYOND
    return dict(
        type="scatter",
        x=np.array([0.0, x, -x, 0.0]),
        y=up * np.array([0.0, y, y, 0.0]),
        fill="toself",
        fillcolor=color,
        mode="lines",
        line=dict(color=color, width=1),
        name=name,
        hoverinfo="skip",
    )


def _line(start, end, up: float, line: dict) -> dict:
    return dict(
        type="scatter",
        x=np.array([start[0], end[0]], dtype=float),
        y=up * np.array([start[1], end[1]], dtype=float),
        mode="lines",
        line=line,
        hoverinfo="skip",
    )


def _equally_far(point, rest, zeta: float, up: float, colors: theme.Palette) -> dict:
    """All that is as far from the point as its projection, in the ζ metric."""
    radius = math.hypot(rest[0], math.sqrt(zeta) * rest[1])
    turn = np.linspace(0.0, 2.0 * np.pi, 121)
    return dict(
        type="scatter",
        x=point[0] + radius * np.cos(turn),
        y=up * (point[1] + radius / math.sqrt(zeta) * np.sin(turn)),
        mode="lines",
        line=dict(color=colors.theory, width=1.5, dash="dot"),
        hoverinfo="skip",
    )


def _mark(place, up: float, name: str, level: str, color: str, symbol: str, colors) -> dict:
    """A marked and named place; its name stands away from the middle of the picture."""
    x, y = place
    side = "right" if x >= 0 else "left"
    return dict(
        type="scatter",
        x=np.array([x], dtype=float),
        y=np.array([up * y], dtype=float),
        mode="markers+text",
        marker=dict(
            size=12, color=color, symbol=symbol, line=dict(color=colors.background, width=1)
        ),
        text=[f" {name} "],
        textposition=f"{level} {side}",
        textfont=dict(color=colors.text, size=14),
        name=name,
        customdata=np.array([y], dtype=float),
        hovertemplate=f"{name}<br>(%{{x:.3g}}; %{{customdata:.3g}})<extra></extra>",
    )
