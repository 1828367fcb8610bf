"""What a fit looks like: errors, curves, features by group, rows, and weights along the path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from lab.own_table.encoding import encoded
from lab.own_table.fits import OWN_KEYS, Outcome, predicted_classes, rows_of
from lab.own_table.groupings import Grouping
from lab.own_table.paths import fit_points
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec
from solvers import Groups

MOST_CURVE_POINTS = 400


@dataclass(frozen=True, eq=False)
class HeldOut:
    """All test predictions of our model, fold after fold; rows repeat under the inverted protocol.

    Classes: `margin` is how far a row is on the right side: y·score for two classes, else the score
    of the true class less the best other. Numbers: it is −|residual|, so that the least safe rows
    come first either way.
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


def held_out(prepared: Prepared, folds: Sequence[Outcome]) -> HeldOut:
    row = np.concatenate([each.test for each in folds])
    decision = np.concatenate([each.decision for each in folds])
    true = prepared.y[row]
    numbers = prepared.target != "classes"
    return HeldOut(
        row,
        np.concatenate([np.full(each.test.size, each.fold) for each in folds]),
        true,
        decision if numbers else predicted_classes(decision),
        decision,
        -np.abs(true - decision) if numbers else margins(true, decision),
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
class ClassCurve:
    """A curve of one class against the rest, thinned for drawing, and the area under it."""

    class_name: str
    x: np.ndarray
    y: np.ndarray
    area: float


def roc_curves(held: HeldOut, classes: Sequence) -> list[ClassCurve]:
    """False against true positive rate, over all folds together."""
    curves = []
    for name, truth, score in _one_vs_rest(held, classes):
        false_rate, true_rate, _ = roc_curve(truth, score)
        area = float(roc_auc_score(truth, score))
        curves.append(ClassCurve(str(name), *_thinned(false_rate, true_rate), area))
    return curves


def precision_recall_curves(held: HeldOut, classes: Sequence) -> list[ClassCurve]:
    """Recall against precision, over all folds together; the area is the average precision."""
    curves = []
    for name, truth, score in _one_vs_rest(held, classes):
        precision, recall, _ = precision_recall_curve(truth, score)
        area = float(average_precision_score(truth, score))
        curves.append(ClassCurve(str(name), *_thinned(recall[::-1], precision[::-1]), area))
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
    """The encoded features: groups, weights and stability.

    `group` is the first of a feature's groups, to sort by; `groups` says all. `weight` is that of
    two classes' one problem, or of the class in which it is largest.
    `frequency` is the share of the `n_folds` folds that are done, of those `wanted`, in which the
    feature was selected. `groups_used` counts every group that holds a selected feature.
    `covariates` are in the model anyway and not counted.
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
    groups: Groups
    in_folds: np.ndarray
    class_names: tuple[str, ...]
    covariates: np.ndarray
    wanted: int = 0

    @property
    def every_fold(self) -> str:
        """In words, those that are done; empty before the first."""
        if self.n_folds >= self.wanted:
            return "in every fold"
        if self.n_folds <= 1:
            return "in the one fold so far" if self.n_folds else ""
        return f"in all {self.n_folds} folds so far"

    @cached_property
    def members(self) -> list[np.ndarray]:
        """The features of each group, whole, however groups overlap."""
        return [np.asarray(each, dtype=int) for each in self.groups.lists()]

    @cached_property
    def _groups_of(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.names]
        for g, members in enumerate(self.members):
            for j in members:
                found[int(j)].append(g)
        return found

    def group_name(self, j: int) -> str:
        """All groups that a feature is in, by name."""
        return "; ".join(self.group_names[g] for g in self._groups_of[j])

    @property
    def n_selected(self) -> int:
        return int(np.count_nonzero(self.selected & ~self.covariates))

    @property
    def n_always(self) -> int:
        """Selected here and in every fold."""
        steady = self.selected & (self.frequency == 1.0)
        return int(np.count_nonzero(steady & ~self.covariates))

    @property
    def n_choices(self) -> int:
        """The features that the norm chooses from."""
        return int(np.count_nonzero(~self.covariates))

    @property
    def n_groups(self) -> int:
        """The groups that it chooses in."""
        return len(self.group_names) - int(self.covariates.any())

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
            "group": np.array([self.group_name(j) for j in kept], dtype=object),
            "selected": self.selected[kept],
            "selected in share of folds": self.frequency[kept],
        }
        if self.coef.shape[0] == 1:
            columns["weight"] = self.coef[0, kept]
        else:
            for k, row in enumerate(self.coef):
                columns[f"weight for {self.class_names[k]}"] = row[kept]
        return columns


def features(
    prepared: Prepared,
    grouped: Grouping,
    final: Outcome,
    folds: Sequence[Outcome],
    held: np.ndarray | None = None,
) -> Features:
    """Weights of the fit on all rows, with how often each feature was selected over the folds."""
    selections = [each.selected for each in folds]
    first = np.zeros(prepared.n_features, dtype=int)
    # Written from the last group to the first, so that the first one that holds a feature stays.
    groups = grouped.groups
    first[groups.indices[::-1]] = groups.member_groups[::-1]
    strongest = np.argmax(np.abs(final.coef), axis=0)
    selected = final.selected
    held = np.zeros(prepared.n_features, dtype=bool) if held is None else held
    return Features(
        prepared.feature_names,
        first,
        grouped.names,
        final.coef,
        final.coef[strongest, np.arange(prepared.n_features)],
        selected,
        np.mean(selections, axis=0) if selections else np.zeros(prepared.n_features),
        len(selections),
        int(np.count_nonzero(groups.sum((selected & ~held).astype(float)))),
        groups,
        np.array([each.coef for each in folds]),
        tuple(str(name) for name in prepared.classes),
        held,
    )


# -- rows ------------------------------------------------------------------------------------


def row_table(prepared: Prepared, held: HeldOut, *, wrong_only: bool, most: int | None = None):
    """Held-out rows, least safe first: place in the table, true and predicted, margin."""
    if prepared.target != "classes":
        chosen = np.argsort(held.margin, kind="stable")[:most]
        return {
            "row": prepared.rows[held.row[chosen]] + 1,
            "true": held.true[chosen],
            "predicted": held.predicted[chosen],
            "residual": held.true[chosen] - held.predicted[chosen],
            "fold": held.fold[chosen] + 1,
        }
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


def largest(values: np.ndarray, most: int) -> np.ndarray:
    """The places of the largest magnitudes that are not zero, largest first."""
    order = np.argsort(-np.abs(values), kind="stable")[:most]
    return order[values[order] != 0.0]


# -- the path over the strength --------------------------------------------------------------


PATH_AT_ONCE = 130_000  # cells of a table whose path is found while a reader waits
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
    spec: TableSpec,
    grouped: Grouping,
    strengths: Sequence[float],
    alpha: float,
    place: int = 1,
    tol: float = 1e-6,
) -> StrengthPath:
    """w(β) at fixed α, or w(λ), for the class at a place among them

    All rows, preprocessing included: the path is there to be looked at, not to be scored.
    """
    X = encoded(prepared)
    rows = rows_of(prepared, spec, grouped, X, np.arange(prepared.n_samples))
    name = ""
    if prepared.target == "classes":
        name = str(prepared.classes[place])
        rows = replace(rows, y=(rows.y == place).astype(int), n_classes=2)
    values = np.sort(np.asarray(strengths, dtype=float))[::-1]
    symbol = "β" if spec.method == "esvm" else "λ"
    if spec.method == "esvm":
        points = [{"beta": float(value), "alpha": alpha} for value in values]
    else:
        points = [{"lam": float(value)} for value in values]
    key = OWN_KEYS.get(spec.method, spec.method)
    fits = fit_points(key, rows, points, tol=tol)
    return StrengthPath(
        symbol,
        values,
        np.array([fit.coef[0] for fit in fits]),
        np.array([fit.gap for fit in fits]),
        name,
    )


def path_is_quick(prepared: Prepared) -> bool:
    return prepared.n_samples * prepared.n_features <= PATH_AT_ONCE


def path_tasks(prepared, spec, grouped, strengths: Sequence[float], alpha: float, place: int):
    """Arguments of `strength_path` for parts of the path, each warm-started in itself."""
    values = sorted(strengths)
    parts = [values[start : start + _PART] for start in range(0, len(values), _PART)]
    return [(prepared, spec, grouped, part, alpha, place) for part in parts]


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
