"""What the same analysis gets where there is nothing to find: labels shuffled, all else equal.

    p = (1 + #{draws whose score reaches ours})/(1 + #draws)

A draw shuffles the labels (of whole subjects, where rows of one stay together), splits anew with
the same rule and seed, and fits our model to every fold at the strengths that the true labels
chose and in the groups that they had there. These groups know no label, so where there is no signal
they help nobody. No assumption about the data enters but that without one rows could swap labels.
Covariates move with the labels, so what is tested is whether the other features add to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lab.own_table.constraints import covariates
from lab.own_table.encoding import learnt
from lab.own_table.fits import judged, own_key, rows_of, tune
from lab.own_table.groupings import Groupings
from lab.own_table.paths import fit_points
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds

DRAWS = 19  # the fewest that can reach p = 0.05
_TOLERANCE = 1e-3  # a score over folds does not see more


def chance_fold(
    prepared: Prepared,
    spec: TableSpec,
    groupings: Groupings,
    fold: int,
    strengths: Mapping[str, float] | None,
    draws: Sequence[int],
) -> np.ndarray:
    """The score of each draw in one fold; strengths of None are chosen here, from true labels."""
    key = own_key(spec)
    grouped = groupings.of(key, fold)
    metric = prepared.judged_by(spec)
    if strengths is None:
        strengths = tune(prepared, spec, key, folds(prepared, spec)[fold][0], grouped).point
    found = []
    for draw in draws:
        shuffled = shuffled_labels(prepared, spec, draw)
        train, test = folds(shuffled, spec)[fold]
        encoding = learnt(shuffled, train)
        rows = rows_of(shuffled, spec, grouped, encoding(shuffled.X[train]), train)
        (fit,) = fit_points(key, rows, [strengths], tol=_TOLERANCE)
        decision = fit.decision(encoding(shuffled.X[test]))
        found.append(judged(shuffled, metric, decision, shuffled.y[test], rows.y))
    return np.array(found)


def shuffled_labels(prepared: Prepared, spec: TableSpec, draw: int) -> Prepared:
    """Labels dealt out anew, covariates with them: what these explain stays explained."""
    source = shuffled_rows(prepared, spec.seed, draw)
    held = np.unique(prepared.sources[covariates(prepared, spec)])
    if not held.size:
        return replace(prepared, y=prepared.y[source])
    X = prepared.X.copy()
    X[:, held] = X[source][:, held]
    return replace(prepared, X=X, y=prepared.y[source])


def shuffled_rows(prepared: Prepared, seed: int, draw: int) -> np.ndarray:
    """The row each row's label comes from; where each subject has one, subjects swap theirs."""
    random = np.random.default_rng([seed, draw])
    if prepared.subjects is not None:
        _, first, whose = np.unique(prepared.subjects, return_index=True, return_inverse=True)
        if np.array_equal(prepared.y[first][whose], prepared.y):
            return random.permutation(first)[whose]
    return random.permutation(prepared.n_samples)


def p_value(ours: float, chance: np.ndarray) -> float:
    return (1.0 + np.count_nonzero(chance >= ours - 1e-12)) / (1.0 + chance.size)
