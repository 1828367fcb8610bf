"""Home: one vector shrunk by two norms, to see what exclusive sparsity keeps."""

import streamlit as st

from lab import charts, shrinkage, ui
from lab.snippets import shrinkage as snippets

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

with ui.page(key="home"):
    view = ui.View("home", {"zeta": shrinkage.DEFAULT_ZETA})
    # The slider stands below the pictures but decides what they and the answer say.
    answer, pictures, control = st.container(), st.container(), st.container()

    with control:
        zeta = float(
            view.scale(
                "zeta",
                "Strength ζ of the exclusive norm: further right, fewer weights survive",
                shrinkage.ZETAS,
                help="The weight of the squared exclusive norm against the squared distance to c.",
            )
        )
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, zeta)
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)

    answer.markdown(f"Yes: {shrinkage.answer(exclusive, lasso)}.")
    left, right = pictures.columns(2, gap="medium")
    for column, norm, key, pattern in (
        (left, "ℓe", "shrunk_by_le", exclusive),
        (right, "ℓ1", "shrunk_by_l1", lasso),
    ):
        title = shrinkage.group_title(norm, pattern)
        with column:
            ui.chart(
                charts.weight_grid(pattern.grid, title=title, mode=ui.mode()),
                key=key,
                alt=f"Grid of weights, one row per group. {title}.",
            )
    with control:
        ui.certificate(shrinkage.certified_gap(c, exclusive, zeta))
        st.caption(HOW_IT_IS_COMPUTED)

    st.markdown(EXPLANATION)
    ui.doors()
    ui.export_row(
        view,
        ui.Export(
            name="shrinkage",
            data=lambda: shrinkage.table(c, exclusive, lasso),
            figure=lambda: charts.weight_grid(
                exclusive.grid, title=shrinkage.group_title("ℓe", exclusive), mode="light"
            ),
            code=snippets.snippet(zeta),
        ),
    )
