"""Cutting a text into rows and cells, once its dialect is known or tried."""

from __future__ import annotations

import csv
import io

from .errors import TableError
from .model import NONE, WHITESPACE


def records_of(text: str, delimiter: str, quote: str):
    """Rows of a text as (line number from 1, cells), blank lines left out."""
    for line, _, _, row in cut_records(text, delimiter, quote, False):
        yield line, row


def last_record_line(text: str, delimiter: str, quote: str) -> int:
    """The line, from 1, where the last row begins: the one that an open quote swallows."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=True)
    begins = at = 0
    try:
        for _ in reader:
            begins, at = at, reader.line_num
    except csv.Error:  # a cell beyond the module's limit: the open one
        begins = at
    return begins + 1


def cut_records(sample: str, delimiter: str, quote: str, cut: bool):
    """(line, lines before it, lines up to its end, cells) for each row that is not blank.

    The last record of a cut sample may be half a record: it is left out.
    """
    lines = io.StringIO(sample, newline="")
    dialect = {"delimiter": delimiter, "skipinitialspace": True}
    if quote == NONE:
        dialect["quoting"] = csv.QUOTE_NONE
    else:
        dialect["quotechar"] = quote
    source = (" ".join(line.split()) + "\n" for line in lines) if delimiter == WHITESPACE else lines
    reader = csv.reader(source, **dialect)
    held, at = None, 0
    try:
        for row in reader:
            if held is not None:
                yield held
            blank = not row or (len(row) == 1 and not row[0].strip())
            held = None if blank else (at + 1, at, reader.line_num, row)
            at = reader.line_num
    except csv.Error:
        raise TableError(
            f"A cell that begins in line {at + 1:,} is longer than {csv.field_size_limit():,} "
            "characters, probably because a quote is never closed: close it, or choose quote none."
        ) from None
    if held is not None and not (cut and at > 1):
        yield held
