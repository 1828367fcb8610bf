"""What a fit looks like: errors, curves, features by group, rows, and weights along β."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from lab.classify.compare import Outcome
from lab.classify.groupings import Grouping
from lab.classify.setup import ClassifySpec, Prepared, preprocessor
from solvers import solve_logistic, svm_path

MOST_CURVE_POINTS = 400


def own_outcomes(outcomes: Iterable[Outcome]) -> tuple[Outcome, list[Outcome]]:
    """Our fit on all rows, and those of the same classifier in the folds; rivals have only folds"""
    outcomes = list(outcomes)
    final = next(each for each in outcomes if each.fold is None)
    done = [each for each in outcomes if each.fold is not None and each.key == final.key]
    return final, sorted(done, key=lambda each: each.fold)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """All test predictions of our model, fold after fold; rows repeat under the inverted protocol.

    `margin` is how far a row is on the right side: y·score for two classes, else the score of the
    true class less the best other.
    """

    row: np.ndarray
    fold: np.ndarray
    true: np.ndarray
    predicted: np.ndarray
    decision: np.ndarray
    margin: np.ndarray

    @property
    def n_wrong(self) -> int:
        return int(np.count_nonzero(self.true != self.predicted))


def held_out(prepared: Prepared, outcomes: Iterable[Outcome]) -> HeldOut:
    _, done = own_outcomes(outcomes)
    row = np.concatenate([each.test for each in done])
    decision = np.concatenate([each.decision for each in done])
    true = prepared.y[row]
    return HeldOut(
        row,
        np.concatenate([np.full(each.test.size, each.fold) for each in done]),
        true,
        (decision > 0.0).astype(int) if decision.ndim == 1 else np.argmax(decision, axis=1),
        decision,
        margins(true, decision),
    )


def margins(true, decision) -> np.ndarray:
    if decision.ndim == 1:
        return np.where(true == 1, decision, -decision)
    rows = np.arange(true.size)
    others = decision.copy()
    others[rows, true] = -np.inf
    return decision[rows, true] - others.max(axis=1)


def confusion(held: HeldOut, n_classes: int) -> np.ndarray:
    """Counts, true class × predicted class."""
    counts = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(counts, (held.true, held.predicted), 1)
    return counts


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of one class against the rest, thinned for drawing, and the area under it."""

    class_name: str
    x: np.ndarray
    y: np.ndarray
    area: float


def roc_curves(held: HeldOut, classes: Sequence) -> list[Curve]:
    """False against true positive rate, over all folds together."""
    curves = []
    for name, truth, score in _one_vs_rest(held, classes):
        false_rate, true_rate, _ = roc_curve(truth, score)
        area = float(roc_auc_score(truth, score))
        curves.append(Curve(str(name), *_thinned(false_rate, true_rate), area))
    return curves


def precision_recall_curves(held: HeldOut, classes: Sequence) -> list[Curve]:
    """Recall against precision, over all folds together; the area is the average precision."""
    curves = []
    for name, truth, score in _one_vs_rest(held, classes):
        precision, recall, _ = precision_recall_curve(truth, score)
        area = float(average_precision_score(truth, score))
        curves.append(Curve(str(name), *_thinned(recall[::-1], precision[::-1]), area))
    return curves


def _one_vs_rest(held: HeldOut, classes):
    if held.decision.ndim == 1:
        yield classes[1], held.true == 1, held.decision
        return
    for k, name in enumerate(classes):
        truth = held.true == k
        if truth.any() and not truth.all():
            yield name, truth, held.decision[:, k]


def _thinned(x, y):
    if x.size <= MOST_CURVE_POINTS:
        return x, y
    kept = np.unique(np.linspace(0, x.size - 1, MOST_CURVE_POINTS).round().astype(int))
    return x[kept], y[kept]


# -- features --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Features:
    """The encoded features: group (the first where groups overlap), weights and stability.

    `weight` is that of two classes' one problem, or of the class in which it is largest.
    `frequency` is the share of folds that selected the feature. `groups_used` counts every group
    that holds a selected feature.
    """

    names: tuple[str, ...]
    group: np.ndarray
    group_names: tuple[str, ...]
    coef: np.ndarray
    weight: np.ndarray
    selected: np.ndarray
    frequency: np.ndarray
    n_folds: int
    groups_used: int

    @property
    def n_selected(self) -> int:
        return int(np.count_nonzero(self.selected))

    @property
    def n_always(self) -> int:
        """Selected here and in every fold."""
        return int(np.count_nonzero(self.selected & (self.frequency == 1.0)))

    def order(self, most: int) -> np.ndarray:
        """The strongest selected features, by group and within it by magnitude."""
        size = np.abs(self.coef).max(axis=0)
        strongest = np.argsort(-np.where(self.selected, size, -1.0), kind="stable")[:most]
        strongest = strongest[self.selected[strongest]]
        return strongest[np.lexsort((-size[strongest], self.group[strongest]))]

    def table(self) -> dict[str, Sequence]:
        """Every feature with a weight or ever selected, strongest first; one column per class."""
        size = np.abs(self.coef).max(axis=0)
        kept = np.flatnonzero((size > 0.0) | (self.frequency > 0.0))
        kept = kept[np.argsort(-size[kept], kind="stable")]
        columns = {
            "feature": np.array([self.names[j] for j in kept], dtype=object),
            "group": np.array([self.group_names[self.group[j]] for j in kept], dtype=object),
            "selected": self.selected[kept],
            "selected in share of folds": self.frequency[kept],
        }
        if self.coef.shape[0] == 1:
            columns["weight"] = self.coef[0, kept]
        else:
            for k, row in enumerate(self.coef):
                columns[f"weight in problem {k + 1}"] = row[kept]
        return columns


def features(prepared: Prepared, grouped: Grouping, outcomes: Iterable[Outcome]) -> Features:
    """Weights of the fit on all rows, with how often each feature was selected over the folds."""
    final, done = own_outcomes(outcomes)
    in_folds = [each.selected for each in done]
    first = np.zeros(prepared.n_features, dtype=int)
    # Written from the last group to the first, so that the first one that holds a feature stays.
    groups = grouped.groups
    first[groups.indices[::-1]] = groups.member_groups[::-1]
    strongest = np.argmax(np.abs(final.coef), axis=0)
    selected = final.selected
    return Features(
        prepared.feature_names,
        first,
        grouped.names,
        final.coef,
        final.coef[strongest, np.arange(prepared.n_features)],
        selected,
        np.mean(in_folds, axis=0) if in_folds else np.zeros(prepared.n_features),
        len(in_folds),
        int(np.count_nonzero(groups.sum(selected.astype(float)))),
    )


# -- rows ------------------------------------------------------------------------------------


def row_table(prepared: Prepared, held: HeldOut, *, wrong_only: bool, most: int | None = None):
    """Held-out rows, least safe first: place in the table, true and predicted class, margin."""
    chosen = np.flatnonzero(held.true != held.predicted) if wrong_only else np.arange(held.row.size)
    chosen = chosen[np.argsort(held.margin[chosen], kind="stable")][:most]
    classes = np.array([str(name) for name in prepared.classes], dtype=object)
    return {
        "row": prepared.rows[held.row[chosen]] + 1,
        "true": classes[held.true[chosen]],
        "predicted": classes[held.predicted[chosen]],
        "margin": held.margin[chosen],
        "fold": held.fold[chosen] + 1,
    }


# -- the path over β -------------------------------------------------------------------------


PATH_AT_ONCE = 80_000  # cells of a table whose path is found while a reader waits
_PART = 3  # strengths that a job solves in one go, so that it can say how far it is


@dataclass(frozen=True, eq=False)
class StrengthPath:
    """Weights of one problem over a grid of its sparsity's strength, on all rows.

    `class_name` is the class that the problem tells from the rest; strengths fall.
    """

    symbol: str
    strengths: np.ndarray
    coefs: np.ndarray
    gaps: np.ndarray
    class_name: str


def strength_path(
    prepared: Prepared,
    spec: ClassifySpec,
    grouped: Grouping,
    strengths: Sequence[float],
    alpha: float,
    place: int = 1,
    tol: float = 1e-6,
) -> StrengthPath:
    """w(β) at fixed α, or w(λ) of the exclusive logistic, for the class at a place among them

    All rows, preprocessing included: the path is there to be looked at, not to be scored.
    """
    X = preprocessor(prepared).fit_transform(prepared.X)
    target = np.where(prepared.y == place, 1.0, -1.0)
    values = np.sort(np.asarray(strengths, dtype=float))[::-1]
    name = str(prepared.classes[place])
    if spec.method == "esvm":
        path = svm_path(X, target, grouped.groups, alpha, values, tol=tol, fit_intercept=True)
        return StrengthPath("β", values, path.coefs, path.gaps, name)
    coefs, gaps, start = [], [], None
    for lam in values:
        result = solve_logistic(
            X, target, grouped.groups, float(lam), tol=tol, w0=start, fit_intercept=True
        )
        start = result.w
        coefs.append(result.w)
        gaps.append(result.gap)
    return StrengthPath("λ", values, np.array(coefs), np.array(gaps), name)


def path_is_quick(prepared: Prepared) -> bool:
    return prepared.n_samples * prepared.n_features <= PATH_AT_ONCE


def path_tasks(prepared, spec, grouped, strengths: Sequence[float], alpha: float, place: int):
    """Arguments of `strength_path` for parts of the path, each warm-started in itself."""
    values = sorted(strengths)
    parts = [values[start : start + _PART] for start in range(0, len(values), _PART)]
    return [(prepared, spec, grouped, part, alpha, place) for part in parts]


def parts_done(tasks: Sequence[tuple], parts: Iterable[StrengthPath]) -> dict[int, StrengthPath]:
    """Parts that an earlier job found, by the place of their task."""
    places = {max(task[3]): place for place, task in enumerate(tasks)}
    return {places[float(part.strengths[0])]: part for part in parts}


def joined_path(parts: Iterable[StrengthPath]) -> StrengthPath:
    """Parts of one path, in any order, as the whole."""
    parts = sorted(parts, key=lambda part: -part.strengths[0])
    return StrengthPath(
        parts[0].symbol,
        np.concatenate([part.strengths for part in parts]),
        np.concatenate([part.coefs for part in parts]),
        np.concatenate([part.gaps for part in parts]),
        parts[0].class_name,
    )
