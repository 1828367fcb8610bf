"""Where results are: those that come with the source, and those that were made here."""

from __future__ import annotations

import os
from pathlib import Path

OWN_FOLDER_VARIABLE = "EXCLUSIVE_SPARSITY_RESULTS"
SHIPPED_FOLDER_VARIABLE = "EXCLUSIVE_SPARSITY_BENCHMARKS"
_WITH_THE_SOURCE = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


def own_folder() -> Path:
    """The folder named by EXCLUSIVE_SPARSITY_RESULTS, or one in the user's cache."""
    chosen = os.environ.get(OWN_FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    base = Path(cache) if cache else Path.home() / ".cache"
    return base / "exclusive-sparsity" / "sweeps"


def shipped_folder() -> Path:
    """The folder named by EXCLUSIVE_SPARSITY_BENCHMARKS, or the one that comes with the source."""
    chosen = os.environ.get(SHIPPED_FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    return _WITH_THE_SOURCE
