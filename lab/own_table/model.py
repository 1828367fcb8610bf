"""The model to take home, and what it says about another table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lab.own_table.decisions import Calibration
from lab.own_table.fits import Outcome
from lab.own_table.groupings import Grouping
from lab.own_table.setup import Prepared
from lab.tables import Table
from solvers.model_file import CategoryInput, LinearModel, NumberInput


def to_model(
    prepared: Prepared, outcome: Outcome, about: Mapping, calibration: Calibration | None = None
) -> LinearModel:
    """A fit as a model that stands by itself: preprocessing, weights and what they came from."""
    weights = outcome.coef.T
    inputs, start = [], 0
    for j, column in enumerate(prepared.columns):
        if column.categories is None:
            inputs.append(
                NumberInput(
                    column.name,
                    tuple(weights[start].tolist()),
                    fill=float(outcome.fills[j]),
                    centre=float(outcome.centres[j]),
                    scale=float(outcome.scales[j]),
                    log=column.log,
                )
            )
            start += 1
        else:
            stop = start + len(column.categories)
            inputs.append(
                CategoryInput(
                    column.name,
                    column.categories,
                    tuple(tuple(row) for row in weights[start:stop].tolist()),
                )
            )
            start = stop
    return LinearModel(
        _kind_of(prepared, outcome),
        prepared.classes,
        tuple(inputs),
        tuple(outcome.intercept.tolist()),
        dict(about),
        None if calibration is None else (calibration.slope, calibration.offset),
    )


def _kind_of(prepared: Prepared, outcome: Outcome) -> str:
    if prepared.target != "classes":
        return "count" if outcome.key == "poisson_e" else "number"
    return "logistic" if outcome.key in ("logistic", "logistic_l1") else "svm"


def groups_by_name(prepared: Prepared, grouped: Grouping) -> dict[str, list[str]]:
    """The members of each group by name; groups of one name are told apart by a number."""
    named: dict[str, list[str]] = {}
    for name, members in zip(grouped.names, grouped.groups.lists(), strict=True):
        key, count = name, 2
        while key in named:
            key, count = f"{name} ({count})", count + 1
        named[key] = [prepared.feature_names[j] for j in members]
    return named


@dataclass(frozen=True)
class Matching:
    """How the columns of a table fit a model. `missing` is what the model cannot do without."""

    missing: tuple[str, ...]
    missing_unused: tuple[str, ...]
    extra: tuple[str, ...]
    unknown_categories: Mapping[str, tuple[str, ...]]

    @property
    def fits(self) -> bool:
        return not self.missing


def match(model: LinearModel, table: Table) -> Matching:
    held, needed = set(table.names), set(model.needed)
    known = {each.name: None for each in model.inputs}
    missing = tuple(name for name in known if name not in held)
    without = tuple(name for name in missing if name in needed)
    return Matching(
        without,
        tuple(name for name in missing if name not in needed),
        tuple(name for name in table.names if name not in known),
        {} if without else model.unknown_categories(_needed_columns(model, table)),
    )


def _needed_columns(model: LinearModel, table: Table) -> pd.DataFrame:
    """The few columns that have a weight, dense, however many and however sparse the table is."""
    columns = {name: table.column(name) for name in model.needed}
    return pd.DataFrame(columns, index=table.frame.index)


def predictions(
    model: LinearModel, table: Table, identifiers: Sequence[str] = ()
) -> dict[str, np.ndarray]:
    """Columns of a prediction file: row, names of rows, predicted, scores, and chances if any.

    Made by the saved model itself, so that whoever loads it gets the same digits.
    """
    frame = _needed_columns(model, table)
    scores = model.decision_function(frame)
    columns: dict[str, np.ndarray] = {"row": np.arange(1, len(frame) + 1)}
    columns |= {name: table.column(name).to_numpy() for name in identifiers}
    columns["predicted"] = model.predict(frame)
    if not model.classes:
        return columns
    if scores.ndim == 1:
        columns["score"] = scores
    else:
        for k, name in enumerate(model.classes):
            columns[f"score of {name}"] = scores[:, k]
    if model.kind == "logistic" or model.calibration is not None:
        chances = model.predict_proba(frame)
        for k, name in enumerate(model.classes):
            columns[f"probability of {name}"] = chances[:, k]
    return columns
