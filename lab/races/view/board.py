"""Answer, chart, buttons and podium of the race on show."""

import streamlit as st

from lab import races, ui
from lab.races import charts
from lab.races.view.controls import AXES, draw_options
from lab.races.view.own import cancel, own_race, pause, resume, start

COLUMNS = {"seconds": "seconds", "iterations": "iteration"}

HEIGHTS = {
    "objective": "objective",
    "suboptimality": "objective − best bound of all",
    "gap": "relative duality gap",
    "change": "‖w⁺ − w‖ / ‖w‖ of one step",
}


def measure_shown(view: ui.View) -> str:
    return next(key for key, label in races.MEASURES.items() if label == view["measure"])


def build_chart(race, standings, view: ui.View, mode: str):
    """The figure of the chosen view, and the reason why it is not logarithmic, if so."""
    measure, against = measure_shown(view), view["against"]
    lines = races.curves(race, measure, COLUMNS[against])
    refused = races.why_not_log(lines, measure) if view["scale"] == "log" else None
    figure = charts.race_lines(
        lines,
        races.guides(lines) if view["guides"] else (),
        title=races.title(race, standings, measure),
        x_title=AXES[against],
        y_title=HEIGHTS[measure],
        log_x=view["xscale"] == "log",
        log_y=view["scale"] == "log" and refused is None,
        mode=mode,
        zoom=own_race() is race and not race.advancing,
    )
    return figure, refused


def draw_buttons(view: ui.View, spec: races.RaceSpec, reason: str | None) -> None:
    race = own_race()
    on = race is not None and not race.finished
    st.button(
        "Start again" if on else "Start",
        key="race_start",
        disabled=reason is not None,
        on_click=start,
        args=(view, spec),
        help="Race the contestants on the problem set up below.",
    )
    if on and race.paused:
        st.button("Resume", key="race_resume", on_click=resume)
    else:
        st.button(
            "Pause",
            key="race_pause",
            disabled=not on,
            on_click=pause,
            help="Freezes the chart, to zoom and hover. Others go on: your place in the line is "
            "lost, and Resume joins it at its end.",
        )
    st.button("Cancel", key="race_cancel", disabled=not on, on_click=cancel)


def draw_state(race: races.Race, spec: races.RaceSpec, reason: str | None) -> None:
    """What is going on, in words: refused, from before, left, stale."""
    if race.made:
        st.caption(races.origin(race.made))
    if reason is not None:
        ui.problem(f"This race cannot start: {reason}")
    if race is own_race() and race.trouble:
        ui.problem(race.trouble)
    if st.session_state.get("_race_left") and race.paused and not race.finished:
        st.markdown("The race waited while you were away; **Resume** lets it go on.")
    if race.spec != spec:
        st.markdown(
            "Settings changed: these are the results of the old settings "
            f"({race.spec.description}). Press **Start** to race the new ones."
        )


def draw_board(view: ui.View, race: races.Race, standings, spec: races.RaceSpec) -> None:
    """Answer, chart and buttons."""
    reason = races.refusal(spec)
    st.markdown(races.headline(race, standings, example=own_race() is None))
    figure_column, options = ui.figure_and_controls()
    with options:
        draw_options(view)
    with figure_column:
        figure, refused = build_chart(race, standings, view, ui.mode())
        ui.chart(
            figure,
            key="race_chart",
            alt=f"{view['measure']} of each contestant against "
            f"{AXES[view['against']]}. {races.answer(race, standings)}.",
        )
        if refused is not None:
            st.caption(f"Drawn on a linear scale: {refused}.")
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_buttons(view, spec, reason)
            if standings:
                best = standings[0]
                ui.certificate(best.gap, tolerance=race.spec.tol, what=best.label)
    draw_state(race, spec, reason)


def draw_podium(standings) -> None:
    st.subheader("Podium", anchor=False)
    st.table(races.podium_table(standings))
    st.caption(
        "Places go by *certified*: solver time · iterations until the contestant's own certificate "
        "reached a level; — where it did not. *True error*, by which *Paper vs measured* ranks, is "
        "its best objective above the best bound of all contestants, relative: a method may be "
        "there before it can prove it. Medians over the draws."
    )
