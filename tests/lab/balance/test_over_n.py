"""P(balanced) over the number of features."""

import numpy as np

from lab.balance import over_n, words
from lab.balance.law import Setting
from solvers import grouping


def test_law_over_n_begins_perfect_and_settles():
    found = over_n.over_n(500, 20, 0.5)
    assert (found.n % 20 == 0).all() and found.n[0] == 500 and found.n[-1] == 1_000_000
    assert found.exact[0] == 1
    for n, p, union in zip(found.n.tolist(), found.exact, found.union, strict=True):
        assert p == grouping.balance_probability(n, 500, 20, 0.5)
        assert union == grouping.union_bound(n, 500, 20, 0.5)
    spread = np.ptp(found.exact[found.n >= 5000])
    assert spread < 0.02
    title = words.over_n_title(Setting(5040, 500, 0.5), 20, found)
    assert f"moves by {spread:.3f}" in title and title.endswith("at n = 500 it is 1")
    table = over_n.table(found)
    assert np.isnan(table["theorem bound"]).all() and found.theorem <= 0


def test_largest_m_over_n():
    found = over_n.largest_over_n(40, 0.5, 0.9)
    assert list(found) == [80, 400, 1_000_000]
    for n, m in found.items():
        curve = grouping.balance_curve(n, 40, range(1, 41), 0.5)
        assert m == np.flatnonzero(curve >= 0.9)[-1] + 1
