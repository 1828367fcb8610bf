"""Does the page of one's own table decide where nothing is, and do its strengths hold at any size?

    python -m benchmarks.verdicts              both, about ten minutes on one core
    python -m benchmarks.verdicts --quick      a tenth of the noise and the two smallest tables

`noise`: whole analyses, strengths chosen automatically, of small tables whose label has nothing to
do with their columns, in every kind of target. A shuffled label does as well in one of twenty, so
at most about one in twenty may be said to decide, or to be a hint.

`automatic`: E-SVM with random groups and automatic strengths beside an SVM that is tuned by the
same rule on the same inner folds, on four real tables and a made-up one of 45,000 rows in which 12
of 120 features count: held-out accuracy, paired difference, features used.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.data import datasets
from lab.data.natural import NaturalSpec
from lab.data.real import BundledSpec
from lab.estimates import difference, fold_overlap
from lab.own_table import fits, setup, splits, work
from lab.own_table.case import Case, make_groupings
from lab.own_table.spec import TableSpec
from lab.own_table.strengths import choose
from lab.tables import ReadOptions, Table

KINDS = {
    "two classes": {},
    "two classes, one rare": {"class_weight": "balanced"},
    "three classes": {},
    "exclusive logistic": {"method": "logistic"},
    "a number": {"target": "quantity", "method": "lasso"},
    "a count": {"target": "counts", "method": "poisson"},
}
N_NOISE = 204
TABLES = {
    "nutrimouse": NaturalSpec("nutrimouse_genotype"),
    "wine": BundledSpec("wine"),
    "breast_cancer": BundledSpec("breast_cancer"),
    "tcga_breast": NaturalSpec("tcga_breast"),
}
LARGE, N_TRUE = (45_000, 120), 12


def table_of(X, y) -> Table:
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])]).assign(label=y)
    return Table(frame, ReadOptions(label="label"), (), "0" * 64)


def case_of(table: Table, **changes) -> Case:
    spec = TableSpec("label", table.names[:-1], **changes)
    prepared = setup.prepare(table, spec)
    return Case("table", table, spec, prepared, make_groupings(prepared, spec))


def without_signal(kind: str, rng) -> Table:
    """Columns that are correlated with each other and with nothing else."""
    n_rows, n_features = int(rng.integers(40, 101)), int(rng.integers(5, 81))
    X = rng.standard_normal((n_rows, 3)) @ rng.standard_normal((3, n_features))
    X += rng.standard_normal((n_rows, n_features))
    if kind == "a number":
        y = rng.standard_normal(n_rows)
    elif kind == "a count":
        y = rng.poisson(3.0, n_rows).astype(float)
    else:
        classes = {"three classes": "abc", "two classes, one rare": "aaaab"}.get(kind, "ab")
        y = rng.permutation(np.resize(list(classes), n_rows))
    return table_of(X, y)


def verdict(case: Case):
    """All that the page does until its headline stands."""
    outcomes, chance = [], []
    for task in work.fit_tasks(case.spec, fits.own_work(case.spec)) + work.chance_tasks(case.spec):
        known = work.strengths_of(outcomes, case.own)
        found = work.perform(case.prepared, case.spec, case.groupings, task, known)
        (outcomes if task.kind == "fit" else chance).append(found)
    return case.knowing(outcomes=tuple(outcomes), chance=np.nanmean(chance, axis=0)).verdict


def noise(count: int) -> dict:
    levels: dict[str, Counter] = {kind: Counter() for kind in KINDS}
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        table = without_signal(kind, np.random.default_rng([7, number]))
        levels[kind][verdict(case_of(table, **KINDS[kind])).level] += 1
        print(f"{number + 1} of {count}: {dict(sum(levels.values(), Counter()))}", flush=True)
    every = sum(levels.values(), Counter())
    return {
        "tables": count,
        "levels": dict(every),
        "by_kind": {kind: dict(found) for kind, found in levels.items()},
        "decides_or_hints": (every["decides"] + every["hint"]) / count,
    }


def large_table(rng) -> Table:
    n_rows, n_features = LARGE
    X = rng.standard_normal((n_rows, n_features))
    weights = np.zeros(n_features)
    weights[:: n_features // N_TRUE] = rng.choice([-1.0, 1.0], N_TRUE) * rng.uniform(
        0.3, 1.0, N_TRUE
    )
    score = X @ weights + 2.0 * rng.logistic(size=n_rows)
    return table_of(X, np.where(score > 0.0, "up", "down"))


def linear_svm(case: Case, fold: int) -> float:
    """The accuracy of a tuned SVM by liblinear: libsvm's time grows with the square of the rows."""
    train, test = splits.folds(case.prepared, case.spec)[fold]
    X, y = case.prepared.X, case.prepared.y

    def accuracy(here, there, alpha) -> float:
        scaler = StandardScaler().fit(X[here])
        model = LinearSVC(loss="hinge", C=1.0 / alpha, random_state=0, max_iter=5_000)
        model.fit(scaler.transform(X[here]), y[here])
        return float(model.score(scaler.transform(X[there]), y[there]))

    def score(points):
        parts = splits.inner_folds(case.prepared, case.spec, train, fits.INNER_FOLDS)
        return np.array([[accuracy(a, b, point["alpha"]) for a, b in parts] for point in points])

    chosen = choose({"alpha": (1e5, 1e4, 1e3, 1e2)}, score, most_widenings=0).point
    return accuracy(train, test, chosen["alpha"])


def automatic(name: str, case: Case, folds) -> dict:
    started = time.process_time()
    ours, theirs, used = [], [], []
    for fold in folds:
        own = fits.run(case.prepared, case.spec, case.groupings, "esvm_r", fold)
        if name == "large":
            theirs.append(linear_svm(case, fold))
        else:
            svm = fits.run(case.prepared, case.spec, case.groupings, "svm", fold)
            theirs.append(svm.metrics["accuracy"])
        ours.append(own.metrics["accuracy"])
        used.append(int(np.count_nonzero(own.selected)))
        print(f"{name}, fold {fold}: {ours[-1]:.4f}, SVM {theirs[-1]:.4f}, {used[-1]}", flush=True)
    apart = difference(ours, theirs, fold_overlap("ordinary", 1.0 / (case.spec.n_folds - 1)))
    return {
        "shape": [case.prepared.n_samples, case.prepared.n_features],
        "esvm_r": ours,
        "svm": theirs,
        "better_by": {"mean": apart.mean, "low": apart.low, "high": apart.high},
        "features_used": used,
        "seconds": time.process_time() - started,
    }


def cases(quick: bool):
    names = list(TABLES)[: 2 if quick else None]
    for name in names:
        data = datasets.load(TABLES[name])
        yield name, case_of(table_of(data.X, [f"c{each}" for each in data.y])), range(5)
    if not quick:
        yield "large", case_of(large_table(np.random.default_rng(0))), range(3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="to try the script; nothing is kept")
    quick = parser.parse_args().quick
    with threadpool_limits(limits=1, user_api="blas"):
        found = {"automatic": {name: automatic(name, *each) for name, *each in cases(quick)}}
        found["noise"] = noise(N_NOISE // 10 if quick else N_NOISE)
    if not quick:
        common.write("verdicts", found)


if __name__ == "__main__":
    main()
