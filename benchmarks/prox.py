"""How much the prox costs: against one sort, and inside an iteration of LOCP.

    python -m benchmarks.prox [--quick]

1. `prox_exclusive` on 10⁶ features in 10⁴ groups, in units of one `np.sort` of 10⁶ numbers.
2. The share of a LOCP iteration at 400 × 4000 with 100 groups that is not the two products with X:
   prox, momentum, averaging and bookkeeping.

Both are ratios of medians, taken in one process with the timings interleaved, so that a busy
machine slows both sides alike; the second on one BLAS thread and on all of them. `--quick` takes
fewer repeats and records nothing. The exit code says whether both targets are met.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import common
from solvers import Groups, prox_exclusive
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LOCP
from solvers.problems import LassoProblem

SORT_TARGET = 30.0
SHARE_TARGET = 0.40


def interleaved_medians(actions, repeats) -> dict[str, float]:
    """The median seconds of each action; every round runs each of them once."""
    seconds = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(repeats):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            seconds[name].append(time.perf_counter() - started)
    return {name: float(np.median(values)) for name, values in seconds.items()}


def partitions(n, m, rng) -> dict[str, Groups]:
    """Equal, uneven and heavy-tailed group sizes, with members side by side or scattered."""
    uneven = rng.integers(0, m, n)
    uneven[:m] = np.arange(m)
    # From thousands of features in the first groups down to a handful in the last.
    tail = np.minimum((m * rng.random(n) ** 3).astype(np.intp), m - 1)
    tail[:m] = np.arange(m)
    equal = np.arange(n) % m
    return {
        "equal, contiguous": Groups.contiguous(n, m),
        "equal, permuted": Groups.from_labels(rng.permutation(equal)),
        "uneven, contiguous": Groups.from_labels(np.sort(uneven)),
        "uneven, permuted": Groups.from_labels(rng.permutation(uneven)),
        "heavy-tailed, contiguous": Groups.from_labels(np.sort(tail)),
        "heavy-tailed, permuted": Groups.from_labels(rng.permutation(tail)),
    }


def against_sort(repeats, n=10**6, m=10**4) -> list[dict]:
    rng = np.random.default_rng(0)
    c = rng.standard_normal(n)
    actions = {"sort": lambda: np.sort(c)}
    structures = partitions(n, m, rng)
    for name, groups in structures.items():
        for zeta in (0.1, 10.0):
            actions[name, zeta] = lambda groups=groups, zeta=zeta: prox_exclusive(c, groups, zeta)
    medians = interleaved_medians(actions, repeats)
    sort = medians.pop("sort")
    return [
        {
            "groups": name,
            "sizes": [int(structures[name].sizes.min()), int(structures[name].sizes.max())],
            "zeta": zeta,
            "sort_ms": round(1e3 * sort, 2),
            "prox_ms": round(1e3 * seconds, 2),
            "ratio": round(seconds / sort, 2),
            "target": SORT_TARGET,
            "met": bool(seconds / sort < SORT_TARGET),
        }
        for (name, zeta), seconds in medians.items()
    ]


def paper_instance(groups, rng, n_samples=400, per_group=4) -> LassoProblem:
    """The race of Section 5.1: a few true features in every group, weak regularisation."""
    n = groups.n_features
    true = np.zeros(n)
    for members in groups.lists():
        true[rng.choice(members, per_group, replace=False)] = rng.standard_normal(per_group)
    X = rng.standard_normal((n_samples, n))
    y = X @ true + 0.01 * rng.standard_normal(n_samples)
    # Twice the paper's λ, because the paper's experiments write λ for our λ/2.
    return LassoProblem(X, y, groups, 2.0 * 0.4 / np.abs(true).sum())


def inside_locp(repeats, threads) -> list[dict]:
    rows = []
    for name, groups in {
        "contiguous": Groups.contiguous(4000, 100),
        "random": Groups.random(4000, 100, random_state=0),
        "uneven": Groups.from_labels(np.random.default_rng(1).integers(0, 100, 4000)),
    }.items():
        rng = np.random.default_rng(0)
        problem = paper_instance(groups, rng)
        posed = LOCP(problem)
        iterates = fista(posed, posed.start(None))
        for _ in range(50):
            x, _ = next(iterates)
        w, theta = x.copy(), rng.standard_normal(problem.n_samples)
        design = problem.design

        def products(design=design, w=w, theta=theta):
            design.matvec(w)
            design.rmatvec(theta)

        medians = interleaved_medians(
            {
                "iteration": lambda iterates=iterates: next(iterates),
                "products": products,
                "prox": lambda posed=posed, w=w: posed.prox(w, 1.0),
            },
            repeats,
        )
        share = 1.0 - medians["products"] / medians["iteration"]
        rows.append(
            {
                "groups": name,
                "blas_threads": threads,
                "iteration_us": round(1e6 * medians["iteration"], 1),
                "products_us": round(1e6 * medians["products"], 1),
                "prox_us": round(1e6 * medians["prox"], 1),
                "share": round(share, 3),
                "target": SHARE_TARGET,
                "met": bool(share < SHARE_TARGET),
            }
        )
    return rows


def print_table(title, rows, columns) -> None:
    print(f"\n{title}")
    cells = [columns, *([str(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)))


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats, nothing recorded")
    options = parser.parse_args(arguments)

    sort_rows = against_sort(repeats=3 if options.quick else 11)
    share_rows = []
    for threads in sorted({1, os.cpu_count()}):
        with threadpool_limits(threads, user_api="blas"):
            share_rows += inside_locp(200 if options.quick else 2000, threads)
    if not options.quick:
        common.write("prox", {"against_sort": sort_rows, "locp_iteration": share_rows})

    print_table(
        f"prox_exclusive, 10⁶ features, 10⁴ groups, in sorts (target < {SORT_TARGET:g})",
        sort_rows,
        ["groups", "sizes", "zeta", "sort_ms", "prox_ms", "ratio", "met"],
    )
    print_table(
        f"LOCP at 400 × 4000, 100 groups: share beside the products (target < {SHARE_TARGET:.0%})",
        share_rows,
        ["groups", "blas_threads", "iteration_us", "products_us", "prox_us", "share", "met"],
    )
    return 0 if all(row["met"] for row in sort_rows + share_rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
