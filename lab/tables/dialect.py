"""How a text table is written: what precedes it, its delimiter, quotes, header and decimals."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lab.words import counted

from .errors import TableError, shown
from .guesses import (
    guess_decimal,
    guess_delimiter,
    has_header,
    is_number,
    is_single_quoted,
)
from .model import DELIMITERS, NONE, WHITESPACE, ReadOptions
from .records import cut_records
from .second_header import TwoHeaders, two_headers

_END_OF_LINE = re.compile(rb"\r\n?|\n")
_SAMPLE, _LARGEST_SAMPLE, _LINES = 2**16, 2**23, 6
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.I)


@dataclass(frozen=True)
class Dialect:
    """Where the rows begin (a byte of the UTF-8 text) and how to cut them."""

    delimiter: str
    quote: str
    decimal: str
    header: bool
    names: tuple[str, ...]  # as in the file, blank where it has none
    groups: tuple[str, ...]  # of the columns, where a second row of names has them
    row_names: bool  # the header has one cell fewer than the rows: the first column names rows
    start: int  # of the first row
    first_line: int  # of the first row, counted from 1
    notes: tuple[str, ...]

    @property
    def n_fields(self) -> int:
        return len(self.names)


def find_dialect(
    text: bytes, name: str, options: ReadOptions, max_columns: int, *, on_its_side: bool = False
) -> Dialect:
    """The dialect of UTF-8 text; what the options leave open is guessed from its beginning.

    A table on its side has one row of names: what follows is a row to become a column.
    """
    notes: list[str] = []
    quote = options.quote or '"'
    if quote not in ('"', "'", NONE):
        raise TableError(
            f"The quote character '{shown(quote, 10)}' is not one of \", ' and none: choose one."
        )
    start, line, delimiter = _skip_preamble(text, options.delimiter, notes)
    if start >= len(text):
        raise TableError(
            f"{name} holds no table, only blank lines or comments: add a header and rows."
        )
    _refuse_too_wide(text, start, name, delimiter, max_columns)
    sample, cut = _sample(text, start)
    if delimiter is None:
        delimiter = guess_delimiter(sample, quote, cut)
    if options.quote is None and is_single_quoted(sample, delimiter):
        quote = "'"
        notes.append("Cells are quoted with ', so that mark was removed around them.")
    records = list(cut_records(sample, delimiter, quote, cut))
    if not records:
        raise TableError(
            f"{name} holds no table, only blank lines or comments: add a header and rows."
        )
    records = _skip_titles(records, notes)
    one = on_its_side or options.header is False
    two = None if one else _two_headers(records, notes, options.transposed)
    if two is not None:
        records = [(*records[1][:3], list(two.names)), *records[2:]]
    _, first_at, first_end, first = records[0]
    header = two is not None or _one_header(records, options.header, notes)
    body = records[1:] if header else records
    widths = [len(row) for _, _, _, row in body]
    usual = Counter(widths).most_common(1)[0][0] if widths else len(first)
    names, row_names = (list(first), False) if header else ([""] * usual, False)
    if header and widths:
        names, row_names = _fit_names(names, body, usual)
    for at_line, _, _, row in body[:1]:
        if len(row) > len(names):
            raise too_long(name, line + at_line - 1, row, len(names), header, delimiter)
    decimal = options.decimal or guess_decimal([row for _, _, _, row in body], delimiter)
    if decimal not in (".", ","):
        raise TableError(
            f"The decimal sign '{shown(decimal, 10)}' is neither a point nor a comma: choose one."
        )
    offset, skipped = _offset(text, start, first_end if header else first_at)
    return Dialect(
        delimiter=delimiter,
        quote=quote,
        decimal=decimal,
        header=header,
        names=tuple(names),
        groups=() if two is None else two.groups,
        row_names=row_names,
        start=offset,
        first_line=line + skipped,
        notes=tuple(notes),
    )


def too_long(
    name: str, line: int, row: list[str], n_fields: int, header: bool, delimiter: str
) -> TableError:
    """The sentence for a row with more cells than there are columns."""
    others = [c for c in DELIMITERS if c != delimiter and c != WHITESPACE]
    joined = ("" if delimiter == WHITESPACE else delimiter).join(row)
    better = next((c for c in others if c in joined), None)
    fix = (
        f"if the file uses {DELIMITERS[better]} between cells, choose it as delimiter"
        if better
        else "remove the extra cells, or quote the text that holds the delimiter"
    )
    than = f"the header has {n_fields:,}" if header else f"other rows have {n_fields:,}"
    text = (" " if delimiter == WHITESPACE else delimiter).join(row[:40])
    return TableError(
        f"Line {line:,} of {name} has {counted(len(row), 'field')}, {than} (`{shown(text)}`): "
        f"{fix}."
    )


def _skip_preamble(
    text: bytes, delimiter: str | None, notes: list[str]
) -> tuple[int, int, str | None]:
    """Past blank lines, `sep=;` and comments: the offset, its line, and the delimiter if named."""
    delimiter = _named_delimiter(delimiter)
    start, line, n_comments = 0, 1, 0
    while start < len(text):
        end = _END_OF_LINE.search(text, start)
        stop, following = (end.start(), end.end()) if end else (len(text), len(text))
        content = text[start : min(stop, start + 2**16)].decode("utf-8", "replace").strip(" ")
        declared = _SEPARATOR_LINE.fullmatch(content)
        if declared and line == 1:
            delimiter = delimiter or _named_delimiter(declared[1])
            notes.append(f"The first line says that cells are separated by '{declared[1]}'.")
        elif content.startswith("#"):
            if _is_hash_header(text, content, following):
                break
            n_comments += 1
        elif content.strip():
            break
        start, line = following, line + 1
    if n_comments:
        notes.append(f"Left out {counted(n_comments, 'comment line')} at the top.")
    return start, line, delimiter


def _is_hash_header(text: bytes, content: str, following: int) -> bool:
    """`#a,b` right above `1,2` is a header, `# made by us` above `a,b` a comment."""
    end = _END_OF_LINE.search(text, following)
    below = text[following : end.start() if end else len(text)][: 2**16].decode("utf-8", "replace")
    if not below.strip() or below.lstrip().startswith("#"):
        return False
    for delimiter in (",", ";", "\t", "|"):
        cells = below.split(delimiter)
        if len(cells) > 1 and len(content.split(delimiter)) == len(cells):
            return any(is_number(cell) for cell in cells)
    return False


def _named_delimiter(delimiter: str | None) -> str | None:
    if delimiter is None:
        return None
    delimiter = {r"\t": "\t", r"\s+": WHITESPACE}.get(delimiter, delimiter)
    delimiter = {word: sign for sign, word in DELIMITERS.items()}.get(delimiter, delimiter)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in "\"'\r\n\0.":
        raise TableError(
            f"The delimiter '{shown(delimiter, 20)}' cannot separate cells: "
            "choose comma, semicolon, tab, pipe, spaces or another single ASCII sign."
        )
    if delimiter.isalnum():
        raise TableError(
            f"The delimiter '{delimiter}' is a letter or a digit, which cells hold themselves: "
            "choose comma, semicolon, tab, pipe or spaces."
        )
    return delimiter


def _refuse_too_wide(text, start, name, delimiter, max_columns):
    """Counting comes before cutting: a line of 50 MB of commas must not become a list."""
    end = _END_OF_LINE.search(text, start)
    stop = end.start() if end else len(text)
    signs = [delimiter] if delimiter else [",", ";", "\t", "|"]
    widest = max(text.count(sign.encode(), start, stop) for sign in signs) + 1
    # Spaces come in runs, and quoted text may hold delimiters: only a clear excess counts here.
    slack = 1 if delimiter != WHITESPACE and b'"' not in text[start:stop] else 20
    if widest > slack * max_columns:
        raise too_wide(name, widest, max_columns)


def too_wide(name: str, n_columns: int, max_columns: int) -> TableError:
    return TableError(
        f"{name} has {n_columns:,} columns and the limit is {max_columns:,}: "
        "keep the columns you need and upload it again."
    )


def _sample(text: bytes, start: int) -> tuple[str, bool]:
    """Whole lines from the start: 64 kB, but a few lines at least, and whether more follows."""
    if len(text) - start <= _SAMPLE:
        return text[start:].decode("utf-8", "replace"), False
    stop = start
    for n_lines, end in enumerate(_END_OF_LINE.finditer(text, start)):
        if end.end() - start > _LARGEST_SAMPLE:
            break
        stop = end.end()
        if stop - start > _SAMPLE and n_lines >= _LINES:
            break
    if stop == start:
        stop = min(len(text), start + _LARGEST_SAMPLE)
    return text[start:stop].decode("utf-8", "replace"), stop < len(text)


def _skip_titles(records, notes):
    """A line or two of prose above the table: one cell each, above rows of three or more."""
    widths = Counter(len(row) for _, _, _, row in records)
    usual = widths.most_common(1)[0][0]
    n_titles = 0
    while usual >= 3 and n_titles < len(records) - 1 and _filled(records[n_titles][3]) <= 1:
        n_titles += 1
    if n_titles and len(records[n_titles][3]) in (usual, usual - 1):
        notes.append(f"Left out {counted(n_titles, 'line')} above the table.")
        return records[n_titles:]
    return records


def _one_header(records, said: bool | None, notes: list[str]) -> bool:
    if said is not None:
        return said
    header = has_header(records[0][3], [row for _, _, _, row in records[1:]])
    if not header:
        notes.append(
            "The first row looks like data, so there is no header: columns are called by number."
        )
    return header


def _two_headers(records, notes: list[str], turned: bool) -> TwoHeaders | None:
    """Two rows of names above rows that all have as many cells."""
    if len(records) < 2:
        return None
    first, second, *rows = (row for _, _, _, row in records)
    if any(len(row) != len(first) for row in rows):
        return None
    two = two_headers(first, second, rows, turned=turned)
    if two is not None:
        which = ("first", "second") if two.groups_first else ("second", "first")
        notes.append(
            f"There are two rows of names: the {which[0]} was read as the groups of the columns, "
            f"the {which[1]} as their names."
        )
    return two


def _filled(row: list[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _fit_names(names: list[str], body, usual: int) -> tuple[list[str], bool]:
    """A name for each column, where rows have more cells than the header."""
    if usual <= len(names):
        return names, False
    extra = [row[len(names) :] for _, _, _, row in body]
    if all(not cell.strip() for cells in extra for cell in cells):
        return names + [""] * (max(map(len, extra))), False  # rows end with a delimiter
    if all(len(cells) == 1 for cells in extra):
        return ["", *names], True
    return names, False


def _offset(text: bytes, start: int, n_lines: int) -> tuple[int, int]:
    """The byte after that many lines from the start, and their number."""
    position = start
    for _ in range(n_lines):
        end = _END_OF_LINE.search(text, position)
        if end is None:
            return len(text), n_lines
        position = end.end()
    return position, n_lines
