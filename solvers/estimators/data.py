"""X as estimators take it: checked by scikit-learn in memory, and left alone where it is not."""

from __future__ import annotations

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from ..design import design_of
from ..large.arrays import is_dask
from ..validation import as_data_matrix, refuse_masked


# For predictions there is no y; a fit without one is for scikit-learn to refuse.
_NO_Y = object()


def validated(estimator, X, y=_NO_Y, **options):
    """X as float64, dense or CSR, or the Dask array it is; and y, where there is one."""
    refuse_masked(X, "X")
    reset = y is not _NO_Y
    if is_dask(X):
        X = as_data_matrix(X)
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        if y is _NO_Y:
            return X
        y = column_or_1d(np.asarray(y), warn=True)
        check_consistent_length(X, y)
        return X, y
    if y is _NO_Y:
        return validate_data(
            estimator, X, accept_sparse="csr", dtype=np.float64, reset=False, **options
        )
    refuse_masked(y, "y")
    return validate_data(estimator, X, y, accept_sparse="csr", dtype=np.float64, **options)


def scores(X, coef) -> np.ndarray:
    """X times weights, a vector or one column a class; a Dask array is gone through once."""
    return design_of(X).product(coef) if is_dask(X) else X @ coef


def rows_of(X, chosen):
    """Some samples, of whatever X is."""
    return X[chosen] if is_dask(X) else _safe_indexing(X, chosen)
