"""Small problems in memory, and few passes over the data that are not.

A pass over the data costs more than all that is done with a few of their columns. So the columns
that can carry weight are fetched, the problem on them is solved in memory, and one product Xᵀθ of
all features tells which are missing; the same product certifies the point.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..problems import Candidate, SVMProblem, relative_gap
from ..second_order.columns import Columns

FIRST_FEATURES = 256  # fetched at first, besides two a group; and at least as many violators later
HELD_ENTRIES = 2**27  # of fetched columns: 1 GB
CROWDED = 4  # held columns per feature of the support from which the next strength starts anew
FIRST_LEVEL = 1e-3  # relative gap of the first small problem, then
FINER = 0.1  # of the gap that all features leave
LAST_LEVEL = 1e-12
MOST_CANDIDATES = 2000  # of one small problem
NOISE = 1e-13  # by how much |v| may exceed its group's reach, of the largest: rounding


class WorkingSets:
    """Candidates for one strength after the other, with the columns fetched for the last

    A feature outside is right to carry no weight where |vᵢ| ≤ (Aᵀs)ᵢ, v = Xᵀθ and s = λA|w|; the
    ones that violate this most are fetched. `path` makes what solves the small problems, and
    `last_resort` goes on from a candidate where more columns are needed than can be held.
    """

    def __init__(self, problem, path: Callable, last_resort: Callable, w0=None):
        self._path, self._last_resort = path, last_resort
        self._columns = Columns(problem.design)
        w = np.zeros(problem.n_features) if w0 is None else problem.geometry.clip(w0)
        self._point = Candidate(w, dual=_first_dual(problem))

    def start(self) -> Candidate:
        return self._point

    @property
    def known(self) -> np.ndarray | None:
        """The dual point from which the next strength starts."""
        return self._point.dual

    @known.setter
    def known(self, dual) -> None:
        self._point = Candidate(self._point.w, dual=dual)

    def candidates(self, problem):
        """One after every product Xᵀθ, one zero-argument function each."""
        chosen = self._first(problem)
        level = FIRST_LEVEL
        while _room(problem, chosen.size):
            self._columns.add(chosen)
            self._point = self._solved(problem, chosen, level)
            yield self.start
            excess = _excess(problem, self._point, chosen)
            violators = _largest(excess, max(FIRST_FEATURES, chosen.size))
            score = problem.score(self._point)
            gap = relative_gap(score.objective, score.bound)
            if not violators.size and level <= LAST_LEVEL:
                return
            level = max(min(level * (1.0 if violators.size else FINER), FINER * gap), LAST_LEVEL)
            chosen = np.union1d(chosen, violators)
        yield from self._last_resort(problem, self._point)

    def finished(self, w, u=None) -> None:
        """The best points found for the last strength."""
        self._point = Candidate(w, dual=self._point.dual if u is None else u)

    def _first(self, problem) -> np.ndarray:
        """What is held of the last strength, or the likeliest features by what pulls at them."""
        support, held = np.flatnonzero(self._point.w), self._columns.features
        if 0 < held.size <= max(CROWDED * support.size, FIRST_FEATURES):
            return np.union1d(held, support)
        if held.size:
            # The support is on its way out of the old store into the new one: no pass.
            old, self._columns = self._columns, Columns(problem.design)
            problem.design.remember(old)
            self._columns.add(support)
            problem.design.remember(self._columns)
        return _likely(problem, self._point)

    def _solved(self, problem, chosen, level) -> Candidate:
        """The small problem to that relative gap, or as far as it goes, as a point of all."""
        small, start = problem.restricted(chosen), self._point
        path = self._path(small)
        path.finished(start.w[chosen], start.dual)
        inside, dual, smallest, bound = start.w[chosen], start.dual, np.inf, -np.inf
        for count, build in enumerate(path.candidates(small)):
            candidate = build()
            score = small.score(candidate, tol=level, known_bound=bound)
            if score.bound > bound:
                # The best dual point need not come with the best w.
                bound = score.bound
                dual = _better_dual(small, candidate, score.w)
            gap = relative_gap(score.objective, bound)
            if gap < smallest:
                inside, smallest = score.w, gap
            if smallest <= level or count >= MOST_CANDIDATES:
                break
        w = np.zeros(problem.n_features)
        w[chosen] = inside
        return Candidate(w, dual=dual)


def pulled(problem, point: Candidate) -> np.ndarray:
    """v = Xᵀθ, θ the dual point that also certifies the candidate"""
    if isinstance(problem, SVMProblem):
        return problem.weighted_samples(point.dual)
    return problem.design.rmatvec(
        problem.feasible(-problem.loss.gradient(problem.valued(point.w).predictions))
    )


def more_features(problem, point, chosen, most) -> np.ndarray | None:
    """All, or the likeliest, and then those too that violate optimality; None if above `most`."""
    if problem.n_features <= most:
        return np.arange(problem.n_features)
    if chosen is None:
        chosen = _likely(problem, point)
    else:
        excess = _excess(problem, point, chosen)
        chosen = np.union1d(chosen, _largest(excess, max(FIRST_FEATURES, chosen.size)))
    return chosen if chosen.size <= most else None


def _likely(problem, point) -> np.ndarray:
    """The support, and the features that are pulled at most beside their groups."""
    pull = problem.geometry.magnitude(pulled(problem, point))
    cover = problem.geometry.spread(problem.penalty.cover(pull, point.w))
    likely = np.divide(pull, cover, out=np.zeros_like(pull), where=cover > 0.0)
    top = _largest(likely, max(FIRST_FEATURES, 2 * problem.groups.n_groups))
    always = np.union1d(np.flatnonzero(point.w), problem.geometry.unpenalised)
    return np.union1d(top, always).astype(np.intp)


def _better_dual(problem, candidate, w):
    """Of two dual points the one with the better bound: each would cost a pass of its own."""
    if not isinstance(problem, SVMProblem):
        return None
    duals = [u for u in (candidate.dual, candidate.other_dual) if u is not None]
    if len(duals) == 1:
        return duals[0]
    return max(duals, key=lambda u: problem.bound(u, [w]))


def _first_dual(problem):
    """The hinge's dual point is not a function of w; other losses' is."""
    return problem.central_dual() if isinstance(problem, SVMProblem) else None


def _excess(problem, point, chosen) -> np.ndarray:
    """By how much the features that were not chosen violate optimality; 0 for the others."""
    geometry = problem.geometry
    reach = geometry.spread(problem.penalty.slope(geometry.totals(point.w)))
    pull = geometry.magnitude(pulled(problem, point))
    excess = np.maximum(pull - (1.0 + NOISE) * reach - NOISE * pull.max(), 0.0)
    excess[chosen] = 0.0
    return excess


def _largest(values, most) -> np.ndarray:
    """The features of the largest values, of those that are not 0."""
    among = np.flatnonzero(values)
    if among.size <= most:
        return among
    return among[np.argpartition(-values[among], most - 1)[:most]]


def _room(problem, n_columns) -> bool:
    """Whether that many columns can be held here."""
    return problem.n_samples * n_columns <= HELD_ENTRIES
