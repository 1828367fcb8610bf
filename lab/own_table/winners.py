"""Whichever model of a comparison wins, as something to take home.

Linear ones become the same file as ours, with their own weights. A random forest has no weights:
it cannot be written as a model file, and a pickle is a program; its script makes it again.
"""

from __future__ import annotations

import numpy as np

from lab.own_table.card import about
from lab.own_table.case import Case
from lab.own_table.contenders import CONTENDERS
from lab.own_table.decisions import Calibration, calibrate
from lab.own_table.fits import Outcome
from lab.own_table.model import to_model
from lab.own_table.standings import Tally
from lab.own_table.work import Task, fit_tasks
from solvers.model_file import LinearModel


def others(case: Case) -> list[Tally]:
    """The models beside ours that have done all folds, the winner first."""
    decision = case.decision(case.metric)
    rows = [row for row in case.standings[1:] if row.complete and row.role != "baseline"]
    winner = None if decision is None else decision.winner.key
    return sorted(rows, key=lambda row: row.key != winner)


def is_linear(key: str) -> bool:
    return key != "forest"


def task_of(case: Case, key: str) -> Task:
    """The fit on all rows that a model file holds."""
    return fit_tasks(case.spec, [(key, None)])[0]


def model_of(case: Case, outcome: Outcome) -> LinearModel:
    """Another model than ours with what is known about it; the verdict is ours alone."""
    facts = about(case, outcome)
    del facts["verdict"]
    if not CONTENDERS[outcome.key].grouped:
        del facts["groups"]
    return to_model(case.prepared, outcome, facts, _calibration(case, outcome.key))


def _calibration(case: Case, key: str) -> Calibration | None:
    """Chances from the scores of rows held out, as for ours; logistic models have their own."""
    if len(case.prepared.classes) != 2:
        return None
    if key in ("logistic", "logistic_l1") and case.spec.class_weight == "none":
        return Calibration(1.0, 0.0)
    folds = [each for each in case.outcomes if each.key == key and each.fold is not None]
    decision = np.concatenate([each.decision for each in folds])
    rows = np.concatenate([each.test for each in folds])
    return calibrate(decision, case.prepared.y[rows] == 1)
