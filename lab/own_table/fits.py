"""One fold of one contender, tuned inside the fold: the unit of work of an analysis.

Everyone sees the same folds. What is estimated from data (medians, scales, strengths, weights) is
estimated from the training rows of the fold; strengths are chosen by a cross-validation inside
these rows, again with the preprocessing refitted in each part, by the score that the analysis is
judged by. Groups come from outside: they are made once for all contenders, in each fold from its
training rows where they come from rows at all, and are nobody's time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lab.own_table.constraints import constraints_of, covariates
from lab.own_table.contenders import (
    BOUNDED,
    CONTENDERS,
    Fit,
    Rows,
    fit_final,
    grid_of,
    selected_features,
)
from lab.own_table.encoding import encoded, learnt
from lab.own_table.groupings import Grouping, Groupings
from lab.own_table.paths import fit_points
from lab.own_table.scores import class_scores, number_scores, quick_class_score
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds, inner_folds
from lab.own_table.strengths import Choice, Point, choose, points_of
from solvers import Groups

INNER_FOLDS = 3
OWN_KEYS = {"lasso": "lasso_e", "huber": "huber_e", "poisson": "poisson_e"}


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one contender did in one fold, or on all rows where `fold` is None.

    `decision` holds the scores of the rows in `test`, or the numbers predicted for them. `coef` is
    over the encoded features. `gap` is the certified relative gap of ours, None for the others.
    `seconds` is the processor's time.
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
    used: np.ndarray | None = field(default=None, repr=False)
    choice: Choice | None = field(default=None, repr=False)

    @property
    def selected(self) -> np.ndarray:
        """Which encoded features count, in any of the one-vs-rest problems."""
        return selected_features(self.coef) if self.used is None else self.used


def own_key(spec: TableSpec) -> str:
    """The row of the comparison that is the spec's own model."""
    if spec.method == "esvm":
        return "esvm_r" if spec.grouping == "random" else "esvm"
    return OWN_KEYS.get(spec.method, spec.method)


def compared_keys(spec: TableSpec) -> tuple[str, ...]:
    """Ours first; with known groups, the random ones beside them; then the usual choices."""
    own = own_key(spec)
    fitting = [key for key, each in CONTENDERS.items() if spec.target in each.targets]
    if spec.grouping == "random":
        fitting = [key for key in fitting if key != "esvm"]
    if not spec.has_covariates:
        fitting = [key for key in fitting if key != "covariates"]
    return (own, *(key for key in fitting if key != own))


def run(
    prepared: Prepared, spec: TableSpec, groupings: Groupings, key: str, fold: int | None
) -> Outcome:
    """Fit one contender on the training rows of a fold (or on all rows) and judge it on the rest.

    Strengths are tuned on the training rows, except those of our own model where the spec sets
    them by hand.
    """
    started = time.thread_time()
    if fold is None:
        train = test = np.arange(prepared.n_samples)
    else:
        train, test = folds(prepared, spec)[fold]
    grouped = groupings.of(key, fold)
    choice = None
    if key == "covariates":
        point: Point = {}
    elif key == own_key(spec) and spec.tuning == "hand":
        point = strengths_by_hand(spec)
    else:
        choice = tune(prepared, spec, key, train, grouped)
        point = choice.point
    encoding = learnt(prepared, train)
    X = encoding(prepared.X[train])
    if key == "covariates":
        fit = covariates_alone(prepared, spec, X, train)
    else:
        fit = fit_final(key, rows_of(prepared, spec, grouped, X, train), point)
    decision = fit.decision(encoding(prepared.X[test]))
    return Outcome(
        key,
        fold,
        dict(point),
        test,
        decision,
        scores_of(prepared, decision, prepared.y[test], prepared.y[train]),
        fit.coef,
        fit.intercept,
        fit.gap,
        fit.converged,
        time.thread_time() - started,
        encoding.fills,
        encoding.centres,
        encoding.scales,
        fit.used,
        choice,
    )


def strengths_by_hand(spec: TableSpec) -> dict[str, float]:
    if spec.method == "esvm":
        return {"beta": spec.beta, "alpha": spec.alpha}
    return {"lam": spec.lam}


def rows_of(
    prepared: Prepared, spec: TableSpec, grouped, X: np.ndarray, chosen, columns=None
) -> Rows:
    """Encoded rows with their targets and constraints; `columns` where X has not all of them."""
    bound = constraints_of(prepared, spec)
    bound = bound if columns is None else bound.of(columns)
    return Rows(
        X,
        prepared.y[chosen],
        len(prepared.classes),
        None if grouped is None else grouped.groups,
        spec.class_weight == "balanced",
        spec.seed,
        bound.options,
        bound.turned,
    )


def covariates_alone(prepared: Prepared, spec: TableSpec, X: np.ndarray, chosen) -> Fit:
    """Our model without the features that the norm chooses from: nothing is penalised, but by the
    little ½‖w‖² of E-SVM, so there is no strength to choose."""
    held = covariates(prepared, spec)
    columns = np.flatnonzero(held)
    # Something has to be penalised: a column that says nothing.
    place = np.append(columns, np.argmin(held))
    told = np.column_stack([X[:, columns], np.zeros(len(X))])
    together = Grouping(Groups.contiguous(place.size, 1), ("covariates",))
    rows = rows_of(prepared, spec, together, told, chosen, place)
    key = own_key(spec)
    fit = fit_final(key, rows, points_of(grid_of(key, rows))[0])
    coef = np.zeros((fit.coef.shape[0], X.shape[1]))
    coef[:, columns] = fit.coef[:, :-1]
    return replace(fit, coef=coef)


def tune(prepared: Prepared, spec: TableSpec, key: str, chosen, grouped) -> Choice:
    """The strengths for these rows; see `strengths.choose`.

    Where a class has a single row there is nothing to split, and the middle of the grid is taken.
    """
    grid = grid_of(key, rows_of(prepared, spec, grouped, encoded(prepared, chosen), chosen))
    points = points_of(grid)
    parts = inner_folds(prepared, spec, chosen, INNER_FOLDS)
    if len(points) == 1 or not parts:
        middle = points[len(points) // 2]
        return Choice(middle, (middle,), np.full((1, 1), np.nan))
    metric = prepared.judged_by(spec)
    held = []
    for train, test in parts:
        encoding = learnt(prepared, train)
        rows = rows_of(prepared, spec, grouped, encoding(prepared.X[train]), train)
        held.append((rows, encoding(prepared.X[test]), prepared.y[test]))

    def score(points) -> np.ndarray:
        columns = []
        for rows, test_X, test_y in held:
            fits = fit_points(key, rows, points)
            columns.append(
                [judged(prepared, metric, fit.decision(test_X), test_y, rows.y) for fit in fits]
            )
        return np.array(columns).T

    return choose(grid, score, bounded=BOUNDED.get(key, ()))


def scores_of(prepared: Prepared, decision, y, trained_on) -> dict[str, float]:
    if prepared.target != "classes":
        centre, counts = float(np.mean(trained_on)), prepared.target == "counts"
        return number_scores(y, decision, centre, counts=counts)
    return class_scores(y, predicted_classes(decision), decision, len(prepared.classes))


def judged(prepared: Prepared, metric: str, decision, y, trained_on) -> float:
    """The one score that counts, for the many fits of tuning and of shuffled labels."""
    if prepared.target == "classes" and metric in ("accuracy", "balanced_accuracy"):
        return quick_class_score(metric, y, predicted_classes(decision), len(prepared.classes))
    return scores_of(prepared, decision, y, trained_on)[metric]


def predicted_classes(decision: np.ndarray) -> np.ndarray:
    if decision.ndim == 1:
        return (decision > 0.0).astype(int)
    return np.argmax(decision, axis=1)


# -- the work of an analysis -----------------------------------------------------------------

# Cells × problems. At 124,000 (62 × 2,000) the first result takes less than a second of the
# processor, and its five folds three more: `benchmarks.own_table` measures both.
AT_ONCE = 260_000
# So many are fitted in every fold within the tenth of a second in which a slider has to answer; to
# choose strengths as well takes so many times as long.
IN_ONE_STEP, TUNED = 24_000, 8


def is_quick(prepared: Prepared) -> bool:
    """Whether our model and its folds can be fitted while a reader waits."""
    return _cells(prepared) <= AT_ONCE


def is_one_step(prepared: Prepared, spec: TableSpec) -> bool:
    """Whether they are so quick that the first result need not be shown by itself."""
    cost = _cells(prepared) * (1 if spec.tuning == "hand" else TUNED)
    return cost <= min(IN_ONE_STEP, AT_ONCE)


def _cells(prepared: Prepared) -> int:
    problems = 1 if len(prepared.classes) <= 2 else len(prepared.classes)
    return prepared.n_samples * prepared.n_features * problems


def own_work(spec: TableSpec) -> list[tuple[str, int | None]]:
    """Our model on all rows, then in each fold, and what covariates get there by themselves."""
    ours = [(own_key(spec), fold) for fold in (None, *range(spec.n_folds))]
    beside = [("covariates", fold) for fold in range(spec.n_folds)] if spec.has_covariates else []
    return ours + beside


def all_work(spec: TableSpec) -> list[tuple[str, int | None]]:
    """Ours first, then fold by fold all the others, so that they always have folds in common."""
    others = [key for key in compared_keys(spec)[1:] if key != "covariates"]
    return own_work(spec) + [(key, fold) for fold in range(spec.n_folds) for key in others]


def own_outcomes(outcomes: Iterable[Outcome], spec: TableSpec) -> tuple[Outcome, list[Outcome]]:
    """Our fit on all rows, and those of the same contender in the folds."""
    own = [each for each in outcomes if each.key == own_key(spec)]
    final = next(each for each in own if each.fold is None)
    return final, sorted(
        (each for each in own if each.fold is not None), key=lambda each: each.fold
    )


def is_complete(outcomes: Iterable[Outcome], spec: TableSpec) -> bool:
    """Whether our own model is there, on all rows and in every fold; rivals may be missing."""
    done = {(each.key, each.fold) for each in outcomes}
    return done.issuperset(own_work(spec))
