"""One pass over the blocks of a Dask array: one graph, whatever is computed of every block.

Vectors go out in pieces, a block's share each; what comes back is added up in a tree on the way, so
that no machine ever holds more than a few partial sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..design import Design
from ..threads import one_thread
from ..validation import LARGEST, first_too_large
from .arrays import OutOfTime

FAN_IN = 8  # partial sums added up in one task


@dataclass(frozen=True)
class Wanted:
    """What a pass is to compute; None and False leave it out.

    `left` is Θ, N × k, for XᵀΘ. `right` is w as (support, values), for Xw. `squares` is a weight
    per row, for the columns' weighted sums of squares. `survey` looks for what is no number.
    """

    left: np.ndarray | None = None
    right: tuple[np.ndarray, np.ndarray] | None = None
    squares: np.ndarray | None = None
    survey: bool = False

    @property
    def only_columns(self) -> bool:
        """Whether blocks without a feature of the support have nothing to tell."""
        return not self.survey and self.left is None and self.squares is None


@dataclass
class Sums:
    """What some blocks amount to: per block column, per block row, and over all."""

    left: dict[int, np.ndarray]
    right: dict[int, np.ndarray]
    squares: dict[int, np.ndarray]
    largest: float = 0.0
    wrong: tuple[int, int, float] | None = None

    def __sizeof__(self) -> int:
        """Dask moves what is small, and has to know what is not."""
        pieces = (*self.left.values(), *self.right.values(), *self.squares.values())
        return sum(part.nbytes for part in pieces) + 64


def block_sums(block, place, corner, left, squares, right, survey) -> Sums:
    """All that is wanted of one block, `place` its position and `corner` its first entry."""
    block = _as_numbers(block)
    sums = Sums({}, {}, {})
    i, j = place
    if left is not None:
        sums.left[j] = np.asarray(block.T @ left)
    if right is not None:
        support, values = right
        sums.right[i] = np.asarray(block[:, support] @ values)
    if squares is not None:
        squared = block.multiply(block) if sparse.issparse(block) else block * block
        sums.squares[j] = np.asarray(squares @ squared).reshape(-1)
    if survey:
        values = block.data if sparse.issparse(block) else block
        sums.largest = max(float(values.max()), -float(values.min())) if values.size else 0.0
        if not sums.largest <= LARGEST:
            row, column, value = first_too_large(block)
            sums.wrong = corner[0] + row, corner[1] + column, value
    return sums


def block_columns(block, inside) -> np.ndarray:
    """Some columns of a block, densely."""
    block = _as_numbers(block)[:, inside]
    return block.toarray() if sparse.issparse(block) else np.asfortranarray(block)


def rows_gram(parts, row_weights, means) -> np.ndarray:
    """[B 1]ᵀD[B 1], B the columns that the blocks of some rows have, less their means."""
    columns = np.hstack([*parts, np.ones((len(row_weights), 1))])
    if means is not None:
        columns[:, :-1] -= means
    columns *= np.sqrt(row_weights)[:, None]
    return columns.T @ columns


def block_eigenvalue(block, row_weights, means) -> float:
    """The largest eigenvalue of BᵀDB, B the block less the means of its columns."""
    return Design(_as_numbers(block), means).largest_eigenvalue(row_weights)


def added(parts: list[Sums]) -> Sums:
    """Their sum, as one of its own: where a worker dies, its parts may be added up once more."""
    total = Sums({}, {}, {})
    for part in parts:
        for mine, theirs in (
            (total.left, part.left),
            (total.right, part.right),
            (total.squares, part.squares),
        ):
            for key, values in theirs.items():
                mine[key] = mine[key] + values if key in mine else values
        # One that is no number stays, whichever side it is on.
        total.largest = float(np.maximum(total.largest, part.largest))
        total.wrong = min(filter(None, (total.wrong, part.wrong)), default=None)
    return total


def _as_numbers(block):
    if np.ma.is_masked(block):
        raise ValueError("X has masked entries; impute or drop them first.")
    if sparse.issparse(block):
        # Forms that cannot be sliced by columns become one that can.
        block = block if block.format in ("csr", "csc") else block.tocsr()
        return block.astype(np.float64, copy=False)
    return np.asarray(block, dtype=np.float64)


class Passes:
    """The blocks of a Dask array, and how often they have been gone through."""

    def __init__(self, X):
        self.shape = X.shape
        self._blocks = X.to_delayed()
        self._rows, self._columns = (np.concatenate([[0], np.cumsum(c)]) for c in X.chunks)
        self.most_rows = max(X.chunks[0])
        self.count = 0.0
        self.stop_when: Callable[[], bool] = lambda: False

    def _begin(self, n_blocks) -> None:
        if self.stop_when():
            raise OutOfTime
        self.count += n_blocks / self._blocks.size

    def sums(self, wanted: Wanted) -> Sums:
        """One pass: all that is wanted, of all blocks that can tell."""
        from dask import delayed

        one, add = delayed(block_sums, pure=False), delayed(added, pure=False)
        pieces = _Pieces(wanted, self._rows, self._columns)
        tasks = []
        for i, row in enumerate(self._blocks):
            for j, block in enumerate(row):
                right = pieces.right(j)
                if wanted.only_columns and right is None:
                    continue
                place, corner = (i, j), (int(self._rows[i]), int(self._columns[j]))
                tasks.append(one(block, place, corner, *pieces.of_row(i), right, wanted.survey))
        if not tasks:
            return Sums({}, {}, {})
        self._begin(len(tasks))
        while len(tasks) > 1:
            tasks = [add(tasks[k : k + FAN_IN]) for k in range(0, len(tasks), FAN_IN)]
        return computed(tasks)[0]

    def columns(self, features) -> np.ndarray:
        """Those columns as a dense Fortran-ordered array, from the blocks that hold any."""
        from dask import delayed

        take = delayed(block_columns, pure=False)
        home = np.searchsorted(self._columns, features, side="right") - 1
        tasks, wheres = [], []
        for j in np.unique(home):
            where = np.flatnonzero(home == j)
            inside = features[where] - self._columns[j]
            for i, row in enumerate(self._blocks):
                tasks.append(take(row[j], inside))
                wheres.append((slice(int(self._rows[i]), int(self._rows[i + 1])), where))
        self._begin(len(tasks))
        dense = np.empty((self.shape[0], len(features)), order="F")
        for (rows, where), part in zip(wheres, computed(tasks), strict=True):
            dense[rows, where] = part
        return dense

    def gram(self, features, row_weights, means) -> np.ndarray:
        """[X 1]ᵀD[X 1] on those features, which ascend, from the blocks that hold any."""
        from dask import delayed

        take, multiply = delayed(block_columns, pure=False), delayed(rows_gram, pure=False)
        add, means = delayed(sum, pure=False), delayed(means, pure=False)
        home = np.searchsorted(self._columns, features, side="right") - 1
        inside = {j: features[home == j] - self._columns[j] for j in np.unique(home)}
        self._begin(len(inside) * len(self._blocks))
        tasks = [
            multiply([take(row[j], at) for j, at in inside.items()], weights, means)
            for row, weights in zip(self._blocks, _split(row_weights, self._rows), strict=True)
        ]
        while len(tasks) > 1:
            tasks = [add(tasks[k : k + FAN_IN]) for k in range(0, len(tasks), FAN_IN)]
        return computed(tasks)[0]

    def eigenvalues(self, row_weights, means) -> np.ndarray:
        """The largest eigenvalue of BᵀDB of every (centred) block B, block rows × block columns."""
        from dask import delayed

        one = delayed(block_eigenvalue, pure=False)
        rows = _split(row_weights, self._rows)
        columns = _split(means, self._columns)
        self._begin(self._blocks.size)
        tasks = [
            one(block, rows[i], columns[j])
            for i, row in enumerate(self._blocks)
            for j, block in enumerate(row)
        ]
        return np.reshape(computed(tasks), self._blocks.shape)

    def along_rows(self, parts: dict[int, np.ndarray]) -> np.ndarray:
        """One vector per sample from its pieces, 0 where no block had any to tell."""
        return _joined(parts, self._rows)

    def along_columns(self, parts: dict[int, np.ndarray]) -> np.ndarray:
        return _joined(parts, self._columns)


class _Pieces:
    """The share of every block in the vectors of a pass, each sent out once."""

    def __init__(self, wanted: Wanted, rows, columns):
        self._wanted, self._rows, self._columns = wanted, rows, columns
        self._by_row: dict[int, tuple] = {}
        self._by_column: dict[int, Any] = {}

    def of_row(self, i) -> tuple:
        from dask import delayed

        if i not in self._by_row:
            part = slice(self._rows[i], self._rows[i + 1])
            vectors = (self._wanted.left, self._wanted.squares)
            self._by_row[i] = tuple(
                None if vector is None else delayed(vector[part], pure=False) for vector in vectors
            )
        return self._by_row[i]

    def right(self, j):
        from dask import delayed

        if self._wanted.right is None:
            return None
        if j not in self._by_column:
            support, values = self._wanted.right
            low, high = np.searchsorted(support, self._columns[j : j + 2])
            piece = (support[low:high] - self._columns[j], values[low:high])
            self._by_column[j] = delayed(piece, pure=False, traverse=False) if high > low else None
        return self._by_column[j]


def _split(vector, offsets) -> list:
    """The blocks' shares of a vector, each sent out once; None of None."""
    from dask import delayed

    if vector is None:
        return [None] * (len(offsets) - 1)
    return [delayed(part, pure=False) for part in np.split(vector, offsets[1:-1])]


def _joined(parts, offsets) -> np.ndarray:
    like = next(iter(parts.values()))
    whole = np.zeros((int(offsets[-1]), *like.shape[1:]))
    for k, values in parts.items():
        whole[offsets[k] : offsets[k + 1]] = values
    return whole


def computed(tasks):
    """The results of the tasks, by whatever cluster or threads Dask is set to use."""
    import dask

    try:
        # The blocks are worked on side by side; BLAS threads in each would compete.
        with one_thread():
            return dask.compute(*tasks)
    except Exception as error:
        if type(error).__module__.partition(".")[0] == "distributed" or isinstance(
            error, (ConnectionError, TimeoutError)
        ):
            raise RuntimeError(
                f"the Dask cluster lost a pass over the data ({type(error).__name__}); look after "
                "its workers and start again, from w0 where a callback kept the weights."
            ) from error
        raise
