"""Values far from all others, in a number to predict or in a feature: slips, or codes for a gap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lab.words import counted, signed

FAR_OFF, MOST_FAR_OFF = 8.0, 0.1
# In a feature, where a long tail is no fault: so many deviations, and so many times the next.
VERY_FAR, TIMES_THE_NEXT = 50.0, 10.0
LOOKED_AT_ROWS = 2_000
_TO_DEVIATIONS = 1.4826  # of normal values, from the median distance


def in_target(target: pd.Series) -> int:
    """How many values of a number to predict are many deviations from the middle, if a few are."""
    values = pd.to_numeric(target, errors="coerce").to_numpy(dtype=float)
    values = values[np.isfinite(values)]
    if values.size < 20 or not (values % 1 != 0).any():  # counts have a loss of their own
        return 0
    distance = np.abs(values - np.median(values))
    spread = _TO_DEVIATIONS * float(np.median(distance))
    far = int(np.count_nonzero(distance > FAR_OFF * spread)) if spread > 0.0 else 0
    return far if far <= MOST_FAR_OFF * values.size else 0


def in_features(frame: pd.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """By column, what is said of its few values that are far from all others.

    One such value decides a column's scale, and with it what becomes of all the others.
    """
    if not names or len(frame) < 10:
        return {}
    block = frame[list(names)].to_numpy(dtype=float, na_value=np.nan)
    some = block[:: max(1, len(block) // LOOKED_AT_ROWS)]
    filled = np.isfinite(some).any(axis=0)
    names, block, some = np.asarray(names)[filled].tolist(), block[:, filled], some[:, filled]
    with np.errstate(invalid="ignore"):
        middle = np.nanmedian(some, axis=0)
        spread = _TO_DEVIATIONS * np.nanmedian(np.abs(some - middle), axis=0)
        distance = np.abs(block - middle)
        doubtful = (spread > 0.0) & (np.nanmax(distance, axis=0) > VERY_FAR * spread)
    found = {}
    for j in np.flatnonzero(doubtful):
        known = np.isfinite(distance[:, j])
        far = known & (distance[:, j] > VERY_FAR * spread[j])
        near = known & ~far
        rest = distance[near, j].max()
        apart = distance[far, j].min() > TIMES_THE_NEXT * rest
        if apart and far.sum() <= MOST_FAR_OFF * known.sum():
            found[names[j]] = _said(block[:, j], far, near)
    return found


def _said(values: np.ndarray, far: np.ndarray, near: np.ndarray) -> str:
    rows = np.flatnonzero(far)
    low, high = (_told(each) for each in (values[near].min(), values[near].max()))
    least, most = _told(values[rows].min()), _told(values[rows].max())
    if rows.size == 1:
        where = f"is {least} in row {rows[0] + 1:,}"
    else:
        what = least if least == most else f"from {least} to {most}"
        where = f"is {what} in {counted(rows.size, 'row')}, the first of them {rows[0] + 1:,}"
    return f"{where}, while all others lie between {low} and {high}"


def _told(value: float) -> str:
    return signed(f"{value:.6g}")
