"""Curves with a marker that follows the value and is dragged along their axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, rounded


@dataclass(frozen=True)
class Axis:
    """An axis in words with its range; ticks as (place, words) where they are not the usual."""

    label: str
    low: float
    high: float
    log: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None

    def spec(self) -> dict[str, Any]:
        if not self.low < self.high or (self.log and self.low <= 0):
            raise ValueError(
                f"axis {self.label!r} cannot go from {self.low} to {self.high}"
                + (" on a logarithmic scale." if self.log else ".")
            )
        return dict(
            label=self.label,
            range=[self.low, self.high],
            scale="log" if self.log else "linear",
            ticks=None if self.ticks is None else [list(tick) for tick in self.ticks],
        )


def dash_class(dash: str) -> str:
    """A line's dash as the browser's styles call it."""
    return {"solid": "solid", "dash": "dashed", "dot": "dotted"}[dash]


@dataclass(frozen=True)
class Guide:
    """A dashed line across the picture, with its name: upright at an x, or level at a y."""

    at: float
    name: str
    color: str = "muted"
    level: bool = False

    def spec(self) -> dict[str, Any]:
        return dict(at=float(self.at), name=self.name, color=self.color, level=self.level)


@dataclass(frozen=True, eq=False)
class Curve:
    """One line; `color` names a colour of the theme. NaN is a gap.

    A faint one has its name only in its tooltip; `low` and `high` bound a band around it. `inside`
    puts the name at the line's own end, for lines that end before the axis does.
    """

    name: str
    y: Sequence[float] | np.ndarray
    color: str = "accent"
    x: Sequence[float] | np.ndarray | None = None
    dash: str = "solid"
    thick: bool = False
    faint: bool = False
    dots: bool = True
    inside: bool = False
    low: Sequence[float] | np.ndarray | None = None
    high: Sequence[float] | np.ndarray | None = None
    tip: str = ""

    def spec(self) -> dict[str, Any]:
        given = dict(x=self.x, low=self.low, high=self.high)
        return dict(
            name=self.name,
            y=rounded(self.y),
            color=self.color,
            dash=dash_class(self.dash),
            thick=self.thick,
            faint=self.faint,
            dots=self.dots and not self.faint,
            inside=self.inside,
            tip=self.tip or self.name,
            **{key: rounded(values) for key, values in given.items() if values is not None},
        )


def lines(
    curves: Sequence[Curve],
    control: Steps,
    *,
    xs: Sequence[float] | np.ndarray,
    marker: Sequence[float] | np.ndarray,
    x: Axis,
    y: Axis,
    titles: Sequence[str],
    alts: Sequence[str],
    names_at: str = "end",
    guides: Sequence[Guide] = (),
    handle: int | None = None,
    **sizes,
) -> Figure:
    """Curves over `xs` and a marker at `marker[k]` for step k, to be dragged on the axis itself.

    A curve's dot stands at its point nearest to the marker. Its name stands at its "end", or at
    its "start" inside the picture, before the axis's lowest value. With a `handle` the
    marker rides on the curve of that number instead of the axis.
    """
    if names_at not in ("start", "end"):
        raise ValueError(f"names stand at the start or the end of curves, not at {names_at!r}.")
    if len(marker) != len(control.texts):
        raise ValueError(f"{len(control.texts)} steps have {len(marker)} places of the marker.")
    for curve in curves:
        over = xs if curve.x is None else curve.x
        if len(curve.y) != len(over):
            raise ValueError(f"curve {curve.name!r} has {len(curve.y)} points over {len(over)}.")
    content = dict(
        curves=[curve.spec() for curve in curves],
        xs=rounded(xs),
        marker=rounded(marker),
        x=x.spec(),
        y=y.spec(),
        names_at=names_at,
        guides=[guide.spec() for guide in guides],
        handle=handle,
    )
    return Figure("lines", control, titles, alts, content, **sizes)
