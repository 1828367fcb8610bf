"""The controls of a page: their values live in the address and survive a visit to another page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from lab.ui import frame, memory

NOTHING: Mapping[str, Any] = MappingProxyType({})


class View:
    """Named controls of one page, with a default each, so that all can be reset or preset at once.

    A control's key carries the page's prefix, because keys are shared by all pages of a session;
    the key is also its name in the address, where a value equal to the default is left out. Values
    are remembered on the server too: Streamlit forgets a control that is not drawn, which is every
    control of a page that was left or of a tab that is closed.
    """

    def __init__(
        self,
        page: str,
        defaults: Mapping[str, Any],
        presets: Mapping[str, Mapping[str, Any]] = NOTHING,
    ):
        self.prefix = frame.page_of(page).prefix
        self.defaults = dict(defaults)
        self.presets = {label: dict(changes) for label, changes in presets.items()}
        for label, changes in self.presets.items():
            unknown = set(changes) - set(self.defaults)
            if unknown:
                raise ValueError(f"preset {label!r} sets unknown controls {sorted(unknown)}.")
        if frame.entered():
            self._follow_address()
        self._complete_address()
        memory.on_show(self.prefix).clear()

    def key(self, name: str) -> str:
        """The key of a control in the session's state and in the address."""
        if name not in self.defaults:
            raise ValueError(f"control {name!r} has no default; give it one in the view.")
        return f"{self.prefix}{name}"

    def __getitem__(self, name: str) -> Any:
        """The value of a control, drawn or not."""
        key = self.key(name)
        if key in st.session_state:
            return st.session_state[key]
        return memory.of_page(self.prefix).get(key, self.defaults[name])

    def values(self) -> dict[str, Any]:
        return {name: self[name] for name in self.defaults}

    # One method per kind of control, so that each is bound, described and remembered alike.

    def slider(self, name: str, label: str, low, high, *, help: str, **options) -> Any:
        return self._drawn(
            st.slider, name, label, low, high, value=self.defaults[name], help=help, **options
        )

    def scale(self, name: str, label: str, steps: Iterable[str], *, help: str, **options) -> str:
        """A slider over given texts: a typed address then means the same as the slider's own."""
        return self._drawn(
            st.select_slider,
            name,
            label,
            options=tuple(steps),
            value=self.defaults[name],
            help=help,
            **options,
        )

    def number(self, name: str, label: str, low, high, *, help: str, **options) -> Any:
        return self._drawn(
            st.number_input, name, label, low, high, value=self.defaults[name], help=help, **options
        )

    def select(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> Any:
        choices = tuple(choices)
        index = choices.index(self.defaults[name])
        return self._drawn(st.selectbox, name, label, choices, index=index, help=help, **options)

    def segments(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> Any:
        return self._drawn(
            st.segmented_control,
            name,
            label,
            tuple(choices),
            default=self.defaults[name],
            required=True,
            wrap=True,
            help=help,
            **options,
        )

    def several(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> list:
        return self._drawn(
            st.multiselect,
            name,
            label,
            tuple(choices),
            default=list(self.defaults[name]),
            help=help,
            **options,
        )

    def pills(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> list:
        """Several of a few choices, all in sight."""
        return self._drawn(
            st.pills,
            name,
            label,
            tuple(choices),
            selection_mode="multi",
            wrap=True,
            default=list(self.defaults[name]),
            help=help,
            **options,
        )

    def toggle(self, name: str, label: str, *, help: str, **options) -> bool:
        return self._drawn(st.toggle, name, label, value=self.defaults[name], help=help, **options)

    def text(self, name: str, label: str, *, help: str, **options) -> str:
        return self._drawn(
            st.text_input, name, label, value=self.defaults[name], help=help, **options
        )

    def tabs(self, name: str, labels: Iterable[str]):
        """Tabs of which the open one is in the address; draw only where `.open` is true."""
        return self._drawn(
            st.tabs, name, tuple(labels), default=self.defaults[name], on_change="rerun"
        )

    # All controls at once.

    def set(self, changes: Mapping[str, Any]) -> None:
        """Give controls new values; only in a callback, before the controls are drawn."""
        for name, value in changes.items():
            self._remember(name, value)
            st.session_state[self.key(name)] = value
            if value == self.defaults[name]:
                _write_address(self.key(name), None)

    def reset(self) -> None:
        self.set(self.defaults)

    def draw_presets(self) -> None:
        """A button for each preset; what a preset does not name goes back to its default."""
        with st.container(horizontal=True):
            for label, changes in self.presets.items():
                st.button(
                    label,
                    key=f"{self.prefix}preset_{label}",
                    on_click=self.set,
                    args=({**self.defaults, **changes},),
                )

    def _drawn(self, widget: Callable, name: str, *arguments, **options) -> Any:
        key, left = self.key(name), memory.of_page(self.prefix)
        if key not in st.session_state and key in left:
            st.session_state[key] = left[key]
        memory.on_show(self.prefix).add(key)
        drawn = widget(*arguments, key=key, bind="query-params", **options)
        self._remember(name, st.session_state.get(key, self.defaults[name]))
        return drawn

    def _remember(self, name: str, value: Any) -> None:
        left = memory.of_page(self.prefix)
        if value == self.defaults[name]:
            left.pop(self.key(name), None)
        else:
            left[self.key(name)] = value

    def _follow_address(self) -> None:
        """Show what the link or the browser's history says, whatever was set on a later visit.

        Of controls that were on show it says all, since what it leaves out is at its default. The
        others, in tabs that were closed, are as they were left unless it names them.
        """
        address, shown = memory.of_address(), memory.on_show(self.prefix)
        for key, texts in memory.as_query(self.prefix).items():
            if address.get(key) != texts and (key in address or key in shown):
                del memory.of_page(self.prefix)[key]

    def _complete_address(self) -> None:
        """Give the address the values of controls that were not drawn, those of closed tabs.

        Streamlit writes to the address only what a visitor changes in a control on show, not what
        a preset gave to one in another tab.
        """
        address = memory.of_address()
        for key, texts in memory.as_query(self.prefix).items():
            if address.get(key) != texts:
                _write_address(key, texts)


def _write_address(key: str, texts: list[str] | None) -> None:
    """Set or remove a value in the address, unless a control on show has that to do."""
    try:
        if texts is not None:
            st.query_params[key] = texts
        elif key in st.query_params:
            del st.query_params[key]
    except StreamlitAPIException:
        return
