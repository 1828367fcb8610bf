"""A small picture of each of the three steps, of the very numbers of the figure above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lab.drawing import theme
from lab.home.shrinkage import loudness
from lab.pattern import Pattern
from lab.words import counted, percent

WIDTH, HEIGHT, EDGE = 300, 120, 4
ROWS = {"le": "ℓe", "l1": "ℓ1", "l21": "group lasso"}
NAMES_WIDTH = 94


@dataclass(frozen=True)
class Picture:
    """An SVG, and what it shows in words and numbers."""

    svg: str
    words: str


def of_steps(c: Pattern, found: Mapping[str, Pattern], zeta: str, mode: str) -> list[Picture]:
    """Inside a group, across groups, and what the others choose, at one ζ."""
    return [
        inside(c, found["le"], zeta, mode),
        across(c, found["le"], zeta, mode),
        others(found, zeta, mode),
    ]


def inside(c: Pattern, left: Pattern, zeta: str, mode: str) -> Picture:
    """The sizes in the loudest group, and what ℓe leaves of them."""
    loudest = int(np.argmax(loudness(c)))
    before, after = np.abs(c.grid[loudest]), np.abs(left.grid[loudest])
    kept = int(np.count_nonzero(after))
    left_are = "all are" if kept == before.size else "1 is" if kept == 1 else f"{kept} are"
    return Picture(
        _bars(before, after, mode),
        f"The loudest group at ζ = {zeta}: of {before.size} weights (outlined) {left_are} left "
        "(filled).",
    )


def across(c: Pattern, left: Pattern, zeta: str, mode: str) -> Picture:
    """The sum of sizes in every group, and what ℓe leaves of it."""
    before, after = (np.abs(pattern.grid).sum(axis=1) for pattern in (c, left))
    share = after / before
    return Picture(
        _bars(before, after, mode),
        f"The sums of the {before.size} groups at ζ = {zeta}: the quietest keeps "
        f"{percent(share[0], 0)} of its sum, the loudest {percent(share[-1], 0)}.",
    )


def others(found: Mapping[str, Pattern], zeta: str, mode: str) -> Picture:
    """How many weights each norm keeps in each group."""
    kept = {key: np.count_nonzero(found[key].grid, axis=1) for key in ROWS}
    most = max(int(counts.max()) for counts in kept.values())
    empty = {key: found[key].n_empty for key in ROWS}
    of_le = counted(empty["le"], "group") if empty["le"] else "no group"
    return Picture(
        _counts(kept, most, mode),
        f"Weights left in each group at ζ = {zeta}, in the order of the figure's rows: ℓe leaves "
        f"{of_le} empty, ℓ1 {empty['l1'] or 'none'} and the group lasso {empty['l21'] or 'none'}.",
    )


def _bars(before: np.ndarray, after: np.ndarray, mode: str) -> str:
    colors = theme.palette(mode)
    step, scale = WIDTH / before.size, (HEIGHT - 2 * EDGE) / before.max()
    floor, wide = HEIGHT - EDGE, 0.7 * step
    parts = []
    for k, (outer, inner) in enumerate(zip(scale * before, scale * after, strict=True)):
        x = k * step + 0.15 * step
        parts.append(
            _rect(x, floor - outer, wide, outer, f'fill="none" stroke="{colors.muted}"')
            + _rect(x, floor - inner, wide, inner, f'fill="{colors.accent}"')
        )
    return _svg(parts)


def _counts(kept: Mapping[str, np.ndarray], most: int, mode: str) -> str:
    colors = theme.palette(mode)
    high = HEIGHT / len(kept)
    parts = []
    for row, (key, counts) in enumerate(kept.items()):
        y, step = row * high, (WIDTH - NAMES_WIDTH) / counts.size
        parts.append(_text(0, y + high / 2, ROWS[key], colors.text, "start"))
        for group, count in enumerate(counts):
            x = NAMES_WIDTH + group * step
            look = f'fill="{colors.accent}" fill-opacity="{0.12 + 0.3 * count / most:.2f}"'
            empty = f'fill="none" stroke="{colors.border}"'
            parts.append(_rect(x + 1, y + 5, step - 2, high - 10, look if count else empty))
            parts.append(_text(x + step / 2, y + high / 2, str(count), colors.text, "middle"))
    return _svg(parts)


def _rect(x: float, y: float, width: float, height: float, look: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="1.5" {look}/>'
    )


def _text(x: float, y: float, words: str, color: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" fill="{color}" text-anchor="{anchor}">{words}</text>'


def _svg(parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">'
        + "".join(parts)
        + "</svg>"
    )
