"""What a visitor set on each page, so that a page is found as it was left.

Only values that differ from their defaults are kept, by the names they have in the address.
"""

from __future__ import annotations

from typing import Any

import streamlit as st


def of_page(prefix: str) -> dict[str, Any]:
    """The remembered values of one page, to read and to change."""
    return st.session_state.setdefault(f"_left:{prefix}", {})


def on_show(prefix: str) -> set[str]:
    """The names of the controls that one page last drew, to read and to change."""
    return st.session_state.setdefault(f"_shown:{prefix}", set())


def as_query(prefix: str) -> dict[str, list[str]]:
    """The remembered values as a link to the page carries them."""
    return {key: _as_texts(value) for key, value in of_page(prefix).items()}


def of_address() -> dict[str, list[str]]:
    """What the address carries now."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _as_texts(value: Any) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in values]
