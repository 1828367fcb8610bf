"""Exclusive logistic regression as a classifier."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..docstrings import CLASSIFIER, documented
from ..problems import LogisticProblem
from ..registry import LOGISTIC_METHODS
from ..types import Matrix
from .base import distinct_samples
from .classifier import ClassifierBase


class LogisticBase(ClassifierBase):
    """Probabilities from the scores of logistic regressions."""

    _problem = LogisticProblem
    _methods = LOGISTIC_METHODS

    @documented(CLASSIFIER)
    def predict_proba(self, X: Matrix) -> np.ndarray:
        """P(class | x): logistic for two classes, normalised one-vs-rest for more

        Returns
        -------
        array, n_samples × n_classes
            Probabilities, in the order of `classes_`.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.expit(-scores), special.expit(scores)])
        # Normalised in logarithms: far from every class all the chances may underflow.
        return special.softmax(special.log_expit(scores), axis=1)

    @documented(CLASSIFIER)
    def predict_log_proba(self, X: Matrix) -> np.ndarray:
        """log P(class | x)

        Returns
        -------
        array, n_samples × n_classes
            Logarithms, exact where probabilities underflow.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.log_expit(-scores), special.log_expit(scores)])
        return special.log_softmax(special.log_expit(scores), axis=1)


@documented(CLASSIFIER)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveLogistic(LogisticBase):
    """min over w, b of Σᵢ ωᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖w‖_e²

    `solve_logistic` as a classifier. More than two classes are solved one against the rest, with
    the same groups. Methods are those of `LOGISTIC_METHODS`.

    Parameters
    ----------
    lam : float
        λ > 0. The loss is a sum over samples, so scikit-learn's C corresponds to 1/λ.

    Attributes
    ----------
    classes_
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
    >>> from solvers import ExclusiveLogistic
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 12))
    >>> y = np.where(X[:, 0] > X[:, 6], "yes", "no")
    >>> model = ExclusiveLogistic(lam=1.0, groups=np.repeat([0, 1], 6)).fit(X, y)
    >>> model.classes_.tolist(), bool(model.score(X, y) > 0.9)
    (['no', 'yes'], True)
    >>> model.predict_proba(X[:2]).sum(axis=1).round(6).tolist()
    [1.0, 1.0]
    """

    lam: float = field(default=1.0, kw_only=False)
    warm_start: bool = False

    @documented(CLASSIFIER)
    def fit(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ExclusiveLogistic:
        """Fit to samples × features X, dense or sparse, and class labels y

        Returns
        -------
        self
            The fitted estimator.
        """
        X, _, codes, weight = self._validated(X, y, sample_weight)
        results = self._one_vs_rest(*distinct_samples(X, codes, weight), self.lam)
        self._warn_unless_converged(results)
        self._keep(results)
        return self
