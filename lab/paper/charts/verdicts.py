"""A square per claim, and the small chart of what a verdict rests on."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure
from lab.paper.evidence import Evidence
from lab.paper.judges.verdicts import (
    CONDITION,
    FAILS,
    HOLDS,
    PENDING,
    SIGNS,
    UNCHECKABLE,
    UNDECIDED,
)

TILE_HEIGHT = 440
WRAP = 42
_BARE = dict(showgrid=False, zeroline=False)


@dataclass(frozen=True)
class Tile:
    """One claim: its key, row and verdict, what a pointer shows, and whether it stands out."""

    key: str
    row: str
    verdict: str
    text: str
    chosen: bool = True


def _colours(mode: str) -> Mapping[str, tuple[str, str]]:
    """The fill of a verdict's square, and the ink of the sign on it."""
    colors = theme.palette(mode)
    return MappingProxyType(
        {
            HOLDS: (colors.positive, colors.background),
            CONDITION: (colors.positive_faint, colors.text),
            FAILS: (colors.negative, colors.background),
            UNDECIDED: (colors.negative_faint, colors.text),
            UNCHECKABLE: (colors.border, colors.text),
            PENDING: (colors.surface, colors.text),
        }
    )


def verdict_tiles(
    tiles: Sequence[Tile],
    rows: Sequence[str],
    verdicts: Sequence[str],
    *,
    title: str,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """A square per claim, a row per topic, a colour and sign per verdict; the unchosen are pale.

    A square's `customdata` begins with the key of its claim.
    """
    colors = theme.palette(mode)
    places: dict[str, int] = dict.fromkeys(rows, 0)
    traces = []
    for verdict in verdicts:
        x, y, data, opacity = [], [], [], []
        for tile in tiles:
            if tile.verdict == verdict:
                places[tile.row] += 1
                x.append(places[tile.row])
                y.append(tile.row)
                data.append([tile.key, _hover(tile.text)])
                opacity.append(1.0 if tile.chosen else 0.25)
        if x:
            fill, ink = _colours(mode)[verdict]
            square = dict(symbol="square", size=22, color=fill)
            square["line"] = dict(color=colors.muted, width=1)
            # The legend would wear the first square's paleness, so it has a point of its own.
            legend = dict(type="scatter", x=[None], y=[rows[0]], mode="markers", name=verdict)
            traces.append({**legend, "marker": square})
            traces.append(
                dict(
                    type="scatter",
                    showlegend=False,
                    x=x,
                    y=y,
                    mode="markers+text",
                    name=verdict,
                    text=[SIGNS[verdict]] * len(x),
                    textfont=dict(color=ink, size=13),
                    marker={**square, "opacity": opacity},
                    # A click must not make the others pale.
                    unselected=dict(marker=dict(opacity=1.0)),
                    customdata=data,
                    hovertemplate="%{customdata[1]}<extra></extra>",
                )
            )
    most = max(places.values(), default=1)
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=TILE_HEIGHT,
        xaxis=dict(visible=False, range=[0.4, max(most, 12) + 0.6], fixedrange=True),
        yaxis=dict(
            categoryorder="array",
            categoryarray=list(reversed(rows)),
            range=[-0.6, len(rows) - 0.4],
            fixedrange=True,
            **_BARE,
        ),
        legend={**LEGEND_BELOW, "font_color": colors.text, "itemclick": False},
        clickmode="event+select",
        dragmode=False,
    )


def evidence_dots(evidence: Evidence, *, title: str, mode: str, wrap: int = 36) -> go.Figure:
    """A mark per number with its interval, and the line that decides."""
    colors = theme.palette(mode)
    labels = [_wrapped(bar.label) for bar in evidence.bars]
    traces = []
    for own, fill in ((True, colors.accent), (False, colors.muted)):
        shown = [
            (label, bar)
            for label, bar in zip(labels, evidence.bars, strict=True)
            if bar.own is own and math.isfinite(bar.value)
        ]
        if not shown:
            continue
        bars = [bar for _, bar in shown]
        traces.append(
            dict(
                type="scatter",
                showlegend=False,
                x=[bar.value for bar in bars],
                y=[label for label, _ in shown],
                mode="markers",
                marker=dict(color=fill, size=10, symbol="diamond" if own else "circle"),
                error_x=dict(
                    type="data",
                    symmetric=False,
                    array=[_reach(bar.high - bar.value) for bar in bars],
                    arrayminus=[_reach(bar.value - bar.low) for bar in bars],
                    color=fill,
                    width=0,
                ),
                hovertemplate="%{y}: %{x:.4g}<extra></extra>",
            )
        )
    axis = dict(
        title_text=_wrapped(evidence.axis, 42),
        showgrid=True,
        gridcolor=colors.border,
        zeroline=False,
    )
    if evidence.log:
        axis |= dict(type="log", exponentformat="power")
    layout = {}
    if evidence.line is not None:
        at = math.log10(evidence.line) if evidence.log else evidence.line
        layout["shapes"] = [
            dict(
                type="line",
                xref="x",
                yref="paper",
                x0=evidence.line,
                x1=evidence.line,
                y0=0,
                y1=1,
                line=dict(color=colors.theory, width=1.5, dash="dot"),
            )
        ]
        layout["annotations"] = [
            dict(
                x=at,
                y=1,
                yref="paper",
                yanchor="bottom",
                text=html.escape(evidence.line_label, quote=False),
                showarrow=False,
                font=dict(color=colors.muted, size=12),
            )
        ]
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=150 + 26 * max(len(labels), 2),
        xaxis=axis,
        yaxis=dict(
            categoryorder="array",
            categoryarray=list(reversed(labels)),
            range=[-0.6, len(labels) - 0.4],
            type="category",
            **_BARE,
        ),
        **layout,
    )


def _reach(length: float) -> float:
    return length if math.isfinite(length) and length > 0.0 else 0.0


def _wrapped(text: str, width: int = 30) -> str:
    """A label that leaves room for the marks on a phone."""
    return "<br>".join(textwrap.wrap(html.escape(text, quote=False), width))


def _hover(text: str) -> str:
    """Wrapped, and inert: plotly reads angle brackets as markup."""
    return "<br>".join(textwrap.wrap(html.escape(text, quote=False), 60))
