"""A table as the race page takes it: numbers, a target and groups."""

from __future__ import annotations

import numpy as np

from lab.data.dataset import Dataset
from lab.own_table.case import Case
from lab.own_table.encoding import encoded


def numbers_for_race(case: Case) -> Dataset:
    """All rows as the model of this table sees them; the solvers race without an intercept.

    Two classes are ±1; of more, the most frequent is set against the rest. A target of numbers is
    measured from its mean.
    """
    prepared = case.prepared
    X = np.ascontiguousarray(encoded(prepared), dtype=float)
    if not case.is_classes:
        y, task = prepared.y - np.mean(prepared.y), "regression"
    else:
        counts = prepared.class_counts
        positive = 1 if len(counts) == 2 else int(np.argmax(counts))
        y, task = np.where(prepared.y == positive, 1.0, -1.0), "classification"
    return Dataset(
        X,
        np.asarray(y, dtype=float),
        task,
        f"a visitor's table, {X.shape[0]} × {X.shape[1]}",
        groups=case.grouped.groups,
    )
