"""What every benchmark shares: the machine it ran on, medians of repeats, and where results go."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import numpy as np

from lab.results import made_here, shipped_folder

RESULTS = shipped_folder()
_LIST_OF_NUMBERS = re.compile(r"\[\s+([-+.,\w\s]*?)\s+\]")


def write(name: str, results: dict, *, compact: bool = False) -> Path:
    """Write results with their environment to benchmarks/results/<name>.json.

    `compact` puts a list of numbers on one line, for files that hold curves.
    """
    RESULTS.mkdir(exist_ok=True)
    path = path_of(name)
    finite = _without_infinities({"environment": made_here(), **results})
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
