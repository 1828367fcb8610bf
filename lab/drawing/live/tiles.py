"""Panels of signed tiles on one colour scale, a row per group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import HEIGHT, PHONE_HEIGHT, Figure, Steps, packed


@dataclass(frozen=True, eq=False)
class Panel:
    """One grid: its name, weights and caption per frame; one frame alone stands still.

    `weights` is frames × groups × features; `short` names the panel in a tooltip. `claim` is said
    of the panel beforehand and ticked in the frames where it is `seen`; `draws` (frames × draws)
    says in which of many draws it was.
    """

    name: str
    weights: np.ndarray
    captions: Sequence[str]
    short: str = ""
    claim: str = ""
    seen: Sequence[bool] = ()
    draws: np.ndarray | None = None

    def check(self, frames: int, groups: int, size: int) -> None:
        """Whether it has what every frame needs, in the shape of its neighbours."""
        own = self.weights.shape[0]
        if own not in (1, frames) or self.weights.shape[1:] != (groups, size):
            raise ValueError(
                f"panel {self.name!r} has weights of shape {self.weights.shape}; "
                f"they must be {frames} × {groups} × {size}, or 1 × {groups} × {size}."
            )
        if len(self.captions) not in (1, frames):
            raise ValueError(f"panel {self.name!r} has {len(self.captions)} captions.")
        if self.claim and len(self.seen) != frames:
            raise ValueError(f"panel {self.name!r} says {len(self.seen)} times what is seen.")
        if self.draws is not None and len(self.draws) != frames:
            raise ValueError(f"panel {self.name!r} has draws for {len(self.draws)} frames.")

    def spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = dict(
            name=self.name,
            short=self.short or self.name,
            captions=list(self.captions),
            weights=packed(self.weights),
        )
        if self.claim:
            spec |= dict(claim=self.claim, seen=_bits(self.seen))
        if self.draws is not None:
            spec["draws"] = [_bits(row) for row in self.draws]
        return spec


def _bits(flags: Sequence[bool] | np.ndarray) -> str:
    return "".join("01"[bool(flag)] for flag in flags)


def tiles(
    panels: Sequence[Panel],
    control: Steps,
    *,
    titles: Sequence[str],
    alts: Sequence[str],
    row_names: Sequence[str] = (),
    tile_names: Sequence[str] | None = None,
    outlined: np.ndarray | None = None,
    shared: int = 0,
    scale: str = "all",
    across: int = 4,
    phone_across: int = 2,
    height: int = HEIGHT,
    phone_height: int = PHONE_HEIGHT,
    play: int = 0,
) -> Figure:
    """Grids of weights side by side: blue positive, orange negative, an empty row says so.

    The tile of one feature lights up in all panels; `outlined` (groups × features) has a line
    around the true ones. The last `shared` columns, which repeat features of the next row, are set
    apart by a line. The colour scale is one for all panels: of "all" frames, so that shrinking is
    seen, or of each "frame", so that patterns are.
    """
    if scale not in ("all", "frame"):
        raise ValueError(f"a colour scale is of all frames or of each frame, not of {scale!r}.")
    groups, size = panels[0].weights.shape[1:]
    for panel in panels:
        panel.check(len(control.texts), groups, size)
    if row_names and len(row_names) != groups:
        raise ValueError(f"{groups} rows have {len(row_names)} names.")
    if tile_names is None:
        tile_names = [
            f"group {group + 1}, feature {feature + 1}"
            for group in range(groups)
            for feature in range(size)
        ]
    content = dict(
        rows=groups,
        columns=size,
        row_names=list(row_names),
        tile_names=list(tile_names),
        outlined=[] if outlined is None else np.flatnonzero(outlined).tolist(),
        across=across,
        phone_across=phone_across,
        shared=shared,
        scale=scale,
        panels=[panel.spec() for panel in panels],
    )
    return Figure(
        "tiles",
        control,
        titles,
        alts,
        content,
        height=height,
        phone_height=phone_height,
        play=play,
    )
