"""The code of the solver race."""

from __future__ import annotations

from lab.races import RaceSpec

_SOLVE = {
    "lasso": "solve_lasso(data.X, data.y, data.groups, lam, **options)",
    "overlapped": "solve_lasso(data.X, data.y, data.groups, lam, **options)",
    "logistic": "solve_logistic(data.X, data.y, data.groups, lam, **options)",
    "svm": "solve_svm(data.X, data.y, data.groups, {alpha!r}, {beta!r}, **options)",
}


def snippet(spec: RaceSpec) -> str:
    """A script that runs the contestants of a race one after another and prints how each ended."""
    call = _SOLVE[spec.problem].format(alpha=spec.alpha, beta=spec.beta)
    solver = call.split("(")[0]
    data = repr(spec.data(0)).replace(f"seed={spec.seed}", "seed=seed")
    kind = type(spec.data(0)).__name__
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

from lab.data.datasets import {kind}, load
from solvers import {solver}

methods = {list(spec.methods)!r}

for seed in range({spec.seed}, {spec.seed + spec.repeats}):
    data = load({data})
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
