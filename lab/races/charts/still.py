"""A race as a still: one line per method, with bands, the finish, and rates to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed

RACE_HEIGHT = 430

# More names than this at the ends of lines run into each other; a legend takes over.
MOST_END_LABELS = 5
LABEL_HEIGHT = 16
PLOT_HEIGHT = RACE_HEIGHT - 90


Ticks = Sequence[tuple[float, str]]


class Line(Protocol):
    """A curve of `lab.races`; `low` and `high` are None or a band."""

    key: str
    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None
    high: np.ndarray | None


class Rate(Protocol):
    """A guide of `lab.races`."""

    label: str
    x: np.ndarray
    y: np.ndarray


def race_lines(
    lines: Sequence[Line],
    rates: Sequence[Rate] = (),
    *,
    title: str,
    x_title: str,
    y_title: str,
    log_x: bool,
    log_y: bool,
    mode: str,
    finish: float | None = None,
    limits: tuple[Sequence[float], Sequence[float]] | None = None,
    ticks: tuple[Ticks | None, Ticks | None] = (None, None),
    zoom: bool = False,
    wrap: int = 72,
) -> go.Figure:
    """Lines against time or iterations; rates are dotted and grey.

    The names stand at the ends of the lines if there are at most five, otherwise in a legend. The
    axes are those of the lines, whatever the rates do, or have the given `limits` and `ticks`, of
    which None is the usual ones. A logarithmic axis leaves out what it cannot show; whether to
    offer it is the caller's choice.
    """
    shown = [(line, theme.method_line(line.key, mode)) for line in lines if line.x.size]
    labelled = len(shown) <= MOST_END_LABELS
    grey = theme.method_line("theory", mode)
    figure = go.Figure([*_bands(shown), *_rates(rates, grey), *_curves(shown, not labelled)])
    heights = [part for line, _ in shown for part in _heights(line)]
    level = [] if finish is None else [np.array([finish])]
    across = [np.array(limits[0])] if limits else [line.x for line, _ in shown]
    x_axis = _Axis(across, log_x, ticks[0])
    y_axis = _Axis([np.array(limits[1])] if limits else [*heights, *level], log_y, ticks[1])
    if finish is not None:
        _draw_finish(figure, finish, y_axis, theme.palette(mode))
    ends = [(rate.label, grey.color, rate.x, rate.y, 11) for rate in rates]
    if labelled:
        # A line that leaves the picture has its name where it does so.
        floor = limits[1][0] if limits else -np.inf
        ends += [
            (line.label, style.color, line.x, np.maximum(line.y, floor), 13)
            for line, style in shown
        ]
    behind = _translucent(theme.palette(mode).background, 0.75)
    for note in _end_labels(ends, x_axis, y_axis):
        # Lines pass behind names.
        figure.add_annotation(**note, bgcolor=behind, borderpad=1)
    _name_axes(figure, (x_title, x_axis), (y_title, y_axis), theme.palette(mode))
    framed(figure, title, mode, wrap=wrap, height=RACE_HEIGHT)
    return figure.update_layout(dragmode="zoom" if zoom else False)


def _bands(shown) -> list[go.Scatter]:
    return [side for line, style in shown if line.low is not None for side in _band(line, style)]


def _rates(rates: Sequence[Rate], grey: theme.LineStyle) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=rate.x,
            y=rate.y,
            mode="lines",
            name=rate.label,
            line=dict(color=grey.color, width=grey.width, dash=grey.dash),
            hoverinfo="skip",
            showlegend=False,
        )
        for rate in rates
    ]


def _curves(shown, in_legend: bool) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=line.x,
            y=line.y,
            # A method that has one measurement so far is a point, not an invisible line.
            mode="lines+markers" if line.x.size < 30 else "lines",
            name=line.label,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            marker=dict(color=style.color, size=5),
            hovertemplate="%{fullData.name}<br>%{x:.4g}: %{y:.3e}<extra></extra>",
            showlegend=in_legend,
        )
        for line, style in shown
    ]


def _draw_finish(figure: go.Figure, finish: float, y_axis: _Axis, colors: theme.Palette) -> None:
    figure.add_hline(y=finish, line=dict(color=colors.text, width=2, dash="dash"))
    figure.add_annotation(
        name="finish",
        text=f"finish: {finish:.0e}",
        x=0,
        xref="x domain",
        xanchor="left",
        y=y_axis.scaled(finish),
        yanchor="bottom",
        showarrow=False,
        font_color=colors.text,
    )


def _name_axes(figure: go.Figure, across, up, colors: theme.Palette) -> None:
    """Titles, ranges and ticks of both axes, and the legend below them."""
    (x_title, x_axis), (y_title, y_axis) = across, up
    figure.update_xaxes(title_text=x_title, showgrid=False, zeroline=False, **x_axis.layout)
    if x_axis.log:
        figure.update_xaxes(exponentformat="power")
    figure.update_yaxes(
        title_text=y_title,
        zeroline=False,
        exponentformat="power",
        gridcolor=colors.border,
        **y_axis.layout,
    )
    figure.update_layout(
        legend=dict(orientation="h", x=0, y=-0.2, yanchor="top", font_color=colors.text)
    )


class _Axis:
    """The range of some values on an axis, and where a value stands on it, from 0 to 1."""

    def __init__(self, columns: Sequence[np.ndarray], log: bool, ticks: Ticks | None = None):
        values = np.concatenate([*columns, np.array([])])
        values = values[np.isfinite(values) & ((values > 0.0) | (not log))]
        self.log, self.ticks = log, ticks
        scaled = np.log10(values) if log else values
        low, high = (scaled.min(), scaled.max()) if scaled.size else (0.0, 1.0)
        room = 0.04 * (high - low) or (0.5 if log else 0.5 * abs(high) or 0.5)
        self.range = [float(low - room), float(high + room)]

    @property
    def layout(self) -> dict:
        """Type, range and ticks as plotly has them."""
        layout: dict = dict(type="log" if self.log else "linear", range=self.range)
        if self.ticks is not None:
            places, words = zip(*self.ticks, strict=True)
            return layout | dict(tickvals=places, ticktext=words)
        if self.log:
            decades = self.range[1] - self.range[0]
            # 1, 2 and 5 times each power of ten where the powers alone are few.
            layout["dtick"] = "D2" if decades < 2.0 else max(1, int(np.ceil(decades / 8)))
        return layout

    def scaled(self, value: float) -> float:
        """A value as plotly places annotations: its logarithm on a logarithmic axis."""
        return float(np.log10(value)) if self.log else float(value)

    def share(self, value: float) -> float:
        low, high = self.range
        return (self.scaled(value) - low) / (high - low)

    def shows(self, value: float) -> bool:
        return np.isfinite(value) and (value > 0.0 or not self.log)


def _heights(line: Line):
    return (line.y,) if line.low is None else (line.y, line.low, line.high)


def _band(line: Line, style: theme.LineStyle) -> list[go.Scatter]:
    edge = dict(x=line.x, mode="lines", line_width=0, hoverinfo="skip", showlegend=False)
    return [
        go.Scatter(y=line.low, **edge),
        go.Scatter(y=line.high, fill="tonexty", fillcolor=_translucent(style.color, 0.18), **edge),
    ]


def _translucent(color: str, opacity: float) -> str:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def _end_labels(ends, x_axis: _Axis, y_axis: _Axis) -> list[dict]:
    """A name at the end of each line, moved towards the middle where it would cover another."""
    placed: list[tuple[float, float, float]] = []
    notes = []
    for text, color, xs, ys, size in ends:
        x, y = float(xs[-1]), float(ys[-1])
        if not (x_axis.shows(x) and y_axis.shows(y)):
            continue
        across, up = x_axis.share(x), y_axis.share(y) * PLOT_HEIGHT
        leftwards = across > 0.7
        # Pixels at a usual width; a phone's labels are closer, which the margin allows for.
        width = 8.0 * len(text) / 620.0
        left = across - width if leftwards else across
        height = up + 9.0
        onwards = LABEL_HEIGHT if up < 0.7 * PLOT_HEIGHT else -LABEL_HEIGHT
        while any(
            abs(height - other) < LABEL_HEIGHT and left < end and begin < left + width
            for begin, end, other in placed
        ):
            height += onwards
        placed.append((left, left + width, height))
        notes.append(
            dict(
                x=x_axis.scaled(x),
                y=y_axis.scaled(y),
                text=text,
                showarrow=False,
                xanchor="right" if leftwards else "left",
                yanchor="middle",
                xshift=0 if leftwards else 6,
                yshift=height - up,
                font=dict(color=color, size=size),
            )
        )
    return notes
