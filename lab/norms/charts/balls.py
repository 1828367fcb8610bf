"""Unit balls: a loss that touches them in a plane, live; surfaces in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lab.drawing import live, theme
from lab.drawing.frame import framed, framed_figure, legend_below
from lab.norms import balls, touch
from lab.norms.charts.paths import NORM_DASHES
from lab.words import listed

PLANE_HEIGHT, PHONE_HEIGHT = 450, 380
BALL_HEIGHT = 420
# How far the axes of the picture in space reach beyond the ball, which ends at 1.
AXIS = 1.3

# ℓe lies on ℓ1 or on ℓ2, and ℓ2,1 on the other: below, solid and broad, so that both are seen.
BELOW = ("le", "l21")
OPTIMUM = live.Point(
    ("Optimum, first weight", "Optimum, second weight"), touch.LOW, touch.HIGH, 0.01
)


def live_plane(grouping: str, pair: str, tilt: float) -> live.Figure:
    """Four balls, and a least-squares optimum to drag: the loss's ellipses grow to each of them."""
    names = touch.weight_names(pair)
    order = (*BELOW, *(norm for norm in balls.NORMS if norm not in BELOW))
    shapes = [
        {
            "type": "polygon",
            "points": np.round(np.stack(section, axis=1), 4).tolist(),
            "color": norm,
            "name": f"the {theme.NORM_LABELS[norm]} ball",
            "class": "filled broad" if norm in BELOW else "dashed",
        }
        for norm in order
        for section in [balls.section(norm, grouping, touch.PAIRS[pair], per_quarter=24)]
    ]
    first = touch.touches(grouping, pair, tilt, OPTIMUM.places(touch.DEFAULT_OPTIMUM))
    return live.plane(
        shapes,
        live.Point(
            tuple(f"Optimum, {name}" for name in names), touch.LOW, touch.HIGH, OPTIMUM.step
        ),
        x=live.Axis(names[0], touch.LOW[0], touch.HIGH[0]),
        y=live.Axis(names[1], touch.LOW[1], touch.HIGH[1]),
        title=touch.finding(first, pair),
        alt=plane_alt(grouping, pair),
        follows="touching",
        notes=len(balls.equal_norms(grouping, touch.PAIRS[pair])),
        grows="Watch the loss grow",
        numbers=dict(
            H=touch.hessian(tilt).tolist(),
            axes=touch.half_axes(tilt).T.tolist(),
            norms=[
                dict(
                    label=theme.NORM_LABELS[norm],
                    color=norm,
                    Q=touch.form(norm, grouping, pair).tolist(),
                )
                for norm in balls.NORMS
            ],
            names=list(names),
            intro=plane_alt(grouping, pair),
        ),
        height=PLANE_HEIGHT,
        phone_height=PHONE_HEIGHT,
    )


def plane_alt(grouping: str, pair: str) -> str:
    return (
        f"The unit balls of four norms over {listed(touch.weight_names(pair))}, groups {grouping}, "
        "and the ellipses of a quadratic loss around its optimum, which can be dragged."
    )


def still_plane(
    grouping: str,
    pair: str,
    tilt: float,
    c: Sequence[float],
    found: Mapping[str, touch.Touch],
    mode: str,
) -> go.Figure:
    """One optimum as a picture."""
    colors = theme.palette(mode)
    names = touch.weight_names(pair)
    data = []
    for norm in balls.NORMS:
        x, y = balls.section(norm, grouping, touch.PAIRS[pair])
        label = theme.NORM_LABELS[norm]
        data.append(
            go.Scatter(
                x=x,
                y=y,
                mode="lines",
                line=dict(
                    color=colors.norms[norm],
                    width=3.5 if norm == "le" else 2.2,
                    dash=NORM_DASHES[norm],
                ),
                name=label,
                hovertemplate=f"{label} = 1 at (%{{x:.3f}}, %{{y:.3f}})<extra></extra>",
            )
        )
    circle = np.linspace(0.0, 2.0 * np.pi, 121)
    turned = touch.half_axes(tilt) @ np.stack([np.cos(circle), np.sin(circle)])
    for norm, at in found.items():
        x, y = np.array(c)[:, None] + at.radius * turned
        line = dict(color=colors.norms[norm], width=1.2)
        data.append(go.Scatter(x=x, y=y, mode="lines", line=line, showlegend=False))
        dot = dict(color=colors.norms[norm], size=10)
        data.append(
            go.Scatter(x=at.w[:1], y=at.w[1:], mode="markers", marker=dot, showlegend=False)
        )
    cross = dict(color=colors.text, size=11, symbol="x")
    data.append(
        go.Scatter(x=[c[0]], y=[c[1]], mode="markers", marker=cross, name="least-squares optimum")
    )
    axis = dict(zeroline=True, zerolinecolor=colors.border, showgrid=False)
    return framed_figure(
        data,
        touch.finding(found, pair),
        mode,
        height=PLANE_HEIGHT,
        wrap=90,
        xaxis=dict(title_text=names[0], range=[touch.LOW[0], touch.HIGH[0]], **axis),
        yaxis=dict(
            title_text=names[1], range=[touch.LOW[1], touch.HIGH[1]], scaleanchor="x", **axis
        ),
        **legend_below(colors, 0.12),
    )


@dataclass(frozen=True, eq=False)
class Surface:
    """A ball's mesh, its title, and the features i at whose plane wᵢ = 0 it has an edge."""

    norm: str
    points: np.ndarray
    triangles: np.ndarray
    sharp: Sequence[int]
    title: str


def surface(ball: Surface, mode: str, height: int = BALL_HEIGHT) -> go.Figure:
    """A unit ball in space; drag to turn."""
    figure = go.Figure(_traces(ball, "scene", mode))
    framed(figure, ball.title, mode, height=height, wrap=46)
    figure.update_layout(scene=_scene(), showlegend=False, margin=dict(l=0, r=0, b=0))
    return figure


def surfaces(shown: Sequence[Surface], mode: str) -> go.Figure:
    """Four balls in one figure, two by two."""
    figure, notes = go.Figure(), []
    for k, ball in enumerate(shown):
        name = "scene" if k == 0 else f"scene{k + 1}"
        x, y = k % 2 / 2, 1 - k // 2 / 2
        figure.add_traces(_traces(ball, name, mode))
        figure.update_layout({name: _scene(dict(x=[x, x + 0.5], y=[y - 0.5, y - 0.04]))})
        notes.append(
            dict(text=ball.title, x=x, y=y, xref="paper", yref="paper", showarrow=False)
            | dict(xanchor="left", yanchor="top")
        )
    framed(figure, "Unit balls of four norms", mode, height=2 * BALL_HEIGHT)
    figure.update_layout(annotations=notes, showlegend=False)
    return figure


def _scene(domain: dict | None = None) -> dict:
    """As large as the ball: plotly's own axes need half of the room for their numbers."""
    axis = dict(range=[-AXIS, AXIS], visible=False)
    return dict(
        xaxis=axis,
        yaxis=axis,
        zaxis=axis,
        aspectmode="cube",
        camera=dict(eye=dict(x=0.93, y=1.0, z=0.62)),
        dragmode="orbit",
        **({} if domain is None else dict(domain=domain)),
    )


def _traces(ball: Surface, scene: str, mode: str) -> list:
    """The mesh, cut at its edges so that both sides are shaded by themselves, and the edges."""
    colors = theme.palette(mode)
    corners, cells = _cut(ball.points, ball.triangles, ball.sharp)
    x, y, z = corners.astype(np.float32).T
    i, j, k = cells.astype(np.int32).T
    mesh = go.Mesh3d(
        x=x,
        y=y,
        z=z,
        i=i,
        j=j,
        k=k,
        color=colors.norms[ball.norm],
        flatshading=False,
        lighting=dict(ambient=0.45, diffuse=0.75, specular=0.12, roughness=0.9),
        lightposition=dict(x=60, y=-120, z=200),
        hovertemplate="(%{x:.3f}, %{y:.3f}, %{z:.3f})<extra></extra>",
        scene=scene,
    )
    edges = [_edges(ball.points, ball.sharp, colors, scene)] if ball.sharp else []
    return [mesh, *edges, _axes(colors, scene)]


def _axes(colors: theme.Palette, scene: str) -> go.Scatter3d:
    """Three lines through the origin, each with its name at the positive end."""
    ends = [line for axis in AXIS * np.eye(3) for line in (-axis, axis, np.full(3, np.nan))]
    x, y, z = np.array(ends).T
    return go.Scatter3d(
        x=x,
        y=y,
        z=z,
        mode="lines+text",
        text=[name for k in (1, 2, 3) for name in ("", balls.weight_name(k - 1), "")],
        textfont=dict(color=colors.text, size=14),
        line=dict(color=colors.muted, width=2),
        hoverinfo="skip",
        scene=scene,
    )


def _cut(points: np.ndarray, triangles: np.ndarray, sharp) -> tuple[np.ndarray, np.ndarray]:
    """The mesh with its corners on sharp planes repeated for each side that meets there."""
    sides = (points[triangles].mean(axis=1) > 0.0)[:, list(sharp)] @ (2 ** np.arange(len(sharp)))
    keys = triangles + points.shape[0] * sides[:, None].astype(int)
    used, cells = np.unique(keys, return_inverse=True)
    return points[used % points.shape[0]], cells.reshape(triangles.shape)


def _edges(points: np.ndarray, sharp, colors: theme.Palette, scene: str) -> go.Scatter3d:
    """The ball's outline on every plane where it has an edge."""
    parts = []
    for missing in sharp:
        on = points[points[:, missing] == 0.0]
        a, b = (axis for axis in range(3) if axis != missing)
        ring = on[np.argsort(np.arctan2(on[:, b], on[:, a]))]
        parts += [ring, ring[:1], np.full((1, 3), np.nan)]
    # A hair outside the surface, or the mesh would swallow half of the line.
    x, y, z = (1.0004 * np.vstack(parts)).T
    return go.Scatter3d(
        x=x,
        y=y,
        z=z,
        mode="lines",
        line=dict(color=colors.text, width=2.5),
        hoverinfo="skip",
        scene=scene,
    )
