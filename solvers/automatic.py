"""What "auto" does: the method of the cheapest steps, until another one would be cheaper.

Decisions rest on counted work, in floating-point operations of a dense factorisation, never on the
clock: the same call makes the same choices on every machine. A method that has spent as much as the
next one is estimated to need hands over, which is at most twice the cost of knowing beforehand.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .cheap_steps import CheapSteps
from .first_order.methods import licp_block, locp, pcp
from .first_order.near_features import NearSteps
from .method import Method, all_of, squared_norm, twice_differentiable
from .problems import Candidate, SVMProblem
from .second_order.columns import MATRIX_PRODUCT
from .second_order.newton import WORKING_SET_RATIO, newton, newton_smooth, why_not_dense
from .second_order.newton_system import iteration_work
from .second_order.sieve import Sieve
from .second_order.svm_path import BetaPath

ITERATIONS = 10.0  # of an interior point, about
LEAST_BUDGET = 6e8  # below this, looking for something better costs more than it saves, and so
LEAST_HARD = 1.5e8  # where it is hard
# With far more features than samples and groups it works on sets of them: so many features per
# sample and group over all of those sets.
WORKING_SETS = 6.0
# A support of nearly N + m features, the most there can be, has nearly singular faces; TROUBLE is
# the number of linear systems per change of the support. From the second such number on the sieve
# gets less than the interior point would take, the less the larger it is.
CROWDED, TROUBLE, TROUBLED, IMPATIENCE = 0.85, 2.5, 3.5, 4.0
# First-order steps that a system of the support must cost before they are tried beside it. While
# their own end is nearer than FEW_SYSTEMS of the size of their support, the sieve waits.
SYSTEM_STEPS, FEW_SYSTEMS = 3.0, 3.0
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
        sieve, steps = self._sieve, CheapSteps(problem, NearSteps)

        def systems():
            return FEW_SYSTEMS * system_work(problem, np.count_nonzero(steps.w))

        shown = began = sieve.work
        patience = max(LEAST_BUDGET, min(self._budget, 1e12) / LOOKS)
        # Every group of its own carries a weight at least: so large will the systems be.
        least = 0 if problem.groups.overlapping else problem.groups.n_groups
        if steps.are_cheap_beside(SYSTEM_STEPS, least):
            yield from steps.until(least**3 / 3.0, systems, sieve.w)
            if steps.arrived:
                sieve.start(steps.w)
        for _ in sieve.rounds(problem):
            if sieve.work - began > self._most(problem):
                break
            if steps.are_cheap_beside(SYSTEM_STEPS, sieve.size):
                yield from steps.until(sieve.work - began, systems, sieve.w)
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
            share = min(1.0, (TROUBLED / self._sieve.trouble) ** IMPATIENCE)
            return max(share * self._budget, LEAST_HARD)
        return max(self._budget, LEAST_BUDGET)

    def finished(self, w, u=None):
        """The best point found for the last λ."""
        self._sieve.start(w)


def _hard(problem, sieve) -> bool:
    """Whether signs keep changing, or w has nearly as many nonzeros as there can be.

    With far more features the interior point has the same trouble.
    """
    n_features, most = problem.n_features, problem.n_samples + problem.groups.n_groups
    if not most < n_features <= WORKING_SET_RATIO * most:
        return False
    return sieve.trouble > TROUBLE or np.count_nonzero(sieve.w) > CROWDED * most


def system_work(problem, support) -> float:
    """The work of one linear system on a support, its Gram matrix included."""
    size, n_samples = min(support, problem.n_samples + problem.groups.n_groups), problem.n_samples
    return size**3 / 3.0 + MATRIX_PRODUCT * 2.0 * n_samples * size**2


def interior_work(problem) -> float:
    """The work of an interior point for a smooth loss, about."""
    n_samples, n_features = problem.design.shape
    if why_not_dense(problem) is not None:
        n_features = min(n_features, int(WORKING_SETS * (n_samples + problem.groups.n_groups)))
    return ITERATIONS * iteration_work(problem.geometry, n_samples, n_features)


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
