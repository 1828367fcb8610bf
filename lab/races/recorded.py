"""Races that were run before: kept here so that a link reopens them, or shipped with the source.

A race that ended by itself is written to the folder of results as one file, named by a digest of
what was measured; the oldest files go when there are too many. The paper's races come with the
source, as the benchmark ran them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lab.races.files import document
from lab.races.lanes import Heat, Runner
from lab.races.panels import PANELS
from lab.races.race import Race
from lab.races.specs import METHODS, RaceSpec, refusal
from lab.results.places import own_folder, shipped_folder
from solvers.result import History, Record, Result

MOST_KEPT = 200
_ID = re.compile(r"[0-9a-f]{12}")


class RecordedRace(Race):
    """A race that has ended, from what was written of it. `made` says when and on what."""

    trouble = ""

    def __init__(self, spec: RaceSpec, heats: list[Heat], made: dict[str, Any]):
        super().__init__(spec)
        self.heats = heats
        self.made = made

    @property
    def finished(self) -> bool:
        return True


def is_id(text: object) -> bool:
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def identity(written: dict) -> str:
    """A digest of what was raced and measured, whenever and wherever that was."""
    measured = json.dumps({"spec": written["spec"], "runs": written["runs"]}, sort_keys=True)
    return hashlib.sha256(measured.encode()).hexdigest()[:12]


def keep(race: Race, folder: Path | None = None) -> str | None:
    """Write a race that ended by itself, and give its id; None where it cannot be kept."""
    folder = _folder() if folder is None else folder
    written = document(race)
    id = identity(written)
    path = folder / f"{id}.json.gz"
    part = folder / f"{id}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(gzip.compress(json.dumps(written, allow_nan=False).encode()))
        part.replace(path)
        _drop_the_oldest(folder)
    except OSError:
        return None
    return id


def find(id: str, folder: Path | None = None) -> RecordedRace | None:
    """The race of that id, if it is still kept here and can be read."""
    if not is_id(id):
        return None
    path = (_folder() if folder is None else folder) / f"{id}.json.gz"
    try:
        return from_document(json.loads(gzip.decompress(path.read_bytes())))
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None


def from_document(written: dict) -> RecordedRace:
    """The race that `document` wrote."""
    fields = dict(written["spec"])
    spec = RaceSpec(**{**fields, "methods": tuple(fields["methods"])})
    if refusal(spec) is not None:
        raise ValueError("this race would be refused")
    heats: dict[int, list[Runner]] = {}
    for run in written["runs"]:
        heats.setdefault(run["repeat"], []).append(_runner(run))
    return RecordedRace(
        spec, [Heat.recorded(heats[number]) for number in sorted(heats)], written.get("made", {})
    )


def shipped(spec: RaceSpec) -> RecordedRace | None:
    """The race of this spec that comes with the source, as the benchmark measured it."""
    for key, panel in PANELS.items():
        runs = _figure2(shipped_folder() / "figure2.json").get(key, {}).get("runs", [])
        seeds = [run["seed"] for run in runs]
        if not runs or seeds != list(range(seeds[0], seeds[0] + len(seeds))):
            continue
        measured = replace(
            panel.spec, seed=seeds[0], repeats=len(seeds), budget=float(runs[0]["seconds"])
        )
        if _same(measured, spec):
            return _from_panel(spec, runs)
    return None


def _same(one: RaceSpec, other: RaceSpec) -> bool:
    """Whether two races are one, whatever the order of their lanes."""
    return set(one.methods) == set(other.methods) and replace(one, methods=other.methods) == other


def _from_panel(spec: RaceSpec, runs: list[dict]) -> RecordedRace:
    heats = []
    for run in runs:
        lanes = {lane["method"]: lane for lane in run["lanes"].values() if "history" in lane}
        lanes |= {"newton": run["lanes"]["ours"]}
        heat = Heat.recorded([_lane(spec, key, lanes[key]) for key in spec.methods])
        heat.reference = float(run["reference"]["bound"])
        heats.append(heat)
    made = {name: runs[-1].get(name) for name in ("date", "processor", "blas_threads")}
    return RecordedRace(spec, heats, made)


def _lane(spec: RaceSpec, key: str, lane: dict) -> Runner:
    """A lane of the benchmark, whose bounds follow from objective and gap."""
    rows = lane["history"]
    objectives, gaps = np.array(rows["objective"]), np.array(rows["gap"], dtype=float)
    best = np.minimum.accumulate(objectives)
    bounds = best - gaps * np.abs(best)
    # Gaps have three digits, so that an early bound could come out above the last, best one.
    bounds = np.maximum.accumulate(np.minimum(bounds, bounds[-1]))
    written = {
        "iteration": rows["iteration"],
        "seconds": rows["seconds"],
        "objective": objectives.tolist(),
        "gap": gaps.tolist(),
        "bound": bounds.tolist(),
        "nonzeros": [lane["nonzeros"]] * len(objectives),
        "change": rows.get("change", [None] * len(objectives)),
    }
    return _runner(
        {
            "method": key,
            "label": METHODS[spec.problem][key].label,
            "status": lane["status"],
            "objective": lane["objective"],
            "bound": lane["objective"] * (1.0 - lane["gap"]),
            "gap": lane["gap"],
            "iterations": lane["iterations"],
            "seconds": lane["seconds"],
            "nonzeros": lane["nonzeros"],
            "history": written,
        }
    )


def _runner(run: dict) -> Runner:
    history = History()
    columns = [run["history"][name] for name in History.columns]
    for row in zip(*columns, strict=True):
        history.append(Record(*(np.nan if value is None else value for value in row)))
    result = Result(
        w=np.ones(run["nonzeros"]),  # of the weights only their number was written
        intercept=0.0,
        objective=_number(run["objective"]),
        bound=_number(run["bound"]),
        gap=_number(run["gap"]),
        n_iter=run["iterations"],
        seconds=run["seconds"],
        status=run["status"],
        method=run["method"],
        history=history,
    )
    return Runner.recorded(run["method"], run["label"], result)


def _number(value: float | None) -> float:
    return np.inf if value is None else float(value)


def _folder() -> Path:
    return own_folder() / "races"


def _drop_the_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.json.gz"), key=lambda path: path.stat().st_mtime)
    for path in files[: max(0, len(files) - MOST_KEPT)]:
        path.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def _figure2(path: Path) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))["panels"]
    except (OSError, ValueError, KeyError):
        return {}
