"""What the page says of a projection: numbers, answers, titles, and where the print goes wrong."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context

import numpy as np

from lab.cones.descent import Descent
from lab.cones.projections import ROUNDING, Projection, norm
from lab.cones.searches import CorrectedSearch, PrintedSearch
from lab.words import plain_number


def shown(value: float, digits: int = 3) -> str:
    """A number for prose: few digits, a true minus sign.

    Rounded as a browser rounds, halves upwards, and after the noise of the last digits is gone, so
    that a live picture and the page say the same.
    """
    rounded = Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(float(f"{value:.12g}"))
    return "0" if rounded == 0 else plain_number(float(rounded), digits)


def exactly(value: float) -> str:
    """All digits of a float, where the last one decides."""
    return repr(float(value)).removesuffix(".0").replace("-", "−")


def point_text(x, y: float) -> str:
    """(x₁, x₂, …; y)"""
    return f"({', '.join(shown(value) for value in x)}; {shown(y)})"


def residual_text(value: float) -> str:
    if value == 0.0 or abs(value) >= 1e-3:
        return shown(value)
    return f"{value:.0e}".replace("-", "−")


def cone_text(cone: str) -> str:
    return "‖x‖₁ ≤ y" if cone == "ℓ1" else "‖x‖∞ ≤ y"


def answer(p: Projection) -> str:
    """What the step does to this group, in one sentence."""
    opening = "One step projects each group onto a cone: here"
    start = f"(a; b) = {point_text(p.a, p.b)}"
    d = p.a.size
    if p.place == "inside":
        return f"{opening} {start} lies inside the {p.cone} cone and stays where it is."
    if p.place == "polar":
        return (
            f"{opening} {start} lies in the polar cone, so it moves by {shown(p.distance)} to the "
            f"origin: {_of(d, d)} {'is' if d == 1 else 'are'} exactly zero."
        )
    moves = f"{opening} {start} moves by {shown(p.distance)} to {point_text(p.x, p.y)}"
    if d == 1:
        return f"{moves}, in the metric of ζ = {shown(p.zeta)}."
    if p.cone == "ℓ1":
        becomes = "becomes" if p.zeros <= 1 else "become"
        return f"{moves}, and {_of(p.zeros, d)} {becomes} exactly zero."
    cut = "is cut to" if p.clipped == 1 else "are cut to the same size"
    return f"{moves}, and {_of(p.clipped, d)} {cut} y = {shown(p.y)}."


def group_answer(p: Projection, delta: float) -> str:
    """What a step does to a group of two weights, with the numbers of this one."""
    vanish = ("neither vanishes", "one vanishes", "both vanish")[p.zeros]
    return (
        f"It takes the same δ = {shown(delta)} off the size of every weight in a group, and what "
        f"is below δ vanishes: of {vector_text(p.a)} it leaves {vector_text(p.x)}; {vanish}."
    )


def group_title(p: Projection, delta: float) -> str:
    """The finding of the picture of a group, with the line at rest; the browser says it too."""
    vanish = ("no weight vanishes", "one weight vanishes", "both weights vanish")[p.zeros]
    return f"The line settles at δ = {shown(delta)}, ζ times what stands out: {vanish}"


def step_titles(run: Descent) -> list[str]:
    """What happens in each frame: an iterate, the gradient step from it, the next iterate, …"""
    found = []
    for i, (place, value) in enumerate(zip(run.iterates, run.objective, strict=True)):
        above = f"{shown(max(0.0, value - run.least), 2)} above the least"
        what = "start at" if i == 0 else "project onto the cone:"
        found.append(
            f"{run.method}, step {i}: {what} {vector_text(place)}, objective {shown(value)}, "
            f"{above}"
        )
        if i < len(run.gradient):
            down = vector_text(run.gradient[i])
            found.append(f"{run.method}, step {i + 1}: go down the gradient to {down}")
    return found


def descent_answer(run: Descent, steps: int) -> str:
    """What the steps shown have achieved."""
    begun, left = run.objective[0] - run.least, run.objective[steps] - run.least
    count = "1 step" if steps == 1 else f"{steps} steps"
    if steps == 0:
        return (
            f"It goes down the gradient and projects, again and again: {run.method} starts "
            f"{shown(begun)} above the least objective."
        )
    return (
        f"It goes down the gradient and projects, again and again: after {count} of {run.method} "
        f"the objective is {shown(max(left, 0.0), 2)} above the least, from {shown(begun)} at the "
        "start."
    )


def search_titles(p: Projection, search: CorrectedSearch) -> list[str]:
    """What each candidate of the search shows, j = 0 … d."""
    name, sizes = ("δ" if p.cone == "ℓ1" else "y"), np.sort(np.abs(p.a))[::-1]
    found = []
    for candidate in search.candidates:
        opening = f"j = {candidate.j}: the candidate is {name} = {shown(candidate.value)}"
        if candidate.j == search.j:
            ending = "the largest of all, and the answer"
        elif candidate.j < sizes.size and sizes[candidate.j] > candidate.value:
            ending = f"the next size, {shown(sizes[candidate.j])}, is larger: go on"
        else:
            ending = "no larger than the one before" if candidate.value > 0 else "not above 0"
        found.append(f"{opening}, {ending}")
    return found


def plane_title(p: Projection) -> str:
    """The finding of the picture in the plane."""
    if p.place == "inside":
        return "Inside the cone: the point stays where it is"
    if p.place == "polar":
        return "In the polar cone: the origin is nearest"
    return f"Nearest in the cone: {point_text(p.x, p.y)}, {shown(p.distance)} away"


def plane_prose(p: Projection) -> str:
    """The current numbers of one weight: the rest, and the inner product that is 0."""
    (u,), v = p.residual
    if p.place == "inside":
        return f"|x| = {shown(abs(p.a[0]))} is at most y = {shown(p.b)}, so nothing is left over."
    curve = (
        " The dashed curve is everything as far from the point as its projection; it touches the "
        "cone there, and the dashed line is the rest."
    )
    if p.place == "polar":
        return (
            f"|a| = {shown(abs(p.a[0]))} is at most −ζb = {shown(-p.zeta * p.b)}, so the whole "
            f"point is left over.{curve}"
        )
    product = f"{_factor(p.x[0])}·{_factor(u)} + {shown(p.zeta)}·{_factor(p.y)}·{_factor(v)}"
    return (
        f"The rest {point_text((u,), v)} is orthogonal to the projection at "
        f"ζ = {shown(p.zeta)}: {product} = {residual_text(p.inner_product)}.{curve}"
    )


def space_prose(p: Projection) -> str:
    """What the lines in space are."""
    if p.place == "inside":
        return "The point is in the cone, so it is its own projection."
    if p.place == "polar":
        return "The whole point is left over, and the orange line leads to the origin."
    return (
        "The orange line, from the point to its projection, is orthogonal to the blue one from the "
        f"origin: their inner product at ζ = {shown(p.zeta)} is {residual_text(p.inner_product)}."
    )


def space_title(p: Projection) -> str:
    """The finding of the picture in space, which has two weights."""
    if p.place != "between":
        return plane_title(p)
    if p.cone == "ℓ1":
        on_an_edge, finding = (
            bool(np.any(p.x == 0.0)),
            ("one entry is exactly zero", "none is zero"),
        )
    else:
        on_an_edge = p.clipped == p.a.size
        finding = ("both entries are cut to y", "only the larger entry is cut")
    return f"On an edge: {finding[0]}" if on_an_edge else f"On a face: {finding[1]}"


def entries_title(p: Projection, search: CorrectedSearch) -> str:
    """The finding of the picture entry by entry."""
    d = p.a.size
    if p.place == "inside":
        return f"Inside the {p.cone} cone: no entry changes"
    if p.place == "polar":
        return "In the polar cone: every entry becomes zero"
    if p.cone == "ℓ1":
        becomes = "becomes" if p.zeros <= 1 else "become"
        return f"Shrunk by δ = {shown(search.level)}: {_of(p.zeros, d)} {becomes} zero"
    cut = "is" if p.clipped <= 1 else "are"
    return f"Cut at y = {shown(search.level)}: {_of(p.clipped, d)} {cut} larger"


def moreau_title(p: Projection) -> str:
    """The finding of the decomposition's picture."""
    kept = math.sqrt(p.inner((p.x, p.y), (p.x, p.y)))
    return f"A sum of two parts, {shown(kept)} and {shown(p.distance)} long"


def moreau_prose(p: Projection) -> str:
    """The current numbers of the decomposition."""
    whole, kept, rest = (p.inner(q, q) for q in ((p.a, p.b), (p.x, p.y), p.residual))
    return (
        f"{point_text(p.a, p.b)} = {point_text(p.x, p.y)} + {point_text(*p.residual)}, and the "
        f"squared lengths at ζ = {shown(p.zeta)} add up, as at a right angle: "
        f"{shown(kept)} + {shown(rest)} = {shown(whole)}."
    )


def identity_title(d: np.ndarray, parts: tuple[np.ndarray, np.ndarray]) -> str:
    """The finding of the picture of the two proxes."""
    error = float(np.abs(parts[0] + parts[1] - d).max())
    a = f"a, to within {residual_text(error)}" if error else "exactly a"
    return f"The two proxes add up to {a}"


def verdict(search: PrintedSearch, p: Projection) -> list[str]:
    """Where the printed algorithm goes wrong at this point, and why; empty if it is right."""
    printed = search.result
    if printed.is_projection:
        return []
    x_name = "‖x‖₁" if p.cone == "ℓ1" else "‖x‖∞"
    findings = [_cause(search, p)]
    if printed.y < 0.0:
        findings.append(f"It returns a negative y = {shown(printed.y)}.")
    elif not printed.conditions["in the cone"][1]:
        size = norm(p.cone, printed.x)
        findings.append(
            f"Its output is infeasible: {x_name} = {shown(size)} exceeds y = {shown(printed.y)}."
        )
    apart = float(np.abs(printed.x - p.x).max())
    if apart > ROUNDING * p.size:
        findings.append(
            f"It returns x = {vector_text(printed.x)} where {vector_text(p.x)} is right."
        )
    return findings


def _cause(search: PrintedSearch, p: Projection) -> str:
    near = search.missed_by_rounding
    if search.ended == "window":
        return (
            f"The window holds and y = {shown(search.result.y)} is right, but the line printed for "
            "x, sgn(a)⊙min(|a| − y, 0), should read sgn(a)⊙min(|a|, y)."
        )
    if p.place == "polar" and p.cone == "ℓ1":
        return (
            f"The case of the origin is missing: −ζb = {shown(-p.zeta * p.b)} is at least "
            f"‖a‖∞ = {shown(np.abs(p.a).max())}, no window holds, and the input comes back."
        )
    if p.place == "polar":
        return (
            f"The case of the origin is missing: ζb + ‖a‖₁ = "
            f"{shown(p.zeta * p.b + np.abs(p.a).sum())} is not positive, no window holds, and y "
            "keeps its last candidate."
        )
    if near is not None:
        name = "δ" if p.cone == "ℓ1" else "y"
        back = "the input comes back" if p.cone == "ℓ1" else "x stays 0"
        return (
            f"A tie is missed by rounding: at j = {near.j} the candidate {name} is "
            f"{residual_text(near.misses_by)} outside its window, no other window holds, and "
            f"{back}."
        )
    return "No window holds."


def vector_text(x) -> str:
    return f"({', '.join(shown(value) for value in x)})"


def _factor(value: float) -> str:
    return f"({shown(value)})" if value < 0.0 else shown(value)


def _of(some: int, count: int) -> str:
    """Some of the entries, in words that a verb follows: singular for none and for one."""
    if some == count:
        return {1: "the one entry", 2: "both entries"}.get(count, f"all {count} entries")
    if some == 0:
        return "neither entry" if count == 2 else "no entry"
    return "one of the two entries" if count == 2 else f"{some} of {count} entries"
