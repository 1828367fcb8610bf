"""Theorem 5: its bound, better ones, and the exact law."""

import streamlit as st

from lab import ui
from lab.paper import bounds, charts, cite, code, links, measured
from lab.paper.view.common import address_of, draw_citation, link_to, not_there


def draw_theorem(view: ui.View, results: measured.Results, end) -> ui.Export | None:
    found = results.theorem5
    if found is None:
        return not_there("theorem5")
    choices = bounds.theorem_choices(found)
    figure_column, control_column = ui.figure_and_controls()
    with control_column:
        n = int(view.select("n", "Features n", choices["n"], help="How many features in all."))
        t = view.segments(
            "t", "Tolerance t", choices["t"], help="Balanced: max/min at most (1+t)/(1−t)."
        )
    st.markdown("The paper's choice of m, and the most groups that the exact law allows:")
    st.dataframe(bounds.rule_table(found), hide_index=True)
    below = st.empty()
    with end:
        row = ui.ExportRow(view, "theorem_5")
    with figure_column:
        follow_bounds(view, found, n, float(t), below, row)
    return None


@st.cache_resource(show_spinner=False, max_entries=32)
def live_bounds(n: int, t: float, environment: str, _found: dict):
    """The cuts by their m, and the figure that has them all."""
    views = bounds.bound_views(_found, n, t)
    return views, charts.live_bounds(views)


@st.fragment
def follow_bounds(view: ui.View, found: dict, n: int, t: float, below, row) -> None:
    """What moves with m."""
    views, figure = live_bounds(n, t, str(found["environment"]), found)

    def still(m: str, mode: str):
        shown = views[m]
        return charts.bound_lines(shown.s, shown.exact, shown.bounds, title=shown.title, mode=mode)

    m = view.live(
        "m", figure, still=lambda m: still(m, ui.mode()), help="Into how many random groups."
    )
    shown = views[m]
    s = [int(each) for each in shown.s]
    with below.container():
        link_to(links.theorem_cut(n, int(m), t, s))
        address = address_of(view, ("tab", "n", "m", "t"))
        name = f"theorem 5 n {n} m {m} t {t:g}"
        draw_citation(address, cite.entry(name, shown.title, "Theorem 5", found, address))
    row.offer(
        ui.Export(
            name="theorem_5",
            data=lambda: {"s": shown.s, "exact": shown.exact, **shown.bounds},
            figure=lambda: still(m, "light"),
            code=code.theorem(n, int(m), t, s),
        )
    )
