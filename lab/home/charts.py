"""The home page's figure: the data, and what three norms leave of them, live under ζ."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lab.drawing import Figure, live, side_by_side
from lab.home import shrinkage
from lab.pattern import Pattern

NAMES = {
    "c": "The data c",
    "le": "Exclusive norm ℓe",
    "l1": "ℓ1, as many weights",
    "l21": "Group lasso, whole groups",
}
SHORT = {"c": "data", "le": "ℓe", "l1": "ℓ1", "l21": "group lasso"}
LABEL = "Strength ζ of the exclusive norm: further right, fewer weights survive"


def row_names(c: Pattern) -> list[str]:
    """The groups by number, but for the quietest and the loudest."""
    loudness = shrinkage.loudness(c)
    names = [f"group {group + 1}" for group in range(c.groups.n_groups)]
    names[int(np.argmin(loudness))] = "quietest group"
    names[int(np.argmax(loudness))] = "loudest group"
    return names


def live_shrinkage(c: Pattern, frames: Mapping[str, Mapping[str, Pattern]]) -> live.Figure:
    """`frames[zeta]` has the patterns of "le", "l1" and "l21"; the data stand still beside them."""
    patterns = {key: [frame[key] for frame in frames.values()] for key in ("le", "l1", "l21")}
    said = [shrinkage.answer(frame["le"], frame["l1"], frame["l21"]) for frame in frames.values()]
    unequal = shrinkage.unequal(c)
    return live.tiles(
        [
            live.Panel(
                NAMES["c"], c.grid[None], [f"{c.groups.n_groups} groups; {unequal}"], SHORT["c"]
            ),
            *(
                live.Panel(
                    NAMES[key],
                    np.stack([pattern.grid for pattern in of_norm]),
                    [shrinkage.caption(pattern) for pattern in of_norm],
                    SHORT[key],
                )
                for key, of_norm in patterns.items()
            ),
        ],
        live.Steps(LABEL, tuple(frames), tuple(f"ζ = {zeta}" for zeta in frames)),
        titles=[f"At ζ = {zeta}, {_short(frame)}" for zeta, frame in frames.items()],
        alts=[
            f"Four grids of weights, one row per group: the data ({unequal}) and what three norms "
            f"leave of them. At ζ = {zeta} {sentence}."
            for zeta, sentence in zip(frames, said, strict=True)
        ],
        row_names=row_names(c),
    )


def _short(frame: Mapping[str, Pattern]) -> str:
    silenced = [f"{SHORT[key]} silences {frame[key].n_empty or 'none'}" for key in ("l1", "l21")]
    total = frame["le"].groups.n_groups
    return (
        f"ℓe hears {frame['le'].n_alive} of {total} groups with {frame['le'].nonzeros} weights; "
        + " and the ".join(silenced)
    )


def still_shrinkage(patterns: Mapping[str, Pattern], title: str, mode: str) -> Figure:
    """One ζ as a picture: the four grids side by side, on one scale."""
    return side_by_side(
        {NAMES[key]: pattern.grid for key, pattern in patterns.items()},
        title=title,
        mode=mode,
        row_names=row_names(patterns["c"]),
    )
