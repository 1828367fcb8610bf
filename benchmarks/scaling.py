"""How do time and memory grow with the data? Sparse E-LASSO and E-SVM up to 10⁶ features.

    python -m benchmarks.scaling            four sizes up to 10⁶ × 2,000 with 10⁷ nonzeros
    python -m benchmarks.scaling --quick    four sizes up to 10⁵, in under a minute

Ten nonzeros a feature, 1,000 random groups, λ = λ₀ (E-LASSO) and α = 1, β = 10 (E-SVM), both with
an intercept, to a certified gap of 1e-3. Writes benchmarks/results/scaling.json: seconds, steps,
seconds per iteration of a first-order method (two products with X), and the process's memory.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks import common
from solvers import LASSO_METHODS, SVM_METHODS, Groups
from solvers.problems import LassoProblem, SVMProblem
from solvers.scales import lambda_0
from solvers.tracking import solve

NONZEROS_PER_FEATURE = 10


def design(n_samples, n_features, seed=0):
    """A sparse matrix of N(0, 1) at ten random rows of every column, a few of them the same."""
    rng = np.random.default_rng(seed)
    size = n_features * NONZEROS_PER_FEATURE
    rows = rng.integers(0, n_samples, size).astype(np.int32)
    starts = np.arange(0, size + 1, NONZEROS_PER_FEATURE, dtype=np.int64)
    columns = sparse.csc_array((rng.standard_normal(size), rows, starts), (n_samples, n_features))
    X = columns.tocsr()
    X.sum_duplicates()
    chosen = rng.choice(n_features, 200, replace=False)
    signal = X[:, chosen] @ rng.standard_normal(chosen.size)
    return X, signal + 0.1 * np.std(signal) * rng.standard_normal(n_samples)


def measure(n_samples, n_features, n_groups):
    X, y = design(n_samples, n_features)
    groups = Groups.random(n_features, n_groups, 0)
    lam = lambda_0(X, y, groups)
    lasso = LassoProblem(X, y, groups, lam, fit_intercept=True)
    svm = SVMProblem(X, np.where(y > 0, 1.0, -1.0), groups, 1.0, 10.0, fit_intercept=True)
    row = {"n_samples": n_samples, "n_features": n_features, "nonzeros": int(X.nnz)}
    for name, problem, method in (
        ("lasso", lasso, LASSO_METHODS["newton"]),
        ("svm", svm, SVM_METHODS["newton"]),
    ):
        started = time.perf_counter()
        result = solve(problem, method, tol=1e-3, max_seconds=600)
        row[name] = {
            "method": method.key,
            "seconds": result.seconds,
            "wall_seconds": time.perf_counter() - started,
            "iterations": result.n_iter,
            "gap": result.gap,
            "status": result.status,
        }
    for name, problem, method in (
        ("locp", lasso, LASSO_METHODS["locp"]),
        ("dual_u", svm, SVM_METHODS["dual_u"]),
    ):
        row[name] = {"seconds_per_iteration": _per_iteration(problem, method)}
    row["largest_memory_gb"] = largest_memory_gb()
    return row


def largest_memory_gb() -> float:
    """The most memory this process has held; getrusage would count the parent's before exec."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 2**20


def _per_iteration(problem, method, iterations=20) -> float:
    """Seconds an iteration, set-up left out."""
    result = solve(problem, method, tol=0.0, max_iter=iterations, measuring_share=1e9)
    first, last = result.history[0], result.history[-1]
    return (last.seconds - first.seconds) / (last.iteration - first.iteration)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args(arguments).quick
    largest = 100_000 if quick else 1_000_000
    n_samples, n_groups = (500, 200) if quick else (2000, 1000)
    rows = []
    for n_features in (largest // 8, largest // 4, largest // 2, largest):
        row = measure(n_samples, n_features, n_groups)
        rows.append(row)
        print(
            f"{row['n_features']:>8} features, {row['nonzeros']:>9} nonzeros: "
            + ", ".join(
                f"{name} {row[name]['seconds']:.1f} s ({row[name]['gap']:.0e})"
                for name in ("lasso", "svm")
            )
            + ", an iteration of "
            + ", ".join(
                f"{name} {1e3 * row[name]['seconds_per_iteration']:.1f} ms"
                for name in ("locp", "dual_u")
            )
            + f", {row['largest_memory_gb']:.2f} GB",
            flush=True,
        )
    name = "scaling-quick" if quick else "scaling"
    print(f"wrote {common.write(name, {'quick': quick, 'seed': 0, 'rows': rows}).name}")


if __name__ == "__main__":
    main()
