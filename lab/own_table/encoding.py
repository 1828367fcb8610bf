"""The preprocessing that each fold learns for itself: gaps filled, numbers scaled, categories told.

    learnt(prepared, rows)  ->  Encoding, to be called on rows of `Prepared.X`

`preprocessor` is the same as a pipeline of scikit-learn, to be taken home; its medians go through
masked arrays, which is most of the time of a fit to 1,427 × 4,322 numbers without a gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from lab.own_table.setup import Prepared


@dataclass(frozen=True, eq=False)
class Encoding:
    """What training rows say about each column: `numbers` are those of the rows."""

    prepared: Prepared
    numbers: np.ndarray

    @cached_property
    def fills(self) -> np.ndarray:
        """The median of each column of numbers; 0 for one without a number in it."""
        by_column = np.ascontiguousarray(self.numbers.T)
        gaps = np.isnan(by_column).any(axis=1)
        fills = np.zeros(len(by_column))
        if self.numbers.size:
            fills[~gaps] = np.median(by_column[~gaps], axis=1)
        for j in np.flatnonzero(gaps):
            known = by_column[j][~np.isnan(by_column[j])]
            fills[j] = np.median(known) if known.size else 0.0
        return fills

    @cached_property
    def _scaler(self) -> StandardScaler | None:
        if not (self.prepared.standardise and self.numbers.shape[1]):
            return None
        return StandardScaler().fit(self._filled(self.numbers))

    @property
    def centres(self) -> np.ndarray:
        return np.zeros(self.numbers.shape[1]) if self._scaler is None else self._scaler.mean_

    @property
    def scales(self) -> np.ndarray:
        return np.ones(self.numbers.shape[1]) if self._scaler is None else self._scaler.scale_

    def _filled(self, numbers: np.ndarray) -> np.ndarray:
        gaps = np.isnan(numbers)
        return np.where(gaps, self.fills, numbers) if gaps.any() else numbers

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Rows × features: scaled numbers, then an indicator for each category."""
        n_numbers = self.prepared.n_numbers
        numbers = self._filled(X[:, :n_numbers])
        scaled = numbers if self._scaler is None else self._scaler.transform(numbers)
        told = [
            (X[:, [j]] == np.arange(len(self.prepared.columns[j].categories))).astype(float)
            for j in range(n_numbers, X.shape[1])
        ]
        return np.hstack([scaled, *told]) if told else scaled


def learnt(prepared: Prepared, rows: np.ndarray | slice = slice(None)) -> Encoding:
    """From the training rows of a fold, and from no others."""
    return Encoding(prepared, prepared.X[rows, : prepared.n_numbers])


def encoded(prepared: Prepared, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Rows as they themselves say."""
    return learnt(prepared, rows)(prepared.X[rows])


def preprocessor(prepared: Prepared) -> ColumnTransformer:
    """Medians for gaps, then zero mean and unit variance; an indicator for each category."""
    n_numbers = prepared.n_numbers
    parts = []
    if n_numbers:
        steps = [SimpleImputer(strategy="median", keep_empty_features=True)]
        if prepared.standardise:
            steps.append(StandardScaler())
        parts.append(("numbers", make_pipeline(*steps), slice(0, n_numbers)))
    categories = [
        np.arange(len(column.categories), dtype=float) for column in prepared.columns[n_numbers:]
    ]
    if categories:
        encoder = OneHotEncoder(categories=categories, handle_unknown="ignore", sparse_output=False)
        parts.append(("categories", encoder, slice(n_numbers, len(prepared.columns))))
    return ColumnTransformer(parts)
