"""Marked features fall into buckets, draw after draw, and a histogram of the draws grows beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.drawing.live.figure import Figure, Steps, packed, rounded


@dataclass(frozen=True, eq=False)
class Histogram:
    """Where each draw falls, and the share of draws that the law puts into each bin.

    `falls[k]` is the bin of draw k. Bins from `bad_from` on are drawn as failures. `ticks` are
    (place, words), a place being the number of a bin's left edge; `limit` marks one such edge.
    """

    falls: Sequence[int]
    law: Sequence[float] | np.ndarray
    names: Sequence[str]
    ticks: Sequence[tuple[float, str]]
    bad_from: int
    limit: str
    label: str

    def spec(self) -> dict[str, Any]:
        bins = len(self.law)
        if len(self.names) != bins:
            raise ValueError(f"{bins} bins have {len(self.names)} names.")
        if not all(0 <= bin_ < bins for bin_ in self.falls):
            raise ValueError(f"a draw falls outside the {bins} bins.")
        return dict(
            falls=[int(bin_) for bin_ in self.falls],
            law=rounded(self.law),
            names=list(self.names),
            ticks=[[float(place), words] for place, words in self.ticks],
            bad_from=int(self.bad_from),
            limit=self.limit,
            label=self.label,
        )


def buckets(
    counts: np.ndarray,
    histogram: Histogram,
    control: Steps,
    *,
    ratio: float,
    label: str,
    words: Mapping[str, str],
    names: Sequence[str],
    titles: Sequence[str],
    alts: Sequence[str],
    **options,
) -> Figure:
    """Buckets with `counts[k]` marked features at step k, whose text is how many draws were made.

    The fullest and the emptiest are named, and a dashed line stands at `ratio` times the emptiest,
    which no bucket may pass. `words` names "fullest", "emptiest" and "limit". `names` are the
    buckets' own, for their tooltips.
    """
    counts = np.asarray(counts)
    if counts.shape != (len(control.texts), len(names)):
        raise ValueError(
            f"counts of shape {counts.shape} for {len(control.texts)} steps and {len(names)} names."
        )
    draws = [int(text) for text in control.texts]
    if draws != sorted(draws) or draws[-1] > len(histogram.falls) or draws[0] < 1:
        raise ValueError("the steps must be rising numbers of draws, none beyond the histogram's.")
    content = dict(
        counts=packed(counts),
        names=list(names),
        draws=draws,
        ratio=float(ratio),
        label=label,
        words=dict(words),
        histogram=histogram.spec(),
    )
    return Figure("buckets", control, titles, alts, content, **options)
