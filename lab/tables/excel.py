"""Excel workbooks -> the text of one sheet, read row by row in memory.

openpyxl is pure Python and gives up with an exception, row by row; a compiled reader would
allocate the whole rectangle from A1 to the last cell, which one stray cell makes 17 billion. With
defusedxml installed it refuses XML entities.
"""

from __future__ import annotations

import csv
import datetime
import io

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.xml import DEFUSEDXML

from lab.words import counted

from .containers import check_members, open_zip
from .errors import TableError, quoted, shown
from .model import Limits


def read_sheet(
    data: bytes, name: str, member: str | None, limits: Limits
) -> tuple[bytes, str, tuple[str, ...]]:
    """A sheet as UTF-8 CSV with commas, its name, and the names of all sheets.

    Without a choice it is the sheet with the most cells, the first of equals. Formulas count by the
    value Excel saved with them; they are not evaluated.
    """
    if not DEFUSEDXML:
        raise TableError("Excel files need the package defusedxml: install it, or upload a CSV.")
    check_members(open_zip(data, name), name, limits.sheet_bytes)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = tuple(sheet.title for sheet in book.worksheets)
        if not sheets:
            raise TableError(f"{name} holds no sheet with cells: add the table to one.")
        if member is not None and member not in sheets:
            raise TableError(
                f"{name} holds no sheet '{shown(member)}', only {quoted(sheets)}: choose one of "
                "these.",
                members=sheets,
            )
        found = [
            (title, rows)
            for title in (sheets if member is None else (member,))
            if (rows := _rows(book[title], name, limits))
        ]
        if found:
            # A cover sheet or a legend comes first often enough; the table has the most cells.
            title, rows = max(found, key=lambda each: _n_filled(each[1]))
            return _as_csv(rows), title, sheets
    except TableError:
        raise
    # openpyxl raises whatever its parsers do on damaged files.
    except Exception as error:
        if _has_entities(error):
            raise TableError(
                f"{name} holds XML entities, which no table needs and attacks use: save it again "
                "as .xlsx or as CSV."
            ) from None
        raise TableError(
            f"{name} is not a whole Excel workbook ({shown(error)}): save it again as .xlsx or "
            "as CSV."
        ) from None
    raise TableError(f"{name} holds only empty sheets: add the table to one.", members=sheets)


def _has_entities(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, DefusedXmlException):
        error = error.__cause__ or error.__context__
    return error is not None


def _rows(sheet, name: str, limits: Limits) -> list[list]:
    # The size written in the file is a claim, and often wrong: rows are as long as they are.
    sheet.reset_dimensions()
    rows, n_cells, widest = [], 0, 0
    for values in sheet.iter_rows(values_only=True):
        row = list(values)
        while row and row[-1] is None:
            row.pop()
        if not row:
            continue
        rows.append(row)
        n_cells += len(row)
        widest = max(widest, len(row))
        if n_cells > limits.sheet_cells or len(rows) * widest > limits.cells:
            raise TableError(
                f"The sheet '{shown(sheet.title, 30)}' of {name} has more than "
                f"{counted(limits.sheet_cells, 'cell')}, the limit for Excel: save it as CSV or "
                "Parquet, which may be larger."
            )
    return rows


def _n_filled(rows: list[list]) -> int:
    """Cells of rows with at least two, which lines of a legend do not have."""
    return sum(len(row) for row in rows if len(row) > 1)


def _as_csv(rows: list[list]) -> bytes:
    width = max(map(len, rows))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([_text(value) for value in row] + [""] * (width - len(row)))
    return out.getvalue().encode("utf-8", "replace")


def _text(value) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time(0):
        return value.date().isoformat()
    return str(value)
