"""How good predictions are: scores of one test set, their mean over folds, paired differences.

Every score is written so that higher is better or marked as an error; what is tuned, tested
against shuffled labels and put into the headline is one and the same score, chosen by the target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import accuracy_score, f1_score, recall_score, roc_auc_score

from lab.estimates import Estimate, estimate, share_interval

CLASS_METRICS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "roc_auc": "ROC AUC",
}
NUMBER_METRICS = {"r2": "R²", "rmse": "RMSE", "mae": "MAE"}
COUNT_METRICS = {"d2": "explained deviance", **NUMBER_METRICS}
METRICS: Mapping[str, str] = {**CLASS_METRICS, **COUNT_METRICS}
ERRORS = frozenset({"rmse", "mae"})  # lower is better
UNBALANCED = 3.0  # the largest class so many times the smallest: shares hide what is rare


def metrics_of(target: str) -> Mapping[str, str]:
    return {"classes": CLASS_METRICS, "quantity": NUMBER_METRICS, "counts": COUNT_METRICS}[target]


def usual_metric(target: str, class_counts: Sequence[int] = ()) -> str:
    """What to judge by: accuracy, unless the class shares alone would decide it."""
    if target != "classes":
        return "r2" if target == "quantity" else "d2"
    counts = np.asarray(class_counts)
    unbalanced = counts.size > 1 and counts.max() >= UNBALANCED * max(counts.min(), 1)
    return "balanced_accuracy" if unbalanced else "accuracy"


def class_scores(y, predicted, decision, n_classes: int) -> dict[str, float]:
    """Accuracy, balanced accuracy, F1 and ROC AUC of one test set

    Two classes: F1 and AUC of the second class. More: the mean over classes of each against the
    rest. AUC is NaN where a test set lacks a class.
    """
    average = "binary" if n_classes == 2 else "macro"
    # What balanced_accuracy_score gives, without its warning of a class that has no test rows.
    balanced = float(recall_score(y, predicted, average="macro", labels=np.unique(y)))
    return {
        "accuracy": float(accuracy_score(y, predicted)),
        "balanced_accuracy": balanced,
        "f1": float(f1_score(y, predicted, average=average, zero_division=0.0)),
        "roc_auc": _auc(y, decision, n_classes),
    }


def _auc(y, decision, n_classes) -> float:
    if np.unique(y).size < n_classes:
        return float("nan")
    if n_classes == 2:
        return float(roc_auc_score(y, decision))
    return float(np.mean([roc_auc_score(y == k, decision[:, k]) for k in range(n_classes)]))


def quick_class_score(metric: str, y, predicted, n_classes: int) -> float:
    """Accuracy or balanced accuracy as above, without the checks that cost more than the sum."""
    right = y == predicted
    if metric == "accuracy":
        return float(np.mean(right))
    counts = np.bincount(y, minlength=n_classes)
    hits = np.bincount(y, weights=right, minlength=n_classes)
    return float(np.mean(hits[counts > 0] / counts[counts > 0]))


def number_scores(y, predicted, centre: float, *, counts: bool = False) -> dict[str, float]:
    """R² against the mean of the training rows, RMSE and MAE; for counts the deviance as well

    R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ_train)²: what always saying the training mean gets is exactly 0,
    also where the test rows have another mean. D² is the same with Poisson's deviance.
    """
    residual, spread = y - predicted, y - centre
    total = float(spread @ spread)
    scores = {
        "r2": 1.0 - float(residual @ residual) / total if total > 0.0 else float("nan"),
        "rmse": float(np.sqrt(np.mean(residual * residual))),
        "mae": float(np.mean(np.abs(residual))),
    }
    if counts:
        null = poisson_deviance(y, np.full(y.size, centre))
        scores["d2"] = 1.0 - poisson_deviance(y, predicted) / null if null > 0.0 else float("nan")
    return scores


def poisson_deviance(y, mean) -> float:
    """2 Σ y log(y/μ) − y + μ, with a floor under μ: a linear model may say less than nothing."""
    mean = np.maximum(np.asarray(mean, dtype=float), 1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(y > 0, y * np.log(y / mean), 0.0)
    return 2.0 * float(np.sum(logs - y + mean))


@dataclass(frozen=True)
class Score(Estimate):
    """A mean over folds whose interval stays where the score can be.

    Folds that are all at the top do not vary, which is no certainty: `faultless` is where the
    interval begins then, NaN where nothing is known about it.
    """

    least: float = -np.inf
    most: float = np.inf
    faultless: float = float("nan")

    @property
    def _at_the_top(self) -> bool:
        return self.count > 1 and self.error == 0.0 and self.mean == self.most

    @property
    def low(self) -> float:
        if self._at_the_top and not np.isnan(self.faultless):
            return self.faultless
        return float(np.maximum(self.least, super().low))

    @property
    def high(self) -> float:
        return float(np.minimum(self.most, super().high))

    @property
    def known(self) -> bool:
        """Whether there is an interval: one fold has none."""
        return self.count > 1 and not (self._at_the_top and np.isnan(self.faultless))


def score(
    values: Sequence[float],
    overlap: float,
    *,
    least: float = -np.inf,
    most: float = np.inf,
    faultless: float = float("nan"),
) -> Score:
    """Of the folds that have the score; `overlap` as in `lab.estimates`."""
    found = estimate([value for value in values if not np.isnan(value)], overlap)
    return Score(found.mean, found.error, found.count, least, most, faultless)


def faultless(metric: str, trials: Sequence[int]) -> float:
    """From where on a score may be true although not one of so many trials a class went wrong

    Clopper and Pearson's interval. Balanced accuracy, the mean over classes, can lose most by the
    class with the fewest trials.
    """
    trials = np.asarray(trials)
    if metric == "accuracy":
        return share_interval(int(trials.sum()), int(trials.sum()))[0]
    if metric != "balanced_accuracy":
        return float("nan")
    fewest = int(trials[trials > 0].min())
    return 1.0 - (1.0 - share_interval(fewest, fewest)[0]) / int(np.count_nonzero(trials))


def range_of(metric: str) -> tuple[float, float]:
    if metric in ERRORS:
        return 0.0, np.inf
    return (0.0, 1.0) if metric in CLASS_METRICS else (-np.inf, 1.0)
