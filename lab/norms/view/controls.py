"""The settings of the page, and the controls that its tabs share."""

import streamlit as st

from lab import ui
from lab.drawing.theme import NORM_LABELS
from lab.norms import balls, paths, start, touch, twins
from lab.norms.charts.balls import OPTIMUM
from lab.norms.shown import ERROR, F1
from lab.norms.spec import PatternSpec
from lab.ui.address import Between, Passing

FIGURE, PATHS, TWINS, BALLS = "Figure 1", "Paths in λ", "Correlated twins", "Unit balls"

TABS = (FIGURE, PATHS, TWINS, BALLS)

TOGETHER, APART = "in one group", "in different groups"

TRUE_ONES = "true features"

WEIGHTS = "weights"
DRAWN = (WEIGHTS, F1, ERROR)

CORRELATION, LOAD = "correlation", "busy load"

PLANE, SPACE = "in the plane", "in space"

DEFAULTS = {
    "tab": FIGURE,
    "share": paths.DEFAULT_SHARE,
    "match": True,
    "many": False,
    "groups": start.SPEC.n_groups,
    "size": start.SPEC.group_size,
    "true": start.SPEC.nonzeros_per_group,
    "samples": start.SPEC.n_samples,
    "noise": start.SPEC.noise,
    "rho": start.SPEC.rho,
    "neighbours": TOGETHER,
    "overlap": start.SPEC.overlap,
    "active": start.SPEC.active_percent,
    "seed": start.SPEC.seed,
    "drawn": WEIGHTS,
    "norm": "ℓe",
    "only": TRUE_ONES,
    "twin_rho": twins.DEFAULT_CORRELATION,
    "vary": CORRELATION,
    "busy": twins.DEFAULT_LOAD,
    "quiet": 0,
    "twin_share": twins.DEFAULT_SHARE,
    "twin_noise": 0.5,
    "twin_samples": 200,
    "twin_seed": 0,
    "draws": False,
    "grouping": balls.DEFAULT_GROUPING,
    "shape": PLANE,
    "pair": touch.DEFAULT_PAIR,
    "tilt": touch.DEFAULT_TILT,
    "optimum": touch.DEFAULT_OPTIMUM,
}

YES_OR_NO = (False, True)

# Each counts in every tab: what one tab sets, another shows or hands on in its link.
LIMITS = {
    "tab": TABS,
    "share": paths.SHARES,
    "match": YES_OR_NO,
    "many": YES_OR_NO,
    "groups": Between(2, 16),
    "size": Between(2, 20),
    "true": Between(1, 8),
    "samples": Between(20, 200),
    "noise": Between(0.0, 2.0),
    "rho": Between(0.0, 0.95),
    "neighbours": (TOGETHER, APART),
    "overlap": Between(0, 6),
    "active": Between(10, 100),
    "seed": Between(0, 9999),
    "drawn": DRAWN,
    "norm": tuple(NORM_LABELS.values()),
    "only": (TRUE_ONES, *(f"group {k}" for k in range(1, 17))),
    "twin_rho": twins.CORRELATIONS,
    "vary": (CORRELATION, LOAD),
    "busy": twins.LOADS,
    "quiet": Between(0, 8),
    "twin_share": twins.SHARES,
    "twin_noise": Between(0.0, 3.0),
    "twin_samples": Between(30, 400),
    "twin_seed": Between(0, 9999),
    "draws": YES_OR_NO,
    "grouping": tuple(balls.GROUPINGS),
    "shape": (PLANE, SPACE),
    "pair": tuple(touch.PAIRS),
    "tilt": Between(-0.9, 0.9),
    "optimum": Passing(OPTIMUM.accepts),
}

PRESETS = {
    "Paper Figure 1": {},
    "Correlated features": {"rho": 0.8, "neighbours": APART, "share": "0.1"},
    "Overlapping groups": {"overlap": 4, "true": 2, "share": "0.24"},
    "Whole groups true": {"active": 30, "true": 6, "noise": 0.3, "share": "0.24"},
    "Twins of equal load": {"tab": TWINS, "busy": "0", "vary": LOAD},
    "Overlapping balls": {"tab": BALLS, "grouping": "{1,2}, {2,3}"},
}


# Paths are looked up and never changed, so visitors share them without copies.


@st.cache_resource(show_spinner=False, max_entries=32)
def solved(spec: PatternSpec) -> paths.Paths:
    return start.paths_of(spec)


def data_spec(view: ui.View) -> PatternSpec:
    return PatternSpec(
        n_groups=view["groups"],
        group_size=view["size"],
        nonzeros_per_group=view["true"],
        active_percent=view["active"],
        n_samples=view["samples"],
        noise=view["noise"],
        rho=view["rho"],
        together=view["neighbours"] == TOGETHER,
        overlap=view["overlap"],
        seed=view["seed"],
    )


def draw_presets(view: ui.View) -> None:
    with st.popover("Presets", help="Paper Figure 1 and other starting points."):
        view.draw_presets()


def draw_match(view: ui.View) -> bool:
    return view.toggle(
        "match",
        "Match sparsity across norms",
        help="On: each norm takes the λ on its path whose number of nonzeros is nearest to ℓe's "
        "(ℓ2: whose training loss is). Off: the same share of its own scale for each.",
    )


def draw_data_controls(view: ui.View) -> None:
    groups, size, true, samples = st.columns(4, gap="medium")
    with groups:
        view.slider("groups", "Groups", 2, 16, help="How many groups, one row each.")
    with size:
        view.slider("size", "Group size", 2, 20, help="Features in a group.")
    with true:
        view.slider("true", "True features per group", 1, 8, help="Outlined in the grids.")
    with samples:
        view.slider("samples", "Samples", 20, 200, step=10, help="Rows of X to learn from.")
    with st.expander("More settings"):
        draw_more_settings(view)


def draw_more_settings(view: ui.View) -> None:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        view.slider(
            "noise", "Noise", 0.0, 2.0, step=0.1, help="Its size as a share of the signal's."
        )
        view.number("seed", "Seed", 0, 9999, help="Another number draws other data.")
    with middle:
        view.slider(
            "rho", "Correlation", 0.0, 0.95, step=0.05, help="Between neighbouring features."
        )
        view.segments(
            "neighbours",
            "Correlated neighbours are",
            (TOGETHER, APART),
            help="Whether features that resemble each other compete in one group.",
        )
    with right:
        view.slider(
            "overlap", "Overlap", 0, 6, help="Features that a group shares with the next one."
        )
        view.slider(
            "active",
            "Groups with true features (%)",
            10,
            100,
            step=10,
            help="Below 100, some groups hold no true feature at all.",
        )
