"""What all tests of the solvers share: a clock that no machine hurries or delays."""

from types import SimpleNamespace

import pytest

from solvers import tracking
from tests.clocks import Counted

# About what a measurement costs beside a step, on the problems of the tests.
TICKS_TO_MEASURE = 6


@pytest.fixture(autouse=True)
def counted_time(monkeypatch):
    """A step takes one tick and a measurement a few, so that the same iterates are measured
    everywhere.

    By the wall's clock a busy machine would choose others, and the best of those that were measured
    is what a slow method returns.
    """
    clock, keep = Counted(), tracking.Lane._keep

    def measure(lane, candidate):
        clock.works(TICKS_TO_MEASURE)
        keep(lane, candidate)

    monkeypatch.setattr(tracking.Lane, "_keep", measure)
    monkeypatch.setattr(tracking, "time", SimpleNamespace(perf_counter=clock))
