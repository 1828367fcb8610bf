"""A plane with shapes and a point to drag, and what a function computes from the point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.drawing.live.figure import Figure, Point
from lab.drawing.live.lines import Axis


def plane(
    shapes: Sequence[Mapping[str, Any]],
    control: Point,
    *,
    x: Axis,
    y: Axis,
    title: str,
    alt: str,
    follows: str | None = None,
    numbers: Mapping[str, Any] | None = None,
    notes: int = 0,
    stretch: float = 1.0,
    grows: str = "",
    **sizes,
) -> Figure:
    """Shapes that stand still, a point to drag, and the shapes that follow it.

    A shape is a mapping: `type` polygon or line (`points`), ellipse (`center` and `axes`, its two
    half axes), dot (`at`); `color` of the theme; optional `class` ("filled", "dashed", "faint"),
    `name` for a tooltip, `label` with `label_at`. `follows` names a function of MATHS that gets
    {point, **numbers} and returns {shapes, title, alt} and, where `notes` says how many have room
    beside the plane, {notes}: names with their colours, and words, each. A unit upwards is drawn
    `stretch` times as long as one across. With `grows`, the name of a button, it also gets {grown},
    which goes from 0 to 1 on a press of that button and where the point is let go.
    """
    content = dict(
        shapes=[dict(shape) for shape in shapes],
        follows=follows,
        numbers=dict(numbers or {}),
        notes=notes,
        stretch=stretch,
        grows=grows,
        title=title,
        alt=alt,
        x=x.spec(),
        y=y.spec(),
    )
    return Figure("plane", control, [title], [alt], content, **sizes)
