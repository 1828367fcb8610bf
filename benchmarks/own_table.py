"""How long does an analysis of a visitor's table take, in processor time?

    python -m benchmarks.own_table [--tables genes text] [--folds 5] [--first 2] [--quick]
    python -m benchmarks.own_table --first-visit      make what the page opens with again

Two made-up tables of the shapes that people bring: `genes`, 62 rows of 2,000 correlated numbers,
and `text`, 1,427 rows of 4,322 word counts. For each, on one BLAS thread:

- `first_result`: the table as numbers, groups, strengths tuned, our model on all rows;
- `own`: that and our model in every fold, each tuned inside its training rows;
- `comparison`: every contender in every fold, shuffled labels aside;
- `grid_search`: scikit-learn's own `GridSearchCV` for a linear SVM and an ℓ1 logistic regression
  over the same strengths, inner folds and outer folds, preprocessing inside;
- `time_left`: what the page would say after each fit of the comparison, and what was left then.

Times are the processor's, of this thread. `--first` measures so many of the folds, ours and
scikit-learn's alike. `--quick` is for trying the script: tables of a tenth.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.own_table import first_visit, fits, setup, splits, work
from lab.own_table.case import make_groupings
from lab.own_table.contenders import _ABSOLUTE
from lab.own_table.outlook import Countdown, left_per_done
from lab.own_table.spec import TableSpec
from lab.tables import ReadOptions, Table

SHAPES = {"genes": (62, 2_000), "text": (1_427, 4_322)}
TARGETS = {
    "genes": {"first_result": 2.0, "own": 2.0},
    "text": {"first_result": 15.0, "ratio": 2.0},
}


def genes(n_rows: int, n_features: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Twenty factors behind all of them, ten features that differ between the classes."""
    y = rng.permutation(np.resize([0, 1], n_rows))
    loads = 0.7 * rng.standard_normal((20, n_features))
    X = rng.standard_normal((n_rows, 20)) @ loads + rng.standard_normal((n_rows, n_features))
    X[:, :10] += np.outer(2 * y - 1, np.full(10, 0.7))
    return X, y


def text(n_rows: int, n_features: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Counts of words, few of them frequent, a tenth of them more of one topic."""
    y = rng.permutation(np.resize([0, 1], n_rows))
    often = np.arange(1, n_features + 1) ** -0.9
    often *= 60.0 / often.sum()
    topic = rng.standard_normal(n_features) * (rng.random(n_features) < 0.1)
    return rng.poisson(often * np.exp(np.outer(2 * y - 1, 0.6 * topic))).astype(float), y


def table_of(X, y) -> Table:
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    frame["label"] = np.where(y > 0, "one", "other")
    return Table(frame, ReadOptions(label="label"), (), "0" * 64)


def spent(call) -> tuple[float, object]:
    started = time.process_time()
    found = call()
    return time.process_time() - started, found


def grid_search(prepared, spec, first: int) -> float:
    """scikit-learn by itself, in the same folds with the same strengths."""
    searches = (
        (SVC(kernel="linear"), "svc__C", _ABSOLUTE["svm"]["alpha"]),
        (
            LogisticRegression(solver="liblinear", l1_ratio=1.0),
            "logisticregression__C",
            _ABSOLUTE["logistic_l1"]["lam"],
        ),
    )
    seconds = 0.0
    for model, name, strengths in searches:
        for train, _ in splits.folds(prepared, spec)[:first]:
            search = GridSearchCV(
                make_pipeline(StandardScaler(), model),  # there are no gaps to fill
                {name: [1.0 / value for value in strengths]},
                cv=StratifiedKFold(fits.INNER_FOLDS, shuffle=True, random_state=spec.seed),
            )
            seconds += spent(lambda s=search, t=train: s.fit(prepared.X[t], prepared.y[t]))[0]
    return seconds


def time_left(tasks, outcomes, seconds) -> dict[str, list[float]]:
    """What the page shows after each task, by the times that they took, and what is true."""
    counting, spent, shown = Countdown(), np.cumsum(seconds), []
    for done in range(1, len(tasks) + 1):
        guess = spent[done - 1] * left_per_done(tasks, enumerate(outcomes[:done]))
        shown.append(round(float(counting.at(spent[done - 1], done, guess)), 2))
    return {"shown": shown, "true": [round(float(spent[-1] - each), 2) for each in spent]}


def measure(name: str, scale: float, n_folds: int, first: int) -> dict:
    shape = [max(40, int(scale * SHAPES[name][0])), int(scale * SHAPES[name][1])]
    X, y = globals()[name](*shape, np.random.default_rng(0))
    table = table_of(X, y)
    spec = TableSpec(label="label", features=table.names[:-1], n_folds=n_folds)
    own = fits.own_key(spec)
    with threadpool_limits(limits=1, user_api="blas"):
        before, (prepared, groupings) = spent(lambda: _prepared(table, spec))
        wanted = [each for each in fits.all_work(spec) if each[1] is None or each[1] < first]
        tasks = work.fit_tasks(spec, wanted)
        seconds, outcomes = [], []
        for task in tasks:
            took, outcome = spent(lambda t=task: work.perform(prepared, spec, groupings, t, None))
            seconds.append(took)
            outcomes.append(outcome)
            print(f"{name}: {task.key} {task.part}: {took:.2f} s", flush=True)
        plain = grid_search(prepared, spec, first)
    by_key: dict[str, float] = {}
    for task, took in zip(tasks, seconds, strict=True):
        by_key[task.key] = by_key.get(task.key, 0.0) + took
    # The model on all rows is in no fold.
    compared = sum(seconds[1:])
    return {
        "shape": shape,
        "folds": n_folds,
        "folds_measured": first,
        "first_result": before + seconds[0],
        "own": before + by_key[own] if first == n_folds else None,
        "comparison": compared,
        "grid_search": plain,
        "ratio": compared / plain,
        "seconds": by_key,
        "features_used": int(np.count_nonzero(outcomes[0].selected)),
        "time_left": time_left(tasks, outcomes, seconds),
        "targets": TARGETS[name],
    }


def _prepared(table, spec):
    prepared = setup.prepare(table, spec)
    return prepared, make_groupings(prepared, spec)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=sorted(SHAPES), default=sorted(SHAPES))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--first", type=int, help="measure only the first so many folds")
    parser.add_argument("--quick", action="store_true", help="tables of a tenth, nothing is kept")
    parser.add_argument("--first-visit", action="store_true")
    arguments = parser.parse_args()
    if arguments.first_visit:
        first_visit.write()
        return
    scale = 0.1 if arguments.quick else 1.0
    first = min(arguments.first or arguments.folds, arguments.folds)
    found = {}
    for name in arguments.tables:
        # A small table is measured in all its folds.
        some = arguments.folds if name == "genes" else first
        each = found[name] = measure(name, scale, arguments.folds, some)
        print(
            f"{name} {each['shape']}: first result {each['first_result']:.1f} s, comparison "
            f"{each['comparison']:.1f} s, {each['ratio']:.2f} × scikit-learn's two grid searches"
        )
    if not arguments.quick:
        common.write("own_table", {"tables": found})


if __name__ == "__main__":
    main()
