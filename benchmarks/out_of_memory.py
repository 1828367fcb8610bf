"""Data larger than the memory that the process may use: how many passes, how long, how much?

    python -m benchmarks.out_of_memory                    24 GB on disk under 2 GB of memory
    python -m benchmarks.out_of_memory --quick            the same at 0.2 GB, in about a minute
    python -m benchmarks.out_of_memory --parts workers    that part anew, the others as they were

A dense matrix of N(0, 1) in a .npy file, written block by block, with one true feature in every
group; E-LASSO and E-SVM with an intercept to a certified gap of 1e-3. Every run is a process of its
own whose address space is limited (RLIMIT_AS), so that what does not fit fails. Then four sizes in
N and four in n, and a cluster of one worker against two. Writes
benchmarks/results/out_of_memory.json: passes, seconds of the wall and of the processors, memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import common

MOST_PASSES = {"lasso": 30, "svm": 60}
TOLERANCE = 1e-3
N_GROUPS = 100
GIGABYTE = 2**30
PARTS = ("large", "growth", "workers")
DOCUMENT = Path(__file__).parents[1] / "docs" / "large_data.md"


def write_matrix(folder: Path, n_samples: int, n_features: int, seed: int = 0) -> Path:
    """X.npy and y.npy, of which only a few rows are in memory at a time."""
    rng = np.random.default_rng(seed)
    true = np.linspace(0, n_features - 1, N_GROUPS).astype(int)
    w = rng.standard_normal(true.size)
    y = np.empty(n_samples)
    step = max(1, 2**23 // n_features)
    with open(folder / "X.npy", "wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (n_samples, n_features)}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, n_samples, step):
            block = rng.standard_normal((min(step, n_samples - start), n_features))
            block.tofile(file)
            y[start : start + step] = block[:, true] @ w
    np.save(folder / "y.npy", y + 0.5 * rng.standard_normal(n_samples))
    return folder


def solved(folder: Path, kind: str) -> dict:
    """One solve on whatever Dask uses here, with its certificate."""
    from solvers import Groups, solve_lasso, solve_svm
    from solvers.large.reading import from_npy

    X, y = from_npy(folder / "X.npy"), np.load(folder / "y.npy")
    groups = Groups.contiguous(X.shape[1], N_GROUPS)
    started, used = time.perf_counter(), time.process_time()
    strength = 0.1 * len(y)
    options = dict(tol=TOLERANCE, fit_intercept=True)
    if kind == "lasso":
        result = solve_lasso(X, y, groups, strength, **options)
    else:
        result = solve_svm(X, np.sign(y), groups, strength, strength, **options)
    return {
        "kind": kind,
        "status": result.status,
        "gap": result.gap,
        "passes": result.n_passes,
        "rounds": result.n_iter,
        "nonzeros": int(np.count_nonzero(result.w)),
        "objective": result.objective,
        "seconds": time.perf_counter() - started,
        "processor_seconds": time.process_time() - used,
        "largest_memory_gb": largest_memory_gb(),
    }


def largest_memory_gb() -> float:
    """The most that this process has had in memory; `getrusage` counts its parent too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 2**20


def one(folder: Path, kind: str, limit_gb: float, workers: int) -> None:
    """What a process of its own does: a solve under the limit, or on workers, printed as JSON."""
    if workers:
        import dask
        from distributed import Client, LocalCluster

        dask.config.set({"distributed.comm.timeouts.connect": "300s"})
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, memory_limit="2GB"
        )
        with cluster, Client(cluster):
            print(json.dumps(solved(folder, kind)))
        return
    import dask

    resource.setrlimit(resource.RLIMIT_AS, (int(limit_gb * GIGABYTE),) * 2)
    with dask.config.set(scheduler="threads", num_workers=2):
        print(json.dumps(solved(folder, kind)))


def run(folder: Path, kind: str, limit_gb: float, workers: int = 0) -> dict:
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    command = [sys.executable, "-m", "benchmarks.out_of_memory", "--one", str(folder), kind]
    command += ["--limit", str(limit_gb), "--workers", str(workers)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{kind} failed under {limit_gb} GB:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def measured(shape, limit_gb, scratch, workers) -> list[dict]:
    n_samples, n_features = shape
    rows = []
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = write_matrix(Path(name), n_samples, n_features)
        for kind in MOST_PASSES:
            for count in workers:
                row = {
                    "n_samples": n_samples,
                    "n_features": n_features,
                    "gigabytes": 8.0 * n_samples * n_features / GIGABYTE,
                    "workers": count,
                    "limit_gb": None if count else limit_gb,
                    **run(folder, kind, limit_gb, count),
                }
                row["met"] = row["gap"] <= TOLERANCE and row["passes"] <= MOST_PASSES[kind]
                rows.append(row)
                print(
                    f"{row['gigabytes']:.2f} GB, {n_samples} × {n_features}, {kind}"
                    + (f" on {count} workers" if count else f" under {limit_gb} GB")
                    + f": {row['passes']:.4g} passes, {row['seconds']:.1f} s, gap "
                    f"{row['gap']:.0e}, {row['nonzeros']} features, "
                    f"{row['largest_memory_gb']:.2f} GB of memory",
                    flush=True,
                )
    return rows


def sentences(results: dict) -> str:
    """What was measured, as docs/large_data.md has it."""
    names = {"lasso": "E-LASSO", "svm": "E-SVM"}
    shape = results["large"][0]
    memory = max(row["largest_memory_gb"] for row in results["large"])
    passes = " and ".join(f"{names[r['kind']]} {r['passes']:.0f} passes" for r in results["large"])
    took = " and ".join(f"{r['seconds'] / 60:.0f}" for r in results["large"])
    lines = [
        f"- {shape['gigabytes']:.0f} GB, {shape['n_samples']:,} × {shape['n_features']:,}, in a "
        f"process of at most {results['limit_gb']:.0f} GB: {passes}, {took} minutes; "
        f"{memory:.1f} GB were in use."
    ]
    few = {key: min(row[key] for row in results["growth"]) for key in ("n_samples", "n_features")}
    for grows, stays in (("n_features", "n_samples"), ("n_samples", "n_features")):
        word, told = {"n_features": "features", "n_samples": "samples"}[grows], []
        for kind, name in names.items():
            rows = [r for r in results["growth"] if r["kind"] == kind and r[stays] == few[stays]]
            rows.sort(key=lambda row: row[grows])
            sizes = " → ".join(f"{row[grows]:,}" for row in rows)
            passes = " → ".join(f"{row['passes']:.0f}" for row in rows)
            told.append(f"{name} {passes} passes")
        lines.append(f"- {sizes} {word}: {', '.join(told)}.")
    told = []
    for kind, name in names.items():
        seconds = {r["workers"]: r["seconds"] for r in results["workers"] if r["kind"] == kind}
        told.append(f"{name} {seconds[2] / seconds[1]:.2f}")
    size = results["workers"][0]["gigabytes"]
    lines.append(
        f"- Two workers on {size:.0f} GB take this share of one's time: {', '.join(told)}."
    )
    return "\n".join(lines)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a hundredth of the size")
    parser.add_argument("--gigabytes", type=float, default=24.0, help="of the large matrix")
    parser.add_argument("--limit", type=float, default=2.0, help="GB of address space")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--scratch", help="a folder with room for the matrix")
    parser.add_argument("--one", nargs=2, metavar=("FOLDER", "KIND"), help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.one:
        one(Path(args.one[0]), args.one[1], args.limit, args.workers)
        return
    gigabytes = 0.2 if args.quick else args.gigabytes
    n_samples = 200 if args.quick else 2000
    n_features = int(gigabytes * GIGABYTE / 8 / n_samples)
    few_samples, few_features = n_samples // 4, n_features // 16
    shapes = {
        "large": [(n_samples, n_features)],
        "growth": [(few_samples, few_features * k) for k in (1, 2, 4, 8)]
        + [(few_samples * k, few_features) for k in (2, 4, 8)],
        "workers": [(n_samples, n_features // 8)],
    }
    name = "out_of_memory-quick" if args.quick else "out_of_memory"
    results = common.read(name) if common.path_of(name).exists() else {}
    results.pop("environment", None)
    results |= {"limit_gb": args.limit, "tolerance": TOLERANCE, "quick": args.quick}
    for part in args.parts:
        workers = (1, 2) if part == "workers" else (0,)
        results[part] = []
        for shape in shapes[part]:
            results[part] += measured(shape, args.limit, args.scratch, workers)
        print(f"wrote {common.write(name, results).name}")
    if not args.quick and set(PARTS) <= set(results):
        page = DOCUMENT.read_text(encoding="utf-8")
        before, rest = page.split("<!-- measured -->\n")
        after = rest.split("<!-- end of measured -->\n")[1]
        marked = f"<!-- measured -->\n{sentences(results)}\n<!-- end of measured -->\n"
        DOCUMENT.write_text(before + marked + after, encoding="utf-8")


if __name__ == "__main__":
    main()
