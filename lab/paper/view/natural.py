"""Sets with groups of their own, which the paper does not have: what its norm is for."""

import streamlit as st

from lab.accuracy import natural
from lab.paper import measured
from lab.paper.view.common import plain
from lab.results import shipped


@st.cache_data(show_spinner=False, max_entries=4)
def cached_natural(signature: tuple) -> list[natural.Bought] | None:
    return natural.results(shipped())


def draw_natural() -> None:
    """Structure bought, and accuracy paid or not."""
    st.subheader("Sets with groups of their own", anchor=False)
    rows = cached_natural(measured.signature())
    if rows is None:
        st.markdown("Not yet measured. This command does it:")
        st.code("python -m benchmarks.natural", language="bash")
        return
    st.markdown(plain(natural.answer(rows)))
    st.dataframe(natural.table(rows), hide_index=True)
    st.caption(plain(f"{natural.so_far(rows)}{natural.NOTE}"))
