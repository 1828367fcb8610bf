"""The projection of two weights and their height, in space."""

import streamlit as st

from lab import ui
from lab.cones import charts, words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    conditions,
    cone_control,
    exported,
    projected,
)
from lab.drawing import drawn_once


@ui.kept
def live_space(cone: str, polar: bool):
    return charts.live.space(cone, polar=polar)


def of_text(cone: str, text: str):
    first, second, b, zeta, _ = charts.live.PLACE.places(text)
    return projected(cone, (first, second), b, zeta)


@ui.kept
def still_space(cone: str, text: str, polar: bool, mode: str):
    p = of_text(cone, text)
    return drawn_once(
        charts.space(
            cone,
            (*p.a.tolist(), p.b),
            (*p.x.tolist(), p.y),
            p.zeta,
            title=words.space_title(p),
            mode=mode,
            polar=polar,
            turn=charts.live.PLACE.places(text)[4],
        )
    )


def draw_space(view: ui.View, answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_space(view, answer, row)


@st.fragment
def follow_space(view: ui.View, answer, row: ui.ExportRow) -> None:
    figure_place = st.container()
    left, right = ui.figure_and_controls()
    with right:
        cone = cone_control(view)
        polar = view.toggle(
            "polar", "Show the polar cone", help="Its points are projected onto the origin."
        )
    with figure_place:
        text = view.live(
            "place",
            live_space(cone, polar),
            still=lambda text: still_space(cone, text, polar, ui.mode()),
            help="Two weights, their height, ζ, and the direction from which they are seen.",
        )
    p = of_text(cone, text)
    answer.markdown(words.answer(p))
    with left:
        st.caption(
            f"The cone {words.cone_text(cone)} over two weights. Drag the point, which keeps its "
            f"height, or the picture, which turns. {words.space_prose(p)}"
        )
        conditions(p)
    row.offer(exported(p, lambda: still_space(cone, text, polar, "light")))
