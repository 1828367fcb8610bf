"""The paper's Fig. 2(a), 2(b) and 2(c): who gets where, in how much solver time?

    python -m benchmarks.figure2                      everything, at the paper's sizes
    python -m benchmarks.figure2 --quick              small versions of the same, under a minute
    python -m benchmarks.figure2 --only 2a 2b --seeds 0 1 --seconds 30

Writes benchmarks/results/figure2.json (or figure2-quick.json) after every race, and leaves out the
races that are already there with the same budget: stop it and start it again as you like;
`--again` runs them anew. Run it on a quiet machine: the load average is recorded with each race.

How a race is run. All lanes of a race live in one process with one BLAS thread and take turns in
solver time, always the lane that is furthest behind. Solver time is processor time, as in the app's
races, so that other work on the machine cannot cut a budget short; the clock of a lane stands still
while it is measured. A lane ends with a certified relative gap of 1e-6 or when its seconds are used
up. Two accuracies are recorded: the *certified gap*, from the lane's own best dual bound, and the
*suboptimality*, from a reference bound that an untimed second-order solve certified to 1e-9 or so;
the first is what a user can know, the second is what the paper's objective curves show.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.data.datasets import load
from lab.races import (
    Heat,
    RaceSpec,
    Runner,
    certified_gaps,
    crossing,
    solver_clock,
    true_errors,
)
from lab.races.panels import PANELS, SEEDS, Panel
from lab.races.recorded import MADE
from lab.results import made_here
from solvers import LASSO_METHODS, SVM_METHODS
from solvers.method import Method, all_of, squared_loss, squared_norm
from solvers.problems import Candidate, LassoProblem, relative_gap
from solvers.registry import choose
from solvers.tracking import solve

TOL = 1e-6
TARGETS = (1e-2, 1e-4, 1e-6)
HISTORY_POINTS = 120
REFERENCE_TOL = 1e-9


# -- Kong's method as its authors solve it ----------------------------------------------------


def _kong_full(problem, w0, *, smoothing=1e-8):
    """Kong's method as published, in n × n systems: (XᵀX + λF)w = Xᵀy, F_ii = Σ_g ‖v_g‖₁/|v_i|

    The same iterates as "kong_smoothed", which solves N × N systems instead; here for the cost
    that the paper's remark "computing the inverse of a n × n matrix" speaks of. No intercept.
    """
    X, y = problem.design.matrix, problem.y
    gram, target = X.T @ X, X.T @ y
    w = np.zeros(problem.n_features) if w0 is None else w0
    yield partial(Candidate, w)
    weight = np.ones(problem.n_features)
    epsilon = None
    while True:
        matrix = gram.copy()
        matrix.flat[:: matrix.shape[0] + 1] += problem.lam * weight
        w = cho_solve(cho_factor(matrix, overwrite_a=True, check_finite=False), target)
        yield partial(Candidate, w)
        if epsilon is None:
            epsilon = (smoothing * np.abs(w).max()) ** 2
        magnitude = np.sqrt(w * w + epsilon)
        weight = problem.groups.spread(problem.groups.sum(magnitude)) / magnitude


KONG_FULL = Method(
    "kong_full",
    "Kong, n × n as published",
    LASSO_METHODS["kong_smoothed"].reference,
    _kong_full,
    all_of(squared_loss, squared_norm),
    10_000,
)


# -- the races ----------------------------------------------------------------------------------


def methods_of(panel: Panel, problem) -> dict[str, Method]:
    """The lanes; "ours" is what `method="auto"` chooses."""
    table = LASSO_METHODS if isinstance(problem, LassoProblem) else SVM_METHODS
    chosen = {}
    for key in panel.lanes:
        if key == "kong_full":
            chosen[key] = KONG_FULL
        else:
            chosen[key] = choose(table, "auto" if key == "ours" else key, problem)
    return chosen


def spec_of(panel: Panel, seed: int, quick: bool) -> RaceSpec:
    """The race of one seed; a small one of the same kind where a quick look is wanted."""
    spec = replace(panel.spec, seed=seed, repeats=1)
    if not quick:
        return spec
    if spec.problem == "svm":
        return replace(spec, n_samples=100, n_features=700, n_groups=100)
    extras = 20 if spec.extras else 0
    return replace(spec, n_samples=80, n_features=600, n_groups=20, extras=extras)


def settings_of(spec: RaceSpec, problem) -> dict[str, float]:
    """λ in both conventions, or α and β."""
    if spec.problem == "svm":
        return {"alpha": spec.alpha, "beta": spec.beta}
    return {"lam": problem.lam, "paper_lam": problem.lam / 2.0}


def run(panel: Panel, seed: int, *, quick: bool, seconds: float) -> dict:
    """One race: the lanes' histories, times to the targets and final certificates."""
    spec = spec_of(panel, seed, quick)
    problem, description = spec.build(), load(spec.data()).description
    methods, settings = methods_of(panel, problem), settings_of(spec, problem)
    with threadpool_limits(1, user_api="blas"):
        reference = solve(problem, methods["ours"], tol=REFERENCE_TOL)
        heat = Heat(
            problem, list(methods.values()), tol=TOL, max_seconds=seconds, clock=solver_clock()
        )
        runners = dict(zip(methods, heat.runners, strict=True))
        load_before = os.getloadavg()[0]
        while heat.running:
            heat.step()
        environment = made_here()
    bound = max(reference.bound, heat.bound)
    return {
        "seed": seed,
        "problem": description,
        **settings,
        "seconds": seconds,
        **{name: environment[name] for name in MADE},
        "load_average": [round(load_before, 2), round(os.getloadavg()[0], 2)],
        "reference": {
            "objective": _digits(reference.objective, 12),
            "bound": _digits(bound, 12),
            "gap": _digits(relative_gap(reference.objective, bound), 3),
        },
        "lanes": {
            key: lane_record(runner, bound, panel.changes) for key, runner in runners.items()
        },
    }


def lane_record(runner: Runner, bound: float, changes: bool) -> dict:
    """What is kept of a lane; `bound` is the best lower bound that anyone has."""
    result = runner.result
    columns = runner.history.to_dict()
    accuracy = {
        "gap": certified_gaps(runner.history),
        "suboptimality": true_errors(runner.history, bound),
    }
    times = {
        kind: {
            f"{target:.0e}": _digits(crossing(runner.history, errors, target).seconds, 4)
            for target in TARGETS
        }
        for kind, errors in accuracy.items()
    }
    kept = log_spaced(columns["seconds"], HISTORY_POINTS)
    record = {
        "method": result.method,
        "label": runner.label,
        "status": result.status,
        "iterations": result.n_iter,
        "seconds": _digits(result.seconds, 5),
        "objective": _digits(result.objective, 12),
        "gap": _digits(result.gap, 3),
        "suboptimality": _digits(relative_gap(result.objective, bound), 3),
        "nonzeros": int(np.count_nonzero(result.w)),
        "times": times,
        "history": {
            "iteration": columns["iteration"][kept],
            "seconds": [_digits(value, 4) for value in columns["seconds"][kept]],
            "objective": [_digits(value, 9) for value in columns["objective"][kept]],
            "gap": [_digits(value, 3) for value in columns["gap"][kept]],
            "nonzeros": columns["nonzeros"][kept],
        },
    }
    if changes:
        change = columns["change"]
        # A method that has not left w = 0 yet does not change either.
        moving = columns["nonzeros"] > 0
        record["history"]["change"] = [_digits(value, 3) for value in change[kept]]
        record["when_change_reached"] = {
            f"{target:.0e}": _when((change <= target) & moving, columns) for target in TARGETS
        }
    return record


def _when(reached, columns) -> dict | None:
    """The clock and the certified gap where something first holds."""
    if not np.any(reached):
        return None
    at = int(np.argmax(reached))
    return {"seconds": _digits(columns["seconds"][at], 4), "gap": _digits(columns["gap"][at], 3)}


def log_spaced(seconds, points: int) -> np.ndarray:
    """Indices of at most that many measurements, evenly spread over the logarithm of time."""
    seconds = np.asarray(seconds, dtype=float)
    if seconds.size <= points:
        return np.arange(seconds.size)
    # The first measurement comes after next to no work, and would stretch the grid for nothing.
    grid = np.geomspace(max(seconds[1], 1e-6), seconds[-1], points - 2)
    nearest = np.searchsorted(seconds, grid).clip(0, seconds.size - 1)
    return np.unique([0, *nearest, seconds.size - 1])


def _digits(value, digits: int) -> float | None:
    value = float(value)
    return float(f"{value:.{digits}g}") if np.isfinite(value) else None


def wanted_races(panels, seeds):
    """Seed by seed, so that an interrupted run has every panel once before any twice."""
    return [(key, seed) for seed in seeds for key in panels]


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small problems, one seed, 1 s a lane")
    parser.add_argument("--only", nargs="+", metavar="PANEL", default=list(PANELS))
    parser.add_argument("--seeds", nargs="+", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=None, help="solver time a lane (15)")
    parser.add_argument("--again", action="store_true", help="repeat races that are there")
    chosen = parser.parse_args(arguments)
    panels = [key for key in PANELS if any(key.startswith(name) for name in chosen.only)]
    if not panels:
        parser.error(f"--only takes beginnings of: {', '.join(PANELS)}")
    seconds = chosen.seconds or (1.0 if chosen.quick else 15.0)
    seeds = chosen.seeds or (SEEDS[:1] if chosen.quick else SEEDS)
    file = "figure2-quick" if chosen.quick else "figure2"

    results = common.read(file) if common.path_of(file).exists() else {}
    results = {"quick": chosen.quick, "tol": TOL, "panels": results.get("panels", {})}
    for key, seed in wanted_races(panels, seeds):
        panel = PANELS[key]
        entry = results["panels"].setdefault(key, {"title": panel.title, "runs": []})
        entry["title"] = panel.title
        done = [r for r in entry["runs"] if r["seed"] == seed and r["seconds"] >= seconds]
        if done and not chosen.again:
            print(f"{key}, seed {seed}: there already", flush=True)
            continue
        started = time.perf_counter()
        outcome = run(panel, seed, quick=chosen.quick, seconds=seconds)
        kept = [r for r in entry["runs"] if r["seed"] != seed]
        entry["runs"] = sorted([*kept, outcome], key=lambda r: r["seed"])
        common.write(file, results, compact=True)
        print(f"{key}, seed {seed} ({time.perf_counter() - started:.0f} s in all)", flush=True)
        _print(outcome)
    print(f"wrote {common.path_of(file).name}")


def _print(outcome) -> None:
    for row in outcome["lanes"].values():
        times = ", ".join(
            f"{target} {'–' if value is None else f'{value:.3g} s'}"
            for target, value in row["times"]["suboptimality"].items()
        )
        print(
            f"  {row['label']:<26} {row['seconds']:7.2f} s  gap {row['gap']:.1e}  "
            f"suboptimality {row['suboptimality']:.1e}  ({times})  {row['status']}"
        )


if __name__ == "__main__":
    main()
