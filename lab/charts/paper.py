"""Charts of the paper against what was measured: verdicts, races, accuracies, bounds, errata."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lab import theme
from lab.charts.frame import LEGEND_BELOW, framed, framed_figure

TILE_HEIGHT = 320
RACE_HEIGHT = 440
ACCURACY_HEIGHT = 420
# Characters in a line of a title that still fits a phone.
WRAP = 42
_BARE = dict(showgrid=False, zeroline=False)


# -- verdicts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tile:
    """One claim: its row, its verdict, what a pointer shows, and whether it stands out."""

    row: str
    verdict: str
    text: str
    chosen: bool = True


# A sign in each tile carries the verdict for those who cannot see the hue.
_SIGNS = ("✓", "≈", "✗", "?", "…")


def verdict_tiles(
    tiles: Sequence[Tile],
    rows: Sequence[str],
    verdicts: Sequence[str],
    *,
    title: str,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """A square per claim, a row per topic, a colour and sign per verdict; the unchosen are pale."""
    colors = theme.palette(mode)
    fills = (
        colors.positive,
        colors.positive_faint,
        colors.negative,
        colors.border,
        colors.surface,
    )
    inks = (colors.background, colors.text, colors.background, colors.text, colors.text)
    places: dict[str, int] = dict.fromkeys(rows, 0)
    traces = []
    for verdict, fill, ink, sign in zip(verdicts, fills, inks, _SIGNS, strict=True):
        x, y, texts, opacity = [], [], [], []
        for tile in tiles:
            if tile.verdict == verdict:
                places[tile.row] += 1
                x.append(places[tile.row])
                y.append(tile.row)
                texts.append(_hover(tile.text))
                opacity.append(1.0 if tile.chosen else 0.25)
        if x:
            square = dict(symbol="square", size=20, color=fill)
            square["line"] = dict(color=colors.muted, width=1)
            # The legend would wear the first square's paleness, so it has a point of its own.
            legend = dict(type="scatter", x=[None], y=[rows[0]], mode="markers", name=verdict)
            traces.append({**legend, "marker": square})
            traces.append(
                dict(
                    type="scatter",
                    showlegend=False,
                    x=np.array(x),
                    y=y,
                    mode="markers+text",
                    name=verdict,
                    text=[sign] * len(x),
                    textfont=dict(color=ink, size=12),
                    marker={**square, "opacity": opacity},
                    customdata=texts,
                    hovertemplate="%{customdata}<extra></extra>",
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
    )


def _hover(text: str) -> str:
    """Wrapped, and inert: plotly reads angle brackets as markup."""
    return "<br>".join(textwrap.wrap(html.escape(text, quote=False), 60))


# -- races ---------------------------------------------------------------------------------------


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
    """The theme's line of a lane; the forms of Kong's method and of LICP differ in their dashes."""
    if key == "licp_block":
        style = theme.method_line("licp", mode)
        return theme.LineStyle(style.color, style.width, "longdashdot")
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
    figure.update_layout(legend={**LEGEND_BELOW, "font_color": colors.text})
    return framed(figure, title, mode, wrap=wrap, height=RACE_HEIGHT)


# -- accuracies ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Points:
    """One method's means with standard errors."""

    key: str
    label: str
    x: np.ndarray
    mean: np.ndarray
    error: np.ndarray


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
    """Test accuracy against m, a line per method, bars of two standard errors."""
    colors = theme.palette(mode)
    figure = go.Figure()
    for each in points:
        style = classifier_style(each.key, mode)
        figure.add_scatter(
            x=each.x,
            y=each.mean,
            mode="lines+markers",
            name=each.label,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            marker=dict(color=style.color, symbol=_SYMBOLS[each.key], size=8),
            error_y=dict(
                type="data", array=2.0 * np.nan_to_num(each.error), width=0, color=style.color
            ),
            hovertemplate="%{fullData.name}, m = %{x}: %{y:.1%}<extra></extra>",
        )
    ticks = sorted({int(x) for each in points for x in each.x})
    figure.update_xaxes(
        title_text="m: samples, groups and true features", type="log", tickvals=ticks, **_BARE
    )
    figure.update_xaxes(ticktext=[f"{tick:,}" for tick in ticks])
    figure.update_yaxes(
        title_text="test accuracy", tickformat=".0%", zeroline=False, gridcolor=colors.border
    )
    figure.update_layout(legend={**LEGEND_BELOW, "font_color": colors.text})
    return framed(figure, title, mode, wrap=wrap, height=ACCURACY_HEIGHT)


@dataclass(frozen=True)
class Dots:
    """One method over data sets: ours with standard errors, and the paper's (nan where none)."""

    key: str
    label: str
    mean: np.ndarray
    error: np.ndarray
    paper: np.ndarray


def table_dots(
    names: Sequence[str], dots: Sequence[Dots], *, title: str, mode: str, wrap: int = WRAP
) -> go.Figure:
    """A row per data set: filled marks are ours, with two standard errors, hollow the paper's."""
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
            error_x=dict(
                type="data", array=2.0 * np.nan_to_num(each.error), width=0, color=style.color
            ),
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
    figure.update_layout(legend={**LEGEND_BELOW, "font_color": colors.text})
    return framed(figure, title, mode, wrap=wrap, height=120 + 62 * max(len(names), 4))


# -- bounds and errata ---------------------------------------------------------------------------


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
    )
    figure.update_yaxes(
        title_text="P(balanced)", range=[-0.04, 1.04], zeroline=False, gridcolor=colors.border
    )
    figure.update_layout(legend={**LEGEND_BELOW, "font_color": colors.text})
    return framed(figure, title, mode, wrap=wrap, height=ACCURACY_HEIGHT)


def erratum_lines(
    x: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    x_title: str,
    y_title: str,
    title: str,
    mode: str,
    wrap: int = WRAP,
) -> go.Figure:
    """What is printed, what is right and the theorem's bound, on two logarithmic axes."""
    colors = theme.palette(mode)
    rival, ours = theme.method_line("kong", mode), theme.method_line("ours", mode)
    styles = {
        "as printed": rival,
        "last w": rival,
        "corrected": ours,
        "averaged w̄": ours,
        "dual": theme.method_line("locp", mode),
        "theorem's bound": theme.method_line("theory", mode),
    }
    keep = np.unique(np.geomspace(1, x.size, 300).astype(int)) - 1
    figure = go.Figure()
    for name, values in lines.items():
        style = styles[name]
        figure.add_scatter(
            x=x[keep],
            y=np.where(values[keep] > 0.0, values[keep], np.nan),
            mode="lines",
            name=name,
            line=dict(color=style.color, width=style.width, dash=style.dash),
            hovertemplate="%{fullData.name}, iteration %{x:,}: %{y:.2e}<extra></extra>",
        )
    figure.update_xaxes(title_text=x_title, type="log", dtick=1, **_BARE)
    figure.update_yaxes(
        title_text=y_title,
        type="log",
        dtick=1,
        exponentformat="power",
        zeroline=False,
        gridcolor=colors.border,
    )
    figure.update_layout(legend={**LEGEND_BELOW, "font_color": colors.text})
    return framed(figure, title, mode, wrap=wrap, height=380)


def text_table(columns: Mapping[str, Sequence[str]], *, title: str, mode: str) -> go.Figure:
    """A small table as a figure, for a file where there is nothing to plot."""
    colors = theme.palette(mode)
    cells = dict(line_color=colors.border, align="left", font=dict(color=colors.text, size=13))
    figure = go.Figure(
        go.Table(
            header=dict(
                values=[html.escape(name, quote=False) for name in columns],
                fill_color=colors.surface,
                **cells,
            ),
            cells=dict(
                values=[
                    [html.escape(str(value), quote=False) for value in values]
                    for values in columns.values()
                ],
                fill_color=colors.background,
                **cells,
            ),
        )
    )
    return framed(figure, title, mode, height=320)
