"""The E-SVM by whichever method is cheapest from here, for one β or for one after the other."""

from __future__ import annotations

import numpy as np

from ..first_order.formulations import multipliers_off_margin
from .columns import MATRIX_PRODUCT
from .sieve import PRODUCT, SPARSE_PRODUCT
from .svm_interior import interior_fits, svm_interior_point
from .svm_newton import newton_step
from .svm_quasi_newton import DualPoint, ProjectedQuasiNewton
from .svm_sieve import sieve_pays, sieved_interior

AIM = 1e-6  # relative gap that a projection looks ahead to
LOOK = 9  # quasi-Newton steps between two looks at what another method would cost
SHOWN = 3  # quasi-Newton steps between two candidates: a measurement costs as much as a step
SHORT_STEP = 0.1  # a Newton step shorter than this: the pieces of f are far smaller than the way
WHOLE_STEP = 0.9
TRIES = 12  # Newton steps that were not whole
IDLE = 3  # whole Newton steps that gain nothing: rounding, or the end of double precision
LARGEST_NEWTON = 4000  # samples near the margin, and
LARGEST_TABLE = 1e8  # entries of the support's columns, for which a Newton step is considered
FACTORS = 6.0  # factorisations of one Newton step, about
INTERIOR_ITERATIONS = 20.0
OVERHEAD = 5e6  # of one iteration of any kind, in operations
SORT = 40.0  # operations per feature of w(u), which sorts each group


class BetaPath:
    """Candidates for one β after the other, each from the dual point of the last.

    Disjoint groups: quasi-Newton steps on u, two products with X each; where their projected cost
    exceeds that of a Newton step on the samples near the margin, that one; and an interior point
    once as much has been spent as it needs. Overlapping groups have no closed-form w(u): an
    interior point, on the features that can carry weight where there are many more.
    """

    def __init__(self, problem, w0=None):
        self._known = None
        self._features = None
        self._budget = interior_work(problem) if interior_fits(problem) else np.inf
        if w0 is not None and np.any(w0):
            self._features = np.flatnonzero(w0)
            if not problem.groups.overlapping:
                self._known = multipliers_off_margin(problem, w0)

    def candidates(self, problem):
        """Candidates of growing accuracy, one zero-argument function each."""
        if problem.groups.overlapping:
            yield from self._overlapping(problem)
            return
        if self._budget > LEAST_BUDGET:
            yield from DualSteps(problem, self._known, self._budget).candidates()
        else:
            # Where every sample is inside the margin, this is the solution.
            yield _best_start(problem, self._known).candidate
        if self._budget < np.inf:
            yield from svm_interior_point(problem)

    def _overlapping(self, problem):
        if sieve_pays(problem):
            yield from sieved_interior(problem, self._features)
        else:
            yield from svm_interior_point(problem)

    def finished(self, w, u):
        """The best primal and dual points found for the last β."""
        self._known, self._features = u, np.flatnonzero(w)


LEAST_BUDGET = 1.5e8  # an interior point this cheap is run at once


class DualSteps:
    """Quasi-Newton and Newton steps on u, whichever promises more, within a budget of work."""

    def __init__(self, problem, start, budget):
        self._point = _best_start(problem, start)
        self._quasi = ProjectedQuasiNewton(self._point)
        self._budget, self._work = budget, 0.0
        design = problem.design
        product = (SPARSE_PRODUCT if design.is_sparse else PRODUCT) * design.flops
        self._step_work = 2.0 * product + 3.0 * SORT * design.shape[1] + OVERHEAD

    def candidates(self):
        point = self._point
        yield point.candidate
        tries = idle = 0
        newton_next = False
        while self._work <= self._budget:
            before, step = point.gap(), 0.0
            if newton_next:
                self._work += self._newton_work()
                step = newton_step(point)
                tries += step < WHOLE_STEP
                if step == 0.0:
                    point.recompute()
                yield point.candidate
            if step < WHOLE_STEP:
                before = point.gap()
                for count in range(1, LOOK + 1):
                    self._work += self._step_work
                    if not self._quasi.step():
                        yield point.candidate
                        return
                    if count % SHOWN == 0:
                        yield point.candidate
            elif point.gap() >= 0.5 * before:
                idle += 1
                point.recompute()
            leaving = self._budget < np.inf and newton_next and step < SHORT_STEP
            if idle > IDLE or tries > TRIES or leaving:
                return
            newton_next = step >= WHOLE_STEP or self._newton_pays(before)

    def _newton_pays(self, before) -> bool:
        """Whether quasi-Newton steps at the last rate would cost more than two Newton steps."""
        gap, target = self._point.gap(), AIM * abs(self._point.dual_value())
        if not gap > target:
            return False
        rate = np.log(before / gap) / LOOK if gap < before else 0.0
        steps = np.log(gap / target) / rate if rate > 0.0 else np.inf
        return 2.0 * self._newton_work() < min(steps * self._step_work, self._budget)

    def _newton_work(self) -> float:
        point = self._point
        rows, support = point.near_margin().size, np.count_nonzero(point.w)
        n_samples = point.y.size
        if rows > LARGEST_NEWTON or n_samples * support > LARGEST_TABLE or not support:
            return np.inf
        products = MATRIX_PRODUCT * 2.0 * rows**2 * support + 6.0 * n_samples * support
        return products + FACTORS * rows**3 / 3.0 + OVERHEAD


def _best_start(problem, start) -> DualPoint:
    """The known dual point or the central one, whichever has the larger dual value."""
    cold = DualPoint(problem)
    if start is None:
        return cold
    warm = DualPoint(problem, start)
    return warm if warm.dual_value() > cold.dual_value() else cold


def interior_work(problem) -> float:
    """The work of the interior point, about."""
    n_samples, n_features = problem.design.shape
    small, large = min(n_samples, n_features), max(n_samples, n_features)
    products = MATRIX_PRODUCT * 2.0 * small**2 * large + 12.0 * n_samples * n_features
    system = small**3 / 3.0 + (problem.groups.n_groups**3 if problem.groups.overlapping else 0.0)
    return INTERIOR_ITERATIONS * (products + system + OVERHEAD)
