"""The E-SVM along a sequence of β, each point from the piece of the dual where the last ended."""

from __future__ import annotations

from itertools import chain

from .svm_interior import interior_fits, svm_interior_point
from .svm_newton import newton_phase, polish, prefers_interior


class BetaPath:
    """Candidates for one β after the other, in increasing β, the well-conditioned end first.

    The next start is exact on the last point's piece: w(u) is far too sensitive at large β/α for
    the last u to be a start by itself. From the first β on where Newton steps stay short, the
    interior point, which needs no start, does the rest.
    """

    def __init__(self, problem):
        self._newton_pays = not prefers_interior(problem)
        self._known = None

    def candidates(self, problem):
        """Candidates of growing accuracy, one zero-argument function each."""
        able = interior_fits(problem)
        phases = []
        if self._newton_pays:
            start = None if self._known is None else polish(problem, *self._known)
            phases.append(newton_phase(problem, start, able_to_leave=able))
        if able:
            phases.append(self._interior(problem))
        return chain.from_iterable(phases)

    def finished(self, w, u):
        """The best primal and dual points found for the last β."""
        self._known = w, u

    def _interior(self, problem):
        self._newton_pays = False
        yield from svm_interior_point(problem)
