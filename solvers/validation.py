"""Checks on what users pass in: one sentence saying what is wrong, where, and how to fix it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .large.arrays import checked, is_dask


def as_data_matrix(X):
    """X as a finite float64 matrix: C- or Fortran-ordered as it came, or CSR.

    A Dask array stays one; its entries are looked at in the first pass over them.
    """
    if is_dask(X):
        return checked(X)
    if sparse.issparse(X):
        if X.ndim != 2:
            raise ValueError(f"X must be a matrix of samples × features, got {X.ndim} dimensions.")
        X = sparse.csr_array(X)
        X = X if X.dtype == np.float64 else X.astype(_real_type(X.dtype, "X"))
        values = X.data
    else:
        values = X = _as_numbers(X, "X")
        if X.ndim != 2:
            raise ValueError(
                f"X must be a matrix of samples × features, got shape {X.shape}; "
                "reshape a single column with X.reshape(-1, 1)."
            )
    if 0 in X.shape:
        raise ValueError(f"X must have at least one sample and one feature, got shape {X.shape}.")
    # One pass finds both what is not finite and what overflows when squared.
    largest = max(float(values.max()), -float(values.min())) if values.size else 0.0
    if not largest <= LARGEST:
        raise ValueError(too_large(*first_too_large(X)))
    return X


# Objectives hold squares of the data; beyond this they overflow.
LARGEST = 1e150


def _as_numbers(values, name) -> np.ndarray:
    """A float64 array; certificates need double precision whatever the data were stored in."""
    refuse_masked(values, name)
    try:
        array = np.asarray(values)
        if array.dtype.kind in "OUS" and array.ndim:
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only ({error}).") from None
    return array.astype(_real_type(array.dtype, name), copy=False)


def refuse_masked(values, name: str) -> None:
    """A masked array would become an ordinary one that holds what its mask hides."""
    if np.ma.is_masked(values):
        at = np.argwhere(np.ma.getmaskarray(values))[0]
        raise ValueError(
            f"{name}[{', '.join(map(str, at))}] is masked; impute or drop masked entries first."
        )


def _real_type(dtype, name):
    if dtype.kind == "c":
        raise ValueError(f"{name} holds complex numbers; only real data can be used.")
    if dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold numbers only, got values of type {dtype}.")
    return np.float64


def first_too_large(X) -> tuple[int, int, float]:
    """Row, column and value of the first entry that is not finite, or has no square."""
    if sparse.issparse(X):
        entries = X.tocoo()
        at = np.flatnonzero(~(np.abs(entries.data) <= LARGEST))[0]
        return int(entries.row[at]), int(entries.col[at]), float(entries.data[at])
    row, column = np.argwhere(~(np.abs(X) <= LARGEST))[0]
    return int(row), int(column), float(X[row, column])


def too_large(row, column, value) -> str:
    """What is wrong with an entry of X that is not finite, or has no square."""
    if np.isfinite(value):
        return (
            f"X[{row}, {column}] is {value:g}, whose square overflows; divide X by a constant "
            f"so that its entries stay below {LARGEST:g}."
        )
    return (
        f"X[{row}, {column}] is {value}; every entry must be finite. "
        "Impute or drop missing and infinite values first."
    )


def as_target(y, n_samples) -> np.ndarray:
    """y as a finite float64 vector with one entry per sample."""
    y = _as_numbers(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.shape != (n_samples,):
        raise ValueError(
            f"y must hold one number per sample: X has {n_samples} rows, y has shape {y.shape}."
        )
    bad = np.flatnonzero(~(np.abs(y) <= LARGEST))
    if bad.size:
        value = y[bad[0]]
        if np.isfinite(value):
            raise ValueError(
                f"y[{bad[0]}] is {value:g}, whose square overflows; divide y by a constant."
            )
        raise ValueError(f"y[{bad[0]}] is {value}; every entry of y must be finite.")
    return y


def as_targets(Y, n_samples) -> np.ndarray:
    """Y as a finite float64 matrix, a row a sample and a column a task."""
    Y = _as_numbers(Y, "Y")
    if Y.ndim != 2 or Y.shape[0] != n_samples or Y.shape[1] == 0:
        raise ValueError(
            f"Y must hold one row per sample and one column per task: X has {n_samples} rows, Y "
            f"has shape {Y.shape}."
        )
    bad = np.argwhere(~(np.abs(Y) <= LARGEST))
    if bad.size:
        row, column = bad[0]
        raise ValueError(
            f"Y[{row}, {column}] is {Y[row, column]}; every entry must be finite and below "
            f"{LARGEST:g}."
        )
    return Y


def as_counts(y) -> np.ndarray:
    """y as numbers of at least 0, for Poisson's loss; whether it fits X is checked later."""
    y = _as_numbers(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    negative = np.flatnonzero(y.reshape(-1) < 0.0)
    if negative.size:
        raise ValueError(
            f"y[{negative[0]}] is {y.reshape(-1)[negative[0]]:g}; counts must be at least 0."
        )
    return y


# Beyond this e^offset, or its inverse, is no number to compute with.
_LARGEST_OFFSET = 300.0


def as_offset(offset, n_samples) -> np.ndarray:
    """One finite number per sample, such as log exposure."""
    offset = _as_numbers(offset, "offset")
    if offset.shape != (n_samples,):
        raise ValueError(
            f"offset must hold one number per sample ({n_samples}), got shape {offset.shape}."
        )
    wrong = np.flatnonzero(~(np.abs(offset) <= _LARGEST_OFFSET))
    if wrong.size:
        raise ValueError(
            f"offset[{wrong[0]}] is {offset[wrong[0]]}; every entry must be finite and at most "
            f"{_LARGEST_OFFSET:g} in size, as e^offset is computed."
        )
    return offset


def check_labels(y) -> None:
    """Classes are −1 and +1."""
    wrong = np.flatnonzero(np.abs(y) != 1.0)
    if wrong.size:
        raise ValueError(
            f"y[{wrong[0]}] is {y[wrong[0]]:g}; labels must be −1 or +1, map your classes to them."
        )


def as_weights(sample_weight, n_samples) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n_samples)
    weight = _as_numbers(sample_weight, "sample_weight")
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight must hold one number per sample ({n_samples}), "
            f"got shape {weight.shape}."
        )
    wrong = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0.0)))
    if wrong.size:
        raise ValueError(
            f"sample_weight[{wrong[0]}] is {weight[wrong[0]]}; weights must be finite and ≥ 0."
        )
    if not weight.any():
        raise ValueError("all sample weights are 0; at least one sample must count.")
    return weight


def without_zero_weights(X, y, weight):
    """Samples of weight 0 count for nothing, and would divide by 0 in the dual."""
    keep = np.flatnonzero(weight > 0.0)
    return (X, y, weight) if keep.size == weight.size else (X[keep], y[keep], weight[keep])


def as_number(value, name) -> float:
    if isinstance(value, (str, bytes, bool)) or np.ndim(value):
        raise ValueError(f"{name} must be a number, got {value!r}.")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number, got {value!r}.") from None


def as_limit(value, name) -> float:
    """A number of at least 0; infinity is no limit."""
    number = as_number(value, name)
    if not number >= 0.0:
        raise ValueError(f"{name} must be at least 0, got {value}.")
    return number


def as_positive(value, name) -> float:
    number = as_number(value, name)
    if not (np.isfinite(number) and number > 0.0):
        raise ValueError(f"{name} must be a positive finite number, got {value}.")
    return number


def as_strengths(values, name) -> np.ndarray:
    """A non-empty vector of positive numbers, such as the λ of a path."""
    array = np.atleast_1d(_as_numbers(values, name))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a list of at least one number, got shape {array.shape}.")
    wrong = np.flatnonzero(~(np.isfinite(array) & (array > 0.0)))
    if wrong.size:
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]}; all must be positive numbers.")
    return array


# Weights are squared, and products of both kinds too; beyond this range they are typing errors.
_SMALLEST_WEIGHT, _LARGEST_WEIGHT = 1e-30, 1e30


def as_positive_flags(positive, n_features) -> np.ndarray | None:
    """One flag a feature whose weight must be ≥ 0; None where none has to."""
    if isinstance(positive, (bool, np.bool_)):
        return np.ones(n_features, dtype=bool) if positive else None
    flags = np.asarray(positive)
    if flags.dtype.kind not in "biuf" or not np.isin(flags, (0, 1)).all():
        raise ValueError(
            f"positive must be True, False or one of them per feature, got {positive!r}."
        )
    if flags.shape != (n_features,):
        raise ValueError(
            f"positive must be True, False or one flag per feature ({n_features}), "
            f"got shape {flags.shape}."
        )
    return flags.astype(bool) if flags.any() else None


def as_feature_weight(feature_weight, n_features) -> np.ndarray | None:
    """Numbers ≥ 0, one a feature; None where all are 1."""
    weight = _as_penalty_weight(feature_weight, n_features, "feature_weight", "feature", zero=True)
    if weight is not None and not weight.any():
        raise ValueError("all feature weights are 0; at least one feature must be penalised.")
    return weight


def as_group_weight(group_weight, n_groups) -> np.ndarray | None:
    """Numbers > 0, one a group; None where all are 1."""
    return _as_penalty_weight(group_weight, n_groups, "group_weight", "group", zero=False)


def _as_penalty_weight(weight, size, name, what, *, zero) -> np.ndarray | None:
    if weight is None:
        return None
    weight = _as_numbers(weight, name)
    if weight.shape != (size,):
        raise ValueError(
            f"{name} must hold one number per {what} ({size}), got shape {weight.shape}."
        )
    fits = (weight >= _SMALLEST_WEIGHT) & (weight <= _LARGEST_WEIGHT)
    wrong = np.flatnonzero(~(fits | (zero & (weight == 0.0))))
    if wrong.size:
        allowed = "0 or between" if zero else "between"
        raise ValueError(
            f"{name}[{wrong[0]}] is {weight[wrong[0]]}; every entry must be {allowed} "
            f"{_SMALLEST_WEIGHT:g} and {_LARGEST_WEIGHT:g}."
        )
    return None if np.all(weight == 1.0) else weight


def as_start(w0, n_features) -> np.ndarray | None:
    if w0 is None:
        return None
    w0 = _as_numbers(w0, "w0").copy()
    if w0.shape != (n_features,):
        raise ValueError(
            f"w0 must hold one number per feature ({n_features}), got shape {w0.shape}."
        )
    if not np.isfinite(w0).all():
        raise ValueError(f"w0[{np.flatnonzero(~np.isfinite(w0))[0]}] is not a finite number.")
    return w0
