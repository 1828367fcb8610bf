"""Where the paper's searches go wrong as printed, beside the corrected ones."""

import numpy as np
import streamlit as st

from lab import ui
from lab.cones import charts, projections, searches, tables, words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    ZETA_HELP,
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


@ui.kept
def live_errata(cone: str, a: tuple[float, ...], b: float):
    return charts.live.errata(cone, np.array(a), b)


def still(cone: str, a, b: float, text: str, mode: str):
    """Each entry before and after, and as printed where that is wrong."""
    p = projections.project(cone, a, b, float(text))
    printed = searches.printed_search(cone, a, b, float(text)).result
    level = searches.corrected_search(cone, a, b, float(text)).level
    figure = live_errata(cone, tuple(a.tolist()), b)
    return charts.entries(
        a,
        p.x,
        None if printed.is_projection else printed.x,
        level,
        level_name=f"{'δ' if cone == 'ℓ1' else 'y'} = {words.shown(level)}",
        title=figure.title(text),
        mode=mode,
        wrap=80,
    )


@st.fragment
def follow_errata(view: ui.View, a, answer, badge, below, row: ui.ExportRow) -> None:
    cone, b = view["cone"], view["height"]
    text = view.live(
        "zeta",
        live_errata(cone, tuple(a.tolist()), b),
        still=lambda text: still(cone, a, b, text, ui.mode()),
        help=ZETA_HELP,
    )
    p = projections.project(cone, a, b, float(text))
    printed = searches.printed_search(cone, a, b, float(text))
    answer.markdown(words.answer(p))
    with badge:
        ui.certificate(p.gap)
    with below.container():
        corrected = searches.corrected_search(cone, a, b, float(text))
        draw_tables(p, printed, corrected, words.verdict(printed, p))
    row.offer(exported(p, lambda: still(cone, a, b, text, "light")))


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
