"""Unit balls: outlines in a plane, surfaces in space."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed, framed_figure
from lab.charts.patterns import NORM_DASHES

SECTION_HEIGHT = 380
BALL_HEIGHT = 360


def outlines(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    *,
    axes: tuple[str, str],
    title: str,
    mode: str,
    height: int = SECTION_HEIGHT,
) -> go.Figure:
    """The unit balls of several norms on one plane, each in its norm's colour and dash."""
    colors = theme.palette(mode)
    data = []
    for norm, (x, y) in curves.items():
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
    axis = dict(
        range=[-1.15, 1.15],
        tickvals=[-1, 0, 1],
        zeroline=True,
        zerolinecolor=colors.border,
        showgrid=False,
    )
    return framed_figure(
        data,
        title,
        mode,
        height=height,
        wrap=40,
        xaxis=dict(title_text=axes[0], constrain="domain", **axis),
        yaxis=dict(title_text=axes[1], scaleanchor="x", constrain="domain", **axis),
        legend=dict(orientation="h", y=-0.16, yanchor="top", x=0, font_color=colors.text),
        showlegend=True,
    )


def surface(
    points: np.ndarray,
    triangles: np.ndarray,
    *,
    norm: str,
    title: str,
    mode: str,
    height: int = BALL_HEIGHT,
) -> go.Figure:
    """A unit ball in space; drag to turn.

    Each octant is shaded by itself, so that an edge between two is seen as one.
    """
    colors = theme.palette(mode)
    corners, cells = _by_octant(np.asarray(points), np.asarray(triangles))
    x, y, z = corners.astype(np.float32).T
    i, j, k = cells.astype(np.int32).T
    figure = go.Figure(
        go.Mesh3d(
            x=x,
            y=y,
            z=z,
            i=i,
            j=j,
            k=k,
            color=colors.norms[norm],
            flatshading=False,
            lighting=dict(ambient=0.45, diffuse=0.75, specular=0.12, roughness=0.9),
            lightposition=dict(x=60, y=-120, z=200),
            hovertemplate="(%{x:.3f}, %{y:.3f}, %{z:.3f})<extra></extra>",
        )
    )
    figure.add_trace(_planes_outline(points, colors))
    axis = dict(
        range=[-1.1, 1.1],
        tickvals=[-1, 0, 1],
        showbackground=False,
        gridcolor=colors.border,
        zerolinecolor=colors.muted,
        color=colors.text,
    )
    framed(figure, title, mode, height=height, wrap=46)
    figure.update_layout(
        scene=dict(
            xaxis=dict(title=dict(text="w1"), **axis),
            yaxis=dict(title=dict(text="w2"), **axis),
            zaxis=dict(title=dict(text="w3"), **axis),
            aspectmode="cube",
            camera=dict(eye=dict(x=1.7, y=-1.55, z=1.05), center=dict(x=0, y=0, z=-0.1)),
            dragmode="orbit",
        ),
        showlegend=False,
    )
    return figure


def _by_octant(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mesh with its corners on coordinate planes repeated for every octant that meets there."""
    octants = (points[triangles].mean(axis=1) > 0.0) @ np.array([1, 2, 4])
    keys = triangles + points.shape[0] * octants[:, None]
    used, cells = np.unique(keys, return_inverse=True)
    return points[used % points.shape[0]], cells.reshape(triangles.shape)


def _planes_outline(points: np.ndarray, colors: theme.Palette) -> go.Scatter3d:
    """The ball's outlines on the three coordinate planes, where its edges can be."""
    parts = []
    for missing in range(3):
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
    )
