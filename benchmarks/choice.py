"""Is "auto" ever much slower than the best of our methods, or than Clarabel?

    python -m benchmarks.choice              the grid (hours on a busy machine; --only picks shapes)
    python -m benchmarks.choice --quick      its small shapes, in a few minutes

Cells that a former run of the same cap has measured are kept; --again measures them anew, and
--minutes ends the run after the cell that exceeds them, so that a long grid is made in parts.

On a grid of shapes, groups, strengths and losses: processor seconds of one thread to a certified
gap of 1e-6 by "auto", by each of our methods, and by CVXPY + Clarabel where it is not hopeless.
`ratio` is auto over the best of the others that got there within the cap; the others may take
no longer than a few times what auto took, because then they are not the best.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from benchmarks import common, outside
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups
from solvers.problems import LassoProblem, LogisticProblem, SVMProblem
from solvers.registry import choose
from solvers.scales import lambda_0, svm_scales
from solvers.tracking import solve

TOL = 1e-6
SHARES = (10.0, 1.0, 1e-1, 1e-2, 1e-3)
OURS = {
    "lasso": (LASSO_METHODS, ("newton", "active_set", "locp")),
    "logistic": (LOGISTIC_METHODS, ("newton", "active_set", "locp")),
    "svm": (SVM_METHODS, ("newton", "quasi_newton", "interior")),
}
# Name: samples, features, groups, density.
SMALL = {
    "50 × 50": (50, 50, "disjoint", 1.0),
    "50 × 2,000": (50, 2_000, "disjoint", 1.0),
    "2,000 × 50": (2_000, 50, "disjoint", 1.0),
    "200 × 1,000, chain": (200, 1_000, "chain", 1.0),
    "50 × 1,000, windows": (50, 1_000, "windows", 1.0),
    "100 × 60, all pairs": (100, 60, "pairs", 1.0),
}
LARGE = {
    "500 × 20,000": (500, 20_000, "disjoint", 1.0),
    "5,000 × 2,000": (5_000, 2_000, "disjoint", 1.0),
    "5,000 × 5,000": (5_000, 5_000, "disjoint", 1.0),
    "20,000 × 500": (20_000, 500, "disjoint", 1.0),
    "200 × 20,000, chain": (200, 20_000, "chain", 1.0),
    "200 × 10,000, windows": (200, 10_000, "windows", 1.0),
    "300 × 150, all pairs": (300, 150, "pairs", 1.0),
    "5,000 × 100,000, sparse": (5_000, 100_000, "disjoint", 1e-3),
}
REPEATS, SHORT = 5, 0.2
PATIENCE, LEAST_SECONDS = 3.0, 0.2  # of auto's time, after which another method has lost
CLARABEL_ENTRIES = 400_000  # of X, up to which Clarabel is asked


def grouped(kind: str, n_features: int) -> Groups:
    if kind == "disjoint":
        return Groups.random(n_features, max(2, n_features // 50), random_state=0)
    if kind == "pairs":
        pairs = [[i, j] for i in range(n_features) for j in range(i)]
        return Groups.from_lists(pairs, n_features)
    width, step = (3, 1) if kind == "windows" else (25, 20)
    starts = range(0, n_features - width + step, step)
    lists = [list(range(i, min(i + width, n_features))) for i in starts]
    return Groups.from_lists([members for members in lists if members], n_features)


def problems(shape, seed=0):
    n_samples, n_features, kind, density = shape
    rng = np.random.default_rng(seed)
    if density < 1.0:
        X = sparse.random_array(
            (n_samples, n_features), density=density, rng=rng, data_sampler=rng.standard_normal
        ).tocsr()
    else:
        X = rng.standard_normal((n_samples, n_features))
    w = np.zeros(n_features)
    w[rng.permutation(n_features)[: min(20, n_features)]] = 3.0
    y = X @ w + rng.standard_normal(n_samples)
    labels = np.where(y >= 0.0, 1.0, -1.0)
    groups = grouped(kind, n_features)
    lam, (alpha, beta) = lambda_0(X, y, groups), svm_scales(X, labels, groups)
    for share in SHARES:
        yield "lasso", share, LassoProblem(X, y, groups, share * lam)
        yield "logistic", share, LogisticProblem(X, labels, groups, share * lam / 4.0)
        yield "svm", share, SVMProblem(X, labels, groups, 0.1 * share * alpha, share * beta)


def timed(problem, method, cap) -> dict:
    """Processor seconds of a run; of short ones the least of several: first calls take longer."""
    took = []
    while not took or (len(took) < REPEATS and took[0] < SHORT):
        started = time.process_time()
        result = solve(problem, method, tol=TOL, max_seconds=cap, clock=time.process_time)
        took.append(time.process_time() - started)
    return {"cpu_seconds": min(took), "gap": result.gap, "status": result.status}


def cell(kind, problem, cap) -> dict:
    methods, keys = OURS[kind]
    rows = {"auto": timed(problem, choose(methods, "auto", problem), cap)}
    cap = min(cap, max(PATIENCE * rows["auto"]["cpu_seconds"], LEAST_SECONDS))
    for key in keys:
        if methods[key].accepts(problem) is None:
            rows[key] = timed(problem, methods[key], cap)
    if kind != "logistic" and np.prod(problem.design.shape) <= CLARABEL_ENTRIES:
        attempt = outside.solve_with_cvxpy(problem, "CLARABEL", seconds=cap)
        if attempt.own_seconds is not None and attempt.gap <= 10 * TOL:
            rows["clarabel"] = {"cpu_seconds": attempt.own_seconds, "gap": attempt.gap}
    others = [
        row["cpu_seconds"]
        for name, row in rows.items()
        if name != "auto" and row.get("status", "converged") == "converged"
    ]
    ratio = rows["auto"]["cpu_seconds"] / min(others) if others else None
    return {"rows": rows, "ratio": ratio}


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--cap", type=float, default=30.0, help="seconds a method may take")
    parser.add_argument("--again", action="store_true", help="measure known cells anew")
    parser.add_argument("--minutes", type=float, default=np.inf, help="of processor time")
    chosen = parser.parse_args(arguments)
    names = chosen.only or list(SMALL if chosen.quick else SMALL | LARGE)
    cells = known_cells(chosen.cap)
    with threadpool_limits(1):
        for name in names:
            for kind, share, problem in problems((SMALL | LARGE)[name]):
                key = f"{name} | {kind} | {share:g}"
                if key in cells and not chosen.again:
                    continue
                cells[key] = cell(kind, problem, chosen.cap)
                times = {k: round(r["cpu_seconds"], 3) for k, r in cells[key]["rows"].items()}
                print(f"{key:<44} {cells[key]['ratio'] or 0:6.2f}  {times}", flush=True)
                keep(cells, chosen.cap)
                if time.process_time() > 60.0 * chosen.minutes:
                    return


def known_cells(cap) -> dict:
    if not common.path_of("choice").exists():
        return {}
    before = common.read("choice")
    return before["cells"] if before["cap"] == cap else {}


def keep(cells, cap) -> None:
    found = [each for each in cells.values() if each["ratio"] is not None]
    behind = [
        each["rows"]["auto"]["cpu_seconds"] > each["rows"]["clarabel"]["cpu_seconds"]
        for each in found
        if "clarabel" in each["rows"]
    ]
    summary = {
        "worst_ratio": max((each["ratio"] for each in found), default=None),
        "above_two": sum(each["ratio"] > 2.0 for each in found),
        "slower_than_clarabel": sum(behind),
    }
    common.write("choice", {"tol": TOL, "cap": cap, **summary, "cells": cells})


if __name__ == "__main__":
    main()
