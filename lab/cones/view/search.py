"""How the projection of a whole group is found: one candidate after the other."""

import numpy as np
import streamlit as st

from lab import ui
from lab.cones import charts, projections, searches, tables, words
from lab.cones.view.controls import (
    CONE_PROJECTION,
    conditions,
    cone_control,
    exported,
    height_control,
    parsed,
    vector_control,
    zeta_control,
)


@ui.kept
def found(cone: str, a: tuple[float, ...], b: float, zeta: float):
    """The projection, its search, and the search's live figure."""
    p = projections.project(cone, a, b, zeta)
    search = searches.corrected_search(cone, a, b, zeta)
    return p, search, charts.live.search(p, search)


def still(p, search, text: str, mode: str):
    """The sizes in falling order, and what a candidate would leave of them."""
    candidate = search.candidates[int(text)]
    sizes, line = np.sort(np.abs(p.a))[::-1], max(candidate.value, 0.0)
    left = np.maximum(sizes - line, 0.0) if p.cone == "ℓ1" else np.minimum(sizes, line)
    name = "δ" if p.cone == "ℓ1" else "y"
    return charts.entries(
        sizes,
        left,
        None,
        line,
        level_name=f"{name} = {words.shown(candidate.value)}",
        title=words.search_titles(p, search)[candidate.j],
        mode=mode,
        wrap=80,
    )


def draw_search(view: ui.View, answer, end) -> None:
    left, right = ui.figure_and_controls()
    with right:
        cone_control(view)
        text = vector_control(view)
        height_control(view)
        zeta_control(view)
        place = st.container()
    a = parsed(view, text, left, end)
    if a is None:
        return
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    with left:
        follow_search(view, tuple(a.tolist()), answer, place, row)


@st.fragment
def follow_search(view: ui.View, a, answer, place, row: ui.ExportRow) -> None:
    p, search, figure = found(view["cone"], a, view["height"], float(view["zeta"]))
    text = view.live(
        "turn_j",
        figure,
        still=lambda text: still(p, search, text, ui.mode()),
        help="How many of the largest entries are counted.",
    )
    answer.markdown(words.answer(p))
    st.table(tables.corrected_table(p, search), border="horizontal", hide_index=True)
    with place.container():
        conditions(p)
    row.offer(exported(p, lambda: still(p, search, text, "light")))
