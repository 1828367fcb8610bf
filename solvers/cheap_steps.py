"""First-order steps beside a dearer method, for as much counted work as that is worth."""

from __future__ import annotations

from functools import partial

import numpy as np

from .course import Course
from .first_order.fista import fista
from .first_order.formulations import LICP
from .problems import Candidate, relative_gap
from .second_order.columns import MATRIX_PRODUCT, OVERHEAD, SORT
from .second_order.sieve import product_work

LANCZOS = 40.0  # products that a step length costs where no Gram matrix is small
PATIENCE = 3.0  # how much further, in work done so far, their end may be
FIRST_LOOK, LOOK = 10, 50  # steps between two looks, at first and later
MOST_HIDDEN = 5  # looks that show nothing, where the gap has not halved
AIM = 1e-6  # relative gap that their rate is projected to


class CheapSteps:
    """Steps of one kind (`NearSteps`, `BlockSteps`) on a problem, watched by their certificates.

    With many nonzeros in sparse data a linear system costs as much as hundreds of them, and where
    the data are well conditioned, or the penalty is strong, those are enough.
    """

    def __init__(self, problem, kind):
        self.w = np.zeros(problem.n_features)
        self.work = 0.0
        self._problem, self._kind = problem, kind
        self._steps, self._left = None, kind.refuses(problem) is not None
        self._course = Course()
        self._objective, self._bound, self._gap = np.inf, -np.inf, np.inf
        self._done = 0

    @property
    def work_of_a_look(self) -> float:
        """Up to the first certificate, where these steps may be done."""
        if self._left:
            return np.inf
        return FIRST_LOOK * self._step_work(self._problem) + _set_up_work(self._problem.design)

    def are_cheap_beside(self, steps, support) -> bool:
        """Whether a linear system on a support of that size costs more than so many of them."""
        return not self._left and support**3 / 3.0 > steps * self._step_work(self._problem)

    def until(self, work, alternative, w=None):
        """Candidates up to as much work, and on while the end is nearer than the alternative.

        `alternative()` is the work that somebody else would need. Given up where the gap falls too
        slowly.
        """
        if self._steps is None:
            self._steps = self._kind(self._problem, self.w if w is None else w)
            self._course.log(self.work, 1.0 / AIM)
            self.work = _set_up_work(self._problem.design)
        shown, hidden = np.inf, 0
        while self.work < work or 0.0 < self._course.work_left() < alternative():
            candidate = self._advance()
            hidden += 1
            # A measurement costs as much as some steps.
            if hidden == MOST_HIDDEN or self._gap <= shown:
                shown, hidden = 0.5 * self._gap, 0
                yield partial(_same, candidate)
        self._left = self.arrived or self._course.work_left() > PATIENCE * self.work

    @property
    def arrived(self) -> bool:
        """Whether they have done what they are good for; further digits are dear."""
        return self._gap <= AIM

    def _advance(self) -> Candidate:
        steps = self._steps
        count = int(np.clip(self._done, FIRST_LOOK, LOOK))
        candidate = steps.go(count)
        self._done += count
        self.work += count * self._step_work(steps.problem)
        score = self._problem.score(candidate)
        self.w = score.w
        self._objective = min(self._objective, score.objective)
        self._bound = max(self._bound, score.bound)
        self._gap = relative_gap(self._objective, self._bound)
        self._course.log(self.work, self._gap / AIM)
        if steps.look():
            self.work += _set_up_work(steps.problem.design)
        return candidate

    def _step_work(self, problem) -> float:
        sorted_entries = problem.groups.indices.size
        return 2.0 * product_work(problem.design) + 3.0 * SORT * sorted_entries + OVERHEAD


def _set_up_work(design) -> float:
    """The work of a step length: the largest eigenvalue of a Gram matrix."""
    by_gram = MATRIX_PRODUCT * design.flops * min(design.shape)
    return min(by_gram, LANCZOS * product_work(design))


def _same(candidate) -> Candidate:
    return candidate


class BlockSteps:
    """LICP's block steps: the E-SVM, groups overlapping or not."""

    def __init__(self, problem, w):
        self.problem = problem
        self._posed = LICP(problem, block=True)
        self._iterates = fista(self._posed, self._posed.start(w if np.any(w) else None))
        next(self._iterates)

    @staticmethod
    def refuses(problem) -> str | None:
        return None

    def go(self, steps) -> Candidate:
        """So many steps further."""
        for _ in range(steps):
            x, average = next(self._iterates)
        return self._posed.candidate(x, average)

    def look(self) -> bool:
        """They know all features."""
        return False
