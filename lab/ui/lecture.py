"""Lecture mode: no sidebar, the whole width, everything larger, for a projector.

It is in the address of every page, so a lecturer's links keep it.
"""

from __future__ import annotations

import streamlit as st

NAME = "lecture"
_SWITCH = "_lecture_switch"
ENLARGED = 1.35

# Streamlit's theme has one size for all visitors, so each visitor's own browser enlarges the page.
# Plotly measures its place in the screen's pixels and would draw beyond it; its figures come larger
# from the server instead.
# In a block: the script runs again on every page, and a name can be declared once only.
_SCRIPT = """<script>
{{
document.documentElement.style.zoom = '{zoom}';
let style = document.getElementById('lecture');
if (!style) {{
    style = document.createElement('style');
    style.id = 'lecture';
    document.head.append(style);
}}
style.textContent = '{zoom}' && '[data-testid=stPlotlyChart] {{ zoom: calc(1 / {zoom}); }}';
}}
</script>"""


def is_on() -> bool:
    return st.query_params.get(NAME) == "true"


def as_query() -> dict[str, str]:
    """What a link carries on."""
    return {NAME: "true"} if is_on() else {}


def draw_switch() -> None:
    key = f"{_SWITCH}:{is_on()}"
    st.toggle(
        "Lecture mode",
        value=is_on(),
        key=key,
        on_change=_follow,
        args=(key,),
        help="For a projector: no sidebar, the whole width, everything larger.",
    )


def _follow(key: str) -> None:
    if st.session_state[key]:
        st.query_params[NAME] = "true"
    else:
        st.query_params.pop(NAME, None)


def apply() -> None:
    """Draw nothing; enlarge the page in the visitor's browser, or undo it."""
    zoom = ENLARGED if is_on() else ""
    st.html(_SCRIPT.format(zoom=zoom), unsafe_allow_javascript=True)
