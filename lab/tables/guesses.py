"""Delimiter, quotes, header and decimal sign, guessed from the first rows of a text."""

from __future__ import annotations

import re
from collections import Counter

from .errors import TableError
from .model import WHITESPACE
from .records import cut_records

# Cells that mean "missing" unless the user lists others.
MISSING = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "NULL", "null", "None", "<NA>"),
    *("#N/A", "#NA", "#N/A N/A", "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
    *("?", "-", "--", "n.a.", "N.A.", "."),
)
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?|[-+]?(inf|infinity)", re.I)
_COMMA_DECIMAL = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
_POINT_GROUPED_DECIMAL = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+,\d+")
_COMMA_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")


def is_missing(cell: str) -> bool:
    return cell.strip() in MISSING


def is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None


def guess_delimiter(sample: str, quote: str, cut: bool) -> str:
    """The sign that cuts all rows into equally many cells; `,` last, as it may be a decimal."""
    best, best_score = ",", 0.0
    for delimiter in ("\t", ";", "|", ",", WHITESPACE):
        if delimiter != WHITESPACE and delimiter not in sample:
            continue
        if delimiter == WHITESPACE and best_score >= 0.5:
            break
        try:
            widths = [len(row) for _, _, _, row in cut_records(sample, delimiter, quote, cut)]
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


def is_single_quoted(sample: str, delimiter: str) -> bool:
    """Cells like 'a b' all over, and no double quotes at all."""
    if '"' in sample or "'" not in sample:
        return False
    sign = r"\s" if delimiter == WHITESPACE else re.escape(delimiter)
    quoted = re.findall(rf"(?:^|{sign})'[^'\r\n]*'(?=$|\r|{sign})", sample, re.M)
    return len(quoted) > 0 and 2 * len(quoted) == sample.count("'")


def has_header(first: list[str], rows: list[list[str]]) -> bool:
    """Whether the first row names the columns rather than being one of the rows."""
    cells = [cell.strip() for cell in first]
    filled = [cell for cell in cells if cell and not is_missing(cell)]
    numbers = [cell for cell in filled if is_number(cell)]
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
        if cell and not is_number(cell) and values and all(map(is_number, values)):
            return True  # a word above numbers
    if any(
        cell in column for cell, column in zip(cells, columns, strict=True) if not is_number(cell)
    ):
        return False  # a word that occurs again below is a value
    return all(cell.isdigit() for cell in numbers) and len(set(numbers)) == len(numbers)


def guess_decimal(rows: list[list[str]], delimiter: str) -> str:
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
