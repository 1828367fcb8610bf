"""The row that ends every page: reset, link, data, figure, code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lab import exports
from lab.drawing import Figure
from lab.ui.address import texts_of
from lab.ui.view import View


@dataclass(frozen=True)
class Export:
    """What a view offers to take home.

    Data and figure are made when asked for; the figure in its light colours, for a white page.
    `settings` is what they were made with, where that need not be what the controls say now. `cite`
    writes a BibTeX entry for an address, where `controls` will show this very result again.
    """

    name: str
    data: Callable[[], Mapping[str, Sequence]]
    figure: Callable[[], Figure]
    code: str
    settings: Mapping[str, Any] | None = None
    cite: Callable[[str], str] | None = None
    controls: Mapping[str, Any] = field(default_factory=dict)


class ExportRow:
    """Reset, copy link, data (CSV), figure (HTML) and the code that reproduces the view.

    It is drawn at once and says what it has when that is offered, as often as that changes: so a
    fragment, which may not draw buttons elsewhere on the page, can still renew what they give.
    """

    def __init__(self, view: View, name: str):
        self._view, self._export = view, None
        key = f"{view.prefix}export"
        with st.container(horizontal=True, key=f"{key}_row"):
            # The rerun is that of the whole page, also where this row is part of a fragment.
            if view.draw_reset(f"{key}_reset"):
                st.rerun()
            with st.popover("Copy link"):
                st.caption("This address shows this view, numbers and seed included.")
                self._link = st.empty()
            for label, make, ending, mime in (
                ("Data (CSV)", self._data, "csv", "text/csv"),
                ("Figure (HTML)", self._figure, "html", "text/html"),
                ("Code (Python)", self._program, "py", "text/x-python"),
            ):
                st.download_button(
                    label,
                    make,
                    file_name=f"{name}.{ending}",
                    mime=mime,
                    on_click="ignore",
                    key=f"{key}_{ending}",
                )
        with st.expander("The Python code that reproduces this view"):
            self._code = st.empty()
        self._citation = st.empty()

    def offer(self, export: Export) -> None:
        settings = self._view.values() if export.settings is None else export.settings
        self._export = replace(export, settings=settings, code=exports.script(export.code))
        self._link.code(_link(), language=None, wrap_lines=True)
        self._code.code(self._export.code, language="python")
        if export.cite is not None:
            address = _lasting_address(self._view, export.controls)
            with self._citation.container():
                draw_citation(address, export.cite(address))
        else:
            self._citation.empty()

    # Made when a button is pressed, by a thread that knows nothing of the visitor's session.

    def _data(self) -> bytes:
        return exports.csv_bytes(self._export.data(), self._export.settings)

    def _figure(self) -> bytes:
        export = self._export
        return exports.figure_html(export.figure(), title=export.name, spec=export.settings)

    def _program(self) -> str:
        return self._export.code


def draw_citation(address: str, entry: str) -> None:
    with st.expander("Address and citation of this result"):
        st.code(address, language=None, wrap_lines=True)
        st.code(entry, language="bibtex", wrap_lines=True)


def export_row(view: View, export: Export) -> None:
    """The row of a view that is drawn all at once."""
    ExportRow(view, export.name).offer(export)


def _lasting_address(view: View, controls: Mapping[str, Any]) -> str:
    """With all that a result hangs on, defaults included: those may change, and it does not."""
    query = [(view.key(name), text) for name, value in controls.items() for text in texts_of(value)]
    return f"{str(st.context.url).split('?')[0]}?{urlencode(query)}"


def _link() -> str:
    query: list[tuple[str, Any]] = [
        (name, value) for name in st.query_params for value in st.query_params.get_all(name)
    ]
    return f"{st.context.url}?{urlencode(query)}" if query else str(st.context.url)
