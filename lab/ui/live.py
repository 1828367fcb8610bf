"""A live figure in a page: mounted, bound to a control of the view, and replaced if it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st
from streamlit import config

from lab.drawing import Figure, live
from lab.ui import address, frame

if TYPE_CHECKING:
    from lab.ui.view import View

# Once a process, not once a run: a second registration would mount every figure anew.
_FIGURE = st.components.v2.component("live_figure", js=live.javascript(), css=live.styles())

# How often the browser's timer rings, and after how many rings our scripts are given up. A browser
# that is too busy to run them is too busy to ring as well, so rings count its time, not the wall's.
RING_SECONDS, MOST_RINGS = 1.5, 4
# Session-wide: our scripts ran here, or did not in all that time.
_ALIVE, _SILENT, _GREETER = "_live_alive", "_live_silent", "_live_greeter"
_LATE = "_live_late"


def draw(
    view: View,
    name: str,
    figure: live.Figure,
    still: Callable[[str], Figure],
    *,
    help: str,
) -> str:
    """Draw a figure that sets the view's control `name`, and return the control's text."""
    key = view.key(name)
    if st.session_state.pop(_LATE, False):
        st.rerun()  # the other figures of the page come to life with this one
    if _works(key):
        return _mount(view, name, figure)
    text = _still(view, name, figure, still, help)
    if st.session_state.get(_SILENT):
        _listen(view, key)
    return text


def _works(key: str) -> bool:
    """Whether to trust our scripts: until they fail, except where no browser runs them."""
    state = st.session_state
    # A sign of life may cross with the bell that rings for want of one.
    silent = state.get(_SILENT) and not state.get(_ALIVE)
    return not (silent or state.get(_broken(key)) or config.get_option("global.appTest"))


def _broken(key: str) -> str:
    return f"_live_broken:{key}"


def _mount(view: View, name: str, figure: live.Figure) -> str:
    key = view.key(name)
    part = f"{key}:live"
    text = view.adopt(name, address.Passing(figure.control.accepts))
    view.put(name, text)
    told = st.session_state.setdefault(
        f"_live_told:{key}", {"text": text, "at": text, "revision": 0, "figure": "", "moved": False}
    )
    if told["text"] != text:  # a reset, a preset or a link, which the browser has to follow
        told.update(text=text, revision=told["revision"] + 1, moved=False)
    if not told["moved"] or told["figure"] != figure.payload:
        # After a move of the browser's own it is told the same as before, to the last letter, which
        # Streamlit then does not send again: neither the frames nor our scripts.
        told.update(at=text, figure=figure.payload)
    told["moved"] = False

    def on_value() -> None:
        new = st.session_state[part].get("at")
        if isinstance(new, str) and figure.control.accepts(new):
            told.update(text=new, moved=True)
            view.set({name: new})

    def on_failure() -> None:
        st.session_state[_ALIVE] = st.session_state[_broken(key)] = True

    greets = _greets(view, key)
    _FIGURE(
        key=part,
        data={
            "name": part,
            "figure": figure.payload,
            "at": told["at"],
            "revision": told["revision"],
            "greet": greets,
        },
        on_at_change=on_value,
        on_broken_change=on_failure,
        on_alive_change=_on_greeting,
    )
    # Its place stays when the watch ends: what follows would move up, and stand twice meanwhile.
    with st.container():
        if greets:
            _watch(key, object())
    return text


def _greets(view: View, key: str) -> bool:
    """Whether this figure is the one on its page that has to say that our scripts run."""
    if st.session_state.get(_GREETER) not in view.drawn:
        st.session_state[_GREETER] = key
    return not st.session_state.get(_ALIVE) and st.session_state[_GREETER] == key


def _listen(view: View, key: str) -> None:
    """Beside a still figure: our scripts may only be late, as on a slow line, and say so then."""
    if _greets(view, key):
        data = {"figure": None, "at": "", "revision": 0, "greet": True}
        _FIGURE(key=f"{key}:listens", data=data, on_alive_change=_on_greeting)


def _on_greeting() -> None:
    st.session_state[_ALIVE] = True
    st.session_state[_LATE] = st.session_state.pop(_SILENT, False)


@st.fragment(run_every=RING_SECONDS)
def _watch(key: str, drawn: object) -> None:
    """Where our scripts have not said a word after some rings of the timer, do without them."""
    seen = f"_live_seen:{key}"
    before, rings = st.session_state.get(seen, (None, 0))
    rings = rings + 1 if before is drawn else 0
    st.session_state[seen] = (drawn, rings)
    if rings == MOST_RINGS or (rings and st.session_state.get(_ALIVE)):
        st.session_state[_SILENT] = not st.session_state.get(_ALIVE)
        st.rerun()  # also ends the timer


def _still(view: View, name: str, figure: live.Figure, still, help: str) -> str:
    picture = st.container()
    if isinstance(figure.control, live.Steps):
        label = figure.control.label or name
        text = view.scale(name, label, figure.control.texts, help=help)
    else:
        label = " and ".join(figure.control.labels)
        text = view.text(name, f"{label}, with a comma between", help=help)
        if not figure.control.accepts(text):
            count, text = len(figure.control.labels), view.defaults[name]
            frame.problem(f"That is no point on show: write {count} numbers, such as {text}.")
    with picture:
        drawn, alt = still(text), figure.alt(text)
        if isinstance(figure.control, live.Point):  # whose numbers only the picture knows
            alt = f"{alt} {drawn.layout.title.text}.".replace("<br>", " ")
        frame.chart(drawn, key=f"{view.key(name)}_still", alt=alt)
    return text
