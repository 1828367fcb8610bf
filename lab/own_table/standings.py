"""Contenders side by side: scores over folds, and paired differences on the folds they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lab.estimates import Estimate, difference, fold_overlap, holm
from lab.own_table.contenders import CONTENDERS, STRENGTH_NAMES
from lab.own_table.fits import Outcome, compared_keys
from lab.own_table.scores import ERRORS, Score, faultless, metrics_of, range_of, score
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec


@dataclass(frozen=True)
class Tally:
    """One contender over the folds that are done.

    `behind` is how much worse than our own model it is, fold by fold on the folds both have done:
    positive where ours is better, whatever the score; empty for ours.
    """

    key: str
    label: str
    role: str
    scores: Mapping[str, Score]
    behind: Mapping[str, Score]
    n_folds: int
    wanted: int
    n_selected: float
    strengths: Mapping[str, tuple[float, ...]]
    seconds: float

    @property
    def complete(self) -> bool:
        return self.n_folds == self.wanted


def standings(outcomes: Iterable[Outcome], spec: TableSpec, prepared: Prepared) -> list[Tally]:
    """A row for each contender with at least one fold, ours first."""
    by_key: dict[str, dict[int, Outcome]] = {}
    for outcome in outcomes:
        if outcome.fold is not None:
            by_key.setdefault(outcome.key, {})[outcome.fold] = outcome
    overlap = fold_overlap(spec.protocol, 1.0 / (spec.n_folds - 1))
    keys = [key for key in compared_keys(spec) if key in by_key]
    own = by_key.get(compared_keys(spec)[0], {})
    rows = []
    for place, key in enumerate(keys):
        done = by_key[key]
        every = [done[fold] for fold in sorted(done)]
        rows.append(
            Tally(
                key,
                CONTENDERS[key].label,
                CONTENDERS[key].role,
                _scores(every, overlap, prepared),
                {} if done is own or place == 0 else _behind(own, done, spec, overlap),
                len(every),
                spec.n_folds,
                float(np.mean([np.count_nonzero(each.selected) for each in every])),
                {
                    name: tuple(each.strengths[name] for each in every)
                    for name in STRENGTH_NAMES[key]
                },
                float(sum(each.seconds for each in every)),
            )
        )
    return rows


def _scores(every: Sequence[Outcome], overlap: float, prepared: Prepared) -> dict[str, Score]:
    scores = {}
    trials = trials_by_class(prepared, np.unique(np.concatenate([each.test for each in every])))
    for metric in metrics_of(prepared.target):
        least, most = range_of(metric)
        scores[metric] = score(
            [each.metrics[metric] for each in every],
            overlap,
            least=least,
            most=most,
            faultless=faultless(metric, trials) if trials.size else np.nan,
        )
    return scores


def trials_by_class(prepared: Prepared, rows: np.ndarray) -> np.ndarray:
    """How many of these rows each class has, or subjects where rows of one stay together."""
    if prepared.target != "classes":
        return np.zeros(0, dtype=int)
    y = prepared.y[rows]
    if prepared.subjects is not None:
        y = np.unique(np.column_stack([prepared.subjects[rows], y]), axis=0)[:, 1]
    return np.bincount(y.astype(int), minlength=len(prepared.classes))


def _behind(own, done, spec: TableSpec, overlap: float) -> dict[str, Score]:
    shared = sorted(set(own) & set(done))
    differences = {}
    for metric in metrics_of(spec.target):
        sign = -1.0 if metric in ERRORS else 1.0
        differences[metric] = score(
            [sign * (own[k].metrics[metric] - done[k].metrics[metric]) for k in shared], overlap
        )
    return differences


@dataclass(frozen=True)
class Decision:
    """What a comparison decides, for one score.

    `winner` has the best mean of the complete rows; `equal` are those that the folds cannot tell
    from it; `sparsest` is the one of these that uses the fewest features. `closest` is the other
    that comes nearest to the winner, and by how much it is worse, on the same folds. `undecided`
    counts rows that have not done all their folds, which are not judged.
    """

    winner: Tally
    equal: tuple[Tally, ...]
    sparsest: Tally
    closest: tuple[Tally, Estimate]
    undecided: int


def decide(rows: Sequence[Tally], outcomes: Iterable[Outcome], spec, metric) -> Decision | None:
    """Of the rows with all folds; None where fewer than two have them.

    Two are told apart where their paired difference over the folds is beyond chance at 95 %, with
    Holm's correction, for all are looked at.
    """
    whole = [row for row in rows if row.complete and not np.isnan(row.scores[metric].mean)]
    serious = [row for row in whole if row.role != "baseline"]
    if len(serious) < 2:
        return None
    sign = -1.0 if metric in ERRORS else 1.0
    winner = max(serious, key=lambda row: sign * row.scores[metric].mean)
    overlap = fold_overlap(spec.protocol, 1.0 / (spec.n_folds - 1))
    by_key: dict[str, dict[int, Outcome]] = {}
    for outcome in outcomes:
        if outcome.fold is not None:
            by_key.setdefault(outcome.key, {})[outcome.fold] = outcome
    others = [row for row in serious if row is not winner]
    behind = [
        difference(
            *zip(
                *(
                    (sign * best.metrics[metric], sign * by_key[row.key][fold].metrics[metric])
                    for fold, best in by_key[winner.key].items()
                ),
                strict=True,
            ),
            overlap,
        )
        for row in others
    ]
    worse = holm([each.p for each in behind])
    equal = [winner, *(row for row, told in zip(others, worse, strict=True) if not told)]
    # Whole features, as they are told: two of 2.2 and 2.4 on average are equally sparse.
    sparsest = min(
        equal, key=lambda row: (round(row.n_selected), row is not winner, row.role != "ours")
    )
    closest = min(zip(others, behind, strict=True), key=lambda pair: pair[1].mean)
    return Decision(winner, tuple(equal), sparsest, closest, sum(not row.complete for row in rows))
