"""A square per claim, and the small chart of what a verdict rests on."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import LEGEND_BELOW, framed_figure
from lab.paper.evidence import Bar, Evidence
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
    # In a row the squares of one verdict stand together.
    places: dict[str, int] = dict.fromkeys(rows, 0)
    traces = []
    for verdict in verdicts:
        own = [tile for tile in tiles if tile.verdict == verdict]
        x = []
        for tile in own:
            places[tile.row] += 1
            x.append(places[tile.row])
        if own:
            traces += _squares(verdict, own, x, rows[0], mode)
    most = max(places.values(), default=1)
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=TILE_HEIGHT,
        xaxis=dict(visible=False, range=[0.4, max(most, 12) + 0.6], fixedrange=True),
        yaxis=dict(fixedrange=True, **_in_order(rows)),
        legend={**LEGEND_BELOW, "font_color": theme.palette(mode).text, "itemclick": False},
        clickmode="event+select",
        dragmode=False,
    )


def _squares(
    verdict: str, tiles: Sequence[Tile], x: Sequence[int], any_row: str, mode: str
) -> list[dict[str, Any]]:
    """The squares of one verdict, and the one in the legend."""
    fill, ink = _colours(mode)[verdict]
    square = dict(symbol="square", size=22, color=fill)
    square["line"] = dict(color=theme.palette(mode).muted, width=1)
    # The legend would wear the first square's paleness, so it has a point of its own.
    legend = dict(type="scatter", x=[None], y=[any_row], mode="markers", name=verdict)
    opacity = [1.0 if tile.chosen else 0.25 for tile in tiles]
    return [
        {**legend, "marker": square},
        dict(
            type="scatter",
            showlegend=False,
            x=list(x),
            y=[tile.row for tile in tiles],
            mode="markers+text",
            name=verdict,
            text=[SIGNS[verdict]] * len(tiles),
            textfont=dict(color=ink, size=13),
            marker={**square, "opacity": opacity},
            # A click must not make the others pale.
            unselected=dict(marker=dict(opacity=1.0)),
            customdata=[[tile.key, _hover(tile.text)] for tile in tiles],
            hovertemplate="%{customdata[1]}<extra></extra>",
        ),
    ]


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
        if shown:
            traces.append(_marks(shown, fill, "diamond" if own else "circle"))
    row = max([26, *(18 * len(label.split("<br>")) for label in labels)])
    name = _wrapped(evidence.axis, 24)  # on a phone the labels leave no room for more
    axis = dict(
        title_text=name,
        showgrid=True,
        gridcolor=colors.border,
        zeroline=False,
    )
    if evidence.log:
        axis |= dict(type="log", exponentformat="power")
    return framed_figure(
        traces,
        title,
        mode,
        wrap=wrap,
        height=120 + 17 * len(name.split("<br>")) + row * max(len(labels), 2),
        xaxis=axis,
        yaxis=dict(type="category", **_in_order(labels)),
        **_decider(evidence, mode),
    )


def _marks(shown: Sequence[tuple[str, Bar]], fill: str, symbol: str) -> dict[str, Any]:
    bars = [bar for _, bar in shown]
    return dict(
        type="scatter",
        showlegend=False,
        x=[bar.value for bar in bars],
        y=[label for label, _ in shown],
        mode="markers",
        marker=dict(color=fill, size=10, symbol=symbol),
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


def _decider(evidence: Evidence, mode: str) -> dict[str, Any]:
    """The line that decides and what it is called, if there is one."""
    if evidence.line is None:
        return {}
    colors = theme.palette(mode)
    line = dict(
        type="line",
        xref="x",
        yref="paper",
        x0=evidence.line,
        x1=evidence.line,
        y0=0,
        y1=1,
        line=dict(color=colors.theory, width=1.5, dash="dot"),
    )
    name = dict(
        # Of an annotation, unlike a shape, plotly wants the exponent on a logarithmic axis.
        x=math.log10(evidence.line) if evidence.log else evidence.line,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=html.escape(evidence.line_label, quote=False),
        showarrow=False,
        font=dict(color=colors.muted, size=12),
    )
    return dict(shapes=[line], annotations=[name])


def _in_order(labels: Sequence[str]) -> dict[str, Any]:
    """An upward axis whose labels are read downwards."""
    return dict(
        categoryorder="array",
        categoryarray=list(reversed(labels)),
        range=[-0.6, len(labels) - 0.4],
        **_BARE,
    )


def _reach(length: float) -> float:
    return length if math.isfinite(length) and length > 0.0 else 0.0


def _wrapped(text: str, width: int = 30) -> str:
    """A label that leaves room for the marks on a phone; "α = 1" stays on one line."""
    text = html.escape(text, quote=False).replace(" = ", "\u00a0=\u00a0")
    return "<br>".join(textwrap.wrap(text, width))


def _hover(text: str) -> str:
    """Wrapped, and inert: plotly reads angle brackets as markup."""
    return "<br>".join(textwrap.wrap(html.escape(text, quote=False), 60))
