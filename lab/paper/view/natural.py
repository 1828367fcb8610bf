"""Sets with groups of their own, which the paper does not have: what its norm is for."""

import streamlit as st

from lab.accuracy import mixture_results, natural
from lab.paper import measured
from lab.paper.view.common import plain
from lab.results import shipped


@st.cache_data(show_spinner=False, max_entries=4)
def cached_natural(signature: tuple) -> list[natural.Bought] | None:
    return natural.results(shipped())


@st.cache_data(show_spinner=False, max_entries=4)
def cached_mixtures(signature: tuple) -> list[mixture_results.Row] | None:
    return mixture_results.results(shipped())


def draw_natural() -> None:
    """Structure bought, and accuracy paid or not: sets with classes, then NMR mixtures."""
    st.subheader("Sets with groups of their own", anchor=False)
    signature = measured.signature()
    _draw(cached_natural(signature), natural, "python -m benchmarks.natural")
    st.subheader("Mixtures of metabolites", anchor=False)
    _draw(cached_mixtures(signature), mixture_results, "python -m benchmarks.natural --sets nmr")


def _draw(rows: list | None, subject, command: str) -> None:
    """What a subject says of its rows: answer, table, what is missing, how it was made."""
    if rows is None:
        st.markdown("Not yet measured. This command does it:")
        st.code(command, language="bash")
        return
    st.markdown(plain(subject.answer(rows)))
    st.dataframe(subject.table(rows), hide_index=True)
    st.caption(plain(f"{subject.so_far(rows)}{subject.NOTE}"))
