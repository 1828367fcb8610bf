"""How fast are we, against the paper's methods and the general-purpose solvers, in one run?

    python -m benchmarks.compare            everything, at the paper's sizes (about half an hour)
    python -m benchmarks.compare --quick    small versions of the same, in under a minute
    python -m benchmarks.compare --only lasso_disjoint svm_1_10

Writes benchmarks/results/compare.json (or compare-quick.json); with `--only` the other experiments
of the file stay as they are, each with the day and the machine it was run on. Ours are medians over
repeats, all targets are ratios of times measured in the same experiment, and every point is scored
by our own problems. A solver from outside is compared on its own time with ours on the wall's, the
certificates included; the paper's methods and ours are compared on one clock, which stands still
while a certificate is computed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import asdict

import numpy as np

from benchmarks import common, outside
from lab.data.datasets import (
    DATA_FOLDER_VARIABLE,
    MAT_FILES,
    ELassoSpec,
    ESVMSpec,
    MatSpec,
    data_folder,
    load,
)
from lab.results import made_here
from solvers import Groups, lasso_path, svm_path
from solvers.problems import LassoProblem, SVMProblem
from solvers.registry import LASSO_METHODS, SVM_METHODS, choose
from solvers.scales import lambda_0
from solvers.tracking import solve

FIELD = ("CLARABEL", "OSQP", "SCS")
PAPER_LASSO = ELassoSpec()
QUICK_LASSO = ELassoSpec(n_samples=80, n_features=600, n_groups=20)
PAPER_SVM = ESVMSpec(n_groups=720)
QUICK_SVM = ESVMSpec(n_features=700, n_groups=100)


def run_ours(problem, methods, key, tol, *, repeats, seconds):
    """Median seconds to a certified gap, and how the worst of the repeats ended.

    `seconds` is the method's own clock, `wall_seconds` includes the certificates.
    """
    method = choose(methods, key, problem)
    results, walls = [], []
    for _ in range(repeats):
        started = time.perf_counter()
        results.append(solve(problem, method, tol=tol, max_seconds=seconds))
        walls.append(time.perf_counter() - started)
    worst = max(results, key=lambda result: result.gap)
    return {
        "method": method.key,
        "label": method.label,
        "tol": tol,
        "seconds": float(np.median([result.seconds for result in results])),
        "wall_seconds": float(np.median(walls)),
        "iterations": worst.n_iter,
        "status": worst.status,
        "objective": worst.objective,
        "bound": worst.bound,
        "gap": worst.gap,
        "nonzeros": int(np.count_nonzero(worst.w)),
        "repeats": repeats,
    }


OUTSIDE_RATIO = ", its own time, over ours to 1e-6 with certificates"

# General-purpose first-order solvers get this long; what they reach by then is reported.
OUTSIDE_SECONDS = 30.0


def compare(problem, methods, *, ours, paper, repeats, seconds, outsiders, nnls=False):
    """Ours to 1e-6 and 1e-8, the paper's methods to their easier targets, and the outside field."""
    rows = {}
    for tol in (1e-6, 1e-8):
        rows[f"ours to {tol:g}"] = run_ours(
            problem, methods, ours, tol, repeats=repeats, seconds=seconds
        )
    for key, tol in paper:
        rows[f"{key} to {tol:g}"] = run_ours(problem, methods, key, tol, repeats=1, seconds=seconds)
    bound = rows["ours to 1e-08"]["bound"]
    for solver in outsiders:
        limit = seconds if solver == "CLARABEL" else min(seconds, OUTSIDE_SECONDS)
        attempt = outside.solve_with_cvxpy(problem, solver, seconds=limit, bound=bound)
        rows[f"CVXPY + {solver}"] = asdict(attempt)
    if nnls:
        rows["SciPy NNLS"] = asdict(outside.solve_with_nnls(problem, bound=bound))
    mine = rows["ours to 1e-06"]["seconds"]
    ratios = outside_ratios(rows)
    for key, tol in paper:
        row = rows[f"{key} to {tol:g}"]
        relation = "" if row["status"] == "converged" else " (a lower bound: it ran out of time)"
        ratios[f"{row['label']} to {tol:g} over ours to 1e-6{relation}"] = row["seconds"] / mine
    return {"rows": rows, "ratios": ratios}


def outside_ratios(rows) -> dict[str, float]:
    """The own time of each outside solver that came as close, over ours with certificates."""
    ours = rows["ours to 1e-06"]
    return {
        f"{name}{OUTSIDE_RATIO}": row["own_seconds"] / ours["wall_seconds"]
        for name, row in rows.items()
        if row.get("own_seconds") is not None and row["gap"] <= ours["tol"]
    }


def lasso(spec, quick, seconds, paper):
    data = load(spec)
    problem = LassoProblem(data.X, data.y, data.groups, data.lam)
    outcome = compare(
        problem,
        LASSO_METHODS,
        ours="auto",
        paper=paper,
        repeats=3 if quick else 5,
        seconds=seconds,
        outsiders=FIELD[:1] if quick else FIELD,
        nnls=not quick,
    )
    return {"problem": data.description, "lam": data.lam, "seed": spec.seed, **outcome}


def lasso_disjoint(quick):
    spec = QUICK_LASSO if quick else PAPER_LASSO
    return lasso(spec, quick, 5 if quick else 120, [("locp", 1e-2), ("pcp", 1e-2)])


def lasso_overlapped(quick):
    base = QUICK_LASSO if quick else PAPER_LASSO
    spec = ELassoSpec.overlapped(
        n_samples=base.n_samples,
        n_features=base.n_features,
        n_groups=base.n_groups,
        extras=20 if quick else 100,
    )
    return lasso(spec, quick, 5 if quick else 120, [("pcp", 1e-2)])


def svm(alpha, beta, quick):
    spec = QUICK_SVM if quick else PAPER_SVM
    data = load(spec)
    problem = SVMProblem(data.X, data.y, data.groups, alpha, beta)
    outcome = compare(
        problem,
        SVM_METHODS,
        ours="auto",
        paper=[("licp", 1e-3), ("licp_block", 1e-6)],
        repeats=3 if quick else 5,
        seconds=5 if quick else 200,
        outsiders=FIELD[:1] if quick else FIELD,
    )
    return {
        "problem": data.description,
        "alpha": alpha,
        "beta": beta,
        "seed": spec.seed,
        **outcome,
    }


def svm_1_10(quick):
    return svm(1.0, 10.0, quick)


def svm_100_100(quick):
    return svm(100.0, 100.0, quick)


def path(quick):
    """100 λ over two decades on 200 × 500 with 10 groups, all to 1e-6, in pairs of products."""
    rng = np.random.default_rng(0)
    n_lams = 20 if quick else 100
    X = rng.standard_normal((200, 500))
    groups = Groups.contiguous(500, 10)
    w = np.where(rng.random(500) < 0.06, rng.standard_normal(500), 0.0)
    y = X @ w + 0.5 * rng.standard_normal(200)
    reference = lambda_0(X, y, groups)
    big = rng.standard_normal((400, 4000))
    left, right = rng.standard_normal(400), rng.standard_normal(4000)
    pair = common.median_seconds(lambda: (big @ right, left @ big), 200)
    results = {
        "seed": 0,
        "pair_seconds": pair,
        "n_lams": n_lams,
        "reference_lam": reference,
        "paths": {},
    }
    for name, (high, low) in {"λ₀·10 to λ₀/10": (1, -1), "λ₀ to λ₀/100": (0, -2)}.items():
        lams = reference * np.geomspace(10.0**high, 10.0**low, n_lams)
        solved = lasso_path(X, y, groups, lams, tol=1e-6)
        seconds = common.median_seconds(
            lambda lams=lams: lasso_path(X, y, groups, lams, tol=1e-6), 3 if quick else 9
        )
        results["paths"][name] = {
            "seconds": seconds,
            "pairs_of_products": seconds / pair,
            "worst_gap": float(np.max(solved.gaps)),
        }
    return results


def beta_path(quick):
    """30 β over two decades at the paper's E-SVM size, all to 1e-6."""
    data = load(QUICK_SVM if quick else PAPER_SVM)
    betas = np.geomspace(1.0, 100.0, 5 if quick else 30)
    started = time.perf_counter()
    solved = svm_path(data.X, data.y, data.groups, 10.0, betas, tol=1e-6)
    seconds = time.perf_counter() - started
    row = {"seconds": seconds, "worst_gap": float(np.max(solved.gaps)), "n_betas": betas.size}
    return {
        "problem": data.description,
        "seed": PAPER_SVM.seed,
        "alpha": 10.0,
        "paths": {"β from 1 to 100": row},
    }


def data_sets(quick):
    """The real data sets of the paper's Table 1, as E-LASSO on ±1 labels and as E-SVM."""
    if not data_folder().is_dir():
        return {"missing": f"no folder of data sets; {DATA_FOLDER_VARIABLE} can name it"}
    names = ["leu"] if quick else list(MAT_FILES)
    return {"seed": 0, "sets": {name: _data_set(name, quick) for name in names}}


def _data_set(name, quick):
    data = load(MatSpec(name))
    # The last class against the rest; for two classes that is their difference.
    y = np.where(data.y == data.y.max(), 1.0, -1.0)
    groups = Groups.random(data.n_features, min(50, data.n_features // 10), 0)
    lam = 0.1 * lambda_0(data.X, y, groups)
    small = not quick and data.n_samples * data.n_features <= 1_000_000
    outsiders = FIELD[:1] if small else ()
    options = dict(ours="auto", repeats=1, seconds=20, outsiders=outsiders)
    lasso_problem = LassoProblem(data.X, y, groups, lam, fit_intercept=True)
    svm_problem = SVMProblem(data.X, y, groups, 1.0, 10.0, fit_intercept=True)
    return {
        "problem": data.description,
        "lam": lam,
        "lasso": compare(lasso_problem, LASSO_METHODS, paper=[("locp", 1e-3)], **options),
        "svm": compare(svm_problem, SVM_METHODS, paper=[("licp_block", 1e-3)], **options),
    }


def scaling(quick):
    """benchmarks.scaling, in a process of its own so that its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.scaling", *(["--quick"] if quick else [])]
    subprocess.run(command, check=True, cwd=common.RESULTS.parent.parent)
    return {"rows_in": "scaling-quick.json" if quick else "scaling.json"}


EXPERIMENTS = {
    function.__name__: function
    for function in (
        lasso_disjoint,
        lasso_overlapped,
        svm_1_10,
        svm_100_100,
        path,
        beta_path,
        data_sets,
        scaling,
    )
}


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small problems, under a minute")
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    chosen = parser.parse_args(arguments)
    file = "compare-quick" if chosen.quick else "compare"
    results = {"quick": chosen.quick, "experiments": {}}
    if len(chosen.only) < len(EXPERIMENTS) and common.path_of(file).exists():
        results["experiments"] = common.read(file)["experiments"]
    began = time.perf_counter()
    for name in chosen.only:
        started = time.perf_counter()
        print(f"\n{name}", flush=True)
        outcome = EXPERIMENTS[name](chosen.quick)
        outcome["environment"] = made_here()
        results["experiments"][name] = outcome
        _print(outcome)
        print(f"  ({time.perf_counter() - started:.0f} s in all)", flush=True)
    results["elapsed_seconds"] = time.perf_counter() - began
    print(f"\nwrote {common.write(file, results).name}")


def _print(outcome) -> None:
    for label, row in outcome.get("rows", {}).items():
        seconds = row.get("seconds", row.get("own_seconds"))
        seconds = "      –" if seconds is None else f"{seconds:7.3f}"
        print(f"  {label:<24} {seconds} s   gap {row['gap']:.1e}   {row['status']}")
    for label, ratio in outcome.get("ratios", {}).items():
        print(f"  {ratio:7.1f} × {label}")
    for label, row in outcome.get("paths", {}).items():
        pairs = row.get("pairs_of_products")
        pairs = "" if pairs is None else f" = {pairs:.0f} pairs of products"
        print(f"  {label:<18} {row['seconds']:.4f} s{pairs}, worst gap {row['worst_gap']:.1e}")
    for label, parts in outcome.get("sets", {}).items():
        print(f"  {label}: {parts['problem']}")
        _print(parts["lasso"])
        _print(parts["svm"])


if __name__ == "__main__":
    main()
