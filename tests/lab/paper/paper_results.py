"""Small made-up result files in the shape that the benchmarks write, to be bent by tests."""

from __future__ import annotations

from itertools import product

import numpy as np

from lab.accuracy.paper_runs import fig2d_spec, table1_spec
from lab.data.paper_numbers import FIG2D_MS, TABLE_1
from lab.results import shipped

TARGETS = ("1e-02", "1e-04", "1e-06")


def lane(times, *, label, gaps=None, power=1.0, changes=None) -> dict:
    """A lane that reaches the three targets after `times` (None for never), gap ∝ k^−power."""
    k = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    errors = 0.5 * k ** (-float(power))
    found = {
        "method": label.lower(),
        "label": label,
        "status": "time_budget",
        "iterations": int(k[-1]),
        "seconds": 15.0,
        "objective": 1.0 + errors[-1],
        "gap": errors[-1],
        "suboptimality": errors[-1],
        "nonzeros": 3,
        "times": {
            "suboptimality": dict(zip(TARGETS, times, strict=True)),
            "gap": dict(zip(TARGETS, gaps or times, strict=True)),
        },
        "history": {
            "iteration": k.tolist(),
            "seconds": (15.0 * k / k[-1]).tolist(),
            "objective": (1.0 / (1.0 - errors)).tolist(),
            "gap": errors.tolist(),
        },
    }
    if changes is not None:
        found["history"]["change"] = [None, *errors[1:].tolist()]
        found["when_change_reached"] = {
            target: None if value is None else {"seconds": value, "gap": 0.8}
            for target, value in zip(TARGETS, changes, strict=True)
        }
    return found


def run(lanes: dict, seed: int = 0) -> dict:
    return {
        "seed": seed,
        "problem": "made up",
        "seconds": 15.0,
        "date": "2026-01-01",
        "processor": "none",
        "blas_threads": 1,
        "load_average": [0.1, 0.2],
        "reference": {"objective": 1.0, "bound": 1.0, "gap": 0.0},
        "lanes": lanes,
    }


def lasso_lanes(**changes) -> dict:
    """The order of the paper's Fig. 2(a): LOCP, PCP, then the others."""
    times = {
        "ours": (0.1, 0.2, 0.3),
        "locp": (1.0, 2.0, None),
        "pcp": (1.5, 3.0, None),
        "kong": (4.0, 8.0, None),
        "kong_smoothed": (4.1, 8.1, None),
        "kong_full": (9.0, None, None),
        "pls_dn": (5.0, 9.0, None),
        "lelr": (6.0, None, None),
        "subgradient": (None, None, None),
    }
    times.update(changes)
    powers = {"subgradient": 0.5, "lelr": 1.0}
    return {
        key: lane(value, label=key.upper(), power=powers.get(key, 2.0))
        for key, value in times.items()
    }


def svm_lanes(
    licp=(1.0, 2.0, 3.0),
    admm=(2.0, 3.0, 4.0),
    licp_power=2.0,
    admm_power=1.0,
    licp_changes=None,
) -> dict:
    """LICP ahead of ADMM. `licp_changes`: when its ‖w⁺ − w‖/‖w‖ gets there, as its gap if None."""
    return {
        "ours": lane((0.1, 0.1, 0.1), label="Dual Newton"),
        "licp": lane(licp, label="LICP", power=licp_power, changes=licp_changes or licp),
        "licp_block": lane((0.5, 0.6, 0.7), label="LICP, block", changes=(0.5, 0.6, 0.7)),
        "admm": lane(admm, label="ADMM", power=admm_power, changes=admm),
    }


def figure2(lasso=None, svm=None, seeds=(0, 1, 2)) -> dict:
    overlapped = {k: v for k, v in (lasso or lasso_lanes()).items() if k != "locp"}

    def panel(title, lanes):
        return {"title": title, "runs": [run(lanes, seed) for seed in seeds]}

    return {
        "quick": False,
        "panels": {
            "2a": panel("E-LASSO, disjoint groups", lasso or lasso_lanes()),
            "2b": panel("E-LASSO, overlapped groups", overlapped),
            "2c_overlapped_1_10": panel("E-SVM, overlapped, α = 1", svm or svm_lanes()),
        },
    }


def figure2d(
    accuracy=None, ms=(112, 504, 1008, 2520), repeats=4, noises=("independent", "shared")
) -> dict:
    """Accuracy by method, the same at every m but for a small wobble over the repeats."""
    table = {
        "svm": 0.70,
        "sparse_svm": 0.68,
        "kong": 0.72,
        "esvm": 0.80,
        "esvm_r": 0.78,
        "oracle": 0.90,
        **(accuracy or {}),
    }
    wobble = 0.001 * np.arange(repeats)
    return {
        "quick": False,
        "group_rule": "m/log m",
        "protocol": "the same for all.",
        "wanted": {"ms": list(FIG2D_MS), "repeats": 10},
        "cells": [
            {
                "noise": noise,
                "m": m,
                "method": method,
                "number": list(range(repeats)),
                "accuracy": (value + wobble * (1 + place)).tolist(),
                "gap": [1e-5] * repeats,
                "nonzeros": [5] * repeats,
                "seconds": [1.0] * repeats,
            }
            for noise in noises
            for m in ms
            for place, (method, value) in enumerate(table.items())
        ],
    }


def table1(accuracy=None, protocols=("ordinary", "inverted"), strongest=None) -> dict:
    """The paper's own numbers under inverted folds, 15 points more under ordinary ones.

    `accuracy` changes those of a set by both rules, `strongest` by that rule only.
    """
    cells = []
    for row in TABLE_1:
        if not row.data:
            continue
        for protocol, ties in product(protocols, ("weakest", "strongest")):
            values = {**row.accuracy, "logistic_l1": 60.0, **(accuracy or {}).get(row.data, {})}
            if ties == "strongest":
                values |= (strongest or {}).get(row.data, {})
            for place, (method, value) in enumerate(values.items()):
                shift = 0.15 if protocol == "ordinary" else 0.0
                wobble = 1e-4 * np.arange(row.folds) * (1 + place)
                cells.append(
                    {
                        "data": row.data,
                        "protocol": protocol,
                        "preprocessing": "standardise",
                        "ties": ties,
                        "method": method,
                        "number": list(range(row.folds)),
                        "accuracy": (value / 100 + shift + wobble - wobble.mean()).tolist(),
                        "gap": [None] * row.folds,
                        "nonzeros": [5] * row.folds,
                        "seconds": [1.0] * row.folds,
                    }
                )
    return {
        "quick": False,
        "group_rule": "m/log m",
        "protocols": {"weakest": "a tenth.", "strongest": "the whole."},
        "how_settled": "by looking.",
        "wanted": {
            "preprocessings": ["standardise", "none", "unit length"],
            "methods": ["svm", "sparse_svm", "kong", "esvm_r", "logistic_l1"],
            "folds": {row.data: row.folds for row in TABLE_1 if row.data},
        },
        "cells": cells,
    }


def keep(folder, figure2d: dict, table1: dict) -> None:
    """The trials of both as the store keeps them, instead of what was there."""
    store = shipped(folder)
    for path in store.folder.glob("*.jsonl"):
        path.unlink()
    for cell in figure2d["cells"]:
        _keep(store, fig2d_spec(cell["noise"]), cell["m"], cell)
    for cell in table1["cells"]:
        names = ("data", "protocol", "preprocessing", "ties")
        _keep(store, table1_spec(*(cell[name] for name in names)), 0, cell)


def _keep(store, spec, first: int, cell: dict) -> None:
    names = ("accuracy", "gap", "nonzeros", "seconds")
    for k, number in enumerate(cell["number"]):
        row = {name: cell[name][k] for name in names}
        trial = [first, number, cell["method"]]
        store.add(spec, {"trial": trial, **row}, {"date": "2026-01-01"})
