"""Curves that move with the value, over axes that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, rounded
from lab.drawing.live.lines import Axis, dash_class


@dataclass(frozen=True, eq=False)
class Member:
    """One curve in all frames (`ys`, frames × places; NaN where it has no value)."""

    name: str
    ys: np.ndarray
    color: str = "accent"
    dash: str = "solid"
    thick: bool = False

    def spec(self) -> dict[str, Any]:
        return dict(
            name=self.name,
            ys=[rounded(row) for row in self.ys],
            color=self.color,
            dash=dash_class(self.dash),
            thick=self.thick,
        )


def family(
    curves: Sequence[Member],
    control: Steps,
    *,
    xs: Sequence[float] | np.ndarray,
    x: Axis,
    y: Axis,
    nowhere: str,
    titles: Sequence[str],
    alts: Sequence[str],
    **sizes,
) -> Figure:
    """Curves over `xs`, another shape of each for every step; names stand at their ends.

    `nowhere` is said of a curve that has no value in a frame.
    """
    shape = (len(control.texts), len(xs))
    for curve in curves:
        if curve.ys.shape != shape:
            raise ValueError(f"curve {curve.name!r} is {curve.ys.shape}, and must be {shape}.")
    content = dict(
        curves=[curve.spec() for curve in curves],
        xs=rounded(xs),
        x=x.spec(),
        y=y.spec(),
        nowhere=nowhere,
    )
    return Figure("family", control, titles, alts, content, **sizes)
