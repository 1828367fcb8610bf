"""A method at work in the plane of two unknowns, and its objective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, rounded
from lab.drawing.live.lines import Axis


def descent(
    iterates: np.ndarray,
    momentum: np.ndarray,
    gradient: np.ndarray,
    objective: np.ndarray,
    control: Steps,
    *,
    name: str,
    least: float,
    shapes: Sequence[Mapping[str, Any]],
    ball: str | None,
    x: Axis,
    y: Axis,
    objective_axis: Axis,
    titles: Sequence[str],
    alts: Sequence[str],
    **sizes,
) -> Figure:
    """Iterates 0 … k, and between them where the momentum and then the gradient led.

    The control has 2k + 1 steps: an iterate, the gradient step from it, the next iterate, … `ball`
    is the norm, "l1" or "linf", whose ball through the iterate is drawn.
    """
    steps = len(objective) - 1
    if len(control.texts) != 2 * steps + 1 or len(iterates) != steps + 1:
        raise ValueError(f"{steps} steps need {2 * steps + 1} frames, not {len(control.texts)}.")
    content = dict(
        iterates=[rounded(place) for place in iterates],
        momentum=[rounded(place) for place in momentum],
        gradient=[rounded(place) for place in gradient],
        objective=rounded(objective, 8),
        least=least,
        name=name,
        shapes=[dict(shape) for shape in shapes],
        ball=ball,
        x=x.spec(),
        y=y.spec(),
        steps=Axis("step", 0, steps).spec(),
        objective_axis=objective_axis.spec(),
    )
    return Figure("descent", control, titles, alts, content, **sizes)
