"""Races, accuracies and bounds as they were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed, legend_below

RACE_HEIGHT = 440
ACCURACY_HEIGHT = 420
# Characters in a line of a title that still fits a phone.
WRAP = 42
_BARE = dict(showgrid=False, zeroline=False)
# Numbers stand upright where they would run into each other, as on a phone.
_UPRIGHT = dict(autotickangles=[0, -90])


@dataclass(frozen=True)
class Line:
    """One lane's curve; the key decides how it is drawn."""

    key: str
    label: str
    x: np.ndarray
    y: np.ndarray


# Dashes for lanes whose hues are close to another's.
_DASHES = {"kong_smoothed": "dashdot", "kong_full": "dot", "lelr": "longdash"}


def lane_style(key: str, mode: str) -> theme.LineStyle:
    """The theme's line of a lane; the forms of Kong's method differ in their dashes."""
    style = theme.method_line("kong_smoothed" if key == "kong_full" else key, mode)
    return theme.LineStyle(style.color, style.width, _DASHES.get(key, style.dash))


def race_lines(
    lines: Sequence[Line],
    *,
    title: str,
    x_title: str,
    y_title: str,
    log_y: bool,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """Lines against time or iterations, both axes logarithmic (y only if `log_y`)."""
    colors = theme.palette(mode)
    figure = go.Figure()
    for line in lines:
        shown = (line.x > 0.0) & np.isfinite(line.y) & ((line.y > 0.0) | (not log_y))
        style = lane_style(line.key, mode)
        figure.add_scatter(
            x=line.x[shown],
            y=line.y[shown],
            mode="lines+markers" if np.count_nonzero(shown) < 25 else "lines",
            name=line.label,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            marker=dict(color=style.color, size=5),
            hovertemplate="%{fullData.name}<br>%{x:.3g}: %{y:.3g}<extra></extra>",
        )
    decades = dict(type="log", exponentformat="power", dtick=1)
    figure.update_xaxes(title_text=x_title, **decades, **_BARE)
    figure.update_yaxes(title_text=y_title, zeroline=False, gridcolor=colors.border)
    if log_y:
        figure.update_yaxes(type="log", exponentformat="power", dtick=2)
    figure.update_layout(**legend_below(colors))
    return framed(figure, title, mode, wrap=wrap, height=RACE_HEIGHT)


@dataclass(frozen=True)
class Points:
    """One method's means with half their intervals."""

    key: str
    label: str
    x: np.ndarray
    mean: np.ndarray
    half: np.ndarray


def classifier_style(key: str, mode: str) -> theme.LineStyle:
    """E-SVM is ours; ℓ1 methods are green, ℓ2 grey, Kong a rival, the true model theory."""
    colors = theme.palette(mode)
    styles = {
        "esvm": theme.LineStyle(colors.accent, 3.5, "solid"),
        "esvm_r": theme.LineStyle(colors.accent, 2.5, "dash"),
        "svm": theme.LineStyle(colors.norms["l2"], 2.0, "solid"),
        "sparse_svm": theme.LineStyle(colors.norms["l1"], 2.0, "solid"),
        "logistic_l1": theme.LineStyle(colors.norms["l1"], 2.0, "dot"),
        "kong": theme.method_line("kong", mode),
        "oracle": theme.method_line("theory", mode),
    }
    return styles[key]


_SYMBOLS = {
    "svm": "circle",
    "sparse_svm": "square",
    "kong": "diamond",
    "esvm": "star",
    "esvm_r": "star-triangle-up",
    "logistic_l1": "triangle-down",
    "oracle": "line-ew",
}


def accuracy_lines(
    points: Sequence[Points], *, title: str, mode: str, wrap: int = WRAP
) -> go.Figure:
    """Test accuracy against m, a line per method, bars of 95 % intervals."""
    colors = theme.palette(mode)
    figure = go.Figure()
    for each in points:
        style = classifier_style(each.key, mode)
        figure.add_scatter(
            x=each.x,
            y=100 * each.mean,
            mode="lines+markers",
            name=each.label,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            marker=dict(color=style.color, symbol=_SYMBOLS[each.key], size=8),
            error_y=dict(
                type="data", array=100.0 * np.nan_to_num(each.half), width=0, color=style.color
            ),
            hovertemplate="%{fullData.name}, m = %{x}: %{y:.1f} %<extra></extra>",
        )
    ticks = sorted({int(x) for each in points for x in each.x})
    figure.update_xaxes(
        title_text="m: samples, groups and true features",
        type="log",
        tickvals=ticks,
        **_BARE,
        **_UPRIGHT,
    )
    figure.update_xaxes(ticktext=[f"{tick:,}" for tick in ticks])
    figure.update_yaxes(
        title_text="test accuracy", ticksuffix=" %", zeroline=False, gridcolor=colors.border
    )
    figure.update_layout(**legend_below(colors))
    return framed(figure, title, mode, wrap=wrap, height=ACCURACY_HEIGHT)


@dataclass(frozen=True)
class Dots:
    """One method over data sets: means, half their intervals, the paper's (nan where none)."""

    key: str
    label: str
    mean: np.ndarray
    half: np.ndarray
    paper: np.ndarray


def table_dots(
    names: Sequence[str], dots: Sequence[Dots], *, title: str, mode: str, wrap: int = WRAP
) -> go.Figure:
    """A row per data set: filled marks are ours, with their intervals, hollow the paper's."""
    colors = theme.palette(mode)
    figure = go.Figure()
    rows = np.arange(len(names))
    for place, each in enumerate(dots):
        style = classifier_style(each.key, mode)
        y = rows + 0.3 * (place - (len(dots) - 1) / 2) / max(len(dots) - 1, 1) * 2
        figure.add_scatter(
            x=each.mean,
            y=y,
            mode="markers",
            name=each.label,
            marker=dict(color=style.color, symbol=_SYMBOLS[each.key], size=9),
            error_x=dict(type="data", array=np.nan_to_num(each.half), width=0, color=style.color),
            hovertemplate="%{fullData.name}: %{x:.1f} %<extra>measured</extra>",
        )
        figure.add_scatter(
            x=each.paper,
            y=y,
            mode="markers",
            name=f"{each.label}, the paper",
            showlegend=False,
            marker=dict(
                color=style.color, symbol=f"{_SYMBOLS[each.key]}-open", size=9, line_width=1.5
            ),
            hovertemplate="%{fullData.name}: %{x:.2f} %<extra></extra>",
        )
    figure.update_xaxes(title_text="accuracy, per cent", zeroline=False, gridcolor=colors.border)
    figure.update_yaxes(
        tickvals=rows, ticktext=list(names), range=[len(names) - 0.5, -0.5], **_BARE
    )
    figure.update_layout(**legend_below(colors))
    return framed(figure, title, mode, wrap=wrap, height=120 + 62 * max(len(names), 4))


def bound_lines(
    s: np.ndarray,
    exact: np.ndarray,
    bounds: Mapping[str, np.ndarray],
    *,
    title: str,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """P(balanced) against s: the exact law, and each bound where it says something."""
    colors = theme.palette(mode)
    figure = go.Figure()
    ours = theme.method_line("ours", mode)
    figure.add_scatter(
        x=s,
        y=exact,
        mode="lines+markers",
        name="exact",
        line=dict(color=ours.color, width=ours.width),
        hovertemplate="exact, s = %{x:,}: %{y:.4f}<extra></extra>",
    )
    grey = theme.method_line("theory", mode)
    green = theme.method_line("locp", mode)
    styles = (grey, theme.LineStyle(grey.color, 2.0, "dash"), green)
    for (name, values), style in zip(bounds.items(), styles, strict=True):
        figure.add_scatter(
            x=s,
            y=np.where(values > 0.0, values, np.nan),
            mode="lines+markers",
            name=name if np.any(values > 0.0) else f"{name} (vacuous throughout)",
            line=dict(color=style.color, width=2.0, dash=style.dash),
            marker=dict(size=5),
            hovertemplate="%{fullData.name}, s = %{x:,}: %{y:.4f}<extra></extra>",
        )
    figure.update_xaxes(
        title_text="true features s",
        type="log",
        tickvals=s,
        ticktext=[f"{v:,}" for v in s],
        **_BARE,
        **_UPRIGHT,
    )
    figure.update_yaxes(
        title_text="P(balanced)", range=[-0.04, 1.04], zeroline=False, gridcolor=colors.border
    )
    figure.update_layout(**legend_below(colors))
    return framed(figure, title, mode, wrap=wrap, height=ACCURACY_HEIGHT)
