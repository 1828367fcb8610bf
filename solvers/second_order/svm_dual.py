"""What the dual E-SVM methods share: the feasible set of u, and w as a function of u."""

from __future__ import annotations

import numpy as np

from ..projections import project_box_hyperplane, shrink_groups


class DualSet:
    """{u : 0 ≤ u ≤ ω}, and yᵀu = 0 with an intercept"""

    def __init__(self, problem):
        self.y, self.weight = problem.y, problem.sample_weight
        self.balanced = problem.fit_intercept

    def project(self, point):
        if self.balanced:
            return project_box_hyperplane(point, self.y, self.weight)
        return np.clip(point, 0.0, self.weight)

    def centre(self):
        """A point as large as the set allows that treats the samples of one class alike."""
        if not self.balanced:
            return self.weight.copy()
        positive = self.weight[self.y > 0].sum()
        negative = self.weight[self.y < 0].sum()
        lighter = min(positive, negative)
        if lighter <= 0:
            return np.zeros_like(self.weight)
        return self.weight * np.where(self.y > 0, lighter / positive, lighter / negative)


def gradient_of_conjugate(problem):
    """v ↦ ∇Ω*(v) = argmax over w of vᵀw − α/2‖w‖² − β/2‖w‖_e², for disjoint groups"""
    alpha, ratio = problem.alpha, problem.beta / problem.alpha
    return lambda v: shrink_groups(v / alpha, problem.groups, ratio)
