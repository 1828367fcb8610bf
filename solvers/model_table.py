"""A table as a saved model reads it: columns by name or by position, then cell by cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

MISSING = "(missing)"


def category_text(value) -> str:
    """The category that a cell stands for: 3 and 3.0 are one, and so are all missing values."""
    if _is_missing(value):
        return MISSING
    if isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def columns_of(X: Any, inputs: Sequence[str], needed: Sequence[str]) -> tuple[Callable, int]:
    """A function from name to column, and the number of rows."""
    if hasattr(X, "columns") or isinstance(X, Mapping):
        names = list(getattr(X, "columns", X))
        held = set(names)
        missing = [name for name in needed if name not in held]
        if missing:
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            raise ValueError(
                f"the table lacks {_listed(missing[:3])}{more}, which the model needs; rename its "
                "columns to the names the model was fitted with."
            )
        if len(held) < len(names):
            repeated = next((name for name in needed if names.count(name) > 1), None)
            if repeated is not None:
                raise ValueError(f"the table has the column {repeated!r} twice; keep one of them.")
        if hasattr(X, "columns"):
            return (lambda name: X[name]), len(X)
        columns = {name: cells(X[name]) for name in needed}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns must have one length, got {sorted(lengths)}.")
        return columns.__getitem__, lengths.pop() if lengths else 0
    table = np.asarray(X)
    if table.ndim != 2 or table.shape[1] != len(inputs):
        raise ValueError(
            f"an array must have the model's {len(inputs)} columns in their order, got shape "
            f"{table.shape}; pass a frame to match columns by name."
        )
    positions = {name: j for j, name in enumerate(inputs)}
    return (lambda name: table[:, positions[name]]), table.shape[0]


def cells(column) -> Sequence:
    """The cells of a column, whatever holds it."""
    return column.tolist() if hasattr(column, "tolist") else list(column)


def numbers(column, name) -> np.ndarray:
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        values = np.asarray(column, dtype=float)
    else:
        values = np.array([_number(value, row, name) for row, value in enumerate(cells(column))])
        values = values.reshape(-1).astype(float)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise ValueError(
            f"column {name!r} is infinite in row {infinite[0] + 1}; replace it by a number, or "
            "leave it empty."
        )
    return values


def _number(value, row, name) -> float:
    if _is_missing(value) or (isinstance(value, str) and not value.strip()):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"column {name!r} should hold numbers, but row {row + 1} holds {value!r}; correct it, "
            "or leave it empty."
        ) from None


def _is_missing(value) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def _listed(names) -> str:
    return ", ".join(repr(name) for name in names)
