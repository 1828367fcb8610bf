"""The multi-task exclusive lasso as an exclusive lasso over all coefficients."""

from __future__ import annotations

import numpy as np

from ..design import Design
from ..geometry import Geometry
from ..groups import Groups
from ..large.arrays import is_dask
from ..losses import SquaredLoss
from ..penalty import ExclusivePenalty
from ..problems import SmoothProblem
from ..units import Units
from ..validation import as_data_matrix, as_positive, as_targets, as_weights
from .design import TaskDesign


class MultiTaskProblem(SmoothProblem):
    """min over W, b of ½‖XW + 1bᵀ − Y‖_F² + λ/2 Σ_j (Σ_t |W_jt|)²

    The exclusive lasso with design X ⊗ I_T and one group a feature; objective and bound are those
    of `LassoProblem`. An intercept a task is eliminated by centring X and Y, as there.
    """

    def __init__(
        self,
        X,
        Y,
        lam,
        groups=None,
        *,
        fit_intercept=False,
        sample_weight=None,
        positive=False,
        feature_weight=None,
        group_weight=None,
    ):
        if is_dask(X):
            raise ValueError("several tasks need X in memory, and this is a Dask array.")
        lam = as_positive(lam, "lam")
        self.units = Units.of(X, Y, [lam])
        X = as_data_matrix(self.units.small_data(X))
        Y = as_targets(self.units.small_target(Y), X.shape[0])
        weight = as_weights(sample_weight, X.shape[0])
        keep = weight > 0.0
        if not keep.all():
            X, Y, weight = X[keep], Y[keep], weight[keep]
        n_features, self.n_tasks = X.shape[1], Y.shape[1]
        self.lam = self._small(lam, "lam")
        self.exponent = 2.0
        if groups is None:
            groups = Groups.contiguous(n_features * self.n_tasks, n_features)
        self.groups = Groups.given(groups, n_features * self.n_tasks)
        self.geometry = Geometry.of(
            self.groups,
            positive=self._of_coefficients(positive, n_features),
            feature_weight=self._of_coefficients(feature_weight, n_features),
            group_weight=group_weight,
        )
        means, self.target_means = None, np.zeros(self.n_tasks)
        if fit_intercept:
            means = np.asarray(weight @ X).reshape(-1) / weight.sum()
            self.target_means = weight @ Y / weight.sum()
        self.x_means = means
        self.design = TaskDesign(Design(X, means), self.n_tasks)
        self.y = (Y - self.target_means).reshape(-1)
        self.sample_weight = np.repeat(weight, self.n_tasks)
        # Of the centred problem; `intercepts` are those of the tasks.
        self.fit_intercept, self.offset = False, 0.0
        self.loss = SquaredLoss(self.y, self.sample_weight)
        self.penalty = ExclusivePenalty(self.geometry, self.lam)
        self.unpenalised = self._unpenalised()

    def _of_coefficients(self, values, n_features):
        """One value a feature, or one a feature and task, as one a coefficient."""
        if values is None or np.ndim(values) == 0:
            return values
        values = np.asarray(values)
        if values.shape == (n_features,):
            return np.repeat(values, self.n_tasks)
        return values.reshape(-1) if values.shape == (n_features, self.n_tasks) else values

    def matrix(self, w) -> np.ndarray:
        """Flat weights as features × tasks."""
        return w.reshape(-1, self.n_tasks)

    def intercepts(self, w) -> np.ndarray:
        """b, one a task, from weights in the units of X and Y; 0 where none was asked for."""
        if self.x_means is None:
            return np.zeros(self.n_tasks)
        small = self.target_means - self.x_means @ self.matrix(self.units.small_weights(w))
        return np.ldexp(small, self.units.target)
