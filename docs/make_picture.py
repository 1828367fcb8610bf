"""Draw docs/shrinkage.svg: one vector shrunk by the exclusive norm and by ℓ1 to as many nonzeros.

    python -m docs.make_picture

The picture is computed, not drawn by hand; a test compares the committed file with a fresh one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab.drawing import theme
from lab.home import shrinkage
from lab.pattern import Pattern
from lab.words import counted

PATH = Path(__file__).with_name("shrinkage.svg")
CELL, GAP, LEFT, TOP, BETWEEN = 22, 2, 20, 64, 60


def picture() -> str:
    """The SVG text. Tiles darken with their share of the largest weight; zeros are pale."""
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, float(shrinkage.DEFAULT_ZETA))
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    width = shrinkage.GROUP_SIZE * (CELL + GAP)
    height = shrinkage.N_GROUPS * (CELL + GAP)
    parts = [
        _panel(exclusive, "ℓe", LEFT),
        _panel(lasso, "ℓ1", LEFT + width + BETWEEN),
    ]
    total = 2 * LEFT + 2 * width + BETWEEN
    alt = "Two grids of weights, one row per group: "
    alt += "; ".join(_title(n, p) for n, p in (("ℓe", exclusive), ("ℓ1", lasso)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{TOP + height + 34}" '
        f'font-family="Georgia, serif" role="img" aria-label="{alt}">\n'
        f'<rect width="100%" height="100%" fill="{theme.LIGHT.background}"/>\n'
        + "".join(parts)
        + "</svg>\n"
    )


def _title(norm: str, pattern: Pattern) -> str:
    """A chart title for one pattern: how many weights it keeps, and how many groups it empties."""
    if pattern.n_empty:
        finding = f"{counted(pattern.n_empty, 'group')} empty"
    else:
        finding = f"all {pattern.groups.n_groups} groups"
    return f"{norm}: {pattern.nonzeros} weights, {finding}"


def _panel(pattern: Pattern, norm: str, left: int) -> str:
    colors = theme.LIGHT
    title, _, detail = _title(norm, pattern).partition(", ")
    lines = [
        f'<text x="{left}" y="26" font-size="17" fill="{colors.text}">{title}</text>\n',
        f'<text x="{left}" y="48" font-size="14" fill="{colors.muted}">{detail}</text>\n',
    ]
    largest = np.abs(pattern.weights).max()
    for row, weights in enumerate(pattern.grid):
        for column, weight in enumerate(weights):
            x, y = left + column * (CELL + GAP), TOP + row * (CELL + GAP)
            fill, opacity = colors.surface, 1.0
            if weight != 0.0:
                fill = colors.positive if weight > 0.0 else colors.negative
                opacity = 0.25 + 0.75 * abs(weight) / largest
            lines.append(
                f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="2" fill="{fill}" '
                f'fill-opacity="{opacity:.2f}"/>\n'
            )
    bottom = TOP + shrinkage.N_GROUPS * (CELL + GAP) + 18
    note = "one row per group; blue positive, orange negative"
    lines.append(
        f'<text x="{left}" y="{bottom}" font-size="12" fill="{colors.muted}">{note}</text>\n'
    )
    return "".join(lines)


if __name__ == "__main__":
    PATH.write_text(picture(), encoding="utf-8")
    print(f"wrote {PATH.name}")
