"""What the classifiers share: classes, their weights, and decisions by linear scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ..docstrings import CLASSIFIER, documented
from ..result import Result
from ..types import Matrix
from .base import Exclusive, RandomState, checked_weights
from .data import scores, validated


class LinearDecisions(ClassifierMixin):
    """What linear classifiers do with `classes_`, `coef_` and `intercept_`, however fitted."""

    def _set_classes(self, y) -> None:
        classes = np.unique(y)
        if classes.size < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of at least two classes, but all samples "
                f"that count are of one class: {classes.tolist()[0]!r}."
            )
        self.classes_ = classes

    @documented(CLASSIFIER)
    def decision_function(self, X: Matrix) -> np.ndarray:
        """Xw + b: one number per sample for two classes, else one per sample and class

        Returns
        -------
        array of n_samples numbers, or n_samples × n_classes
            Scores; of two classes, positive for the second.
        """
        check_is_fitted(self)
        decisions = scores(validated(self, X), self.coef_.T) + self.intercept_
        return decisions[:, 0] if decisions.shape[1] == 1 else decisions

    @documented(CLASSIFIER)
    def predict(self, X: Matrix) -> np.ndarray:
        """argmax_k of the scores xᵀw_k + b_k

        Returns
        -------
        array of n_samples classes
            The class of the largest score.
        """
        decisions = self.decision_function(X)
        return self._decided(decisions[:, None] if decisions.ndim == 1 else decisions)

    def _decided(self, decisions) -> np.ndarray:
        """The class of each row of scores: a single column for two classes."""
        if decisions.shape[1] == 1:
            return self.classes_[(decisions[:, 0] > 0.0).astype(int)]
        return self.classes_[np.argmax(decisions, axis=1)]


@dataclass(kw_only=True, eq=False, repr=False)
class ClassifierBase(LinearDecisions, Exclusive):
    """One-vs-rest linear classification; two classes are one problem."""

    class_weight: str | Mapping[Any, float] | None = None
    random_state: RandomState = None

    def _validated(self, X, y, sample_weight):
        """X, the class codes and the weights, class weights included; sets classes_, groups_."""
        X, y = validated(self, X, y)
        check_classification_targets(y)
        weight = checked_weights(sample_weight, X.shape[0])
        # A sample of weight 0 counts as absent, and so does a class that has no others.
        self._set_classes(y[weight > 0.0])
        self.groups_ = self._resolve_groups(X, weight)
        counted = np.isin(y, self.classes_)
        codes = np.zeros(y.shape[0])
        codes[counted] = np.searchsorted(self.classes_, y[counted])
        return X, y, codes, weight * self._class_weights(y, codes, weight)

    def _class_weights(self, y, codes, weight) -> np.ndarray:
        """The weight of each sample's class, from all samples, so that folds share it."""
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            totals = np.bincount(codes.astype(int), weights=weight, minlength=self.classes_.size)
            per_class = weight.sum() / (self.classes_.size * totals)
        else:
            per_class = compute_class_weight(
                self.class_weight, classes=self.classes_, y=y[np.isin(y, self.classes_)]
            )
        wrong = np.flatnonzero(~(np.isfinite(per_class) & (per_class > 0.0)))
        if wrong.size:
            raise ValueError(
                f"class_weight gives class {self.classes_.tolist()[wrong[0]]!r} the weight "
                f"{per_class[wrong[0]]:g}; weights must be positive and finite."
            )
        return per_class[codes.astype(int)]

    def _targets(self, codes) -> list[np.ndarray]:
        """±1 for each one-vs-rest problem; a single one for two classes."""
        if self.classes_.size == 2:
            return [np.where(codes == 1, 1.0, -1.0)]
        return [np.where(codes == k, 1.0, -1.0) for k in range(self.classes_.size)]

    def _one_vs_rest(self, X, codes, weight, *strengths, refitted=False) -> list[Result]:
        """The fit of every class against the rest, on its own support once more if `refitted`."""
        targets = self._targets(codes)
        starts = self._start((len(targets), X.shape[1]))
        results = []
        for k, target in enumerate(targets):
            w0 = None if starts is None else starts[k]
            result = self._solve(X, target, weight, *strengths, w0=w0)
            if refitted:
                result = self._refitted(X, target, weight, *strengths, w=result.w) or result
            results.append(result)
        return results

    def _keep(self, results) -> None:
        self.coef_ = np.array([result.w for result in results])
        self.intercept_ = np.array([result.intercept for result in results])
        self.n_iter_ = max(result.n_iter for result in results)
        self.dual_gap_ = max(result.gap for result in results)
