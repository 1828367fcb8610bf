"""What all tests of the solvers share: a clock that no machine hurries or delays."""

from types import SimpleNamespace

import pytest

from solvers import tracking
from tests.clocks import ticking


@pytest.fixture(autouse=True)
def counted_time(monkeypatch):
    """Every look at the clock is a tick, so that the same iterates are measured everywhere.

    How often a lane measures depends on what a measurement costs beside a step; on the wall's clock
    a busy machine would choose other iterates, and the best of those is what a method returns.
    """
    monkeypatch.setattr(tracking, "time", SimpleNamespace(perf_counter=ticking()))
