"""Home: one vector shrunk by two norms, to see what exclusive sparsity keeps."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import charts, shrinkage, ui
    from lab.snippets import shrinkage as snippets

NAME = "shrinkage"

EXPLANATION = r"""
Exclusive sparsity penalises $\lVert w\rVert_e^2=\sum_g \lVert w_g\rVert_1^2$: an $\ell_1$ norm
inside each group, a sum of squares across the groups. Inside a group the features compete, so few
of them survive; across groups the squares make it cheap to share and costly to pile up, so no group
is silenced. It is the opposite of the group lasso, which keeps or drops whole groups: use it when
every group should have a say through a few of its members.
"""

HOW_IT_IS_COMPUTED = r"""
Both pictures shrink the same random numbers $c$, whose groups grow louder downwards. First: the
minimiser of $\frac12\lVert w-c\rVert^2+\frac{\zeta}{2}\lVert w\rVert_e^2$, one cone projection per
group. Second: the soft threshold that leaves as many nonzeros. Blue is positive, orange negative;
a stronger colour is a larger weight, within a picture.
"""


@st.cache_resource(show_spinner=False, max_entries=200)
def shrunk(zeta: float) -> tuple:
    """What both norms leave of the example, and the certificate of the first."""
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, zeta)
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    return c, exclusive, lasso, shrinkage.certified_gap(c, exclusive, zeta)


@st.cache_resource(show_spinner=False, max_entries=400)
def picture(norm: str, zeta: float, mode: str):
    _, exclusive, lasso, _ = shrunk(zeta)
    pattern = exclusive if norm == "ℓe" else lasso
    title = shrinkage.group_title(norm, pattern)
    return title, charts.drawn_once(charts.weight_grid(pattern.grid, title=title, mode=mode))


@st.fragment
def draw_example(view: ui.View, row: ui.ExportRow) -> None:
    """All that moves with ζ, so that a step of the slider redraws nothing else."""
    # The slider stands below the pictures but decides what they and the answer say.
    answer, pictures = st.container(), st.container()
    zeta = float(
        view.scale(
            "zeta",
            "Strength ζ of the exclusive norm: further right, fewer weights survive",
            shrinkage.ZETAS,
            help="The weight of the squared exclusive norm against the squared distance to c.",
        )
    )
    c, exclusive, lasso, gap = shrunk(zeta)
    answer.markdown(f"Yes: {shrinkage.answer(exclusive, lasso)}.")
    keys = {"ℓe": "shrunk_by_le", "ℓ1": "shrunk_by_l1"}
    for column, norm in zip(pictures.columns(2, gap="medium"), keys, strict=True):
        title, figure = picture(norm, zeta, ui.mode())
        with column:
            ui.chart(figure, key=keys[norm], alt=f"Grid of weights, one row per group. {title}.")
    ui.certificate(gap)
    st.caption(HOW_IT_IS_COMPUTED)
    row.offer(
        ui.Export(
            name=NAME,
            data=lambda: shrinkage.table(c, exclusive, lasso),
            figure=lambda: picture("ℓe", zeta, "light")[1],
            code=snippets.snippet(zeta),
        )
    )


with ui.page(key="home"):
    view = ui.View("home", {"zeta": shrinkage.DEFAULT_ZETA})
    example = st.container()
    st.markdown(EXPLANATION)
    ui.doors()
    row = ui.ExportRow(view, NAME)
    with example:
        draw_example(view, row)
