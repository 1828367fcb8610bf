"""The settings of the page, the controls that its tabs share, and what they show alike."""

import streamlit as st

from lab import ui
from lab.cones import charts, code, descent, projections, searches, tables, vectors, words
from lab.drawing import drawn_once
from lab.ui.address import ANYTHING, Between, Passing

GROUP, PLANE, PLAY = "A group", "In the plane", "Play"
SPACE, SEARCH, MOREAU, ERRATA = "In space", "The search", "Moreau", "Errata"
TABS = (GROUP, PLANE, PLAY, SPACE, SEARCH, MOREAU, ERRATA)

# Names of files to take home.
CONE_PROJECTION, MOREAU_IDENTITY, STEPS = "cone_projection", "moreau", "steps"

DEFAULTS = {
    "tab": GROUP,
    "group": "1.6,0.5,1",
    "point": "1.6,0,1",
    "method": "LOCP",
    "step": "2",
    "turn_j": "1",
    "place": "1.6,0.5,0,1,30",
    "zeta": "1",
    "stretch": False,
    "cone": "ℓ1",
    "polar": False,
    "vector": "1, 0.7, -0.4",
    "height": 0.0,
}

# Each counts in every tab: what a link says of a closed one stays, whatever is reset in another.
LIMITS = {
    "tab": TABS,
    "group": Passing(charts.live.GROUP.accepts),
    "point": Passing(charts.live.POINT.accepts),
    "place": Passing(charts.live.PLACE.accepts),
    "method": descent.METHODS,
    "step": descent.TEXTS,
    "turn_j": tuple(map(str, range(vectors.MOST_ENTRIES + 1))),
    "vector": ANYTHING,
    "zeta": projections.ZETAS,
    "cone": projections.CONES,
    "stretch": (False, True),
    "polar": (False, True),
    "height": Between(-10.0, 10.0),
}

# Each of them is a point at which the paper's algorithm, run as printed, goes wrong.
PRESETS = {
    "Alg. 2 misses the origin": {"cone": "ℓ1", "vector": "1, 0.5", "height": -3.0},
    "Alg. 2 misses a tie": {"cone": "ℓ1", "vector": "0.1, 0.3", "height": 0.1},
    "Alg. 3 has the wrong x": {"cone": "ℓ∞", "vector": "3, 1", "height": 1.0},
    "Alg. 3 ends below 0": {"cone": "ℓ∞", "vector": "1, 0.5", "height": -3.0},
    "Alg. 3 misses a tie": {"cone": "ℓ∞", "vector": "0.4, 0.2", "height": 0.0},
}


ZETA_HELP = "Weight of (y − b)² in the distance. In LOCP it is λ times the step length."


def zeta_control(view: ui.View) -> float:
    return float(
        view.scale(
            "zeta",
            "ζ: how much a unit of height y counts against a unit of weight x",
            projections.ZETAS,
            help=ZETA_HELP,
        )
    )


def cone_control(view: ui.View) -> str:
    return view.segments(
        "cone",
        "Cone",
        projections.CONES,
        help="ℓ1: ‖x‖₁ ≤ y, of Lemma 2 and LOCP. ℓ∞: ‖x‖∞ ≤ y, of Lemma 3 and LICP.",
    )


def vector_control(view: ui.View) -> str:
    return view.text(
        "vector",
        "a, the weights of the group",
        max_chars=120,
        help=f"Up to {vectors.MOST_ENTRIES} numbers separated by commas, such as 1, 0.5, -0.2.",
    )


def height_control(view: ui.View) -> float:
    return view.number(
        "height",
        "b, its height",
        -10.0,
        10.0,
        step=0.1,
        help="Solvers use 0; the misprints show elsewhere too.",
    )


def parsed(view: ui.View, text: str, place, end):
    """The vector of a text; None if it is none, which is then said, and how to go back."""
    try:
        return vectors.parse_vector(text)
    except vectors.BadVector as bad:
        with place:
            ui.problem(str(bad))
        with end:
            view.draw_reset("cp_reset")
        return None


def conditions(p) -> None:
    """The three numbers that make the point shown the projection, and the badge they earn."""
    holds = tables.certificate_table({"residual": p})
    st.table(holds, border="horizontal", hide_index=True)
    ui.certificate(p.gap)


def exported(p, figure) -> ui.Export:
    printed = searches.printed_search(p.cone, p.a, p.b, p.zeta).result
    return ui.Export(
        name=CONE_PROJECTION,
        data=lambda: tables.entries_table(p, printed),
        figure=figure,
        code=code.projection(p.cone, p.a, p.b, p.zeta),
    )


@ui.kept
def projected(cone: str, a: tuple[float, ...], b: float, zeta: float) -> projections.Projection:
    return projections.project(cone, a, b, zeta)


@ui.kept
def live_plane(stretched: bool, decomposed: bool):
    return charts.live.plane(stretched=stretched, decomposed=decomposed)


@ui.kept
def still_plane(text: str, mode: str, *, stretched: bool, decomposed: bool):
    a, b, zeta = charts.live.POINT.places(text)
    p = projected("ℓ1", (a,), b, zeta)
    return drawn_once(
        charts.plane(
            (a, b),
            (float(p.x[0]), p.y),
            zeta,
            title=words.moreau_title(p) if decomposed else words.plane_title(p),
            mode=mode,
            stretched=stretched,
            decomposed=decomposed,
        )
    )


def dragged_plane(view: ui.View, *, stretched: bool, decomposed: bool):
    """The plane with its point to drag: the projection on show, and its picture to take home."""

    def still(text: str, mode: str):
        return still_plane(text, mode, stretched=stretched, decomposed=decomposed)

    text = view.live(
        "point",
        live_plane(stretched, decomposed),
        still=lambda text: still(text, ui.mode()),
        help="The weight before the step, its height, and ζ; the solvers use height 0, and in LOCP "
        "ζ is λ times the step length.",
    )
    a, b, zeta = charts.live.POINT.places(text)
    return projected("ℓ1", (a,), b, zeta), lambda: still(text, "light")
