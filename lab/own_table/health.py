"""What is wrong or doubtful about a table before anything is fitted, each with its remedy.

A finding is a fact about the data, one sentence, and at most one remedy that the page offers as a
button. Nothing is changed by itself: a column that nearly separates the classes may be a leak or
the discovery that was hoped for, and only who made the table knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from lab.own_table import far_off, sideways
from lab.own_table.setup import repeats_tell, row_codes
from lab.tables import ColumnReport, Table
from lab.words import counted

# One column alone: the chance that it orders a pair of rows of two classes rightly.
NEARLY_SEPARATES = 0.99
NEARLY_THE_TARGET = 0.999
LOOKED_AT_ROWS = 2_000
MOST_NAMED = 5

_SUBJECT_NAME = re.compile(
    r".*(patient|subject|participant|person|proband|donor|animal|mouse|individual|volunteer|"
    r"household|student|customer|user|family|speaker|case|fall|plate).*",
    re.I,
)
_CODE_NAME = re.compile(
    r".*(plz|zip|post(al)?_?code|postleitzahl|icd|ops_?code|case_?(id|no|nr|number)|fall_?(nr|nummer|id)|"
    r"phone|telefon|account|konto|barcode|ward_?(no|nr)|site_?(id|no|nr)|centre_?(id|no|nr)).*"
    r"|(.*[ _.-])?(nr|no|nummer|number|code|id)",
    re.I,
)
_PLACE_NAME = re.compile(r"(.*_)?(ward|site|centre|center|clinic|station|post|zip|icd|ops)_.*")
# Short names of somebody, a number of one, or any key: it is its repeats that tell.
_SUBJECT_ID = re.compile(
    r"(pt|pat|subj|vp|vpn|mrn)"
    r"|(.*_)?(p|s|pt|pat|sub|subj|ind|vp|prob|part)_?(id|nr|no|num|nummer|number|key)"
    r"|(.*_)?(id|key)",
)


@dataclass(frozen=True)
class Finding:
    """`kind` says what was found, `columns` where; `remedy` is what the page can do about it.

    Remedies: "leave out" and "categories" (of `columns`), "together" (rows of one value of
    `columns[0]` stay in one fold), "distinct" (one of each repeated row), "turn" (rows become
    columns), "log" (of `columns`), "huber" (values far off count by their size), and "" where
    there is nothing to click.
    """

    kind: str
    sentence: str
    remedy: str = ""
    columns: tuple[str, ...] = ()

    @property
    def button(self) -> str:
        return {
            "leave out": "Leave out" if len(self.columns) == 1 else "Leave these out",
            "categories": "Take as categories",
            "together": "Keep together in folds",
            "distinct": "Keep one of each",
            "turn": "Turn the table",
            "log": "Take logarithms",
            "huber": "Use Huber's loss",
        }.get(self.remedy, "")


def examine(
    table: Table,
    label: str,
    reports: Sequence[ColumnReport],
    *,
    numeric_target: bool = False,
    subjects: str | None = None,
) -> list[Finding]:
    """All findings for this label, what endangers the verdict most first."""
    used = [report for report in reports if report.use and report.name != subjects]
    target = table.column(label) if label in table.names else None
    findings: list[Finding | None] = [_transposed(table)]
    if target is not None:
        findings.append(_leaks(table, target, used, numeric_target))
        findings.append(_outliers(target) if numeric_target else None)
    together = None if subjects else _subjects(table, label, reports)
    tailed = _counts(table, used)
    findings += [
        together,
        _duplicates(table, target, used, label),
        # A column is doubted once.
        _codes(table, used, together.columns[0] if together else subjects),
        tailed,
        _slips(table, used, tailed),
    ]
    return [finding for finding in findings if finding is not None]


def _outliers(target: pd.Series) -> Finding | None:
    """A few values of a number to predict, many deviations from the middle."""
    far = far_off.in_target(target)
    if not far:
        return None
    are, they = ("is", "it outweighs") if far == 1 else ("are", "they outweigh")
    return Finding(
        "outliers",
        f"{counted(far, 'value')} {are} more than {far_off.FAR_OFF:.0f} deviations from the middle "
        f"of the target; squared, {they} all others. Huber's loss counts by size.",
        "huber",
    )


def _slips(table: Table, used, tailed: Finding | None) -> Finding | None:
    """A few values of a feature that may be slips, or stand for a gap as 999 does."""
    passed = set(tailed.columns) if tailed else set()
    numeric = [each for each in used if each.kind == "numeric" and not each.n_infinite]
    names = [each.name for each in numeric if each.name in table.frame and each.name not in passed]
    found = far_off.in_features(table.frame, names)
    if not found:
        return None
    first, *others = found
    also = f", and likewise in {_named(others)}" if others else ""
    return Finding(
        "slips",
        f"{_quoted(first)} {found[first]}{also}. Such a value decides the scale of its column: "
        "correct it if it is a slip, and if it means a gap, say so under Reading options.",
        "leave out",
        tuple(found),
    )


# -- leaks -----------------------------------------------------------------------------------


def _leaks(table: Table, target: pd.Series, used, numeric_target: bool) -> Finding | None:
    known = np.flatnonzero(target.notna().to_numpy())
    # Names that are to be taken for numbers are told of where the target is chosen.
    if known.size < 10 or (numeric_target and not pd.api.types.is_numeric_dtype(target)):
        return None
    known = known[:: max(1, known.size // LOOKED_AT_ROWS)]
    columns = [report for report in used if report.name in table.frame]
    kinds = dict(table.frame.dtypes)
    numbers = [
        each.name
        for each in columns
        if pd.api.types.is_numeric_dtype(kinds[each.name]) and not each.n_infinite
    ]
    texts = [each.name for each in columns if each.kind in ("categorical", "binary")]
    texts = [name for name in texts if name not in set(numbers)]
    y = target.iloc[known]
    block = table.frame[numbers].to_numpy(dtype=float, na_value=np.nan)[known]
    if numeric_target:
        tells = _follows(block, y.to_numpy(dtype=float))
        found = [name for name, each in zip(numbers, tells, strict=True) if each]
        found += [
            name for name in texts if _tells_number(table.column(name).iloc[known], y.to_numpy())
        ]
        what = "follows the target almost exactly"
    else:
        codes, classes = pd.factorize(y)
        if not 2 <= len(classes) <= 50:
            return None
        tells = _separates(block, codes, len(classes))
        found = [name for name, each in zip(numbers, tells, strict=True) if each]
        for name in texts:
            if _tells_class(table.column(name).iloc[known], codes, len(classes)):
                found.append(name)
        what = "nearly separates the classes"
    if not found:
        return None
    one = len(found) == 1
    shown = _named(found)
    return Finding(
        "leak",
        f"{shown} alone {what}." if one else f"{shown}: each alone {what}.",
        "leave out",
        tuple(found),
    )


def _separates(block: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Columns whose ranks put the classes, in the order of their means, almost without overlap."""
    if not block.shape[1]:
        return np.zeros(0, dtype=bool)
    filled = np.where(np.isnan(block), np.nanmedian(_something(block), axis=0), block)
    ranks = rankdata(filled, axis=0)
    means = np.stack([ranks[codes == k].mean(axis=0) for k in range(n_classes)])
    order = np.argsort(means, axis=0)
    worst = np.ones(block.shape[1])
    columns = np.arange(block.shape[1])
    for place in range(n_classes - 1):
        for low in range(n_classes):
            for high in range(n_classes):
                here = columns[(order[place] == low) & (order[place + 1] == high)]
                if here.size:
                    worst[here] = np.minimum(
                        worst[here],
                        _auc(filled[codes == low][:, here], filled[codes == high][:, here]),
                    )
    return worst >= NEARLY_SEPARATES


def _something(block: np.ndarray) -> np.ndarray:
    """The block, with zeros in columns that hold nothing, which have no median."""
    empty = np.isnan(block).all(axis=0)
    return np.where(empty, 0.0, block) if empty.any() else block


def _auc(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """P(a row of the high class is above one of the low class), ties half, for each column."""
    n_low, n_high = len(low), len(high)
    ranks = rankdata(np.vstack([low, high]), axis=0)[n_low:]
    return (ranks.sum(axis=0) - n_high * (n_high + 1) / 2.0) / (n_low * n_high)


def _follows(block: np.ndarray, y: np.ndarray) -> np.ndarray:
    if not block.shape[1]:
        return np.zeros(0, dtype=bool)
    filled = np.where(np.isnan(block), np.nanmedian(_something(block), axis=0), block)
    ranks, ranks_y = rankdata(filled, axis=0), rankdata(y)
    ranks, ranks_y = ranks - ranks.mean(axis=0), ranks_y - ranks_y.mean()
    size = np.sqrt((ranks**2).sum(axis=0) * (ranks_y @ ranks_y))
    return np.abs(ranks_y @ ranks) >= NEARLY_THE_TARGET * np.where(size > 0.0, size, np.inf)


def _tells_class(cells: pd.Series, codes: np.ndarray, n_classes: int) -> bool:
    """Whether each category has almost one class only, and each class is told by some category."""
    counts = pd.crosstab(cells.fillna("(missing)").to_numpy(), codes).to_numpy()
    if counts.sum() < 5 * counts.shape[0]:
        return False  # so many categories tell anything
    winners = counts.argmax(axis=1)
    right = np.array([counts[winners == k, k].sum() for k in range(n_classes)])
    return bool((right >= NEARLY_SEPARATES * counts.sum(axis=0)).all())


def _tells_number(cells: pd.Series, y: np.ndarray) -> bool:
    """Whether almost nothing of a number varies within the categories."""
    codes, names = pd.factorize(cells.fillna("(missing)"))
    if y.size < 5 * len(names):
        return False  # so many categories tell anything
    counts = np.bincount(codes)
    within = y - (np.bincount(codes, weights=y) / counts)[codes]
    total = y - y.mean()
    return bool(total.any() and within @ within <= (1.0 - NEARLY_THE_TARGET**2) * (total @ total))


# -- rows that belong together ---------------------------------------------------------------


def _subjects(table: Table, label: str, reports) -> Finding | None:
    """A column that names who or what a row was measured on, where some have several rows.

    A name that says so comes before one that may.
    """
    n_rows = table.n_rows
    names = [each.name for each in reports if each.name != label and each.name in table.frame]
    for name in [*filter(_SUBJECT_NAME.fullmatch, names), *filter(_may_be_subject, names)]:
        column = table.frame[name]
        if pd.api.types.is_float_dtype(column.dtype) and (column.dropna() % 1 != 0).any():
            continue
        counts = column.value_counts()
        n_levels = len(counts)
        if n_levels >= 4 and n_levels < 0.9 * n_rows and counts.median() >= 2:
            return Finding(
                "subjects",
                f"{n_rows:,} rows come from {n_levels:,} values of {_quoted(name)}: rows of one "
                "in training and test make the score too good.",
                "together",
                (name,),
            )
    return None


def _may_be_subject(name: str) -> bool:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[ .-]+", "_", name).lower()
    return bool(_SUBJECT_ID.fullmatch(words)) and not _PLACE_NAME.fullmatch(words)


def _duplicates(table: Table, target, used, label: str) -> Finding | None:
    names = [report.name for report in used if report.name in table.frame]
    if len(names) < 2:
        return None
    frame = table.frame[names]
    if not repeats_tell(frame):
        return None
    inverse = row_codes(frame)
    counts = np.bincount(inverse)
    extra = int((counts - 1).sum())
    if not extra:
        return None
    sentence = (
        f"{extra:,} row{'s repeat' if extra != 1 else ' repeats'} the features of another row"
    )
    if target is not None:
        cells = target.astype(object).where(target.notna(), None).to_numpy()
        differs = {int(group) for group in np.flatnonzero(counts > 1)}
        mixed = sum(len(set(cells[inverse == group])) > 1 for group in sorted(differs)[:500])
        if mixed:
            sentence += f", {mixed:,} of them with another {'value of ' + _quoted(label)}"
    return Finding("duplicates", f"{sentence}: a copy in training tells the test row.", "distinct")


# -- what the numbers are --------------------------------------------------------------------


def _codes(table: Table, used, subjects) -> Finding | None:
    """Whole numbers that name something: case numbers, postcodes, codes of wards."""
    found = []
    names = [
        report.name
        for report in used
        if report.kind == "numeric" and report.name != subjects and report.name in table.frame
    ]
    block = table.frame[names].to_numpy(dtype=float, na_value=np.nan)
    whole = ((block % 1 == 0) | np.isnan(block)).all(axis=0)
    large = np.fmin.reduce(block, axis=0) >= 10_000 if len(block) else whole
    for j in np.flatnonzero(whole):
        name = names[j]
        if not (large[j] or _CODE_NAME.fullmatch(name)):
            continue
        values = block[~np.isnan(block[:, j]), j]
        if (
            values.size
            and (values % 1 == 0).all()
            and (_CODE_NAME.fullmatch(name) or _same_length(values))
        ):
            found.append(name)
    if not found:
        return None
    few = all(table.frame[name].nunique() <= 50 for name in found)
    one = len(found) == 1
    what = "looks like a code, not a quantity: its" if one else "look like codes: their"
    return Finding(
        "codes",
        f"{_named(found)} {what} order means nothing.",
        "categories" if few else "leave out",
        tuple(found),
    )


def _same_length(values: np.ndarray) -> bool:
    """Five digits or more in every value, and values from all over: a case number, a postcode."""
    low, high = values.min(), values.max()
    if low < 10_000 or len(str(int(low))) != len(str(int(high))):
        return False
    return np.unique(values).size > 0.2 * values.size and np.ptp(values) > 0.3 * high


def _counts(table: Table, used) -> Finding | None:
    """Most columns are whole, not negative, and spread far wider than their mean."""
    names = [each.name for each in used if each.kind == "numeric" and each.name in table.frame]
    if len(names) < 3:
        return None
    block = table.frame[names].to_numpy(dtype=float, na_value=np.nan)
    with np.errstate(invalid="ignore"):
        whole = ((block % 1 == 0) | np.isnan(block)).all(axis=0) & (np.nanmin(block, axis=0) >= 0.0)
        mean, spread = np.nanmean(block, axis=0), np.nanvar(block, axis=0)
        wide = whole & (spread > 5.0 * mean) & (mean > 1.25 * np.nanmedian(block, axis=0))
    if wide.sum() < max(3, 0.5 * len(names)):
        return None
    found = [name for name, each in zip(names, wide, strict=True) if each]
    return Finding(
        "counts",
        f"{len(found):,} of {len(names):,} columns hold counts with a long tail: a few large rows "
        "would outweigh the others.",
        "log",
        tuple(found),
    )


def _transposed(table: Table) -> Finding | None:
    row = None if table.sparse is not None else sideways.labels_row(table.frame)
    if row is None:
        return None
    why = f"the row {_quoted(row)} holds words" if row else "all others are numbers"
    first = _quoted(table.frame.columns[0])
    return Finding(
        "transposed",
        f"The table seems to lie on its side: {first} names each row, and {why}.",
        "turn",
    )


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(_quoted(name) for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _quoted(name: object) -> str:
    text = " ".join(str(name).split())
    return f"'{text if len(text) <= 40 else text[:39] + '…'}'"
