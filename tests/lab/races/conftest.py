"""For all tests of races: solver time is counted in looks at the clock, the same everywhere."""

import pytest

from tests.clocks import Counted


@pytest.fixture(scope="package", autouse=True)
def counted_time():
    """By the processor's time a slow one would use its budget up before it is certified."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lab.races.race.solver_clock", Counted)
        yield
