"""Two rows of names: one names the columns, the other the groups that they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .guesses import is_missing, is_number

LEAST_COLUMNS, LEAST_ROWS = 3, 2


@dataclass(frozen=True)
class TwoHeaders:
    """A name and a group for each column, blank where it has none."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    groups_first: bool


def two_headers(
    first: Sequence[str], second: Sequence[str], rows: Sequence[Sequence[str]], *, turned: bool
) -> TwoHeaders | None:
    """The two rows of names at the top, or None where the second is a row like those below.

    Over columns of numbers both rows hold words, all different in the row of names, and some alike
    in that of groups. Groups above names may be written as merged cells: the word once, then blank.
    Rows have no group: over their names that row is blank, where a table on its side has the name
    of its label. In one that was `turned` its first cell is what a column of groups was called.
    """
    if len(first) != len(second) or len(rows) < LEAST_ROWS:
        return None
    if any(map(is_number, second)) or any(map(is_number, first)):
        return None  # most tables, at their first number
    numbers = [j for j in range(len(first)) if _holds_numbers(rows, j)]
    if len(numbers) < LEAST_COLUMNS:
        return None
    top, below = ([cell.strip() for cell in row] for row in (first, second))
    if turned:
        below[0] = ""
    of_rows = [j for j in range(len(first)) if _names_rows(rows, j)]
    if _are_names(top, numbers) and _are_groups(below, numbers, of_rows):
        return TwoHeaders(tuple(top), tuple(below), False)
    spread = _spread(top)
    if _are_names(below, numbers) and _are_groups(spread, numbers, of_rows):
        names = tuple(name or above for name, above in zip(below, top, strict=True))
        return TwoHeaders(names, tuple(spread), True)
    return None


def _holds_numbers(rows: Sequence[Sequence[str]], j: int) -> bool:
    cells = [row[j] for row in rows if j < len(row) and not is_missing(row[j])]
    return bool(cells) and all(map(is_number, cells))


def _names_rows(rows: Sequence[Sequence[str]], j: int) -> bool:
    cells = [row[j] for row in rows if j < len(row)]
    return not any(map(is_number, cells)) and len(set(cells)) == len(cells)


def _are_words(row: list[str], numbers: list[int]) -> bool:
    return not any(is_missing(row[j]) for j in numbers)


def _are_names(row: list[str], numbers: list[int]) -> bool:
    return _are_words(row, numbers) and len({row[j] for j in numbers}) == len(numbers)


def _are_groups(row: list[str], numbers: list[int], of_rows: list[int]) -> bool:
    alike = len({row[j] for j in numbers}) < len(numbers)
    return alike and _are_words(row, numbers) and not any(row[j] for j in of_rows)


def _spread(row: list[str]) -> list[str]:
    spread: list[str] = []
    for cell in row:
        spread.append(cell or (spread[-1] if spread else ""))
    return spread
