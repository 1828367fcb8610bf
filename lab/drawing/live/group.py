"""A group of two weights: bars under a water line, and the plane in which it is a point."""

from __future__ import annotations

from collections.abc import Sequence

from lab.drawing.live.figure import Figure, Point
from lab.drawing.live.lines import Axis


def group(
    names: Sequence[str],
    control: Point,
    *,
    bars: Axis,
    x: Axis,
    y: Axis,
    title: str,
    alt: str,
    **sizes,
) -> Figure:
    """The two weights and ζ are the control; all the rest is computed in the browser.

    The water line can be dragged too; let go, it settles where ζ times what stands out of it is
    its own height, which is the step's δ.
    """
    if len(control.labels) != 3 or len(names) != 2:
        raise ValueError("a group is shown for two weights and ζ.")
    content = dict(names=list(names), bars=bars.spec(), x=x.spec(), y=y.spec())
    return Figure("group", control, [title], [alt], content, **sizes)
