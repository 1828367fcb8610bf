"""What reading needs to know and what it gives: options, limits and the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
import pandas as pd
from scipy import sparse

NamedLists = tuple[tuple[str, tuple[str, ...]], ...]

NONE = "none"  # a choice of its own: no quoting, no thousands separator
WHITESPACE = " "  # as a delimiter: any run of spaces and tabs

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "csv": "Delimited text",
        "excel": "Excel workbook (.xlsx)",
        "parquet": "Parquet",
        "libsvm": "LIBSVM / SVMlight",
        "mat": "MATLAB 5 (.mat)",
        "npz": "NumPy (.npz, .npy)",
    }
)
DELIMITERS: Mapping[str, str] = MappingProxyType(
    {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", WHITESPACE: "spaces"}
)
QUOTES: Mapping[str, str] = MappingProxyType({'"': 'double "', "'": "single '", NONE: "none"})
DECIMALS: Mapping[str, str] = MappingProxyType({".": "point", ",": "comma"})
THOUSANDS: Mapping[str, str] = MappingProxyType(
    {NONE: "none", ",": "comma", ".": "point", " ": "space", "'": "apostrophe"}
)


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file; None or "auto" means: guess.

    `member` names a member of a zip, a sheet of a workbook, or the array of features in .mat and
    .npz. `missing` lists the cells that count as missing; the guess is the usual tokens
    (`MISSING`). Of these the label column is spared, where a class may be called NA or None; a
    table that is not `labelled`, made of rows to be predicted, has no such column. A `transposed`
    text or sheet has its features in rows.
    Reading again with the options of a `Table` gives the same table.
    """

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    header: bool | None = None
    quote: str | None = None
    member: str | None = None
    missing: tuple[str, ...] | None = None
    label: str | None = None
    labelled: bool = True
    transposed: bool = False

    def guessing(self) -> ReadOptions:
        """The same with every "auto" replaced by None."""
        auto = {f.name: None for f in fields(self) if getattr(self, f.name) == "auto"}
        return replace(self, **auto) if auto else self


GUESS = ReadOptions()


@dataclass(frozen=True)
class Limits:
    """The largest upload that is read. Excel has limits of its own: its XML is slow to parse."""

    bytes: int = 50 * 10**6
    decompressed: int = 200 * 10**6
    columns: int = 50_000
    cells: int = 2 * 10**7
    sheet_bytes: int = 100 * 10**6
    sheet_cells: int = 2 * 10**6


LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """Numeric columns that are mostly zero: a CSR matrix of floats, rows × names."""

    names: tuple[str, ...]
    matrix: sparse.csr_array


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and named columns, as read.

    `frame` holds the dense columns; names are unique strings, the index is 0..n-1, missing cells
    are NaN (NaT in dates). `sparse` is None except for large LIBSVM, .mat and .npz data that are
    mostly zero: then the features are there and `frame` holds the label and other dense columns.
    `names` and `column` cover both. `members` are the parts of the file that the option `member`
    can choose from, `preview` the first raw lines of a text file, `groups` the columns of each
    group where a second row of names tells them.
    """

    frame: pd.DataFrame
    options: ReadOptions
    notes: tuple[str, ...]
    digest: str
    sparse: SparseColumns | None = None
    members: tuple[str, ...] = ()
    preview: tuple[str, ...] = ()
    groups: NamedLists = ()

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {} if self.sparse is None else {n: j for j, n in enumerate(self.sparse.names)}

    @property
    def n_rows(self) -> int:
        return len(self.frame)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All columns: the dense ones in the order of the file, then the sparse ones."""
        dense = tuple(self.frame.columns)
        return dense if self.sparse is None else dense + self.sparse.names

    def column(self, name: str) -> pd.Series:
        """One column as a dense series; KeyError if there is none of that name."""
        if name in self._positions:
            values = self.sparse.matrix[:, [self._positions[name]]].toarray().ravel()
            return pd.Series(values, name=name)
        return self.frame[name]

    def matrix(self, names) -> np.ndarray | sparse.csr_array:
        """Numeric columns as one float matrix: CSR if any of them is sparse, otherwise dense.

        Missing cells are NaN; ValueError if a column does not hold numbers.
        """
        names = list(names)
        dense = [name for name in names if name not in self._positions]
        block = self.frame[dense].to_numpy(dtype=float, na_value=np.nan)
        if len(dense) == len(names):
            return block
        where = [self._positions[name] for name in names if name in self._positions]
        stacked = sparse.hstack([sparse.csr_array(block), self.sparse.matrix[:, where]])
        place = {name: j for j, name in enumerate([*dense, *(n for n in names if n not in dense)])}
        return sparse.csr_array(stacked.tocsc()[:, [place[name] for name in names]])
