"""What one step does to a group: the water line, and the same in the plane."""

import streamlit as st

from lab import ui
from lab.cones import charts, searches, words
from lab.cones.view.controls import CONE_PROJECTION, exported, projected
from lab.drawing import drawn_once

WHAT_HAPPENS = r"""
Drag the line: it settles where its height is $\zeta$ times what stands out of the water. Drag the
point: in the shaded wedges one weight is under water and vanishes. The larger $\zeta$, the higher
the water and the wider the wedges; the dashed diamond is all groups with the
$\lVert w\rVert_1$ of the one after the step.
"""


@ui.kept
def live_group():
    """Of the default's title; every other is said by the browser."""
    p = projected("ℓ1", (1.6, 0.5), 0.0, 1.0)
    return charts.live.group(p, level(p))


def level(p) -> float:
    return searches.corrected_search(p.cone, p.a, p.b, p.zeta).level


@ui.kept
def still_group(text: str, mode: str):
    p = of_text(text)
    return drawn_once(charts.group(p, level(p), title=words.group_title(p, level(p)), mode=mode))


def of_text(text: str):
    first, second, zeta = charts.live.GROUP.places(text)
    return projected("ℓ1", (first, second), 0.0, zeta)


def draw_group(view: ui.View, answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_group(view, answer, row)


@st.fragment
def follow_group(view: ui.View, answer, row: ui.ExportRow) -> None:
    text = view.live(
        "group",
        live_group(),
        still=lambda text: still_group(text, ui.mode()),
        help="Two weights before the step, and ζ: λ times the step length, in LOCP.",
    )
    p = of_text(text)
    answer.markdown(words.group_answer(p, level(p)))
    ui.certificate(p.gap)
    st.markdown(WHAT_HAPPENS)
    row.offer(exported(p, lambda: still_group(text, "light")))
