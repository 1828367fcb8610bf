"""What each column is, whether to use it, and why: a report a person can check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from lab.words import counted, percent, signed

from .cells import almost_numbers
from .errors import quoted, shown
from .model import Table

KINDS = (
    *("numeric", "categorical", "binary", "date", "text"),
    *("id", "constant", "empty", "leaking"),
)
MAX_LEVELS = 50  # of a categorical column worth one-hot encoding
_LONG = 40  # characters; longer texts are prose
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( \d{1,2}:\d{2}(:\d{2})?)?"
    r"|\d{1,2}[ -][A-Za-z]{3,9}\.?[ -,]\s?\d{2,4}"
    r"|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}"
)
_ID_NAME = re.compile(r"(.*[ _.-])?(id|ids|index|idx|row|row names|rownames|key|uuid)", re.I)
_ID_CAMEL = re.compile(r".*[a-z]I[Dd]")
_DATE_NAME = re.compile(r".*(date|day|datum).*", re.I)


@dataclass(frozen=True)
class ColumnReport:
    """One column: its kind (of `KINDS`), a sentence why, and whether to use it as a feature."""

    name: str
    kind: str
    reason: str
    use: bool
    n_missing: int = 0
    n_infinite: int = 0


def column_report(table: Table, label: str) -> list[ColumnReport]:
    """A report on every column except the label, in the order of the table.

    Numeric columns are examined all at once: 20,000 of them take a fraction of a second.
    """
    classes = _class_codes(table.column(label)) if label in table.names else None
    frame = table.frame.drop(columns=[label]) if label in table.frame else table.frame
    numeric = [j for j, kind in enumerate(frame.dtypes) if pd.api.types.is_numeric_dtype(kind)]
    reports: dict[str, ColumnReport] = {}
    if numeric:
        part = frame.iloc[:, numeric]
        whole = np.array([pd.api.types.is_integer_dtype(kind) for kind in part.dtypes])
        block = part.to_numpy(dtype=float, na_value=np.nan)
        for report in _numeric_reports(list(part.columns), block, whole, classes):
            reports[report.name] = report
    for name in frame.columns:
        if name not in reports:
            reports[name] = _other_report(name, frame[name], classes)
    ordered = [reports[name] for name in frame.columns]
    if table.sparse is not None:
        ordered += [r for r in _sparse_reports(table.sparse, classes) if r.name != label]
    return ordered


def unusable_problem(reports: Sequence[ColumnReport]) -> str | None:
    """Why no column can be a feature, in a sentence; None if one can."""
    if any(report.use for report in reports):
        return None
    reasons = [f"'{shown(each.name, 30)}': {each.reason.rstrip('.')}" for each in reports[:3]]
    more = f"; and {len(reports) - 3:,} more" if len(reports) > 3 else ""
    return (
        f"Nothing is left to learn from: of {counted(len(reports), 'column')} besides the label "
        f"each was left out ({'; '.join(reasons)}{more}). Correct the file, choose another label, "
        "or use a column anyway."
    )


def features_problem(table: Table, names) -> str | None:
    """Why these columns cannot be the features, in a sentence; None if they can."""
    names = list(names)
    if not names:
        return "No feature is chosen: choose at least one column."
    unknown = [name for name in names if name not in table.names]
    if unknown:
        return f"There is no column {quoted(unknown)}: choose features among the columns."
    reports = {report.name: report for report in column_report(table, "")}
    chosen = [reports[name] for name in names]
    if all(report.kind in ("constant", "empty") for report in chosen):
        return (
            f"All {counted(len(names), 'feature')} chosen are constant or empty, so there is "
            "nothing to learn from: choose columns that vary."
        )
    infinite = [report for report in chosen if report.n_infinite]
    if infinite:
        first = infinite[0]
        row = int(np.flatnonzero(np.isinf(table.column(first.name).to_numpy(dtype=float)))[0]) + 1
        more = f" and {counted(len(infinite) - 1, 'other column')}" if len(infinite) > 1 else ""
        return (
            f"'{shown(first.name, 30)}'{more} {'hold' if more else 'holds'} infinite values (the "
            f"first in row {row:,}): correct them, or leave the column out."
        )
    return None


def _class_codes(label: pd.Series) -> np.ndarray | None:
    """Classes as 0, 1, … and -1 where missing; None where a column cannot leak them."""
    codes, values = pd.factorize(label)
    return codes if 2 <= len(values) <= max(2, len(label) // 2) else None


def _numeric_reports(names, block: np.ndarray, whole: np.ndarray, classes) -> list[ColumnReport]:
    n_rows = len(block)
    gaps = np.isnan(block)
    n_missing = gaps.sum(axis=0)
    n_infinite = np.isinf(block).sum(axis=0)
    low, high = np.fmin.reduce(block, axis=0), np.fmax.reduce(block, axis=0)
    two = ((block == low) | (block == high) | gaps).all(axis=0)
    # Comparing, not subtracting: infinite values have no difference.
    before, after = block[:-1], block[1:]
    counting = (after == before + 1).all(axis=0) & (n_rows > 2)
    rising = ((after > before).all(axis=0) | (after < before).all(axis=0)) & (n_rows >= 10)
    leaking = _leaks(block, classes)
    reports = []
    for j, name in enumerate(names):
        gone, infinite = int(n_missing[j]), int(n_infinite[j])
        facts = {"name": name, "n_missing": gone, "n_infinite": infinite}
        if gone == n_rows:
            report = ColumnReport(kind="empty", reason="It has no values.", use=False, **facts)
        elif low[j] == high[j]:
            report = ColumnReport(
                kind="constant",
                reason=f"Its only value is {_told(low[j])}.",
                use=False,
                **facts,
            )
        elif leaking[j]:
            report = _leaking(**facts)
        elif whole[j] and _is_id(name, block[:, j], bool(counting[j]), bool(rising[j])):
            report = _id("Every row has its own whole number", **facts)
        elif whole[j] and _DATE_NAME.fullmatch(name) and _are_dates(low[j], high[j], block[:, j]):
            report = _date("Its numbers read as year, month and day", **facts)
        elif infinite:
            report = ColumnReport(
                kind="numeric",
                reason=f"{counted(infinite, 'value')} of it are infinite: correct them to use it.",
                use=False,
                **facts,
            )
        elif two[j]:
            reason = f"Its two values are {_told(low[j])} and {_told(high[j])}{_and_missing(gone)}."
            report = ColumnReport(kind="binary", reason=reason, use=True, **facts)
        else:
            reason = f"Numbers from {_told(low[j])} to {_told(high[j])}{_and_missing(gone)}."
            report = ColumnReport(kind="numeric", reason=reason, use=True, **facts)
        reports.append(report)
    return reports


def _leaks(matrix, classes: np.ndarray | None) -> np.ndarray:
    """Columns with one value in each class and different values in different classes.

    Such a column is the label under another name; a feature so good is too good.
    """
    width = matrix.shape[1]
    if classes is None:
        return np.zeros(width, dtype=bool)
    values = np.empty((classes.max() + 1, width))
    same = np.ones(width, dtype=bool)
    for k in range(len(values)):
        part = matrix[classes == k]
        if sparse.issparse(part):
            low, high = part.min(axis=0).toarray().ravel(), part.max(axis=0).toarray().ravel()
        else:
            low, high = part.min(axis=0), part.max(axis=0)
        same &= low == high
        values[k] = low
    for j in np.flatnonzero(same):
        same[j] = len(np.unique(values[:, j])) == len(values)
    return same


def _is_id(name: str, values: np.ndarray, counting: bool, rising: bool) -> bool:
    if counting or rising:
        return True
    if not (_ID_NAME.fullmatch(name) or _ID_CAMEL.fullmatch(name)):
        return False
    known = values[~np.isnan(values)]
    return len(known) > 2 and len(np.unique(known)) == len(known)


def _are_dates(low: float, high: float, values: np.ndarray) -> bool:
    if not 18000101 <= low <= high <= 22001231:
        return False
    known = values[~np.isnan(values)].astype(np.int64)
    month, day = known // 100 % 100, known % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def _sparse_reports(columns, classes) -> list[ColumnReport]:
    matrix = columns.matrix
    low, high = matrix.min(axis=0).toarray().ravel(), matrix.max(axis=0).toarray().ravel()
    by_column = matrix.tocsc()
    at = np.repeat(np.arange(matrix.shape[1]), np.diff(by_column.indptr))
    n_infinite = np.bincount(at, np.isinf(by_column.data), matrix.shape[1]).astype(int)
    n_missing = np.bincount(at, np.isnan(by_column.data), matrix.shape[1]).astype(int)
    between = (by_column.data != low[at]) & (by_column.data != high[at])
    n_between = np.bincount(at, between, matrix.shape[1])
    leaking = _leaks(matrix, classes)
    filled = np.diff(by_column.indptr) / matrix.shape[0]
    reports = []
    for j, name in enumerate(columns.names):
        facts = {"name": name, "n_missing": int(n_missing[j]), "n_infinite": int(n_infinite[j])}
        if low[j] == high[j]:
            report = ColumnReport(
                kind="constant", reason=f"Its only value is {_told(low[j])}.", use=False, **facts
            )
        elif leaking[j]:
            report = _leaking(**facts)
        elif n_infinite[j]:
            reason = f"{counted(int(n_infinite[j]), 'value')} of it are infinite."
            report = ColumnReport(kind="numeric", reason=reason, use=False, **facts)
        else:
            kind = "numeric" if n_between[j] or n_missing[j] else "binary"
            reason = (
                f"From {_told(low[j])} to {_told(high[j])}, and {percent(1 - filled[j], 0)} zeros."
            )
            report = ColumnReport(kind=kind, reason=reason, use=True, **facts)
        reports.append(report)
    return reports


def _other_report(name: str, column: pd.Series, classes) -> ColumnReport:
    """Text and dates."""
    cells = column.to_numpy(dtype=object)
    known = cells[~pd.isna(cells)]
    facts = {"name": name, "n_missing": len(cells) - len(known)}
    if not len(known):
        return ColumnReport(kind="empty", reason="It has no values.", use=False, **facts)
    counts = Counter(known)
    if len(counts) == 1:
        reason = f"Its only value is '{shown(known[0], 30)}'."
        return ColumnReport(kind="constant", reason=reason, use=False, **facts)
    if classes is not None and _same_partition(cells, classes, len(counts)):
        return _leaking(**facts)
    if not pd.api.types.is_string_dtype(column.dtype):
        return _date("It holds dates", **facts)
    some = list(counts)[:200]
    if sum(map(_is_date, some)) >= 0.95 * len(some):
        return _date(f"Texts like '{shown(known[0], 20)}' are dates", **facts)
    if len(counts) == 2:
        reason = f"Its two values are {quoted(counts)}{_and_missing(facts['n_missing'])}."
        return ColumnReport(kind="binary", reason=reason, use=True, **facts)
    return _words_report(counts, len(known), facts)


def _words_report(counts: Counter, n_known: int, facts: dict) -> ColumnReport:
    odd = almost_numbers(counts)
    if odd:
        reason = (
            f"Numbers apart from {quoted(odd)}: add these to the missing values to use it as "
            "numbers."
        )
        return ColumnReport(kind="text", reason=reason, use=False, **facts)
    n_distinct = len(counts)
    length = sum(len(cell) * count for cell, count in counts.items()) / n_known
    if n_distinct == n_known and length <= _LONG:
        return _id("Every row has its own text", **facts)
    if length > _LONG:
        reason = f"Texts of {length:.0f} characters on average are prose, which is not used."
        return ColumnReport(kind="text", reason=reason, use=False, **facts)
    if n_distinct > MAX_LEVELS or n_distinct > 0.5 * n_known:
        reason = (
            f"{n_distinct:,} different texts in {counted(n_known, 'row')} are too many for a "
            "column each."
        )
        return ColumnReport(kind="text", reason=reason, use=False, **facts)
    reason = f"{n_distinct} different texts{_and_missing(facts['n_missing'])}: a column for each."
    return ColumnReport(kind="categorical", reason=reason, use=True, **facts)


def _same_partition(cells: np.ndarray, classes: np.ndarray, n_levels: int) -> bool:
    """Whether equal cells mean equal classes and the other way round, where labels are known."""
    if n_levels != classes.max() + 1:
        return False
    pairs: dict = {}
    for cell, code in zip(cells, classes.tolist(), strict=True):
        if code >= 0 and (cell != cell or pairs.setdefault(cell, code) != code):
            return False
    return len(set(pairs.values())) == len(pairs) == n_levels


def _is_date(cell: str) -> bool:
    return _DATE.fullmatch(cell.strip()) is not None


def _leaking(**facts) -> ColumnReport:
    reason = "Probably the label itself: it tells every class exactly."
    return ColumnReport(kind="leaking", reason=reason, use=False, **facts)


def _id(why: str, **facts) -> ColumnReport:
    return ColumnReport(kind="id", reason=f"{why}, as an identifier has.", use=False, **facts)


def _date(why: str, **facts) -> ColumnReport:
    return ColumnReport(kind="date", reason=f"{why}, which are not used.", use=False, **facts)


def _told(number: float) -> str:
    return signed(f"{number:g}")


def _and_missing(n_missing: int) -> str:
    return f", {n_missing:,} missing" if n_missing else ""
