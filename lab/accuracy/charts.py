"""Charts of accuracy sweeps: against m for generated data, by method for real data."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed_figure, legend_below

HEIGHT = 420  # the least for a figure that leads a page
# How far the marks of two methods are apart at the most, as a share of the axis.
MOST_ASIDE = 0.025
# Characters in a line of a title that still fits a phone.
WRAP = 44


def method_style(key: str, mode: str) -> tuple[str, str, str]:
    """Colour, dash and marker of a method; the same norm has the same colour."""
    colors = theme.palette(mode)
    return {
        "svm": (colors.norms["l2"], "solid", "circle"),
        "sparse_svm": (colors.norms["l1"], "solid", "square"),
        "logistic_l1": (colors.norms["l1"], "dash", "square-open"),
        "kong": (colors.methods["kong"], "dash", "diamond"),
        "esvm": (colors.norms["le"], "solid", "triangle-up"),
        "esvm_r": (colors.norms["le"], "dash", "triangle-up-open"),
        "oracle": (colors.theory, "dot", "x-thin-open"),
    }[key]


def against(
    axis_of_places,
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
    logarithmic: bool = False,
    majority: float | None = None,
    most: float | None = None,
) -> go.Figure:
    """A line per method over what is varied, with error bars where `half` is known.

    `columns` holds m (the place), method, mean and half, one row each; values are multiplied by
    `scale`, and `most` is what none can pass. The oracle is a line without marks, and so is the
    share of the largest class.
    """
    colors = theme.palette(mode)
    places, method = np.asarray(columns["m"], dtype=float), np.asarray(columns["method"])
    keys = list(dict.fromkeys(method.tolist()))
    marks = [key for key in keys if key != "oracle"]
    traces = []
    for key in keys:
        rows = method == key
        color, dash, symbol = method_style(key, mode)
        mean, half = (scale * np.asarray(columns[name])[rows] for name in ("mean", "half"))
        bars = _bars(mean, half, most, thickness=1.2, width=4, color=color)
        marked = key != "oracle"
        x = places[rows]
        traces.append(
            go.Scatter(
                x=_aside(axis_of_places, x, marks.index(key), len(marks)) if marked else x,
                y=mean,
                error_y=bars if marked and np.any(half > 0) else None,
                name=labels[key],
                mode="lines+markers" if marked else "lines",
                line=dict(color=color, dash=dash, width=3 if key == "esvm" else 2),
                marker=dict(symbol=symbol, size=7, color=color, line_width=1.5, line_color=color),
                cliponaxis=False,
                customdata=[[at, _give_or_take(h)] for at, h in zip(x, half, strict=True)],
                hovertemplate="at %{customdata[0]}: %{y:.3g}%{customdata[1]}",
            )
        )
    if majority is not None:
        ends = [min(axis_of_places.values), max(axis_of_places.values)]
        traces.append(
            go.Scatter(
                x=ends,
                y=[scale * majority] * 2,
                name="largest class",
                mode="lines",
                line=dict(color=colors.muted, dash="dashdot", width=1.5),
                hovertemplate="always naming the largest class: %{y:.3g}<extra></extra>",
            )
        )
    kind = "log" if logarithmic else "linear"
    across = _named(axis, type=kind, maxallowed=most)
    return _over_places(traces, axis_of_places, title, mode, yaxis=across)


def leads(
    axis_of_places,
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
) -> go.Figure:
    """Each form of E-SVM minus the best of the others; shaded where there is no difference

    The band around zero reaches as far as `chance`. What lies outside its own band is beyond it,
    and filled; what lies inside is hollow.
    """
    colors = theme.palette(mode)
    method = np.asarray(columns["method"])
    keys = list(dict.fromkeys(method.tolist()))
    bands, lines = [], []
    for number, key in enumerate(keys):
        rows = method == key
        x = np.asarray(columns["place"])[rows]
        mean, half, chance = (scale * np.asarray(columns[n])[rows] for n in _LEAD)
        color, dash, _ = method_style(key, mode)
        known = np.isfinite(chance)
        sure = known & (np.abs(mean) > chance)
        bands.append(
            go.Scatter(
                x=np.concatenate([x[known], x[known][::-1]]),
                y=np.concatenate([chance[known], -chance[known][::-1]]),
                name=f"no difference, {labels[key]}",
                mode="lines",
                fill="toself",
                fillcolor=theme.faded(color, 0.16 if dash == "solid" else 0.05),
                line=dict(color=color, width=0 if dash == "solid" else 1, dash="dot"),
                hoverinfo="skip",
                showlegend=False,  # the note below the figure says it, and a phone has the room
            )
        )
        symbols = ["triangle-up" if flag else "triangle-up-open" for flag in sure]
        rivals = [labels[rival] for rival in np.asarray(columns["rival"])[rows]]
        lines.append(
            go.Scatter(
                x=_aside(axis_of_places, x, number, len(keys)).tolist(),
                y=mean,
                name=labels[key],
                mode="lines+markers",
                line=dict(color=color, dash=dash, width=3 if dash == "solid" else 2),
                marker=dict(symbol=symbols, size=11, color=color, line_width=2, line_color=color),
                customdata=[
                    [at, _give_or_take(h), r]
                    for at, h, r in zip(x.tolist(), half, rivals, strict=True)
                ],
                hovertemplate="at %{customdata[0]}: %{y:+.1f}%{customdata[1]} points from "
                "%{customdata[2]}",
            )
        )
    zero = dict(xref="paper", x0=0, x1=1, y0=0, y1=0, line=dict(color=colors.muted, width=1.5))
    return _over_places(
        [*bands, *lines], axis_of_places, title, mode, yaxis=_named(axis), shapes=[zero]
    )


_LEAD = ("mean", "half", "chance")


def _give_or_take(half: float) -> str:
    """Half an interval for a tooltip; nothing where there is none."""
    return f" ± {half:.1f}" if np.isfinite(half) else ""


def _bars(mean: np.ndarray, half: np.ndarray, most: float | None, **look) -> dict:
    """Error bars that end at what no value can pass."""
    half = np.nan_to_num(half)
    above = half if most is None else np.minimum(half, np.maximum(most - mean, 0.0))
    return dict(type="data", array=above, arrayminus=half, symmetric=False, **look)


def leads_by_rival(
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
) -> go.Figure:
    """E-SVM(R) minus each of the others on one set of data; a shaded interval around zero each."""
    colors = theme.palette(mode)
    names = {**labels, "majority": "largest class"}
    rivals = [names[str(key)] for key in columns["rival"]]
    mean, half, chance = (scale * np.asarray(columns[name]) for name in _LEAD)
    color = method_style("esvm_r", mode)[0]
    sure = np.isfinite(chance) & (np.abs(mean) > chance)
    band = np.nan_to_num(chance)
    zero = dict(yref="paper", y0=0, y1=1, x0=0, x1=0, line=dict(color=colors.muted, width=1.5))
    return _by_name(
        [
            go.Bar(
                x=2 * band,
                base=-band,
                y=rivals,
                orientation="h",
                width=0.55,
                name="no difference",
                marker=dict(color=theme.faded(color, 0.16), line_width=0),
                hoverinfo="skip",
            ),
            go.Scatter(
                x=mean,
                y=rivals,
                mode="markers",
                name="E-SVM(R) minus the other",
                marker=dict(
                    symbol=["triangle-up" if flag else "triangle-up-open" for flag in sure],
                    size=12,
                    color=color,
                    line=dict(width=2, color=color),
                ),
                customdata=[_give_or_take(each) for each in half],
                hovertemplate="%{y}: %{x:+.1f}%{customdata} points<extra></extra>",
            ),
        ],
        axis,
        title,
        mode,
        shapes=[zero],
    )


def by_method(
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
    paper: Mapping[str, float] | None = None,
    majority: float | None = None,
    most: float | None = None,
) -> go.Figure:
    """A row per method: mean and interval, and as hollow diamonds the paper's own numbers."""
    colors = theme.palette(mode)
    methods = [str(key) for key in columns["method"]]
    mean = scale * np.asarray(columns["mean"], dtype=float)
    half = scale * np.asarray(columns["half"], dtype=float)
    # One trace a method, because error bars take their colour from the trace.
    traces = [
        _measured(key, labels[key], mean[[place]], half[[place]], most, mode)
        for place, key in enumerate(methods)
    ]
    if paper:
        shared = [key for key in methods if key in paper]
        traces.append(
            go.Scatter(
                x=np.array([paper[key] for key in shared]),
                y=[labels[key] for key in shared],
                mode="markers",
                marker=dict(symbol="diamond-open", size=13, color=colors.text, line=dict(width=2)),
                name="the paper's Table 1",
                showlegend=True,
                hovertemplate="%{y}: %{x:.2f}<extra>the paper's Table 1</extra>",
            )
        )
    marks = {} if majority is None else _largest_class(scale * majority, colors)
    return _by_name(traces, axis, title, mode, most=most, **marks)


def _measured(key, label: str, mean: np.ndarray, half: np.ndarray, most, mode: str) -> go.Scatter:
    tint, _, symbol = method_style(key, mode)
    bars = _bars(mean, half, most, color=tint, thickness=2, width=6)
    return go.Scatter(
        x=mean,
        y=[label],
        error_x=bars if np.isfinite(half).all() else None,
        mode="markers",
        cliponaxis=False,
        marker=dict(symbol=symbol, size=12, color=tint, line_width=2),
        name="measured here",
        showlegend=False,
        hovertemplate="%{y}: %{x:.3g}<extra>measured here</extra>",
    )


def _largest_class(at: float, colors: theme.Palette) -> dict:
    """A line at what always naming the largest class gives, with its name."""
    line = dict(color=colors.muted, width=1.5, dash="dashdot")
    name = dict(
        text="largest class",
        x=at,
        y=1,
        yref="paper",
        yanchor="top",
        xanchor="left",
        showarrow=False,
        font=dict(color=colors.muted),
    )
    across = dict(yref="paper", y0=0, y1=1, x0=at, x1=at, line=line)
    return dict(shapes=[across], annotations=[name])


def _over_places(traces, places, title: str, mode: str, **layout) -> go.Figure:
    across = _named(
        places.title,
        type="log" if places.log else "linear",
        tickvals=list(places.values),
        ticktext=list(places.ticks),
        autotickangles=[0, -90],  # upright where they would run into each other, as on a phone
        showgrid=False,
    )
    return _framed(traces, title, mode, xaxis=across, **layout)


def _by_name(traces, axis: str, title: str, mode: str, most=None, **layout) -> go.Figure:
    """A row per method, the first one on top."""
    rows = dict(autorange="reversed", showgrid=False, type="category")
    along = _named(axis, showgrid=True, maxallowed=most)
    return _framed(traces, title, mode, xaxis=along, yaxis=rows, **layout)


def _named(title: str, **axis) -> dict:
    return dict(title=dict(text=title), **axis)


def _framed(traces, title: str, mode: str, **layout) -> go.Figure:
    if not title:
        layout["margin"] = dict(l=8, r=8, t=8, b=8)
    return framed_figure(
        traces,
        title,
        mode,
        wrap=WRAP,
        height=HEIGHT,
        hovermode="closest",
        **legend_below(theme.palette(mode)),
        **layout,
    )


def _aside(axis, x: np.ndarray, number: int, count: int) -> np.ndarray:
    """Places of a method beside those of others, as far apart as the nearest two places allow."""
    at = np.array(sorted(axis.values), dtype=float)
    at = np.log(at) if axis.log else at
    least = np.diff(at).min(initial=np.ptp(at) or 1.0)
    step = min(least / (count + 0.5), MOST_ASIDE * (np.ptp(at) or 1.0))
    moved = step * (number - (count - 1) / 2)
    return x * np.exp(moved) if axis.log else x + moved
