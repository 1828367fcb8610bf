"""Theorem 5: its bound, better ones, and the exact law."""

import streamlit as st

from lab import ui
from lab.paper import bounds, charts, cite, code, links, measured
from lab.paper.view.common import address_of, draw_citation, link_to, not_there, refused


def draw_theorem(view: ui.View, results: measured.Results) -> ui.Export:
    found = results.theorem5
    if found is None:
        return not_there("theorem5")
    choices = bounds.theorem_choices(found)
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        m = view.scale("m", "Groups m", choices["m"], help="Into how many random groups.")
    with control_column:
        n = view.select("n", "Features n", choices["n"], help="How many features in all.")
        t = view.segments(
            "t", "Tolerance t", choices["t"], help="Balanced: max/min at most (1+t)/(1−t)."
        )
    shown = bounds.bound_view(found, int(n), int(m), float(t))
    if shown is None:
        return refused(
            f"m = {m} does not divide n = {n}, which the theorem asks for; choose another."
        )

    def figure(mode: str):
        return charts.bound_lines(shown.s, shown.exact, shown.bounds, title=shown.title, mode=mode)

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="theorem_5",
            alt=f"Probability of balance against s, with three lower bounds. {shown.title}.",
        )
    st.markdown("The paper's choice of m, and the most groups that the exact law allows:")
    st.dataframe(bounds.rule_table(found), hide_index=True)
    link_to(links.theorem_cut(int(n), int(m), float(t), [int(s) for s in shown.s]))
    address, name = address_of(view, ("tab", "n", "m", "t")), f"theorem 5 n {n} m {m} t {t}"
    draw_citation(address, cite.entry(name, shown.title, "Theorem 5", found, address))
    return ui.Export(
        name="theorem_5",
        data=lambda: {"s": shown.s, "exact": shown.exact, **shown.bounds},
        figure=lambda: figure("light"),
        code=code.theorem(int(n), int(m), float(t), [int(s) for s in shown.s]),
    )
