"""One fold of one classifier, tuned inside the fold: the unit of work of a comparison.

Every classifier sees the same folds. What is estimated from data (medians, scales, strengths,
weights) is estimated from the training rows of the fold; strengths are chosen by a stratified
cross-validation inside these rows, again with the preprocessing refitted in each part.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score, recall_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from lab.classify.groupings import Grouping, group_features
from lab.classify.setup import ClassifySpec, Prepared, folds, preprocessor
from lab.estimates import estimate, fold_overlap
from solvers import ExclusiveLogistic
from solvers.baselines import CLASSIFIERS, make_classifier

METRICS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "roc_auc": "ROC AUC",
}

# From strong to weak, so that the first of equally good ones is the sparsest.
GRIDS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "esvm": {"beta": (100.0, 30.0, 10.0, 3.0, 1.0), "alpha": (10.0, 1.0, 0.1)},
    "esvm_r": {"beta": (100.0, 30.0, 10.0, 3.0, 1.0), "alpha": (10.0, 1.0, 0.1)},
    "logistic": {"lam": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)},
    "svm": {"alpha": (1000.0, 100.0, 10.0, 1.0, 0.1)},
    "sparse_svm": {"lam": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)},
    "kong": {"lam": (1000.0, 100.0, 10.0, 1.0), "alpha": (10.0, 1.0, 0.1)},
    "logistic_l1": {"lam": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)},
    "majority": {},
}
LABELS = {
    **{key: row.label for key, row in CLASSIFIERS.items()},
    "logistic": "exclusive logistic",
    "majority": "majority class",
}
RIVALS = ("svm", "sparse_svm", "kong", "logistic_l1", "majority")

INNER_FOLDS = 3
QUICK_WORK = 400_000
TOLERANCE = 1e-6
# A weight below a thousandth of the largest decides nothing, and no solver leaves exact zeros in
# every case; one rule for all classifiers.
SELECTED_SHARE = 1e-3


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one classifier did in one fold, or on all rows where `fold` is None.

    `decision` holds the scores of the rows in `test`. `coef` is over the encoded features.
    `gap` is the certified relative gap of ours, None for the others.
    """

    key: str
    fold: int | None
    strengths: Mapping[str, float]
    test: np.ndarray
    decision: np.ndarray
    metrics: Mapping[str, float]
    coef: np.ndarray
    intercept: np.ndarray
    gap: float | None
    converged: bool
    seconds: float
    fills: np.ndarray = field(repr=False)
    centres: np.ndarray = field(repr=False)
    scales: np.ndarray = field(repr=False)

    @property
    def selected(self) -> np.ndarray:
        """Which encoded features count, in any of the one-vs-rest problems."""
        return selected_features(self.coef)


def selected_features(coef: np.ndarray) -> np.ndarray:
    size = np.abs(coef)
    largest = size.max(axis=1, keepdims=True)
    return ((size > SELECTED_SHARE * largest) & (size > 0.0)).any(axis=0)


def own_key(spec: ClassifySpec) -> str:
    """The row of the comparison that is the spec's own model."""
    if spec.method == "logistic":
        return "logistic"
    return "esvm_r" if spec.grouping == "random" else "esvm"


def compared_keys(spec: ClassifySpec) -> tuple[str, ...]:
    """Ours first; with known groups, the random ones beside them; then the usual choices."""
    own = own_key(spec)
    ours = ("esvm_r", "logistic") if spec.grouping == "random" else ("esvm", "esvm_r", "logistic")
    return (own, *(key for key in ours if key != own), *RIVALS)


def is_quick(prepared: Prepared, spec: ClassifySpec) -> bool:
    """Whether our model and its folds can be fitted while a reader waits: well under a second."""
    problems = 1 if len(prepared.classes) == 2 else len(prepared.classes)
    work = prepared.n_samples * prepared.n_features * problems * spec.n_folds
    return spec.tuning == "hand" and work <= QUICK_WORK


def tasks(prepared: Prepared, spec: ClassifySpec, keys: Iterable[str]) -> list[tuple]:
    """Arguments of `run` for our model on all rows, and for every fold of every classifier."""
    every = [(key, fold) for key in keys for fold in range(spec.n_folds)]
    return [(prepared, spec, key, fold) for key, fold in [(own_key(spec), None), *every]]


def run(prepared: Prepared, spec: ClassifySpec, key: str, fold: int | None) -> Outcome:
    """Fit one classifier on the training rows of a fold (or on all rows) and judge it on the rest.

    Strengths are tuned on the training rows, except those of our own model where the spec sets
    them by hand.
    """
    started = time.perf_counter()
    if fold is None:
        train = test = np.arange(prepared.n_samples)
    else:
        train, test = folds(prepared, spec)[fold]
    by_hand = key == own_key(spec) and spec.tuning == "hand"
    # A fit by hand may run in a visitor's thread, and threads share what records warnings; such a
    # fit has nothing to record that its own gap does not say.
    recorder = (
        nullcontext([])
        if by_hand
        else warnings.catch_warnings(record=True, action="always", category=ConvergenceWarning)
    )
    with recorder as caught:
        grouped = groups_of(prepared, spec, key)
        strengths = (
            strengths_by_hand(spec) if by_hand else tune(prepared, spec, key, train, grouped)
        )
        transform = preprocessor(prepared)
        X = transform.fit_transform(prepared.X[train])
        model = classifier(key, spec, grouped, strengths).fit(X, prepared.y[train])
        decision = _decision(model, transform.transform(prepared.X[test]), len(prepared.classes))
    predicted = _predicted(model, decision, test.size)
    gap = getattr(model, "dual_gap_", None)
    missed = any(issubclass(each.category, ConvergenceWarning) for each in caught)
    missed |= gap is not None and gap > TOLERANCE
    fills, centres, scales = _learnt(transform, prepared)
    n_features = prepared.n_features
    return Outcome(
        key,
        fold,
        strengths,
        test,
        decision,
        scores_of(prepared.y[test], predicted, decision, len(prepared.classes)),
        np.array(getattr(model, "coef_", np.zeros((1, n_features)))),
        np.array(getattr(model, "intercept_", np.zeros(1))),
        gap,
        not missed,
        time.perf_counter() - started,
        fills,
        centres,
        scales,
    )


def strengths_by_hand(spec: ClassifySpec) -> dict[str, float]:
    if spec.method == "logistic":
        return {"lam": spec.lam}
    return {"beta": spec.beta, "alpha": spec.alpha}


def candidates(key: str) -> list[dict[str, float]]:
    grid = GRIDS[key]
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def tune(prepared, spec, key, rows, grouped) -> dict[str, float]:
    """The strengths of best mean accuracy over folds inside `rows`; of equals, the first.

    Where a class has a single row there is nothing to split, and the middle of the grid is taken.
    """
    grid = candidates(key)
    X, y = prepared.X[rows], prepared.y[rows]
    n_splits = min(INNER_FOLDS, int(np.bincount(y).min()))
    if len(grid) == 1:
        return grid[0]
    if n_splits < 2:
        return grid[len(grid) // 2]
    split = StratifiedKFold(n_splits, shuffle=True, random_state=spec.seed)
    scores = np.empty((len(grid), n_splits))
    for column, (train, test) in enumerate(split.split(X, y)):
        transform = preprocessor(prepared)
        train_X, test_X = transform.fit_transform(X[train]), transform.transform(X[test])
        for row, strengths in enumerate(grid):
            model = classifier(key, spec, grouped, strengths).fit(train_X, y[train])
            scores[row, column] = accuracy_score(y[test], model.predict(test_X))
    return grid[int(np.argmax(np.average(scores, axis=1)))]


def classifier(key: str, spec: ClassifySpec, grouped: Grouping | None, strengths):
    """An unfitted classifier of the comparison on encoded features."""
    if key == "majority":
        return DummyClassifier(strategy="most_frequent")
    groups = None if grouped is None else grouped.groups
    if key == "logistic":
        return ExclusiveLogistic(groups=groups, tol=TOLERANCE, random_state=spec.seed, **strengths)
    if key in ("esvm", "esvm_r"):
        # Random groups are drawn beforehand, so that they can be shown and saved.
        return make_classifier(
            "esvm", groups=groups, tol=TOLERANCE, random_state=spec.seed, **strengths
        )
    return make_classifier(key, groups=groups, random_state=spec.seed, **strengths)


def groups_of(prepared: Prepared, spec: ClassifySpec, key: str) -> Grouping | None:
    """The groups that a classifier uses: E-SVM(R) draws its own, the others have the spec's."""
    if key not in ("esvm", "esvm_r", "logistic", "kong"):
        return None
    if key == "esvm_r" and spec.grouping != "random":
        spec = replace(spec, grouping="random", n_groups=None)
    return group_features(prepared, spec)


# -- scores ----------------------------------------------------------------------------------


def scores_of(y, predicted, decision, n_classes: int) -> dict[str, float]:
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


@dataclass(frozen=True)
class Interval:
    """A mean over folds and its 95 % interval, within 0 and 1; NaN ends where one fold is in."""

    mean: float
    low: float
    high: float
    n_folds: int


def interval(values: Sequence[float], overlap: float) -> Interval:
    """Of the folds that have the score, with Student's t; `overlap` as in `lab.estimates`."""
    found = estimate([value for value in values if not np.isnan(value)], overlap)
    if found.count < 2:
        return Interval(found.mean, np.nan, np.nan, found.count)
    return Interval(found.mean, max(0.0, found.low), min(1.0, found.high), found.count)


@dataclass(frozen=True)
class Standing:
    """One classifier over the folds that are done."""

    key: str
    label: str
    scores: Mapping[str, Interval]
    n_folds: int
    n_selected: float
    strengths: Mapping[str, tuple[float, ...]]
    seconds: float


def standings(outcomes: Iterable[Outcome], spec: ClassifySpec) -> list[Standing]:
    """A row for each classifier with at least one fold, in the order of `compared_keys`."""
    by_key: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.fold is not None:
            by_key.setdefault(outcome.key, []).append(outcome)
    overlap = fold_overlap(spec.protocol, 1.0 / (spec.n_folds - 1))
    rows = []
    for key in [key for key in compared_keys(spec) if key in by_key]:
        done = sorted(by_key[key], key=lambda outcome: outcome.fold)
        rows.append(
            Standing(
                key,
                LABELS[key],
                {
                    metric: interval([each.metrics[metric] for each in done], overlap)
                    for metric in METRICS
                },
                len(done),
                float(np.mean([np.count_nonzero(each.selected) for each in done])),
                {name: tuple(each.strengths[name] for each in done) for name in GRIDS[key]},
                float(sum(each.seconds for each in done)),
            )
        )
    return rows


def _decision(model, X, n_classes) -> np.ndarray:
    if isinstance(model, DummyClassifier):
        return np.zeros(X.shape[0]) if n_classes == 2 else np.zeros((X.shape[0], n_classes))
    return model.decision_function(X)


def _predicted(model, decision, n_rows) -> np.ndarray:
    if isinstance(model, DummyClassifier):
        return np.asarray(model.predict(np.zeros((n_rows, 1))))
    if decision.ndim == 1:
        return (decision > 0.0).astype(int)
    return np.argmax(decision, axis=1)


def _learnt(transform, prepared: Prepared):
    """What the preprocessing estimated: a fill, a centre and a scale for each column of numbers."""
    n_numbers = prepared.n_numbers
    centres, scales = np.zeros(n_numbers), np.ones(n_numbers)
    if not n_numbers:
        return np.zeros(0), centres, scales
    steps = transform.named_transformers_["numbers"]
    fills = np.array(steps[0].statistics_, dtype=float)
    if prepared.standardise:
        centres, scales = np.array(steps[1].mean_), np.array(steps[1].scale_)
    # A column without a number in it is filled with zeros.
    return np.where(np.isnan(fills), 0.0, fills), centres, scales
