"""What a Dask array must be like, seen without importing Dask."""

from __future__ import annotations

import math


class OutOfTime(Exception):
    """There is no time left for another pass: raised before one, for the `Lane` to catch."""


def is_dask(X) -> bool:
    """Whether X is a Dask collection; a cheap look that imports nothing."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def checked(X):
    """A Dask array that can be a data matrix, nothing of which has been read yet."""
    if type(X).__name__ != "Array":
        raise ValueError(
            f"X is a Dask {type(X).__name__}; give a Dask array, of a frame "
            "X.to_dask_array().compute_chunk_sizes()."
        )
    if X.ndim != 2:
        raise ValueError(f"X must be a matrix of samples × features, got {X.ndim} dimensions.")
    if any(math.isnan(size) for size in X.shape):
        raise ValueError("the sizes of X's chunks are unknown; call X.compute_chunk_sizes() first.")
    if 0 in X.shape:
        raise ValueError(f"X must have at least one sample and one feature, got shape {X.shape}.")
    if X.dtype.kind == "c":
        raise ValueError("X holds complex numbers; only real data can be used.")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers only, got values of type {X.dtype}.")
    return X
