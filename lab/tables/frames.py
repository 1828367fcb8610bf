"""Frames made uniform: unique names, text instead of mixed objects, one block per type."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lab.words import counted

from .errors import quoted


def unique_names(names, notes: list[str]) -> list[str]:
    """Names stripped, blank ones numbered, repeated ones told apart as a, a.1, a.2."""
    cleaned = [" ".join(str(name).split()) for name in names]
    taken = set(cleaned)
    seen: set[str] = set()
    unique, repeated, blank = [], [], 0
    for position, name in enumerate(cleaned, start=1):
        if not name:
            blank += 1
            name = f"column {position}"
        if name in seen:
            if name not in repeated:
                repeated.append(name)
            suffix = 1
            while f"{name}.{suffix}" in taken or f"{name}.{suffix}" in seen:
                suffix += 1
            name = f"{name}.{suffix}"
        seen.add(name)
        unique.append(name)
    if repeated:
        notes.append(
            f"Names that occur more than once ({quoted(repeated)}) got a number from the second on."
        )
    if blank and blank < len(cleaned):
        notes.append(f"Gave a number for a name to {counted(blank, 'column')} without one.")
    return unique


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Mixed objects as text, and columns of one type side by side in memory.

    Thousands of separate columns would make every later step on the frame slow.
    """
    mixed = [j for j, kind in enumerate(frame.dtypes) if pd.api.types.is_object_dtype(kind)]
    columns = dict(enumerate(frame[name] for name in frame.columns)) if mixed else {}
    for j in mixed:
        values = columns[j]
        columns[j] = values.where(values.isna(), values.map(str)).astype("str")
    if mixed:
        names = frame.columns
        frame = pd.DataFrame(columns)
        frame.columns = names
    return frame.set_axis(pd.RangeIndex(len(frame)), axis=0).copy()


def is_counter(column: pd.Series) -> bool:
    """Whether a column counts the rows: 0..n-1 or 1..n."""
    if not pd.api.types.is_integer_dtype(column.dtype) or not len(column):
        return False
    values = column.to_numpy()
    first = values[0]
    return first in (0, 1) and bool((values == np.arange(first, first + len(values))).all())


def missing_note(frame: pd.DataFrame, n_short_rows: int = 0) -> list[str]:
    """How many cells are missing, as a list of one sentence, or of none."""
    n_missing = int(frame.isna().to_numpy().sum())
    if not n_missing:
        return []
    short = f"; rows with fewer cells than columns: {n_short_rows:,}" if n_short_rows else ""
    return [f"Missing cells: {n_missing:,} of {frame.size:,}{short}."]
