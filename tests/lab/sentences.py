"""What no sentence of the app may say, whatever its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

THINGS = (
    *("group", "weight", "feature", "true feature", "draw", "bucket", "step", "trial", "sample"),
    *("nonzero", "fold", "seed", "method", "comparison", "column", "row", "claim", "second"),
)
ADJECTIVES = {"nonzero"}
WRONG = {
    "a plural of one": re.compile(
        r"(?<![\d.,/=≤≥<>·×~–-])(?<![\d.,/=≤≥<>·×~–-] )\b(1|one) "
        rf"({'|'.join(THINGS)}|entrie|classe)s\b"
    ),
    # "20 nonzero at the weakest" is right, "a 3 step of 4" too.
    "a singular of none or many": re.compile(
        rf"\b(0|[2-9]|\d\d+) ({'|'.join(set(THINGS) - ADJECTIVES)})\b(?! of| \d)"
    ),
    "one of one": re.compile(r"\b1 of 1\b"),
    # "None so far." is a sentence, "= None" and "None weights" are not.
    "a number that is none": re.compile(r"\b(nan|inf)\b|[=(\[,:] ?None\b|\bNone [a-z]+s\b"),
    "an empty list": re.compile(r"\[\]|\(\)|: \.|, ,|,\.|\bof the :"),
    "rounded to what it is not": re.compile(r"probability 1\.0+\b|\b0\.0000\b|-0\b(?!\.)"),
    "all where it is almost all": re.compile(r"\b100\.0+ %|\bF1 (is )?1\.0+\b"),
    "a large number as programs write it": re.compile(r"\de\+\d"),
    "two spaces": re.compile(r"\S  +\S"),
    "words of the machinery": re.compile(r"by the caller|certified Interior"),
}


def faults(sentences: Iterable[str]) -> list[str]:
    """Each fault with the words around it."""
    return [
        f"{name}: …{said[max(0, match.start() - 40) : match.end() + 40]}…"
        for said in sentences
        for name, pattern in WRONG.items()
        for match in pattern.finditer(said)
    ]
