"""What the address says of a page's controls: text on one side, values on the other.

Streamlit can bind a control to the address itself, but takes it out again when the control is not
drawn, as in a tab that was closed. Here the address always says all that differs from the defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st


@dataclass(frozen=True)
class Between:
    """The numbers from low to high."""

    low: Any
    high: Any

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


@dataclass(frozen=True)
class AllOf:
    """Lists of some of the choices, each at most once."""

    choices: tuple

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, list | tuple):
            return False
        return len(set(value)) == len(value) and all(each in self.choices for each in value)


@dataclass(frozen=True)
class Passing:
    """What a function says yes to."""

    test: Callable[[Any], bool]

    def __contains__(self, value: object) -> bool:
        return self.test(value)


class _Anything:
    def __contains__(self, value: object) -> bool:
        return value is not None


ANYTHING = _Anything()


def texts_of(value: Any) -> list[str]:
    """A value as the address carries it; an empty list is one empty text."""
    values = value if isinstance(value, list | tuple) else [value]
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in values] or [""]


def value_of(texts: list[str], default: Any) -> Any:
    """The value that the texts mean for a control with this default; None if they mean nothing."""
    if isinstance(default, list | tuple):
        return [] if texts == [""] else list(texts)
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[texts[-1]]
        if isinstance(default, int | float):
            return type(default)(texts[-1])
    except (ValueError, KeyError):
        return None
    return texts[-1]


def read(key: str) -> list[str] | None:
    return st.query_params.get_all(key) if key in st.query_params else None


def write(key: str, texts: list[str] | None) -> None:
    """Set or remove a value in the address, where it is not so already."""
    if read(key) == texts:
        return
    if texts is None:
        del st.query_params[key]
    else:
        st.query_params[key] = texts


def unconfirmed(prefix: str) -> dict[str, list[str]]:
    """What the address said of one page's controls that have not been drawn since."""
    return st.session_state.setdefault(f"_unconfirmed:{prefix}", {})
