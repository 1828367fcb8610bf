"""For all tests of pages: a queue of jobs, and what a task of a table finds is computed once."""

import pytest

from lab.own_table import chance, fits, work
from lab.own_table.view import runs
from lab.running import jobs
from tests import queues

_perform, _found = runs._perform, {}


def _perform_once(case, task, strengths):
    """By the identity that the page's own ledger goes by; a function that a test put in the place
    of another is asked."""
    place = (case.table_key, task.kind, task.identity, task.part, repr(strengths))
    key = (*place, work.perform, fits.run, chance.DRAWS)
    if key not in _found:
        _found[key] = _perform(case, task, strengths)
    return _found[key]


@pytest.fixture(autouse=True)
def tasks_of_tables_are_done_once(monkeypatch):
    """Many visits upload the same small table, each with an empty ledger."""
    monkeypatch.setattr(runs, "_perform", _perform_once)


@pytest.fixture
def few_draws(monkeypatch):
    """Labels are shuffled twice, where nobody looks at what that tells: it is half of the work."""
    monkeypatch.setattr(chance, "DRAWS", 2)
    runs._for_everybody.clear()
    yield
    runs._for_everybody.clear()


@pytest.fixture
def own_queue():
    """A queue of jobs that knows of this test alone."""
    yield
    queues.forget_jobs(jobs.shared_queue())
