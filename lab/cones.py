"""Projections onto the ℓ1 and ℓ∞ cones: certified, decomposed, searched for step by step.

A cone is {(x, y): N(x) ≤ y}, with N the ℓ1 or the ℓ∞ norm, and distances are measured with
⟨(x, y), (u, v)⟩ = xᵀu + ζyv. Its polar cone in that metric is {(u, v): N*(u) ≤ −ζv}, with N* the
other one of the two norms. The paper's searches are traced as printed, mistakes and all, next to
a search that cannot miss.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers import project_l1_cone, project_linf_cone

CONES = ("ℓ1", "ℓ∞")
ALGORITHMS = {"ℓ1": "Algorithm 2", "ℓ∞": "Algorithm 3"}

# Text, so that a typed address such as ?cp_zeta=1 means the same as the slider's own.
ZETAS = ("0.1", "0.2", "0.5", "1", "2", "5", "10")

MOST_ENTRIES = 12
LARGEST_ENTRY = 1e6
SEPARATORS = re.compile(r"[,;\s]+")

# Residuals of a projection in double precision, relative to the size of the point.
ROUNDING = 1e-12


def norm(cone: str, x) -> float:
    """N(x), the norm of the cone."""
    magnitudes = np.abs(x)
    return float(magnitudes.sum() if cone == "ℓ1" else magnitudes.max())


def dual_norm(cone: str, u) -> float:
    """N*(u), the norm of the polar cone: ℓ∞ for the ℓ1 cone, ℓ1 for the ℓ∞ cone."""
    return norm("ℓ∞" if cone == "ℓ1" else "ℓ1", u)


@dataclass(frozen=True, eq=False)
class Projection:
    """The point (a, b) and a candidate (x, y) for its projection, with its optimality conditions.

    (x, y) is the projection if and only if it lies in the cone, (a − x, b − y) lies in the polar
    cone, and the two are orthogonal: the KKT conditions of Lemmas 2 and 3.
    """

    cone: str
    a: np.ndarray
    b: float
    zeta: float
    x: np.ndarray
    y: float

    def inner(self, p, q) -> float:
        """⟨p, q⟩ in the ζ metric."""
        return float(p[0] @ q[0] + self.zeta * p[1] * q[1])

    @property
    def residual(self) -> tuple[np.ndarray, float]:
        """(a, b) − (x, y), which is the projection onto the polar cone."""
        return self.a - self.x, self.b - self.y

    @cached_property
    def distance(self) -> float:
        """How far the point moves, in the ζ metric."""
        return math.sqrt(self.inner(self.residual, self.residual))

    @cached_property
    def infeasibility(self) -> float:
        """max(N(x) − y, 0)"""
        return max(norm(self.cone, self.x) - self.y, 0.0)

    @cached_property
    def inner_product(self) -> float:
        """⟨(x, y), (a − x, b − y)⟩, 0 for a projection."""
        return self.inner((self.x, self.y), self.residual)

    @cached_property
    def polar_violation(self) -> float:
        """max(N*(a − x) − ζ(y − b), 0)"""
        u, v = self.residual
        return max(dual_norm(self.cone, u) + self.zeta * v, 0.0)

    @cached_property
    def size(self) -> float:
        """A length that residuals are small against: of the point, or of what was made of it."""
        point, made = (self.a, self.b), (self.x, self.y)
        return math.sqrt(max(self.inner(point, point), self.inner(made, made)))

    @cached_property
    def conditions(self) -> dict[str, tuple[float, bool]]:
        """Each optimality condition: by how much it fails, and whether that is only rounding."""
        lengths = ROUNDING * self.size * max(1.0, self.zeta)
        return {
            "in the cone": (self.infeasibility, self.infeasibility <= lengths),
            "orthogonal": (
                abs(self.inner_product),
                abs(self.inner_product) <= ROUNDING * self.size**2,
            ),
            "rest in the polar cone": (self.polar_violation, self.polar_violation <= lengths),
        }

    @property
    def is_projection(self) -> bool:
        return all(holds for _, holds in self.conditions.values())

    @cached_property
    def gap(self) -> float:
        """A bound on the suboptimality of (x, y), over ½‖(a, b)‖² in the ζ metric.

        The dual is max over s in the polar cone of ⟨s, (a, b)⟩ − ½‖s‖². The residual, with its
        last entry lowered by e until it lies there, is such an s, and primal minus dual is
        ½‖e‖² − ⟨s, (x, y)⟩. Infinite if (x, y) is not in the cone.
        """
        if self.size == 0.0:
            return 0.0
        if not self.conditions["in the cone"][1]:
            return math.inf
        u, v = self.residual
        lowered = self.polar_violation / self.zeta
        excess = 0.5 * self.zeta * lowered**2 - self.inner((u, v - lowered), (self.x, self.y))
        return max(excess, 0.0) / (0.5 * self.size**2)

    @property
    def zeros(self) -> int:
        """Entries that were not 0 and are now."""
        return int(np.count_nonzero((self.x == 0.0) & (self.a != 0.0)))

    @property
    def clipped(self) -> int:
        """Entries cut down to the level y."""
        return int(np.count_nonzero(np.abs(self.a) > np.abs(self.x)))

    @property
    def place(self) -> str:
        """Where the point lies: "inside" the cone, in the "polar" cone, or "between" them."""
        if self.x.tolist() == self.a.tolist() and self.y == self.b:
            return "inside"
        return "polar" if self.y == 0.0 else "between"


def project(cone: str, a: Sequence[float], b: float, zeta: float) -> Projection:
    """argmin over N(x) ≤ y of ½‖x − a‖² + ζ/2 (y − b)², by `solvers`."""
    a = np.asarray(a, dtype=float)
    solve = project_l1_cone if cone == "ℓ1" else project_linf_cone
    x, y = solve(a, b, zeta)
    return Projection(cone, a, float(b), float(zeta), x, y)


def shrink_pair(d: Sequence[float], zeta: float) -> tuple[np.ndarray, np.ndarray]:
    """The proxes of ζ/2‖·‖∞² and of 1/(2ζ)‖·‖₁² at d, each a projection with b = 0.

    By Moreau's identity they add up to d.
    """
    d = np.asarray(d, dtype=float)
    return project_linf_cone(d, 0.0, zeta)[0], project_l1_cone(d, 0.0, 1.0 / zeta)[0]


# -- the searches, step by step --------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One turn of the loop: j, the running sum t, the candidate δ or y, and its window."""

    j: int
    t: float
    candidate: float
    low: float
    high: float
    holds: bool
    misses_by: float


@dataclass(frozen=True)
class PrintedSearch:
    """What the paper's algorithm does, to the letter: its turns, how it ended, what it returned."""

    steps: tuple[Step, ...]
    ended: str  # "inside", "window" or "no window"
    result: Projection

    @property
    def missed_by_rounding(self) -> Step | None:
        """The turn whose window would have held but for rounding, if none held."""
        near = [step for step in self.steps if 0.0 < step.misses_by <= ROUNDING * self.result.size]
        return near[0] if self.ended == "no window" and near else None


def printed_search(cone: str, a: Sequence[float], b: float, zeta: float) -> PrintedSearch:
    """Algorithm 2 (ℓ1) or Algorithm 3 (ℓ∞) as printed in the paper, in floats."""
    a = np.asarray(a, dtype=float)
    steps, ended, x, y = (_printed_l1 if cone == "ℓ1" else _printed_linf)(a, b, zeta)
    return PrintedSearch(tuple(steps), ended, Projection(cone, a, float(b), float(zeta), x, y))


def _printed_l1(a, b, zeta):
    magnitudes = np.append(np.sort(np.abs(a))[::-1], 0.0)
    steps, t = [], 0.0
    for j in range(1, a.size + 1):
        high, low = float(magnitudes[j - 1]), float(magnitudes[j])
        t = t + high
        delta = (t - b) / (1.0 / zeta + j)
        steps.append(_step(j, t, delta, low, high, low <= delta <= high))
        if steps[-1].holds:
            x = np.sign(a) * np.maximum(0.0, np.abs(a) - delta)
            return steps, "window", x, float(np.abs(x).sum())
    return steps, "no window", a.copy(), float(b)


def _printed_linf(a, b, zeta):
    d = a.size
    magnitudes = np.append(0.0, np.sort(np.abs(a)))
    if b >= magnitudes[d]:
        return [], "inside", a.copy(), float(b)
    steps, t, y = [], 0.0, 0.0
    for j in range(d - 1, -1, -1):
        high, low = float(magnitudes[j + 1]), float(magnitudes[j])
        t = t + high
        y = (zeta * b + t) / (zeta + d - j)
        steps.append(_step(j, t, y, low, high, low < y <= high))
        if steps[-1].holds:
            return steps, "window", np.sign(a) * np.minimum(np.abs(a) - y, 0.0), float(y)
    return steps, "no window", np.zeros(d), float(y)


def _step(j, t, candidate, low, high, holds) -> Step:
    misses_by = 0.0 if holds else max(low - candidate, candidate - high, 0.0)
    return Step(j, float(t), float(candidate), low, high, bool(holds), float(misses_by))


@dataclass(frozen=True)
class Candidate:
    """A value of δ (ℓ1) or y (ℓ∞) that keeps, or clips, the j largest entries."""

    j: int
    t: float
    value: float


@dataclass(frozen=True)
class CorrectedSearch:
    """The candidates for j = 0 … d, and the largest of them and 0, which is the answer."""

    candidates: tuple[Candidate, ...]
    level: float
    j: int | None  # None where 0 itself is the largest


def corrected_search(cone: str, a: Sequence[float], b: float, zeta: float) -> CorrectedSearch:
    """The δ of Lemma 2 or the y of Lemma 3 as the largest of d + 2 numbers; no window to miss.

    With tⱼ the sum of the j largest magnitudes, j = 0 … d:

        ℓ1: δ = max(0, ζ(tⱼ − b)/(1 + ζj)),  x = a soft-thresholded at δ,  y = b + δ/ζ
        ℓ∞: y = max(0, (ζb + tⱼ)/(ζ + j)),   x = a clipped to ±y

    The candidates rise while the next magnitude is larger than they are, and fall after. For ℓ1
    the 0 is the point inside the cone and j = 0 the origin; for ℓ∞ it is the other way round.
    """
    sums = np.append(0.0, np.cumsum(np.sort(np.abs(np.asarray(a, dtype=float)))[::-1]))
    count = np.arange(sums.size)
    if cone == "ℓ1":
        values = zeta * (sums - b) / (1.0 + zeta * count)
    else:
        values = (zeta * b + sums) / (zeta + count)
    best = int(np.argmax(values))
    level = max(0.0, float(values[best]))
    candidates = tuple(map(Candidate, count.tolist(), sums.tolist(), values.tolist()))
    return CorrectedSearch(candidates, level, best if values[best] > 0.0 else None)


# -- text ------------------------------------------------------------------------------------


class BadVector(ValueError):
    """The text is no vector; the message says what to write instead."""


def parse_vector(text: str) -> np.ndarray:
    """The numbers in a text such as "1, 0.5, -0.2"; the text itself is never echoed."""
    words = [word for word in SEPARATORS.split(text.replace("−", "-").strip()) if word]
    example = "write numbers separated by commas, such as 1, 0.5, -0.2"
    if not words:
        raise BadVector(f"The vector a is empty; {example}.")
    if len(words) > MOST_ENTRIES:
        raise BadVector(
            f"The vector a has {len(words)} entries; write at most {MOST_ENTRIES}, so that every "
            "turn of the search fits the table."
        )
    values = []
    for place, word in enumerate(words, start=1):
        try:
            values.append(float(word))
        except ValueError:
            raise BadVector(f"Entry {place} of a is not a number; {example}.") from None
        if not abs(values[-1]) <= LARGEST_ENTRY:
            raise BadVector(
                f"Entry {place} of a is not a number between −1,000,000 and 1,000,000; {example}."
            )
    return np.array(values)


def shown(value: float, digits: int = 3) -> str:
    """A number for prose: few digits, a true minus sign."""
    text = f"{value:.{digits}g}"
    return ("0" if text in ("-0", "0") else text).replace("-", "−")


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
        becomes = "becomes" if p.zeros == 1 else "become"
        return f"{moves}, and {_of(p.zeros, d)} {becomes} exactly zero."
    cut = "is cut to" if p.clipped == 1 else "are cut to the same size"
    return f"{moves}, and {_of(p.clipped, d)} {cut} y = {shown(p.y)}."


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
    if p.place == "polar":
        return (
            f"|a| = {shown(abs(p.a[0]))} is at most −ζb = {shown(-p.zeta * p.b)}, so the whole "
            "point is left over."
        )
    product = f"{_factor(p.x[0])}·{_factor(u)} + {shown(p.zeta)}·{_factor(p.y)}·{_factor(v)}"
    return (
        f"The rest {point_text((u,), v)} is orthogonal to the projection at "
        f"ζ = {shown(p.zeta)}: {product} = {residual_text(p.inner_product)}."
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
        return f"Shrunk by δ = {shown(search.level)}: {p.zeros} of {d} become zero"
    return f"Cut at y = {shown(search.level)}: {p.clipped} of {d} are larger"


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
    return f"The two proxes add up to d, to within {residual_text(error)}"


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


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _of(some: int, count: int) -> str:
    if some == count:
        return {1: "the one entry", 2: "both entries"}.get(count, f"all {count} entries")
    return f"{some or 'none'} of {_entries(count)}"


# -- tables ----------------------------------------------------------------------------------


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


def identity_table(d: np.ndarray, parts: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    return {
        "entry": np.arange(1, d.size + 1),
        "d": d,
        "prox of zeta/2 linf squared": parts[0],
        "prox of 1/(2 zeta) l1 squared": parts[1],
    }
