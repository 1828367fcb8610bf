"""The calls that an analysis is made of, each a pure function of its arguments, and their results.

A result carries the identity of what it belongs to, so that it is found again whatever settings
were changed meanwhile that it does not depend on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lab.own_table import chance, fits, stability
from lab.own_table.case import Case, chance_identity, identity
from lab.own_table.contenders import CONTENDERS
from lab.own_table.fits import Outcome, all_work, own_work
from lab.own_table.groupings import Groupings
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec

DRAWS_A_CALL = 10
MOST_PLACES = 16  # of any slider that a case depends on: going back along it makes nothing anew


@dataclass(frozen=True)
class Task:
    """A call by name: what it is of (`kind`, `identity`), which one (`part`), and its cost."""

    kind: str
    identity: str
    part: Any
    key: str
    cost: float


def fit_tasks(spec: TableSpec, wanted: Sequence[tuple[str, int | None]]) -> list[Task]:
    names = {key: identity(spec, key) for key in dict(wanted)}
    return [Task("fit", names[key], fold, key, CONTENDERS[key].cost) for key, fold in wanted]


def chance_tasks(spec: TableSpec) -> list[Task]:
    name, key = chance_identity(spec), fits.own_key(spec)
    cost = CONTENDERS[key].cost
    return [Task("chance", name, fold, key, cost) for fold in range(spec.n_folds)]


def stability_tasks(spec: TableSpec) -> list[Task]:
    name, key = identity(spec, fits.own_key(spec)), fits.own_key(spec)
    starts = range(0, stability.DRAWS, DRAWS_A_CALL)
    return [Task("stability", name, start, key, CONTENDERS[key].cost) for start in starts]


def loss_tasks(spec: TableSpec, n_groups: int) -> list[Task]:
    name, key = identity(spec, fits.own_key(spec)), fits.own_key(spec)
    return [Task("loss", name, group, key, CONTENDERS[key].cost) for group in range(n_groups)]


def comparison_tasks(spec: TableSpec) -> list[Task]:
    """Our own result, then shuffled labels, then the others fold by fold."""
    own = fit_tasks(spec, own_work(spec))
    others = fit_tasks(spec, all_work(spec)[len(own) :])
    return own + chance_tasks(spec) + others


def perform(
    prepared: Prepared,
    spec: TableSpec,
    groupings: Groupings,
    task: Task,
    strengths: Mapping[str, Any] | None,
):
    """Do one task. `strengths` are those of our fits, by fold, as far as they are known."""
    known = strengths or {}
    if task.kind == "fit":
        return fits.run(prepared, spec, groupings, task.key, task.part)
    if task.kind == "chance":
        auto = replace(spec, tuning="auto")
        draws = range(chance.DRAWS)
        return chance.chance_fold(prepared, auto, groupings, task.part, known.get(task.part), draws)
    if task.kind == "stability":
        draws = range(task.part, min(task.part + DRAWS_A_CALL, stability.DRAWS))
        return stability.selection_draws(prepared, spec, groupings, known[None], draws)
    points = [known[fold] for fold in range(spec.n_folds)]
    return stability.loss_without(prepared, spec, groupings, points, task.part)


def strengths_of(outcomes: Iterable[Outcome], key: str) -> dict[int | None, dict[str, float]]:
    return {each.fold: dict(each.strengths) for each in outcomes if each.key == key}


class Ledger:
    """Results by what they are of, over all tables and settings of a visit; the oldest go first."""

    MOST_BYTES = 150 * 10**6

    def __init__(self):
        self._lock = threading.RLock()  # two tabs of one browser have one ledger
        self._found: dict[tuple, Any] = {}
        self._cases: dict[tuple, tuple] = {}
        self._bytes = 0

    def get(self, table_key: tuple, task: Task):
        return self._found.get((table_key, task.kind, task.identity, task.part))

    def put(self, table_key: tuple, task: Task, value) -> None:
        place = (table_key, task.kind, task.identity, task.part)
        with self._lock:
            if place in self._found:
                return
            self._found[place] = value
            self._bytes += size_of(value)
            while self._bytes > self.MOST_BYTES and len(self._found) > 1:
                oldest = next(iter(self._found))
                self._bytes -= size_of(self._found.pop(oldest))

    def of_table(self, table_key: tuple) -> tuple[tuple[Task, Any], ...]:
        """All that is known about a table, whatever the settings."""
        with self._lock:
            return tuple(
                (Task(kind, identity, part, getattr(value, "key", ""), 1.0), value)
                for (of, kind, identity, part), value in self._found.items()
                if of == table_key
            )

    def missing(self, table_key: tuple, tasks: Iterable[Task]) -> list[Task]:
        return [task for task in tasks if self.get(table_key, task) is None]

    def outcomes(self, table_key: tuple, spec: TableSpec) -> tuple[Outcome, ...]:
        """Every fit of this comparison that is known, ours first."""
        tasks = fit_tasks(spec, all_work(spec))
        found = (self.get(table_key, task) for task in tasks)
        return tuple(each for each in found if each is not None)

    def chance(self, table_key: tuple, spec: TableSpec) -> np.ndarray | None:
        parts = [self.get(table_key, task) for task in chance_tasks(spec)]
        return None if any(part is None for part in parts) else np.nanmean(parts, axis=0)

    def stability(self, table_key: tuple, spec: TableSpec) -> stability.Stability | None:
        parts = [self.get(table_key, task) for task in stability_tasks(spec)]
        if any(part is None for part in parts):
            return None
        return stability.Stability(np.concatenate(parts))

    def completed(self, case: Case) -> Case:
        """The case with all that is known about it; the same object while nothing new is, so that
        its steps are computed once and not in every run of a page."""
        found = dict(
            outcomes=self.outcomes(case.table_key, case.spec),
            chance=self.chance(case.table_key, case.spec),
            stability=self.stability(case.table_key, case.spec),
        )
        knows = (case.name, tuple(map(id, found["outcomes"])))
        knows += (found["chance"] is None, found["stability"] is None)
        with self._lock:
            held = self._cases.pop(case.key, (None, None))
            if held[0] != knows:
                held = (knows, case.knowing(**found))
            self._cases[case.key] = held
            while len(self._cases) > MOST_PLACES:
                del self._cases[next(iter(self._cases))]
            return held[1]


def size_of(value) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Outcome):
        arrays = (value.coef, value.decision, value.test, value.fills, value.centres, value.scales)
        return sum(array.nbytes for array in arrays) + 1000
    return 1000
