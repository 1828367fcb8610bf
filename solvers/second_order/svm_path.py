"""The E-SVM by whichever method is cheapest from here, for one β or for one after the other."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..cheap_steps import BlockSteps, CheapSteps
from ..course import TINY, Course
from ..first_order.formulations import multipliers_off_margin
from ..problems import Candidate
from .columns import MATRIX_PRODUCT, OVERHEAD, SORT
from .group_blocks import group_work
from .sieve import product_work
from .svm_elimination import Coupling
from .svm_features import NearFeatures
from .svm_interior import Trail, interior_fits, svm_interior_point
from .svm_newton import newton_step
from .svm_pieces import BOX_SYSTEMS
from .svm_quasi_newton import DualPoint, ProjectedQuasiNewton
from .svm_sieve import likely_features, sieve_pays, sieved_interior

AIM, LEAST_AIM = 1e-6, 1e-12  # relative gap that a projection looks ahead to
MOST_HIDDEN = 5  # points further off than is asked for between two that are shown
LEAST_LOOK, LOOK = 3, 9  # quasi-Newton steps between two looks at what another method would cost
WARM_TRY = 3.0  # quasi-Newton steps that a Newton step from a neighbour's solution may cost
SHOWN = 3  # quasi-Newton steps between two candidates: a measurement costs as much as a step
# So many Newton steps shorter than this in a row: the pieces of f are far smaller than the way to
# go, and each further one has failed; as after TRIES that were not whole.
SHORT_STEP, SHORT_STEPS = 0.1, 3
WHOLE_STEP, LEAST_STEP = 0.9, 0.25
NEWTON_STEPS = 2.0  # to the end; as many more as the last one was short
HOPE = 0.3  # of the interior point's cost, before quasi-Newton steps are given up
TRIES = 12  # Newton steps that were not whole
IDLE = 3  # whole Newton steps that gain nothing: rounding, or the end of double precision
LARGEST_NEWTON = 4000  # samples near the margin, and
LARGEST_TABLE = 1e8  # entries of the support's columns, for which a Newton step is considered
MOVING, WITHIN = 2.0, (0.02, 0.5)
FACTORS = 6.0  # factorisations of the first Newton step, about
BOX_SHARE = 0.25  # of the budget that the dearer way to a Newton step may take
INTERIOR_ITERATIONS = 20.0
# Overlapping groups: shares of the interior point's cost up to which block steps are tried, and in
# which they must promise to be there.
TRIAL, HASTE = 0.2, 1.0


class BetaPath:
    """Candidates for one β after the other, each from the dual point of the last.

    Disjoint groups: quasi-Newton steps on u, two products with X each; where their projected cost
    exceeds that of a Newton step on the samples near the margin, that one; and an interior point
    once as much has been spent as it needs. Overlapping groups have no closed-form w(u): LICP's
    block steps while they promise to be there first, then an interior point, on the features that
    can carry weight where there are many more, and otherwise from one of the last one's iterates.

    `aim` is the relative gap that is asked for, where that is known: few points further off are
    shown.
    """

    def __init__(self, problem, w0=None, aim=None):
        self.known = None
        self._aim = aim
        self._features, self._trail = None, Trail()
        self._budget = interior_work(problem) if interior_fits(problem) else np.inf
        if w0 is not None and np.any(w0):
            self._features = np.flatnonzero(w0)
            if not problem.groups.overlapping:
                self.known = multipliers_off_margin(problem, w0)

    def candidates(self, problem):
        """Candidates of growing accuracy, one zero-argument function each."""
        if problem.groups.overlapping:
            yield from self._overlapping(problem)
            return
        start, few = _best_start(problem, self.known), None
        n_samples, n_features = problem.design.shape
        in_steps = self._budget > LEAST_BUDGET * (TALL if n_features < n_samples else 1.0)
        if self.known is None or not in_steps:
            # Where every sample is inside the margin, this is the solution.
            yield start.candidate
        if in_steps:
            steps = DualSteps(problem, start, self._budget, self._aim, self.known is not None)
            yield from steps.candidates()
            few = steps.features
        if few is not None:
            yield from sieved_interior(problem, few, exact=True)
        elif self._budget < np.inf:
            yield from svm_interior_point(problem, exact=True)

    def _overlapping(self, problem):
        steps = CheapSteps(problem, BlockSteps)
        # Strong penalties are where these get there first, and a few steps tell.
        if self._features is None and steps.work_of_a_look < TRIAL * self._budget:
            most = HASTE * self._budget
            yield from steps.until(steps.work_of_a_look, lambda: most - steps.work)
        if sieve_pays(problem):
            yield from sieved_interior(problem, likely_features(problem, self._features))
        else:
            yield from svm_interior_point(problem, trail=self._trail)

    def finished(self, w, u):
        """The best primal and dual points found for the last β."""
        self.known, self._features = u, np.flatnonzero(w)


# An interior point this cheap is run at once, or where samples outnumber the features twice that.
LEAST_BUDGET, TALL = 1.5e8, 2.0


class DualSteps:
    """Quasi-Newton and Newton steps on u, whichever promises more, within a budget of work.

    They know only the features that carry weight, or nearly do, where these are few.
    """

    def __init__(self, problem, start, budget, aim=None, warm=False):
        self._shown_from = np.inf if aim is None else aim
        self._aim = AIM if aim is None else max(aim, LEAST_AIM)
        self._point = start
        self._near = NearFeatures(problem, self._point)
        self._quasi = ProjectedQuasiNewton(self._point)
        self._most = self._budget = budget
        self._work = 0.0
        self._value, self._w = np.inf, None
        self._warm, self._factors = warm, FACTORS
        self._hidden, self._rent, self._persistent = 0, 0.0, True
        self._course, self._landed = Course(), 0.0
        self._needed, self._failures = NEWTON_STEPS, 0
        self._set_out()

    @property
    def features(self):
        """Those that are known to the steps, or None for all."""
        return self._near.features

    def _set_out(self):
        """Go on from u with the features that are near now."""
        problem = self._near.problem
        if problem is not self._point.problem:
            # What the steps have learnt about curvature holds nearly.
            self._point = self._quasi.point = DualPoint(problem, self._point.u)
            self._budget = min(self._most, interior_work(problem))
        design = problem.design
        self._step_work = 2.0 * product_work(design) + 3.0 * SORT * design.shape[1] + OVERHEAD

    def _look_around(self) -> bool:
        """Whether more features had to join."""
        joined = self._near.look(self._point.u)
        if joined:
            self._set_out()
        return joined

    def candidates(self):
        """What is worth a look on the way, and the last point: the best w and the best u so far."""
        for _ in self._steps():
            self._hidden += 1
            close = not self._gap() > self._shown_from * self._value
            if self._hidden > MOST_HIDDEN or (close and not self._look_around()):
                self._hidden = 0
                yield partial(Candidate, self._w, dual=self._point.u)
        yield partial(Candidate, self._w, dual=self._point.u)

    def _gap(self) -> float:
        """Between the best w so far and u: it falls where that of w(u) goes up and down."""
        value = self._point.primal_value()
        if self._w is None or value < self._value:
            self._value, self._w = value, self._near.everywhere(self._point.w)
        return max(self._value - self._point.dual_value(), 0.0)

    def _steps(self):
        yield
        self._log()
        tries = idle = short = 0
        # From a neighbour's solution a short first step says nothing yet.
        trial = newton_next = self._warm and self._newton_work() < WARM_TRY * self._step_work
        while self._work <= self._budget:
            self._look_around()
            before, step = self._point.gap(), 0.0
            if newton_next:
                step = self._newton()
                tries += step < WHOLE_STEP
                yield
            if step < WHOLE_STEP:
                before = self._point.gap()
                look = self._look()
                for count in range(1, look + 1):
                    self._work += self._step_work
                    self._rent += self._step_work
                    if not self._quasi.step():
                        return
                    if count % SHOWN == 0:
                        yield
            elif self._point.gap() >= 0.5 * before:
                idle += 1
                self._point.recompute()
            if newton_next and self._persistent and not trial:
                short = short + 1 if step < SHORT_STEP else 0
            trial = False
            self._failures = max(short + 1 - SHORT_STEPS, tries - TRIES, 0)
            self._log()
            if idle > IDLE or (self._failures and not self._course.work_left() < self._budget):
                return
            newton_next = step >= WHOLE_STEP or self._newton_pays()
            if not newton_next and self._hopeless():
                return

    def _log(self) -> None:
        """Note how far the gap is from the one that is asked for, on a logarithmic scale."""
        target = self._aim * abs(self._point.dual_value()) or TINY
        self._course.log(self._work, self._gap() / target)

    def _hopeless(self) -> bool:
        """Whether quasi-Newton steps to the end would cost more than an interior point.

        Rates mislead at first, so a share of its cost must have been spent.
        """
        return (
            self._rent >= HOPE * self._budget
            and self._course.work_left(self._landed) > self._budget
        )

    def _newton(self) -> float:
        """One Newton step; the next one is expected to take as many systems."""
        work = self._newton_work(factors=0.0)
        within = self._within()
        system = self._point.near_margin(within).size ** 3 / 3.0
        # Where that costs as much as an interior point for the whole problem, it is not worth it.
        self._persistent = BOX_SYSTEMS * system < BOX_SHARE * self._budget
        step, systems = newton_step(self._point, within, persistent=self._persistent)
        self._factors, self._rent = 1.0 + systems, 0.0
        self._work += work + self._factors * system
        if step == 0.0:
            self._point.recompute()
        self._needed = NEWTON_STEPS / max(step, LEAST_STEP)
        self._log()
        self._landed = self._work
        return step

    def _look(self) -> int:
        """Quasi-Newton steps until the next look at what a Newton step promises: about its cost."""
        return int(np.clip(self._newton_work() / self._step_work, LEAST_LOOK, LOOK))

    def _newton_pays(self) -> bool:
        """Whether quasi-Newton steps to the end would cost more than Newton steps.

        Rates mislead at first, so quasi-Newton steps must have cost as much as one already, and
        twice as much after each that failed.
        """
        if self._rent < 2.0**self._failures * self._newton_work():
            return False
        left = min(self._course.work_left(self._landed), self._budget)
        return self._needed * self._newton_work() < left

    def _within(self) -> float:
        """How far from its margin a sample at a bound may be and still leave it at the next step.

        Margins move about as far as the square root of the gap.
        """
        gap, value = self._point.gap(), abs(self._point.dual_value())
        return float(np.clip(MOVING * np.sqrt(gap / value), *WITHIN)) if value > 0.0 else WITHIN[1]

    def _newton_work(self, factors=None) -> float:
        point = self._point
        rows, support = point.near_margin(self._within()).size, np.count_nonzero(point.w)
        n_samples = point.y.size
        if rows > LARGEST_NEWTON or n_samples * support > LARGEST_TABLE or not support:
            return np.inf
        factors = self._factors if factors is None else factors
        products = MATRIX_PRODUCT * 2.0 * rows**2 * support + 6.0 * n_samples * support
        return products + factors * rows**3 / 3.0 + OVERHEAD


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
    system = small**3 / 3.0
    if problem.groups.overlapping:
        coupling = Coupling.fitting(problem.geometry)
        system += coupling.work(n_samples) if coupling else group_work(problem.geometry, small)
    return INTERIOR_ITERATIONS * (products + system + OVERHEAD)
