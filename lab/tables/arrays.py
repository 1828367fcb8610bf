"""Named arrays (of .npz, .npy and .mat) -> a table of features and other columns."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from .containers import check_members, open_zip, unzip
from .dialect import too_wide
from .errors import TableError, quoted, shown
from .frames import unique_names
from .model import Limits, SparseColumns
from .signatures import ZIP

_FEATURES = re.compile(r"x|x_?train|data|features|inputs|images|fea", re.I)
_NAMES = re.compile(r"(feature|column|variable|var)?_?names|columns|features", re.I)
_SPARSE_PARTS = {"format", "shape", "data"}
# Below this many cells a sparse matrix is held as ordinary columns: simpler, and small enough.
DENSE_CELLS = 2 * 10**6


@dataclass(frozen=True, eq=False)
class ArrayTable:
    frame: pd.DataFrame
    sparse: SparseColumns | None
    notes: tuple[str, ...]
    members: tuple[str, ...]
    member: str | None


def read_numpy(data: bytes, name: str, member: str | None, limits: Limits) -> ArrayTable:
    """.npz or .npy: arrays of numbers and text; arrays of Python objects are never loaded."""
    notes: list[str] = []
    if not data.startswith(ZIP):
        arrays = {"data": _load_npy(data, name, "the array")}
        return assemble(arrays, name, member, limits, notes)
    archive = open_zip(data, name)
    check_members(archive, name, limits.decompressed)
    arrays, skipped = {}, []
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        try:
            content = unzip(archive, info.filename, name, limits.decompressed)
            arrays[key] = _load_npy(content, name, f"array '{shown(key)}'")
        except _ObjectArray:
            skipped.append(key)
    if skipped and not arrays:
        raise TableError(
            f"{name} holds only arrays of Python objects ({quoted(skipped)}), which could run a "
            "hidden program when loaded: save arrays of numbers or text instead."
        )
    if skipped:
        notes.append(
            f"{quoted(skipped)} hold Python objects, which are never loaded, and were left out."
        )
    if set(arrays) >= _SPARSE_PARTS and arrays["format"].ndim == 0:
        arrays = _join_sparse(arrays, name, limits)
    return assemble(arrays, name, member, limits, notes)


class _ObjectArray(Exception):
    pass


def _load_npy(content: bytes, name: str, what: str) -> np.ndarray:
    stream = io.BytesIO(content)
    damaged = TableError(
        f"{what[0].upper() + what[1:]} in {name} is cut off or damaged: save it again with "
        "numpy.savez."
    )
    # A hostile header can fail in many ways inside NumPy's parser, all of them the file's fault.
    try:
        version = np.lib.format.read_magic(stream)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read_header is None:
            raise ValueError("unknown version")
        shape, _, dtype = read_header(stream)
    except Exception:
        raise damaged from None
    if dtype.hasobject:
        if what == "the array":
            raise TableError(
                f"{name} holds an array of Python objects, which could run a hidden program when "
                "loaded: save an array of numbers or text instead."
            )
        raise _ObjectArray
    size = 1
    for length in shape:
        size *= int(length)
    # The header is only a claim: nothing is allocated before the bytes are known to be there.
    if size < 0 or size * dtype.itemsize != len(content) - stream.tell():
        raise damaged
    stream.seek(0)
    try:
        return np.load(stream, allow_pickle=False)
    except (ValueError, TypeError, EOFError, MemoryError):
        raise damaged from None


def _join_sparse(arrays: dict, name: str, limits: Limits) -> dict:
    """The parts that scipy.sparse.save_npz writes, as one matrix among the other arrays."""
    kind = arrays["format"].item()
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    parts = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
    if kind not in parts or not set(parts[kind]) <= set(arrays):
        raise TableError(
            f"{name} holds a sparse matrix in the form '{shown(kind, 10)}': save it as CSR with "
            "scipy.sparse.save_npz(path, matrix.tocsr())."
        )
    used = {*_SPARSE_PARTS, *parts[kind], "_is_array"}
    others = {key: value for key, value in arrays.items() if key not in used}
    try:
        shape = tuple(int(length) for length in arrays["shape"].ravel())
        values = arrays["data"]
        if values.dtype.kind not in "biuf" or len(shape) != 2 or max(shape) > limits.cells:
            raise ValueError("not a matrix of numbers")
        first, second = (arrays[key] for key in parts[kind])
        if kind == "coo":
            matrix = sparse.coo_array((values, (first, second)), shape=shape)
        else:
            make = sparse.csr_array if kind == "csr" else sparse.csc_array
            matrix = make((values, first, second), shape=shape)
        matrix = checked_csr(matrix)
    except (ValueError, TypeError, IndexError, OverflowError, MemoryError) as error:
        raise TableError(
            f"The sparse matrix in {name} is damaged ({shown(error)}): save it again with "
            "scipy.sparse.save_npz."
        ) from None
    return {"X": matrix, **others}


def checked_csr(matrix) -> sparse.csr_array:
    """A CSR matrix of floats whose indices were all checked; SciPy trusts them otherwise."""
    if matrix.format in ("csr", "csc"):
        matrix.check_format(full_check=True)
    elif matrix.nnz and (
        min(c.min() for c in matrix.coords) < 0
        or any(c.max() >= n for c, n in zip(matrix.coords, matrix.shape, strict=True))
    ):
        raise ValueError("an index is out of range")
    matrix = sparse.csr_array(matrix).astype(float)
    matrix.sum_duplicates()
    return matrix


def assemble(
    arrays: dict, name: str, member: str | None, limits: Limits, notes: list[str]
) -> ArrayTable:
    """The features (one matrix) and every vector as long as it, as columns."""
    matrices = {key: value for key, value in arrays.items() if _is_matrix(value)}
    members = tuple(key for key, value in matrices.items() if min(value.shape[:2]) > 0)
    if not members:
        records = [key for key, value in arrays.items() if _is_record(value)]
        if records:
            return _from_records(arrays[records[0]], name, records[0], limits, notes)
        raise TableError(
            f"{name} holds no matrix of numbers with a row per sample: save one, with the labels "
            "in a vector beside it."
        )
    chosen = member if member is not None else _choose(members, matrices)
    if chosen not in members:
        raise TableError(
            f"{name} holds no matrix '{shown(chosen)}', only {quoted(members)}: choose one of "
            "these.",
            members=members,
        )
    features = matrices[chosen]
    if not sparse.issparse(features) and features.ndim > 2:
        notes.append(f"'{shown(chosen, 30)}' has {features.ndim} axes: each sample was flattened.")
        features = features.reshape(features.shape[0], -1)
    rows, width = features.shape
    if width > limits.columns:
        raise too_wide(name, width, limits.columns)
    stored = features.nnz if sparse.issparse(features) else rows * width
    if stored > limits.cells or rows > limits.cells:
        raise TableError(
            f"'{shown(chosen, 30)}' in {name} has {rows:,} rows of {width:,} columns, and the "
            f"limit is {limits.cells:,} cells: save fewer rows or columns."
        )
    names, used = _feature_names(arrays, width, chosen)
    vectors = _vectors(arrays, rows, {chosen, used})
    left_out = [key for key in arrays if key not in vectors and key not in (chosen, used)]
    if left_out:
        notes.append(
            f"{quoted(left_out)} do not fit the rows of '{shown(chosen, 30)}' and were left out."
        )
    if len(members) > 1:
        notes.append(f"The features are '{shown(chosen, 30)}', one of {quoted(members)}.")
    frame, held = _columns(features, names, vectors, notes)
    return ArrayTable(frame, held, tuple(notes), members, chosen)


def features_and_label(
    matrix: sparse.csr_array, names: list[str], label: np.ndarray, notes: list[str]
):
    """A frame and sparse columns for a checked sparse matrix and its labels."""
    return _columns(matrix, names, {"label": label}, notes)


def _columns(features, names: list[str], vectors: dict, notes: list[str]):
    every = unique_names([*names, *vectors], notes)
    names, others = every[: len(names)], every[len(names) :]
    dense = pd.DataFrame(
        {key: _values(vector) for key, vector in zip(others, vectors.values(), strict=True)},
        index=range(features.shape[0]),
    )
    if sparse.issparse(features):
        n_cells = features.shape[0] * features.shape[1]
        if n_cells > DENSE_CELLS:
            return dense, SparseColumns(tuple(names), features)
        features = features.toarray()
    whole = features.dtype.kind in "iub" and features.dtype != np.uint64
    block = features.astype(np.int64 if whole else float)
    frame = pd.DataFrame(block, columns=names)
    return (pd.concat([frame, dense], axis=1) if len(others) else frame), None


def _values(vector: np.ndarray):
    if vector.dtype.kind == "S":
        vector = np.char.decode(vector, "utf-8", "replace")
    if vector.dtype.kind in "UO":
        text = pd.Series([str(value).strip() for value in vector], dtype="str")
        return text.where(text != "", np.nan)
    if vector.dtype.kind == "f":
        whole = np.isfinite(vector).all() and (vector == np.round(vector)).all()
        small = whole and (np.abs(vector) < 2**53).all()
        return vector.astype(np.int64 if small else float)
    # Unsigned 64-bit numbers may not fit a signed one; all other whole numbers do.
    narrow = vector.dtype.kind in "iu" and vector.dtype != np.uint64
    return vector.astype(np.int64) if narrow else vector


def _is_matrix(value) -> bool:
    if sparse.issparse(value):
        return True
    return (
        value.ndim >= 2
        and value.dtype.kind in "biuf"
        and min(value.shape) > 0
        and (value.ndim > 2 or min(value.shape) > 1 or value.size == 1)
    )


def _is_record(value) -> bool:
    return not sparse.issparse(value) and value.ndim == 1 and bool(value.dtype.names)


def _choose(members, matrices) -> str:
    named = [key for key in members if _FEATURES.fullmatch(key)]
    size = {key: int(np.prod(matrices[key].shape, dtype=float)) for key in members}
    return max(named or members, key=lambda key: size[key])


def _feature_names(arrays: dict, width: int, chosen: str) -> tuple[list[str], str | None]:
    for key, value in arrays.items():
        if key == chosen or sparse.issparse(value) or value.dtype.kind not in "USO":
            continue
        if _NAMES.fullmatch(key) and value.size == width:
            names = _values(value.ravel())
            return ["" if pd.isna(text) else text for text in names], key
    return [f"x{j + 1}" for j in range(width)], None


def _vectors(arrays: dict, rows: int, used: set) -> dict:
    """Arrays with one value per sample, as vectors."""
    found = {}
    for key, value in arrays.items():
        if key in used or sparse.issparse(value) or value.dtype.kind not in "biufUSO":
            continue
        if value.size == rows and max(value.shape, default=0) == rows:
            found[key] = value.ravel()
    return found


def _from_records(records: np.ndarray, name: str, key: str, limits: Limits, notes: list[str]):
    fields = [f for f in records.dtype.names if records.dtype[f].kind in "biufUS"]
    fields = [f for f in fields if not records.dtype[f].shape]
    if not fields or not len(records):
        raise TableError(
            f"The records in {name} hold no plain numbers or text: save simple columns."
        )
    if len(fields) * len(records) > limits.cells or len(fields) > limits.columns:
        raise too_wide(name, len(fields), limits.columns)
    names = unique_names(fields, notes)
    frame = pd.DataFrame(
        {n: _values(np.ascontiguousarray(records[f])) for n, f in zip(names, fields, strict=True)}
    )
    return ArrayTable(frame, None, tuple(notes), (key,), key)
