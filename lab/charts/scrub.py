"""A figure with its own slider: every λ sent at once, so that dragging needs no server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import framed_figure
from lab.charts.grids import outlines, signed_scale

SCRUB_HEIGHT = 470
COLUMNS = 2
# Tiles between panels: across, and down, where a panel's words stand.
GUTTER, HEADROOM = 1, 2
# The smallest nonzero weight is drawn this strong, so that it can be told from 0.
FAINTEST = 0.1


@dataclass(frozen=True, eq=False)
class Panel:
    """One grid of weights, a row per group, and its words."""

    words: str
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Step:
    """What the panels show at one stop of the slider."""

    label: str
    panels: Sequence[Panel]


def scrubbed_grids(
    steps: Sequence[Step],
    support: np.ndarray,
    *,
    active: int,
    prefix: str,
    title: str,
    mode: str,
    height: int = SCRUB_HEIGHT,
) -> go.Figure:
    """Grids side by side that follow a slider inside the figure, `support` outlined in each.

    All panels are one heatmap, because each further trace or pair of axes makes a step slower.
    """
    colors = theme.palette(mode)
    shown = steps[active]
    places = _places(len(shown.panels), support.shape)
    mosaics = [_mosaic(step.panels, places) for step in steps]
    rows, columns = mosaics[0].shape
    notes = [_words(step.panels, places, colors) for step in steps]
    figure = framed_figure(
        [
            dict(
                type="heatmap",
                z=mosaics[active],
                zmin=-1,
                zmax=1,
                xgap=2,
                ygap=2,
                colorscale=signed_scale(colors, FAINTEST),
                showscale=False,
                hoverinfo="skip",
            ),
            _true_tiles(support, places, colors),
        ],
        title,
        mode,
        wrap=46,
        height=height,
        room=(8, 96),
        xaxis=dict(visible=False, range=[-0.5, columns - 0.5], fixedrange=True),
        yaxis=dict(visible=False, range=[rows - 0.5, -0.5], fixedrange=True),
        annotations=notes[active],
        sliders=[_slider([step.label for step in steps], active, prefix, colors)],
    )
    figure.frames = [
        go.Frame(
            name=step.label,
            data=[dict(type="heatmap", z=mosaic.tolist())],
            traces=[0],
            layout=dict(annotations=words),
        )
        for step, mosaic, words in zip(steps, mosaics, notes, strict=True)
    ]
    return figure


def _places(n_panels: int, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """The top left tile of each panel."""
    return [
        (HEADROOM + (k // COLUMNS) * (shape[0] + HEADROOM), (k % COLUMNS) * (shape[1] + GUTTER))
        for k in range(n_panels)
    ]


def _mosaic(panels: Sequence[Panel], places) -> np.ndarray:
    """All panels in one matrix of strengths in [-1, 1], each by its own largest; None between."""
    height, width = panels[0].weights.shape
    mosaic = np.full(
        (max(row for row, _ in places) + height, max(column for _, column in places) + width), None
    )
    for panel, (row, column) in zip(panels, places, strict=True):
        span = float(np.abs(panel.weights).max()) or 1.0
        strength = FAINTEST + (1 - FAINTEST) * np.abs(panel.weights) / span
        mosaic[row : row + height, column : column + width] = np.round(
            np.sign(panel.weights) * strength, 3
        )
    return mosaic


def _true_tiles(support: np.ndarray, places, colors: theme.Palette) -> go.Scatter:
    """A line around every true tile of every panel."""
    rows, columns = np.nonzero(support)
    return outlines(
        np.concatenate([rows + row for row, _ in places]),
        np.concatenate([columns + column for _, column in places]),
        colors,
        width=1.3,
    )


def _words(panels: Sequence[Panel], places, colors: theme.Palette) -> list[dict]:
    """Each panel's words, above its first row."""
    return [
        dict(
            x=column - 0.5,
            y=row - 0.6,
            xanchor="left",
            yanchor="bottom",
            text=panel.words,
            showarrow=False,
            font=dict(size=12, color=colors.text),
        )
        for panel, (row, column) in zip(panels, places, strict=True)
    ]


def _slider(labels: list[str], active: int, prefix: str, colors: theme.Palette) -> dict:
    at_once = dict(
        mode="immediate", frame=dict(duration=0, redraw=True), transition=dict(duration=0)
    )
    return dict(
        active=active,
        steps=[
            dict(label=label, method="animate", args=[[label], at_once], value=label)
            for label in labels
        ],
        currentvalue=dict(prefix=prefix, font=dict(size=14, color=colors.text)),
        transition=dict(duration=0),
        pad=dict(t=14, b=8, l=8, r=8),
        font=dict(size=11, color=colors.text),
        bgcolor=colors.border,
        activebgcolor=colors.accent,
        bordercolor=colors.muted,
        tickcolor=colors.muted,
        minorticklen=0,
        ticklen=4,
    )
