"""Delimited text -> frame."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pandas as pd

from lab.words import counted

from .cells import coerce
from .decoding import first_lines, to_utf8
from .dialect import Dialect, find_dialect, too_long, too_wide
from .errors import TableError, quoted, shown
from .frames import is_counter, plain, unique_names
from .guesses import MISSING, decimal_commas
from .model import DELIMITERS, NONE, THOUSANDS, WHITESPACE, Limits, NamedLists, ReadOptions
from .records import last_record_line, records_of

_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")


@dataclass(frozen=True, eq=False)
class TextTable:
    """A frame, how it was read, and a way to read one column again without missing tokens."""

    frame: pd.DataFrame
    options: ReadOptions
    notes: tuple[str, ...]
    preview: tuple[str, ...]
    n_short_rows: int
    groups: NamedLists
    _text: bytes
    _dialect: Dialect
    _positions: dict[str, int]  # of the frame's columns among the cells of a row

    def as_written(self, name: str) -> pd.Series:
        """The cells of a column as text, where only blank cells are missing."""
        at = self._positions[name]
        cells = _parse(self._text, self._dialect, ("",), None, as_text=at)[at].str.strip()
        return cells.where(cells != "", np.nan)


def read_delimited(data: bytes, name: str, options: ReadOptions, limits: Limits) -> TextTable:
    """Text of any encoding and dialect as a frame; `TableError` says why not."""
    _check_choices(options)
    text, encoding, notes = to_utf8(data, name, options.encoding)
    preview = first_lines(text)
    try:
        return _read(text, name, replace(options, encoding=encoding), limits, notes, preview)
    except TableError as error:
        error.preview = error.preview or preview
        raise


def _read(text, name, options, limits, notes, preview) -> TextTable:
    if not text.strip():
        raise TableError(f"{name} is empty: it holds no header and no rows.")
    if options.thousands == "." and options.decimal is None:
        options = replace(options, decimal=",")
    dialect = find_dialect(text, name, options, limits.columns)
    if dialect.n_fields > limits.columns:
        raise too_wide(name, dialect.n_fields, limits.columns)
    empty_rows: list[str] = []
    text = _blank_empty_rows(text, dialect, empty_rows)
    missing = MISSING if options.missing is None else options.missing
    max_rows = limits.cells // dialect.n_fields
    frame = _parse_or_explain(text, name, dialect, missing, max_rows)
    guessed = options.decimal is None and dialect.decimal == "."
    if guessed and _has_decimal_commas(frame, text, dialect):
        dialect = replace(dialect, decimal=",")
        frame = _parse_or_explain(text, name, dialect, missing, max_rows)
    if frame.empty:
        raise TableError(
            f"{name} holds a header of {counted(dialect.n_fields, 'column')} but no rows: "
            "add rows, or say that it has no header."
        )
    if len(frame) > max_rows:
        raise TableError(
            f"{name} has more than {max_rows:,} rows of {dialect.n_fields:,} columns, and the "
            f"limit is {limits.cells:,} cells: upload fewer rows or columns."
        )
    notes = [_how(dialect, options), *notes, *dialect.notes, *empty_rows]
    if frame.iloc[:, -1].isna().all() and frame.isna().to_numpy().all():
        raise TableError("All cells of the table are missing: check the delimiter and the file.")
    every_name = _names(dialect, notes)
    frame.columns = every_name
    frame = _drop_furniture(frame, dialect, notes)
    positions = {column: j for column, j in zip(frame.columns, frame.attrs.pop("at"), strict=True)}
    frame, thousands = _clean_text(plain(frame), dialect, options, notes)
    _note_ambiguous(text, dialect, every_name, notes)
    n_short = _short_rows(text, dialect) if frame.iloc[:, -1].isna().any() else 0
    used = replace(
        options,
        delimiter=dialect.delimiter,
        quote=dialect.quote,
        decimal=dialect.decimal,
        header=dialect.header,
        thousands=thousands,
    )
    groups = _groups(dialect, positions)
    return TextTable(frame, used, tuple(notes), preview, n_short, groups, text, dialect, positions)


def _groups(dialect: Dialect, positions: dict[str, int]) -> NamedLists:
    """The columns of each group, where a second row of names has them."""
    members: dict[str, list[str]] = {}
    for column, at in positions.items() if dialect.groups else ():
        if dialect.groups[at]:
            members.setdefault(dialect.groups[at], []).append(column)
    return tuple((name, tuple(columns)) for name, columns in members.items())


def _check_choices(options: ReadOptions) -> None:
    if options.thousands is not None and options.thousands not in THOUSANDS:
        raise TableError(
            f"The thousands separator '{shown(options.thousands, 10)}' is not one of "
            "comma, point, space, apostrophe and none: choose one."
        )
    if options.thousands is not None and options.thousands == options.decimal:
        raise TableError(
            f"The sign '{options.decimal}' cannot separate both decimals and thousands: "
            "choose another for one of them."
        )


def _parse(text, dialect: Dialect, missing, n_rows, as_text: int | None = None) -> pd.DataFrame:
    """Rows by pandas' C parser, columns named by position.

    The parser makes a block of memory per column; the copy makes one per type, before anything
    walks through thousands of them.
    """
    body = io.BytesIO(text)
    body.seek(dialect.start)
    quoting = {"quoting": csv.QUOTE_NONE} if dialect.quote == NONE else {"quotechar": dialect.quote}
    # Reading one column only would be quicker, but pandas then trips over short first rows.
    kinds = {} if as_text is None else {"dtype": {as_text: "str"}}
    return pd.read_csv(
        body,
        sep=r"\s+" if dialect.delimiter == WHITESPACE else dialect.delimiter,
        header=None,
        names=list(range(dialect.n_fields)),
        index_col=False,
        skipinitialspace=dialect.delimiter != WHITESPACE,
        na_values=list(missing),
        keep_default_na=False,
        decimal=dialect.decimal,
        nrows=None if n_rows is None else n_rows + 1,
        low_memory=False,
        encoding="utf-8",
        engine="c",
        **quoting,
        **kinds,
    ).copy()


def _parse_or_explain(text, name, dialect: Dialect, missing, n_rows) -> pd.DataFrame:
    try:
        return _parse(text, dialect, missing, n_rows)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
    except pd.errors.ParserError as error:
        raise _explain(text, name, dialect, str(error)) from None
    except (OverflowError, ValueError) as error:
        raise TableError(
            f"{name} could not be cut into cells ({shown(error)}): choose another delimiter, "
            "quote or encoding."
        ) from None


def _explain(text, name, dialect: Dialect, reason: str) -> TableError:
    body = text[dialect.start :].decode("utf-8", "replace")
    if "EOF inside string" in reason:
        line = last_record_line(body, dialect.delimiter, dialect.quote)
        raw = next(islice(io.StringIO(body, newline=""), line - 1, None), "")
        return TableError(
            f"A quote ({dialect.quote}) that opens in line {dialect.first_line + line - 1:,} of "
            f"{name} (`{shown(raw)}`) is never closed: close it, or choose quote none."
        )
    for line, row in records_of(body, dialect.delimiter, dialect.quote):
        if len(row) > dialect.n_fields:
            at = dialect.first_line + line - 1
            return too_long(name, at, row, dialect.n_fields, dialect.header, dialect.delimiter)
    return TableError(
        f"{name} could not be cut into cells ({shown(reason)}): choose another delimiter or quote."
    )


def _how(dialect: Dialect, options: ReadOptions) -> str:
    sign = DELIMITERS.get(dialect.delimiter, f"'{dialect.delimiter}'")
    parts = [f"cells separated by {sign}", options.encoding or "utf-8"]
    parts += ["decimal comma"] if dialect.decimal == "," else []
    parts += ["a header"] if dialect.header else ["no header"]
    return f"Read as text with {', '.join(parts)}."


def _has_decimal_commas(frame: pd.DataFrame, text: bytes, dialect: Dialect) -> bool:
    """Whether a text column is numbers with decimal commas that the first lines did not show."""
    quoted = dialect.quote != NONE and text.find(dialect.quote.encode(), dialect.start) >= 0
    if text.find(b",", dialect.start) < 0 or (dialect.delimiter == "," and not quoted):
        return False
    for j, kind in enumerate(frame.dtypes):
        if not pd.api.types.is_string_dtype(kind):
            continue
        # Columns of truth values with gaps, or of huge integers, are not text yet.
        cells = [c.strip() for c in frame.iloc[:, j].to_numpy(object) if isinstance(c, str)]
        # The first cells with a comma decide most columns without a look at the rest.
        commas = list(islice((cell for cell in cells if "," in cell), 20))
        if commas and decimal_commas(commas, dialect.delimiter):
            return decimal_commas(cells, dialect.delimiter)
    return False


def _names(dialect: Dialect, notes: list[str]) -> list[str]:
    names = list(dialect.names)
    if dialect.header and names[0].startswith("#"):
        names[0] = names[0].lstrip("# ")
    if dialect.row_names:
        names[0] = "row names"
    return unique_names(names, notes)


def _blank_empty_rows(text: bytes, dialect: Dialect, notes: list[str]) -> bytes:
    """The text with rows of nothing but delimiters made blank, which the parser skips.

    A row of NA is a row; and inside quotes such a line is text, so that there only the end counts.
    """
    if dialect.delimiter == WHITESPACE or dialect.n_fields < 2:
        return text
    sign = dialect.delimiter.encode()
    blanks = rb"[ " + re.escape(sign) + rb"]+"
    quoted = dialect.quote != NONE and text.find(dialect.quote.encode(), dialect.start) >= 0
    start = len(text.rstrip(sign + b" \r\n")) if quoted else max(dialect.start - 1, 0)
    # Most files have no such line, and finding two bytes is far quicker than a pattern.
    if all(text.find(end + first, start) < 0 for end in (b"\n", b"\r") for first in (sign, b" ")):
        return text
    pattern = re.compile(rb"(?<=[\r\n])" + blanks + rb"(?=[\r\n]|$)")
    if not pattern.search(text, start):
        return text
    body, n_rows = pattern.subn(b"", text[start:])
    notes.append(f"Left out {counted(n_rows, 'row')} without a single value.")
    return text[:start] + body


def _drop_furniture(frame: pd.DataFrame, dialect: Dialect, notes: list[str]) -> pd.DataFrame:
    """Without a leading row counter and nameless empty columns."""
    blank = [not name.strip() for name in dialect.names]
    drop = set()
    first = dialect.names[0].strip().lower()
    indexed = dialect.header and (first in ("", "unnamed: 0") or dialect.row_names)
    if indexed and frame.shape[1] > 1 and is_counter(frame.iloc[:, 0]):
        drop.add(0)
        notes.append("The first column only counts the rows, so it was left out.")
    empty = [j for j, is_blank in enumerate(blank) if is_blank and frame.iloc[:, j].isna().all()]
    if empty and len(empty) < frame.shape[1]:
        drop.update(empty)
        notes.append(f"Left out {counted(len(empty), 'empty column')} without a name.")
    keep = [j for j in range(frame.shape[1]) if j not in drop]
    frame = frame.iloc[:, keep] if drop else frame
    frame.attrs["at"] = keep
    return frame


def _clean_text(frame: pd.DataFrame, dialect: Dialect, options: ReadOptions, notes: list[str]):
    """Spaces around text removed, numbers in disguise unmasked; and the thousands sign used."""
    changed: dict[int, object] = {}
    stripped, signs, unmasked = [], set(), []
    for j, (name, kind) in enumerate(frame.dtypes.items()):
        if not pd.api.types.is_string_dtype(kind):
            continue
        cells = frame.iloc[:, j].to_numpy(dtype=object)
        padded = {cell for cell in set(cells) if isinstance(cell, str) and cell != cell.strip()}
        if padded:
            trimmed = {cell: cell.strip() or np.nan for cell in padded}
            cells = np.array([trimmed.get(cell, cell) for cell in cells], dtype=object)
            changed[j] = pd.Series(cells, dtype="str")
            stripped.append(name)
        numbers = coerce(cells, dialect.decimal, options.thousands)
        if numbers is not None:
            changed[j] = numbers.values
            signs.add(numbers.thousands)
            unmasked.append((name, numbers, int(np.isfinite(numbers.values).sum())))
    signs.discard(None)
    for name, numbers, n_changed in unmasked[:5]:
        what = [
            f"thousands separators '{numbers.thousands}'" if numbers.thousands else "",
            "percent signs" if numbers.percent else "",
            "currency signs" if numbers.currency else "",
        ]
        removed = " and ".join(filter(None, what)) or "unusual decimal signs"
        notes.append(
            f"Column '{shown(name, 30)}': {removed} were removed and "
            f"{counted(n_changed, 'value')} read as numbers."
        )
    if len(unmasked) > 5:
        rest = [name for name, _, _ in unmasked[5:]]
        notes.append(f"The same was done in {quoted(rest)}.")
    if stripped:
        notes.append(f"Spaces around text were removed in {quoted(stripped)}.")
    if changed:
        columns = {j: changed.get(j, frame.iloc[:, j]) for j in range(frame.shape[1])}
        names = frame.columns
        frame = pd.DataFrame(columns)
        frame.columns = names
        frame = frame.copy()
    if options.thousands is not None:
        return frame, options.thousands
    return frame, (signs.pop() if len(signs) == 1 else NONE if not signs else None)


def _note_ambiguous(text: bytes, dialect: Dialect, names: list[str], notes: list[str]) -> None:
    """1.234 in a semicolon file may be 1234: say so, since nothing else tells."""
    if dialect.delimiter != ";" or dialect.decimal != ".":
        return
    sample = text[dialect.start : dialect.start + 2**16].decode("utf-8", "replace")
    rows = [row for _, row in islice(records_of(sample, ";", dialect.quote), 200)]
    rows = rows[:-1] if len(text) - dialect.start > 2**16 and len(rows) < 200 else rows
    found = {}
    for j, name in enumerate(names):
        cells = [row[j].strip() for row in rows if j < len(row) and row[j].strip()]
        if cells and all(map(_GROUPED.fullmatch, cells)):
            found[name] = cells[0]
    if found:
        notes.append(
            f"Numbers like {next(iter(found.values()))} in {quoted(found)} were read as decimals: "
            "choose point as thousands separator if they are thousands."
        )


def _short_rows(text: bytes, dialect: Dialect) -> int:
    """Rows with too few delimiters, where no quotes make counting them ambiguous."""
    quoted = dialect.quote != NONE and text.find(dialect.quote.encode(), dialect.start) >= 0
    if quoted or dialect.delimiter == WHITESPACE:
        return 0
    sign = dialect.delimiter.encode()
    rows = re.split(rb"[\r\n]+", text[dialect.start :])
    return sum(row.count(sign) + 1 < dialect.n_fields for row in rows if row.strip())
