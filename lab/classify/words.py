"""Names from files, made harmless: no markup in Markdown, no tags in figures, no line breaks."""

from __future__ import annotations

import html
import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
# Everything that Markdown, its tables, LaTeX or Streamlit's own directives give a meaning to.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:^=@\"'/])")
_BARE_LINK = re.compile(r"(?i)\b(https?|www|mailto)")


def short(text: object, limit: int = 40) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(_CONTROL.sub(" ", str(text)).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def in_markdown(text: object, limit: int = 40) -> str:
    """The text as Markdown that shows it and nothing else."""
    # A zero-width joiner keeps a bare address from becoming a link.
    line = _BARE_LINK.sub(lambda found: f"{found[0][0]}\u2060{found[0][1:]}", short(text, limit))
    return html.escape(_MARKDOWN.sub(r"\\\1", line), quote=False)


def in_figure(text: object, limit: int = 28) -> str:
    """The text for plotly, which takes tags for markup and undoes character references."""
    return html.escape(short(text, limit), quote=False)


def counted(number: int, word: str, plural: str | None = None) -> str:
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def listed(names, limit: int = 5) -> str:
    """A few names for a sentence of Markdown, and how many more there are."""
    names = list(names)
    shown = ", ".join(in_markdown(name) for name in names[:limit])
    return f"{shown} and {len(names) - limit:,} more" if len(names) > limit else shown
