"""What "auto" does: the method of the cheapest steps, until another one would be cheaper.

Decisions rest on counted work, in floating-point operations of a dense factorisation, never on the
clock: the same call makes the same choices on every machine. A method that has spent as much as the
next one is estimated to need hands over, which is at most twice the cost of knowing beforehand.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .first_order.methods import licp_block, locp, pcp
from .method import Method, all_of, squared_loss, squared_norm, twice_differentiable
from .problems import Candidate, SVMProblem, relative_gap
from .second_order.newton import WORKING_SET_RATIO, newton, newton_smooth, why_not_dense
from .second_order.sieve import Sieve, product_work
from .second_order.svm_path import OVERHEAD, SORT, BetaPath

# Measured: an interior point's ten or so iterations cost INTERIOR·min²·max of N and n, most of them
# products of matrices; with far more features than that it works on sets of them.
INTERIOR, INTERIOR_FACTORS = 5.0, 4.0
LEAST_BUDGET = 6e8  # below this, looking for something better costs more than it saves, and so
LEAST_HARD = 1.5e8  # where it is hard
# Features per sample and group, over all of those sets: for the squared loss, and for others.
WORKING_SETS, CURVED_SETS = 12.0, 6.0
# A support of nearly N + m features, the most there can be, has nearly singular faces; TROUBLE is
# the number of linear systems per change of the support.
CROWDED, TROUBLE, HARD_SHARE = 0.85, 2.5, 0.25
# First-order steps that a system of the support must cost before they are tried beside it, steps
# that setting them up costs, and how much further, in work done so far, their end may be.
SYSTEM_STEPS, LANCZOS, PATIENCE = 3.0, 20.0, 3.0
AIM, STEPS_SHOWN = 1e-6, 25  # relative gap that their rate is projected to, steps between looks
LOOKS = 16  # candidates that a long run shows before it hands over


def smooth(problem, w0=None):
    """min f(Xw + b) + λ/2 ‖A|w|‖²: a sieve, then an interior point, then a first-order method."""
    yield partial(Candidate, np.zeros(problem.n_features) if w0 is None else w0)
    path = StrengthPath(problem, w0)
    yield from path.candidates(problem)


class StrengthPath:
    """Candidates for one λ after the other, each from the support of the last, as "auto" does."""

    def __init__(self, problem, w0=None):
        self._sieve = Sieve(problem, w0)
        newtons = (m for m in (newton, newton_smooth) if m.accepts(problem) is None)
        firsts = (m for m in (locp, pcp) if m.accepts(problem) is None)
        self._next = next(newtons, None)
        self._budget = np.inf if self._next is None else interior_work(problem)
        self._next = self._next or next(firsts)

    def candidates(self, problem):
        """The solution, and what there is after much work, one zero-argument function each."""
        sieve, steps = self._sieve, CheapSteps(problem)
        shown = began = sieve.work
        patience = max(LEAST_BUDGET, min(self._budget, 1e12) / LOOKS)
        # Every group of its own carries a weight at least: so large will the systems be.
        least = 0 if problem.groups.overlapping else problem.groups.n_groups
        if steps.are_cheap_beside(least):
            yield from steps.until(least**3 / 3.0, sieve.w)
        for _ in sieve.rounds(problem):
            if sieve.work - began > self._most(problem):
                break
            if steps.are_cheap_beside(sieve.size):
                yield from steps.until(sieve.work - began, sieve.w)
            if sieve.work - shown > patience:
                shown = sieve.work
                yield partial(Candidate, sieve.w)
        yield partial(Candidate, sieve.w)
        # Working sets begin with what was found; an interior point on all features would jam there.
        few = why_not_dense(problem) is not None
        yield from self._next.run(problem, sieve.w if few else None)

    def _most(self, problem) -> float:
        """The work after which the sieve hands over."""
        if _hard(problem, self._sieve):
            return max(HARD_SHARE * self._budget, LEAST_HARD)
        return max(self._budget, LEAST_BUDGET)

    def finished(self, w, u=None):
        """The best point found for the last λ."""
        self._sieve.start(w)


class CheapSteps:
    """LOCP beside a sieve whose linear systems have become large, for as much work, while it pays.

    With many nonzeros in sparse data a system costs as much as hundreds of its steps, and where the
    data are well conditioned those are enough.
    """

    def __init__(self, problem):
        self._problem = problem
        design = problem.design
        products = 2.0 * product_work(design)
        self._step = products + 3.0 * SORT * design.shape[1] + OVERHEAD
        self._iterates, self._left, self._work = None, locp.accepts(problem) is not None, 0.0
        self._gap = 1.0

    def are_cheap_beside(self, support) -> bool:
        return not self._left and support**3 / 3.0 > SYSTEM_STEPS * self._step

    def until(self, work, w):
        """Iterates up to as much work as that; given up where the gap falls too slowly."""
        if self._iterates is None:
            self._iterates = locp.run(self._problem, w)
            self._work = LANCZOS * self._step
        start, build = self._work, None
        while self._work < work:
            for _ in range(STEPS_SHOWN):
                build = next(self._iterates)
            self._work += STEPS_SHOWN * self._step
            yield build
        if build is None:
            return
        score = self._problem.score(build())
        gap = relative_gap(score.objective, score.bound)
        rate = np.log(self._gap / gap) if 0.0 < gap < self._gap else 0.0
        self._left = np.log(gap / AIM) * (self._work - start) > rate * PATIENCE * work
        self._gap = gap


def _hard(problem, sieve) -> bool:
    """Whether signs keep changing, or w has nearly as many nonzeros as there can be.

    With far more features the interior point has the same trouble.
    """
    n_features, most = problem.n_features, problem.n_samples + problem.groups.n_groups
    if not most < n_features <= WORKING_SET_RATIO * most:
        return False
    return sieve.trouble > TROUBLE or np.count_nonzero(sieve.w) > CROWDED * most


def interior_work(problem) -> float:
    """The work of an interior point for a smooth loss, about."""
    n_samples, n_features = problem.design.shape
    n_groups = problem.groups.n_groups
    small, large = min(n_samples, n_features), max(n_samples, n_features)
    sets = WORKING_SETS if squared_loss(problem) is None else CURVED_SETS
    large = min(large, sets * (n_samples + n_groups))
    system = small + n_groups * problem.groups.overlapping
    return INTERIOR * small**2 * large + INTERIOR_FACTORS * system**3


def svm(problem, w0=None):
    """min Σ hinge + α/2 ‖w‖² + β/2 ‖A|w|‖²: steps on the dual, an interior point, LICP."""
    if w0 is not None:
        yield partial(Candidate, w0)
    yield from BetaPath(problem, w0).candidates(problem)
    yield from licp_block.run(problem, None)


def _hinge(problem) -> str | None:
    return None if isinstance(problem, SVMProblem) else "it is for the hinge loss"


automatic_smooth = Method(
    "auto",
    "Automatic",
    "this software; an active set on few features, an interior point where that is cheaper",
    smooth,
    accepts=all_of(twice_differentiable, squared_norm),
    max_iter=100_000,
    few_iterations=True,
)
automatic_svm = Method(
    "auto",
    "Automatic",
    "this software; quasi-Newton and Newton steps on the dual, or an interior point",
    svm,
    accepts=_hinge,
    max_iter=100_000,
    few_iterations=True,
)
