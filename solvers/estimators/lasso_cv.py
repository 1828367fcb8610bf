"""The exclusive lasso with its strength chosen from the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..docstrings import ESTIMATOR, documented
from ..path import lasso_path
from ..result import Result
from ..scales import lambda_0
from ..selection import CRITERIA, degrees_of_freedom, information_criterion
from ..types import Matrix
from .base import Point, distinct_samples, grid, one_by_one, points, sample_keys
from .cv import CrossValidated
from .lasso import ExclusiveLasso, LassoBase


@documented(ESTIMATOR)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveLassoCV(CrossValidated, LassoBase):
    """The exclusive lasso with λ chosen by cross-validation, or by an information criterion

    The final fit is that of `ExclusiveLasso(lam=lam_, groups=groups_)` on all samples. Folds follow
    the warm-started path (`lasso_path`) from the largest λ down. Once `method` or `max_iter` is
    named, that method solves each λ of a fold instead, from the solution before. Information
    criteria count exact zeros, which not every method leaves, so they always use the path.

    Parameters
    ----------
    lams : int or array of numbers
        How many values of λ, or the values. By themselves they run from 10λ₀ down to eps·10λ₀,
        where λ₀ (`lambda_0`) is the λ that halves the best single-feature-a-group fit.
    criterion : str
        "cv" (scores over the folds), "bic" or "ebic" (`solvers.selection`); the last two solve to
        at least 1e-8, because degrees of freedom count exact zeros.
    scoring : str, callable or None
        A scorer of scikit-learn, higher is better; None for the mean squared error, negated.

    Attributes
    ----------
    lam_ : float
        The λ that was chosen.
    lams_ : array of k numbers
        The grid, descending.
    mse_path_ : array, k × folds
        The mean squared errors, with criterion "cv" and no scoring.
    scores_ : array, k × folds
        The scores, with criterion "cv": higher is better.
    criterion_path_ : array of k numbers
        The criterion, with "bic" and "ebic".
    df_path_ : array of k numbers
        Degrees of freedom, with "bic" and "ebic".
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
    >>> from solvers import ExclusiveLassoCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 12))
    >>> y = X[:, 0] - X[:, 6] + 0.1 * rng.standard_normal(50)
    >>> model = ExclusiveLassoCV(groups=np.repeat([0, 1], 6), cv=3).fit(X, y)
    >>> model.lam_ in model.lams_, model.mse_path_.shape
    (True, (21, 3))
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    lams: int | Iterable[float] = field(default=21, kw_only=False)
    criterion: str = "cv"

    @documented(ESTIMATOR)
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> ExclusiveLassoCV:
        """Choose λ, then fit to samples × features X, dense or sparse, and targets y

        Parameters
        ----------
        groups : array of n_samples labels, optional
            Which samples belong together, for a `cv` that splits by groups.

        Returns
        -------
        self
            The fitted estimator.
        """
        if self.criterion not in ("cv", *CRITERIA):
            raise ValueError(
                f"there is no criterion {self.criterion!r}; "
                f"choose one of: {', '.join(['cv', *CRITERIA])}."
            )
        X, y, weight = self._validated(X, y, sample_weight)
        keys = sample_keys(X, y)
        samples = distinct_samples(X, y, weight, keys)
        self.lams_ = grid(self.lams, "lams", 10.0 * self._scale(*samples), self.eps)
        if self.criterion == "cv":
            scorer = self._scorer(self._default_score, sample_weight is not None)
            counts = None if sample_weight is None else weight
            folds = self._folds(X, y, groups, classifier=False)
            self.scores_, solved = self._scored(folds, X, y, keys, weight, counts, scorer)
            if self.scoring is None:
                self.mse_path_ = -self.scores_
            best = self._best(self.scores_)
            self._warn_unless_converged(solved, "cross-validation")
        else:
            best, solved = self._compare_criteria(*samples)
            self._warn_unless_converged(solved, "the path")
        self.lam_ = float(self.lams_[best])
        result = self._solve(*samples, self.lam_)
        if self.relaxed:
            result = self._refitted(*samples, self.lam_, w=result.w) or result
        self._warn_unless_converged([result])
        self._keep(result)
        return self

    _default_score = "neg_mean_squared_error"

    def _scale(self, X, y, weight) -> float:
        return lambda_0(X, y, self.groups_, kind=self._problem, **self._options(weight))

    def _fold_scores(self, X, y, keys, weight, counts, scorer, fold) -> tuple[np.ndarray, list]:
        train, test = fold
        keys = None if keys is None else keys[train]
        results = self._fold_path(*distinct_samples(X[train], y[train], weight[train], keys))
        held = X[test], y[test], None if counts is None else counts[test]
        scores = [
            self._score(scorer, self._fitted(lam, result), *held)
            for lam, result in zip(self.lams_, results, strict=True)
        ]
        return np.array(scores), results

    def _fitted(self, lam, result) -> ExclusiveLasso:
        """A model as `ExclusiveLasso.fit` leaves it, for the scorer to judge."""
        model = ExclusiveLasso(lam, groups=self.groups_, fit_intercept=self.fit_intercept)
        model.groups_, model.n_features_in_ = self.groups_, self.n_features_in_
        model._keep(result)
        return model

    def _fold_path(self, X, y, weight) -> list[Point] | list[Result]:
        if self.method != "auto" or self.max_iter is not None:
            return one_by_one(lambda lam, w0: self._solve(X, y, weight, lam, w0=w0), self.lams_)
        return self._path(X, y, weight, self.tol)

    def _path(self, X, y, weight, tol) -> list[Point]:
        return points(lasso_path(X, y, self.groups_, self.lams_, tol=tol, **self._options(weight)))

    def _compare_criteria(self, X, y, weight) -> tuple[int, list]:
        """Which λ is best, and all that was solved to find out."""
        results = self._path(X, y, weight, min(self.tol, _EXACT))
        common = self._options(weight)
        pairs = list(zip(self.lams_, results, strict=True))
        self.df_path_ = np.array(
            [degrees_of_freedom(X, self.groups_, lam, r.w, **common) for lam, r in pairs]
        )
        self.criterion_path_ = np.array(
            [
                information_criterion(
                    X,
                    y,
                    self.groups_,
                    lam,
                    r.w,
                    r.intercept,
                    criterion=self.criterion,
                    **common,
                )
                for lam, r in pairs
            ]
        )
        return int(np.argmin(self.criterion_path_)), results


# Where weights that are not in the solution have become exact zeros.
_EXACT = 1e-8
