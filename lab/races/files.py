"""A race to take home: its histories as columns and as a document."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from lab.races.race import Race
from lab.results.provenance import made_here
from solvers.result import History


def table(race: Race) -> dict[str, np.ndarray]:
    """All histories as columns, one row per measurement."""
    columns: dict[str, list] = {"method": [], "label": [], "repeat": [], "seed": []}
    parts: dict[str, list[np.ndarray]] = {name: [] for name in History.columns}
    for repeat, heat in enumerate(race.heats):
        for runner in heat.begun:
            rows = len(runner.history)
            columns["method"] += [runner.key] * rows
            columns["label"] += [runner.label] * rows
            columns["repeat"] += [repeat + 1] * rows
            columns["seed"] += [race.spec.seed + repeat] * rows
            for name in parts:
                parts[name].append(runner.history[name][:rows])
    joined = {
        name: np.concatenate(pieces) if pieces else np.array([]) for name, pieces in parts.items()
    }
    return {**{name: np.array(column) for name, column in columns.items()}, **joined}


def document(race: Race) -> dict:
    """Spec, results and histories, with nothing in it that JSON does not know."""
    runs = []
    for repeat, heat in enumerate(race.heats):
        for runner in heat.begun:
            result = runner.result
            runs.append(
                {
                    "method": runner.key,
                    "label": runner.label,
                    "repeat": repeat + 1,
                    "seed": race.spec.seed + repeat,
                    "status": result.status,
                    "status_in_words": result.message,
                    "objective": _number(result.objective),
                    "bound": _number(result.bound),
                    "gap": _number(result.gap),
                    "iterations": result.n_iter,
                    "seconds": result.seconds,
                    "nonzeros": int(np.count_nonzero(result.w)),
                    "history": {
                        name: [_number(value) for value in runner.history[name].tolist()]
                        for name in History.columns
                    },
                }
            )
    return {
        "made": race.made or made_here(),
        "spec": asdict(race.spec),
        "cancelled": race.cancelled,
        "trouble": race.trouble,
        "runs": runs,
    }


def _number(value):
    """JSON has no infinity and no nan."""
    return value if np.isfinite(value) else None
