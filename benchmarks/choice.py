"""Is "auto" ever much slower than the best of our methods, or than Clarabel?

    python -m benchmarks.choice              the grid (an hour; --only picks shapes)
    python -m benchmarks.choice --quick      its small shapes, in a few minutes

Cells that a former run of the same cap has measured are kept, each with the commit that it was
measured on; --again measures them anew, and --minutes ends the run after the cell that exceeds
them, so that a long grid is made in parts. The cells of real data need the data folder.

On a grid of shapes, groups, strengths and losses: processor seconds of one thread to a certified
gap of 1e-6 by "auto", by each of our methods, and by CVXPY + Clarabel where it is not hopeless (its
own part only, without CVXPY's translation). Every run gets a problem of its own, so that nobody
profits from what another one has prepared. `ratio` is auto over the best of our others that got
there; they may take little longer than the fastest so far, because then they are not the best.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from benchmarks import common, outside
from lab.data.datasets import MatSpec, load
from lab.results import made_here
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups
from solvers.problems import LassoProblem, LogisticProblem, SVMProblem
from solvers.registry import choose
from solvers.scales import lambda_0, svm_scales
from solvers.tracking import solve

TOL = 1e-6
SHARES = (10.0, 1.0, 1e-1, 1e-2, 1e-3)
OURS = {
    "lasso": (LASSO_METHODS, ("active_set", "locp", "pcp", "newton")),
    "logistic": (LOGISTIC_METHODS, ("active_set", "locp", "pcp", "newton")),
    "svm": (SVM_METHODS, ("quasi_newton", "newton", "interior", "dual_u", "licp_block")),
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
    "200 × 100,000, chain": (200, 100_000, "chain", 1.0),
}
# Shapes that are looked at for some strengths only.
FEWER = {"200 × 100,000, chain": (1e-3,)}
REPEATS, ENOUGH = 5, 1.0  # runs of a problem, and seconds of them after which there are no more
PATIENCE, LEAST_SECONDS = 1.5, 0.2  # of the fastest so far, after which another method has lost
CLARABEL_ENTRIES = 400_000  # of X other than 0, up to which Clarabel is asked
CONES_ENTRIES = 100_000  # the same for the logistic loss, an exponential cone a sample
BUSY = 3.0  # Clarabel counts seconds of the wall, of which a busy machine takes more


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


def drawn(name, seed=0):
    """(loss, strength, what makes the problem) of every cell of a shape."""
    n_samples, n_features, kind, density = (SMALL | LARGE)[name]
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
    for share in FEWER.get(name, SHARES):
        yield "lasso", f"{share:g}", partial(LassoProblem, X, y, groups, share * lam)
        yield "logistic", f"{share:g}", partial(LogisticProblem, X, labels, groups, share * lam / 4)
        strengths = 0.1 * share * alpha, share * beta
        yield "svm", f"{share:g}", partial(SVMProblem, X, labels, groups, *strengths)


def real(name):
    """The same of documents as word counts, in twenty random groups."""
    data = load(MatSpec(REAL[name]))
    X = sparse.csr_array(data.X)
    groups = Groups.random(X.shape[1], 20, random_state=0)
    if REAL[name] == "tdt2":
        yield "svm", "α = 1, β = 10", partial(SVMProblem, X, data.y, groups, 1.0, 10.0)
        return
    lam = lambda_0(X, data.y, groups)
    for share in (1.0, 1e-3):
        yield "lasso", f"{share:g}", partial(LassoProblem, X, data.y, groups, share * lam)
        yield "logistic", f"{share:g}", partial(LogisticProblem, X, data.y, groups, share * lam / 4)


REAL = {"PCMAC, sparse": "pcmac", "TDT2, sparse": "tdt2"}


def timed(make, chosen, cap) -> dict:
    """Processor seconds of a run; of short ones the least of several: first calls take longer."""
    took = []
    while not took or (len(took) < REPEATS and sum(took) < ENOUGH):
        problem = make()
        method = chosen(problem)
        started = time.process_time()
        result = solve(problem, method, tol=TOL, max_seconds=cap, clock=time.process_time)
        took.append(time.process_time() - started)
    return {
        "cpu_seconds": min(took),
        "gap": result.gap,
        "status": result.status,
        "bound": result.bound,
    }


def cell(kind, make, cap) -> dict:
    methods, keys = OURS[kind]
    rows = {"auto": timed(make, partial(choose, methods, "auto"), cap)}
    problem = make()
    for key in keys:
        if methods[key].accepts(problem) is None:
            rows[key] = timed(make, lambda _, method=methods[key]: method, patience(rows, cap))
    entries = problem.design.flops // 2
    if entries <= (CONES_ENTRIES if kind == "logistic" else CLARABEL_ENTRIES):
        rows["clarabel"] = by_clarabel(problem, patience(rows, cap), rows["auto"]["bound"])
    found = [
        row["cpu_seconds"]
        for key, row in rows.items()
        if key not in ("auto", "clarabel") and row["status"] == "converged"
    ]
    ratio = rows["auto"]["cpu_seconds"] / min(found) if found else None
    return {"rows": rows, "ratio": ratio, "commit": made_here()["commit"]}


def patience(rows, cap) -> float:
    """How long the next method may take."""
    fastest = min(
        (r["cpu_seconds"] for r in rows.values() if r["status"] == "converged"), default=cap
    )
    return min(cap, max(PATIENCE * fastest, LEAST_SECONDS))


def by_clarabel(problem, cap, bound) -> dict:
    """Its own bound is no certificate of ours, so its point is judged by the one of "auto"."""
    attempt = outside.solve_with_cvxpy(problem, "CLARABEL", seconds=BUSY * cap, bound=bound)
    reached = attempt.cpu_seconds is not None and attempt.gap <= 10 * TOL
    return {
        "cpu_seconds": attempt.cpu_seconds,
        "gap": attempt.gap,
        "status": "converged" if reached else attempt.status,
    }


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--cap", type=float, default=30.0, help="seconds a method may take")
    parser.add_argument("--again", action="store_true", help="measure known cells anew")
    parser.add_argument("--minutes", type=float, default=np.inf, help="of processor time")
    chosen = parser.parse_args(arguments)
    names = chosen.only or list(SMALL if chosen.quick else SMALL | LARGE | REAL)
    cells = known_cells(chosen.cap)
    with threadpool_limits(1):
        for name in names:
            for kind, strength, make in real(name) if name in REAL else drawn(name):
                key = f"{name} | {kind} | {strength}"
                if key in cells and not chosen.again:
                    continue
                cells[key] = cell(kind, make, chosen.cap)
                times = {k: told(row) for k, row in cells[key]["rows"].items()}
                print(f"{key:<44} {cells[key]['ratio'] or 0:6.2f}  {times}", flush=True)
                keep(cells, chosen.cap)
                if time.process_time() > 60.0 * chosen.minutes:
                    return


def told(row) -> str:
    seconds = "?" if row["cpu_seconds"] is None else f"{row['cpu_seconds']:.3g}"
    return seconds if row["status"] == "converged" else f"({seconds})"


def known_cells(cap) -> dict:
    if not common.path_of("choice").exists():
        return {}
    before = common.read("choice")
    cells = before["cells"] if before["cap"] == cap else {}
    return {key: each for key, each in cells.items() if "commit" in each}


def keep(cells, cap) -> None:
    found = [each["ratio"] for each in cells.values() if each["ratio"] is not None]
    summary = {
        "worst_ratio": max(found, default=None),
        "above_two": sum(ratio > 2.0 for ratio in found),
        "slower_than_clarabel": sum(behind_clarabel(each["rows"]) for each in cells.values()),
        "unsolved": sum(each["rows"]["auto"]["status"] != "converged" for each in cells.values()),
    }
    common.write("choice", {"tol": TOL, "cap": cap, **summary, "cells": cells})


def behind_clarabel(rows) -> bool:
    row = rows.get("clarabel", {"status": "not asked"})
    return row["status"] == "converged" and row["cpu_seconds"] < rows["auto"]["cpu_seconds"]


if __name__ == "__main__":
    main()
