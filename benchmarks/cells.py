"""Long experiments as cells of repeated trials: run what is missing, cheapest first, keep the rest.

A cell is a list of trials that differ only in their number (a repeat, a fold); a result file holds
one record per cell with a column per quantity. The file is written after every trial, so a run may
be stopped at any time and continued later. Trials are also looked for and kept in the folder of
`lab.sweeps`, so that the app, `benchmarks.sweep` and this go on with each other's work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.sweeps import Store, run_trial

# What is kept of a trial, with so many digits.
QUANTITIES = {"accuracy": 6, "gap": 2, "nonzeros": 6, "seconds": 3}


@dataclass(frozen=True)
class Task:
    """One trial: the cell it belongs to, its number there, what to run, and its rough cost."""

    cell: tuple[tuple[str, Any], ...]
    number: int
    spec: Any
    trial: tuple
    cost: float


def in_useful_order(tasks: Iterable[Task]) -> list[Task]:
    """By (number + 1)·cost: cheap cells are complete early, dear ones have their first trials."""
    return sorted(tasks, key=lambda task: (task.number + 1) * task.cost)


def run(
    name: str,
    tasks: list[Task],
    head: dict,
    *,
    workers: int = 1,
    seconds: float = np.inf,
    report: Callable[[str], None] = print,
) -> None:
    """Run the tasks that the result file does not hold, and add each to it as it ends.

    A cell remembers the family of its spec; trials made by other settings do not count as done.
    """
    families = {task.cell: task.spec.family for task in tasks}
    cells, stale = {}, 0
    for cell in _stored(name):
        if families.get(_key(cell), cell["family"]) == cell["family"]:
            cells[_key(cell)] = cell
        else:
            stale += 1
    if stale:
        report(f"{stale} cells were made by other settings and are left out")
    store = Store()
    kept = {spec: store.load(spec) for spec in {task.spec for task in tasks}}
    for task in tasks:
        if task.trial in kept[task.spec] and not _done(cells, task):
            _add(cells, task, kept[task.spec][task.trial])
    todo = [task for task in tasks if not _done(cells, task)]
    report(f"{len(tasks) - len(todo)} of {len(tasks)} trials are there; {len(todo)} to go")
    if cells and seconds > 0.0:
        common.write(name, {**head, "cells": list(cells.values())}, compact=True)
    began = time.perf_counter()
    finished, spent = 0, 0.0
    total = sum(task.cost for task in todo)
    for task, result, took in _results(todo, workers, began + seconds):
        _add(cells, task, result)
        store.add(task.spec, result)
        finished, spent = finished + 1, spent + task.cost
        common.write(name, {**head, "cells": list(cells.values())}, compact=True)
        elapsed = time.perf_counter() - began
        left = elapsed * (total - spent) / spent
        report(
            f"{_words(task)}: {result['accuracy']:.3f} in {took:.1f} s"
            f"  ({finished} of {len(todo)}, about {left / 3600:.1f} h left)"
        )


def add_options(parser) -> None:
    """The options that all long experiments share."""
    parser.add_argument("--quick", action="store_true", help="a small version, for a smoke test")
    parser.add_argument("--workers", type=int, default=1, help="processes, one BLAS thread each")
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after about so long")
    parser.add_argument("--dry", action="store_true", help="only say what there is to do")


def run_alone(spec, trial) -> tuple[dict, float]:
    """A trial with one BLAS thread, and its wall time."""
    started = time.perf_counter()
    with threadpool_limits(1, user_api="blas"):
        result = run_trial(spec, trial)
    return result, time.perf_counter() - started


def _results(todo, workers, deadline):
    if workers <= 1:
        for task in todo:
            if time.perf_counter() >= deadline:
                return
            yield task, *run_alone(task.spec, task.trial)
        return
    # Set before the workers start, since they read it when they load NumPy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    waiting = list(todo)
    with ProcessPoolExecutor(workers) as pool:
        futures = {}
        while waiting or futures:
            while waiting and len(futures) < workers and time.perf_counter() < deadline:
                task = waiting.pop(0)
                futures[pool.submit(run_alone, task.spec, task.trial)] = task
            if not futures:
                return
            future = next(as_completed(futures))
            task = futures.pop(future)
            yield task, *future.result()


def _stored(name: str) -> list[dict]:
    return common.read(name)["cells"] if common.path_of(name).exists() else []


def _key(cell: dict) -> tuple:
    return tuple(
        (name, value)
        for name, value in cell.items()
        if name not in ("family", "number", *QUANTITIES)
    )


def _done(cells: dict, task: Task) -> bool:
    cell = cells.get(task.cell)
    return cell is not None and task.number in cell["number"]


def _add(cells: dict, task: Task, result: dict) -> None:
    cell = cells.setdefault(
        task.cell,
        {
            **dict(task.cell),
            "family": task.spec.family,
            "number": [],
            **{name: [] for name in QUANTITIES},
        },
    )
    cell["number"].append(task.number)
    for name, digits in QUANTITIES.items():
        value = result[name]
        cell[name].append(None if value is None else float(f"{value:.{digits}g}"))


def _words(task: Task) -> str:
    return ", ".join(f"{value}" for _, value in task.cell) + f", {task.number}"
