"""A visitor's table as samples and classes. Nothing of it is ever written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from lab import tables
from lab.sweeps.specs import UploadSpec


@dataclass(frozen=True, eq=False)
class Upload:
    """Samples × features, classes, and what was left out, in words."""

    spec: UploadSpec
    X: np.ndarray | sparse.csr_array
    y: np.ndarray
    notes: tuple[str, ...]


def prepare(table: tables.Table, label: str, folds: int) -> Upload:
    """The numeric columns of a table, and its label column as classes.

    Rows with a missing cell are left out. `TableError` says why a label cannot be used.
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
    notes = []
    if len(used) < len(table.names) - 1:
        notes.append(f"{len(table.names) - 1 - len(used)} columns left out")
    if not whole.all():
        notes.append(f"{int((~whole).sum())} incomplete rows left out")
    y = labels[whole].astype(str).to_numpy(dtype=str)
    digest = hashlib.sha256(f"{table.digest} {label}".encode()).hexdigest()[:16]
    return Upload(UploadSpec("your own file", digest), X[whole], y, tuple(notes))


def _is_numeric(table: tables.Table, name: str) -> bool:
    return name not in table.frame or table.frame[name].dtype.kind in "iufb"


def _complete(X) -> np.ndarray:
    if not sparse.issparse(X):
        return np.isfinite(X).all(axis=1)
    bad = np.zeros(X.shape[0], dtype=bool)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    bad[rows[~np.isfinite(X.data)]] = True
    return ~bad
