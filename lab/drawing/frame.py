"""What all charts share: title, margins and fonts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme

Figure = go.Figure
CHART_HEIGHT = 380

# Above this many numbers a figure is sent in binary: as text they would cost more than a redraw.
MOST_NUMBERS_AS_TEXT = 10_000

# The revision of the data of a figure that brings its own styles, which no theme has to complete.
SELF_STYLED = "self-styled"

# At the bottom of the whole figure: on a phone a legend has many lines and the axes little room, so
# that a distance in shares of the axes would put it across their names.
LEGEND_BELOW = dict(
    orientation="h", x=0, xanchor="left", yref="container", y=0, yanchor="bottom", title_text=""
)


def legend_below(colors: theme.Palette, distance: float | None = None) -> dict[str, Any]:
    """A layout with a legend under the figure, in the text's colour.

    At that distance below the axes, in shares of their height, where a figure keeps room for it.
    """
    place = dict(yref="paper", y=-distance, yanchor="top") if distance is not None else {}
    return dict(legend={**LEGEND_BELOW, **place, "font_color": colors.text}, showlegend=True)


_TIED = "\u00a0%"

# The fonts of the page around a chart, by the names under which Streamlit loads them.
BODY_FONT, HEADING_FONT = '"Source Sans", sans-serif', '"Source Serif", serif'


def framed(
    figure: go.Figure, title: str, mode: str, *, wrap: int = 72, height: int = CHART_HEIGHT
) -> go.Figure:
    """The common frame: a wrapped title on the left, little margin, no zoom by accident.

    A chart whose reader wants to zoom sets `dragmode` afterwards.
    """
    figure.update_layout(**_layout(title, mode, wrap, height))
    x_axis, y_axis = _axes(mode)
    figure.update_xaxes(**x_axis)
    figure.update_yaxes(**y_axis)
    return figure


def framed_figure(
    data: Sequence,
    title: str,
    mode: str,
    *,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    subtitle: str = "",
    wrap: int = 72,
    height: int = CHART_HEIGHT,
    room: tuple[int, int] | None = None,
    **layout,
) -> go.Figure:
    """A figure of one pair of axes in the common frame, made in one go and drawn in one go.

    Plotly takes ten times as long to update a layout as to be given one, so a chart that a slider
    redraws is made like this. It has all its styles itself, see `drawn_once`. `room` is the pixels
    that the axes' names and numbers need at the left and below, where they are known: plotly else
    draws all, measures them and draws again.
    """
    frame, (x_frame, y_frame) = _layout(title, mode, wrap, height), _axes(mode)
    styles, x_styles, y_styles = _styles(mode)
    if room is not None:
        frame["margin"] |= {"l": room[0], "b": room[1]}
        known = dict(automargin=False, ticklabeloverflow="allow")
        x_frame, y_frame = x_frame | known, y_frame | known
    if subtitle:
        # Plotly's own subtitle stands a whole line below its title.
        muted = theme.palette(mode).muted
        frame["title"]["text"] += (
            f'<br><span style="font-size:13px;color:{muted}">{subtitle}</span>'
        )
        frame["title"]["pad"] = _above(2)
        frame["margin"]["t"] += 18
    return go.Figure(
        data=data,
        layout={
            **_merged(frame, styles),
            "datarevision": SELF_STYLED,
            "template": "none",  # plotly else copies its default one, which takes half the time
            "xaxis": _merged(_merged(x_styles, x_frame), xaxis),
            "yaxis": _merged(_merged(y_styles, y_frame), yaxis),
            **layout,
        },
    )


def has_own_styles(figure: go.Figure) -> bool:
    """Whether a figure needs no theme around it."""
    return figure.layout.datarevision == SELF_STYLED


def drawn_once(figure: go.Figure) -> go.Figure:
    """A figure with its own styles, in a form that the browser draws once.

    Streamlit hands every figure to plotly a second time, with its theme applied anew. Plotly draws
    all again if that copy seems to differ: any template does, and so do numbers that are not plain
    lists or that have no revision. A figure can be kept and drawn again and again: what is sent is
    made the first time only, so it must not be changed afterwards.
    """
    if isinstance(figure.to_dict, _Made):
        return figure
    _mend(figure)
    figure.to_dict = _Made(figure.to_dict())
    return figure


@dataclass(frozen=True)
class _Made:
    """A figure's `to_dict` once it is final: plotly's own copies every number at every call."""

    spec: dict[str, Any]

    def __call__(self) -> dict[str, Any]:
        return self.spec


def _mend(figure: go.Figure) -> None:
    figure.layout.template = None
    traces = [dict(_arrays(trace.to_plotly_json())) for trace in figure.data]
    if sum(column.size for arrays in traces for column in arrays.values()) > MOST_NUMBERS_AS_TEXT:
        return
    for trace, arrays in zip(figure.data, traces, strict=True):
        for name, column in arrays.items():
            trace[name] = None  # plotly else takes equal numbers for no change
            trace[name] = _listed(column)


def _arrays(properties: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """The arrays among a trace's properties, by names such as "marker.size"."""
    for name, value in properties.items():
        if isinstance(value, np.ndarray):
            yield prefix + name, value
        elif isinstance(value, Mapping):
            yield from _arrays(value, f"{prefix}{name}.")


def _listed(column: np.ndarray) -> list:
    """An array as lists; a gap, which JSON cannot write as a number, is None."""
    if column.dtype.kind == "f" and np.isnan(column).any():
        return np.where(np.isnan(column), None, column).tolist()
    return column.tolist()


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Nested properties, those above winning. Plotly is quicker with them than with a_b names."""
    return {**below, **above} | {
        name: _merged(below[name], value)
        for name, value in above.items()
        if isinstance(value, Mapping) and isinstance(below.get(name), Mapping)
    }


def _layout(title: str, mode: str, wrap: int, height: int) -> dict[str, Any]:
    # A number stays with its sign of per cent.
    lines = [line.replace(_TIED, " %") for line in textwrap.wrap(title.replace(" %", _TIED), wrap)]
    return dict(
        title=dict(
            text="<br>".join(lines),
            font=dict(color=theme.palette(mode).text),
            x=0,
            xanchor="left",
            y=1,
            yanchor="top",
            pad=_above(len(lines)),
        ),
        margin=dict(l=8, r=8, t=22 + 20 * len(lines), b=8),
        height=height,
        dragmode=False,
    )


def _above(lines: int) -> dict[str, int]:
    """The room above a title: plotly puts several lines higher than one, out of the picture."""
    return dict(t=10 if lines == 1 else 21)


def _axes(mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the x and the y axis share with those of all charts."""
    text = theme.palette(mode).text
    font = dict(font=dict(color=text))
    ticks = dict(tickfont=dict(color=text))
    return dict(title=dict(standoff=6, **font), **ticks), dict(
        title=dict(standoff=16, **font), **ticks
    )


def _styles(mode: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What Streamlit's theme gives a layout, its x axis and its y axis, in our colours."""
    colors = theme.palette(mode)
    small = dict(family=BODY_FONT, size=12)
    axis = dict(
        gridcolor=colors.border,
        zerolinecolor=colors.border,
        tickcolor=colors.border,
        tickfont=dict(size=12),
        title=dict(font=dict(size=14)),
        automargin=True,
    )
    layout = dict(
        font=dict(color=colors.muted, **small),
        title=dict(
            font=dict(family=HEADING_FONT, size=16, weight="bold", color=colors.text),
            pad=dict(l=4),
        ),
        margin=dict(pad=8),
        paper_bgcolor=colors.background,
        plot_bgcolor=colors.background,
        hoverlabel=dict(
            bgcolor=colors.background,
            bordercolor=colors.border,
            font=dict(color=colors.text, **small),
        ),
        legend=dict(valign="top", borderwidth=0, font=dict(size=12, color=colors.text)),
    )
    return layout, dict(showgrid=False, zeroline=False, **axis), axis
