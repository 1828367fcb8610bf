"""What is known beforehand about features: signs, weights in the penalty, covariates.

    λ/2 Σ_g (Σ_{i in g} f_i|w_i|)²,  f_i the feature's weight, w_i of the sign that was asked for

A feature of weight 0 is a covariate: it is in the model whatever it costs (age, batch), competes
with nobody, and is not among those that are said to decide. Constraints bind our own models; the
others are fitted as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lab.own_table.setup import Prepared
from lab.own_table.spec import METHODS, TableSpec
from lab.tables import ReadOptions, TableError, read_table

Weights = tuple[tuple[str, float], ...]
Signs = tuple[tuple[str, int], ...]
_SIGNS = {"+": 1, "+1": 1, "1": 1, "positive": 1, "-": -1, "−": -1, "-1": -1, "negative": -1}


@dataclass(frozen=True, eq=False)
class Constraints:
    """One entry an encoded feature: `sign` is 1, −1 or 0 where any goes; `weight` is f."""

    sign: np.ndarray
    weight: np.ndarray

    @property
    def turned(self) -> np.ndarray | None:
        """±1, so that w·turned ≥ 0 is what was asked for; None where nothing has to be turned."""
        return np.where(self.sign < 0, -1.0, 1.0) if (self.sign < 0).any() else None

    @property
    def options(self) -> dict[str, np.ndarray]:
        """What `solvers` is told, about features that were turned."""
        told = {}
        if self.sign.any():
            told["positive"] = self.sign != 0
        if (self.weight != 1.0).any():
            told["feature_weight"] = self.weight
        return told

    def of(self, columns) -> Constraints:
        return Constraints(self.sign[columns], self.weight[columns])


def constraints_of(prepared: Prepared, spec: TableSpec) -> Constraints:
    """A name is that of a column, whose categories it then goes for, or of one category."""
    sign, weight = np.zeros(prepared.n_features, dtype=int), np.ones(prepared.n_features)
    if spec.signs or spec.feature_weights:
        places = _places(prepared)
        for name, value in spec.signs:
            sign[places.get(name, [])] = value
        for name, value in spec.feature_weights:
            weight[places.get(name, [])] = value
    return Constraints(sign, weight)


def covariates(prepared: Prepared, spec: TableSpec) -> np.ndarray:
    """Which encoded features are covariates."""
    return constraints_of(prepared, spec).weight == 0.0


def covariate_names(prepared: Prepared, spec: TableSpec) -> tuple[str, ...]:
    """Their columns by name, in the order of the table."""
    held = covariates(prepared, spec)
    return tuple(dict.fromkeys(prepared.columns[j].name for j in prepared.sources[held]))


def _places(prepared: Prepared) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for j, source in enumerate(prepared.sources):
        places.setdefault(prepared.columns[source].name, []).append(j)
    for j, name in enumerate(prepared.feature_names):
        places.setdefault(name, [j])
    return places


def constraint_problem(prepared: Prepared, spec: TableSpec) -> str:
    """Why our model cannot be fitted under these constraints; empty if it can."""
    if not (spec.signs or spec.feature_weights):
        return ""
    found = constraints_of(prepared, spec)
    if not (found.weight > 0.0).any():
        return "every feature is a covariate; leave at least one for the norm to choose from."
    if len(prepared.classes) > 2 and found.sign.any():
        return (
            "a sign speaks for one of two classes, and there are "
            f"{len(prepared.classes)}; take the signs back."
        )
    if spec.method in ("logistic", "poisson") and (found.weight == 0.0).any():
        other = "E-SVM" if spec.method == "logistic" else "the exclusive lasso"
        return (
            f"{METHODS[spec.method]} cannot leave a feature unpenalised, for its loss may have no "
            f"minimiser then; use {other}, or a small weight in place of 0."
        )
    return ""


def read_constraints(data: bytes, name: str) -> tuple[Weights, Signs]:
    """Feature, weight and, if there is one, sign from a table's first columns; `TableError` says
    what is wrong."""
    table = read_table(data, name, ReadOptions(missing=("",), labelled=False))
    if len(table.names) < 2:
        raise TableError("The file needs two columns, a feature and its weight; a third may say +.")
    names = [str(cell) for cell in table.column(table.names[0])]
    weights = pd.to_numeric(table.column(table.names[1]), errors="coerce").to_numpy(dtype=float)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if wrong.size:
        raise TableError(
            f"The weight of {names[wrong[0]]!r} (row {wrong[0] + 1}) is no number of at least 0."
        )
    signs: Signs = ()
    if len(table.names) > 2:
        signs = _signs(names, table.column(table.names[2]))
    return tuple(dict(zip(names, weights.tolist(), strict=True)).items()), signs


def _signs(names: Sequence[str], cells: Iterable) -> Signs:
    found = {}
    for name, cell in zip(names, cells, strict=True):
        text = "" if pd.isna(cell) else str(cell).strip().lower().removesuffix(".0")
        if text in ("", "0", "any"):
            continue
        if text not in _SIGNS:
            raise TableError(f"The sign of {name!r} is {text!r}; write + or −, or leave it empty.")
        found[name] = _SIGNS[text]
    return tuple(found.items())
