"""What choosing strengths by cross-validation takes: folds, scores, and the rule of choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv

from ..large.arrays import is_dask
from ..threads import one_thread
from .data import scores as products

RULES = ("min", "1se")


@dataclass(kw_only=True, eq=False, repr=False)
class CrossValidated:
    """Folds worked on side by side, and one choice from their scores.

    A subclass has `_fold_scores(X, y, fold, …)`, which returns the scores of all strengths on one
    fold, and everything that was solved for them.
    """

    eps: float = 1e-5
    cv: Any = None
    scoring: str | Callable[..., float] | None = None
    rule: str = "min"
    relaxed: bool = False
    n_jobs: int | None = None

    _fold_scores: ClassVar[Callable]

    def _folds(self, X, y, splitting, *, classifier) -> list:
        if self.rule not in RULES:
            raise ValueError(f"there is no rule {self.rule!r}; choose one of: {', '.join(RULES)}.")
        return list(check_cv(self.cv, y, classifier=classifier).split(X, y, splitting))

    def _scored(self, folds, *data) -> tuple[np.ndarray, list]:
        """Scores, folds last, and all that was solved."""
        if self.n_jobs is None or is_dask(data[0]):
            # Every pass over a Dask array keeps the whole cluster busy by itself.
            done = [self._fold_scores(*data, fold) for fold in folds]
        else:
            # One thread each whatever their number, so that it changes no digit.
            done = Parallel(n_jobs=self.n_jobs)(
                delayed(_on_one_thread)(self._fold_scores, *data, fold) for fold in folds
            )
        scores = np.stack([scores for scores, _ in done], axis=-1)
        return scores, [result for _, solved in done for result in solved]

    def _best(self, scores) -> int:
        """The best of strengths × folds, strongest first; by "1se", a stronger one as good."""
        means = np.nanmean(scores, axis=1)
        best = int(np.argmax(means))
        if self.rule == "min":
            return best
        counted = scores[best][~np.isnan(scores[best])]
        if counted.size < 2:
            return best
        error = float(np.std(counted, ddof=1)) / np.sqrt(counted.size)
        return int(np.flatnonzero(means >= means[best] - error)[0])

    def _scorer(self, default, weighted):
        if self.scoring is None and default in _PLAIN:
            return _PLAIN[default]
        scorer = get_scorer(default if self.scoring is None else self.scoring)
        if weighted and not _takes_weights(scorer):
            raise ValueError(
                f"scoring={self.scoring!r} takes no sample_weight, but fit was given sample "
                "weights; use a scorer that takes them, or fit without weights."
            )
        return scorer

    def _score(self, scorer, model, X, y, counts) -> float:
        """The score of a model; nan where no sample of the fold counts."""
        if counts is None:
            return scorer(model, X, y)
        return scorer(model, X, y, sample_weight=counts) if counts.any() else np.nan


def _accuracy(model, X, y, sample_weight=None) -> float:
    correct = model._decided(products(X, model.coef_.T) + model.intercept_) == y
    return float(np.average(correct, weights=sample_weight))


def _neg_mean_squared_error(model, X, y, sample_weight=None) -> float:
    residual = y - (products(X, model.coef_) + model.intercept_)
    return -float(np.average(residual * residual, weights=sample_weight))


# What scikit-learn's scorers of these names say, without checking data that were checked before:
# with few samples that took a quarter of the time.
_PLAIN = {"accuracy": _accuracy, "neg_mean_squared_error": _neg_mean_squared_error}


def _on_one_thread(call, *arguments):
    with one_thread():
        return call(*arguments)


def _takes_weights(scorer) -> bool:
    """A scorer made of a metric takes sample_weight and hands it on, whether or not that does."""
    parameters = signature(getattr(scorer, "_score_func", scorer)).parameters
    anything = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
    return anything or "sample_weight" in parameters
