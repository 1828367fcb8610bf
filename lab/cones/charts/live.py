"""The pictures of the page that follow the hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lab.cones import descent, words
from lab.cones.charts.plane import EDGE, floor
from lab.cones.projections import ZETAS, Projection, project
from lab.cones.searches import CorrectedSearch, corrected_search, printed_search
from lab.drawing import live
from lab.drawing.live import Axis
from solvers.linear_algebra import eigen

FARTHEST = 3.0
GROUP = live.Point(
    ("first weight a₁", "second weight a₂", "ζ, the price of the norm"),
    (-FARTHEST, -FARTHEST, 0.1),
    (FARTHEST, FARTHEST, 10.0),
    0.05,
)
POINT = live.Point(
    ("a, the weight", "b, its height", "ζ, what a unit of height counts"),
    (-FARTHEST, -2.0, 0.1),
    (FARTHEST, 2.0, 10.0),
    0.05,
)
PLACE = live.Point(
    ("a₁", "a₂", "b, its height", "ζ, what a unit of height counts", "seen from, in degrees"),
    (-FARTHEST, -FARTHEST, -2.0, 0.1, 0.0),
    (FARTHEST, FARTHEST, 2.0, 10.0, 359.0),
    (0.05, 0.05, 0.05, 0.05, 1.0),
)
STEPS = live.Steps(
    "Step",
    descent.TEXTS,
    tuple(
        f"step {math.ceil(float(text))}" + (", gradient" if "." in text else "")
        for text in descent.TEXTS
    ),
)


def group(p: Projection, delta: float) -> live.Figure:
    """A group under its water line, and in the plane of its two weights."""
    title = words.group_title(p, delta)
    return live.group(
        ("first", "second"),
        GROUP,
        bars=Axis("size of a weight", 0.0, FARTHEST + 0.1),
        x=Axis("first weight", -EDGE, EDGE),
        y=Axis("second weight", -EDGE, EDGE),
        title=title,
        alt="Bars of two weights under a water line, and the plane in which a step moves them.",
        phone_height=370,
    )


def plane(*, stretched: bool, decomposed: bool) -> live.Figure:
    """The cone |x| ≤ y and its polar |x| ≤ −ζy, with a point to drag; ζ moves them too."""
    cone = dict(
        type="polygon",
        points=[[0, 0], [EDGE, EDGE], [-EDGE, EDGE]],
        color="positive",
        name="the cone |x| ≤ y",
        label="cone",
        label_at=[-0.3, 2.6],
        **{"class": "filled faint"},
    )
    at_rest, low = project("ℓ1", [1.6], 0.0, 1.0), floor(decomposed)
    sizes = dict(height=460, phone_height=440) if decomposed else {}
    return live.plane(
        [cone],
        POINT,
        x=Axis("x, the weight", -EDGE, EDGE),
        y=Axis("y, the height", low, EDGE),
        title=words.moreau_title(at_rest) if decomposed else words.plane_title(at_rest),
        alt="The cone |x| ≤ y and its polar cone, a point and its projection.",
        follows="cone_plane",
        numbers=dict(decomposed=decomposed, stretched=stretched, edge=EDGE, floor=low),
        **sizes,
    )


def space(cone: str, *, polar: bool) -> live.Figure:
    """The cone over two weights, to be turned, with a point to drag at its height."""
    at_rest = project(cone, [1.6, 0.5], 0.0, 1.0)
    return live.space(
        "l1" if cone == "ℓ1" else "linf",
        PLACE,
        polar=polar,
        names=("x₁", "x₂", "y"),
        title=words.space_title(at_rest),
        alt=f"The cone {words.cone_text(cone)} in space, a point and its projection.",
        height=420,
        phone_height=300,
    )


def steps(run: descent.Descent) -> live.Figure:
    """A method's way to the optimum, played."""
    dual = run.method == "LICP"
    name = "v" if dual else "w"
    middle = [] if dual else [descent.loss_optimum()]
    seen = (run.iterates, run.momentum, run.gradient, run.best, *middle, np.zeros(2))
    places = np.vstack(seen)
    (low_x, low_y), (high_x, high_y) = places.min(axis=0), places.max(axis=0)
    room = 0.12 * max(high_x - low_x, high_y - low_y)
    span = run.objective.max() - run.least
    titles = words.step_titles(run)
    plane_of = "the dual's v" if dual else "the two weights"
    return live.descent(
        run.iterates,
        run.momentum,
        run.gradient,
        run.objective,
        STEPS,
        name=name,
        least=run.least,
        shapes=_landscape(run),
        ball={"LOCP": "l1", "LICP": "linf", "PCP": None}[run.method],
        x=Axis(f"{name}₁", low_x - room, high_x + room),
        y=Axis(f"{name}₂", low_y - room, high_y + room),
        objective_axis=Axis(
            "objective of the dual" if dual else "objective",
            run.least - 0.12 * span,
            run.objective.max() + 0.05 * span,
        ),
        titles=titles,
        alts=[
            f"The plane of {plane_of} with the way so far, and the objective step by step. {title}."
            for title in titles
        ],
        play=700,
        phone_height=370,
    )


def _landscape(run: descent.Descent) -> list[dict[str, Any]]:
    """The optimum, and for least squares the loss's ellipses around its own optimum."""
    best = dict(type="dot", at=run.best.tolist(), color="text", label="optimum", name="optimum")
    if run.method == "LICP":
        return [best]
    values, vectors = eigen(descent.X.T @ descent.X)
    axes = (vectors / np.sqrt(values)).T
    return [
        dict(
            type="ellipse",
            center=descent.loss_optimum().tolist(),
            axes=(size * axes).tolist(),
            color="theory",
            name="equal loss",
            **{"class": "faint"},
        )
        for size in (0.4, 0.9, 1.5, 2.2)
    ] + [best]


def search(p: Projection, found: CorrectedSearch) -> live.Figure:
    """The sizes in falling order, and the line at each candidate in turn."""
    sizes = np.sort(np.abs(p.a))[::-1]
    values = np.array([candidate.value for candidate in found.candidates])
    low, high = min(0.0, values.min()), max(sizes.max(), values.max(), 1e-9)
    name = "δ" if p.cone == "ℓ1" else "y"
    titles = words.search_titles(p, found)
    return live.bars(
        [str(i + 1) for i in range(sizes.size)],
        sizes,
        live.Steps(
            "Entries counted, j",
            tuple(str(candidate.j) for candidate in found.candidates),
            tuple(
                f"j = {candidate.j}, {name} = {words.shown(candidate.value)}"
                for candidate in found.candidates
            ),
        ),
        levels=values,
        y=Axis("size of an entry", low, high + 0.05 * (high - low)),
        x_label="entries from the largest to the smallest",
        settled=found.level,
        settled_name=f"answer {name} = {words.shown(found.level)}",
        titles=titles,
        alts=[f"Bars of the sizes and a line at the candidate. {title}." for title in titles],
        keeps="above" if p.cone == "ℓ1" else "under",
        play=900,
        phone_height=340,
    )


def errata(cone: str, a: np.ndarray, b: float) -> live.Figure:
    """The entries and the level that decides, at every ζ; crosses where the printed search differs.

    Sizes are counted in the direction of each entry, so a cross below zero has the wrong sign.
    """
    signs = np.where(a < 0, -1.0, 1.0)
    levels, crosses, titles, texts = [], [], [], []
    for text in ZETAS:
        p = project(cone, a, b, float(text))
        corrected = corrected_search(cone, a, b, float(text))
        printed = printed_search(cone, a, b, float(text)).result
        agrees = printed.is_projection
        levels.append(corrected.level)
        crosses.append(np.full(a.size, np.nan) if agrees else signs * printed.x)
        said = (
            "the printed search agrees"
            if agrees
            else f"as printed, ×: {words.point_text(printed.x, printed.y)}"
        )
        titles.append(f"{words.entries_title(p, corrected)}; {said}")
        texts.append(f"ζ = {text}, {'δ' if cone == 'ℓ1' else 'y'} = {words.shown(corrected.level)}")
    sizes = np.abs(a)
    known = np.concatenate([np.ravel(crosses)[np.isfinite(np.ravel(crosses))], [0.0]])
    high = max(sizes.max(), known.max(), *levels, 1e-9)
    return live.bars(
        [str(i + 1) for i in range(a.size)],
        sizes,
        live.Steps(
            "ζ: how much a unit of height y counts against a unit of weight x", ZETAS, tuple(texts)
        ),
        levels=np.array(levels),
        y=Axis("size of an entry", min(0.0, 1.1 * known.min()), 1.05 * high),
        x_label="entry of the group",
        titles=titles,
        alts=[
            f"Bars of the sizes, the line that decides and the search as printed. {title}."
            for title in titles
        ],
        keeps="above" if cone == "ℓ1" else "under",
        crosses=np.array(crosses),
        phone_height=340,
    )
