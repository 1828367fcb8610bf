"""The exclusive lasso as a regressor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..docstrings import ESTIMATOR, documented
from ..problems import LassoProblem, Problem
from ..registry import LASSO_METHODS
from ..result import Result
from ..types import Matrix
from .base import Exclusive, RandomState, checked_weights, distinct_samples
from .data import scores, validated


@dataclass(kw_only=True, eq=False, repr=False)
class LassoBase(RegressorMixin, Exclusive):
    """Linear regression; Poisson's is too, but for its loss and its predictions."""

    random_state: RandomState = None

    _problem: ClassVar[Callable[..., Problem]] = LassoProblem
    _methods = LASSO_METHODS

    def _validated(self, X, y, sample_weight):
        X, y = validated(self, X, y, y_numeric=True, multi_output=False)
        y = np.asarray(y, dtype=np.float64)
        weight = checked_weights(sample_weight, X.shape[0])
        self.groups_ = self._resolve_groups(X, weight)
        return X, y, weight

    def _keep(self, result: Result) -> None:
        self.coef_ = result.w
        self.intercept_ = result.intercept
        self.n_iter_ = result.n_iter
        self.dual_gap_ = result.gap

    @documented(ESTIMATOR)
    def predict(self, X: Matrix) -> np.ndarray:
        """Xw + b

        Returns
        -------
        array of n_samples numbers
            The predictions.
        """
        check_is_fitted(self)
        return scores(validated(self, X), self.coef_) + self.intercept_


@documented(ESTIMATOR)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveLasso(LassoBase):
    """min over w, b of ½ Σᵢ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖w‖_e²

    `solve_lasso` as a regressor. Methods are those of `LASSO_METHODS`.

    Attributes
    ----------
    coef_
    intercept_
    groups_
    n_iter_
    dual_gap_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import ExclusiveLasso
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 12))
    >>> y = X[:, 0] - X[:, 6] + 3.0
    >>> model = ExclusiveLasso(lam=0.01, groups=np.repeat([0, 1], 6)).fit(X, y)
    >>> np.flatnonzero(model.coef_.round(2)).tolist(), round(float(model.intercept_), 2)
    ([0, 6], 3.0)
    >>> bool(model.score(X, y) > 0.99), bool(model.dual_gap_ <= 1e-4)
    (True, True)
    """

    lam: float = field(default=1.0, kw_only=False)
    warm_start: bool = False

    @documented(ESTIMATOR)
    def fit(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ExclusiveLasso:
        """Fit to samples × features X, dense or sparse, and targets y

        Returns
        -------
        self
            The fitted estimator.
        """
        X, y, weight = self._validated(X, y, sample_weight)
        start = self._start((X.shape[1],))
        result = self._solve(*distinct_samples(X, y, weight), self.lam, w0=start)
        self._warn_unless_converged([result])
        self._keep(result)
        return self
