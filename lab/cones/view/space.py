"""The projection of two weights and their height, in space."""

import streamlit as st

from lab import ui
from lab.cones import charts, words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    a_control,
    b_control,
    conditions,
    cone_control,
    exported,
    kept,
    projected,
    zeta_control,
)
from lab.drawing import drawn_once


@kept
def space_figure(
    cone: str, a: tuple[float, float], b: float, zeta: float, mode: str, polar: bool, turn: float
):
    p = projected(cone, a, b, zeta)
    return drawn_once(
        charts.space(
            cone,
            (*a, b),
            (*p.x.tolist(), p.y),
            zeta,
            title=words.space_title(p),
            mode=mode,
            polar=polar,
            turn=turn,
        )
    )


def draw_space(view: ui.View, answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_space(view, answer, row)


@st.fragment
def follow_space(view: ui.View, answer, row: ui.ExportRow) -> None:
    left, right = ui.figure_and_controls()
    figure_place, slider_place = left.container(), left.container()
    with right:
        cone = cone_control(view)
        a = a_control(view, "a", "a₁"), a_control(view, "a2", "a₂")
        b = b_control(view)
    with slider_place:
        zeta = zeta_control(view)
        with st.expander("More settings"):
            turn = view.slider(
                "turn", "Turn the picture (degrees)", 0, 345, step=15, help="Or drag the figure."
            )
            polar = view.toggle(
                "polar", "Show the polar cone", help="Its points are projected onto the origin."
            )
    p = projected(cone, a, b, zeta)
    with figure_place:
        ui.chart(
            space_figure(cone, a, b, zeta, ui.mode(), polar, turn),
            key="cone_in_space",
            alt=f"The cone {words.cone_text(cone)} in space. {words.space_title(p)}.",
        )
    answer.markdown(words.answer(p))
    with right:
        conditions(p)
    with left:
        st.caption(
            f"The cone {words.cone_text(cone)} over two weights. The orange line, from the "
            "point to its projection, is orthogonal to the blue one from the origin: their inner "
            f"product at ζ = {words.shown(zeta)} is "
            f"{words.residual_text(p.inner_product)}."
        )
    row.offer(exported(p, lambda: space_figure(cone, a, b, zeta, "light", polar, turn)))
