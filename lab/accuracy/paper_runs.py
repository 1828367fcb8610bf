"""The paper's Fig. 2(d) and Table 1 as sweeps, and their trials as cells for who judges them.

A cell is a method in one setting: its repeats or folds by number, a column per quantity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from lab.accuracy.protocol import HOW_SETTLED
from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.specs import (
    FOLD_KINDS,
    NOISES,
    REAL_METHODS,
    REAL_RULES,
    Fig2dSpec,
    RealSpec,
    WhenSpec,
)
from lab.data.datasets import MatSpec
from lab.data.paper_numbers import FIG2D_MS, FIG2D_REPEATS, TABLE_1
from lab.results import Store, Trial, latest, shipped

MEASURED = ("accuracy", "gap", "nonzeros", "seconds")
SCALINGS = ("standardise", "none", "unit length")
ROWS = {row.data: row for row in TABLE_1 if row.data}


def fig2d_spec(noise: str) -> Fig2dSpec:
    return Fig2dSpec(ms=FIG2D_MS, repeats=FIG2D_REPEATS, noise=noise)


def when_spec(quantity: str) -> WhenSpec:
    """A sweep over one quantity as it comes with the app."""
    return WhenSpec(quantity=quantity, values=QUANTITIES[quantity].values)


def table1_spec(data: str, protocol: str, scaling: str, ties: str, methods=REAL_METHODS):
    return RealSpec(
        data=MatSpec(data),
        folds=ROWS[data].folds,
        fold_kind=protocol,
        scaling=scaling,
        methods=tuple(methods),
        protocol=REAL_RULES[ties],
    )


@lru_cache(maxsize=4)
def sets_in(folder: Path) -> frozenset[str]:
    """The sets of Table 1 of which a folder of results has trials."""
    store = shipped(folder)
    looks = product(ROWS, FOLD_KINDS, SCALINGS, REAL_RULES)
    return frozenset(look[0] for look in looks if store.stamp(table1_spec(*look))[2])


def figure2d(store: Store) -> dict[str, Any] | None:
    """Everything there is of Fig. 2(d); None if there is nothing."""
    cells, makers = [], []
    for noise in NOISES:
        spec = fig2d_spec(noise)
        found = store.load(spec)
        makers += [row["made"] for row in found.values()]
        cells += _cells(found, ("m", None, "method"), {"noise": noise, "family": spec.family})
    if not cells:
        return None
    return {
        "environment": latest(makers),
        "n_features": spec.n_features,
        "group_rule": spec.group_rule,
        "protocol": spec.protocol.in_words(),
        "wanted": {"ms": list(FIG2D_MS), "repeats": FIG2D_REPEATS},
        "cells": cells,
    }


def table1(store: Store) -> dict[str, Any] | None:
    """Everything there is of Table 1; None if there is nothing."""
    cells, makers = [], []
    for data, protocol, scaling, ties in product(ROWS, FOLD_KINDS, SCALINGS, REAL_RULES):
        said = {"data": data, "protocol": protocol, "preprocessing": scaling, "ties": ties}
        spec = table1_spec(data, protocol, scaling, ties)
        found = store.load(spec)
        makers += [row["made"] for row in found.values()]
        cells += _cells(found, ("repeat", None, "method"), {**said, "family": spec.family})
    if not cells:
        return None
    return {
        "environment": latest(makers),
        "protocols": {ties: rule.in_words() for ties, rule in REAL_RULES.items()},
        "how_settled": HOW_SETTLED,
        "wanted": {
            "preprocessings": list(SCALINGS),
            "methods": list(REAL_METHODS),
            "folds": {key: row.folds for key, row in ROWS.items()},
        },
        "cells": cells,
    }


def _cells(
    found: Mapping[Trial, dict], names: Iterable[str | None], said: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Trials by all that `names` names; what it does not name is the number."""
    names = tuple(names)
    place = names.index(None)
    cells: dict[tuple, dict[str, Any]] = {}
    for trial, result in found.items():
        named = {name: part for name, part in zip(names, trial, strict=True) if name}
        cell = cells.setdefault(
            tuple(named.values()),
            {**said, **named, "number": [], **{name: [] for name in MEASURED}},
        )
        cell["number"].append(trial[place])
        for name in MEASURED:
            cell[name].append(result[name])
    return list(cells.values())
