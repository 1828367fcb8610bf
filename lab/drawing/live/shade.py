"""Shares as shade over two axes, with lines over them and a marker on one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, packed, rounded
from lab.drawing.live.lines import Axis, dash_class


@dataclass(frozen=True, eq=False)
class Border:
    """A line over the shade, named below the picture."""

    name: str
    x: np.ndarray
    y: np.ndarray
    color: str = "text"
    dash: str = "solid"

    def spec(self) -> dict[str, Any]:
        points = [rounded(point) for point in zip(self.x, self.y, strict=True)]
        return dict(name=self.name, points=points, color=self.color, dash=dash_class(self.dash))


def shade(
    columns: np.ndarray,
    rows: np.ndarray,
    shares: np.ndarray,
    control: Steps,
    *,
    at: float,
    marker: Sequence[float] | np.ndarray,
    lines: Sequence[Border],
    x: Axis,
    y: Axis,
    names: tuple[str, str, str],
    corner: str,
    titles: Sequence[str],
    alts: Sequence[str],
    **sizes,
) -> Figure:
    """Tiles of `shares` (rows × columns, NaN where there is none) and a marker on the column `at`.

    The marker stands at `marker[k]` for step k and is dragged up and down; `names` are those of a
    column, a row and a share in a tooltip; `corner` is said of where no tiles are.
    """
    if shares.shape != (len(rows), len(columns)):
        raise ValueError(f"{shares.shape} shares for {len(rows)} rows, {len(columns)} columns.")
    if len(marker) != len(control.texts):
        raise ValueError(f"{len(control.texts)} steps have {len(marker)} places of the marker.")
    content = dict(
        columns=rounded(columns),
        rows=rounded(rows),
        shares=packed(np.where(np.isnan(shares), -1.0, shares)),
        at=float(at),
        marker=rounded(marker),
        lines=[line.spec() for line in lines],
        x=x.spec(),
        y=y.spec(),
        names=list(names),
        corner=corner,
    )
    return Figure("shade", control, titles, alts, content, **sizes)
