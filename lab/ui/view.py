"""The controls of a page: their values live in the address and survive a visit to another page."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from lab import drawing
from lab.drawing.live import Figure
from lab.ui import address, frame, history, live, memory

NOTHING: Mapping[str, Any] = MappingProxyType({})


class View:
    """Named controls of one page, with a default each, so that all can be reset or preset at once.

    A control's key carries the page's prefix, because keys are shared by all pages of a session;
    the key is also its name in the address, where a value equal to the default is left out. Values
    are remembered on the server too: Streamlit forgets a control that is not drawn, which is every
    control of a page that was left or of a tab that is closed.

    When a page is entered, the address says all. What it says of a control is believed once the
    control accepts it: when it is drawn, or at once where `limits` name the values it can have (a
    container of them, such as a range, choices or `Between`). Give limits to every control whose
    value also counts in tabs where it is not drawn.
    """

    def __init__(
        self,
        page: str,
        defaults: Mapping[str, Any],
        presets: Mapping[str, Mapping[str, Any]] = NOTHING,
        limits: Mapping[str, Container] = NOTHING,
    ):
        self.prefix = frame.page_of(page).prefix
        self.defaults = dict(defaults)
        self.drawn: set[str] = set()  # keys of the controls of this run so far
        self.presets = {label: dict(changes) for label, changes in presets.items()}
        for label, changes in self.presets.items():
            unknown = set(changes) - set(self.defaults)
            if unknown:
                raise ValueError(f"preset {label!r} sets unknown controls {sorted(unknown)}.")
        if frame.entered() or history.is_followed():
            self._follow_address(limits)

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

    @property
    def _tab(self) -> str:
        return str(self["tab"]) if "tab" in self.defaults else ""

    # One method per kind of control, so that each is bound, described and remembered alike.

    def slider(self, name: str, label: str, low, high, *, help: str, **options) -> Any:
        accepted = address.Between(low, high)
        return self._drawn(
            accepted,
            st.slider,
            name,
            label,
            low,
            high,
            value=self.defaults[name],
            help=help,
            **options,
        )

    def scale(self, name: str, label: str, steps: Iterable[str], *, help: str, **options) -> str:
        """A slider over given texts: a typed address then means the same as the slider's own.

        Steps that follow another control may not have the default; what is set is one of them.
        """
        steps = tuple(steps)
        default = self.defaults[name]
        return self._drawn(
            steps,
            st.select_slider,
            name,
            label,
            options=steps,
            value=default if default in steps else steps[-1],
            help=help,
            **options,
        )

    def number(self, name: str, label: str, low, high, *, help: str, **options) -> Any:
        accepted = address.Between(low, high)
        default = self.defaults[name]
        return self._drawn(
            accepted, st.number_input, name, label, low, high, value=default, help=help, **options
        )

    def select(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> Any:
        choices = tuple(choices)
        index = choices.index(self.defaults[name])
        return self._drawn(
            choices, st.selectbox, name, label, choices, index=index, help=help, **options
        )

    def segments(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> Any:
        choices = tuple(choices)
        return self._drawn(
            choices,
            st.segmented_control,
            name,
            label,
            choices,
            default=self.defaults[name],
            required=True,
            wrap=True,
            help=help,
            **options,
        )

    def several(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> list:
        choices = tuple(choices)
        return self._drawn(
            address.AllOf(choices),
            st.multiselect,
            name,
            label,
            choices,
            default=list(self.defaults[name]),
            help=help,
            **options,
        )

    def pills(self, name: str, label: str, choices: Iterable, *, help: str, **options) -> list:
        """Several of a few choices, all in sight."""
        choices = tuple(choices)
        return self._drawn(
            address.AllOf(choices),
            st.pills,
            name,
            label,
            choices,
            selection_mode="multi",
            wrap=True,
            default=list(self.defaults[name]),
            help=help,
            **options,
        )

    def toggle(self, name: str, label: str, *, help: str, **options) -> bool:
        default = self.defaults[name]
        return self._drawn(
            (False, True), st.toggle, name, label, value=default, help=help, **options
        )

    def text(self, name: str, label: str, *, help: str, **options) -> str:
        default = self.defaults[name]
        return self._drawn(
            address.ANYTHING, st.text_input, name, label, value=default, help=help, **options
        )

    def tabs(self, name: str, labels: Iterable[str]):
        """Tabs of which the open one is in the address; draw only where `.open` is true."""
        labels = tuple(labels)
        return self._drawn(
            labels, st.tabs, name, labels, default=self.defaults[name], on_change="rerun"
        )

    def live(
        self, name: str, figure: Figure, *, still: Callable[[str], drawing.Figure], help: str
    ) -> str:
        """A figure that is its own control; `still` draws one value where it cannot be shown."""
        return live.draw(self, name, figure, still, help=help)

    def adopt(self, name: str, accepted: Container) -> Any:
        """The value of a control that is about to be drawn, if it can have that; else the default.

        What was just set comes first, then what a link says, then what was left.
        """
        key = self.key(name)
        said = address.unconfirmed(self.prefix).pop(key, None)
        if said is not None:
            st.session_state[key] = address.value_of(said, self.defaults[name])
        elif key not in st.session_state and key in memory.of_page(self.prefix):
            st.session_state[key] = memory.of_page(self.prefix)[key]
        if st.session_state.get(key, self.defaults[name]) not in accepted:
            st.session_state[key] = self.defaults[name]
            address.write(key, None)
        memory.drawn_in(self.prefix, self._tab).add(key)
        self.drawn.add(key)
        return st.session_state.get(key, self.defaults[name])

    def put(self, name: str, value: Any) -> None:
        """Remember what the visitor set, and show it in the address.

        Only what is new is written. A new tab is a new entry in the browser's history, and gets all
        there is to say.
        """
        key, left, default = self.key(name), memory.of_page(self.prefix), self.defaults[name]
        if value == left.get(key, default):
            return
        if value == default:
            left.pop(key)
        else:
            left[key] = value
        said = memory.as_query(self.prefix)
        for changed in map(self.key, self.defaults) if name == "tab" else (key,):
            address.write(changed, said.get(changed))

    # All controls at once.

    def set(self, changes: Mapping[str, Any]) -> None:
        """Give controls new values; only in a callback, before the controls are drawn."""
        for name, value in changes.items():
            if address.unconfirmed(self.prefix).pop(self.key(name), None) is not None:
                address.write(self.key(name), None)
            self.put(name, value)
            st.session_state[self.key(name)] = value

    def reset(self) -> None:
        """Give the controls of the open tab their defaults; the tab stays open.

        What a link says of controls that were not drawn yet is of other tabs, where there are any.
        """
        own = memory.drawn_in(self.prefix, self._tab)
        if not self._tab:
            own = own | set(address.unconfirmed(self.prefix))
        self.set(
            {
                name: default
                for name, default in self.defaults.items()
                if name != "tab" and self.key(name) in own
            }
        )

    def draw_reset(self, key: str) -> bool:
        """A button that resets; whether it was just pressed."""
        which = "The controls of this tab" if "tab" in self.defaults else "All controls"
        return st.button("Reset", key=key, on_click=self.reset, help=f"{which} to their defaults.")

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

    def _drawn(
        self, accepted: Container, widget: Callable, name: str, *arguments, **options
    ) -> Any:
        self.adopt(name, accepted)
        drawn = widget(*arguments, key=self.key(name), **options)
        self.put(name, st.session_state.get(self.key(name), self.defaults[name]))
        return drawn

    def _follow_address(self, limits: Mapping[str, Container]) -> None:
        """Show what the link or the browser's history says, whatever was set on a later visit."""
        left, unconfirmed = memory.of_page(self.prefix), address.unconfirmed(self.prefix)
        left.clear()
        unconfirmed.clear()
        for name, default in self.defaults.items():
            key = self.key(name)
            if key in st.session_state:
                st.session_state[key] = default
            said = address.read(key)
            if said is None:
                continue
            value = address.value_of(said, default)
            if name not in limits:
                unconfirmed[key] = said
            elif value in limits[name]:
                left[key] = st.session_state[key] = value
            else:
                address.write(key, None)
