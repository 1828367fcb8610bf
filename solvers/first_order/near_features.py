"""LOCP on the features that carry weight or nearly do; disjoint groups."""

from __future__ import annotations

import numpy as np

from ..problems import Candidate
from .fista import fista
from .formulations import LOCP
from .methods import locp

NEAR = 0.8  # of its group's reach, from which a pull may soon carry weight
FEW = 0.5  # share of the features at hand up to which leaving out the others saves time


class NearSteps:
    """LOCP with restarts on few of a problem's features, whose points are points of the whole.

    A step costs two products with their columns, and is the longer the fewer they are. One product
    with all of X (`look`) tells whether others have to join, or far fewer would do.
    """

    def __init__(self, problem, w):
        self._whole = problem
        self._take(None, w)

    @staticmethod
    def refuses(problem) -> str | None:
        """None where LOCP may be used, or the reason why not."""
        return locp.accepts(problem)

    def _take(self, features, w) -> None:
        self.features, self.w = features, w
        self.problem = self._whole if features is None else self._whole.restricted(features)
        posed = LOCP(self.problem)
        start = posed.start(w if features is None else w[features])
        backtracking = posed.needs_backtracking
        self._iterates = fista(posed, start, restart=True, backtracking=backtracking)
        next(self._iterates)

    def go(self, steps) -> Candidate:
        """So many steps further."""
        for _ in range(steps):
            x, average = next(self._iterates)
        w = x[: self.problem.n_features]
        if self.features is not None:
            w, few = np.zeros(self._whole.n_features), w
            w[self.features] = few
        self.w = w
        return Candidate(w, other_dual=average)

    def look(self) -> bool:
        """Whether the steps go on with other features from here."""
        whole, geometry = self._whole, self._whole.geometry
        point = whole.valued(self.w)
        v = geometry.magnitude(whole.design.rmatvec(-whole.loss.gradient(point.predictions)))
        reach = geometry.spread(whole.penalty.slope(geometry.totals(self.w)))
        if self.features is None:
            left_out = False
        else:
            excess = v > reach
            excess[self.features] = False
            left_out = bool(excess.any())
        near = np.flatnonzero((v >= NEAR * reach) | (self.w != 0.0))
        if not left_out and near.size > FEW * self.problem.n_features:
            return False
        self._take(near if near.size <= FEW * whole.n_features else None, self.w)
        return True
