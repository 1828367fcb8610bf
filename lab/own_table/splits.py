"""Which rows train and which test: stratified by class, and never a subject in both."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from lab.own_table.constraints import constraint_problem
from lab.own_table.setup import Prepared, SetupError
from lab.own_table.spec import TableSpec

MOST_CLASSES = 50

Split = tuple[np.ndarray, np.ndarray]


def splitter(target: str, with_subjects: bool, n_splits: int, seed: int):
    """scikit-learn's, so that a script of a few lines has the same folds."""
    if target == "classes":
        kind = StratifiedGroupKFold if with_subjects else StratifiedKFold
    else:
        kind = GroupKFold if with_subjects else KFold
    return kind(n_splits, shuffle=True, random_state=seed)


def folds(prepared: Prepared, spec: TableSpec) -> list[Split]:
    """Training and test rows of each fold; the inverted protocol swaps the two."""
    problem = setup_problem(prepared, spec)
    if problem:
        raise SetupError(problem)
    pairs = _split(prepared, np.arange(prepared.n_samples), spec.n_folds, spec.seed)
    return [(test, train) for train, test in pairs] if spec.protocol == "inverted" else pairs


def inner_folds(prepared: Prepared, spec: TableSpec, rows: np.ndarray, most: int) -> list[Split]:
    """Folds inside some rows, as places in the whole table; none where they cannot be split."""
    n_splits = most
    if prepared.target == "classes":
        counts = np.bincount(prepared.y[rows], minlength=len(prepared.classes))
        n_splits = min(n_splits, int(counts[counts > 0].min()))
    if prepared.subjects is not None:
        n_splits = min(n_splits, np.unique(prepared.subjects[rows]).size)
    n_splits = min(n_splits, rows.size)
    if n_splits < 2:
        return []
    pairs = _split(prepared, rows, n_splits, spec.seed)
    if prepared.target == "classes":
        # A fold of whole subjects may leave training rows without one of the classes.
        n_classes = np.unique(prepared.y[rows]).size
        pairs = [each for each in pairs if np.unique(prepared.y[each[0]]).size == n_classes]
    return pairs


def _split(prepared: Prepared, rows: np.ndarray, n_splits: int, seed: int) -> list[Split]:
    subjects = None if prepared.subjects is None else prepared.subjects[rows]
    split = splitter(prepared.target, subjects is not None, n_splits, seed)
    pairs = split.split(prepared.X[rows], prepared.y[rows], groups=subjects)
    return [(rows[train], rows[test]) for train, test in pairs]


def setup_problem(prepared: Prepared, spec: TableSpec) -> str:
    """Why these rows cannot be split and learnt from, in one sentence; empty if they can."""
    if prepared.subjects is not None:
        n_subjects = np.unique(prepared.subjects).size
        if n_subjects < spec.n_folds:
            return (
                f"{spec.subjects!r} has {n_subjects} values, fewer than the {spec.n_folds} folds; "
                f"use {max(2, n_subjects)} folds, or do not keep its rows together."
            )
    bound = constraint_problem(prepared, spec)
    if bound:
        return bound
    if prepared.target != "classes":
        return _number_problem(prepared, spec)
    counts = prepared.class_counts
    if len(counts) < 2:
        only = f" ({prepared.classes[0]!r})" if len(counts) else ""
        return (
            f"the label {spec.label!r} has one class only{only}; choose a column with at least two."
        )
    if len(counts) > MOST_CLASSES:
        return (
            f"the label {spec.label!r} has {len(counts)} different values, more than "
            f"{MOST_CLASSES}; choose a column of classes, or predict it as a number."
        )
    smallest = int(np.argmin(counts))
    if counts[smallest] < spec.n_folds:
        fewest = int(counts[smallest])
        mend = (
            f"use {fewest} folds, or leave that class out"
            if fewest >= 2
            else "leave that class out, or find more rows of it"
        )
        return (
            f"class {prepared.classes[smallest]!r} has {fewest} "
            f"row{'s' if fewest != 1 else ''}, fewer than the {spec.n_folds} folds; {mend}."
        )
    return ""


def _number_problem(prepared: Prepared, spec: TableSpec) -> str:
    if prepared.n_samples < 2 * spec.n_folds:
        return (
            f"there are {prepared.n_samples} rows with a value of {spec.label!r}, and "
            f"{spec.n_folds} folds need at least {2 * spec.n_folds}; use fewer folds, or add rows."
        )
    if np.ptp(prepared.y) == 0.0:
        return f"{spec.label!r} is {prepared.y[0]:g} in every row; choose a column that varies."
    if prepared.target == "counts" and ((prepared.y < 0) | (prepared.y % 1 != 0)).any():
        return (
            f"{spec.label!r} holds values that are no counts (negative or fractions); predict it "
            "as a number."
        )
    return ""
