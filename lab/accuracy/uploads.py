"""A visitor's table as samples and classes. Nothing of it is ever written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from lab import tables
from lab.accuracy.specs import UploadSpec


@dataclass(frozen=True, eq=False)
class Upload:
    """Samples × features, classes as 0, 1, …, and what was left out, in words."""

    spec: UploadSpec
    X: np.ndarray | sparse.csr_array
    y: np.ndarray
    notes: tuple[str, ...]


def prepare(table: tables.Table, label: str, folds: int) -> Upload:
    """The numeric columns of a table, and its label column as classes.

    Rows with a missing cell are left out. `TableError` says why the label cannot be used, with
    all rows or with those that are left.
    """
    wrong = tables.label_problem(table, label, folds, ignore_missing=True)
    if wrong:
        raise tables.TableError(wrong)
    used = [
        report.name
        for report in tables.column_report(table, label)
        if report.use and _is_numeric(table, report.name)
    ]
    wrong = tables.features_problem(table, used)
    if wrong:
        raise tables.TableError(wrong)
    X, labels = table.matrix(used), table.column(label)
    whole = labels.notna().to_numpy() & _complete(X)
    wrong = _problem_of_rest(table, label, used[0], whole, folds)
    if wrong:
        raise tables.TableError(wrong)
    notes = []
    if len(used) < len(table.names) - 1:
        notes.append(f"{len(table.names) - 1 - len(used)} columns left out")
    if not whole.all():
        notes.append(f"{int((~whole).sum())} incomplete rows left out")
    # Codes, because an array of texts gives every row the room of the longest one.
    y, _ = pd.factorize(labels[whole].astype(str), sort=True)
    content = f"{table.digest} {label}".encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(content).hexdigest()[:16]
    return Upload(UploadSpec("your own file", digest), X[whole], y, tuple(notes))


def _problem_of_rest(
    table: tables.Table, label: str, feature: str, whole: np.ndarray, folds: int
) -> str | None:
    """Why the complete rows alone cannot be learnt from, in a sentence; None if they can."""
    if whole.all():
        return None
    if not whole.any():
        return (
            f"Each of the {whole.size:,} rows lacks a cell, and only complete rows can be used: "
            "fill the gaps, or remove the columns that have them."
        )
    # The label and one feature say as much about the label as all columns do.
    frame = pd.DataFrame({name: table.column(name)[whole] for name in (label, feature)})
    rest = replace(table, frame=frame, sparse=None)
    wrong = tables.label_problem(rest, label, folds)
    if wrong is None:
        return None
    gone = f"Without the {int((~whole).sum()):,} of {whole.size:,} rows that lack a cell, "
    return gone + wrong[0].lower() + wrong[1:]


def _is_numeric(table: tables.Table, name: str) -> bool:
    return name not in table.frame or table.frame[name].dtype.kind in "iufb"


def _complete(X) -> np.ndarray:
    if not sparse.issparse(X):
        return np.isfinite(X).all(axis=1)
    bad = np.zeros(X.shape[0], dtype=bool)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    bad[rows[~np.isfinite(X.data)]] = True
    return ~bad
