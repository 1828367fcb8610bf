"""The vector that a visitor writes."""

from __future__ import annotations

import re

import numpy as np

MOST_ENTRIES = 12
LARGEST_ENTRY = 1e6
SEPARATORS = re.compile(r"[,;\s]+")


class BadVector(ValueError):
    """The text is no vector; the message says what to write instead."""


def parse_vector(text: str) -> np.ndarray:
    """The numbers in a text such as "1, 0.5, -0.2"; the text itself is never echoed."""
    words = [word for word in SEPARATORS.split(text.replace("−", "-").strip()) if word]
    example = "write numbers separated by commas, such as 1, 0.5, -0.2"
    if not words:
        raise BadVector(f"The vector a is empty; {example}.")
    if len(words) > MOST_ENTRIES:
        raise BadVector(
            f"The vector a has {len(words)} entries; write at most {MOST_ENTRIES}, so that every "
            "turn of the search fits the table."
        )
    values = []
    for place, word in enumerate(words, start=1):
        try:
            values.append(float(word))
        except ValueError:
            raise BadVector(f"Entry {place} of a is not a number; {example}.") from None
        if not abs(values[-1]) <= LARGEST_ENTRY:
            raise BadVector(
                f"Entry {place} of a is not a number between −1,000,000 and 1,000,000; {example}."
            )
    return np.array(values)
