"""A cone over two weights in space, to be turned, with a point to drag."""

from __future__ import annotations

from lab.drawing.live.figure import Figure, Point


def space(
    cone: str,
    control: Point,
    *,
    polar: bool,
    names: tuple[str, str, str],
    title: str,
    alt: str,
    **sizes,
) -> Figure:
    """Two weights, their height, ζ and the direction it is seen from, in degrees, are the control.

    `cone` is "l1" or "linf". All that follows the point is computed in the browser, the scale too.
    """
    if cone not in ("l1", "linf"):
        raise ValueError(f"a cone is l1 or linf, not {cone!r}.")
    if len(control.labels) != 5:
        raise ValueError("a cone in space is shown for two weights, a height, ζ and a turn.")
    content = dict(cone=cone, polar=polar, names=list(names))
    return Figure("space", control, [title], [alt], content, **sizes)
