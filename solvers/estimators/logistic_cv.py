"""Exclusive logistic regression with its strength chosen from the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..docstrings import CLASSIFIER, documented
from ..result import Result
from ..scales import lambda_0
from ..smooth_paths import logistic_path
from ..types import Matrix
from .base import Point, checked_weights, distinct_samples, grid, one_by_one, points, sample_keys
from .cv import CrossValidated
from .logistic import ExclusiveLogistic, LogisticBase


@documented(CLASSIFIER)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveLogisticCV(CrossValidated, LogisticBase):
    """Exclusive logistic regression with λ chosen by cross-validation

    The final fit is that of `ExclusiveLogistic(lam=lam_, groups=groups_)` on all samples. Folds
    follow the warm-started path (`logistic_path`) from the largest λ down. Once `method` or
    `max_iter` is named, that method solves each λ of a fold instead, from the solution before.

    Parameters
    ----------
    lams : int or array of numbers
        How many values of λ, or the values. By themselves they run from 10λ₀ down to eps·10λ₀,
        where λ₀ (`lambda_0`) is the scale of λ at w = 0; of several classes, the largest.
    scoring : str, callable or None
        A scorer of scikit-learn, higher is better; None for the log-likelihood of the folds,
        "neg_log_loss". It must take sample_weight where `fit` is given any.

    Attributes
    ----------
    lam_ : float
        The λ that was chosen.
    lams_ : array of k numbers
        The grid, descending.
    scores_ : array, k × folds
        The scores.
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
    >>> from solvers import ExclusiveLogisticCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 12))
    >>> y = np.where(X[:, 0] > X[:, 6], "yes", "no")
    >>> model = ExclusiveLogisticCV(lams=5, cv=3, groups=2, random_state=0).fit(X, y)
    >>> model.scores_.shape, model.lam_ in model.lams_
    ((5, 3), True)
    """

    lams: int | Iterable[float] = field(default=11, kw_only=False)

    @documented(CLASSIFIER)
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> ExclusiveLogisticCV:
        """Choose λ, then fit to samples × features X, dense or sparse, and class labels y

        Parameters
        ----------
        groups : array of n_samples labels, optional
            Which samples belong together, for a `cv` that splits by groups.

        Returns
        -------
        self
            The fitted estimator.
        """
        X, y, codes, weight = self._validated(X, y, sample_weight)
        scorer = self._scorer("neg_log_loss", weighted=sample_weight is not None)
        keys = sample_keys(X, codes)
        samples = distinct_samples(X, codes, weight, keys)
        self.lams_ = grid(self.lams, "lams", 10.0 * self._scale(*samples), self.eps)
        counts = None if sample_weight is None else checked_weights(sample_weight, X.shape[0])
        folds = self._folds(X, y, groups, classifier=True)
        self.scores_, solved = self._scored(folds, X, y, codes, keys, weight, counts, scorer)
        self._warn_unless_converged(solved, "cross-validation")
        self.lam_ = float(self.lams_[self._best(self.scores_)])
        results = self._one_vs_rest(*samples, self.lam_, refitted=self.relaxed)
        self._warn_unless_converged(results)
        self._keep(results)
        return self

    def _scale(self, X, codes, weight) -> float:
        common = dict(kind=self._problem, **self._options(weight))
        return max(lambda_0(X, target, self.groups_, **common) for target in self._targets(codes))

    def _fold_scores(
        self, X, y, codes, keys, weight, counts, scorer, fold
    ) -> tuple[np.ndarray, list]:
        train, test = fold
        keys = None if keys is None else keys[train]
        samples = distinct_samples(X[train], codes[train], weight[train], keys)
        held = X[test], y[test], None if counts is None else counts[test]
        paths = [self._path(samples, target) for target in self._targets(samples[1])]
        scores = [
            self._score(scorer, self._fitted(lam, results), *held)
            for lam, *results in zip(self.lams_, *paths, strict=True)
        ]
        return np.array(scores), [result for path in paths for result in path]

    def _path(self, samples, target) -> list[Point] | list[Result]:
        X, _, weight = samples
        if self.method != "auto" or self.max_iter is not None:
            return one_by_one(
                lambda lam, w0: self._solve(X, target, weight, lam, w0=w0), self.lams_
            )
        options = self._options(weight)
        return points(logistic_path(X, target, self.groups_, self.lams_, tol=self.tol, **options))

    def _fitted(self, lam, results) -> ExclusiveLogistic:
        """A model as `ExclusiveLogistic.fit` leaves it, for the scorer to judge."""
        model = ExclusiveLogistic(lam, groups=self.groups_, fit_intercept=self.fit_intercept)
        model.classes_ = self.classes_
        model.groups_ = self.groups_
        model.n_features_in_ = self.n_features_in_
        model._keep(results)
        return model
