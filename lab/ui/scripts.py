"""Whether our scripts run in the visitor's browser: taken for granted until they do not.

A browser in which they run never says so. What it tells of its own accord has all controls as they
were when it was sent, and the address too; where it crosses with a press of the visitor's, the
server takes these for the newer ones. So only a browser without our scripts speaks: a watch on the
page waits for their mark, and if it does not come presses a button. Where not even the watch runs,
the button appears, and the visitor presses it.
"""

from __future__ import annotations

import streamlit as st
from streamlit import config

from lab.drawing import live

# Once a process, not once a run: a second registration would mount every figure anew.
FIGURE = st.components.v2.component("live_figure", js=live.javascript(), css=live.styles())

# How often the watch's timer rings, and after how many rings our scripts are given up. A browser
# that is too busy to run them is too busy to ring as well, so rings count its time, not the wall's.
RING_SECONDS, MOST_RINGS = 1.5, 4
# Session-wide: our scripts did not run in all that time.
_SILENT = "_scripts_silent"
_BUTTON, _LATE = "still_pictures", "late_scripts"

# In the browser `data-live` is their mark, and `.stBidiComponent` the place of a figure.
_WATCH = f"""<style>
.st-key-{_BUTTON} {{ display: none; }}
html:not([data-live]):has(.stBidiComponent) .st-key-{_BUTTON} {{
    display: block; position: fixed; bottom: 1rem; right: 1rem; z-index: 10;
    width: auto; animation: {_BUTTON} {2 * RING_SECONDS * MOST_RINGS}s step-end; }}
@keyframes {_BUTTON} {{ from {{ visibility: hidden; }} }}
</style><script>
if (!window.watchForScripts) {{
    window.watchForScripts = true;
    let rings = 0;
    const ring = () => {{
        if (document.documentElement.dataset.live !== undefined) return;
        const button = document.querySelector('.st-key-{_BUTTON} button');
        rings = button && document.querySelector('.stBidiComponent') ? rings + 1 : 0;
        if (rings > {MOST_RINGS}) {{
            rings = 0;
            button.click();
        }}
        setTimeout(ring, {1000 * RING_SECONDS:.0f});
    }};
    ring();
}}
</script>"""


def run() -> bool:
    """Whether to trust them: everywhere but where they did not come."""
    return _in_a_browser() and not st.session_state.get(_SILENT)


def draw_watch() -> None:
    """Draw nothing that a browser with our scripts shows."""
    if run():
        st.button("No figures here? Show still pictures.", key=_BUTTON, on_click=_give_up)
        st.html(_WATCH, unsafe_allow_javascript=True)
    elif _in_a_browser():
        # They may only be late, as on a slow line, and say so then.
        st.html(f"<style>.st-key-{_LATE} {{ display: none; }}</style>")
        nothing = {"figure": None, "at": "", "revision": 0}
        FIGURE(key=_LATE, data=nothing, on_late_change=_trust_again)


def _in_a_browser() -> bool:
    return not config.get_option("global.appTest")


def _give_up() -> None:
    st.session_state[_SILENT] = True


def _trust_again() -> None:
    st.session_state[_SILENT] = False
