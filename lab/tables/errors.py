"""Why a file could not be read, in one sentence, with its first lines to look at."""

from __future__ import annotations

import unicodedata

from lab import words


class TableError(ValueError):
    """str(error) is one sentence: what is wrong, where, and how to fix it.

    `preview` holds the first raw lines where the file is text, `members` the parts of the file
    (members of an archive, sheets of a workbook) that could be read instead.
    """

    def __init__(
        self, sentence: str, *, preview: tuple[str, ...] = (), members: tuple[str, ...] = ()
    ):
        super().__init__(sentence)
        self.preview = preview
        self.members = members


def shown(text: object, length: int = 60) -> str:
    """Text from a file, safe inside a sentence: one line, no control characters, not too long."""
    line = " ".join(str(text).split())
    line = "".join(c for c in line if unicodedata.category(c)[0] != "C")
    return line if len(line) <= length else line[: length - 1] + "…"


def quoted(items, length: int = 4) -> str:
    """Names in quotes, the first few of them: 'a', 'b' and 7 more."""
    return words.listed([f"'{shown(item, 30)}'" for item in items], length)
