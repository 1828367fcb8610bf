"""The printed algorithms: momentum, windows and signs."""

from __future__ import annotations

import itertools

from lab.cones import projections as cones
from lab.cones import searches, words
from lab.paper import rates
from lab.paper.errata.demonstration import Curves, Demonstration, yes
from lab.paper.points import FAILING, Point
from lab.paper.wording import percent
from solvers import (
    project_l1_cone,
)


def momentum() -> Demonstration:
    printed, corrected = rates.lasso_curve("locp", True), rates.lasso_curve("locp", False)
    t_printed = t_corrected = 1.0
    last = corrected.iterations[-1]
    for _ in range(last):
        t_printed = rates.printed_momentum(t_printed)
        t_corrected = rates.corrected_momentum(t_corrected)
    ratio = printed.errors[-1] / corrected.errors[-1]
    shown = [k for k in (10, 100, last) if k <= last]
    return Demonstration(
        f"After {last:,} iterations of LOCP the printed rule is {ratio:.0f} times further from the "
        f"optimum: its t stops at {t_printed:.3f}, the corrected one is at {t_corrected:.0f}.",
        {
            "iteration": [f"{k:,}" for k in shown],
            "suboptimality as printed": [f"{printed.errors[k - 1]:.1e}" for k in shown],
            "suboptimality corrected": [f"{corrected.errors[k - 1]:.1e}" for k in shown],
            "theorem's bound": [f"{corrected.bound[k - 1]:.1e}" for k in shown],
        },
        printed.share_of_bound > 1.0 >= corrected.share_of_bound,
        Curves(
            corrected.iterations,
            {
                "as printed": printed.errors,
                "corrected": corrected.errors,
                "theorem's bound": corrected.bound,
            },
            "iteration",
            "objective above its minimum",
        ),
    )


def l1_origin() -> Demonstration:
    return _projection(FAILING["l1_origin"])


def linf_formula() -> Demonstration:
    return _projection(FAILING["linf_formula"])


def linf_negative() -> Demonstration:
    return _projection(FAILING["linf_negative"])


def _projection(at: Point) -> Demonstration:
    search = searches.printed_search(at.cone, at.a, at.b, at.zeta)
    printed, right = search.result, cones.project(at.cone, at.a, at.b, at.zeta)
    return Demonstration(
        " ".join(words.verdict(search, right)) or "Printed and corrected agree here.",
        {
            "": ["as printed", "corrected"],
            "x": [words.vector_text(printed.x), words.vector_text(right.x)],
            "y": [words.shown(printed.y), words.shown(right.y)],
            "in the cone": [yes(p.conditions["in the cone"][1]) for p in (printed, right)],
            "is the projection": [yes(p.is_projection) for p in (printed, right)],
        },
        right.is_projection and not printed.is_projection,
    )


def windows() -> Demonstration:
    """Points of one decimal, where candidates fall on the edge of a window and rounding decides."""
    values = [k / 10 for k in range(-5, 6)]
    rows = {"algorithm": [], "points tried": [], "wrong as printed": [], "wrong corrected": []}
    total_missed = total_wrong = tried = 0
    for cone in cones.CONES:
        missed = wrong = tried = 0
        for a in itertools.combinations_with_replacement(values, 2):
            # At b ≥ 0 neither algorithm has its other faults, but for x in Algorithm 3.
            for b in (value for value in values if value >= 0.0):
                tried += 1
                search = searches.printed_search(cone, a, b, 1.0)
                missed += search.missed_by_rounding is not None
                wrong += not cones.project(cone, a, b, 1.0).is_projection
        rows["algorithm"].append(searches.ALGORITHMS[cone])
        rows["points tried"].append(f"{tried:,}")
        rows["wrong as printed"].append(f"{missed} ({percent(missed / tried, 1)})")
        rows["wrong corrected"].append(f"{wrong}")
        total_missed, total_wrong = total_missed + missed, total_wrong + wrong
    return Demonstration(
        f"Of {2 * tried:,} points with one decimal, {total_missed} fall between two windows by "
        f"rounding alone and get a wrong answer; taking the largest candidate, as we do, gets "
        f"{total_wrong} wrong.",
        rows,
        total_missed > 0 and total_wrong == 0,
    )


def zeta_sign() -> Demonstration:
    a, b = FAILING["zeta_sign"].a, FAILING["zeta_sign"].b
    rows = {"ζ": [], "Algorithm 2 as printed": [], "ours": []}
    refused = 0
    for zeta in (1.0, 0.0, -1.0):
        try:
            printed = searches.printed_search("ℓ1", a, b, zeta).result
            text = f"x = {words.vector_text(printed.x)}, y = {words.shown(printed.y)}"
        except ZeroDivisionError:
            text = "division by zero"
        try:
            x, y = project_l1_cone(a, b, zeta)
            ours = f"x = {words.vector_text(x)}, y = {words.shown(y)}"
        except ValueError as error:
            ours, refused = str(error), refused + 1
        rows["ζ"].append(f"{zeta:g}")
        rows["Algorithm 2 as printed"].append(text)
        rows["ours"].append(ours)
    return Demonstration(
        f"For ζ < 0 the problem is not convex and for ζ = 0 y is free; {refused} of 3 values of ζ "
        "are refused with a reason.",
        rows,
        refused == 2,
    )
