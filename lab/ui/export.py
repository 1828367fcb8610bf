"""The row that ends every page: reset, link, data, figure, code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import plotly.graph_objects as go
import streamlit as st

from lab import exports
from lab.ui.view import View


@dataclass(frozen=True)
class Export:
    """What a view offers to take home.

    Data and figure are made when asked for; the figure in its light colours, for a white page.
    `settings` is what they were made with, where that need not be what the controls say now.
    """

    name: str
    data: Callable[[], Mapping[str, Sequence]]
    figure: Callable[[], go.Figure]
    code: str
    settings: Mapping[str, Any] | None = None


def export_row(view: View, export: Export) -> None:
    """Reset, copy link, data (CSV), figure (HTML) and the code that reproduces the view."""
    settings = view.values() if export.settings is None else export.settings
    key = f"{view.prefix}export"
    with st.container(horizontal=True, key=f"{key}_row"):
        if st.button(
            "Reset", key=f"{key}_reset", on_click=view.reset, help="All controls to default."
        ):
            st.rerun()  # the whole page, also where this row is part of a fragment
        with st.popover("Copy link"):
            st.caption("This address shows this view, numbers and seed included.")
            st.code(_link(), language=None, wrap_lines=True)
        st.download_button(
            "Data (CSV)",
            lambda: exports.csv_bytes(export.data(), settings),
            file_name=f"{export.name}.csv",
            mime="text/csv",
            on_click="ignore",
            key=f"{key}_data",
        )
        st.download_button(
            "Figure (HTML)",
            lambda: exports.figure_html(export.figure(), title=export.name, spec=settings),
            file_name=f"{export.name}.html",
            mime="text/html",
            on_click="ignore",
            key=f"{key}_figure",
        )
        st.download_button(
            "Code (Python)",
            export.code,
            file_name=f"{export.name}.py",
            mime="text/x-python",
            on_click="ignore",
            key=f"{key}_code",
        )
    with st.expander("The Python code that reproduces this view"):
        st.code(export.code, language="python")


def _link() -> str:
    query: list[tuple[str, Any]] = [
        (name, value) for name in st.query_params for value in st.query_params.get_all(name)
    ]
    return f"{st.context.url}?{urlencode(query)}" if query else str(st.context.url)
