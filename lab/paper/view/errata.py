"""The errata, each demonstrated by a computation of this page."""

import streamlit as st

from lab import ui
from lab.paper import charts, cite, code, errata
from lab.paper.view.common import address_of, draw_citation, link_to, plain


@st.cache_data(show_spinner=False, max_entries=64)
def cached_demonstration(key: str) -> errata.Demonstration:
    return errata.BY_KEY[key].demonstrate()


def draw_errata(view: ui.View) -> ui.Export:
    key = view.select(
        "erratum",
        "Erratum",
        tuple(errata.BY_KEY),
        format_func=lambda key: errata.BY_KEY[key].title,
        help="A line of the paper that is misprinted, silent or too strong.",
    )
    erratum = errata.BY_KEY[key]
    shown = cached_demonstration(key)
    printed, right = st.columns(2, gap="medium")
    with printed:
        st.markdown(f"**Printed** ({erratum.where})")
        st.markdown(erratum.printed)
    with right:
        st.markdown("**Right**")
        st.markdown(erratum.right)
    st.markdown(plain(shown.finding))

    def figure(mode: str):
        curves = shown.curves
        return charts.erratum_lines(
            curves.x,
            curves.lines,
            x_title=curves.x_title,
            y_title=curves.y_title,
            title=erratum.title,
            mode=mode,
        )

    if shown.curves is not None:
        ui.chart(figure(ui.mode()), key="erratum", alt=f"{erratum.title}. {shown.finding}")
    st.dataframe(shown.table, hide_index=True)
    st.caption(f"Computed now, by this page. {len(errata.ERRATA)} errata in all.")
    link_to(erratum.link)
    address = address_of(view, ("tab", "erratum"))
    name = f"erratum {key}"
    draw_citation(address, cite.entry(name, erratum.title, erratum.where, None, address))
    tiles_title = f"{erratum.where}: {erratum.title.lower()}"
    return ui.Export(
        name=f"erratum_{key}",
        data=lambda: shown.table,
        figure=lambda: (
            figure("light")
            if shown.curves is not None
            else charts.text_table(shown.table, title=tiles_title, mode="light")
        ),
        code=code.erratum(key),
    )
