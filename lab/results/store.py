"""Finished trials on disk, one JSON line each, so that a sweep goes on after a restart.

A family of sweeps has one file in a folder. A line holds a spec that was asked for, who made what
follows (`made`, known by `by`), or a trial with the `by` of its maker. A line is appended by a
single write, and one that was torn by a crash or a full disk is skipped when reading. Results of a
visitor's own data are never written: `may_be_kept` guards every write.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lab.results.identity import Spec, Trial, digest
from lab.results.places import own_folder, shipped_folder
from lab.results.provenance import made_here
from lab.words import listed

_ID = re.compile(r"[0-9a-f]{10}(-[0-9a-f]{6})?")


class Store:
    """A folder of results. Methods may be called from several threads and processes at once."""

    def __init__(self, folder: Path | str | None = None):
        self.folder = own_folder() if folder is None else Path(folder)
        self._lock = threading.Lock()
        self._told: set[tuple[str, str]] = set()  # families and makers known to be in the file

    def load(self, spec: Spec) -> dict[Trial, dict]:
        """The finished trials that this spec asks for, each once, and under `made` by whom."""
        path, changed, size = self.stamp(spec)
        try:
            return dict(_loaded(path, changed, size, spec)) if size else {}
        except OSError:
            return {}

    def stamp(self, spec: Spec) -> tuple[Path, int, int]:
        """What changes whenever results of the spec's family come: their file, its time and size"""
        path = self._path(spec.family)
        try:
            seen = os.stat(path)
        except OSError:
            return path, 0, 0
        return path, seen.st_mtime_ns, seen.st_size

    def specs(self, id: str) -> Iterator[dict[str, Any]]:
        """The contents of specs that were asked for, among them that with this id, if any."""
        if _ID.fullmatch(id):
            for line in self._lines(id.split("-")[0]):
                if isinstance(line.get("spec"), dict):
                    yield line["spec"]

    def open(self, spec: Spec) -> None:
        """Note that a sweep was started, so that its id alone is enough to find it again."""
        content = spec.as_dict()
        if spec.may_be_kept and content not in self.specs(spec.id):
            self._append(spec.family, {"spec": content})

    def add(self, spec: Spec, result: Mapping[str, Any], made: Mapping | None = None) -> None:
        """Append a finished trial, and who made it: this machine, now, unless told otherwise."""
        if not spec.may_be_kept:
            return
        made = dict(made_here() if made is None else made)
        by = digest(made, 8)
        if (spec.family, by) not in self._told:
            if all(line.get("by") != by or "made" not in line for line in self._lines(spec.family)):
                self._append(spec.family, {"by": by, "made": made})
            self._told.add((spec.family, by))
        content = {key: value for key, value in result.items() if key != "made"}
        self._append(spec.family, {**content, "by": by})

    def _append(self, family: str, content: dict) -> None:
        line = (json.dumps(content, ensure_ascii=False) + "\n").encode()
        path = self._path(family)
        try:
            with self._lock:
                self.folder.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
                try:
                    if _is_torn(descriptor):
                        line = b"\n" + line
                    written = os.write(descriptor, line)
                finally:
                    os.close(descriptor)
            if written < len(line):
                raise OSError("only a part could be written")
        except OSError as error:
            raise OSError(
                f"Results can no longer be kept on disk ({error.strerror or error}); the sweep "
                "goes on, but will not survive a restart."
            ) from error

    def _lines(self, family: str) -> tuple[dict, ...]:
        try:
            seen = os.stat(self._path(family))
            return _parsed(self._path(family), seen.st_mtime_ns, seen.st_size)
        except OSError:
            return ()

    def _path(self, family: str) -> Path:
        return self.folder / f"{family}.jsonl"


# A page asks for the same again at every move of a slider: a file is read once as long as it stays
# as it is. Nobody changes what these give.


@lru_cache(maxsize=128)
def _loaded(path: Path, changed: int, size: int, spec: Spec) -> dict[Trial, dict]:
    wanted = set(spec.trials())
    found: dict[Trial, dict] = {}
    makers: dict[str, dict] = {}
    for line in _parsed(path, changed, size):
        if isinstance(line.get("made"), dict):
            makers[line["by"]] = line["made"]
        trial = _trial_of(line)
        if trial in wanted and trial not in found:
            result = {key: value for key, value in line.items() if key != "by"}
            found[trial] = {**result, "made": makers.get(line.get("by", ""), {})}
    return found


@lru_cache(maxsize=64)
def _parsed(path: Path, changed: int, size: int) -> tuple[dict, ...]:
    """The lines of a file as it is now."""
    lines = []
    for line in path.read_bytes().splitlines():
        try:
            content = json.loads(line)
        except ValueError:
            continue  # torn by a crash; its trial runs again
        if isinstance(content, dict):
            lines.append(content)
    return tuple(lines)


def shipped(folder: Path | None = None) -> Store:
    """The results that come with the product."""
    return Store((shipped_folder() if folder is None else folder) / "trials")


def complete(spec: Spec, *sources: Mapping[Trial, dict]) -> dict[Trial, dict]:
    """All that is known of a spec's trials, the earlier source first where several have one.

    A trial is a function of its spec, so it does not matter who ran it; and few results that are
    newer never hide more that are older.
    """
    known = {trial: row for source in reversed(sources) for trial, row in source.items()}
    return {trial: known[trial] for trial in spec.trials() if trial in known}


def latest(makers: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Who made the latest of some results."""
    return max(makers, key=lambda made: made.get("date") or "")


def when_made(results: Mapping[Trial, dict]) -> str:
    """The days on which results were made, in words; empty where nobody noted them."""
    days = sorted({row["made"]["date"] for row in results.values() if row.get("made")})
    return "" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def where_made(results: Mapping[Trial, dict]) -> str:
    """The processors on which results were made, in words; empty where nobody noted them."""
    makers = (row["made"].get("processor") for row in results.values() if row.get("made"))
    return listed(sorted({name for name in makers if name}))


def _trial_of(line: dict) -> Trial | None:
    trial = line.get("trial")
    return tuple(trial) if isinstance(trial, list) and "accuracy" in line else None


def _is_torn(descriptor: int) -> bool:
    """Whether the file ends in the middle of a line."""
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
