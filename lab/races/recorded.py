"""Races that were run before: kept here so that a link reopens them, or shipped with the source.

A race that ended, by itself or cancelled, is written to the folder of results as one file, named by
its ticket; the oldest files go when there are too many. The paper's races come with the source, as
the benchmark ran them.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.races.crossings import noted
from lab.races.files import document
from lab.races.lanes import Heat, Noted, Runner
from lab.races.panels import PANELS
from lab.races.race import Race
from lab.races.specs import METHODS, RaceSpec, refusal
from lab.races.standings import LEVELS
from lab.results.places import own_folder, shipped_folder
from solvers.result import History, Record, Result

MOST_KEPT = 200
# What is told of the machine and the versions of a race that comes with the source.
MADE = ("date", "commit", "python", "processor", "blas", "blas_threads", "packages")
# What `document` could not write of who has no certificate yet.
_UNKNOWN = MappingProxyType({"objective": np.inf, "bound": -np.inf, "gap": np.inf})
_ID = re.compile(r"[0-9a-f]{12}")


class RecordedRace(Race):
    """A race that has ended, from what was written of it. `made` says when and on what."""

    def __init__(self, spec: RaceSpec, heats: list[Heat], made: dict[str, Any]):
        super().__init__(spec)
        self.heats = heats
        self.made = made

    @property
    def finished(self) -> bool:
        return True


def is_id(text: object) -> bool:
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def keep(race: Race, folder: Path | None = None) -> bool:
    """Write a race that has ended, to be found by its ticket; whether it could be kept."""
    folder = _folder() if folder is None else folder
    written = document(race)
    if not written["runs"]:
        return False
    path = folder / f"{race.ticket}.json.gz"
    part = folder / f"{race.ticket}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(gzip.compress(json.dumps(written, allow_nan=False).encode()))
        part.replace(path)
        _drop_the_oldest(folder)
    except OSError:
        return False
    return True


def find(id: str, folder: Path | None = None) -> RecordedRace | None:
    """The race of that id, if it is still kept here and can be read."""
    if not is_id(id):
        return None
    path = (_folder() if folder is None else folder) / f"{id}.json.gz"
    try:
        race = from_document(json.loads(gzip.decompress(path.read_bytes())))
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None
    race.ticket = id
    return race


def from_document(written: dict) -> RecordedRace:
    """The race that `document` wrote."""
    fields = dict(written["spec"])
    spec = RaceSpec(**{**fields, "methods": tuple(fields["methods"])})
    if refusal(spec) is not None:
        raise ValueError("this race would be refused")
    heats: dict[int, list[Runner]] = {}
    for run in written["runs"]:
        heats.setdefault(run["repeat"], []).append(_runner(run))
    race = RecordedRace(
        spec, [Heat.recorded(heats[number]) for number in sorted(heats)], written.get("made", {})
    )
    race.cancelled, race.trouble = bool(written.get("cancelled")), str(written.get("trouble") or "")
    return race


def shipped(spec: RaceSpec) -> RecordedRace | None:
    """The race of this spec as the benchmark measured it: all its seeds, or some in a row."""
    seeds = range(spec.seed, spec.seed + spec.repeats)
    content = _figure2(shipped_folder() / "figure2.json")
    for key, panel in PANELS.items():
        known = content.get("panels", {}).get(key, {}).get("runs", [])
        measured = {run["seed"]: run for run in known}
        runs = [measured[seed] for seed in seeds if seed in measured]
        if len(runs) < len(seeds):
            continue
        (budget, *others) = {float(run["seconds"]) for run in runs}
        raced = replace(panel.spec, seed=spec.seed, repeats=spec.repeats, budget=budget)
        if not others and _same(raced, spec):
            return _from_panel(spec, runs, content.get("environment", {}))
    return None


def _same(one: RaceSpec, other: RaceSpec) -> bool:
    """Whether two races are one, whatever the order of their lanes."""
    return set(one.methods) == set(other.methods) and replace(one, methods=other.methods) == other


def _from_panel(spec: RaceSpec, runs: list[dict], environment: dict) -> RecordedRace:
    heats = []
    for run in runs:
        lanes = {lane["method"]: lane for lane in run["lanes"].values() if "history" in lane}
        lanes |= {"newton": run["lanes"]["ours"]}
        heat = Heat.recorded([_lane(spec, key, lanes[key]) for key in spec.methods])
        heat.reference = float(run["reference"]["bound"])
        heats.append(heat)
    return RecordedRace(spec, heats, _made(runs[-1], environment))


def _made(run: dict, environment: dict) -> dict[str, Any]:
    """Who made a run: what it says itself, and what the file says of the same day."""
    own = {name: run[name] for name in MADE if run.get(name)}
    same = all(own.get(name) == environment.get(name) for name in ("date", "processor"))
    return {name: environment[name] for name in MADE if same and environment.get(name)} | own


def _lane(spec: RaceSpec, key: str, lane: dict) -> Runner:
    """A lane of the benchmark, whose bounds follow from objective and gap."""
    rows = lane["history"]
    objectives, gaps = np.array(rows["objective"]), np.array(rows["gap"], dtype=float)
    best = np.minimum.accumulate(objectives)
    bounds = best - gaps * np.abs(best)
    # Gaps have three digits, so that an early bound could come out above the last, best one.
    bounds = np.maximum.accumulate(np.minimum(bounds, bounds[-1]))
    nobody_noted = [None] * len(objectives)
    written = {
        "iteration": rows["iteration"],
        "seconds": rows["seconds"],
        "objective": objectives.tolist(),
        "gap": gaps.tolist(),
        "bound": bounds.tolist(),
        "nonzeros": rows.get("nonzeros", nobody_noted),
        "change": rows.get("change", nobody_noted),
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
        },
        _noted(lane),
    )


def _noted(lane: dict) -> Noted:
    """What was noted of a lane while its history had every row."""
    found = {(kind, level): noted(lane, kind, level) for kind in lane["times"] for level in LEVELS}
    return {which: crossing for which, crossing in found.items() if crossing is not None}


def _runner(run: dict, crossings: Noted | None = None) -> Runner:
    history = History()
    columns = [
        [_UNKNOWN.get(name, np.nan) if value is None else value for value in run["history"][name]]
        for name in History.columns
    ]
    for row in zip(*columns, strict=True):
        history.append(Record(*row))
    objective, bound, gap = (
        _UNKNOWN[name] if run[name] is None else float(run[name])
        for name in ("objective", "bound", "gap")
    )
    result = Result(
        w=np.ones(run["nonzeros"]),  # of the weights only their number was written
        intercept=0.0,
        objective=objective,
        bound=bound,
        gap=gap,
        n_iter=run["iterations"],
        seconds=run["seconds"],
        status=run["status"],
        method=run["method"],
        history=history,
    )
    return Runner.recorded(run["method"], run["label"], result, crossings)


def _folder() -> Path:
    return own_folder() / "races"


def _drop_the_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.json.gz"), key=lambda path: path.stat().st_mtime)
    for path in files[: max(0, len(files) - MOST_KEPT)]:
        path.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def _figure2(path: Path) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
