"""Answer, chart, buttons and podium of the race on show."""

from functools import partial

import pyarrow as pa
import streamlit as st

from lab import citing, races, ui
from lab.drawing.live import head_places
from lab.races import charts, code
from lab.races.recorded import MOST_KEPT
from lab.races.replay import Replay, measure_called, replay
from lab.races.view.controls import draw_options
from lab.races.view.own import cancel, own_race, pause, played, resume, run_preset, start
from lab.results import for_files, made_here
from lab.results.identity import digest

REDRAW_SECONDS = 1.0


def standings_of(race: races.Race):
    """Who is where; of a race that is over it is found once."""
    return _podium(race.ticket, race.version, race) if race.finished else races.podium(race)


@st.cache_resource(show_spinner=False, max_entries=50)
def _podium(ticket, version, _race):
    return races.podium(_race)


def table_of(race: races.Race, standings) -> pa.Table:
    """The podium in the form that is sent; of a race that is over it is made once."""
    if race.finished:
        return _table(race.ticket, race.version, race, standings)
    return pa.table(races.podium_table(standings, race.spec.tol))


@st.cache_resource(show_spinner=False, max_entries=50)
def _table(ticket, version, _race, _standings):
    return pa.table(races.podium_table(_standings, _race.spec.tol))


def chosen_of(view: ui.View) -> tuple:
    """How the race is to be shown; an export is made where the view cannot be asked."""
    return tuple(view[name] for name in ("measure", "against", "xscale", "scale", "guides"))


def replay_of(race: races.Race, standings, chosen: tuple) -> Replay:
    """The race as the chosen view shows it."""
    called, against, x_scale, y_scale, rates = chosen
    measure = measure_called(called)
    return replay(
        race,
        standings,
        races.title(race, standings, measure),
        measure=measure,
        against=against,
        log_x=x_scale == "log",
        log_y=y_scale == "log",
        rates=rates,
    )


def moving_of(race: races.Race, standings, chosen: tuple):
    """The replay and its live figure; of a race that is over they are made once."""
    if race.finished:
        return _moving(race.ticket, race.version, chosen, played(race), race, standings)
    shown = replay_of(race, standings, chosen)
    growing = round(1000 * REDRAW_SECONDS) if own_race() is race and race.advancing else 0
    return shown, charts.replayed(shown, growing=growing, autoplay=played(race))


@st.cache_resource(show_spinner=False, max_entries=50)
def _moving(ticket, version, chosen, autoplay, _race, _standings):
    shown = replay_of(_race, _standings, chosen)
    return shown, charts.replayed(shown, growing=0, autoplay=autoplay)


def still_of(shown: Replay, mode: str, at: str = charts.LAST, zoom: bool = False):
    """The replay at one of its frames, as a figure that does not move."""
    place = head_places(shown.x, shown.reach, len(charts.FRAMES))[int(at)]
    return charts.race_lines(
        shown.until(place),
        shown.rates,
        title=shown.at(place).title,
        x_title=shown.x.label,
        y_title=shown.y.label,
        log_x=shown.x.log,
        log_y=shown.y.log,
        finish=shown.line,
        limits=((shown.x.low, shown.x.high), (shown.y.low, shown.y.high)),
        ticks=(shown.x.ticks, shown.y.ticks),
        mode=mode,
        zoom=zoom,
    )


def draw_buttons(view: ui.View, spec: races.RaceSpec, reason: str | None) -> None:
    """Start, pause, cancel, and the presets, each of which is one press."""
    race = own_race()
    on = race is not None and not race.finished
    st.button(
        "Start again" if on else "Start",
        key="race_start",
        disabled=reason is not None,
        on_click=start,
        args=(view, spec),
        help="Race the lanes on the problem set up below.",
    )
    if on and race.paused:
        st.button("Resume", key="race_resume", on_click=resume)
    else:
        st.button(
            "Pause",
            key="race_pause",
            disabled=not on,
            on_click=pause,
            help="The race stands still. Others go on: your place in the line is lost, and Resume "
            "joins it at its end.",
        )
    st.button("Cancel", key="race_cancel", disabled=not on, on_click=cancel)
    for label in view.presets:
        if st.button(
            label,
            key=f"{view.prefix}preset_{label}",
            on_click=run_preset,
            args=(view, label),
            help=races.PRESET_WORDS.get(label),
        ):
            st.rerun()  # the settings below are no part of this fragment


def draw_state(race: races.Race, spec: races.RaceSpec, reason: str | None) -> None:
    """What is going on, in words: refused, from before, left, stale."""
    if race.made:
        st.caption(races.origin(race.made))
    if reason is not None:
        ui.problem(f"This race cannot start: {reason}")
    if race is own_race() and race.trouble:
        ui.problem(race.trouble)
    if st.session_state.get("_race_gone"):
        st.markdown(
            f"The race of this link is no longer kept here, where the latest {MOST_KEPT} are. Its "
            "settings are set up below: **Start** races them again."
        )
    if st.session_state.get("_race_left") and race.paused and not race.finished:
        st.markdown("The race waited while you were away; **Resume** lets it go on.")
    if race.spec != spec:
        to_race = "" if reason else " Press **Start** to race the new ones."
        st.markdown(
            "Settings changed: these are the results of the old settings "
            f"({race.spec.description}).{to_race}"
        )


def draw_board(
    view: ui.View, race: races.Race, standings, spec: races.RaceSpec, row: ui.ExportRow
) -> None:
    """The race itself, and what can be done with it."""
    reason = races.refusal(spec)
    figure_column, options = ui.figure_and_controls()
    with options:
        draw_options(view)
    with figure_column:
        # Each has its place, so that what the picture brings along never moves the buttons.
        picture = st.container()
        buttons = st.container(horizontal=True, vertical_alignment="center")
    with picture:
        draw_picture(view, race, standings, spec, row)
    with buttons:
        draw_buttons(view, spec, reason)
        if standings:
            best = standings[0]
            ui.certificate(best.worst_gap, tolerance=race.spec.tol, what=f"({best.label})")
    draw_state(race, spec, reason)


@st.fragment
def draw_picture(
    view: ui.View, race: races.Race, standings, spec: races.RaceSpec, row: ui.ExportRow
) -> None:
    """The replay, and what of it is taken home: all that moves with the moment on show."""
    chosen = chosen_of(view)
    shown, moving = moving_of(race, standings, chosen)
    moment = view.live(
        "at",
        moving,
        still=lambda at: still_of(shown, ui.mode(), at),
        help="Up to which moment the race is drawn.",
    )
    if shown.not_log is not None:
        st.caption(f"Drawn on a linear scale: {shown.not_log}.")
    row.offer(
        ui.Export(
            name="race",
            data=lambda: races.table(race),
            figure=lambda: still_of(replay_of(race, races.podium(race), chosen), "light", moment),
            code=code.snippet(race.spec),
            settings={**race.spec.settings(), **for_files(race.made or made_now())},
            cite=citation_of(view, race, standings, spec),
            controls={**races.controls_of(race.spec), "run": view["run"]},
        )
    )


def citation_of(view: ui.View, race: races.Race, standings, spec: races.RaceSpec):
    """How to cite a race that has ended, if the address shows that very race again, else None."""
    if race is not own_race() or race.spec != spec or not race.finished or not standings:
        return None
    if view["run"] == race.ticket:
        name = race.ticket
    elif race.made:  # one that comes with the source is found by its settings
        name = digest(race.spec.settings(), 12)
    else:
        return None
    title, notes = races.title(race, standings, "gap"), [f"Solver race: {spec.description}"]
    return partial(citing.entry, f"race {name}", title, notes, race.made or made_now())


@st.cache_resource(show_spinner=False, ttl=3600)
def made_now() -> dict:
    """Asked for at every move, and it looks at every library."""
    return made_here()


def draw_podium(race: races.Race, standings) -> None:
    st.subheader("Podium" if race.finished else "Podium so far", anchor=False)
    st.table(table_of(race, standings), hide_index=True)
    st.caption(
        "*Certified*, by which the columns are ordered: solver time · iterations until the "
        "lane's own certificate reached a level; — where it never did. *True error*, by which "
        "*Paper vs measured* ranks, is its best objective above the best bound of all lanes, "
        "relative: a method may be there before it can prove it. Medians over the draws, or in how "
        "many of them a lane got there where too few did for a median; several places for one lane "
        "where the draws do not agree on the order."
    )
