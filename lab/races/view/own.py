"""The visitor's race: started, paused, resumed, cancelled, given its turn."""

import streamlit as st

from lab import races, ui
from lab.races import recorded
from lab.races.known import Known
from lab.ui import own_tables

GRANT_SECONDS = 2.0  # a race that nobody has looked at for this long stands still


@st.cache_resource(show_spinner=False)
def the_turnstile() -> races.Turnstile:
    """One for the whole server."""
    return races.Turnstile()


@st.cache_resource(show_spinner="Racing a small example …")
def the_example() -> races.Race:
    """What the page shows before a visitor has raced: the quick preset, run once per server."""
    race = races.Race(races.QUICK)
    race.advance()
    return race


def own_race() -> races.Race | None:
    return st.session_state.get("_race")


@st.cache_resource(show_spinner=False)
def the_known() -> Known:
    """The races of the whole server that are on."""
    return Known()


def is_started_here(race: races.Race) -> bool:
    """Whether this visit began it; who but watches a race by its link does not end it."""
    return st.session_state.get("_race_started") == race.ticket


def reopen(view: ui.View, spec: races.RaceSpec) -> None:
    """Where the visitor has raced nothing yet: the race of the link, or one that comes with us."""
    if own_race() is None and view["run"]:
        found = the_known().get(view["run"]) or recorded.find(view["run"])
        st.session_state["_race"], st.session_state["_race_gone"] = found, found is None
    race = own_race()
    if race is None or (isinstance(race, recorded.RecordedRace) and race.spec != spec):
        st.session_state["_race"] = shipped(spec) or race


@st.cache_resource(show_spinner=False, max_entries=8)
def shipped(spec: races.RaceSpec) -> recorded.RecordedRace | None:
    return recorded.shipped(spec)


def keep(view: ui.View, race: races.Race) -> None:
    """Write a race that has ended, once, so that a reload or a link finds it again."""
    if race.made or st.session_state.get("_race_kept") == race.ticket:
        return
    st.session_state["_race_kept"] = race.ticket
    if not race.cancelled:
        play(race)
    if not may_be_kept(race.spec):
        return
    if not race.heats:
        view.put("run", "")  # cancelled before its data were drawn: there is nothing to find
    if recorded.keep(race) or not race.heats:
        the_known().drop(race.ticket)


def may_be_kept(spec: races.RaceSpec) -> bool:
    """What a visitor's table gave is not written anywhere, as the table is not."""
    return spec.source != "own"


def start(view: ui.View, spec: races.RaceSpec) -> None:
    leave_race()
    table = own_tables.sent_table() if spec.source == "own" else None
    race = races.RemoteRace(spec, table=table)
    if may_be_kept(spec):
        the_known().add(race)
    st.session_state["_race"], st.session_state["_race_started"] = race, race.ticket
    st.session_state["_race_left"] = False
    view.set({"run": race.ticket if may_be_kept(spec) else "", "at": view.defaults["at"]})


def leave_race() -> None:
    """Let go of the race on show: end the visitor's own, and give up its place."""
    st.session_state["_race_gone"] = False
    old = own_race()
    if old is not None and is_started_here(old):
        old.cancel()
        the_turnstile().leave(old.ticket)


def run_preset(view: ui.View, label: str) -> None:
    """Set up the race of a preset and run it: one that comes with us is replayed at once."""
    view.set({**view.defaults, **view.presets[label]})
    spec = races.spec_of(view.values(), own_tables.sent_table())
    known = shipped(spec)
    if known is None:
        start(view, spec)
        return
    leave_race()
    st.session_state["_race"] = known
    play(known)


def play(race: races.Race) -> None:
    """Have the browser replay this race from its beginning, once."""
    times = st.session_state.get("_race_plays", 0) + 1
    st.session_state["_race_plays"] = times
    st.session_state["_race_play"] = (race.ticket, f"{race.ticket} {times}")


def played(race: races.Race) -> str:
    """What tells the browser to play this race, "" where it is just shown."""
    ticket, name = st.session_state.get("_race_play", ("", ""))
    return name if ticket == race.ticket else ""


def pause() -> None:
    own_race().pause()
    the_turnstile().leave(own_race().ticket)


def resume() -> None:
    own_race().resume()
    st.session_state["_race_left"] = False


def cancel() -> None:
    own_race().cancel()
    the_turnstile().leave(own_race().ticket)


def take_turn(race: races.Race) -> None:
    """Let the race run until the next look at it, if it is its turn; where it is, in words."""
    turnstile, needs = the_turnstile(), races.seconds_left(race)
    with turnstile.turn(race.ticket, needs) as ahead:
        if ahead == 0 and race.needs_data:
            with st.spinner(f"Drawing the data: {race.spec.description} …"):
                race.advance(GRANT_SECONDS)
        elif ahead == 0:
            race.advance(GRANT_SECONDS)
    if race.finished:
        return
    if ahead:
        queue = races.queue(ahead, turnstile.wait_of(race.ticket))
        st.progress(race.progress, text=f"Waiting: {queue}.")
    else:
        st.progress(race.progress, text=f"Racing: {races.progress_line(race)}.")


def draw_status(spec: races.RaceSpec, race: races.Race) -> None:
    """One line over the figure: where the race is, or how long one would take."""
    if race.advancing:
        take_turn(race)
    elif own_race() is race and race.paused and not race.finished:
        where = races.progress_line(race)
        st.progress(race.progress, text=f"Paused, its place given up: {where}.")
    elif not races.refusal(spec):  # which says itself what to mend
        turnstile = the_turnstile()
        waiting, wait = len(turnstile.queue), turnstile.wait_of()
        st.caption(races.expectation(spec, race, waiting, wait))
