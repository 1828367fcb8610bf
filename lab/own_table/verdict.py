"""What an analysis comes to, in one word and the numbers behind it.

    decides   better than guessing (the interval leaves it out) and than shuffled labels (p ≤ 0.05)
    hint      better than shuffled labels, but the interval still holds what guessing gets
    nothing   shuffled labels do as well
    unknown   shuffled labels have not been tried; the interval leaves guessing out
    open      shuffled labels have not been tried; the interval holds what guessing gets

Guessing is the largest class, or every class alike for balanced accuracy, or the mean; where there
are covariates, it is what they get by themselves, and the interval is that of the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.own_table.chance import p_value
from lab.own_table.fits import Outcome, predicted_classes
from lab.own_table.results import Features
from lab.own_table.scores import Score
from lab.own_table.setup import Prepared

SURE = 0.05


@dataclass(frozen=True)
class Verdict:
    """`guess` is what guessing scores on the same rows; `chance` the scores of shuffled labels.

    `p` is None while these are not known. `never` names classes that are never predicted.
    `n_always` of the `n_selected` features were selected in every fold. `beyond` is by how much
    ours is better than covariates alone, None where there are none.
    """

    level: str
    metric: str
    score: Score
    guess: float
    chance: tuple[float, ...]
    p: float | None
    n_selected: int
    n_always: int
    n_features: int
    never: tuple[str, ...]
    beyond: Score | None = None


def judge(
    prepared: Prepared,
    metric: str,
    score: Score,
    found: Features,
    folds: Sequence[Outcome],
    chance: np.ndarray | None,
    beside: tuple[Score, Score] | None = None,
) -> Verdict:
    """`beside` is the score of covariates alone, and by how much ours is better."""
    guess = guessing(prepared, metric, folds) if beside is None else beside[0].mean
    p = None if chance is None or not len(chance) else p_value(score.mean, chance)
    above = score.known and score.low > guess
    if beside is not None:
        above = beside[1].known and beside[1].low > 0.0
    better = p is not None and p <= SURE and score.mean > guess
    if better:
        level = "decides" if above else "hint"
    elif p is None:
        level = "unknown" if above else "open"
    else:
        level = "nothing"
    return Verdict(
        level,
        metric,
        score,
        guess,
        () if chance is None else tuple(float(value) for value in chance),
        p,
        found.n_selected,
        found.n_always,
        found.n_choices,
        never_predicted(prepared, folds),
        None if beside is None else beside[1],
    )


def guessing(prepared: Prepared, metric: str, folds: Sequence[Outcome]) -> float:
    """What a model without features gets on the test rows of the same folds, on average."""
    if prepared.target != "classes":
        return 0.0
    n_classes = len(prepared.classes)
    if metric == "balanced_accuracy":
        return 1.0 / n_classes
    if metric != "accuracy":
        return 0.5
    shares = []
    for each in folds:
        trained = np.ones(prepared.n_samples, dtype=bool)
        trained[each.test] = False
        largest = np.argmax(np.bincount(prepared.y[trained], minlength=n_classes))
        shares.append(float(np.mean(prepared.y[each.test] == largest)))
    counts = prepared.class_counts
    return float(np.mean(shares)) if shares else float(counts.max() / counts.sum())


def never_predicted(prepared: Prepared, folds: Sequence[Outcome]) -> tuple[str, ...]:
    if prepared.target != "classes" or not folds:
        return ()
    said = np.unique(np.concatenate([predicted_classes(each.decision) for each in folds]))
    return tuple(str(name) for k, name in enumerate(prepared.classes) if k not in said)
