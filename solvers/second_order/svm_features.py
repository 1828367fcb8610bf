"""The features that carry weight at a dual point of the E-SVM or nearly do; disjoint groups."""

from __future__ import annotations

import numpy as np

from .columns import Columns

NEAR = 0.8  # of its group's reach, from which a pull may soon carry weight
FEW = 0.5  # share of all features up to which leaving out the others saves time


class NearFeatures:
    """The E-SVM on few of its features, for as long as w(u) vanishes on the others.

    w(u) is 0 where |v| is within its group's reach, v = Zu, so that steps on u need no columns of
    features far inside it. On the others `problem` has the same w, gradient and gap as the whole.
    One product with all of X (`look`) tells whether that is still so. Sparse data stay whole: their
    columns would have to be dense.
    """

    def __init__(self, problem, point):
        self._whole = self.problem = problem
        self.features = None  # all of them
        self._columns = None
        if problem.design.dense is not None:
            self._columns = Columns(problem.design)
            self._take(point.v, point.w)

    def look(self, u) -> bool:
        """Whether features outside carry weight at u; `problem` then has them too."""
        if self.features is None:
            return False
        v = self._whole.weighted_samples(u)
        w = self._whole.conjugate_gradient(v)
        support = np.flatnonzero(w)
        if np.all(self._columns.place[support] >= 0):
            return False
        self._take(v, w)
        return True

    def _take(self, v, w) -> None:
        whole, geometry = self._whole, self._whole.geometry
        reach = geometry.spread(whole.penalty.slope(geometry.totals(w)))
        self._columns.add(np.flatnonzero(geometry.magnitude(v) >= NEAR * reach))
        self.features = self._columns.features
        if self.features.size > FEW * whole.n_features:
            self.problem, self.features = whole, None
        else:
            self.problem = whole.restricted(self.features, self._columns.X)

    def everywhere(self, w) -> np.ndarray:
        """Weights of the features of `problem` as those of all."""
        if self.features is None:
            return w
        whole = np.zeros(self._whole.n_features)
        whole[self.features] = w
        return whole
