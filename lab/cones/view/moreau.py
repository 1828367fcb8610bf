"""Moreau's decomposition in the plane, and as two proxes that add up."""

import numpy as np
import streamlit as st

from lab import ui
from lab.cones import charts, code, projections, tables, words
from lab.cones.view.controls import (
    MOREAU_IDENTITY,
    conditions,
    dragged_plane,
    parsed,
    vector_control,
)
from lab.drawing import drawn_once


def draw_moreau(view: ui.View, answer, end) -> None:
    upper = st.container()
    st.subheader("The same for a whole group: two proxes add up", anchor=False)
    chart_place, control_place = ui.figure_and_controls()
    with control_place:
        d = parsed(view, vector_control(view), chart_place, end)
        sentence = st.empty()
    stack = chart_place.empty()
    row = None
    if d is not None:
        with end:
            row = ui.ExportRow(view, MOREAU_IDENTITY)
    with upper:
        follow_moreau(view, d, answer, stack, sentence, row)


@ui.kept
def two_proxes(d: tuple[float, ...], zeta: float, mode: str):
    group = np.array(d)
    parts = projections.shrink_pair(group, zeta)
    title = words.identity_title(group, parts)
    return drawn_once(charts.two_proxes(group, parts, title=title, mode=mode))


@st.fragment
def follow_moreau(view: ui.View, d, answer, stack, sentence, row: ui.ExportRow | None) -> None:
    """The plane, and the two proxes of the group `d` if there is one."""
    left, right = ui.figure_and_controls()
    with right:
        stretched = view.toggle(
            "stretch",
            "Stretch y by √ζ",
            help="Then the two parts meet at a right angle to the eye too.",
        )
    with left:
        p, plane = dragged_plane(view, stretched=stretched, decomposed=True)
        st.caption(
            f"{words.moreau_prose(p)} The solid lines are the projection onto the cone, the dashed "
            "ones the projection onto the polar cone; from the origin, one of each leads to the "
            "point."
        )
    answer.markdown(words.answer(p))
    with right:
        conditions(p)
    if d is None:
        return
    zeta = p.zeta
    parts = projections.shrink_pair(d, zeta)

    def proxes(mode: str):
        return two_proxes(tuple(d.tolist()), zeta, mode)

    with stack:
        ui.chart(
            proxes(ui.mode()),
            key="cone_two_proxes",
            alt=f"Stacked bars of the two proxes of a. {words.identity_title(d, parts)}.",
        )
    sentence.markdown(
        "The prox of a norm is the x with the least ½‖x − a‖² + ζ/2 ‖x‖² in that norm. "
        f"At ζ = {words.shown(zeta)} the ℓ∞ prox gives {words.vector_text(parts[0])} "
        f"and the ℓ1 prox at 1/ζ = {words.shown(1 / zeta)} gives "
        f"{words.vector_text(parts[1])}."
    )
    row.offer(
        ui.Export(
            name=MOREAU_IDENTITY,
            data=lambda: tables.moreau_table(p, d, parts),
            figure=lambda: charts.moreau(plane(), proxes("light"), "light"),
            code=code.moreau(float(p.a[0]), p.b, d, zeta),
        )
    )
