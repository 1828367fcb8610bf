"""The multi-task exclusive lasso as a regressor."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..docstrings import ESTIMATOR, documented
from ..multitask import MultiTaskProblem
from ..multitask.api import choose_method, with_tasks
from ..tracking import solve
from ..types import GroupsLike, Matrix
from .base import Exclusive, as_count, checked_weights, distinct_samples


@documented(ESTIMATOR)
@dataclass(kw_only=True, eq=False, repr=False)
class MultiTaskExclusiveLasso(RegressorMixin, Exclusive):
    """min over W, b of ½ Σᵢ ωᵢ‖Wᵀxᵢ + b − yᵢ‖² + λ/2 Σ_j (Σ_t |W_jt|)²

    `solve_multitask` as a regressor: tasks compete for features, so that each feature serves few of
    them. Methods are those of `MULTITASK_METHODS`.

    Parameters
    ----------
    groups : Groups, labels or lists, optional
        Which of the n_features · n_tasks coefficients compete, features × tasks taken row by row;
        by default those of one feature.
    positive : bool or array of bools
        True asks for W ≥ 0; or one flag a feature, or a feature and task.
    feature_weight : array of numbers, optional
        One number ≥ 0 a feature, or a feature and task; 1 unless given.

    Attributes
    ----------
    coef_ : array, n_tasks × n_features
        The weights, a row a task, as in scikit-learn.
    intercept_ : array of n_tasks numbers
        b, 0 where none was asked for.
    groups_
    n_iter_
    dual_gap_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import MultiTaskExclusiveLasso
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 10))
    >>> Y = np.column_stack([X[:, 0] + X[:, 1], X[:, 2]])
    >>> model = MultiTaskExclusiveLasso(lam=1.0).fit(X, Y)
    >>> model.coef_.shape, bool(model.score(X, Y) > 0.99), bool(model.dual_gap_ <= 1e-4)
    ((2, 10), True, True)
    """

    lam: float = field(default=1.0, kw_only=False)
    groups: GroupsLike | None = None
    warm_start: bool = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    @documented(ESTIMATOR)
    def fit(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> MultiTaskExclusiveLasso:
        """Fit to samples × features X, dense or sparse, and samples × tasks y

        Parameters
        ----------
        y : array, n_samples × n_tasks
            The targets, a column a task.

        Returns
        -------
        self
            The fitted estimator.
        """
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, multi_output=True
        )
        y = np.asarray(y, dtype=np.float64)
        if y.ndim == 1:
            raise ValueError(
                "y must have one column per task, got one dimension; for a single task use "
                "ExclusiveLasso, or reshape y with y.reshape(-1, 1)."
            )
        weight = checked_weights(sample_weight, X.shape[0])
        X, y, weight = distinct_samples(X, y, weight)
        problem = MultiTaskProblem(X, y, self.lam, self.groups, **self._options(weight))
        self.groups_ = problem.groups
        method, options = choose_method(problem, self.method, {})
        start = self._start((y.shape[1], X.shape[1]))
        result = solve(
            problem,
            method,
            tol=self.tol,
            max_iter=as_count(self.max_iter, method.max_iter),
            w0=None if start is None else start.T.reshape(-1),
            reproducible=True,
            options=options,
        )
        self._warn_unless_converged([result])
        result = with_tasks(problem, result)
        self.coef_, self.intercept_ = np.ascontiguousarray(result.w.T), result.intercept
        self.n_iter_, self.dual_gap_ = result.n_iter, result.gap
        return self

    @documented(ESTIMATOR)
    def predict(self, X: Matrix) -> np.ndarray:
        """XW + b

        Returns
        -------
        array, n_samples × n_tasks
            The predictions.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return X @ self.coef_.T + self.intercept_
