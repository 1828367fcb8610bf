"""The exclusive support vector machine with its strengths chosen from the data."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from ..docstrings import CLASSIFIER, documented
from ..result import Result
from ..scales import svm_scales
from ..svm_paths import svm_grid
from ..types import Matrix
from .base import Point, checked_weights, distinct_samples, grid, one_by_one, points, sample_keys
from .cv import CrossValidated
from .svc import ExclusiveSVC, SVCBase


@documented(CLASSIFIER)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveSVCCV(CrossValidated, SVCBase):
    """The exclusive SVM with α and β chosen by cross-validation

    The final fit is that of `ExclusiveSVC(alpha_, beta_, groups=groups_)` on all samples. Folds
    follow warm-started paths over β, one α after the other (`svm_grid`). Once `method` or
    `max_iter` is named, that method solves each β of a fold instead, from the solution before.

    Parameters
    ----------
    alphas : int or array of numbers
        How many values of α, or the values. By themselves they run from α₀ down to eps·α₀
        (`svm_scales`), with more than two classes the largest of the one-vs-rest problems. Without
        an intercept, α₀ is where, with β = 0, the first sample leaves the margin, so that a larger
        α only shrinks w; otherwise it only sets the scale of the grid.
    betas : int or array of numbers
        The same for β: without an intercept and with disjoint groups, β₀ is where, with α = 0, the
        first sample leaves the margin. An automatic grid whose best value is its smallest grows
        downwards, twice at most, and then says so in a warning.
    scoring : str, callable or None
        A scorer, None for accuracy; higher is better. It must take sample_weight where `fit` is
        given any.

    Attributes
    ----------
    alpha_ : float
        The α that was chosen; among equal scores the largest β wins, then the largest α.
    beta_ : float
        The β that was chosen.
    alphas_ : array
        The grid of α, descending.
    betas_ : array
        The grid of β, descending.
    scores_ : array, alphas × betas × folds
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
    >>> from solvers import ExclusiveSVCCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 12))
    >>> y = np.where(X[:, 0] > X[:, 6], "yes", "no")
    >>> grid = dict(alphas=[1.0, 0.1], betas=[10.0, 1.0, 0.1])
    >>> model = ExclusiveSVCCV(**grid, cv=3, groups=2, random_state=0).fit(X, y)
    >>> model.scores_.shape, model.beta_ in model.betas_
    ((2, 3, 3), True)
    """

    alphas: int | Iterable[float] = field(default=3, kw_only=False)
    betas: int | Iterable[float] = field(default=6, kw_only=False)
    eps: float = 1e-3

    @documented(CLASSIFIER)
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> ExclusiveSVCCV:
        """Choose α and β, then fit to samples × features X, dense or sparse, and class labels y

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
        scorer = self._scorer("accuracy", weighted=sample_weight is not None)
        keys = sample_keys(X, codes)
        samples = distinct_samples(X, codes, weight, keys)
        alpha_scale, beta_scale = self._scales(*samples)
        self.alphas_ = grid(self.alphas, "alphas", alpha_scale, self.eps)
        self.betas_ = grid(self.betas, "betas", beta_scale, self.eps)
        counts = None if sample_weight is None else checked_weights(sample_weight, X.shape[0])
        folds = self._folds(X, y, groups, classifier=True)
        row, column, solved = self._search(folds, X, y, codes, keys, weight, counts, scorer)
        self._warn_unless_converged(solved, "cross-validation")
        self._warn_at_the_edge(row, column)
        self.alpha_, self.beta_ = float(self.alphas_[row]), float(self.betas_[column])
        results = self._one_vs_rest(*samples, self.alpha_, self.beta_, refitted=self.relaxed)
        self._warn_unless_converged(results)
        self._keep(results)
        return self

    def _scales(self, X, codes, weight) -> tuple[float, float]:
        common = self._options(weight)
        scales = [svm_scales(X, target, self.groups_, **common) for target in self._targets(codes)]
        alpha_scale, beta_scale = np.max(scales, axis=0)
        return float(alpha_scale), float(beta_scale)

    def _search(self, folds, *data) -> tuple[int, int, list]:
        """Row and column of the best (α, β), and all that was solved.

        `weight` is what the loss uses, `counts` what the score uses: they differ by the class
        weights. While the best is the smallest of an automatic grid, the grid grows downwards.
        """
        self.scores_, solved = self._scored(folds, *data, self.alphas_, self.betas_)
        for _ in range(_EXTENSIONS):
            row, column = self._chosen()
            lower, further = self._at_the_edge(row, column)
            if not (lower or further):
                break
            alphas = _below(self.alphas_) if lower else self.alphas_[:0]
            betas = _below(self.betas_) if further else self.betas_[:0]
            right, more = self._scored(folds, *data, self.alphas_, betas)
            solved += more
            self.betas_ = np.concatenate([self.betas_, betas])
            bottom, more = self._scored(folds, *data, alphas, self.betas_)
            solved += more
            self.alphas_ = np.concatenate([self.alphas_, alphas])
            self.scores_ = np.concatenate([np.concatenate([self.scores_, right], 1), bottom], 0)
        return *self._chosen(), solved

    def _at_the_edge(self, row, column) -> tuple[bool, bool]:
        """Whether the smallest α and the smallest β of automatic grids were the best."""
        return (
            row == self.alphas_.size - 1 and _grows(self.alphas),
            column == self.betas_.size - 1 and _grows(self.betas),
        )

    def _warn_at_the_edge(self, row, column) -> None:
        """To be called by `fit` itself, so that the warning names the line that called `fit`."""
        values = (f"alpha_ = {self.alphas_[row]:.3g}", f"beta_ = {self.betas_[column]:.3g}")
        edges = [v for v, edge in zip(values, self._at_the_edge(row, column), strict=True) if edge]
        if edges:
            warnings.warn(
                f"the weakest that was tried is the best ({', '.join(edges)}), although the grid "
                f"grew {_EXTENSIONS} times; a weaker one may be better. Give a smaller eps, or the "
                "values to try.",
                UserWarning,
                stacklevel=3,
            )

    def _chosen(self) -> tuple[int, int]:
        """The best (α, β): among equals the largest β, then the largest α."""
        means = np.nanmean(self.scores_, axis=2)
        _, row = np.unravel_index(np.argmax(means.T), means.T.shape)
        return int(row), self._best(self.scores_[row])

    def _fold_scores(
        self, X, y, codes, keys, weight, counts, scorer, alphas, betas, fold
    ) -> tuple[np.ndarray, list]:
        train, test = fold
        keys = None if keys is None else keys[train]
        samples = distinct_samples(X[train], codes[train], weight[train], keys)
        held = X[test], y[test], None if counts is None else counts[test]
        scores: np.ndarray = np.empty((alphas.size, betas.size))
        solved: list = []
        if not scores.size:
            return scores, solved
        grids = [self._grid(samples, target, alphas, betas) for target in self._targets(samples[1])]
        for row, alpha in enumerate(alphas):
            for column, beta in enumerate(betas):
                results = [each[row][column] for each in grids]
                model = self._fitted(alpha, beta, results)
                scores[row, column] = self._score(scorer, model, *held)
                solved += results
        return scores, solved

    def _grid(self, samples, target, alphas, betas) -> list[list[Point]] | list[list[Result]]:
        """What solves every (α, β): a row for each α."""
        X, _, weight = samples
        if self.method != "auto" or self.max_iter is not None:
            return [
                one_by_one(
                    lambda beta, w0, a=alpha: self._solve(X, target, weight, a, beta, w0=w0), betas
                )
                for alpha in alphas
            ]
        options = self._options(weight)
        found = svm_grid(X, target, self.groups_, alphas, betas, tol=self.tol, **options)
        return [points(found.row(k)) for k in range(alphas.size)]

    def _fitted(self, alpha, beta, results) -> ExclusiveSVC:
        """A model as `ExclusiveSVC.fit` leaves it, for the scorer to judge."""
        model = ExclusiveSVC(alpha, beta, groups=self.groups_, fit_intercept=self.fit_intercept)
        model.classes_ = self.classes_
        model.groups_ = self.groups_
        model.n_features_in_ = self.n_features_in_
        model._keep(results)
        return model


# How often an automatic grid grows, and by how much each time: two values over two decades.
_EXTENSIONS = 2
_FURTHER = np.array([1e-1, 1e-2])


def _grows(spec) -> bool:
    """An automatic grid of several values; values that a user named are all there is."""
    return isinstance(spec, Integral) and int(spec) > 1


def _below(values) -> np.ndarray:
    return values[-1] * _FURTHER
