"""Text cells that are numbers in disguise: 1,234 · 1.234,5 · 12 % · $5."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .model import NONE

_GROUPS = {
    ",": ",",
    ".": r"\.",
    "'": "['’]",
    " ": "[ \u00a0\u202f\u2009]",
}
_CURRENCY = "[$€£¥]"
_LONG_INTEGER = re.compile(r"[-+]?\d{16,}")


@dataclass(frozen=True)
class Coerced:
    """Numbers, and what was taken away from the text to get them."""

    values: np.ndarray
    thousands: str | None
    percent: bool
    currency: bool


def coerce(cells: np.ndarray, decimal: str, thousands: str | None) -> Coerced | None:
    """Numbers for text cells (NaN where missing) if all of them are such numbers, otherwise None.

    Percent signs must be on all cells or on none: 12 and 12 % are not the same scale.
    """
    distinct = [cell for cell in set(cells) if isinstance(cell, str)]
    # Digits beyond 2⁵³ are an identifier, which a float would round.
    if not distinct or any(_LONG_INTEGER.fullmatch(cell) for cell in distinct):
        return None
    for sign, point in _readings(decimal, thousands):
        pattern = _pattern(sign, point)
        found = {}
        for cell in distinct:
            found[cell] = pattern.fullmatch(cell)
            if found[cell] is None:
                break
        if None in found.values():
            continue
        percent = {cell.endswith("%") for cell in distinct}
        marks = {match["before"] or match["after"] or "" for match in found.values()}
        if len(percent) > 1 or len(marks) > 1:
            return None
        numbers = {cell: _number(match, sign, point) for cell, match in found.items()}
        values = np.array([numbers.get(cell, np.nan) for cell in cells])
        return Coerced(values, sign, percent == {True}, marks != {""})
    return None


def almost_numbers(counts: Mapping[str, int]) -> list[str]:
    """The cells that keep a column from being numeric, if they are fewer than a tenth."""
    total = sum(counts.values())
    bad, n_bad = [], 0
    for cell, count in counts.items():
        try:
            float(cell)
        except ValueError:
            bad.append(cell)
            n_bad += count
            if n_bad >= 0.1 * total:
                return []
    return bad


def _readings(decimal: str, thousands: str | None) -> list[tuple[str | None, str]]:
    """Pairs of thousands separator and decimal sign to try, in this order."""
    signs = [sign for sign in _GROUPS if sign != decimal] if thousands is None else [thousands]
    readings = [(None, decimal), *((sign, decimal) for sign in signs if sign != NONE)]
    # Beside decimal commas a column may still hold 1.5, which can mean nothing else.
    return readings if decimal == "." else [*readings, (None, ".")]


def _pattern(sign: str | None, point: str) -> re.Pattern:
    point = re.escape(point)
    if sign is None:
        body = rf"(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][-+]?\d+)?"
    else:
        body = rf"(?:[1-9]\d{{0,2}}(?:{_GROUPS[sign]}\d{{3}})+|\d{{1,3}})(?:{point}\d+)?"
    return re.compile(
        rf"(?P<sign>[-+−]?)\s?(?P<before>{_CURRENCY}?)\s?(?P<body>{body})"
        rf"\s?(?P<after>{_CURRENCY}?)\s?%?",
        re.ASCII,
    )


def _number(match: re.Match, sign: str | None, point: str) -> float:
    body = re.sub(_GROUPS[sign], "", match["body"]) if sign else match["body"]
    value = float(body.replace(point, "."))
    return -value if match["sign"] in ("-", "−") else value
