"""A live figure in a page: mounted, bound to a control of the view, and replaced if it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from lab.drawing import Figure, live
from lab.ui import address, frame, scripts

if TYPE_CHECKING:
    from lab.ui.view import View


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
    if scripts.run() and not st.session_state.get(_broken(key)):
        return _mount(view, name, figure)
    return _still(view, name, figure, still, help)


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
        st.session_state[_broken(key)] = True

    scripts.FIGURE(
        key=part,
        data={
            "name": part,
            "figure": figure.payload,
            "at": told["at"],
            "revision": told["revision"],
        },
        on_at_change=on_value,
        on_broken_change=on_failure,
    )
    return text


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
