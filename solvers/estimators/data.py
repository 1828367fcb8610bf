"""X as estimators take it: checked by scikit-learn in memory, and left alone where it is not."""

from __future__ import annotations

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from ..design import design_of
from ..large.arrays import is_dask
from ..validation import as_data_matrix, refuse_masked

NO_TARGET = "no_validation"  # scikit-learn's word for it; None is a target that was forgotten


def validated(estimator, X, y=NO_TARGET, **options):
    """X as float64, dense or CSR, or the Dask array it is; and y, where there should be one."""
    refuse_masked(X, "X")
    fitting = not (isinstance(y, str) and y == NO_TARGET)
    if fitting:
        refuse_masked(y, "y")
    if not is_dask(X):
        options |= dict(accept_sparse="csr", dtype=np.float64, reset=fitting)
        return validate_data(estimator, X, y, **options)
    X = as_data_matrix(X)
    validate_data(estimator, X, skip_check_array=True, reset=fitting)
    if not fitting:
        return X
    y = column_or_1d(np.asarray(y), warn=True)
    check_consistent_length(X, y)
    return X, y


def scores(X, coef) -> np.ndarray:
    """X times weights, a vector or one column a class; a Dask array is gone through once."""
    return design_of(X).product(coef) if is_dask(X) else X @ coef


def rows_of(X, chosen):
    """Some samples, of whatever X is."""
    return X[chosen] if is_dask(X) else _safe_indexing(X, chosen)
