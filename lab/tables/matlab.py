"""MATLAB 5 files: matrices, sparse matrices and text, decoded with every claim checked.

SciPy's reader is not used: it recurses into nested cells without a limit, allocates what headers
claim, and damaged files crash the interpreter.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .arrays import ArrayTable, assemble, checked_csr
from .errors import TableError, quoted, shown
from .model import Limits

_HEADER = 128
_MATRIX, _COMPRESSED = 14, 15
_CELL, _CHAR, _SPARSE = 1, 4, 5
_COMPLEX = 0x0800
# How numbers are stored, and which kind of matrix they fill (MATLAB stores 1.0 in one byte).
_STORED = {
    **{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4"},
    **{7: "f4", 9: "f8", 12: "i8", 13: "u8"},
}
_CLASSES = {
    **{6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2"},
    **{12: "i4", 13: "u4", 14: "i8", 15: "u8"},
}
_CHARACTERS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}


class _TooLarge(Exception):
    pass


class _NotPlain(Exception):
    """A structure, an object, a nested cell: nothing a table is made of."""


@dataclass(frozen=True)
class _Matrix:
    """An element's parts: `body` follows the name and holds the values."""

    kind: int
    flags: int
    dims: tuple[int, ...]
    name: str
    body: bytes
    order: str

    @property
    def size(self) -> int:
        size = 1
        for length in self.dims:
            size *= length
        return size


def read_matlab(data: bytes, name: str, member: str | None, limits: Limits) -> ArrayTable:
    """Numeric, sparse and text variables of a .mat file, and cell arrays of text."""
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if len(data) < _HEADER or order is None:
        raise TableError(
            f"{name} is not a MATLAB 5 file: save it in MATLAB with save -v7, or as CSV."
        )
    try:
        arrays, skipped = _variables(data, order, limits)
    except _TooLarge:
        raise TableError(
            f"{name} unpacks to more than {limits.decompressed / 1e6:,.0f} MB, the limit: save "
            "fewer rows or columns."
        ) from None
    except (ValueError, struct.error, zlib.error, IndexError, OverflowError) as error:
        raise TableError(
            f"{name} is cut off or damaged ({shown(error)}): save it again in MATLAB with save -v7."
        ) from None
    if not arrays:
        raise TableError(
            f"{name} holds no plain matrix{f', only {quoted(skipped)}' if skipped else ''}: save "
            "the features as a matrix and the labels as a vector."
        )
    notes = []
    if skipped:
        notes.append(
            f"{quoted(skipped)} are structures, objects or nested cells and were left out."
        )
    return assemble(arrays, name, member, limits, notes)


def _variables(data: bytes, order: str, limits: Limits) -> tuple[dict, list[str]]:
    arrays, skipped, held, at = {}, [], 0, _HEADER
    while at + 8 <= len(data):
        kind, length = struct.unpack_from(order + "II", data, at)
        content = data[at + 8 : at + 8 + length]
        if len(content) < length:
            raise ValueError("an element ends early")
        at += 8 + length
        if kind == _COMPRESSED:
            room = limits.decompressed - held
            content = zlib.decompressobj().decompress(content, room + 1)
            if len(content) > room:
                raise _TooLarge
            held += len(content)
            kind, content, _ = _part(content, 0, order)
        if kind != _MATRIX:
            continue
        matrix = _matrix(content, order)
        if not matrix.name:  # MATLAB's own workspace of functions
            continue
        try:
            arrays[matrix.name] = _values(matrix, limits)
        except _NotPlain:
            skipped.append(matrix.name)
    return arrays, skipped


def _part(content: bytes, at: int, order: str) -> tuple[int, bytes, int]:
    """One part's type and bytes, and where the next begins."""
    kind, length = struct.unpack_from(order + "II", content, at)
    if kind >> 16:  # up to four bytes sit in the tag itself
        kind, length = kind & 0xFFFF, kind >> 16
        if length > 4:
            raise ValueError("a small part is too long")
        return kind, content[at + 4 : at + 4 + length], at + 8
    if at + 8 + length > len(content):
        raise ValueError("a part ends early")
    return kind, content[at + 8 : at + 8 + length], at + 8 + length + (-length) % 8


def _matrix(content: bytes, order: str) -> _Matrix:
    if not content:
        return _Matrix(_CHAR, 0, (0, 0), "", b"", order)
    _, flags, at = _part(content, 0, order)
    _, dims, at = _part(content, at, order)
    _, name, at = _part(content, at, order)
    flags = struct.unpack_from(order + "I", flags)[0]
    sizes = struct.unpack(f"{order}{len(dims) // 4}i", dims[: len(dims) // 4 * 4])
    if len(sizes) < 2 or min(sizes) < 0:
        raise ValueError("a matrix of impossible size")
    return _Matrix(flags & 0xFF, flags, sizes, name.decode("latin-1"), content[at:], order)


def _values(matrix: _Matrix, limits: Limits):
    if matrix.flags & _COMPLEX:
        raise _NotPlain
    if matrix.kind == _SPARSE:
        return _sparse(matrix, limits)
    if matrix.kind not in (_CELL, _CHAR) and matrix.kind not in _CLASSES:
        raise _NotPlain
    if matrix.size > len(matrix.body):
        raise ValueError("a matrix larger than its data")
    if matrix.kind == _CELL:
        return _cells(matrix)
    if matrix.kind == _CHAR:
        return np.array(_text(matrix), dtype="U")
    stored, _ = _numbers(matrix, 0)
    if len(stored) != matrix.size:
        raise ValueError("a matrix with too few or too many values")
    values = stored.astype(_CLASSES[matrix.kind])
    return values.reshape(matrix.dims, order="F")


def _numbers(matrix: _Matrix, at: int) -> tuple[np.ndarray, int]:
    kind, content, at = _part(matrix.body, at, matrix.order)
    if kind not in _STORED:
        raise ValueError("values of an unknown type")
    dtype = np.dtype(matrix.order + _STORED[kind])
    return np.frombuffer(content, dtype).astype(dtype.newbyteorder("=")), at


def _sparse(matrix: _Matrix, limits: Limits) -> sparse.csr_array:
    if len(matrix.dims) != 2 or max(matrix.dims) > limits.cells:
        raise ValueError("a sparse matrix of impossible size")
    rows, at = _numbers(matrix, 0)
    starts, at = _numbers(matrix, at)
    values, _ = _numbers(matrix, at)
    if len(starts) != matrix.dims[1] + 1 or rows.dtype.kind not in "iu":
        raise ValueError("a sparse matrix with too few or too many columns")
    n_stored = int(starts[-1])
    if not 0 <= n_stored <= min(len(rows), len(values)):
        raise ValueError("a sparse matrix with too few values")
    # Room for values not used yet may follow the last one.
    parts = (values[:n_stored].astype(float), rows[:n_stored], starts)
    return checked_csr(sparse.csc_array(parts, shape=matrix.dims))


def _cells(matrix: _Matrix) -> np.ndarray:
    texts, at = [], 0
    for _ in range(matrix.size):
        kind, content, at = _part(matrix.body, at, matrix.order)
        inner = _matrix(content, matrix.order)
        if kind != _MATRIX or inner.kind != _CHAR:
            raise _NotPlain
        texts.append("".join(_text(inner)))
    # As objects: a fixed width would give every cell the room of the longest text.
    return np.array(texts, dtype=object)


def _text(matrix: _Matrix) -> list[str]:
    """The rows of a character matrix."""
    if not matrix.size:
        return [""]
    kind, content, _ = _part(matrix.body, 0, matrix.order)
    if kind not in _CHARACTERS:
        raise ValueError("text of an unknown type")
    codec = _CHARACTERS[kind]
    if codec in ("utf-16", "utf-32"):
        codec += "-le" if matrix.order == "<" else "-be"
    letters = content.decode(codec, "replace")
    if len(letters) != matrix.size or len(matrix.dims) != 2:
        # Letters of two units are counted twice: only a single row is unambiguous.
        return [letters]
    return ["".join(letters[row :: matrix.dims[0]]) for row in range(matrix.dims[0])]
