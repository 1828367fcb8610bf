"""Tables and matrices from files, into memory or as Dask arrays that are read block by block."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

BLOCK_BYTES = 2**26  # of one block of a file: 64 MB, so that a few fit beside each other


@dataclass(frozen=True)
class Table:
    """Samples × features X, in memory or a Dask array; what is predicted; the features' names."""

    X: Any
    y: np.ndarray
    names: tuple[str, ...]


def read(path, target: str, *, with_dask: bool) -> Table:
    """A .parquet or .csv table with its target column, or a .npy or .zarr matrix and a .npy target

    Raises ValueError with one sentence where that cannot be.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"there is no file {path}.")
    try:
        if path.suffix in (".npy", ".zarr"):
            return _matrix(path, target, with_dask)
        if path.suffix in (".parquet", ".pq", ".csv") or path.is_dir():
            return _table(path, target, with_dask)
    except ImportError as error:
        raise ValueError(f"{path.name} needs the package {error.name}; install it.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error}).") from None
    raise ValueError(f"{path.name} is none of .parquet, .csv, .npy and .zarr.")


def from_npy(path, block_bytes: int = BLOCK_BYTES):
    """A matrix in a .npy file as a Dask array; every block maps its own part of the file."""
    import dask.array as da

    shape, fortran, dtype, offset = _header(path)
    if len(shape) != 2:
        raise ValueError(f"{path} must hold a matrix, and holds {len(shape)} dimensions.")
    lines, length = shape[::-1] if fortran else shape
    step = max(1, block_bytes // max(1, length * dtype.itemsize))
    starts = np.arange(0, lines, step)
    chunks = (tuple(int(min(step, lines - start)) for start in starts), (length,))
    meta = np.empty((0, 0), dtype)
    array = da.map_blocks(
        _mapped, path=str(path), offset=offset, number=dtype.str, chunks=chunks, meta=meta
    )
    return array.T if fortran else array


def _mapped(path, offset, number, block_info=None):
    dtype = np.dtype(number)
    (first, last), (_, length) = block_info[None]["array-location"]
    start = offset + first * length * dtype.itemsize
    return np.array(np.memmap(path, dtype, "r", start, (last - first, length)))


def _header(path):
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        read_header = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        return (*read_header(file), file.tell())


def _matrix(path, target, with_dask) -> Table:
    if not Path(target).exists():
        raise ValueError(f"the target of a matrix is a .npy file too, and there is no {target}.")
    y = np.load(target)
    if path.suffix == ".zarr":
        import dask.array as da

        X = da.from_zarr(str(path))
        X = X if with_dask else X.compute()
    else:
        X = from_npy(path) if with_dask else np.load(path)
    return Table(X, y, tuple(f"x{i}" for i in range(X.shape[1])))


def _table(path, target, with_dask) -> Table:
    if with_dask:
        import dask.dataframe as frames
    else:
        import pandas as frames  # type: ignore[no-redef]
    frame = frames.read_csv(path) if path.suffix == ".csv" else frames.read_parquet(path)
    if target not in frame.columns:
        listed = ", ".join(map(str, frame.columns[:8]))
        raise ValueError(f"{path.name} has no column {target!r}; its columns begin with: {listed}.")
    y = np.asarray(frame[target])
    features = frame.drop(columns=[target])
    for name, dtype in features.dtypes.items():
        if getattr(dtype, "kind", "O") not in "fiub":
            raise ValueError(f"column {name!r} holds {dtype} values; this takes numbers only.")
    if with_dask:
        # lengths=True counts other parts than there are where Dask reads small files together.
        X = features.astype(float).to_dask_array().compute_chunk_sizes()
    else:
        X = features.to_numpy(dtype=float)
    return Table(X, y, tuple(map(str, features.columns)))


def read_groups(path, names) -> list:
    """One label a feature, from a file of two columns, feature and group"""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}).") from None
    wrong = next((row for row in rows if len(row) != 2), None)
    if wrong is not None or not rows:
        raise ValueError(f"{path} must have two columns, a feature's name and its group.")
    found = dict(rows)
    missing = next((name for name in names if name not in found), None)
    if missing is not None:
        raise ValueError(f"{path} names no group for the feature {missing!r}.")
    return [found[name] for name in names]


def connect(address: str):
    """A client of the cluster at that address."""
    try:
        from distributed import Client

        return Client(address, timeout="20s")
    except ImportError as error:
        raise ValueError(f"a cluster needs the package {error.name}; install it.") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"there is no Dask cluster at {address} ({error}).") from None
