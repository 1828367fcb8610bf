"""The code of the solver race."""

from __future__ import annotations

import io

import numpy as np

from lab.data import datasets
from lab.data.datasets import Dataset
from lab.races import RaceSpec

_SOLVE = {
    "lasso": "solve_lasso(data.X, data.y, data.groups, lam, **options)",
    "overlapped": "solve_lasso(data.X, data.y, data.groups, lam, **options)",
    "logistic": "solve_logistic(data.X, data.y, data.groups, lam, **options)",
    "svm": "solve_svm(data.X, data.y, data.groups, {alpha!r}, {beta!r}, **options)",
}


# The numbers of a visitor's table, as the page hands them out.
TABLE_FILE = "race_table.npz"
_OWN = f"""Dataset(
        (table := np.load({TABLE_FILE!r}))["X"],
        table["y"],
        str(table["task"]),
        "my table",
        groups=Groups.from_lists(
            [part.tolist() for part in np.split(table["members"], table["ends"][:-1])],
            table["X"].shape[1],
        ),
    )"""


def table_file(table: Dataset) -> bytes:
    """What the script reads of a visitor's table."""
    file, groups = io.BytesIO(), table.groups
    np.savez_compressed(
        file,
        X=table.X,
        y=table.y,
        task=table.task,
        members=groups.indices,
        ends=groups.indptr[1:],
    )
    return file.getvalue()


def _imported(module: str, name: str) -> str:
    if name in datasets.__all__:
        return f"from {datasets.__name__} import {name}, load"
    return f"from {datasets.__name__} import load\nfrom {module} import {name}"


def snippet(spec: RaceSpec) -> str:
    """A script that runs the lanes of a race one after another and prints how each ended."""
    call = _SOLVE[spec.problem].format(alpha=spec.alpha, beta=spec.beta)
    solver = call.split("(")[0]
    if spec.source == "own":
        imports, data = "from lab.data.datasets import Dataset\nfrom solvers import Groups", _OWN
    else:
        kind = type(spec.data(0))
        drawn = repr(spec.data(0)).replace(f"seed={spec.seed}", "seed=seed")
        imports = _imported(kind.__module__, kind.__name__)
        data = f"load({drawn})"
    lam = ""
    if spec.problem != "svm":
        rule = "0.8 / np.abs(data.true_weights).sum()"
        value = f"{rule}  # twice the paper's λ, for λ/2" if spec.lam is None else repr(spec.lam)
        lam = f"    lam = {value}\n"
    return f"""\
import os

for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ[f"{{library}}_NUM_THREADS"] = "1"  # as in the race

import numpy as np

{imports}
from solvers import {solver}

methods = {list(spec.methods)!r}

for seed in range({spec.seed}, {spec.seed + spec.repeats}):
    data = {data}
{lam}    for method in methods:
        options = dict(
            method=method, tol={spec.tol!r}, max_seconds={spec.budget!r}, max_iter=10**9
        )
        r = {call}
        print(
            f"seed {{seed}}, {{method}}: objective {{r.objective!r}}, gap {{r.gap:.1e}}, "
            f"{{np.count_nonzero(r.w)}} nonzeros, {{r.n_iter}} iterations in {{r.seconds:.3g}} s, "
            f"{{r.status}}"
        )
"""
