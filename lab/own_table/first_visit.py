"""The analysis that greets, computed once and shipped: a first visit waits for nothing.

    python -m benchmarks.own_table --first-visit      makes the file again

It is an analysis file like those that visitors save, found by the digest of the table and the
identity of each result: what settings have changed is not in it and is computed as for any table.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lab.own_table import analysis_file, setup, work
from lab.own_table.case import Case, make_groupings
from lab.own_table.fits import Outcome, own_key
from lab.own_table.samples import SAMPLES
from lab.own_table.spec import TableSpec
from lab.tables import column_report
from solvers.threads import one_thread

FILE = Path(__file__).with_name("first_visit.json.gz")
SAMPLE = "breast_cancer"


def opening_case() -> Case:
    """The sample and the settings that the page opens with."""
    sample = SAMPLES[SAMPLE]
    table = sample.table()
    features = tuple(each.name for each in column_report(table, sample.label) if each.use)
    spec = TableSpec(label=sample.label, features=features)
    prepared = setup.prepare(table, spec)
    return Case(sample.title, table, spec, prepared, make_groupings(prepared, spec), sample)


def opening_tasks(case: Case) -> list[work.Task]:
    """The comparison with its shuffled labels, and what the groups say."""
    return [
        *work.comparison_tasks(case.spec),
        *work.stability_tasks(case.spec),
        *work.loss_tasks(case.spec, case.grouped.n_groups),
    ]


def computed(case: Case, tasks) -> Iterator[tuple[work.Task, object]]:
    """Each task with what it finds; ours come before those that need our strengths."""
    outcomes: list[Outcome] = []
    with one_thread():
        for task in tasks:
            strengths = work.strengths_of(outcomes, own_key(case.spec))
            found = work.perform(case.prepared, case.spec, case.groupings, task, strengths)
            if isinstance(found, Outcome):
                outcomes.append(found)
            yield task, found


def write(path: Path = FILE) -> None:
    case = opening_case()
    results = tuple(computed(case, opening_tasks(case)))
    found = analysis_file.Analysis(
        case.name, case.table.digest, case.table_key, {}, {}, results=results
    )
    path.write_bytes(gzip.compress(analysis_file.to_bytes(found), 9, mtime=0))


@lru_cache(maxsize=1)
def shipped(path: Path = FILE) -> analysis_file.Analysis | None:
    """What comes with the source; None where it is missing or was made by another version."""
    try:
        return analysis_file.from_bytes(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, analysis_file.AnalysisError):
        return None


def put_into(ledger: work.Ledger, table_key: tuple) -> None:
    found = shipped()
    if found is None or tuple(found.table_key) != tuple(table_key):
        return
    for task, value in found.results:
        ledger.put(table_key, task, value)
