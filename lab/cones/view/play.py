"""The methods at work: gradient step, projection, next iterate, objective falling."""

import streamlit as st

from lab import ui
from lab.cones import charts, code, descent, words
from lab.cones.view.controls import STEPS
from lab.drawing import drawn_once

WHAT_IS_SHOWN = {
    "LOCP": r"**LOCP** minimises $\frac12\lVert Xw-y\rVert^2+\frac\lambda2\lVert w\rVert_e^2$. "
    "The grey ellipses are the loss; a gradient step goes down towards their middle, and the "
    "projection onto the ℓ1 cone takes the same δ off both weights.",
    "PCP": r"**PCP** writes $w=w_+-w_-$, puts the norm into the smooth part and projects onto the "
    "positive cone: what went below 0 becomes 0. The plane shows the difference.",
    "LICP": r"**LICP** works in the dual of an E-SVM: $v$ belongs to the group, and the projection "
    "onto the ℓ∞ cone cuts it to a square; the multipliers $u$ of the samples, not drawn, are cut "
    "to their box.",
}


@ui.kept
def live_steps(method: str):
    return charts.live.steps(descent.descent(method))


@ui.kept
def still_steps(method: str, text: str, mode: str):
    frame = descent.TEXTS.index(text)
    title = live_steps(method).title(text)
    return drawn_once(charts.steps(descent.descent(method), frame, title=title, mode=mode))


def draw_play(view: ui.View, answer, end) -> None:
    with end:
        row = ui.ExportRow(view, STEPS)
    follow_play(view, answer, row)


@st.fragment
def follow_play(view: ui.View, answer, row: ui.ExportRow) -> None:
    figure_place, method_place = st.container(), st.container()
    with method_place:
        method = view.segments(
            "method",
            "Method",
            descent.METHODS,
            help="LOCP and PCP on one exclusive lasso, LICP on the dual of an E-SVM.",
        )
    with figure_place:
        text = view.live(
            "step",
            live_steps(method),
            still=lambda text: still_steps(method, text, ui.mode()),
            help="Whole numbers are iterates; halves come after the gradient.",
        )
    run = descent.descent(method)
    answer.markdown(words.descent_answer(run, int(float(text))))
    ui.certificate(run.gap, what="least objective")
    st.markdown(WHAT_IS_SHOWN[method])
    st.caption(
        "The steps are those of the solvers, momentum included: where the dashed grey line leads "
        "before the gradient is followed."
    )
    row.offer(
        ui.Export(
            name=STEPS,
            data=lambda: descent.table(run),
            figure=lambda: still_steps(method, text, "light"),
            code=code.steps(method),
        )
    )
