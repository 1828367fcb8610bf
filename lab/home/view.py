"""The home page: one vector shrunk by three norms, to see what exclusive sparsity keeps."""

import streamlit as st

from lab import ui
from lab.home import charts, code, pictures, shrinkage
from lab.pattern import Pattern

NAME = "shrinkage"

WHY = """
**Why anyone cares.** Think of genes in pathways: a few strong pathways drown out the rest, yet a
biologist wants a few genes from *every* pathway, not thirty from one. Or of sensors on machines: a
model that listens only to the loudest machine hears nothing when a quiet one fails.
"""

STEPS = (
    (
        "1 · Inside a group, features compete",
        r"Each group pays for the sum of its weights' sizes, $\lVert w_g\rVert_1$: small ones are "
        "not worth their price, so few survive.",
    ),
    (
        "2 · Across groups, sharing is cheap",
        r"The prices are squared and added, $\lVert w\rVert_e^2=\sum_g\lVert w_g\rVert_1^2$: the "
        "first weight of a silent group costs almost nothing, so no group is silenced.",
    ),
    (
        "3 · The others choose differently",
        "ℓ1 keeps the largest weights wherever they are; the group lasso keeps or drops whole "
        "groups. As ζ grows, both leave the quiet groups empty.",
    ),
)

HOW_IT_IS_COMPUTED = r"""
All pictures shrink the same random numbers $c$ and share one colour scale; blue is positive, orange
negative. A group is as loud as the root mean square of its numbers. ℓe: the minimiser of
$\frac12\lVert w-c\rVert^2+\frac{\zeta}{2}\lVert w\rVert_e^2$, one cone projection per group. ℓ1:
the soft threshold that leaves as many weights. Group lasso: as many whole groups as fit into that
number, at least one.
"""


@st.cache_resource(show_spinner=False)
def frames() -> tuple[Pattern, dict]:
    """The data, and what the three norms leave of them at every ζ."""
    c, groups = shrinkage.example_input()
    found = {}
    for zeta in shrinkage.ZETAS:
        exclusive = shrinkage.shrink_exclusive(c, groups, float(zeta))
        kept = exclusive.nonzeros
        found[zeta] = {
            "le": exclusive,
            "l1": shrinkage.shrink_l1(c, groups, kept),
            "l21": shrinkage.shrink_group_lasso(c, groups, kept),
        }
    return Pattern(c, groups), found


@st.cache_resource(show_spinner=False)
def live_figure():
    data, found = frames()
    return charts.live_shrinkage(data, found)


@st.cache_resource(show_spinner=False, max_entries=100)
def still_figure(zeta: str, mode: str):
    data, found = frames()
    return charts.still_shrinkage({"c": data, **found[zeta]}, live_figure().title(zeta), mode)


@st.cache_resource(show_spinner=False, max_entries=100)
def gap(zeta: str) -> float:
    data, found = frames()
    return shrinkage.certified_gap(data.weights, found[zeta]["le"], float(zeta))


@st.cache_resource(show_spinner=False, max_entries=100)
def step_pictures(zeta: str, mode: str) -> list[pictures.Picture]:
    data, found = frames()
    return pictures.of_steps(data, found[zeta], zeta, mode)


def draw_steps() -> list:
    """The three steps in words; returns the places of their pictures, which follow ζ."""
    places = []
    for column, (heading, words) in zip(st.columns(len(STEPS), gap="medium"), STEPS, strict=True):
        with column:
            st.markdown(f"**{heading}**")
            places.append(st.empty())
            st.markdown(words)
    return places


@st.fragment
def draw_example(view: ui.View, steps: list, row: ui.ExportRow) -> None:
    """All that moves with ζ, so that a step of the slider redraws nothing else."""
    # The figure stands below the answer but decides what it says.
    answer = st.container()
    zeta = view.live(
        "zeta",
        live_figure(),
        still=lambda text: still_figure(text, ui.mode()),
        help="The weight of the squared exclusive norm against the squared distance to c.",
    )
    data, found = frames()
    patterns = found[zeta]
    answer.markdown(f"Yes: {shrinkage.answer(*patterns.values())}.")
    ui.certificate(gap(zeta))
    for place, shown in zip(steps, step_pictures(zeta, ui.mode()), strict=True):
        place.image(shown.svg, caption=shown.words, width="stretch", alt=shown.words)
    row.offer(
        ui.Export(
            name=NAME,
            data=lambda: shrinkage.table(data.weights, *patterns.values()),
            figure=lambda: still_figure(zeta, "light"),
            code=code.snippet(float(zeta)),
        )
    )


def show() -> None:
    with ui.page(key="home"):
        view = ui.View("home", {"zeta": shrinkage.DEFAULT_ZETA})
        example = st.container()
        st.markdown(WHY)
        steps = draw_steps()
        with st.expander("How the pictures are computed"):
            st.markdown(HOW_IT_IS_COMPUTED)
        row = ui.ExportRow(view, NAME)
        with example:
            draw_example(view, steps, row)
