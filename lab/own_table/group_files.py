"""Groups from a file: pairs of feature and group in either order, or sets one a line (GMT)."""

from __future__ import annotations

from collections.abc import Sequence

from lab.own_table.groupings import lists_from_pairs
from lab.tables import NamedLists, ReadOptions, TableError, read_table


def read_groups(data: bytes, name: str, features: Sequence[str]) -> NamedLists:
    """Named groups with the members that the file names, known or not; `TableError` says why not.

    A line of a GMT file is a set: its name, a description, then its members, by tabs. Otherwise the
    file is a table, and of its first two columns the one that holds more features is the features'.
    """
    sets = _sets(data, name, set(features))
    if sets is not None:
        return sets
    pairs = read_table(data, name, ReadOptions(missing=("",), labelled=False))
    if len(pairs.names) < 2:
        raise TableError(
            "The group file needs two columns, a feature and a group, or a set a line with tabs "
            "between (GMT)."
        )
    known = {str(feature) for feature in features}
    columns = [pairs.column(column) for column in pairs.names[:2]]
    hits = [sum(str(cell) in known for cell in column) for column in columns]
    first, second = (1, 0) if hits[1] > hits[0] else (0, 1)
    return lists_from_pairs(columns[first], columns[second])


def _sets(data: bytes, name: str, known: set[str]) -> NamedLists | None:
    """The sets of a GMT file; None where the lines are no sets."""
    text = data.decode("utf-8-sig", "replace")
    lines = [line.split("\t") for line in text.splitlines() if line.strip()]
    if not lines or not all(len(cells) > 2 for cells in lines):
        return None
    members = [[cell.strip() for cell in cells[2:] if cell.strip()] for cells in lines]
    if not name.lower().endswith(".gmt"):
        hits = sum(cell in known for cells in members for cell in cells)
        if 2 * hits < sum(map(len, members)) or len({len(cells) for cells in lines}) == 1:
            return None
    return tuple(
        (cells[0].strip(), tuple(dict.fromkeys(each)))
        for cells, each in zip(lines, members, strict=True)
        if each
    )


def strangers(lists: NamedLists, features: Sequence[str]) -> tuple[str, ...]:
    """Names in the file that are no feature, in the order of the file."""
    known = {str(feature) for feature in features}
    every = dict.fromkeys(member for _, members in lists for member in members)
    return tuple(name for name in every if name not in known)
