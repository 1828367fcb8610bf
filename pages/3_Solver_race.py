"""Solver race: the paper's methods, their rivals and ours on one problem, live and certified."""

import json

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import races, ui
    from lab.charts.races import race_lines
    from lab.snippets import races as snippets

REDRAW_SECONDS = 1.0
GRANT_SECONDS = 2.0  # a race that nobody has looked at for this long stands still

AXES = {"seconds": "solver time (seconds)", "iterations": "iterations"}
COLUMNS = {"seconds": "seconds", "iterations": "iteration"}
HEIGHTS = {
    "objective": "objective",
    "suboptimality": "objective − best bound of all",
    "gap": "relative duality gap",
    "change": "‖w⁺ − w‖ / ‖w‖ of one step",
}

HOW_IT_IS_RUN = """
All contestants start at once and share the machine: the one that has used the least *solver time*
always works next, about 20 ms at a time, with one BLAS thread. Solver time is the processor time
that a contestant has used; its clock stands still while others work and while an iterate is
measured. So the lines can be read against each other although nothing runs in parallel, a busy
machine does not disturb the result, and Pause costs nobody anything. Races run in a process of
their own, which lets the pages of all visitors go first. One race of this server advances at a
time; the others wait in a queue.

A contestant ends when its own certificate reaches the tolerance, when its budget is used up, or
when floating-point arithmetic gives out.
"""

WHAT_IS_MEASURED = r"""
- **Objective** $P(w)$: ½‖Xw − y‖² or the logistic or hinge loss, plus the penalty.
- **Certified suboptimality** $P(w)-\max D$: every contestant hands over dual points, each of which
  gives a lower bound $D$ on the optimal value; the best bound of *all* contestants is subtracted.
  The true suboptimality is at most this.
- **Relative gap** $(P-D)/\max(|P|,|D|)$ with the contestant's *own* best bound $D$: what it could
  prove without the others. The podium's times are those of this certificate.
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
- Fig. 2(c): $720\times 5040$ with 720 groups, as the text generates them. Its caption says
  "overlapped" and the paper gives no $\alpha$ and $\beta$; here they are 1 and 10, and extra
  features per group (under *More settings*) make the groups overlap.
- The paper also races LELR and PLS-DN. They are one switch away; at most four are preselected so
  that the chart stays readable.
"""


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


def start(spec: races.RaceSpec) -> None:
    old = own_race()
    if old is not None:
        old.cancel()
        the_turnstile().leave(old.ticket)
    st.session_state["_race"] = races.RemoteRace(spec)
    st.session_state["_race_left"] = False


def pause() -> None:
    own_race().pause()
    the_turnstile().leave(own_race().ticket)


def resume() -> None:
    own_race().resume()
    st.session_state["_race_left"] = False


def cancel() -> None:
    own_race().cancel()
    the_turnstile().leave(own_race().ticket)


def draw_settings(view: ui.View) -> races.RaceSpec:
    """The problem, its sizes, the contestants; and the race they describe."""
    st.subheader("Set up a race", anchor=False)
    view.draw_presets()
    first, second, third, fourth = st.columns(4)
    with first:
        label = view.select(
            "problem",
            "Problem",
            races.PROBLEMS.values(),
            help="What all contestants minimise. Squared loss, logistic loss or hinge loss, plus "
            "the squared exclusive norm.",
        )
        problem = races.problem_called(label)
    with second:
        view.number(
            "samples",
            "Samples N",
            10,
            races.MOST_SAMPLES,
            step=10,
            help=f"Rows of X. Samples × features: at most {races.MOST_NUMBERS:,}.",
        )
    with third:
        view.number(
            "features",
            "Features n",
            20,
            races.MOST_FEATURES,
            step=20,
            help=f"Columns of X. Samples × features: at most {races.MOST_NUMBERS:,}.",
        )
    with fourth:
        view.number(
            "groups", "Groups m", 2, 2000, step=1, help="The features are split into m groups."
        )
    if problem == "svm":
        left, right = st.columns(2)
        with left:
            view.scale(
                "alpha", "α, the ridge", races.STRENGTHS, help="The weight of α/2‖w‖² in E-SVM."
            )
        with right:
            view.scale(
                "beta",
                "β, the exclusive norm",
                races.STRENGTHS,
                help="The weight of β/2‖w‖_e² in E-SVM.",
            )
    else:
        view.scale(
            "lam",
            "λ, the exclusive norm: further right, fewer weights and an easier race",
            races.LAMS,
            help="The weight of λ/2‖w‖_e². “paper” is the paper's 0.4/‖w*‖₁, doubled for our λ/2: "
            "tiny, so nearly interpolation and hard.",
        )
    contestants = st.container()
    with st.expander("More settings"):
        left, middle, right = st.columns(3)
        with left:
            if problem == "overlapped":
                view.number(
                    "overlap",
                    "Extra features per group",
                    1,
                    500,
                    step=1,
                    help="Each group is a block of the partition plus this many random others.",
                )
            elif problem != "lasso":
                view.number(
                    "extras",
                    "Extra features per group",
                    0,
                    500,
                    step=1,
                    help="Above 0 the groups overlap: this many random others join each.",
                )
            view.scale(
                "rho",
                "Correlation of neighbours",
                races.CORRELATIONS,
                help="Features i and j are correlated by ρ to the power |i − j|.",
            )
        with middle:
            view.number("seed", "Seed", 0, 10**6, step=1, help="The same seed draws the same data.")
            view.number(
                "repeats",
                "Repeats",
                1,
                races.MOST_REPEATS,
                step=1,
                help="Each repeat draws new data from the next seed; lines become medians, with a "
                "band from the lowest to the highest.",
            )
        with right:
            view.scale(
                "tol",
                "Tolerance on the relative gap",
                races.TOLERANCES,
                help="A contestant ends when its own certificate is this good.",
            )
            view.number(
                "budget",
                "Budget (seconds each)",
                0.1,
                races.MOST_BUDGET,
                step=0.5,
                help="Solver time that each contestant may use in each repeat.",
            )
    with contestants:
        refused = races.refused_by(races.spec_of(view.values()))
        draw_contestants(view, problem, refused)
    return races.spec_of(view.values())


def draw_contestants(view: ui.View, problem: str, refused) -> None:
    """A switch per method; those that cannot take part are greyed, with the reason."""
    st.markdown("**Contestants**")
    columns = st.columns(3)
    for place, (key, method) in enumerate(races.METHODS[problem].items()):
        with columns[place % 3]:
            if key in refused:
                st.toggle(
                    method.label, value=False, disabled=True, key=f"race_refused_{problem}_{key}"
                )
                st.caption(f"Not here: {refused[key]}.")
            else:
                view.toggle(f"m_{key}", method.label, help=method.reference)


def draw_options(view: ui.View) -> None:
    view.select(
        "measure",
        "Show",
        races.MEASURES.values(),
        help="What the lines are. All four were measured; changing this never restarts a race.",
    )
    view.segments(
        "against", "Against", tuple(AXES), help="Solver time is fair; iterations show the rate."
    )
    view.segments("scale", "Vertical axis", ("log", "linear"), help="Log needs values above 0.")
    view.segments(
        "xscale",
        "Horizontal axis",
        ("linear", "log"),
        help="With both axes log a rate is a straight line. A log axis has no iteration 0.",
    )
    view.toggle(
        "guides",
        "Guides for rates",
        help="Dotted lines of the slopes O(1/√k), O(1/k), O(1/k²) that begin where the data begin.",
    )


def measure_shown(view: ui.View) -> str:
    return next(key for key, label in races.MEASURES.items() if label == view["measure"])


def build_chart(race, standings, view: ui.View, mode: str):
    """The figure of the chosen view, and the reason why it is not logarithmic, if so."""
    measure, against = measure_shown(view), view["against"]
    lines = races.curves(race, measure, COLUMNS[against])
    refused = races.why_not_log(lines, measure) if view["scale"] == "log" else None
    figure = race_lines(
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


def draw_buttons(spec: races.RaceSpec, reason: str | None) -> None:
    race = own_race()
    on = race is not None and not race.finished
    st.button(
        "Start again" if on else "Start",
        key="race_start",
        disabled=reason is not None,
        on_click=start,
        args=(spec,),
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
            help="Freezes the chart, to zoom and hover.",
        )
    st.button("Cancel", key="race_cancel", disabled=not on, on_click=cancel)


def draw_state(race: races.Race, spec: races.RaceSpec, reason: str | None) -> None:
    """What is going on, in words: refused, left, stale."""
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
            draw_buttons(spec, reason)
            if standings:
                best = standings[0]
                ui.certificate(best.gap, tolerance=race.spec.tol, what=best.label)
    draw_state(race, spec, reason)


def take_turn(race: races.Race) -> None:
    """Let the race run until the next look at it, if it is its turn; where it is, in words."""
    with the_turnstile().turn(race.ticket) as ahead:
        if ahead == 0 and race.needs_data:
            with st.spinner(f"Drawing the data: {race.spec.description} …"):
                race.advance(GRANT_SECONDS)
        elif ahead == 0:
            race.advance(GRANT_SECONDS)
    if race.finished:
        return
    if ahead:
        others = "1 race is" if ahead == 1 else f"{ahead} races are"
        st.progress(0.0, text=f"Waiting in the queue: {others} ahead of yours.")
    else:
        st.progress(race.progress, text=f"Racing: {races.progress_line(race)}.")


def draw_podium(standings) -> None:
    st.subheader("Podium", anchor=False)
    st.table(races.podium_table(standings))
    st.caption(
        "Solver time · iterations until the contestant's own certificate reached a level; "
        "— where it did not. “Above best bound” compares its best objective with the best bound of "
        "all, relative."
    )


with ui.page(key="solver_race"):
    running_race = own_race()
    if ui.entered() and running_race is not None and running_race.advancing:
        # No tick came while another page was shown; to go on is the visitor's choice.
        running_race.pause()
        the_turnstile().leave(running_race.ticket)
        st.session_state["_race_left"] = True

    chart_defaults = {
        "measure": races.MEASURES["gap"],
        "against": "seconds",
        "scale": "log",
        "xscale": "linear",
        "guides": False,
    }
    view = ui.View(
        "solver_race",
        {**races.default_controls(), **chart_defaults},
        {"Quick E-LASSO": {}, **races.presets()},
    )
    live_place, settings_place = st.container(), st.container()
    with settings_place:
        spec = draw_settings(view)
    advancing = own_race() is not None and own_race().advancing

    @st.fragment(run_every=REDRAW_SECONDS if advancing else None)
    def live() -> None:
        """The race's turn; then answer, chart, buttons, where it is and where everybody stands."""
        board_place, news_place = st.container(), st.container()
        race = own_race() or the_example()
        with news_place:
            if race.advancing:
                take_turn(race)
            elif own_race() is race and race.paused and not race.finished:
                st.progress(race.progress, text=f"Paused: {races.progress_line(race)}.")
        if race.finished:
            the_turnstile().leave(race.ticket)
        if (own_race() is race and race.advancing) != advancing:
            st.rerun()
        standings = races.podium(race)
        with board_place:
            draw_board(view, race, standings, spec)
        with news_place:
            if standings:
                draw_podium(standings)

    with live_place:
        live()

    with st.expander("How a race is run"):
        st.markdown(HOW_IT_IS_RUN)
    with st.expander("What is measured"):
        st.markdown(WHAT_IS_MEASURED)
    with st.expander("The paper's races"):
        st.markdown(PAPER_NOTES)

    shown = own_race() or the_example()
    st.download_button(
        "Histories (JSON)",
        lambda: json.dumps(races.document(shown), allow_nan=False, indent=1),
        file_name="race.json",
        mime="application/json",
        on_click="ignore",
        key="race_json",
    )
    ui.export_row(
        view,
        ui.Export(
            name="race",
            data=lambda: races.table(shown),
            figure=lambda: build_chart(shown, races.podium(shown), view, "light")[0],
            code=snippets.snippet(shown.spec),
            settings=shown.spec.settings(),
        ),
    )
