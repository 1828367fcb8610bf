"""Pictures of a cone, a point, its projection, and what is left over."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed_figure

PLANE_HEIGHT = 430
SPACE_HEIGHT = 450
BARS_HEIGHT = 360
PLANE_ROOM = (72, 58)  # pixels at the left and below that the names and numbers of its axes need

# What the plane shows at least; a wide or a tall picture shows more of it at the same scale.
PLANE_X, PLANE_Y = 3.1, 2.3
BEYOND = 40.0  # the cones go on for ever; this is past any picture's border

CLICK_STEP = 0.25
CLICK_X = np.arange(-3.0, 3.0 + CLICK_STEP / 2, CLICK_STEP)
CLICK_Y = np.arange(-2.0, 2.0 + CLICK_STEP / 2, CLICK_STEP)


def clicked_point(index: int) -> tuple[float, float]:
    """(a, b) of the place on the plane with this number in the clickable trace."""
    row, column = divmod(index, CLICK_X.size)
    return float(CLICK_X[column]), float(CLICK_Y[row])


def plane(
    point: tuple[float, float],
    projection: tuple[float, float],
    zeta: float,
    *,
    title: str,
    mode: str,
    stretched: bool = False,
    decomposed: bool = False,
    clickable: bool = False,
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
    rest = (point[0] - projection[0], point[1] - projection[1])
    kept_line = dict(color=colors.accent, width=3)
    rest_line = dict(color=colors.negative, width=3, dash="dash")
    origin = (0.0, 0.0)
    traces = [
        _wedge(1.0, up, colors.positive_faint, "cone: |x| ≤ y"),
        _wedge(-zeta, up, colors.negative_faint, "polar cone: |x| ≤ −ζy"),
    ]
    if decomposed:
        traces += [
            _line(origin, projection, up, kept_line),
            _line(rest, point, up, kept_line),
            _line(origin, rest, up, rest_line),
            _line(projection, point, up, rest_line),
            _mark(rest, up, "polar part", "bottom", colors.negative, "diamond", colors),
        ]
    else:
        traces += [
            _equally_far(point, rest, zeta, up, colors),
            _line(projection, point, up, rest_line),
        ]
    traces += [
        _mark(
            projection,
            up,
            "projection",
            "top" if decomposed else "middle",
            colors.accent,
            "circle",
            colors,
        ),
        _mark(point, up, "point", "middle", colors.text, "square", colors),
    ]
    if clickable:
        traces.append(_places(up))
    axis = dict(showgrid=False, zeroline=True, zerolinecolor=colors.border, constrain="range")
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        room=PLANE_ROOM,
        xaxis=dict(title_text="x, the weight", range=[-PLANE_X, PLANE_X], **axis),
        yaxis=dict(
            title_text="√ζ · y" if stretched else "y, the height",
            range=[-PLANE_Y * up, PLANE_Y * up],
            scaleanchor="x",
            **axis,
        ),
        annotations=[
            dict(x=0, y=up * y, text=text, showarrow=False, font_color=colors.text)
            for text, y in (("cone", 2.0), ("polar cone", -2.0))
        ],
        showlegend=False,
        clickmode="event+select" if clickable else "event",
    )


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


def entries(
    a: np.ndarray,
    x: np.ndarray,
    printed: np.ndarray | None,
    level: float,
    *,
    level_name: str,
    title: str,
    mode: str,
    wrap: int = 46,
    height: int = BARS_HEIGHT,
) -> go.Figure:
    """Each entry before and after the projection, and the level that decides; as printed beside.

    `printed` is None where the printed algorithm agrees.
    """
    colors = theme.palette(mode)
    place = np.arange(1, a.size + 1)
    traces = [
        dict(
            type="bar",
            x=place,
            y=a,
            name="a, before",
            marker=dict(color=colors.surface, line=dict(color=colors.muted, width=1.5)),
            width=0.7,
            hovertemplate="entry %{x}<br>a = %{y:.4g}<extra></extra>",
        ),
        dict(
            type="bar",
            x=place,
            y=x,
            name="x, projected",
            marker=dict(color=colors.accent),
            width=0.4,
            hovertemplate="entry %{x}<br>x = %{y:.4g}<extra></extra>",
        ),
    ]
    if printed is not None:
        traces.append(
            dict(
                type="scatter",
                x=place,
                y=printed,
                name="x, as printed",
                mode="markers",
                marker=dict(symbol="x-thin", size=13, line=dict(color=colors.negative, width=3)),
                hovertemplate="entry %{x}<br>as printed x = %{y:.4g}<extra></extra>",
            )
        )
    span = max(float(np.abs(a).max()), float(np.abs(x).max()))
    in_sight = 0.0 < level <= 1.25 * span
    levels = [level, -level] if in_sight else []
    line = dict(color=colors.theory, width=1.5, dash="dot")
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        xaxis=_entry_axis("entry of the group", place),
        yaxis=dict(title_text="weight", zeroline=True, zerolinecolor=colors.border),
        shapes=[dict(type="line", xref="paper", x0=0, x1=1, y0=y, y1=y, line=line) for y in levels],
        annotations=[
            dict(
                x=1,
                xref="paper",
                xanchor="right",
                y=y,
                yanchor="bottom",
                text=level_name,
                showarrow=False,
                font_color=colors.text,
            )
            for y in levels[:1]
        ],
        barmode="overlay",
        **_legend_below(colors),
    )


def two_proxes(
    d: np.ndarray,
    parts: tuple[np.ndarray, np.ndarray],
    *,
    title: str,
    mode: str,
    wrap: int = 46,
    height: int = BARS_HEIGHT,
) -> go.Figure:
    """Each entry of d as a stack of what the two proxes leave of it."""
    colors = theme.palette(mode)
    place = np.arange(1, d.size + 1)
    names = ("prox of ζ/2 ‖·‖∞²: cut to a level", "prox of 1/(2ζ) ‖·‖₁²: what was cut off")
    looks = ((colors.accent, ""), (colors.negative, "/"))
    traces = [
        dict(
            type="bar",
            x=place,
            y=part,
            name=name,
            marker=dict(
                color=color,
                pattern=dict(shape=shape, fillmode="overlay", fgcolor=colors.background),
            ),
            width=0.5,
            hovertemplate="entry %{x}<br>%{y:.4g}<extra></extra>",
        )
        for part, name, (color, shape) in zip(parts, names, looks, strict=True)
    ]
    traces.append(
        dict(
            type="scatter",
            x=place,
            y=d,
            mode="markers",
            name="d",
            marker=dict(symbol="line-ew", size=34, line=dict(color=colors.text, width=2)),
            hovertemplate="entry %{x}<br>d = %{y:.4g}<extra></extra>",
        )
    )
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        xaxis=_entry_axis("entry of d", place),
        yaxis=dict(title_text="value", zeroline=True, zerolinecolor=colors.border),
        barmode="relative",
        **_legend_below(colors),
    )


# -- parts of the plane ----------------------------------------------------------------------


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


def _places(up: float) -> dict:
    """Unseen places that can be clicked, in the order of `clicked_point`."""
    columns, rows = np.meshgrid(CLICK_X, CLICK_Y)
    unseen = dict(marker=dict(opacity=0))
    return dict(
        type="scatter",
        x=columns.ravel(),
        y=up * rows.ravel(),
        mode="markers",
        marker=dict(size=14, opacity=0),
        selected=unseen,
        unselected=unseen,
        hoverinfo="none",
    )


# -- parts of space --------------------------------------------------------------------------


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


# -- parts of bars ---------------------------------------------------------------------------


def _entry_axis(title: str, place: np.ndarray) -> dict:
    return dict(title_text=title, tickvals=place, range=[0.5, place.size + 0.5], showgrid=False)


def _legend_below(colors: theme.Palette) -> dict:
    return dict(
        showlegend=True,
        legend=dict(
            orientation="h", x=0, xanchor="left", y=-0.2, yanchor="top", font_color=colors.text
        ),
    )
