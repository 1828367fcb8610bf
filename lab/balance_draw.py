"""One random split as a picture: a cell per group, tiles for its features, true ones marked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lab.balance import ratio_text
from solvers import grouping

# What a tile is.
BLANK, OTHER, TRUE_INSIDE, TRUE_OUTSIDE = 0, 1, 2, 3

# Beyond so many, tiles would be finer than the screen's dots.
MOST_FEATURE_TILES = 12_000
MOST_TRUE_TILES = 30_000


@dataclass(frozen=True)
class Draw:
    """A random split; which features are true does not matter, so the first s are."""

    n_true: int
    sizes: np.ndarray
    counts: np.ndarray

    @property
    def n_groups(self) -> int:
        return len(self.counts)

    @property
    def ideal(self) -> float:
        return self.n_true / self.n_groups

    @property
    def ratio(self) -> float:
        smallest = int(self.counts.min())
        return int(self.counts.max()) / smallest if smallest else math.inf

    def outside(self, t: float) -> np.ndarray:
        """Which groups lie outside (1 ± t)·s/m, decided in integers."""
        exact, mean = Fraction(str(t)), Fraction(self.n_true, self.n_groups)
        low, high = (1 - exact) * mean, (1 + exact) * mean
        return (self.counts < math.ceil(low)) | (self.counts > math.floor(high))

    def balanced(self, t: float) -> bool:
        exact = Fraction(str(t))
        low, high = int(self.counts.min()), int(self.counts.max())
        return low > 0 and high * (1 - exact) <= low * (1 + exact)


def draw(n_features: int, n_true: int, n_groups: int, seed: int) -> Draw:
    labels = grouping.random_labels(n_features, n_groups, seed)
    return Draw(
        n_true=n_true,
        sizes=np.bincount(labels, minlength=n_groups),
        counts=np.bincount(labels[:n_true], minlength=n_groups),
    )


@dataclass(frozen=True)
class Picture:
    """Tiles row by row; `unit` says what one tile is."""

    tiles: np.ndarray
    unit: str


def picture(found: Draw, t: float, seed: int) -> Picture:
    """Every feature a tile while they can be seen; else every true one; else every group.

    Where a true feature sits in its cell is chosen at random: the split says nothing about it.
    """
    marks = np.where(found.outside(t), TRUE_OUTSIDE, TRUE_INSIDE).astype(np.uint8)
    m, most = found.n_groups, max(int(found.counts.max()), 1)
    if int(found.sizes.sum()) + 3 * m <= MOST_FEATURE_TILES:
        shape = _cell_shape(int(found.sizes.max()))
        cells = _cells(found.sizes, shape, np.full(m, OTHER, np.uint8))
        rng = np.random.default_rng([seed, 1])
        for cell, size, count, mark in zip(cells, found.sizes, found.counts, marks, strict=True):
            cell[rng.permutation(size)[:count]] = mark
        unit = "feature"
    elif m * (math.isqrt(most) + 2) ** 2 <= MOST_TRUE_TILES:
        shape = _cell_shape(most)
        cells, unit = _cells(found.counts, shape, marks), "true feature"
    else:
        shape, cells, unit = (1, 1), marks[:, None], "group"
    gap = 0 if unit == "group" else 1 if shape[1] < 12 else 2
    return Picture(_laid_out(cells.reshape(m, *shape), gap), unit)


def _cell_shape(tiles: int) -> tuple[int, int]:
    """Rows and columns of a cell for so many tiles: nearly square, with few left over."""
    side = math.isqrt(tiles - 1) + 1
    columns = min(
        range(side, side + side // 3 + 1), key=lambda width: (-(-tiles // width) * width, width)
    )
    return -(-tiles // columns), columns


def _cells(filled: np.ndarray, shape: tuple[int, int], marks: np.ndarray) -> np.ndarray:
    """For each group a cell of tiles, the first so many of them filled with its mark."""
    positions = np.arange(shape[0] * shape[1])
    return np.where(positions < filled[:, None], marks[:, None], BLANK).astype(np.uint8)


def _laid_out(cells: np.ndarray, gap: int) -> np.ndarray:
    """Cells in rows, the gaps and the places after the last cell blank."""
    m, height, width = cells.shape
    columns = _cells_in_a_row(m, width / height)
    rows = -(-m // columns)
    padded = np.full((rows * columns, height + gap, width + gap), BLANK, np.uint8)
    padded[:m, :height, :width] = cells
    grid = padded.reshape(rows, columns, height + gap, width + gap).swapaxes(1, 2)
    grid = grid.reshape(rows * (height + gap), columns * (width + gap))
    return grid[: grid.shape[0] - gap, : grid.shape[1] - gap]


def _cells_in_a_row(m: int, cell_ratio: float) -> int:
    """As many as fill the rows best, in a picture somewhat wider than high."""
    ideal = math.sqrt(1.6 * m / cell_ratio)
    low, high = max(1, math.floor(0.8 * ideal)), max(1, math.ceil(1.25 * ideal))
    return min(
        range(low, min(high, m) + 1) if low <= m else [m],
        key=lambda columns: (-(-m // columns) * columns - m, abs(columns - ideal)),
    )


def picture_title(found: Draw) -> str:
    low, high = int(found.counts.min()), int(found.counts.max())
    return f"This draw: {low:,} to {high:,} true features a group"


def title(found: Draw, t: float) -> str:
    """Whether this draw is balanced, and why."""
    empty = int((found.counts == 0).sum())
    if empty:
        none = "one group holds" if empty == 1 else f"{empty:,} groups hold"
        return f"Not balanced: {none} no true feature"
    relation, verdict = ("≤", "Balanced") if found.balanced(t) else (">", "Not balanced")
    return (
        f"{verdict}: the largest is {found.ratio:.2f} {relation} {ratio_text(t)} times the smallest"
    )


def prose(found: Draw, t: float, unit: str) -> str:
    low, high = (1 - t) * found.ideal, (1 + t) * found.ideal
    outside = int(found.outside(t).sum())
    sizes = (
        f"{int(found.sizes.min()):,}"
        if found.sizes.min() == found.sizes.max()
        else f"{int(found.sizes.min()):,} or {int(found.sizes.max()):,}"
    )
    shown = {
        "feature": "each small tile is a feature, the strong ones are true",
        "true feature": "each tile is a true feature; the others are too many to draw",
        "group": "each tile is a group",
    }[unit]
    outliers = (
        "no group lies"
        if outside == 0
        else "1 group lies"
        if outside == 1
        else f"{outside:,} groups lie"
    )
    return (
        f"Each cell is a group of {sizes} features: {shown}. The ideal is s/m = {found.ideal:.4g} "
        f"true features a group; {outliers} outside the band (1 ± {t:g})·s/m = {low:.4g} to "
        f"{high:.4g}{', in orange' if outside else ''}. A split inside the band is "
        "balanced; one outside it may still be, because only the ratio of the largest to the "
        "smallest count decides."
    )
