"""The column to predict: which it probably is, and what would keep it from being learned."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from lab.words import counted

from .errors import quoted, shown
from .frames import is_counter
from .guesses import MISSING
from .model import Table

MAX_CLASSES = 20
MIN_ROWS = 5
_NAMES = (
    re.compile(r"y|labels?|class(es)?|targets?|classification", re.I),
    re.compile(r"outcome|response|diagnosis|species|category|survived|churn|default", re.I),
    re.compile(r".*[ _.-](labels?|class|target|y)|(label|class|target)[ _.-].*", re.I),
)
_NUMBER_NAMES = re.compile(r"y|targets?|outcome|response", re.I)
_AMOUNT = re.compile(
    r"(.*[ _.-])?(price|costs?|charges|rent|sales|revenue|salary|wage|income|yield|consumption|"
    r"preis|kosten|miete|umsatz|gehalt|lohn|ertrag|verbrauch)",
    re.I,
)
_NUMBERED = re.compile(r"(.*?)\d+")
_FEW = 3  # classes that a first column of numbers may have
_LOOKED_AT = 200  # columns, from the end, when no name tells


def guess_label(table: Table) -> str:
    """The column that is probably the label; of a table read from a file, the one it was read with.

    That one was spared the tokens for missing, which could tip another guess. Otherwise columns
    named y, label, class, target, … come first: of these one with 2 to 20 distinct values that are
    not fractions, like classes, before one of many numbers, which its own name must tell, as
    `target` does. Where no name tells, the target stands at an end of a table.
    """
    if table.options.label in table.names:
        return table.options.label
    names = list(table.frame.columns) or list(table.names)
    named = [name for pattern in _NAMES for name in names if pattern.fullmatch(name)]
    for name in named:
        if _label_like(table.column(name)):
            return name
    # Beside an x, y is a place.
    placed = {"y"} if "x" in map(str.casefold, names) else set()
    told = [n for n in named if _NUMBER_NAMES.fullmatch(n) and n.casefold() not in placed]
    for name in told:
        if _is_quantity(table.column(name)):
            return name
    at_an_end = _at_an_end(table, names)
    if at_an_end is not None:
        return at_an_end
    for name in (names[-1], names[0], *names[-2:-_LOOKED_AT:-1]):
        if _label_like(table.column(name)):
            return name
    return named[0] if named else names[-1]


def _at_an_end(table: Table, names: list[str]) -> str | None:
    """The last column, or words at the front, behind names of rows if there are any.

    A last column of many numbers is a target where it is called an amount, as a price is, or where
    there are no words at the front. One more of a row of numbered columns is a target only where
    it holds words.
    """
    last = table.column(names[-1])
    front = 1 if len(names) > 2 and _names_rows(table.column(names[0])) else 0
    first = table.column(names[front])
    words_first = _label_like(first) and not pd.api.types.is_numeric_dtype(first)
    one_more = _is_one_more(names) and pd.api.types.is_numeric_dtype(last)
    if _label_like(last):
        return names[front] if one_more and words_first else names[-1]
    is_target = _is_quantity(last) and not (one_more or is_counter(last))
    if is_target and _AMOUNT.fullmatch(names[-1]):
        return names[-1]
    if words_first or (_label_like(first) and first.nunique() <= _FEW):
        return names[front]
    return names[-1] if is_target else None


def _is_one_more(names: list[str]) -> bool:
    """Whether the last column is numbered as the one before it."""
    stems = [found and found[1] for found in map(_NUMBERED.fullmatch, names[-2:])]
    return len(stems) == 2 and stems[0] is not None and stems[0] == stems[1]


def _names_rows(column: pd.Series) -> bool:
    return column.nunique() == len(column) and not pd.api.types.is_float_dtype(column.dtype)


def _label_like(column: pd.Series) -> bool:
    values = column.dropna()
    if pd.api.types.is_float_dtype(values.dtype) and (values % 1 != 0).any():
        return False
    n_distinct = values.nunique()
    return 2 <= n_distinct <= MAX_CLASSES and n_distinct < max(len(values), 3)


def _is_quantity(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and column.nunique() > MAX_CLASSES


def spare_label(table: Table, label: str, as_written) -> Table:
    """The table with the label's usual tokens for missing read as classes of that name.

    A region NA or a class None is no gap. Where all other labels are numbers they stay missing.
    """
    column = table.frame[label]
    gaps = column.isna()
    if not gaps.any() or pd.api.types.is_numeric_dtype(column.dtype):
        return table
    if not pd.api.types.is_string_dtype(column.dtype):
        return table
    cells = as_written(label)
    also_missing = set(table.options.missing or ()) - set(MISSING)
    spared = gaps & cells.notna() & ~cells.isin(also_missing)
    if not spared.any():
        return table
    frame = table.frame.copy()
    frame[label] = column.where(~spared, cells)
    classes = list(pd.unique(cells[spared]))
    note = (
        f"{counted(int(spared.sum()), 'cell')} of the label '{shown(label, 30)}' read "
        f"{quoted(classes)}: that is a class here, not a gap."
    )
    return replace(table, frame=frame, notes=(*table.notes, note))


def label_problem(
    table: Table, label: str, n_folds: int, *, ignore_missing: bool = False
) -> str | None:
    """Why this label cannot be learned in so many folds, in a sentence; None if it can.

    With `ignore_missing` rows without a label are taken as left out instead of a problem.
    """
    if label not in table.names:
        return f"There is no column '{shown(label, 30)}': choose the label among the columns."
    column = table.column(label)
    known = column.dropna()
    name = shown(label, 30)
    if len(table.names) < 2:
        return (
            f"'{name}' is the only column, so there is nothing to predict it from: check the "
            "delimiter, or add features."
        )
    if known.empty:
        return f"'{name}' has no values at all: choose another label."
    if len(known) < len(column) and not ignore_missing:
        n_gaps, first = len(column) - len(known), int(np.flatnonzero(column.isna())[0]) + 1
        return (
            f"{counted(n_gaps, 'row')} of {len(column):,} have no label in '{name}' (the first is "
            f"row {first:,}): leave them out, or choose another label."
        )
    if len(known) < MIN_ROWS:
        return (
            f"There are only {counted(len(known), 'labelled row')}, and at least {MIN_ROWS} are "
            "needed to learn and to test: add rows."
        )
    return _values_problem(known, name) or _classes_problem(known, name, n_folds)


def _values_problem(known: pd.Series, name: str) -> str | None:
    if pd.api.types.is_datetime64_any_dtype(known.dtype):
        return f"'{name}' holds dates, not classes: choose another label."
    if not pd.api.types.is_numeric_dtype(known.dtype) or pd.api.types.is_bool_dtype(known.dtype):
        return None
    values = known.to_numpy(dtype=float)
    if np.isinf(values).any():
        first = int(known.index[np.flatnonzero(np.isinf(values))[0]]) + 1
        return f"'{name}' is infinite in row {first:,}: correct it, or choose another label."
    n_distinct = len(np.unique(values))
    fractions = bool((values % 1 != 0).any())
    crowded = n_distinct > max(2, len(values) / 2)
    if (fractions and (crowded or n_distinct > MAX_CLASSES)) or (
        n_distinct > MAX_CLASSES and n_distinct > 0.2 * len(values)
    ):
        return (
            f"'{name}' has {n_distinct:,} different numbers in {len(values):,} rows, which looks "
            "like a quantity and not like classes: choose another label, or cut it into classes."
        )
    return None


def _classes_problem(known: pd.Series, name: str, n_folds: int) -> str | None:
    counts = known.value_counts()
    if len(counts) == 1:
        return (
            f"'{name}' has one class only ('{shown(counts.index[0], 30)}' in all "
            f"{len(known):,} rows), and telling apart needs two: choose another label."
        )
    if len(counts) > max(MAX_CLASSES, len(known) / 2) or len(counts) == len(known):
        return (
            f"'{name}' has {len(counts):,} different values in {len(known):,} rows, nearly one "
            "for each, like a name and not like a class: choose another label."
        )
    single = sorted(str(value) for value in counts.index[counts == 1])
    if single:
        one = len(single) == 1
        return (
            f"{'Class' if one else 'Classes'} {quoted(single)} of '{name}' "
            f"{'has' if one else 'have'} one member only, which cannot be both learned and tested: "
            "remove or merge it."
        )
    few = counts[counts < n_folds]
    if len(few):
        value, count = few.index[-1], int(few.iloc[-1])
        return (
            f"Class '{shown(value, 30)}' of '{name}' has {counted(count, 'member')} but there are "
            f"{n_folds} folds: choose at most {count} folds, or remove the class."
        )
    return None
