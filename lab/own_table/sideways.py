"""Whether a table lies on its side: features in rows, samples in columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

LOOKED_AT_COLUMNS = 20


def labels_row(frame: pd.DataFrame) -> str | None:
    """The name of a row of words, as labels are; empty where all are numbers; None for upright.

    Genes as rows: many rows, few columns, and names or labels that stand in rows.
    """
    if frame.shape[1] < 5 or frame.shape[0] < 10:
        return None
    first, others = frame.iloc[:, 0], frame.iloc[:, 1:]
    if pd.api.types.is_numeric_dtype(first.dtype) or first.nunique() < len(first):
        return None
    numeric = np.array([pd.api.types.is_numeric_dtype(kind) for kind in others.dtypes])
    if numeric.all():
        return None if frame.shape[0] < 3 * frame.shape[1] else ""
    if numeric.any():
        return None
    cells = others.iloc[:, :LOOKED_AT_COLUMNS]
    rows = cells.apply(lambda c: pd.to_numeric(c, errors="coerce").notna()).mean(axis=1)
    if not ((rows > 0.9).mean() > 0.8 and (rows < 0.5).any()):
        return None
    return str(first.iloc[int(np.flatnonzero((rows < 0.5).to_numpy())[0])])
