"""How a text table is written: what precedes it, its delimiter, quotes, header and decimals."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass

from lab.words import counted

from .errors import TableError, shown
from .model import DELIMITERS, NONE, WHITESPACE, ReadOptions

# Cells that mean "missing" unless the user lists others.
MISSING = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "NULL", "null", "None", "<NA>"),
    *("#N/A", "#NA", "#N/A N/A", "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
    *("?", "-", "--", "n.a.", "N.A.", "."),
)
_END_OF_LINE = re.compile(rb"\r\n?|\n")
_SAMPLE, _LARGEST_SAMPLE, _LINES = 2**16, 2**23, 6
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?|[-+]?(inf|infinity)", re.I)
_COMMA_DECIMAL = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
_POINT_GROUPED_DECIMAL = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+,\d+")
_COMMA_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.I)


@dataclass(frozen=True)
class Dialect:
    """Where the rows begin (a byte of the UTF-8 text) and how to cut them."""

    delimiter: str
    quote: str
    decimal: str
    header: bool
    names: tuple[str, ...]  # as in the file, blank where it has none
    row_names: bool  # the header has one cell fewer than the rows: the first column names rows
    start: int  # of the first row
    first_line: int  # of the first row, counted from 1
    notes: tuple[str, ...]

    @property
    def n_fields(self) -> int:
        return len(self.names)


def find_dialect(text: bytes, name: str, options: ReadOptions, max_columns: int) -> Dialect:
    """The dialect of UTF-8 text; what the options leave open is guessed from its beginning."""
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
        delimiter = _guess_delimiter(sample, quote, cut)
    if options.quote is None and _single_quoted(sample, delimiter):
        quote = "'"
        notes.append("Cells are quoted with ', so that mark was removed around them.")
    records = list(_records(sample, delimiter, quote, cut))
    if not records:
        raise TableError(
            f"{name} holds no table, only blank lines or comments: add a header and rows."
        )
    records = _skip_titles(records, notes)
    _, first_at, first_end, first = records[0]
    rows = [row for _, _, _, row in records[1:]]
    header = _has_header(first, rows) if options.header is None else options.header
    if options.header is None and not header:
        notes.append(
            "The first row looks like data, so there is no header: columns are called by number."
        )
    body = records[1:] if header else records
    widths = [len(row) for _, _, _, row in body]
    usual = Counter(widths).most_common(1)[0][0] if widths else len(first)
    names, row_names = (list(first), False) if header else ([""] * usual, False)
    if header and widths:
        names, row_names = _fit_names(names, body, usual)
    for at_line, _, _, row in body[:1]:
        if len(row) > len(names):
            raise too_long(name, line + at_line - 1, row, len(names), header, delimiter)
    decimal = options.decimal or _guess_decimal([row for _, _, _, row in body], delimiter)
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


def records_of(text: str, delimiter: str, quote: str):
    """Rows of a text as (line number from 1, cells), blank lines left out."""
    for line, _, _, row in _records(text, delimiter, quote, False):
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


def is_missing(cell: str) -> bool:
    return cell.strip() in MISSING


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
            return any(_is_number(cell) for cell in cells)
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


def _records(sample: str, delimiter: str, quote: str, cut: bool):
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


def _guess_delimiter(sample: str, quote: str, cut: bool) -> str:
    """The sign that cuts all rows into equally many cells; `,` last, as it may be a decimal."""
    best, best_score = ",", 0.0
    for delimiter in ("\t", ";", "|", ",", WHITESPACE):
        if delimiter != WHITESPACE and delimiter not in sample:
            continue
        if delimiter == WHITESPACE and best_score >= 0.5:
            break
        try:
            widths = [len(row) for _, _, _, row in _records(sample, delimiter, quote, cut)]
        except TableError:
            continue
        if not widths:
            continue
        usual, count = Counter(widths[1:] or widths).most_common(1)[0]
        if usual < 2:
            continue
        score = count / len(widths[1:] or widths)
        if widths[0] != usual and not (widths[0] == usual - 1 and widths[0] > 1):
            score *= 0.6
        if delimiter == WHITESPACE and score < 0.95:
            continue
        if score > best_score + 1e-12 and not (best_score >= 0.9):
            best, best_score = delimiter, score
    return best


def _single_quoted(sample: str, delimiter: str) -> bool:
    """Cells like 'a b' all over, and no double quotes at all."""
    if '"' in sample or "'" not in sample:
        return False
    sign = r"\s" if delimiter == WHITESPACE else re.escape(delimiter)
    quoted = re.findall(rf"(?:^|{sign})'[^'\r\n]*'(?=$|\r|{sign})", sample, re.M)
    return len(quoted) > 0 and 2 * len(quoted) == sample.count("'")


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


def _filled(row: list[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None


def _has_header(first: list[str], rows: list[list[str]]) -> bool:
    """Whether the first row names the columns rather than being one of the rows."""
    cells = [cell.strip() for cell in first]
    filled = [cell for cell in cells if cell and not is_missing(cell)]
    numbers = [cell for cell in filled if _is_number(cell)]
    if not numbers:
        return True
    counting = [cell for cell in cells if cell]
    if len(counting) >= 3 and counting in (
        [str(j) for j in range(len(counting))],
        [str(j + 1) for j in range(len(counting))],
    ):
        # 0,1,2,… is how arrays are saved with a header; as a row of data it would be odd.
        return bool(rows)
    if len(numbers) == len(filled):
        return False
    columns = [[row[j].strip() for row in rows if j < len(row)] for j in range(len(cells))]
    for cell, column in zip(cells, columns, strict=True):
        values = [value for value in column if not is_missing(value)]
        if cell and not _is_number(cell) and values and all(map(_is_number, values)):
            return True  # a word above numbers
    if any(
        cell in column for cell, column in zip(cells, columns, strict=True) if not _is_number(cell)
    ):
        return False  # a word that occurs again below is a value
    return all(cell.isdigit() for cell in numbers) and len(set(numbers)) == len(numbers)


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


def _guess_decimal(rows: list[list[str]], delimiter: str) -> str:
    """A comma if nearly all cells of some column are numbers like 1,5."""
    width = max(map(len, rows), default=0)
    if not any("," in cell for row in rows for cell in row):
        return "."
    for j in range(width):
        column = [row[j].strip() for row in rows if j < len(row) and not is_missing(row[j])]
        if decimal_commas(column, delimiter):
            return ","
    return "."


def decimal_commas(cells: list[str], delimiter: str) -> bool:
    """Whether more than 90 % of the cells are numbers like 1,5 or 1.234,5.

    Where cells are separated by commas, quoted 1,234 is a number with thousands; elsewhere it is
    a decimal, for that is why another delimiter was chosen.
    """
    cells = [cell.strip("$€£¥% ") for cell in cells]
    with_comma = [cell for cell in cells if "," in cell]
    fits = [
        cell
        for cell in with_comma
        if _COMMA_DECIMAL.fullmatch(cell) or _POINT_GROUPED_DECIMAL.fullmatch(cell)
    ]
    whole = sum(cell.lstrip("+-").isdigit() for cell in cells)
    if not fits or len(fits) + whole <= 0.9 * len(cells):
        return False
    return delimiter != "," or not all(_COMMA_GROUPS.fullmatch(cell) for cell in fits)


def _offset(text: bytes, start: int, n_lines: int) -> tuple[int, int]:
    """The byte after that many lines from the start, and their number."""
    position = start
    for _ in range(n_lines):
        end = _END_OF_LINE.search(text, position)
        if end is None:
            return len(text), n_lines
        position = end.end()
    return position, n_lines
