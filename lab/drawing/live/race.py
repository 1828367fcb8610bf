"""A race, replayed: lines that grow up to a head, a finish line, and places behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, rounded
from lab.drawing.live.lines import Axis

MARKERS = ("circle", "square", "diamond", "triangle")
SPEEDS = (0.5, 1, 2, 4)
# A point in about five pixels of a wide window.
MOST_POINTS = 140


@dataclass(frozen=True, eq=False)
class Lane:
    """A lane of a race; `color` names a colour of the theme, `dash` is SVG's own list.

    `place` ("1", or "1–2" where that is not settled) and `finish` (where on the x axis) are those
    of one that has crossed the finish line, and `told` what is said about it; `low` and `high`
    bound a band.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    color: str = "accent"
    dash: str = ""
    marker: str = "circle"
    thick: bool = False
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    place: str | None = None
    finish: float | None = None
    told: str = ""

    def spec(self, x: Axis, y: Axis) -> dict[str, Any]:
        if self.marker not in MARKERS:
            raise ValueError(f"a head is one of {', '.join(MARKERS)}, not {self.marker!r}.")
        kept = _few(np.maximum(self.x, x.low), x)
        columns = dict(y=self.y, low=self.low, high=self.high)
        return dict(
            name=self.name,
            x=rounded(np.maximum(np.asarray(self.x)[kept], x.low)),
            color=self.color,
            dash=self.dash,
            marker=self.marker,
            thick=self.thick,
            place=self.place,
            finish=self.finish,
            told=self.told or self.name,
            **{
                name: rounded(np.clip(np.asarray(values)[kept], y.low, y.high))
                for name, values in columns.items()
                if values is not None
            },
        )


@dataclass(frozen=True, eq=False)
class Rate:
    """A grey line to compare slopes with."""

    name: str
    x: np.ndarray
    y: np.ndarray

    def spec(self) -> dict[str, Any]:
        return dict(name=self.name, x=rounded(self.x), y=rounded(self.y))


def head_places(x: Axis, reach: float, frames: int) -> np.ndarray:
    """Where on the axis the head stands in each frame: as far apart in every frame as drawn."""
    if x.log:
        return np.geomspace(x.low, max(reach, x.low), frames)
    return np.linspace(x.low, max(reach, x.low), frames)


def race(
    lanes: Sequence[Lane],
    control: Steps,
    *,
    x: Axis,
    y: Axis,
    reach: float,
    finish: float | None,
    finish_name: str = "",
    rates: Sequence[Rate] = (),
    growing: int = 0,
    titles: Sequence[str],
    alts: Sequence[str],
    **sizes,
) -> Figure:
    """Lines over x, each drawn up to the head, which goes from the axis's beginning to `reach`.

    Frame k of the control is `head_places(...)[k]`. `growing`: the race is still on, and its next
    picture will come in that many milliseconds, until when the lines grow.
    """
    content = dict(
        lanes=[lane.spec(x, y) for lane in lanes if len(lane.x)],
        rates=[rate.spec() for rate in rates],
        x=x.spec(),
        y=y.spec(),
        reach=float(reach),
        finish=finish,
        finish_name=finish_name,
        frames=len(control.texts),
        growing=growing,
    )
    options = dict(play=40, play_label="Play", speeds=SPEEDS, follows=True)
    return Figure("race", control, titles, alts, content, **(options | sizes))


def _few(xs: np.ndarray, x: Axis) -> np.ndarray:
    """Numbers of points evenly spread as drawn, with the first and the last."""
    xs = np.asarray(xs, dtype=float)
    drawn = np.log(xs) if x.log else xs
    if len(xs) <= MOST_POINTS:
        return np.arange(len(xs))
    wanted = np.linspace(drawn[0], drawn[-1], MOST_POINTS)
    return np.unique(np.append(np.searchsorted(drawn, wanted).clip(max=len(xs) - 1), len(xs) - 1))
