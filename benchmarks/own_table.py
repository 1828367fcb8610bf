"""How long does an analysis of a visitor's table take, in processor time?

    python -m benchmarks.own_table [--tables genes text] [--quick]
    python -m benchmarks.own_table --first-visit      make what the page opens with again

Two made-up tables of the shapes that people bring: `genes`, 62 rows of 2,000 correlated numbers,
and `text`, 1,427 rows of 4,322 word counts. For each, on one BLAS thread:

- `first_seen`: from the file's arrival on the page until the first result is on show, where that
  needs no queue: reading, health of the table, and what follows;
- `first_result`: the table as numbers, groups, strengths tuned, our model on all rows;
- `own`: that and our model in every fold, each tuned inside its training rows;
- `shuffled_labels`: 19 draws in every fold, at the strengths that are known then;
- `comparison`: every contender in all five folds, shuffled labels aside;
- `grid_search`: scikit-learn's own `GridSearchCV` for a linear SVM and an ℓ1 logistic regression
  over the same strengths, inner folds and outer folds, preprocessing inside;
- `time_left`: what the page would say after each fit of the comparison, and what was left then.

Times are the processor's. `--quick` is for trying the script: tables of a tenth. Results are kept
where both tables were measured, so that they are of one machine and one day.
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
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab import ui
from lab.own_table import first_visit, fits, setup, splits, work
from lab.own_table.case import make_groupings
from lab.own_table.contenders import _ABSOLUTE
from lab.own_table.outlook import Countdown, left_per_done
from lab.own_table.spec import TableSpec
from lab.tables import ReadOptions, Table
from lab.ui.frame import ROOT

SHAPES = {"genes": (62, 2_000), "text": (1_427, 4_322)}
# At most: processor seconds, and the comparison's as a multiple of the two grid searches'.
TARGETS = {
    "genes": {"first_result": 2.0, "first_seen": 2.0},
    "text": {"first_result": 15.0, "ratio": 2.0},
}
FOLDS = 5
SPEAKS_OF_A_FIT = ("so far: ", "held-out rows")


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


def grid_search(prepared, spec) -> float:
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
        for train, _ in splits.folds(prepared, spec):
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


def first_seen(table: Table) -> float | None:
    """Processor seconds from the upload until a headline of the page speaks of a fit.

    None for a table that waits for a button. The page is open already, as it is for a visitor.
    """
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
    page = next(page for page in ui.PAGES if page.key == "classify_csv")
    at.switch_page(page.file)
    at.query_params["csv_data"] = "Your file"
    at.run()
    send, seen = ForwardMsgQueue.enqueue, []

    def enqueue(queue, message):
        if any(word in message.delta.new_element.markdown.body for word in SPEAKS_OF_A_FIT):
            seen.append(time.process_time())
        send(queue, message)

    data = table.frame.to_csv(index=False).encode()
    ForwardMsgQueue.enqueue = enqueue
    try:
        started = time.process_time()
        at.file_uploader(key="csv_uploader").upload("table.csv", data, "text/csv")
        at.run()
    finally:
        ForwardMsgQueue.enqueue = send
    return seen[0] - started if seen else None


def measure(name: str, scale: float) -> dict:
    shape = [max(40, int(scale * SHAPES[name][0])), int(scale * SHAPES[name][1])]
    X, y = globals()[name](*shape, np.random.default_rng(0))
    table = table_of(X, y)
    spec = TableSpec(label="label", features=table.names[:-1], n_folds=FOLDS)
    own = fits.own_key(spec)
    with threadpool_limits(limits=1, user_api="blas"):
        before, (prepared, groupings) = spent(lambda: _prepared(table, spec))
        seen = first_seen(table) if fits.is_quick(prepared) else None
        tasks = work.comparison_tasks(spec)
        seconds, outcomes = [], []
        for task in tasks:
            fitted = [each for each in outcomes if isinstance(each, fits.Outcome)]
            known = work.strengths_of(fitted, own)
            arguments = (prepared, spec, groupings, task, known)
            took, outcome = spent(lambda given=arguments: work.perform(*given))
            seconds.append(took)
            outcomes.append(outcome)
            print(f"{name}: {task.kind} {task.key} {task.part}: {took:.2f} s", flush=True)
        plain = grid_search(prepared, spec)
    by_key: dict[str, float] = {}
    for task, took in zip(tasks, seconds, strict=True):
        what = task.key if task.kind == "fit" else "shuffled labels"
        by_key[what] = by_key.get(what, 0.0) + took
    shuffled = by_key.pop("shuffled labels")
    # The model on all rows is in no fold.
    compared = sum(by_key.values()) - seconds[0]
    return {
        "shape": shape,
        "folds": FOLDS,
        "first_seen": seen,
        "first_result": before + seconds[0],
        "own": before + by_key[own],
        "shuffled_labels": shuffled,
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
    parser.add_argument("--quick", action="store_true", help="tables of a tenth, not kept")
    parser.add_argument("--first-visit", action="store_true")
    arguments = parser.parse_args()
    if arguments.first_visit:
        first_visit.write()
        return
    scale = 0.1 if arguments.quick else 1.0
    found = {}
    for name in arguments.tables:
        each = found[name] = measure(name, scale)
        print(
            f"{name} {each['shape']}: first result {each['first_result']:.1f} s, comparison "
            f"{each['comparison']:.1f} s, {each['ratio']:.2f} × scikit-learn's two grid searches"
        )
    if not arguments.quick and set(found) == set(SHAPES):
        common.write("own_table", {"tables": found})


if __name__ == "__main__":
    main()
