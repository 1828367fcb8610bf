"""Bars under a water line that is dragged up and down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.drawing.live.figure import Figure, Steps, packed, rounded
from lab.drawing.live.lines import Axis


def bars(
    names: Sequence[str],
    heights: np.ndarray,
    control: Steps,
    *,
    levels: Sequence[float] | np.ndarray,
    y: Axis,
    x_label: str,
    titles: Sequence[str],
    alts: Sequence[str],
    colors: Sequence[str] | None = None,
    settled: float | None = None,
    settled_name: str = "",
    keeps: str = "above",
    crosses: np.ndarray | None = None,
    **sizes,
) -> Figure:
    """Bars of `heights` (one row, or one a step) and a line at `levels[k]` for step k.

    What is above the line is drawn strong, what is under it faint, or the other way round where
    the line `keeps` what is "under" it; `settled` marks by a dashed
    line the level that is sought. `crosses`, one row a step, mark another height of each bar; NaN
    is none.
    """
    heights = np.atleast_2d(np.asarray(heights, dtype=float))
    frames, n = len(control.texts), len(names)
    if len(levels) != frames:
        raise ValueError(f"{frames} steps have {len(levels)} levels.")
    if heights.shape not in ((1, n), (frames, n)):
        raise ValueError(f"heights of shape {heights.shape} for {n} bars and {frames} steps.")
    if keeps not in ("above", "under"):
        raise ValueError(f"a line keeps what is above or under it, not {keeps!r}.")
    if crosses is not None and np.shape(crosses) != (frames, n):
        raise ValueError(f"crosses of shape {np.shape(crosses)} for {n} bars and {frames} steps.")
    content = dict(
        names=list(names),
        heights=packed(heights),
        colors=list(colors or ["accent"] * n),
        levels=rounded(levels),
        settled=settled,
        settled_name=settled_name,
        keeps=keeps,
        crosses=None if crosses is None else [rounded(row) for row in crosses],
        x=dict(label=x_label),
        y=y.spec(),
    )
    return Figure("bars", control, titles, alts, content, **sizes)
