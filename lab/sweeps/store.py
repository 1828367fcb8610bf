"""Finished trials on disk, one JSON line each, so that a sweep goes on after a restart.

A family of sweeps has one file in the results folder. A line is appended by a single write, and a
line that was torn by a crash or a full disk is skipped when reading. Results of a visitor's own
data are never written: `may_be_kept` guards every write.
"""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

from lab.sweeps.specs import Spec, Trial, from_dict, may_be_kept

FOLDER_VARIABLE = "EXCLUSIVE_SPARSITY_RESULTS"
COMMITTED = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
COMMITTED_PREFIX = "accuracy-"

_ID = re.compile(r"[0-9a-f]{10}(-[0-9a-f]{6})?")


def results_folder() -> Path:
    """The folder named by EXCLUSIVE_SPARSITY_RESULTS, or one in the user's cache."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    base = Path(cache) if cache else Path.home() / ".cache"
    return base / "exclusive-sparsity" / "sweeps"


class Store:
    """The results folder. Methods may be called from several threads and processes at once."""

    def __init__(self, folder: Path | None = None):
        self.folder = results_folder() if folder is None else Path(folder)
        self._lock = threading.Lock()

    def load(self, spec: Spec) -> dict[Trial, dict]:
        """The finished trials that this spec asks for, each once."""
        wanted = set(spec.trials())
        found: dict[Trial, dict] = {}
        for line in self._lines(spec.family):
            trial = _trial_of(line)
            if trial in wanted:
                found.setdefault(trial, line)
        return found

    def find(self, id: str) -> Spec | None:
        """The spec of a sweep that was started here, by its id."""
        if not _ID.fullmatch(id):
            return None
        for line in self._lines(id.split("-")[0]):
            content = line.get("spec")
            if isinstance(content, dict):
                try:
                    spec = from_dict(content)
                except (ValueError, TypeError, KeyError):
                    continue
                if spec.id == id:
                    return spec
        return None

    def open(self, spec: Spec) -> None:
        """Note that a sweep was started, so that its id alone is enough to find it again."""
        if may_be_kept(spec) and self.find(spec.id) is None:
            self._append(spec, {"spec": spec.as_dict()})

    def add(self, spec: Spec, result: dict) -> None:
        """Append a finished trial."""
        if may_be_kept(spec):
            self._append(spec, result)

    def _append(self, spec: Spec, content: dict) -> None:
        line = (json.dumps(content, ensure_ascii=False) + "\n").encode()
        path = self._path(spec.family)
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

    def _lines(self, family: str):
        try:
            text = self._path(family).read_bytes()
        except OSError:
            return
        for line in text.splitlines():
            try:
                content = json.loads(line)
            except ValueError:
                continue  # torn by a crash; its trial runs again
            if isinstance(content, dict):
                yield content

    def _path(self, family: str) -> Path:
        return self.folder / f"{family}.jsonl"


def committed(spec: Spec, folder: Path = COMMITTED) -> tuple[dict[Trial, dict], dict]:
    """The trials of this spec that come with the product, and the machine they were run on."""
    wanted = set(spec.trials())
    best: tuple[dict[Trial, dict], dict] = ({}, {})
    for path in sorted(folder.glob(f"{COMMITTED_PREFIX}*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            same = content["family"] == spec.family
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if not same:
            continue
        found = {tuple(each["trial"]): each for each in content["trials"]}
        found = {trial: found[trial] for trial in found if trial in wanted}
        if len(found) > len(best[0]):
            best = (found, content.get("environment", {}))
    return best


def _trial_of(line: dict) -> Trial | None:
    trial = line.get("trial")
    return tuple(trial) if isinstance(trial, list) and "accuracy" in line else None


def _is_torn(descriptor: int) -> bool:
    """Whether the file ends in the middle of a line."""
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
