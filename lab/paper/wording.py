"""Numbers as the sentences of this page write them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lab import words
from lab.words import counted, duration, signed


def percent(share: float, digits: int = 0) -> str:
    """Whole per cents, for most sentences of this page."""
    return words.percent(share, digits)


def power_of_ten(value: float) -> str:
    """The size of an error, or that there is none."""
    return signed(f"{value:.0e}") if value else "0"


def missed(amounts: Sequence[float]) -> str:
    """In how many draws something was not reached, being infinite there; or nothing."""
    count, of = sum(not math.isfinite(amount) for amount in amounts), len(amounts)
    if not count:
        return ""
    if count < of:
        return f"in {count} of {of} draws"
    return f"in any of {of} draws" if of > 1 else "in the only draw"


def reached(seconds: Sequence[float]) -> str:
    """The median of the draws, and in how many it is not there."""
    middle, where = float(np.median(seconds)), missed(seconds)
    if not math.isfinite(middle):
        return f"not {where}"
    return f"{duration(middle)} (not {where})" if where else duration(middle)


def as_long(ones: Sequence[float], others: Sequence[float]) -> str | None:
    """How many times as long the others take, draw by draw: the median and the range.

    None where no draw has both.
    """
    ratios = [
        other / one
        for one, other in zip(ones, others, strict=True)
        if math.isfinite(one) and math.isfinite(other)
    ]
    if not ratios:
        return None
    middle, low, high = (f"{value:.3g}" for value in (np.median(ratios), min(ratios), max(ratios)))
    if len(ratios) == 1:
        return f"{middle} times as long in one draw"
    ends = f"{low} to {high} over" if low != high else f"{low} in each of"
    return f"{middle} times as long ({ends} {counted(len(ratios), 'draw')})"
