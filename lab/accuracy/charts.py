"""Charts of accuracy sweeps: against m for generated data, by method for real data."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from lab.drawing import theme
from lab.drawing.frame import framed, legend_below

HEIGHT = 330
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


def against_m(
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
    logarithmic: bool = False,
    zero_line: bool = False,
) -> go.Figure:
    """A line per method over m, with error bars where `half` is known.

    `columns` holds m, method, mean and half, one row each; values are multiplied by `scale`.
    """
    colors = theme.palette(mode)
    m, method = np.asarray(columns["m"], dtype=float), np.asarray(columns["method"])
    keys = list(dict.fromkeys(method.tolist()))
    traces = []
    for place, key in enumerate(keys):
        rows = method == key
        color, dash, symbol = method_style(key, mode)
        half = scale * np.asarray(columns["half"], dtype=float)[rows]
        bars = dict(type="data", array=np.nan_to_num(half), thickness=1.2, width=4, color=color)
        traces.append(
            go.Scatter(
                x=m[rows] * _aside(m, place, len(keys)),
                y=scale * np.asarray(columns["mean"], dtype=float)[rows],
                error_y=bars if np.any(half > 0) else None,
                name=labels[key],
                mode="lines+markers",
                line=dict(color=color, dash=dash, width=3 if key == "esvm" else 2),
                marker=dict(symbol=symbol, size=8, color=color, line_width=1.5, line_color=color),
                customdata=np.column_stack([m[rows], half]),
                hovertemplate="m = %{customdata[0]}: %{y:.3g} ± %{customdata[1]:.2g}",
            )
        )
    figure = go.Figure(data=traces)
    ticks = np.unique(m)
    figure.update_xaxes(
        type="log",
        title_text="m = samples = groups",
        tickvals=ticks,
        ticktext=[f"{value:g}" for value in ticks],
        showgrid=False,
    )
    figure.update_yaxes(title_text=axis, type="log" if logarithmic else "linear")
    if zero_line:
        figure.add_hline(y=0.0, line=dict(color=colors.muted, width=1.5))
    framed(figure, title, mode, wrap=WRAP, height=HEIGHT)
    return figure.update_layout(**legend_below(colors, 0.22), hovermode="closest")


def by_method(
    columns: Mapping[str, np.ndarray],
    labels: Mapping[str, str],
    *,
    axis: str,
    title: str,
    mode: str,
    scale: float = 1.0,
    paper: Mapping[str, float] | None = None,
    zero_line: bool = False,
) -> go.Figure:
    """A row per method: mean and interval, and as hollow diamonds the paper's own numbers."""
    colors = theme.palette(mode)
    methods = [str(key) for key in columns["method"]]
    mean = scale * np.asarray(columns["mean"], dtype=float)
    half = scale * np.asarray(columns["half"], dtype=float)
    tints = [method_style(key, mode)[0] for key in methods]
    figure = go.Figure()
    # One trace a method, because error bars take their colour from the trace.
    for place, (key, tint) in enumerate(zip(methods, tints, strict=True)):
        known = np.isfinite(half[place])
        figure.add_trace(
            go.Scatter(
                x=[mean[place]],
                y=[labels[key]],
                error_x=dict(type="data", array=[half[place]], color=tint, thickness=2, width=6)
                if known
                else None,
                mode="markers",
                marker=dict(symbol=method_style(key, mode)[2], size=12, color=tint, line_width=2),
                name="measured here",
                showlegend=False,
                hovertemplate="%{y}: %{x:.3g}<extra>measured here</extra>",
            )
        )
    if paper:
        shared = [key for key in methods if key in paper]
        figure.add_trace(
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
    if zero_line:
        figure.add_vline(x=0.0, line=dict(color=colors.muted, width=1.5))
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    figure.update_xaxes(title_text=axis)
    framed(figure, title, mode, wrap=WRAP, height=HEIGHT)
    return figure.update_layout(**legend_below(colors, 0.22), hovermode="closest")


def _aside(m: np.ndarray, place: int, count: int) -> float:
    """A factor that puts a method a little beside the others, so that error bars can be told."""
    span = np.log(m.max() / m.min()) if m.size and m.max() > m.min() else 1.0
    return float(np.exp(0.009 * span * (place - (count - 1) / 2)))
