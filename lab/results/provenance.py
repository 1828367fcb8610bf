"""Who made a result: the day, the commit, the versions and the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from lab import revision

PACKAGES = ("numpy", "scipy", "scikit-learn", "cvxpy", "clarabel", "osqp", "scs", "streamlit")


def made_here() -> dict:
    """The machine and the versions, so that a number can be read years later."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "blas": _blas(),
        "blas_threads": _blas_threads(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


NOT_RECORDED = "not recorded"


def for_files(made: Mapping[str, Any]) -> dict[str, str]:
    """Who made a result, as texts for a column each; what nobody noted is said to be so."""
    versions = {"Python": made.get("python"), **(made.get("packages") or {})}
    known = {
        "date": made.get("date"),
        "commit": made.get("commit"),
        "processor": made.get("processor"),
        "BLAS": ", ".join(made.get("blas") or ()),
        "versions": ", ".join(f"{name} {version}" for name, version in versions.items() if version),
    }
    return {name: text or NOT_RECORDED for name, text in known.items()}


@lru_cache(maxsize=1)
def _commit() -> str | None:
    """The commit checked out, with a + where files differ; else what the server was told."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--abbrev=7", "--dirty=+"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return revision.commit()
    return told.stdout.strip()


@lru_cache(maxsize=len(PACKAGES))
def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@lru_cache(maxsize=1)
def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _blas_threads() -> int | None:
    return max((pool["num_threads"] for pool in _blas_pools()), default=None)


def _blas() -> list[str]:
    """The BLAS libraries, their versions and the kernels that they chose for this processor."""
    parts = ("internal_api", "version", "architecture")
    return sorted({" ".join(str(pool.get(part, "?")) for part in parts) for pool in _blas_pools()})


def _blas_pools() -> list[dict]:
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return []
    return [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
