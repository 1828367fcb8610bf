"""The races of Fig. 2(a) to 2(c)."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab import ui
from lab.paper import charts, cite, code, links, measured, race_figures
from lab.paper.view.common import (
    address_of,
    draw_citation,
    link_to,
    not_there,
    refused,
    titled_chart,
)

HOW_A_RACE_IS_RUN = """
All lanes run in one process with one BLAS thread and take turns in solver time, always the one that
is behind; the clock stands still while a lane is measured. The *relative distance to the optimal
value* uses a bound that a second-order solver certified, and is what the paper's objective curves
show. The *certified gap* is what a user of that method alone can know. The *relative change of w in
one step*, ‖w⁺ − w‖/‖w‖, is what the paper's Fig. 2(c) shows: it is small whenever steps are.

Kong's method runs in three forms: in N × N systems without smoothing, the same with the authors'
smoothing, and in the authors' n × n systems.
"""


MOST_SEED = 99


@dataclass(frozen=True)
class _Chosen:
    """Which race is on show, by which measure, and where its figure goes."""

    panel: str
    measure: str
    against: str
    seed: int
    place: DeltaGenerator


def _controls(view: ui.View) -> _Chosen:
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        place = st.container()
        accuracy = view.segments(
            "measure",
            "Accuracy",
            tuple(race_figures.MEASURES),
            help="What is drawn upwards; the last is the measure of the paper's Fig. 2(c).",
        )
    with control_column:
        name = view.select(
            "panel",
            "Race",
            tuple(race_figures.PANELS),
            help="Which of the paper's races; α and β are not given there, so there are two pairs.",
        )
        against = view.segments(
            "against",
            "Against",
            tuple(race_figures.AGAINST),
            help="Solver time, or the number of iterations.",
        )
        seed = view.number(
            "seed",
            "Seed",
            0,
            MOST_SEED,
            step=1,
            help="Which draw's curves; title and table have medians.",
        )
    return _Chosen(race_figures.PANELS[name], race_figures.MEASURES[accuracy], against, seed, place)


def draw_races(view: ui.View, results: measured.Results) -> ui.Export:
    panels = measured.panels(results.figure2)
    if not panels:
        return not_there("figure2")
    chosen = _controls(view)
    panel = panels.get(chosen.panel)
    if panel is None:
        return not_there("figure2")
    run = next((run for run in panel["runs"] if run["seed"] == chosen.seed), None)
    if run is None:
        there = ", ".join(str(each["seed"]) for each in panel["runs"])
        return refused(f"Seed {chosen.seed} was not run for this race; choose one of: {there}.")
    lines = race_figures.lines(panel, run, chosen.measure, chosen.against)
    if not lines:
        return refused("The change of w was recorded for Fig. 2(c) only; choose another accuracy.")
    title = race_figures.title(panel, chosen.measure, chosen.against)

    def figure(mode: str, title: str):
        return charts.race_lines(
            lines,
            title=title,
            x_title=race_figures.AGAINST[chosen.against],
            y_title=measured.MEASURES[chosen.measure],
            log_y=chosen.measure != "objective",
            mode=mode,
        )

    what = f"{measured.MEASURES[chosen.measure]} against {chosen.against}"
    with chosen.place:
        titled_chart(title, figure, key="race_of_the_paper", alt=f"{what}, a line per method.")
    _draw_details(view, results, chosen, panel, run, title)
    return ui.Export(
        name=f"figure_{chosen.panel}",
        data=lambda: race_figures.long_form(lines),
        figure=lambda: figure("light", title),
        code=code.race(chosen.panel, chosen.measure, chosen.against),
    )


def _draw_details(view, results: measured.Results, chosen: _Chosen, panel, run, title: str) -> None:
    """Medians, how it was run, where it runs again and how it is cited."""
    st.caption(race_figures.note(panel, run))
    st.dataframe(race_figures.table(panel), hide_index=True)
    with st.expander("How a race is run"):
        st.markdown(HOW_A_RACE_IS_RUN)
    key, seed = chosen.panel, chosen.seed
    link_to(links.race(key)(results))
    address = address_of(view, ("tab", "panel", "measure", "against", "seed"))
    where = f"Fig. {key[0]}({key[1]})"
    source = results.figure2
    draw_citation(address, cite.entry(f"figure {key} seed {seed}", title, where, source, address))
