"""The race to be: its problem, its sizes, its lanes; and how it is drawn."""

import streamlit as st

from lab import races, ui
from lab.races.replay import AXES
from lab.ui import own_tables


def draw_settings(view: ui.View) -> races.RaceSpec:
    """The problem, its sizes, the lanes; and the race they describe."""
    st.subheader("Set up a race", anchor=False)
    table = own_tables.sent_table()
    source, problem = draw_problem(view, table)
    draw_sizes(view, source)
    draw_strengths(view, source, problem)
    lanes = st.container()
    with st.expander("More settings"):
        draw_more(view, source, problem)
    with lanes:
        refused = races.refused_by(races.spec_of(view.values(), table))
        draw_lanes(view, problem, refused)
    return races.spec_of(view.values(), table)


def draw_problem(view: ui.View, table) -> tuple[str, str]:
    """Where the data come from and what is minimised on them, by their keys."""
    left, right = st.columns(2)
    with left:
        source = races.source_called(
            view.select(
                "data",
                "Data",
                [name for key, name in races.SOURCES.items() if key != "own" or table],
                help="The paper's Sections 5.1 and 5.2; the generator of PPDNA's authors, strongly "
                "correlated inside groups; real sets of scikit-learn; or the table that you sent "
                "here from *Classify a CSV*.",
            )
        )
    with right:
        label = view.select(
            "problem",
            "Problem",
            [races.PROBLEMS[key] for key in problems_on(source, table)],
            help="What all lanes minimise. Squared loss, logistic loss or hinge loss, plus "
            "the squared exclusive norm.",
        )
    return source, races.problem_called(label)


def draw_strengths(view: ui.View, source: str, problem: str) -> None:
    """The weights of what is penalised."""
    if problem != "svm":
        view.scale(
            "lam",
            "λ, the exclusive norm: further right, fewer weights and an easier race",
            races.LAMS if source in ("paper", "peers") else races.LAMS[1:],
            help="The weight of λ/2‖w‖_e². “paper” is the paper's 0.4/‖w*‖₁, doubled for our λ/2: "
            "tiny, so nearly interpolation and hard.",
        )
        return
    left, right = st.columns(2)
    with left:
        view.scale("alpha", "α, the ridge", races.STRENGTHS, help="The weight of α/2‖w‖² in E-SVM.")
    with right:
        view.scale(
            "beta",
            "β, the exclusive norm",
            races.STRENGTHS,
            help="The weight of β/2‖w‖_e² in E-SVM.",
        )


def draw_more(view: ui.View, source: str, problem: str) -> None:
    """What few visitors change."""
    left, middle, right = st.columns(3)
    with left:
        draw_structure(view, source, problem)
    with middle:
        view.number("seed", "Seed", 0, 10**6, step=1, help="The same seed gives the same draw.")
        view.number(
            "repeats",
            "Repeats" if source == "own" else "Draws",
            1,
            races.MOST_REPEATS,
            step=1,
            help="Each draw is of new data from the next seed, of a real set of new groups; your "
            "own table is raced again. Lines are medians, with a band from lowest to highest.",
        )
    with right:
        view.scale(
            "tol",
            "Tolerance on the relative gap",
            races.TOLERANCES,
            help="A lane ends when its own certificate is this good.",
        )
        view.number(
            "budget",
            "Budget (seconds each)",
            0.1,
            races.MOST_BUDGET,
            step=0.5,
            help="Solver time that each lane may use in each draw.",
        )


def draw_structure(view: ui.View, source: str, problem: str) -> None:
    """How groups overlap and features are correlated, where that can be chosen."""
    if problem == "overlapped":
        view.number(
            "overlap",
            "Extra features per group",
            1,
            500,
            step=1,
            help="Each group is a block of the partition plus this many random others.",
        )
    elif problem != "lasso" and source == "paper":
        view.number(
            "extras",
            "Extra features per group",
            0,
            500,
            step=1,
            help="Above 0 the groups overlap: this many random others join each.",
        )
    if source == "paper":
        view.scale(
            "rho",
            "Correlation of neighbours",
            races.CORRELATIONS,
            help="Features i and j are correlated by ρ to the power |i − j|.",
        )


def problems_on(source: str, table) -> list[str]:
    """The problems that such data can pose: a target of numbers has no classes."""
    if source == "paper":
        return list(races.PROBLEMS)
    if source == "own" and table.task == "regression":
        return ["lasso"]
    return [key for key in races.PROBLEMS if key != "overlapped"]


def draw_sizes(view: ui.View, source: str) -> None:
    """How large the data are, as far as that can be chosen."""
    if source == "own":
        st.caption("Samples, features and groups are those of your table.")
        return
    columns = st.columns(3)
    if source in ("paper", "peers"):
        with columns[1]:
            view.number(
                "samples",
                "Samples N",
                10,
                races.MOST_SAMPLES,
                step=10,
                help=f"Rows of X. Samples × features: at most {races.MOST_NUMBERS:,}.",
            )
        with columns[2]:
            view.number(
                "features",
                "Features n",
                20,
                races.MOST_FEATURES,
                step=20,
                help=f"Columns of X. Samples × features: at most {races.MOST_NUMBERS:,}.",
            )
    with columns[0]:
        view.number(
            "groups", "Groups m", 2, 2000, step=1, help="The features are split into m groups."
        )


def draw_lanes(view: ui.View, problem: str, refused) -> None:
    """A switch per method; those that cannot take part are greyed, with the reason."""
    st.markdown("**Lanes**, one method each")
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
        help="What the lines are; changing this never restarts a race.",
    )
    view.segments(
        "against", "Against", tuple(AXES), help="Solver time is fair; iterations show the rate."
    )
    view.segments("scale", "Vertical axis", ("log", "linear"), help="Log needs values above 0.")
    view.segments(
        "xscale",
        "Horizontal axis",
        ("log", "linear"),
        help="With both axes log a rate is a straight line. A log axis has no iteration 0.",
    )
    view.toggle(
        "guides",
        "Guides for rates",
        help="Dotted lines of the slopes O(1/√k), O(1/k), O(1/k²) that begin where the data begin.",
    )
