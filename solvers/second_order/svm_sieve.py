"""The E-SVM on the features that can carry weight, certified on all: for many more than those."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..problems import Candidate
from .svm_interior import interior_fits, svm_interior_point

SIEVED = 12  # features per sample and group from which sieving pays
ROOM = 2  # gathered features per sample and group
HANDED_OVER = 1e-2  # relative gap from which violators are looked for, then ten times less each
NOISE = 1e-9  # by how much |v| may exceed its group's reach


def sieve_pays(problem) -> bool:
    """Whether there are far more features than can carry weight, or all at once would not fit."""
    most = problem.n_samples + problem.groups.n_groups
    return problem.n_features > SIEVED * most or not interior_fits(problem)


def likely_features(problem, known=None):
    """The features of a neighbouring solution, and those that are pulled at most at first."""
    geometry = problem.geometry
    room = ROOM * (problem.n_samples + geometry.n_groups)
    v = problem.weighted_samples(problem.central_dual())
    cover = geometry.spread(problem.penalty.cover(v, np.zeros(problem.n_features)))
    v = geometry.magnitude(v)
    likely = np.divide(v, cover, out=np.full_like(v, np.inf), where=cover > 0.0)
    return np.union1d(_top(likely, room), [] if known is None else known).astype(np.intp)


def sieved_interior(problem, chosen, *, exact=False):
    """Interior points on growing sets of features, from the chosen ones.

    A feature outside is right to carry no weight where |vᵢ| ≤ (Aᵀs)ᵢ, v = Zu and s = βA|w|; the
    ones that violate this most join. One product Zu a round.
    """
    n_features, level = problem.n_features, HANDED_OVER
    room = ROOM * (problem.n_samples + problem.groups.n_groups)
    while True:
        outside = np.ones(n_features, dtype=bool)
        outside[chosen] = False
        small = problem.restricted(chosen)
        for build in svm_interior_point(small, exact=exact):
            here = build()
            point = _everywhere(here, chosen, n_features)
            yield partial(Candidate, **vars(point))
            if not _relative_error(small, here) <= level:
                continue
            level *= 0.1
            excess = _excess(problem, point, outside)
            violators = np.flatnonzero(excess > 0.0)
            if violators.size:
                break
        else:
            return
        new = violators[_top(excess[violators], room)]
        chosen = np.union1d(chosen, new)


def _relative_error(problem, point) -> float:
    score = problem.score(point)
    return (score.objective - score.bound) / max(abs(score.objective), np.finfo(float).tiny)


def _excess(problem, point, outside) -> np.ndarray:
    """By how much the features outside violate optimality; 0 for the others."""
    geometry, w = problem.geometry, point.w if point.other_w is None else point.other_w
    reach = geometry.spread(problem.penalty.slope(geometry.totals(w)))
    v = geometry.magnitude(problem.weighted_samples(point.dual))
    return np.where(outside, np.maximum(v - (1.0 + NOISE) * reach - NOISE * v.max(), 0.0), 0.0)


def _top(values, most) -> np.ndarray:
    if values.size <= most:
        return np.arange(values.size)
    return np.argpartition(-values, most - 1)[:most]


def _everywhere(candidate, chosen, n_features) -> Candidate:
    """A candidate of the chosen features as one of all."""

    def spread(values):
        if values is None:
            return None
        w = np.zeros(n_features)
        w[chosen] = values
        return w

    return Candidate(
        spread(candidate.w),
        dual=candidate.dual,
        other_w=spread(candidate.other_w),
        other_dual=candidate.other_dual,
    )
