"""Solver race: the paper's methods, their rivals and ours on one problem, live and certified."""

import json

import streamlit as st

from lab import races, ui
from lab.races import code, recorded
from lab.races.charts import LAST
from lab.races.view.board import REDRAW_SECONDS, draw_board, draw_podium, standings_of
from lab.races.view.controls import draw_settings
from lab.races.view.own import (
    draw_status,
    is_started_here,
    keep,
    own_race,
    reopen,
    the_example,
    the_turnstile,
)
from lab.ui import own_tables
from lab.ui.address import Passing
from lab.words import unbroken

HOW_IT_IS_RUN = """
Each method has a lane. All lanes start at once and share the machine: the one that has used the
least *solver time* always works next, about 20 ms at a time, with one BLAS thread. Solver time is
the processor time that a lane has used; its clock stands still while others work and while an
iterate is measured. So the lines can be read against each other although nothing runs in parallel.
A busy machine still disturbs: it shares its caches and its clock, and the same race has taken 24 ms
once and 41 ms another time. That is why a race has three draws of the data unless you choose
otherwise, and who is faster by how much is told with the range over them. Races run in a process of
their own, which lets the pages of all visitors go first. One race of this server advances at a
time; the others wait in a queue, and a race that is paused gives up its place.

A lane ends when its own certificate reaches the tolerance, when its budget is used up, or when
floating-point arithmetic gives out.
"""

WHAT_IS_MEASURED = r"""
- **Certified gap** $(P-D)/\max(|P|,|D|)$ with the lane's *own* best bound $D$: what it could
  prove without the others. A race ends at this line, and the podium's first places are by it.
- **True error**, the same with the best bound $D$ of *all* lanes, each of which hands over
  dual points that bound the optimal value from below: how far a method really was, which it need
  not have known. *Paper vs measured* ranks by it; the podium has both places.
- **Objective** $P(w)$: ½‖Xw − y‖² or the logistic or hinge loss, plus the penalty.
- **Relative change** $\lVert w^{+}-w\rVert/\lVert w\rVert$ of one iteration, which the paper plots
  in Fig. 2(c). It says how fast a method moves, not how far it is: a method that takes tiny steps
  looks converged.

The guides have the slope of a rate and begin where the data begin. On the axis of seconds $k$
stands for time.
"""

PAPER_NOTES = r"""
- Fig. 2(a) and 2(b): $400\times 4000$, 100 groups, $\lambda$ twice the paper's $0.4/\lVert
  w^*\rVert_1$ because the paper's experiments write $\lambda\lVert w\rVert_e^2$ and we
  $\frac{\lambda}{2}\lVert w\rVert_e^2$. Overlapped groups are a partition of 40 plus 100 random
  features each: purely random groups of 140 would leave some features without a penalty.
- Fig. 2(c): $720\times 5040$ with 720 groups. The text generates disjoint groups, the caption says
  "overlapped", so there are both readings; overlapped ones have seven random features more each.
  The paper gives no $\alpha$ and $\beta$; here they are 1 and 10.
- These presets show the races that come with this software, as its benchmark ran them, with the
  day and the processor; **Start** races them here and now. The relative change of $w$ was recorded
  for Fig. 2(c) only, which shows it; a race that is started here records it.
"""


CHART = {
    "measure": races.MEASURES["gap"],
    "against": "seconds",
    "scale": "log",
    "xscale": "log",
    "guides": False,
    "at": LAST,
    "run": "",
}


def show() -> None:
    with ui.page(key="solver_race"):
        if ui.entered():
            rest_while_away()
        view = open_view()
        live_place, settings_place = st.container(), st.container()
        with settings_place:
            spec = draw_settings(view)
        reopen(view, spec)
        draw_explanations()
        draw_files(own_race() or the_example())
        row = ui.ExportRow(view, "race")
        advancing = own_race() is not None and own_race().advancing
        with live_place:
            live = st.fragment(draw_race, run_every=REDRAW_SECONDS if advancing else None)
            live(view, spec, row, advancing)


def rest_while_away() -> None:
    """No tick came while another page was shown; to go on is the visitor's choice."""
    st.session_state.pop("_race_play", None)  # it was played when it was new
    race = own_race()
    if race is not None and race.advancing and is_started_here(race):
        race.pause()
        the_turnstile().leave(race.ticket)
        st.session_state["_race_left"] = True


def open_view() -> ui.View:
    view = ui.View(
        "solver_race",
        {**races.default_controls(), **CHART},
        {"Quick E-LASSO": {}, **races.presets()},
        limits={"run": Passing(recorded.is_id)},
    )
    table = own_tables.just_sent()
    if table is not None:
        view.set({**view.defaults, **races.controls_for(table)})
    return view


def draw_race(view: ui.View, spec: races.RaceSpec, row: ui.ExportRow, advancing: bool) -> None:
    """The race's turn; then answer, where it is, the race, where everybody stands."""
    with st.container(gap="xsmall"):
        answer_place, status_place = st.empty(), st.container()
    race = own_race() or the_example()
    with status_place:
        draw_status(spec, race)
    if race.finished:
        the_turnstile().leave(race.ticket)
        if own_race() is race:
            keep(view, race)
    if (own_race() is race and race.advancing) != advancing:
        st.rerun()
    standings = standings_of(race)
    headline = races.headline(race, standings, example=own_race() is None)
    answer_place.markdown(unbroken(headline))
    draw_board(view, race, standings, spec, row)
    if standings:
        draw_podium(race, standings)


def draw_explanations() -> None:
    for title, words in (
        ("How a race is run", HOW_IT_IS_RUN),
        ("What is measured", WHAT_IS_MEASURED),
        ("The paper's races", PAPER_NOTES),
    ):
        with st.expander(title):
            st.markdown(words)


def draw_files(race: races.Race) -> None:
    """What is taken home of a race beside what every page offers."""
    if race.table is not None:
        st.download_button(
            "Numbers of my table (NPZ)",
            lambda: code.table_file(race.table),
            file_name=code.TABLE_FILE,
            on_click="ignore",
            key="race_table",
            help="What was raced, for the Python code below.",
        )
    st.download_button(
        "Histories (JSON)",
        lambda: json.dumps(races.document(race), allow_nan=False, indent=1),
        file_name="race.json",
        mime="application/json",
        on_click="ignore",
        key="race_json",
    )
