"""Which features are selected again and again: our model on half-samples, the groups drawn anew.

    probability_j = share of draws that select feature j
    E[falsely selected at threshold t] ≤ q²/((2t − 1)·n),  q = features selected per draw on average

n counts the features that the norm chooses from, so no covariates. The bound is Meinshausen and
Bühlmann's (2010), for t > ½; it assumes that the features that do not count could swap places.
Where groups are random, every draw has groups of its own, so that no feature owes its place to the
company it was put into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.own_table.encoding import encoded, learnt
from lab.own_table.fits import judged, own_key, rows_of
from lab.own_table.groupings import Grouping, Groupings
from lab.own_table.paths import fit_points
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds
from solvers import Groups

DRAWS = 50
THRESHOLD = 0.6
_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Stability:
    """`draws` says who was selected when: draws × features. `expected_false` is the bound.

    `n_held` of the features are no candidates, and never selected here.
    """

    draws: np.ndarray
    threshold: float = THRESHOLD
    n_held: int = 0

    def without(self, held: np.ndarray) -> Stability:
        """The same of the other features alone: covariates are in every draw anyway."""
        if not held.any():
            return self
        return Stability(self.draws & ~held, self.threshold, int(np.count_nonzero(held)))

    @property
    def n_draws(self) -> int:
        return self.draws.shape[0]

    @property
    def probability(self) -> np.ndarray:
        return self.draws.mean(axis=0)

    @property
    def stable(self) -> np.ndarray:
        return self.probability >= self.threshold

    @property
    def expected_false(self) -> float:
        per_draw = float(self.draws.sum(axis=1).mean())
        n_candidates = self.draws.shape[1] - self.n_held
        return per_draw**2 / ((2.0 * self.threshold - 1.0) * n_candidates)


def selection_draws(
    prepared: Prepared,
    spec: TableSpec,
    groupings: Groupings,
    strengths: dict[str, float],
    draws: Sequence[int],
) -> np.ndarray:
    """Who is selected in each draw: draws × features.

    The loss is a sum over rows, so half of them go with half of each strength.
    """
    key = own_key(spec)
    grouped = groupings.of(key)
    halved = {name: 0.5 * value for name, value in strengths.items()}
    found = []
    for draw in draws:
        random = np.random.default_rng([spec.seed, 1_000_003, draw])
        half = half_sample(prepared, random)
        here = grouped
        if spec.grouping == "random":
            groups = Groups.random(prepared.n_features, grouped.n_groups, random)
            here = Grouping(groups, grouped.names)
        rows = rows_of(prepared, spec, here, encoded(prepared, half), half)
        (fit,) = fit_points(key, rows, [halved], tol=_TOLERANCE)
        found.append(fit.selected)
    return np.array(found)


def half_sample(prepared: Prepared, random: np.random.Generator) -> np.ndarray:
    """Half of the rows of each class, or half of the subjects with all their rows."""
    if prepared.subjects is not None:
        subjects = np.unique(prepared.subjects)
        for _ in range(20):
            kept = random.permutation(subjects)[: max(2, subjects.size // 2)]
            rows = np.flatnonzero(np.isin(prepared.subjects, kept))
            if prepared.target != "classes" or np.unique(prepared.y[rows]).size == len(
                prepared.classes
            ):
                return rows
    if prepared.target != "classes":
        return np.sort(random.permutation(prepared.n_samples)[: prepared.n_samples // 2])
    parts = []
    for k in range(len(prepared.classes)):
        members = np.flatnonzero(prepared.y == k)
        parts.append(random.permutation(members)[: max(1, members.size // 2)])
    return np.sort(np.concatenate(parts))


@dataclass(frozen=True)
class Partner:
    """`other` stands in for `feature`: how alike they are, and how often it is there without it."""

    feature: int
    other: int
    correlation: float
    takes_over: float


def partners(
    X: np.ndarray, groups: Groups, stability: Stability, features: Sequence[int], least: float = 0.5
) -> list[Partner]:
    """For each feature the one of its groups that is selected in its place, where there is one.

    `X` are the encoded rows. A partner correlates by at least `least`, and is selected more often
    in the draws without the feature than in those with it.
    """
    lists = groups.lists()
    member_of: dict[int, set[int]] = {int(j): set() for j in features}
    for members in lists:
        here = set(int(j) for j in members)
        for j in member_of:
            if j in here:
                member_of[j] |= here
    found = []
    for j, company in member_of.items():
        others = np.array(sorted(company - {j}), dtype=int)
        if not others.size:
            continue
        with_it = stability.draws[:, j]
        if with_it.all() or not with_it.any():
            continue
        alike = _correlations(X[:, j], X[:, others])
        without = stability.draws[~with_it][:, others].mean(axis=0)
        gain = without - stability.draws[with_it][:, others].mean(axis=0)
        good = (np.abs(alike) >= least) & (gain > 0.0)
        if good.any():
            best = int(np.argmax(np.where(good, gain * np.abs(alike), -np.inf)))
            found.append(
                Partner(int(j), int(others[best]), float(alike[best]), float(without[best]))
            )
    return found


def _correlations(x: np.ndarray, others: np.ndarray) -> np.ndarray:
    x, others = x - x.mean(), others - others.mean(axis=0)
    size = np.sqrt((x @ x) * (others * others).sum(axis=0))
    return (x @ others) / np.where(size > 0.0, size, np.inf)


def loss_without(
    prepared: Prepared,
    spec: TableSpec,
    groupings: Groupings,
    strengths: Sequence[dict[str, float]],
    group: int,
) -> list[float]:
    """How much the score falls in each fold when the features of a group are not there.

    The group is one of all rows; the others keep the strengths that were chosen with it, and a
    group left empty is gone.
    """
    key = own_key(spec)
    metric = prepared.judged_by(spec)
    gone = np.zeros(prepared.n_features, dtype=bool)
    gone[groupings.of(key).groups.lists()[group]] = True
    losses = []
    for fold, (train, test) in enumerate(folds(prepared, spec)):
        encoding = learnt(prepared, train)
        X, test_X = encoding(prepared.X[train]), encoding(prepared.X[test])
        whole, point = groupings.of(key, fold).groups, strengths[fold]
        scores = []
        for groups, columns in ((whole, slice(None)), (_fewer(whole, gone), np.flatnonzero(~gone))):
            if groups is None:
                scores.append(float("nan"))
                continue
            rows = rows_of(prepared, spec, Grouping(groups, ()), X[:, columns], train, columns)
            (fit,) = fit_points(key, rows, [point], tol=_TOLERANCE)
            decision = fit.decision(test_X[:, columns])
            scores.append(judged(prepared, metric, decision, prepared.y[test], rows.y))
        losses.append(scores[0] - scores[1])
    return losses


def _fewer(groups: Groups, gone: np.ndarray) -> Groups | None:
    """The groups over the features that are left; None where none is."""
    if gone.all():
        return None
    place = np.cumsum(~gone) - 1
    left = [[int(place[j]) for j in members if not gone[j]] for members in groups.lists()]
    return Groups.from_lists([each for each in left if each], int(place[-1]) + 1)
