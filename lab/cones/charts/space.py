"""The cone over the plane of two weights, in space."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure

SPACE_HEIGHT = 450


def space(
    cone: str,
    point: tuple[float, float, float],
    projection: tuple[float, float, float],
    zeta: float,
    *,
    title: str,
    mode: str,
    polar: bool = False,
    turn: float = 0.0,
    wrap: int = 46,
    height: int = SPACE_HEIGHT,
) -> go.Figure:
    """The cone over the plane of two weights, a point, its projection and the line between them.

    `turn` is the direction, in degrees, from which the cone is seen.
    """
    colors = theme.palette(mode)
    top = 2.0
    traces = _pyramid(_corners(cone, top), top, colors.positive, 0.3)
    if polar:
        # The polar cone is as wide as it gets within the picture, whatever ζ makes of it.
        depth = min(2.0, 2.0 / zeta)
        other = "ℓ∞" if cone == "ℓ1" else "ℓ1"
        traces += _pyramid(_corners(other, zeta * depth), -depth, colors.negative, 0.25)
    x, p = np.array(projection, dtype=float), np.array(point, dtype=float)
    traces += [
        _line_in_space(np.zeros(3), x, colors.accent),
        _line_in_space(x, p, colors.negative),
        _mark_in_space(x, "projection", colors.accent, "circle", colors),
        _mark_in_space(p, "point", colors.text, "square", colors),
    ]
    angle = math.radians(turn)
    axis = dict(gridcolor=colors.border, color=colors.text, showbackground=False, nticks=5)
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        xaxis=dict(visible=False),
        yaxis=dict(visible=False),
        showlegend=False,
        scene=dict(
            xaxis=dict(title_text="x₁", range=[-3.1, 3.1], **axis),
            yaxis=dict(title_text="x₂", range=[-3.1, 3.1], **axis),
            zaxis=dict(title_text="y", range=[-2.1, 2.1], **axis),
            # Alike on all three axes, so that the cones have their true shape.
            aspectmode="manual",
            aspectratio=dict(x=1.24, y=1.24, z=0.84),
            dragmode="turntable",
            camera=dict(
                eye=dict(x=1.95 * math.sin(angle), y=-1.95 * math.cos(angle), z=0.55),
                center=dict(x=0, y=0, z=-0.12),
            ),
        ),
    )


@cache
def _corners(cone: str, size: float) -> np.ndarray:
    """The corners of the norm's ball of this size, going round."""
    if cone == "ℓ1":
        return size * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], dtype=float)
    return size * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], dtype=float)


def _pyramid(corners: np.ndarray, height: float, color: str, opacity: float) -> list[dict]:
    """The faces from the origin to a square at a height, and their edges."""
    x, y = np.append(corners, [[0.0, 0.0]], axis=0).T
    z = np.array([height] * 4 + [0.0])
    around = np.arange(4)
    route = [0, 1, 2, 3, 0, 4, 1, 2, 4, 3]
    return [
        dict(
            type="mesh3d",
            x=x,
            y=y,
            z=z,
            i=around,
            j=(around + 1) % 4,
            k=np.full(4, 4),
            color=color,
            opacity=opacity,
            flatshading=True,
            hoverinfo="skip",
        ),
        dict(
            type="scatter3d",
            x=x[route],
            y=y[route],
            z=z[route],
            mode="lines",
            line=dict(color=color, width=2),
            hoverinfo="skip",
        ),
    ]


def _line_in_space(start: np.ndarray, end: np.ndarray, color: str) -> dict:
    x, y, z = np.stack([start, end]).T
    return dict(
        type="scatter3d",
        x=x,
        y=y,
        z=z,
        mode="lines",
        line=dict(color=color, width=8),
        hoverinfo="skip",
    )


def _mark_in_space(place: np.ndarray, name: str, color: str, symbol: str, colors) -> dict:
    x, y, z = place[:, None]
    return dict(
        type="scatter3d",
        x=x,
        y=y,
        z=z,
        mode="markers+text",
        name=name,
        text=[name],
        textposition="top center",
        textfont=dict(color=colors.text, size=14),
        marker=dict(size=6, color=color, symbol=symbol),
        hovertemplate=f"{name}<br>(%{{x:.3g}}, %{{y:.3g}}; %{{z:.3g}})<extra></extra>",
    )
