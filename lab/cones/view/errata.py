"""Where the paper's searches go wrong as printed, beside the corrected ones."""

import streamlit as st

from lab import ui
from lab.cones import charts, projections, searches, tables, words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    cone_control,
    exported,
    height_control,
    parsed,
    vector_control,
    zeta_control,
)


def draw_errata(view: ui.View, answer, end) -> None:
    left, right = ui.figure_and_controls()
    with right:
        cone_control(view)
        text = vector_control(view)
        height_control(view)
        badge = st.empty()
    st.caption("Points at which the paper's algorithms fail as printed:")
    view.draw_presets()
    below = st.empty()
    a = parsed(view, text, left, end)
    if a is None:
        with left:
            zeta_control(view)
        return
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    with left:
        follow_errata(view, a, answer, badge, below, row)


@st.fragment
def follow_errata(view: ui.View, a, answer, badge, below, row: ui.ExportRow) -> None:
    figure_place = st.container()
    zeta, cone, b = zeta_control(view), view["cone"], view["height"]
    p = projections.project(cone, a, b, zeta)
    printed = searches.printed_search(cone, a, b, zeta)
    corrected = searches.corrected_search(cone, a, b, zeta)
    wrong = words.verdict(printed, p)

    def figure(mode: str):
        return charts.entries(
            a,
            p.x,
            printed.result.x if wrong else None,
            corrected.level,
            level_name=f"{'δ' if cone == 'ℓ1' else 'y'} = {words.shown(corrected.level)}",
            title=words.entries_title(p, corrected),
            mode=mode,
        )

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="cone_errata",
            alt=f"Bars of each entry before and after. {words.entries_title(p, corrected)}.",
        )
    answer.markdown(words.answer(p))
    with badge:
        ui.certificate(p.gap)
    with below.container():
        draw_tables(p, printed, corrected, wrong)
    row.offer(exported(p, lambda: figure("light")))


def draw_tables(p, printed, corrected, wrong: list[str]) -> None:
    algorithm = searches.ALGORITHMS[p.cone]
    ours, paper = st.columns(2, gap="medium")
    with ours:
        st.subheader(f"{algorithm}, corrected", anchor=False)
        st.markdown(f"Returns {words.point_text(p.x, p.y)}: the largest candidate decides.")
        st.table(tables.corrected_table(p, corrected), border="horizontal", hide_index=True)
    with paper:
        st.subheader(f"{algorithm}, as printed", anchor=False)
        returned = words.point_text(printed.result.x, printed.result.y)
        if wrong:
            st.markdown(f"Returns {returned}, which is **wrong**. {' '.join(wrong)}")
        else:
            st.markdown(f"Returns {returned}: right at this point.")
        if printed.steps:
            st.table(tables.printed_table(printed), border="horizontal", hide_index=True)
        else:
            st.caption("The point is in the cone, so the loop does not run.")
    st.table(
        tables.certificate_table({"corrected": p, "as printed": printed.result}),
        border="horizontal",
        hide_index=True,
    )
