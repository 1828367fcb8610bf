"""P(balanced) over the number of features."""

from fractions import Fraction

import numpy as np

from lab.balance import over_n, settings, words
from lab.balance.law import Setting
from solvers import grouping
from tests.solvers.test_grouping import convolved_probability


def test_law_over_n_begins_perfect_and_settles():
    found = over_n.over_n(500, 20, 0.5)
    assert found.n.tolist() == [int(text) for text in settings.sizes_from(500)]
    assert found.exact[0] == 1
    for n, p, union in zip(found.n.tolist(), found.exact, found.union, strict=True):
        assert p == grouping.balance_probability(n, 500, 20, 0.5)
        assert union == grouping.union_bound(n, 500, 20, 0.5)
    spread = np.ptp(found.exact[found.n >= 5000])
    assert spread < 0.02
    said = words.over_n_spread(Setting(5040, 500, 0.5), found)
    assert said == (
        f"From n = 5,000 to 1,000,000 the probability of balance changes by {spread:.3f}"
    )
    table = over_n.table(found)
    assert np.isnan(table["theorem bound"]).all() and found.theorem <= 0


def test_the_title_compares_with_the_n_on_show():
    at = Setting(5040, 500, 0.5)
    here, more = (float(convolved_probability(n, 500, 20, Fraction(1, 2))) for n in (5040, 10_000))
    for n, p, ending in (
        (500, 1.0, f"with probability 1 instead of {here:.3f}"),
        (10_000, more, f"with probability {more:.3f} instead of {here:.3f}"),
        (5000, here, f"with probability {here:.3f} either way"),
    ):
        title = words.over_n_title(at, 20, here, n, p)
        opening = f"With n = {n:,} features instead of 5,040, 20 random groups are balanced"
        assert title == f"{opening} {ending}"
    alone = words.over_n_title(at, 1, 1.0, 5040, 1.0)
    assert alone == "With n = 5,040 features 1 random group is balanced with probability 1"


def test_sizes_begin_at_s_and_another_s_takes_the_nearest():
    for s in map(int, settings.TRUE_STEPS):
        sizes = [int(text) for text in settings.sizes_from(s)]
        assert sizes[0] == s and sizes[-1] == settings.MOST_FEATURES
        assert sizes == sorted(set(sizes)) and set(map(str, sizes)) <= set(settings.SIZE_STEPS)
        assert settings.nearest_size(settings.DEFAULTS["instead"], s) == "1000000"
    assert settings.nearest_size("504", 500) == "500"
    assert settings.nearest_size("504", 1000) == "1000"
    assert settings.nearest_size("6400", 504) == "6400"


def test_largest_m_over_n():
    found = over_n.largest_over_n(40, 0.5, 0.9)
    assert list(found) == [80, 400, 1_000_000]
    for n, m in found.items():
        curve = grouping.balance_curve(n, 40, range(1, 41), 0.5)
        assert m == np.flatnonzero(curve >= 0.9)[-1] + 1
