"""Paths in λ: every weight live under one norm, and what each path is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lab.drawing import live, theme
from lab.drawing.frame import framed_figure, legend_below
from lab.norms.paths import SHARES, NormPath, Paths
from lab.norms.shown import ERROR, F1

PATH_HEIGHT, PHONE_HEIGHT = 430, 380

NORM_DASHES = {"le": "solid", "l21": "dash", "l1": "dot", "l2": "dashdot"}
MOST_LABELS = 8
# Decades left of the weakest λ in a still picture, for the names of the lines.
NAMES_ROOM = 0.45
LABEL = "Strength λ, as a share of each norm's own scale"
TICKS = ((0.01, "0.01"), (0.1, "0.1"), (1.0, "1"), (10.0, "10"))
AXIS = "λ as a share of the norm's own scale"


def live_paths(
    paths: Paths,
    path: NormPath,
    *,
    places: Sequence[float],
    titles: Sequence[str],
    alts: Sequence[str],
    matched: bool,
    only_group: int | None = None,
) -> live.Figure:
    """Every weight against λ: those to be looked at strong and a few named, the others faint.

    To be looked at are the true features, or all of one group (from 0). `places` is where on this
    path the marker stands for each stop of the slider, which is ℓe's λ where that is `matched`.
    """
    strong, named = highlighted(paths, path, only_group)
    curves = [
        live.Curve(
            feature_name(paths, feature, short=True) if feature in named else "",
            path.coefs[:, feature],
            path.norm if feature in strong else "muted",
            thick=feature in strong and bool(paths.support[feature]),
            faint=feature not in strong,
            tip=feature_name(paths, feature),
        )
        # Strong lines last, above the faint ones.
        for feature in sorted(
            np.flatnonzero(path.coefs.any(axis=0)).tolist(), key=strong.__contains__
        )
    ]
    low, high = float(path.coefs.min()), float(path.coefs.max())
    room = 0.05 * ((high - low) or 1.0)
    return live.lines(
        curves,
        _steps(strength_label(path.norm, matched)),
        xs=path.shares,
        marker=places,
        x=live.Axis(AXIS, float(path.shares[0]), float(path.shares[-1]) * 1.1, True, TICKS),
        y=live.Axis("weight", low - room, high + room),
        titles=titles,
        alts=alts,
        names_at="start",
        height=PATH_HEIGHT,
        phone_height=PHONE_HEIGHT,
    )


def strength_label(norm: str, matched: bool) -> str:
    """Whose λ the slider sets."""
    label = theme.NORM_LABELS[norm]
    if matched and norm != "le":
        return f"Strength λ, share of ℓe's scale; {label} is matched"
    return f"Strength λ, as a share of {label}'s own scale"


def _steps(label: str) -> live.Steps:
    return live.Steps(label, SHARES, tuple(f"λ = {share}" for share in SHARES))


def highlighted(paths: Paths, path: NormPath, only_group: int | None) -> tuple[set, set]:
    """Which features are drawn strong, and which of them are named: the largest, well apart."""
    chosen = paths.support if only_group is None else paths.owners == only_group
    strong = np.flatnonzero(chosen & path.coefs.any(axis=0))
    ends = path.coefs[0]
    span = float(np.ptp(path.coefs)) or 1.0
    named: list[int] = []
    for feature in strong[np.argsort(-np.abs(ends[strong]), kind="stable")].tolist():
        if all(abs(ends[feature] - ends[other]) > 0.045 * span for other in named):
            named.append(feature)
        if len(named) == MOST_LABELS:
            break
    return set(strong.tolist()), set(named)


def feature_name(paths: Paths, feature: int, short: bool = False) -> str:
    group = int(paths.owners[feature]) + 1
    if short:
        return f"group {group}"
    true = ", true" if paths.support[feature] else ""
    return f"feature {feature + 1}, group {group}{true}"


def still_paths(
    paths: Paths,
    path: NormPath,
    *,
    current: float,
    title: str,
    mode: str,
    only_group: int | None = None,
) -> go.Figure:
    """One λ as a picture: the same lines, with an upright one at λ."""
    colors = theme.palette(mode)
    strong, named = highlighted(paths, path, only_group)
    order = sorted(np.flatnonzero(path.coefs.any(axis=0)).tolist(), key=strong.__contains__)
    data = [
        dict(
            type="scatter",
            x=path.shares,
            y=path.coefs[:, feature],
            mode="lines",
            line=dict(
                color=colors.norms[path.norm] if feature in strong else colors.border,
                width=2.6 if feature in strong and paths.support[feature] else 1.1,
            ),
            hovertemplate=f"{feature_name(paths, feature)}<br>λ at %{{x:.2g}}: w = %{{y:.3g}}"
            "<extra></extra>",
            name=feature_name(paths, feature),
            showlegend=False,
        )
        for feature in order
    ]
    labels = [
        dict(
            x=np.log10(path.shares[0]),
            y=float(path.coefs[0, feature]),
            text=feature_name(paths, feature, short=True),
            xanchor="right",
            xshift=-4,
            showarrow=False,
            font=dict(size=11, color=colors.norms[path.norm]),
        )
        for feature in sorted(named)
    ]
    return framed_figure(
        data,
        title,
        mode,
        height=PATH_HEIGHT,
        wrap=100,
        xaxis=_share_axis(path.shares, room=NAMES_ROOM),
        yaxis=dict(title_text="weight", zeroline=True, zerolinecolor=colors.border),
        shapes=[_upright(current, colors.text, 1.2)],
        annotations=labels,
        hovermode="closest",
    )


@dataclass(frozen=True)
class Metric:
    """A number of every fit: its name, column of a path, and the level that nothing should pass."""

    name: str
    column: str
    percent: bool = False

    def of(self, path: NormPath) -> np.ndarray:
        return getattr(path, self.column)

    def floor(self, paths: Paths) -> float | None:
        return paths.oracle_error if self.column == "errors" else None


METRICS = {
    F1: Metric(F1, "f1"),
    ERROR: Metric(ERROR, "errors", percent=True),
}
FLOOR = "true weights"


def live_metric(
    paths: Paths, metric: Metric, *, titles: Sequence[str], alts: Sequence[str]
) -> live.Figure:
    """One number of all four norms against λ, at the same share of each norm's own scale."""
    curves = [
        live.Curve(
            theme.NORM_LABELS[norm],
            metric.of(path),
            norm,
            x=path.shares,
            dash={"dashdot": "dash"}.get(NORM_DASHES[norm], NORM_DASHES[norm]),
            thick=norm == "le",
        )
        for norm, path in paths.by_norm.items()
    ]
    shares = paths.by_norm["le"].shares
    floor = metric.floor(paths)
    if floor is not None:
        level = np.full(shares.size, floor)
        curves.append(live.Curve(FLOOR, level, "theory", dash="dot", dots=False))
    top = max(1.0, *(float(metric.of(path).max()) for path in paths.by_norm.values()))
    return live.lines(
        curves,
        _steps(LABEL),
        xs=shares,
        marker=[float(share) for share in SHARES],
        x=live.Axis(AXIS, float(shares[0]), float(shares[-1]) * 1.1, True, TICKS),
        y=live.Axis(metric.name, 0.0, 1.02 * top, ticks=_levels(metric)),
        titles=titles,
        alts=alts,
        height=PATH_HEIGHT,
        phone_height=PHONE_HEIGHT,
    )


def _levels(metric: Metric) -> tuple[tuple[float, str], ...]:
    """Fifths of 1, at which the vertical axis has its numbers."""
    return tuple((k / 5, f"{20 * k} %" if metric.percent else f"{k / 5:g}") for k in range(6))


def still_metric(
    paths: Paths, metric: Metric, *, current: float, title: str, mode: str
) -> go.Figure:
    """One λ as a picture, the best of each norm marked by a star."""
    colors = theme.palette(mode)
    data, shapes = [], [_upright(current, colors.text, 1.2)]
    for norm, path in paths.by_norm.items():
        column, color, label = metric.of(path), colors.norms[norm], theme.NORM_LABELS[norm]
        at = int(np.argmin(column) if metric.percent else np.argmax(column))
        data.append(
            go.Scatter(
                x=path.shares,
                y=column,
                mode="lines",
                line=dict(color=color, width=3 if norm == "le" else 2, dash=NORM_DASHES[norm]),
                name=label,
                hovertemplate=f"{label}, λ at %{{x:.2g}}: %{{y:.3g}}<extra></extra>",
            )
        )
        data.append(
            go.Scatter(
                x=path.shares[[at]],
                y=column[[at]],
                mode="markers",
                marker=dict(color=color, symbol="star", size=12),
                hovertemplate=f"{label}, best: %{{y:.3g}} at %{{x:.2g}}<extra></extra>",
                showlegend=False,
            )
        )
    floor = metric.floor(paths)
    if floor is not None:
        line = dict(color=colors.theory, dash="dot", width=1.5)
        shapes.append(dict(type="line", xref="paper", x0=0, x1=1, y0=floor, y1=floor, line=line))
    return framed_figure(
        data,
        title,
        mode,
        height=PATH_HEIGHT,
        wrap=100,
        xaxis=_share_axis(paths.by_norm["le"].shares),
        yaxis=dict(
            title_text=metric.name,
            rangemode="tozero",
            tickvals=[level for level, _ in _levels(metric)],
            ticktext=[text for _, text in _levels(metric)],
        ),
        shapes=shapes,
        **legend_below(colors, 0.26),
    )


def _upright(x: float, color: str, width: float) -> dict:
    """A dotted line from the bottom of the plot to its top."""
    line = dict(color=color, width=width, dash="dot")
    return dict(type="line", yref="paper", x0=x, x1=x, y0=0, y1=1, line=line)


def _share_axis(shares, room: float = 0.02) -> dict:
    low, high = np.log10(shares[0]), np.log10(shares[-1])
    return dict(
        type="log",
        title_text=AXIS,
        range=[low - room, high + 0.05],
        tickvals=[0.01, 0.1, 1, 10],
        ticktext=["0.01", "0.1", "1", "10"],
        showgrid=False,
    )
