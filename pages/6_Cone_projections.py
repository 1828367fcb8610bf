"""Cone projections: what one step of the solvers does to a group, and how it is found."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import cones, ui
    from lab.charts import cones as charts
    from lab.charts import drawn_once
    from lab.snippets import cones as snippets

PLANE, SPACE, SEARCH, MOREAU = "In the plane", "In space", "The search", "Moreau"

# Names of files to take home.
CONE_PROJECTION, MOREAU_IDENTITY = "cone_projection", "moreau"

DEFAULTS = {
    "tab": PLANE,
    "a": 1.6,
    "b": -0.4,
    "zeta": "1",
    "stretch": False,
    "cone": "ℓ1",
    "a2": 0.5,
    "polar": False,
    "turn": 30,
    "vector": "1, 0.7, -0.4, 0.1",
    "height": 0.0,
}

# Each of them is a point at which the paper's algorithm, run as printed, goes wrong.
PRESETS = {
    "Alg. 2 misses the origin": {"cone": "ℓ1", "vector": "1, 0.5", "height": -3.0},
    "Alg. 2 misses a tie": {"cone": "ℓ1", "vector": "0.1, 0.3", "height": 0.1},
    "Alg. 3 has the wrong x": {"cone": "ℓ∞", "vector": "3, 1", "height": 1.0},
    "Alg. 3 ends below 0": {"cone": "ℓ∞", "vector": "1, 0.5", "height": -3.0},
    "Alg. 3 misses a tie": {"cone": "ℓ∞", "vector": "0.4, 0.2", "height": 0.0},
}

WHERE_IT_IS_USED = r"""
A step of LOCP goes down the gradient of the loss and then minimises, group by group,
$\frac12\lVert x-a\rVert^2+\frac{\zeta}{2}\lVert x\rVert_1^2$. With $y$ for $\lVert x\rVert_1$ that
is the projection of $(a; 0)$ onto the $\ell_1$ cone. A step of LICP does the same in the dual, with
$\lVert\cdot\rVert_\infty$ and the $\ell_\infty$ cone. So the solvers ask for $b=0$; the lemmas, and
this page, take any $b$.
"""

THE_PROBLEM = r"""
Lemmas 2 and 3 of the paper solve, for the $\ell_1$ and the $\ell_\infty$ norm,

$$\min_{x,\,y}\ \tfrac12\lVert x-a\rVert_2^2+\tfrac{\zeta}{2}(y-b)^2
\quad\text{subject to}\quad \lVert x\rVert\le y .$$

Distances and angles are those of
$\langle (x,y),(u,v)\rangle_\zeta = x^\top u+\zeta\,y\,v$. In that metric the polar cone is
$\{(u,v):\lVert u\rVert_*\le-\zeta v\}$, where $\lVert\cdot\rVert_*$ is $\ell_\infty$ for the
$\ell_1$ cone and $\ell_1$ for the $\ell_\infty$ cone. A point $(x,y)$ is the projection if and only
if it lies in the cone, the rest $(a-x,b-y)$ lies in the polar cone, and the two are orthogonal.
"""

THE_SEARCH = r"""
Let $t_j$ be the sum of the $j$ largest magnitudes of $a$, $j=0,\dots,d$.

$$\ell_1:\quad \delta=\max\Bigl(0,\ \max_j\frac{\zeta(t_j-b)}{1+\zeta j}\Bigr),\qquad
x=\operatorname{sgn}(a)\odot\max(|a|-\delta,0),\qquad y=b+\delta/\zeta$$

$$\ell_\infty:\quad y=\max\Bigl(0,\ \max_j\frac{\zeta b+t_j}{\zeta+j}\Bigr),\qquad
x=\operatorname{sgn}(a)\odot\min(|a|,y)$$

The candidates rise as long as the next magnitude is larger than the candidate, and fall after that,
so the largest is the right one. The paper tests for each $j$ whether the candidate lies in a window
between two magnitudes. In exact arithmetic one window holds, unless the projection is the origin;
in floating point, at a tie, the candidate can lie just outside both windows that meet there.
"""

THE_DECOMPOSITION = r"""
Moreau: every point is the sum of its projections onto a cone and onto its polar, and the two are
orthogonal, here in the $\zeta$ metric. At $(d;0)$ the first part of that statement reads

$$\operatorname{prox}_{\frac{\zeta}{2}\lVert\cdot\rVert_\infty^2}(d)
+\operatorname{prox}_{\frac{1}{2\zeta}\lVert\cdot\rVert_1^2}(d)=d ,$$

so one search serves both norms: what the $\ell_\infty$ prox cuts off is what the $\ell_1$ prox at
$1/\zeta$ keeps.
"""


def zeta_control() -> float:
    return float(
        view.scale(
            "zeta",
            "ζ: how much a unit of height y counts against a unit of weight x",
            cones.ZETAS,
            help="Weight of (y − b)² in the distance. In LOCP it is λ times the step length.",
        )
    )


def a_control(name: str, label: str) -> float:
    return round(
        view.slider(name, label, -3.0, 3.0, step=0.05, help="The weight before the step."), 2
    )


def b_control() -> float:
    return round(
        view.slider("b", "b", -2.0, 2.0, step=0.05, help="The height; the solvers use b = 0."), 2
    )


def cone_control() -> str:
    return view.segments(
        "cone",
        "Cone",
        cones.CONES,
        help="ℓ1: ‖x‖₁ ≤ y, of Lemma 2 and LOCP. ℓ∞: ‖x‖∞ ≤ y, of Lemma 3 and LICP.",
    )


def vector_control() -> str:
    return view.text(
        "vector",
        "a, the weights of the group",
        max_chars=120,
        help=f"Up to {cones.MOST_ENTRIES} numbers separated by commas, such as 1, 0.5, -0.2.",
    )


def conditions(p) -> None:
    """The three numbers that make the point shown the projection, and the badge they earn."""
    holds = cones.certificate_table({"residual": p})
    st.table(holds, border="horizontal", hide_index=True)
    ui.certificate(p.gap)


def move_to_click() -> None:
    """The place clicked becomes the point; the chart starts anew, so it can be clicked again."""
    clicks = st.session_state["cp_clicks"]
    points = st.session_state[f"cp_plane_{clicks}"]["selection"]["points"]
    if points:
        a, b = charts.clicked_point(points[-1]["point_index"])
        view.set({"a": a, "b": b})
        st.session_state["cp_clicks"] = clicks + 1


def clickable_chart(figure, alt: str) -> None:
    ui.chart(
        figure,
        key=f"cp_plane_{st.session_state.setdefault('cp_clicks', 0)}",
        alt=alt,
        file_name="cone_in_the_plane",
        on_select=move_to_click,
        selection_mode="points",
    )


# Each tab is a fragment, or a fragment and what it need not redraw, so that a step of a slider is
# cheap. Projections and figures are kept as they were found and drawn.


def kept(found):
    return st.cache_resource(show_spinner=False, max_entries=256)(found)


@kept
def projected(cone: str, a: tuple[float, ...], b: float, zeta: float) -> cones.Projection:
    return cones.project(cone, a, b, zeta)


@kept
def plane_figure(
    a: float,
    b: float,
    zeta: float,
    mode: str,
    *,
    stretched: bool,
    decomposed: bool,
    clickable: bool,
):
    p = projected("ℓ1", (a,), b, zeta)
    return drawn_once(
        charts.plane(
            (a, b),
            (float(p.x[0]), p.y),
            zeta,
            title=cones.moreau_title(p) if decomposed else cones.plane_title(p),
            mode=mode,
            stretched=stretched,
            decomposed=decomposed,
            clickable=clickable,
        )
    )


@kept
def space_figure(
    cone: str, a: tuple[float, float], b: float, zeta: float, mode: str, polar: bool, turn: float
):
    p = projected(cone, a, b, zeta)
    return drawn_once(
        charts.space(
            cone,
            (*a, b),
            (*p.x.tolist(), p.y),
            zeta,
            title=cones.space_title(p),
            mode=mode,
            polar=polar,
            turn=turn,
        )
    )


def draw_plane(answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_plane(answer, row)


@st.fragment
def follow_plane(answer, row: ui.ExportRow) -> None:
    left, right = ui.figure_and_controls()
    figure_place, slider_place = left.container(), left.container()
    with right:
        a, b = a_control("a", "a"), b_control()
        stretched = view.toggle(
            "stretch",
            "Stretch y by √ζ",
            help="Then distances and angles are as they look: the ellipse becomes a circle.",
        )
    with slider_place:
        zeta = zeta_control()
    p = projected("ℓ1", (a,), b, zeta)

    def figure(mode: str, clickable: bool):
        return plane_figure(
            a, b, zeta, mode, stretched=stretched, decomposed=False, clickable=clickable
        )

    with figure_place:
        clickable_chart(
            figure(ui.mode(), clickable=True),
            alt=f"The cone |x| ≤ y, a point and its projection. {cones.plane_title(p)}.",
        )
    answer.markdown(cones.answer(p))
    with right:
        conditions(p)
    with left:
        st.caption(
            f"{cones.plane_prose(p)} Click in the figure to move the point. With one weight both "
            "cones are the same, {(x, y): |x| ≤ y}. The dotted curve is everything as far from the "
            "point as its projection; it touches the cone there, and the dashed line is the rest."
        )
    row.offer(exported(p, lambda: figure("light", clickable=False)))


def draw_space(answer, end) -> None:
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    follow_space(answer, row)


@st.fragment
def follow_space(answer, row: ui.ExportRow) -> None:
    left, right = ui.figure_and_controls()
    figure_place, slider_place = left.container(), left.container()
    with right:
        cone = cone_control()
        a = a_control("a", "a₁"), a_control("a2", "a₂")
        b = b_control()
    with slider_place:
        zeta = zeta_control()
        with st.expander("More settings"):
            turn = view.slider(
                "turn", "Turn the picture (degrees)", 0, 345, step=15, help="Or drag the figure."
            )
            polar = view.toggle(
                "polar", "Show the polar cone", help="Its points are projected onto the origin."
            )
    p = projected(cone, a, b, zeta)
    with figure_place:
        ui.chart(
            space_figure(cone, a, b, zeta, ui.mode(), polar, turn),
            key="cone_in_space",
            alt=f"The cone {cones.cone_text(cone)} in space. {cones.space_title(p)}.",
        )
    answer.markdown(cones.answer(p))
    with right:
        conditions(p)
    with left:
        st.caption(
            f"The cone {cones.cone_text(cone)} over two weights. The orange line, from the point "
            "to its projection, is orthogonal to the blue one from the origin: their inner "
            f"product at ζ = {cones.shown(zeta)} is {cones.residual_text(p.inner_product)}."
        )
    row.offer(exported(p, lambda: space_figure(cone, a, b, zeta, "light", polar, turn)))


def draw_search(answer, end) -> None:
    left, right = ui.figure_and_controls()
    with right:
        cone_control()
        text = vector_control()
        view.number(
            "height",
            "b, its height",
            -10.0,
            10.0,
            step=0.1,
            help="Solvers use 0; the misprints show elsewhere too.",
        )
        badge = st.empty()
    st.caption("Points at which the paper's algorithms fail as printed:")
    view.draw_presets()
    tables = st.empty()
    a = parsed(text, left, end)
    if a is None:
        with left:
            zeta_control()
        return
    with end:
        row = ui.ExportRow(view, CONE_PROJECTION)
    with left:
        follow_search(a, answer, badge, tables, row)


def parsed(text: str, place, end):
    """The vector of a text; None if it is none, which is then said, and how to go back."""
    try:
        return cones.parse_vector(text)
    except cones.BadVector as bad:
        with place:
            ui.problem(str(bad))
        with end:
            st.button("Reset", on_click=view.reset, help="All controls to default.")
        return None


@st.fragment
def follow_search(a, answer, badge, tables, row: ui.ExportRow) -> None:
    figure_place = st.container()
    zeta, cone, b = zeta_control(), view["cone"], view["height"]
    p = cones.project(cone, a, b, zeta)
    printed = cones.printed_search(cone, a, b, zeta)
    corrected = cones.corrected_search(cone, a, b, zeta)
    wrong = cones.verdict(printed, p)

    def figure(mode: str):
        return charts.entries(
            a,
            p.x,
            printed.result.x if wrong else None,
            corrected.level,
            level_name=f"{'δ' if cone == 'ℓ1' else 'y'} = {cones.shown(corrected.level)}",
            title=cones.entries_title(p, corrected),
            mode=mode,
        )

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="cone_search",
            alt=f"Bars of each entry before and after. {cones.entries_title(p, corrected)}.",
        )
    answer.markdown(cones.answer(p))
    with badge:
        ui.certificate(p.gap)
    with tables.container():
        draw_tables(p, printed, corrected, wrong)
    row.offer(exported(p, lambda: figure("light")))


def draw_tables(p, printed, corrected, wrong: list[str]) -> None:
    algorithm = cones.ALGORITHMS[p.cone]
    ours, paper = st.columns(2, gap="medium")
    with ours:
        st.subheader(f"{algorithm}, corrected", anchor=False)
        st.markdown(f"Returns {cones.point_text(p.x, p.y)}: the largest candidate decides.")
        st.table(cones.corrected_table(p, corrected), border="horizontal", hide_index=True)
    with paper:
        st.subheader(f"{algorithm}, as printed", anchor=False)
        returned = cones.point_text(printed.result.x, printed.result.y)
        if wrong:
            st.markdown(f"Returns {returned}, which is **wrong**. {' '.join(wrong)}")
        else:
            st.markdown(f"Returns {returned}: right at this point.")
        if printed.steps:
            st.table(cones.printed_table(printed), border="horizontal", hide_index=True)
        else:
            st.caption("The point is in the cone, so the loop does not run.")
    st.table(
        cones.certificate_table({"corrected": p, "as printed": printed.result}),
        border="horizontal",
        hide_index=True,
    )


def draw_moreau(answer, end) -> None:
    upper = st.container()
    st.subheader("The same for a whole group: two proxes add up", anchor=False)
    chart_place, control_place = ui.figure_and_controls()
    with control_place:
        d = parsed(vector_control(), chart_place, end)
        words = st.empty()
    stack = chart_place.empty()
    row = None
    if d is not None:
        with end:
            row = ui.ExportRow(view, MOREAU_IDENTITY)
    with upper:
        follow_moreau(d, answer, stack, words, row)


@st.fragment
def follow_moreau(d, answer, stack, words, row: ui.ExportRow | None) -> None:
    """The plane, and the two proxes of d if there is one."""
    left, right = ui.figure_and_controls()
    figure_place, slider_place = left.container(), left.container()
    with right:
        a, b = a_control("a", "a"), b_control()
        stretched = view.toggle(
            "stretch",
            "Stretch y by √ζ",
            help="Then the two parts meet at a right angle to the eye too.",
        )
    with slider_place:
        zeta = zeta_control()
    p = projected("ℓ1", (a,), b, zeta)
    with figure_place:
        ui.chart(
            plane_figure(
                a, b, zeta, ui.mode(), stretched=stretched, decomposed=True, clickable=False
            ),
            key="cone_moreau",
            alt=f"A point as the sum of its projections. {cones.moreau_title(p)}.",
        )
    answer.markdown(cones.answer(p))
    with right:
        conditions(p)
    with left:
        st.caption(
            f"{cones.moreau_prose(p)} The solid lines are the projection onto the cone, the dashed "
            "ones the projection onto the polar cone; from the origin, one of each leads to the "
            "point."
        )
    if d is None:
        return
    parts = cones.shrink_pair(d, zeta)

    def proxes(mode: str):
        return charts.two_proxes(d, parts, title=cones.identity_title(d, parts), mode=mode)

    with stack:
        ui.chart(
            proxes(ui.mode()),
            key="cone_two_proxes",
            alt=f"Stacked bars of two proxes of d. {cones.identity_title(d, parts)}.",
        )
    words.markdown(
        f"At ζ = {cones.shown(zeta)} the ℓ∞ prox gives {cones.vector_text(parts[0])} and the "
        f"ℓ1 prox at 1/ζ = {cones.shown(1 / zeta)} gives {cones.vector_text(parts[1])}."
    )
    row.offer(
        ui.Export(
            name=MOREAU_IDENTITY,
            data=lambda: cones.identity_table(d, parts),
            figure=lambda: proxes("light"),
            code=snippets.identity(d, zeta),
        )
    )


def exported(p, figure) -> ui.Export:
    printed = cones.printed_search(p.cone, p.a, p.b, p.zeta).result
    return ui.Export(
        name=CONE_PROJECTION,
        data=lambda: cones.entries_table(p, printed),
        figure=figure,
        code=snippets.projection(p.cone, p.a, p.b, p.zeta),
    )


with ui.page(key="cone_projections"):
    view = ui.View(
        "cone_projections",
        DEFAULTS,
        {label: {"tab": SEARCH, "zeta": "1", **change} for label, change in PRESETS.items()},
    )
    answer = st.empty()
    drawings = {PLANE: draw_plane, SPACE: draw_space, SEARCH: draw_search, MOREAU: draw_moreau}
    tabs = view.tabs("tab", drawings)

    if view["tab"] != SEARCH:
        st.caption("Points at which the paper's algorithms fail as printed; each opens the search:")
        view.draw_presets()
    st.markdown(WHERE_IT_IS_USED)
    with st.expander("The problem and its optimality conditions"):
        st.markdown(THE_PROBLEM)
    with st.expander("The search, and why the printed one fails"):
        st.markdown(THE_SEARCH)
    with st.expander("Moreau's decomposition"):
        st.markdown(THE_DECOMPOSITION)
    end = st.container()
    for tab, draw in zip(tabs, drawings.values(), strict=True):
        if tab.open:
            with tab:
                draw(answer, end)
