"""An analysis as one file: controls, choices, digest, results, model, and the data if wanted.

JSON with arrays as base64 of NumPy's own format: it is read entry by entry and never run. Results
are kept under the digest of the table they are of, so that a file without data becomes whole again
when the same table is uploaded.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from lab.own_table.fits import Outcome
from lab.own_table.strengths import Choice
from lab.own_table.work import Task

FORMAT = "exclusive-sparsity analysis"
VERSION = 1
MOST_UNPACKED = 200 * 10**6


class AnalysisError(ValueError):
    """Why a file is no analysis, in one sentence."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """`controls` are the page's, by name; `choices` what was said about the file (label, columns).

    `results` are tasks with what they found, `table_key` what they are of. `data` are the bytes of
    the table, None where they were left out; `files` those of groups and weights, by their slot.
    """

    name: str
    digest: str
    table_key: tuple[str, str]
    controls: Mapping[str, Any]
    choices: Mapping[str, Any]
    results: tuple[tuple[Task, Any], ...] = ()
    model: str = ""
    data: bytes | None = None
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


def to_bytes(analysis: Analysis) -> bytes:
    content = {
        "format": FORMAT,
        "version": VERSION,
        "name": analysis.name,
        "digest": analysis.digest,
        "table": list(analysis.table_key),
        "controls": dict(analysis.controls),
        "choices": dict(analysis.choices),
        "results": [
            [[task.kind, task.identity, task.part, task.key, task.cost], _encoded(value)]
            for task, value in analysis.results
        ],
        "model": analysis.model,
        "about": dict(analysis.about),
        "data": None if analysis.data is None else _packed(analysis.data),
        "files": {slot: [name, _packed(data)] for slot, (name, data) in analysis.files.items()},
    }
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def from_bytes(data: bytes) -> Analysis:
    """The analysis in a file; `AnalysisError` if there is none."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise AnalysisError("This file is no analysis: it is no JSON text.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise AnalysisError("This file is no analysis of this software.")
    if content.get("version") != VERSION:
        raise AnalysisError(
            f"The analysis is of version {content.get('version')!r}, and this software reads "
            f"version {VERSION}: update it, or save the analysis again."
        )
    try:
        return Analysis(
            str(content["name"]),
            str(content["digest"]),
            tuple(map(str, content["table"])),
            dict(content["controls"]),
            {name: _as_told(value) for name, value in dict(content["choices"]).items()},
            tuple((_task(task), _decoded(value)) for task, value in content["results"]),
            str(content["model"]),
            None if content["data"] is None else _unpacked(content["data"]),
            {
                str(slot): (str(name), _unpacked(data))
                for slot, (name, data) in content.get("files", {}).items()
            },
            dict(content.get("about", {})),
        )
    except AnalysisError:
        raise
    except (KeyError, TypeError, ValueError, OSError, EOFError) as error:
        raise AnalysisError(f"The analysis file is damaged ({type(error).__name__}).") from None


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _unpacked(text: str) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(base64.b64decode(text))) as file:
        data = file.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        raise AnalysisError("The table in the analysis is larger than this software reads.")
    return data


def _task(parts) -> Task:
    kind, identity, part, key, cost = parts
    return Task(
        str(kind), str(identity), None if part is None else int(part), str(key), float(cost)
    )


def _as_told(value):
    return tuple(value) if isinstance(value, list) else value


def _encoded(value):
    if isinstance(value, np.ndarray):
        out = io.BytesIO()
        np.save(out, value, allow_pickle=False)
        return {"array": base64.b64encode(out.getvalue()).decode()}
    if isinstance(value, (Outcome, Choice)):
        kind = "outcome" if isinstance(value, Outcome) else "choice"
        return {kind: {each.name: _encoded(getattr(value, each.name)) for each in fields(value)}}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {"mapping": {str(name): _encoded(item) for name, item in value.items()}}
    if isinstance(value, (list, tuple)):
        return {"list": [_encoded(item) for item in value]}
    return value


def _decoded(value):
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    if kind == "array":
        return np.load(io.BytesIO(base64.b64decode(inside)), allow_pickle=False)
    if kind == "outcome":
        return Outcome(**{name: _decoded(item) for name, item in inside.items()})
    if kind == "choice":
        parts = {name: _decoded(item) for name, item in inside.items()}
        return Choice(**{**parts, "points": tuple(parts["points"])})
    if kind == "mapping":
        return {name: _decoded(item) for name, item in inside.items()}
    if kind == "list":
        return [_decoded(item) for item in inside]
    raise AnalysisError("The analysis file is damaged: it holds what this software does not write.")
