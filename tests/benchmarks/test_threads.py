"""The default number of threads is nearly the best one, beside a busy neighbour too."""

import pytest

from benchmarks.common import read
from benchmarks.threads import CLOCKS, LIMIT, SETTINGS, ratios

ROWS = read("threads")["rows"]


def test_both_cases_are_measured():
    assert [row["busy_cores"] for row in ROWS] == [0, 1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['busy_cores']} busy")
def test_the_default_is_within_the_limit_by_either_clock(row):
    assert row["ratio"] == pytest.approx(ratios({setting: row[setting] for setting in SETTINGS}))
    assert all(row["ratio"][clock] <= LIMIT == 1.5 for clock in CLOCKS)
