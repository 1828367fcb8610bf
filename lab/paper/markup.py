"""Text and tables as HTML, for a file that has no scripts."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence


def escaped(words: str) -> str:
    return html.escape(words, quote=True)


def table(columns: Mapping[str, Sequence]) -> str:
    head = "".join(f"<th>{escaped(name)}</th>" for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escaped(_cell(cell))}</td>" for cell in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
