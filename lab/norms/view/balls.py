"""The unit balls of the four norms: a loss that touches them in a plane, and all in space."""

import streamlit as st

from lab import ui
from lab.norms import balls, code, touch
from lab.norms.charts import balls as charts
from lab.norms.view.controls import PLANE, SPACE

WHY_BALLS = r"""
A fit with a penalty ends where a level set of the loss first touches a ball. It touches edges and
corners rather than round parts, and there some weights are exactly 0. The exclusive norm
$\lVert w\rVert_e=\sqrt{\sum_g\lVert w_g\rVert_1^2}$ is ℓ1 among the members of a group (edges:
they compete) and ℓ2 across disjoint groups (round: they share). The group norm
$\sum_g\lVert w_g\rVert_2$ is the reverse. With overlaps ℓe stays as it is, and ℓ2,1 is drawn as
the latent norm $\min\{\sum_g\lVert v_g\rVert_2:\sum_g v_g=w\}$, which is what our fits use; for
$\{1,2\},\{2,3\}$ it is $\sqrt{(\lvert w_1\rvert+\lvert w_3\rvert)^2+w_2^2}$. Every point drawn is
$u/\lVert u\rVert$ for a direction $u$. In space a line is drawn on a plane $w_i=0$ where the ball
has an edge there. The loss is $\frac12(w-c)^\top H(w-c)$ with $H=\binom{1\ \rho}{\rho\ 1}$, $c$
the least-squares optimum and $\rho$ the correlation of the two features.
"""


@st.cache_resource(show_spinner=False)
def directions() -> balls.Mesh:
    return balls.sphere_directions(20)


@st.cache_resource(show_spinner=False, max_entries=200)
def live_plane(grouping: str, pair: str, tilt: float):
    return charts.live_plane(grouping, pair, tilt)


@st.cache_resource(show_spinner=False, max_entries=500)
def touched(grouping: str, pair: str, tilt: float, c: tuple) -> dict:
    return touch.touches(grouping, pair, tilt, c)


def draw_balls(view: ui.View, answer) -> None:
    hero = st.container()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        grouping = view.segments(
            "grouping",
            "Groups of the three weights",
            tuple(balls.GROUPINGS),
            help="ℓe and ℓ2,1 depend on the groups; ℓ1 and ℓ2 do not.",
        )
        shape = view.segments(
            "shape", "Drawn", (PLANE, SPACE), help="Two weights at a time, or all three."
        )
        if shape == PLANE:
            view.segments(
                "pair",
                "Weights",
                tuple(touch.PAIRS),
                format_func=lambda pair: " and ".join(touch.weight_names(pair)),
                help="The third weight is 0 in this plane.",
            )
            view.slider(
                "tilt",
                "Correlation of the features",
                -0.9,
                0.9,
                step=0.1,
                help="It turns the ellipses of the loss.",
                width=240,
            )
        with st.popover("Presets"):
            view.draw_presets()
    with st.expander("How the shapes follow from the norms"):
        st.markdown(WHY_BALLS)
    row = ui.ExportRow(view, "unit_balls")
    with hero:
        if shape == PLANE:
            draw_plane(view, answer, row)
        else:
            answer.markdown(balls.answer(grouping))
            draw_surfaces(grouping)
            row.offer(
                ui.Export(
                    name="unit_balls",
                    data=lambda: balls.table(grouping),
                    figure=lambda: charts.surfaces(
                        [surface_of(norm, grouping) for norm in balls.NORMS], "light"
                    ),
                    code=code.balls(grouping),
                )
            )


@st.fragment
def draw_plane(view: ui.View, answer, row: ui.ExportRow) -> None:
    """The optimum is dragged in the browser; what is said of it follows after."""
    grouping, pair, tilt = view["grouping"], view["pair"], view["tilt"]

    def still(text: str, mode: str):
        c = charts.OPTIMUM.places(text)
        found = touched(grouping, pair, tilt, c)
        return charts.still_plane(grouping, pair, tilt, c, found, mode)

    text = view.live(
        "optimum",
        live_plane(grouping, pair, tilt),
        still=lambda text: still(text, ui.mode()),
        help="Where the loss alone would end.",
    )
    c = charts.OPTIMUM.places(text)
    found = touched(grouping, pair, tilt, c)
    answer.markdown(touch.answer(found))
    st.caption(
        "Drag the blue point, the optimum of the loss alone, and let go: its ellipse grows until "
        "it touches one ball after the other (dashed: where it touches; faint: on the way). At a "
        "corner a weight is exactly 0. "
        f"{balls.coinciding(grouping, touch.PAIRS[pair])}"
    )
    row.offer(
        ui.Export(
            name="unit_balls",
            data=lambda: touch.table(found, pair),
            figure=lambda: still(text, "light"),
            code=code.touching(grouping, pair, tilt, c, found),
        )
    )


def surface_of(norm: str, grouping: str) -> charts.Surface:
    mesh = balls.ball(norm, grouping, directions())
    return charts.Surface(
        norm,
        mesh.points,
        mesh.triangles,
        balls.sharp_features(norm, grouping),
        balls.ball_title(norm, grouping),
    )


def draw_surfaces(grouping: str) -> None:
    for row in (("l2", "l1"), ("l21", "le")):
        for column, norm in zip(st.columns(2, gap="small"), row, strict=True):
            with column:
                ui.chart(
                    charts.surface(surface_of(norm, grouping), ui.mode()),
                    key=f"np_ball_{norm}",
                    alt=f"Unit ball in space, groups {grouping}. "
                    f"{balls.ball_title(norm, grouping)}.",
                )
    st.caption(
        "A line is drawn where a ball has an edge; a fit that ends on it has a weight at exactly "
        "0. Drag a ball to turn it."
    )
