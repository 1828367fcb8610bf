"""Exclusive Poisson regression as a regressor."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import d2_tweedie_score

from ..docstrings import ESTIMATOR, documented
from ..problems import PoissonProblem
from ..registry import POISSON_METHODS
from ..types import Matrix
from .base import distinct_samples
from .lasso import LassoBase


@documented(ESTIMATOR)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusivePoisson(LassoBase):
    """min over w, b of Σᵢ ωᵢ(e^zᵢ − yᵢzᵢ − yᵢ + yᵢ log yᵢ) + λ/2 ‖w‖_e², zᵢ = xᵢᵀw + b

    `solve_poisson` as a regressor for counts. Methods are those of `POISSON_METHODS`.

    Parameters
    ----------
    lam : float
        λ > 0. The loss is half the deviance, a sum over samples, so λ is n_samples times the alpha
        of scikit-learn's `PoissonRegressor`.

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
    >>> from solvers import ExclusivePoisson
    >>> rng = np.random.default_rng(0)
    >>> X = 0.5 * rng.standard_normal((80, 12))
    >>> y = rng.poisson(np.exp(1 + X[:, 0] - X[:, 6]))
    >>> model = ExclusivePoisson(lam=1.0, groups=np.repeat([0, 1], 6)).fit(X, y)
    >>> sorted(np.argsort(-np.abs(model.coef_))[:2].tolist()), bool(model.score(X, y) > 0.5)
    ([0, 6], True)
    """

    _problem = PoissonProblem
    _methods = POISSON_METHODS

    lam: float = field(default=1.0, kw_only=False)
    warm_start: bool = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    @documented(ESTIMATOR)
    def fit(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ExclusivePoisson:
        """Fit to samples × features X, dense or sparse, and counts y

        Parameters
        ----------
        y : array of n_samples numbers
            The counts, at least 0.

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

    @documented(ESTIMATOR)
    def predict(self, X: Matrix) -> np.ndarray:
        """exp(Xw + b), the mean count

        Returns
        -------
        array of n_samples numbers
            The predictions.
        """
        return np.exp(super().predict(X))

    @documented(ESTIMATOR)
    def score(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """D² = 1 − deviance/deviance of the mean: 1 is best, 0 is no better than the mean

        Parameters
        ----------
        y : array of n_samples numbers
            The counts, at least 0.

        Returns
        -------
        float
            The share of the deviance that is explained.
        """
        return float(d2_tweedie_score(y, self.predict(X), sample_weight=sample_weight, power=1))
