"""The races of Fig. 2(a) to 2(c)."""

import streamlit as st

from lab import ui
from lab.paper import charts, cite, code, figures, links, measured
from lab.paper.view.common import address_of, draw_citation, link_to, not_there, refused

HOW_A_RACE_IS_RUN = """
All lanes run in one process with one BLAS thread and take turns in solver time, always the one that
is behind; the clock stands still while a lane is measured. The *relative distance to the optimal
value* uses a bound that a second-order solver certified, and is what the paper's objective curves
show. The *certified gap* is what a user of that method alone can know. The *relative change of w in
one step*, ‖w⁺ − w‖/‖w‖, is what the paper's Fig. 2(c) shows: it is small whenever steps are.

Kong's method runs in three forms: in N × N systems without smoothing, the same with the authors'
smoothing, and in the authors' n × n systems.
"""


def draw_races(view: ui.View, results: measured.Results) -> ui.Export:
    panels = measured.panels(results.figure2)
    if not panels:
        return not_there("figure2")
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        accuracy = view.segments(
            "measure",
            "Accuracy",
            tuple(figures.MEASURES),
            help="What is drawn upwards; the last is the measure of the paper's Fig. 2(c).",
        )
    with control_column:
        name = view.select(
            "panel",
            "Race",
            tuple(figures.PANELS),
            help="Which of the paper's races; α and β are not given there, so there are two pairs.",
        )
        against = view.segments(
            "against",
            "Against",
            tuple(figures.AGAINST),
            help="Solver time, or the number of iterations.",
        )
        seed = view.number(
            "seed", "Seed", 0, 99, step=1, help="Which instance's curves; the table has medians."
        )
    key, measure = figures.PANELS[name], figures.MEASURES[accuracy]
    panel = panels.get(key)
    if panel is None:
        return not_there("figure2")
    run = next((run for run in panel["runs"] if run["seed"] == seed), None)
    if run is None:
        there = ", ".join(str(each["seed"]) for each in panel["runs"])
        return refused(f"Seed {seed} was not run for this race; choose one of: {there}.")
    lines = figures.race_lines(panel, run, measure, against)
    if not lines:
        return refused("The change of w was recorded for Fig. 2(c) only; choose another accuracy.")
    title = figures.race_title(panel, measure)

    def figure(mode: str):
        return charts.race_lines(
            lines,
            title=title,
            x_title=figures.AGAINST[against],
            y_title=measured.MEASURES[measure],
            log_y=measure != "objective",
            mode=mode,
        )

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="race_of_the_paper",
            alt=f"{measured.MEASURES[measure]} against {against}, a line per method. {title}.",
        )
    st.caption(figures.race_note(panel, run))
    st.dataframe(figures.race_table(panel), hide_index=True)
    with st.expander("How a race is run"):
        st.markdown(HOW_A_RACE_IS_RUN)
    st.caption(
        "True error and certified gap are both in the table: the claims rank by the first, the "
        "podium of the race page by the second."
    )
    link_to(links.race(key, seed)(results))
    address = address_of(view, ("tab", "panel", "measure", "against", "seed"))
    where = f"Fig. {key[0]}({key[1]})"
    source = results.figure2
    draw_citation(address, cite.entry(f"figure {key} seed {seed}", title, where, source, address))
    return ui.Export(
        name=f"figure_{key}",
        data=lambda: figures.long_form(lines),
        figure=lambda: figure("light"),
        code=code.race(key, seed, run["seconds"]),
    )
