"""What a visitor set on each page, so that a page is found as it was left.

Only values that differ from their defaults are kept, by the names they have in the address.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from lab.ui import address


def of_page(prefix: str) -> dict[str, Any]:
    """The remembered values of one page, to read and to change."""
    return st.session_state.setdefault(f"_left:{prefix}", {})


def drawn_in(prefix: str, tab: str) -> set[str]:
    """The names of the controls that one page has drawn while a tab was open, to add to."""
    return st.session_state.setdefault(f"_drawn:{prefix}:{tab}", set())


def as_query(prefix: str) -> dict[str, list[str]]:
    """The remembered values as a link to the page carries them."""
    known = {key: address.texts_of(value) for key, value in of_page(prefix).items()}
    return {**address.unconfirmed(prefix), **known}
