"""The projection of one weight and its height, in the plane."""

import streamlit as st

from lab import ui
from lab.cones import words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    conditions,
    dragged_plane,
    exported,
)


def draw_plane(view: ui.View, answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_plane(view, answer, row)


@st.fragment
def follow_plane(view: ui.View, answer, row: ui.ExportRow) -> None:
    left, right = ui.figure_and_controls()
    with right:
        stretched = view.toggle(
            "stretch",
            "Stretch y by √ζ",
            help="Then distances and angles are as they look: the ellipse becomes a circle.",
        )
    with left:
        p, figure = dragged_plane(view, stretched=stretched, decomposed=False)
        st.caption(
            "Drag the point. With one weight both cones are the same, {(x, y): |x| ≤ y}. "
            f"{words.plane_prose(p)}"
        )
    answer.markdown(words.answer(p))
    with right:
        conditions(p)
    row.offer(exported(p, figure))
