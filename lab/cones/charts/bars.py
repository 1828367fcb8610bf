"""A group entry by entry: before and after a projection, and as a sum of two proxes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure, legend_below

BARS_HEIGHT = 420


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
    span = max(float(np.abs(a).max()), float(np.abs(x).max()))
    in_sight = 0.0 < level <= 1.25 * span
    levels = [level, -level] if in_sight else []
    line = dict(color=colors.theory, width=1.5, dash="dot")
    name = dict(x=1, xref="paper", xanchor="right", yanchor="bottom", text=level_name)
    return framed_figure(
        _before_and_after(place, a, x, printed, colors),
        title,
        mode,
        wrap=wrap,
        height=height,
        shapes=[dict(type="line", xref="paper", x0=0, x1=1, y0=y, y1=y, line=line) for y in levels],
        annotations=[
            dict(y=y, showarrow=False, font_color=colors.text, **name) for y in levels[:1]
        ],
        barmode="overlay",
        **_entry_by_entry("weight", place, colors),
    )


def _before_and_after(
    place: np.ndarray,
    a: np.ndarray,
    x: np.ndarray,
    printed: np.ndarray | None,
    colors: theme.Palette,
) -> list[dict]:
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
    return traces


def two_proxes(
    d: np.ndarray,
    parts: tuple[np.ndarray, np.ndarray],
    *,
    title: str,
    mode: str,
    wrap: int = 46,
    height: int = BARS_HEIGHT,
) -> go.Figure:
    """Each entry of a group as a stack of what the two proxes leave of it."""
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
            name="a",
            marker=dict(symbol="line-ew", size=34, line=dict(color=colors.text, width=2)),
            hovertemplate="entry %{x}<br>a = %{y:.4g}<extra></extra>",
        )
    )
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=height,
        barmode="relative",
        **_entry_by_entry("value", place, colors),
    )


def _entry_by_entry(what: str, place: np.ndarray, colors: theme.Palette) -> dict:
    """The axes of a picture with a place for each entry, and its legend."""
    across = dict(tickvals=place, range=[0.5, place.size + 0.5], showgrid=False)
    return dict(
        xaxis=dict(title_text="entry of the group", **across),
        yaxis=dict(title_text=what, zeroline=True, zerolinecolor=colors.border),
        **legend_below(colors, 0.2),
    )
