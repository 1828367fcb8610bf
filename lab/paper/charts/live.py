"""Theorem 5's bounds beside the exact law, redrawn while the number of groups is dragged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lab.drawing import live
from lab.paper.bounds import BOUNDS, BoundView

EXACT = "exact"
LOOKS = {
    EXACT: dict(color="accent", thick=True),
    BOUNDS["union"]: dict(color="theory"),
    BOUNDS["chernoff"]: dict(color="theory", dash="dash"),
    BOUNDS["theorem"]: dict(color="locp"),
}


def live_bounds(views: Mapping[str, BoundView]) -> live.Figure:
    """P(balanced) against s; a frame for each of the `views`, by their numbers of groups."""
    s = np.unique(np.concatenate([view.s for view in views.values()]))
    ys = {name: np.full((len(views), s.size), np.nan) for name in LOOKS}
    for frame, view in enumerate(views.values()):
        at = np.searchsorted(s, view.s)
        ys[EXACT][frame, at] = view.exact
        for name, bound in view.bounds.items():
            ys[name][frame, at] = np.where(bound > 0.0, bound, np.nan)
    titles = [view.title for view in views.values()]
    ticks = tuple((float(value), f"{value:,}") for value in s)
    return live.family(
        [live.Member(name, ys[name], **look) for name, look in LOOKS.items()],
        live.Steps("Groups m", tuple(views), tuple(f"m = {m}" for m in views)),
        xs=s,
        x=live.Axis("true features s", float(s[0]) * 0.9, float(s[-1]) * 1.1, True, ticks),
        y=live.Axis("P(balanced)", -0.04, 1.04),
        nowhere="says nothing",
        titles=titles,
        alts=[
            f"Probability of balance against s, with three lower bounds. {title}."
            for title in titles
        ],
        phone_height=340,
    )
