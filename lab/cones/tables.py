"""Tables of the searches, of the optimality conditions, and of what is taken home."""

from __future__ import annotations

import numpy as np

from lab.cones.projections import ROUNDING, Projection
from lab.cones.searches import CorrectedSearch, PrintedSearch, Step
from lab.cones.words import exactly, residual_text, shown


def printed_table(search: PrintedSearch) -> dict[str, list[str]]:
    """The turns of the printed algorithm: j, t, the candidate, and the window it must lie in."""
    l1 = search.result.cone == "ℓ1"
    opening = "[" if l1 else "("
    return {
        "j": [str(step.j) for step in search.steps],
        "t": [shown(step.t, 4) for step in search.steps],
        "δ" if l1 else "y": [_candidate_text(step, search.result.size) for step in search.steps],
        "window": [f"{opening}{shown(step.low)}, {shown(step.high)}]" for step in search.steps],
        "inside?": [_holds_text(step, search.result.size) for step in search.steps],
    }


def _candidate_text(step: Step, size: float) -> str:
    near = min(abs(step.candidate - step.low), abs(step.candidate - step.high))
    at_the_border = 0.0 < near <= ROUNDING * size
    return exactly(step.candidate) if at_the_border else shown(step.candidate, 4)


def _holds_text(step: Step, size: float) -> str:
    if step.holds:
        return "yes: return"
    if 0.0 < step.misses_by <= ROUNDING * size:
        return f"no, by {residual_text(step.misses_by)}"
    return "no"


def corrected_table(p: Projection, search: CorrectedSearch) -> dict[str, list[str]]:
    """All candidates: j, t, δ or y, whether the next magnitude exceeds it, and which is taken."""
    magnitudes = np.sort(np.abs(p.a))[::-1]
    following = [shown(value, 4) for value in magnitudes] + ["none"]
    rises = [
        candidate.j < magnitudes.size and bool(magnitudes[candidate.j] > candidate.value)
        for candidate in search.candidates
    ]
    name = "δⱼ" if p.cone == "ℓ1" else "yⱼ"
    zero_means = "inside the cone" if p.cone == "ℓ1" else "the origin"
    return {
        "j": ["–", *(str(candidate.j) for candidate in search.candidates)],
        "tⱼ": ["–", *(shown(candidate.t, 4) for candidate in search.candidates)],
        name: ["0", *(shown(candidate.value, 4) for candidate in search.candidates)],
        "next magnitude": ["–", *following],
        "larger?": ["–", *("yes: go on" if rise else "no" for rise in rises)],
        "largest?": [
            f"yes: {zero_means}" if search.j is None else "",
            *(
                f"yes: {name[0]} = {shown(search.level, 4)}" if candidate.j == search.j else ""
                for candidate in search.candidates
            ),
        ],
    }


def certificate_table(projections: dict[str, Projection]) -> dict[str, list[str]]:
    """The three optimality conditions of each candidate: by how much each of them fails."""
    conditions = ("in the cone", "orthogonal", "rest in the polar cone")
    columns = {"condition": list(conditions)}
    for name, p in projections.items():
        columns[name] = [
            f"{'holds' if holds else 'fails'} ({residual_text(value)})"
            for value, holds in (p.conditions[condition] for condition in conditions)
        ]
    return columns


def entries_table(p: Projection, printed: Projection) -> dict[str, np.ndarray]:
    """One row per entry and one for the height: the point, its two parts, the printed result."""
    return {
        "coordinate": np.array([*(f"x{i}" for i in range(1, p.a.size + 1)), "y"]),
        "point": np.append(p.a, p.b),
        "projection": np.append(p.x, p.y),
        "polar part": np.append(*p.residual),
        "as printed": np.append(printed.x, printed.y),
    }


def moreau_table(
    p: Projection, d: np.ndarray, parts: tuple[np.ndarray, np.ndarray]
) -> dict[str, np.ndarray]:
    """One row per number on show: the point of the plane and the group, each with its two parts."""
    entries = [f"a{i}" for i in range(1, d.size + 1)]
    return {
        "coordinate": np.array(["x", "y", *entries]),
        "whole": np.concatenate([p.a, [p.b], d]),
        "first part": np.concatenate([p.x, [p.y], parts[0]]),
        "second part": np.concatenate([p.residual[0], [p.residual[1]], parts[1]]),
        "parts": np.array(
            ["projection onto the cone, onto its polar"] * 2
            + ["prox of zeta/2 linf squared, of 1/(2 zeta) l1 squared"] * d.size
        ),
    }
