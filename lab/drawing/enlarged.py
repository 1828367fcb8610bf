"""A figure with larger type, for a projector."""

from __future__ import annotations

import re
from typing import Any

import plotly.graph_objects as go

_PIXELS = re.compile(r"font-size:\s*([\d.]+)px")
# Distances in pixels, by their own name or that of what they belong to.
_DISTANCES = ("height", "standoff")
_SIDES = ("margin", "pad")


def enlarged(figure: go.Figure, factor: float) -> go.Figure:
    """The figure with its fonts, height and margins times `factor`; the data stay as they are."""
    spec = figure.to_plotly_json()
    layout = _with_sizes(spec.get("layout", {}))
    return go.Figure(
        data=[_larger(trace, factor) for trace in spec.get("data", [])],
        layout=_larger(layout, factor),
        skip_invalid=True,
    )


def _with_sizes(layout: dict) -> dict:
    """The layout with the sizes that it else takes from the theme."""
    sized = {**layout, "font": {"size": 12, **layout.get("font", {})}}
    title = sized.get("title", {})
    sized["title"] = {**title, "font": {"size": 16, **title.get("font", {})}}
    for name in [name for name in sized if name.startswith(("xaxis", "yaxis"))]:
        axis, title = sized[name], sized[name].get("title", {})
        sized[name] = {
            **axis,
            "tickfont": {"size": 12, **axis.get("tickfont", {})},
            "title": {**title, "font": {"size": 14, **title.get("font", {})}},
        }
    return sized


def _larger(value: Any, factor: float, name: str = "") -> Any:
    if isinstance(value, dict):
        return {
            key: round(factor * part, 1)
            if _is_distance(key, name) and isinstance(part, int | float)
            else _larger(part, factor, key)
            for key, part in value.items()
        }
    if name in ("text", "ticktext") and isinstance(value, str):
        return _PIXELS.sub(lambda found: f"font-size:{factor * float(found[1]):.0f}px", value)
    if name in ("annotations", "shapes") and isinstance(value, list | tuple):
        return [_larger(part, factor) for part in value]
    return value


def _is_distance(key: str, owner: str) -> bool:
    return key in _DISTANCES or owner in _SIDES or (key == "size" and owner.endswith("font"))
