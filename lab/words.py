"""What sentences are made of: names from files made harmless, counts, lists, durations."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable

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


def sentence(text: str) -> str:
    """The text with a capital and a full stop, unless it opens with a symbol, such as w*."""
    opens_with_word = text[1:2].isalpha() or text[:2] in ("a ", "A ")
    first = text[:1].upper() if opens_with_word else text[:1]
    return f"{first}{text[1:]}{'' if text.endswith('.') or not text else '.'}"


# A number stays on one line with its unit, its interval and the letter that it is the value of.
_TIES = re.compile(r"(?<=\d) (?=(?:ms|min|[hms]|points|%)(?!\w))| (?=[=±])|(?<=[=±]) ")


def unbroken(text: str) -> str:
    """The text as Markdown may break it into lines."""
    return _TIES.sub("\u00a0", text)


def counted(number: int, word: str, plural: str | None = None) -> str:
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def capitalised(text: str) -> str:
    """The same with a capital to begin with, and all else as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def signed(text: str) -> str:
    """Numbers with true minus signs; that of an exponent stays as programs write it."""
    return re.sub(r"(?<!e)-", "−", text)


def listed(names: Iterable[str], most: int | None = None, *, last: str = "and") -> str:
    """a, b and c; or the first few and how many more there are."""
    names = list(names)
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return f" {last} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def listed_in_markdown(names: Iterable[object], most: int = 5) -> str:
    return listed(map(in_markdown, names), most)


def duration(seconds: float, never: str = "never", digits: int = 2) -> str:
    """A measured time; more digits than two only where it is a place on an axis."""
    if not math.isfinite(seconds):
        return never
    if seconds < 0.0995:
        return f"{1e3 * seconds:.{digits}g} ms"
    return f"{seconds:.{digits}g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def clock(seconds: float) -> str:
    """A duration to read at a glance."""
    seconds = round(seconds)
    if seconds < 120:
        return f"{seconds} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_number(value: float, digits: int = 3) -> str:
    """A number to so many digits as one writes it by hand: 2,930, 0.012, 1.2 × 10⁻⁷."""
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return signed(text)
    lead, power = text.split("e")
    if 0 <= int(power) < 7:
        return signed(f"{float(text):,.0f}")
    return f"{signed(lead)} × 10{str(int(power)).translate(_RAISED)}"


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent, with more digits where fewer would make nothing or all of it."""
    return f"{_short_of(100.0 * share, 100.0, digits)} %"


def fraction(value: float, digits: int = 2) -> str:
    """A number from 0 to 1, with more digits where fewer would make 0 or 1 of it."""
    return _short_of(value, 1.0, digits)


def _short_of(value: float, whole: float, digits: int) -> str:
    if math.isclose(value, whole, rel_tol=1e-9):  # what rounding leaves is no difference
        return f"{whole:g}"
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    told = (f"{value:.{more}f}" for more in range(digits, 16))
    return next((text for text in told if float(text) not in (0.0, whole)), f"{value:g}")
