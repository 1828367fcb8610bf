"""What every benchmark shares: the machine it ran on, medians of repeats, and where results go."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).resolve().parent / "results"
_LIST_OF_NUMBERS = re.compile(r"\[\s+([-+.,\w\s]*?)\s+\]")
PACKAGES = ("numpy", "scipy", "scikit-learn", "cvxpy", "clarabel", "osqp", "scs", "streamlit")


def environment() -> dict:
    """The machine and the versions, so that a number can be read years later."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "blas_threads": _blas_threads(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _commit() -> str | None:
    """The commit that is checked out, with a + where files differ from it."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--abbrev=7", "--dirty=+"],
            cwd=RESULTS.parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()


def write(name: str, results: dict, *, compact: bool = False) -> Path:
    """Write results with their environment to benchmarks/results/<name>.json.

    `compact` puts a list of numbers on one line, for files that hold curves.
    """
    RESULTS.mkdir(exist_ok=True)
    path = path_of(name)
    finite = _without_infinities({"environment": environment(), **results})
    text = json.dumps(finite, indent=1, default=_plain, allow_nan=False)
    if compact:
        text = _LIST_OF_NUMBERS.sub(lambda found: "[" + " ".join(found[1].split()) + "]", text)
    # In one piece: a long run writes again and again while others read.
    part = path.with_suffix(".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)
    return path


def read(name: str) -> dict:
    return json.loads(path_of(name).read_text(encoding="utf-8"))


def path_of(name: str) -> Path:
    return RESULTS / f"{name}.json"


def median_seconds(function, repeats: int) -> float:
    """The median wall time of calling a function, after one call to warm up."""
    function()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return float(np.median(times))


def reference_lam(X, y, groups) -> float:
    """λ₀: where the shrinkage along the best single features of all groups is one half."""
    correlations = X.T @ y
    best = np.zeros(groups.n_features)
    for members in groups.lists():
        top = members[int(np.argmax(np.abs(correlations[members])))]
        best[top] = correlations[top]
    fitted = X @ best
    return float(fitted @ fitted / np.sum(groups.sum(np.abs(best)) ** 2))


def _plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _without_infinities(value):
    """JSON has no infinity; a gap or an objective that is not there is null."""
    if isinstance(value, dict):
        return {key: _without_infinities(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_infinities(part) for part in value]
    if isinstance(value, (float, np.floating)) and not np.isfinite(value):
        return None
    return value


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _blas_threads() -> int | None:
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return None
    counts = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max(counts, default=None)
