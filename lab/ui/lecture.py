"""Lecture mode: no sidebar, the whole width, everything larger, for a projector.

It is in the address of every page, so a lecturer's links keep it.
"""

from __future__ import annotations

import streamlit as st

NAME = "lecture"
_SWITCH = "_lecture_switch"
ENLARGED, LEAST_ENLARGED = 1.35, 1.15
# The height of the window, in pixels, that is enlarged by 1: a low projector has large letters
# already, and its screen has to hold a figure with its slider.
USUAL_HEIGHT = 800

# Streamlit's theme has one size for all visitors, so each visitor's own browser enlarges the page.
# Plotly measures its place in the screen's pixels and would draw beyond it; its figures come larger
# from the server instead.
# In a block: the script runs again on every page, and a name can be declared once only.
_SCRIPT = """<script>
{{
const root = document.documentElement;
let style = document.getElementById('lecture');
if (!style) {{
    style = document.createElement('style');
    style.id = 'lecture';
    document.head.append(style);
    addEventListener('resize', () => window.enlargeForLecture());
}}
window.enlargeForLecture = () => {{
    const zoom = {on} ? Math.max({least}, Math.min({most}, innerHeight / {usual})) : '';
    root.style.zoom = zoom;
    style.textContent = zoom && `[data-testid=stPlotlyChart] {{ zoom: calc(1 / ${{zoom}}); }}
        [data-testid=stMainBlockContainer] {{ padding-top: 2.5rem; }}`;
}};
window.enlargeForLecture();
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
    script = _SCRIPT.format(
        on=str(is_on()).lower(), least=LEAST_ENLARGED, most=ENLARGED, usual=USUAL_HEIGHT
    )
    st.html(script, unsafe_allow_javascript=True)
