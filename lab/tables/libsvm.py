"""LIBSVM / SVMlight text: `label index:value index:value …` in each line."""

from __future__ import annotations

import io
import re

import numpy as np

from lab.loading import one_at_a_time

from .arrays import ArrayTable, checked_csr, features_and_label
from .decoding import first_lines
from .dialect import too_wide
from .errors import TableError, shown
from .model import Limits

_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LINE = re.compile(
    rb"\s*"
    + _NUMBER
    + rb"(?:\s+qid:\d+)?(?:\s+\d+:(?:"
    + _NUMBER
    + rb"|nan|[-+]?inf))*\s*(?:#.*)?",
    re.I,
)


def looks_like_libsvm(data: bytes) -> bool:
    """Whether the first lines are all numbers followed by index:value pairs."""
    lines = [line for line in data[: 2**16].splitlines()[:20] if line.strip()]
    if len(data) > 2**16 and len(lines) > 1:
        lines = lines[:-1]
    pairs = sum(b":" in line for line in lines)
    return pairs > 0 and 2 * pairs >= len(lines) and all(_LINE.fullmatch(line) for line in lines)


def read_libsvm(data: bytes, name: str, limits: Limits) -> ArrayTable:
    """Labels in the column `label`, features x1, x2, … by their index in the file."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    indices = _extent(data, name)
    lowest, highest = indices
    zero_based = lowest == 0
    width = highest + 1 if zero_based else highest
    if width > limits.columns:
        raise too_wide(name, width, limits.columns)
    with one_at_a_time:
        from sklearn.datasets import load_svmlight_file  # scikit-learn takes a while to load
    try:
        matrix, label = load_svmlight_file(
            io.BytesIO(data), n_features=width, zero_based=zero_based
        )
        matrix = checked_csr(matrix)
    # scikit-learn's parser reports the same mistake by different exceptions.
    except Exception as error:
        raise TableError(
            f"{name} is not valid LIBSVM text ({shown(error)}): write each row as "
            "`label index:value index:value`, with ascending indices.",
            preview=first_lines(data),
        ) from None
    if not matrix.shape[0]:
        raise TableError(f"{name} holds no rows: add some.")
    if matrix.nnz > limits.cells:
        raise TableError(
            f"{name} has {matrix.nnz:,} values and the limit is {limits.cells:,}: "
            "upload fewer rows."
        )
    notes: list[str] = []
    names = [f"x{j + (0 if zero_based else 1)}" for j in range(width)]
    frame, held = features_and_label(matrix, names, np.asarray(label), notes)
    notes.append(
        "Read as LIBSVM text: the number before the pairs is the column 'label', indices "
        f"{'begin at 0' if zero_based else 'begin at 1'}."
    )
    return ArrayTable(frame, held, tuple(notes), (), None)


def _extent(data: bytes, name: str) -> tuple[int, int]:
    """The lowest and highest index, before anything of that size is made."""
    lowest, highest = None, 0
    for match in re.finditer(rb"(?<=[\s])(\d+):", data):
        if len(match[1]) > 12:
            raise TableError(
                f"{name} holds the feature index {shown(match[1].decode())}, which is too large: "
                "number the features from 1."
            )
        index = int(match[1])
        lowest = index if lowest is None else min(lowest, index)
        highest = max(highest, index)
    if lowest is None:
        raise TableError(
            f"{name} holds no `index:value` pairs, so it is not LIBSVM text: "
            "choose another format.",
            preview=first_lines(data),
        )
    return lowest, highest
