"""What kind of column is to be predicted: classes, a number, or a count."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lab.tables import Table

MOST_CLASSES = 20
_FEWEST_COUNTS = 7  # different values; fewer are classes


def guess_target(table: Table, label: str) -> str:
    """Text is classes; numbers are a quantity where they are many or fractions, else classes.

    Whole numbers from 0 or 1 up whose large values are rare are counts.
    """
    if label not in table.names:
        return "classes"
    known = table.column(label).dropna()
    numeric = pd.api.types.is_numeric_dtype(known.dtype)
    if not numeric or pd.api.types.is_bool_dtype(known.dtype) or known.empty:
        return "classes"
    values = known.to_numpy(dtype=float)
    if not np.isfinite(values).all():
        return "classes"
    n_distinct = np.unique(values).size
    if (values % 1 != 0).any():
        return "quantity" if n_distinct > max(2, min(MOST_CLASSES, values.size / 4)) else "classes"
    if n_distinct >= _FEWEST_COUNTS and 0 <= values.min() <= 1 and _has_long_tail(values):
        return "counts"
    crowded = n_distinct > MOST_CLASSES or (n_distinct > 10 and n_distinct > 0.3 * values.size)
    return "quantity" if crowded else "classes"


def _has_long_tail(values: np.ndarray) -> bool:
    """Less than a seventh of the rows in the upper half of the range."""
    return bool(np.mean(values > 0.5 * (values.min() + values.max())) < 1 / 7)


def target_problem(table: Table, label: str) -> str | None:
    """Why this column cannot be predicted as a number, in a sentence; None if it can."""
    if label not in table.names:
        return f"There is no column '{label}': choose the label among the columns."
    column = table.column(label)
    if not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return f"'{label}' holds no numbers: predict its classes, or choose another column."
    values = column.dropna().to_numpy(dtype=float)
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(column.to_numpy(dtype=float)))[0]) + 1
        return f"'{label}' is infinite in row {row:,}: correct it, or choose another column."
    if values.size < 10:
        return f"Only {values.size} rows have a value of '{label}', and 10 are needed: add rows."
    if len(table.names) < 2:
        return f"'{label}' is the only column, so there is nothing to predict it from."
    return None
