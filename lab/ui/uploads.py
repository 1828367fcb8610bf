"""Files a visitor brings, and controls whose choices come from them.

An uploader forgets its file as soon as it is not drawn, so the bytes are copied into the session,
where they stay until the visitor removes them or leaves. They are never written anywhere. Names
in a file have no place in an address, so controls that offer them are remembered in the session; a
page that has them in its address says there which of the file's columns they are, by number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config

# While a file arrives, the server's parser keeps it in memory only up to this size, and beyond it
# in a temporary file; uploads are to stay in memory up to the largest that is accepted.
MultiPartParser.spool_max_size = (config.get_option("server.maxUploadSize") + 2) * 2**20


@dataclass(frozen=True)
class Upload:
    """The bytes of a file, under the name it came with."""

    name: str
    data: bytes
    digest: str


def upload(slot: str, label: str, *, types: Sequence[str], help: str) -> Upload | None:
    """An uploader and the file that it or an earlier drawing of it received."""
    key, held = f"{slot}_uploader", f"_upload:{slot}"

    def keep() -> None:
        file = st.session_state.get(key)
        if file is None:
            st.session_state.pop(held, None)
        else:
            data = file.getvalue()
            st.session_state[held] = Upload(file.name, data, hashlib.sha256(data).hexdigest())

    st.file_uploader(label, type=list(types), key=key, on_change=keep, help=help)
    return st.session_state.get(held)


def hold(slot: str, file: Upload) -> None:
    """Put a file where its uploader would; only in a callback."""
    st.session_state[f"_upload:{slot}"] = file


def held_upload(slot: str) -> Upload | None:
    return st.session_state.get(f"_upload:{slot}")


class Choices:
    """Controls that belong to one file; each file finds its own as they were left.

    What is remembered is what somebody has set: a control that was merely drawn has its default.
    """

    def __init__(self, prefix: str, token: str, reading: str = ""):
        self._prefix, self._token = prefix, token
        self._start = f"{prefix}{token[:12]}_{reading}"
        self._left = st.session_state.setdefault(f"_choices:{prefix}", {})

    def within(self, reading: str) -> Choices:
        """Controls that belong to one way of reading the file."""
        digest = hashlib.sha256(reading.encode("utf-8", "surrogatepass")).hexdigest()
        return Choices(self._prefix, self._token, f"{digest[:12]}_")

    def of_file(self) -> Choices:
        return Choices(self._prefix, self._token)

    def get(self, name: str, default: Any) -> Any:
        key = f"{self._start}{name}"
        return st.session_state.get(key, self._left.get(key, default))

    def set(self, name: str, value: Any) -> None:
        """Give a control a value; only in a callback, before the control is drawn."""
        key = f"{self._start}{name}"
        self._left[key] = value
        st.session_state[key] = value

    def draw(self, widget: Callable, name: str, *arguments, default: Any, **options) -> Any:
        """`widget` without its own default, which the session carries."""
        key = f"{self._start}{name}"
        if key not in st.session_state:
            st.session_state[key] = self._left.get(key, default)
        return widget(*arguments, key=key, on_change=self._keep, args=(key,), **options)

    def _keep(self, key: str) -> None:
        self._left[key] = st.session_state[key]

    def said(self) -> dict[str, Any]:
        """What was set of this file and way of reading it, by name."""
        start = len(self._start)
        return {
            key[start:]: value for key, value in self._left.items() if key.startswith(self._start)
        }

    def put(self, values: Mapping[str, Any]) -> None:
        """Let these be what was set, and nothing else; before the controls are drawn."""
        for name in self.said():
            self._left.pop(f"{self._start}{name}")
            st.session_state.pop(f"{self._start}{name}", None)
        for name, value in values.items():
            self.set(name, value)
