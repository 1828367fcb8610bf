"""Sets with groups of their own: what structure exclusive sparsity buys, and what it costs.

A trial trains on a few samples of each class and tests on all others. What is kept of a model is
its accuracy, and how many of its features lie in each group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.accuracy.protocol import LABELS, Protocol
from lab.accuracy.repeated import Repeated
from lab.accuracy.repeated import so_far as told_so_far
from lab.data.natural import NATURAL, NaturalSpec
from lab.estimates import Estimate, Together, difference, estimate
from lab.results import Store, Trial
from lab.results.identity import plain
from lab.words import listed

METHODS = ("svm", "sparse_svm", "logistic_l1", "kong", "esvm_r", "esvm")
REPEATS = 10
FEWEST = 5  # draws; fewer say nothing, and intervals of two are as wide as the page
# Samples of each class to train on: few, since with many all methods are right.
PER_CLASS: Mapping[str, int] = MappingProxyType(
    {"mfeat": 5, "tcga_breast": 10, "nutrimouse_genotype": 8, "nutrimouse_diet": 4}
)
VERSION = 1
# Ties go to the strongest: what is asked is how few features do, so accuracy is not for sale.
_PROTOCOL = Protocol(weakest=0.001, strongest=0.1, ties="strongest")


@dataclass(frozen=True)
class GroupedSpec(Repeated):
    """Repeated draws of `per_class` training samples a class from a set with natural groups

    Kong and E-SVM know the groups; E-SVM(R) draws as many at random.
    """

    data: str
    per_class: int
    repeats: int = REPEATS
    methods: tuple[str, ...] = METHODS
    protocol: Protocol = _PROTOCOL
    seed: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "grouped", "version": VERSION, **plain(asdict(self))}


def specs() -> list[GroupedSpec]:
    """The sets that come with results."""
    return [GroupedSpec(data, PER_CLASS[data]) for data in NATURAL]


def split(y, per_class: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """So many samples of each class at random to train on, and all others."""
    rng = np.random.default_rng(seed)
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() <= per_class:
        raise ValueError(
            f"a class has {counts.min()} samples, and {per_class} of each are to train on; take "
            "fewer."
        )
    train = np.concatenate(
        [rng.permutation(np.flatnonzero(y == label))[:per_class] for label in classes]
    )
    train.sort()
    return train, np.setdiff1d(np.arange(len(y)), train)


def run_grouped(spec: GroupedSpec, trial: Trial) -> dict[str, Any]:
    """One method on one draw."""
    from lab.accuracy.trials import scaled, separate_seed
    from lab.accuracy.tuning import accuracy_of, tune_and_fit
    from lab.data.datasets import load

    repeat, _, method = trial
    data = load(NaturalSpec(spec.data))
    train, test = split(data.y, spec.per_class, spec.seed + repeat)
    X_train, X_test = scaled("standardise", data.X[train], data.X[test])
    fitted = tune_and_fit(
        method,
        X_train,
        data.y[train],
        spec.protocol,
        groups=data.groups,
        n_random_groups=data.groups.n_groups,
        fit_intercept=True,
        seed=separate_seed(spec.seed + repeat),
    )
    used = np.any(fitted.model.coef_ != 0.0, axis=0)
    return {
        "trial": list(trial),
        "accuracy": accuracy_of(fitted.model, X_test, data.y[test]),
        "nonzeros": int(np.count_nonzero(used)),
        "per_group": (data.groups.incidence @ used).astype(int).tolist(),
        "n_train": int(train.size),
        "n_test": int(test.size),
        "seconds": fitted.seconds,
        "chosen": dict(fitted.chosen),
        "gap": None if fitted.gap is None else float(fitted.gap),
        "missed": fitted.missed,
    }


@dataclass(frozen=True)
class Bought:
    """One method on one set: accuracy, its difference from E-SVM, and the features by group."""

    data: str
    method: str
    accuracy: Estimate
    difference: Estimate | None
    nonzeros: float
    per_group: tuple[float, ...]
    every_group: int
    repeats: int


def bought(
    spec: GroupedSpec, found: Mapping[Trial, Mapping[str, Any]], fewest: int = FEWEST
) -> list[Bought]:
    """A row per method, of the draws that all methods have; none before there are enough."""
    draws = [r for r in range(spec.repeats) if all((r, 0, m) in found for m in spec.methods)]
    rows = []
    for method in spec.methods if len(draws) >= fewest else ():
        own = [found[(r, 0, method)] for r in draws]
        exclusive = [found[(r, 0, "esvm")]["accuracy"] for r in draws]
        values = [row["accuracy"] for row in own]
        counts = np.array([row["per_group"] for row in own])
        rows.append(
            Bought(
                spec.data,
                method,
                estimate(values),
                None if method == "esvm" else difference(exclusive, values),
                float(np.mean([row["nonzeros"] for row in own])),
                tuple(counts.mean(axis=0).tolist()),
                int(np.count_nonzero(counts.min(axis=1) > 0)),
                len(draws),
            )
        )
    return rows


def results(store: Store) -> list[Bought] | None:
    """Everything there is; None if there is nothing."""
    rows = [row for spec in specs() for row in bought(spec, store.load(spec))]
    return rows or None


def looks(rows: list[Bought]) -> Together:
    """The differences of all sets and methods are looked at together."""
    return Together.of(row.difference for row in rows if row.difference is not None)


def table(rows: list[Bought]) -> dict[str, list]:
    """The rows to be read."""
    return {
        "data": [NATURAL[row.data].title for row in rows],
        "method": [LABELS[row.method] for row in rows],
        "accuracy, %": [row.accuracy.in_points().removeprefix("+") for row in rows],
        "E-SVM minus it, points": [
            "" if row.difference is None else row.difference.in_points() for row in rows
        ],
        "features": [round(row.nonzeros, 1) for row in rows],
        "by group": [" / ".join(f"{value:.0f}" for value in row.per_group) for row in rows],
        "all groups used": [f"{row.every_group} of {row.repeats}" for row in rows],
    }


def answer(rows: list[Bought]) -> str:
    """What known groups cost in accuracy, and whether they bought features in every group."""
    count = looks(rows)
    sides = [count.side(row.difference) for row in rows if row.difference is not None]
    sparse = [row for row in rows if row.method == "esvm"]
    used = sum(row.every_group for row in sparse)
    tried = sum(row.repeats for row in sparse)
    lasso = [row for row in rows if row.method == "sparse_svm"]
    other = sum(row.every_group for row in lasso)
    behind = [
        f"{LABELS[row.method]} on {NATURAL[row.data].title}"
        for row in rows
        if row.difference is not None and count.side(row.difference) < 0
    ]
    text = (
        f"With the groups as they are, E-SVM used every group in {used} of {tried} fits, S-SVM in "
        f"{other}; in accuracy it is beyond chance ahead of another method in {sides.count(1)} of "
        f"{len(sides)} comparisons and behind in {sides.count(-1)} (5 %, Holm's correction for "
        f"{count})"
    )
    if behind:
        text += f": {listed(behind)}"
    return f"{text}."


def so_far(rows: list[Bought]) -> str:
    """What is still to be measured, as a sentence; nothing if nothing is."""
    done = {row.data: row.repeats for row in rows}
    return told_so_far(
        (NATURAL[spec.data].title, done.get(spec.data, 0), spec.repeats) for spec in specs()
    )


NOTE = (
    "In each draw a few samples of each class are trained on and all others tested on; ± is the "
    "95 % t-interval over the draws and speaks of other draws from the same samples. A feature "
    "counts if any class uses it. E-SVM(R) draws as many groups as there are, at random. The "
    "strengths are chosen for accuracy, not for few features; that ties go to the strongest was "
    "decided after one draw of each set had been seen."
)
