"""A table that a visitor brings: read once in a visit, with the label that the visitor chooses."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lab.data.datasets import Dataset
from lab.tables import GUESS, ReadOptions, Table, read_table
from lab.ui.uploads import Choices, Upload

FILE_TYPES = (
    *("csv", "tsv", "tab", "txt", "dat", "data", "gz", "zip", "xlsx", "parquet", "pq"),
    *("libsvm", "svmlight", "svm", "mat", "npz", "npy"),
)
MOST_LISTED = 500


@st.cache_resource(scope="session", max_entries=4, show_spinner="Reading the table …")
def uploaded_table(digest: str, name: str, options: str, _data: bytes, _options: ReadOptions):
    return read_table(_data, name, _options)


def read_upload(file: Upload, label: str | None, options: ReadOptions = GUESS) -> Table:
    """The table of a file; the label decides whether NA or None in it is a class or a gap.

    A label that is no column leaves the guess. `TableError` says why a file cannot be read.
    """
    table = uploaded_table(file.digest, file.name, repr(options), file.data, options)
    if label not in (None, table.options.label) and label in table.names:
        options = replace(options, label=label)
        table = uploaded_table(file.digest, file.name, repr(options), file.data, options)
    return table


def draw_label(choices: Choices, table: Table) -> str:
    """The column to predict; of a wide table only the first and the last columns are listed."""
    names, chosen = table.names, table.options.label
    wide = len(names) > MOST_LISTED
    listed = (*names[:100], *names[-100:]) if wide else names
    return choices.draw(
        st.selectbox,
        "label",
        "Label column",
        listed if chosen in listed else (chosen, *listed),
        default=chosen,
        accept_new_options=wide,
        help="The column to predict. In a wide table any column's name can be typed.",
    )


# A page sends what it holds here, without knowing the page that takes it.

_SENT, _NEWS = "_sent_table", "_sent_table_is_new"


def send_table(data: Dataset) -> None:
    """Hold numbers, a target (numbers or ±1) and groups for the race page, in this session only."""
    st.session_state[_SENT] = data
    st.session_state[_NEWS] = True


def sent_table() -> Dataset | None:
    return st.session_state.get(_SENT)


def just_sent() -> Dataset | None:
    """The table, the first time that it is asked for."""
    return sent_table() if st.session_state.pop(_NEWS, False) else None
