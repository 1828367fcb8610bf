"""A table on its side, genes as rows and samples as columns: turned before it is read."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from .decoding import to_utf8
from .delimited import TextTable, read_delimited
from .dialect import find_dialect
from .errors import TableError
from .model import Limits, ReadOptions
from .records import records_of


def read_turned(data: bytes, name: str, options: ReadOptions, limits: Limits) -> TextTable:
    """Delimited text with its rows as columns: the first column holds the names of the table.

    What each column is, number or text, is found after the turn. The options that come back read
    the file as it is, so reading again turns it again.
    """
    text, encoding, _ = to_utf8(data, name, options.encoding)
    as_read = replace(options, encoding=encoding)
    dialect = find_dialect(text, name, as_read, limits.cells, on_its_side=True)
    rows = [list(dialect.names)] if dialect.header else []
    body = text[dialect.start :].decode("utf-8", "replace")
    rows += [cells for _, cells in records_of(body, dialect.delimiter, dialect.quote)]
    width = max(map(len, rows))
    if dialect.header and len(rows[0]) < width:
        rows[0] = [""] * (width - len(rows[0])) + rows[0]
    if len(rows) > limits.columns:
        raise TableError(
            f"{name} has {len(rows):,} rows, which would be columns, and the limit is "
            f"{limits.columns:,}: upload fewer of them."
        )
    if len(rows) * width > limits.cells:
        raise TableError(
            f"{name} has {len(rows) * width:,} cells and the limit is {limits.cells:,}: upload "
            "fewer rows or columns."
        )
    rows = [row + [""] * (width - len(row)) for row in rows]
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(zip(*rows, strict=True))
    plain = {"encoding": "utf-8", "delimiter": ",", "quote": '"', "header": True}
    read = read_delimited(out.getvalue().encode(), name, replace(options, **plain), limits)
    as_in_file = {
        "encoding": encoding,
        "delimiter": dialect.delimiter,
        "quote": dialect.quote,
        "header": options.header,
    }
    return replace(
        read,
        options=replace(read.options, transposed=True, **as_in_file),
        notes=("The table was turned: its rows are columns now.", *read.notes[1:]),
    )
