"""Values as a script writes them: long ones over several lines, runs of equal ones in short."""

from __future__ import annotations

import numpy as np

_WIDTH = 96


def literal(value) -> str:
    """A Python literal, one entry a line where it is long; text stays text whatever it holds."""
    text = ascii(value) if _is_odd(value) else repr(value)
    if len(text) <= _WIDTH or not isinstance(value, list | dict):
        return text
    if isinstance(value, dict):
        entries = [f"{literal(key)}: {literal(item)}" for key, item in value.items()]
        return "{\n" + "".join(f"    {entry},\n" for entry in entries) + "}"
    lines, line = [], "   "
    for item in value:
        entry = f" {literal(item)},"
        if len(line) + len(entry) > _WIDTH and line.strip():
            lines.append(line)
            line = "   "
        line += entry
    lines.append(line)
    return "[\n" + "\n".join(lines) + "\n]"


def _is_odd(value) -> bool:
    """Text that cannot be written to a file as it is, or that would hide what it says."""
    return isinstance(value, str) and not value.isprintable()


def label_literal(labels: np.ndarray) -> str:
    """Labels one by one, or run by run where that is shorter: wide tables have thousands."""
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    if starts.size == labels.size > _WIDTH and np.array_equal(labels, np.arange(labels.size)):
        return f"np.arange({labels.size})"
    if 2 * starts.size >= labels.size:
        return literal(labels.tolist())
    lengths = np.diff(starts, append=labels.size)
    return f"np.repeat({literal(labels[starts].tolist())}, {literal(lengths.tolist())})"


def runs(values: np.ndarray) -> str:
    """Values and how often each comes in a row: wide tables have thousands, mostly alike."""
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    lengths = np.diff(starts, append=values.size)
    return f"{literal(values[starts].tolist())}, {literal(lengths.tolist())}"
