"""A thousand draws, and the law of the fullest over the emptiest, against enumeration."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from lab.balance import draws, settings
from solvers import grouping
from tests.solvers.test_grouping import enumerated_ratio_law, integer_probability


@pytest.mark.parametrize(
    ("hits", "trials"), [(0, 100), (1, 100), (37, 100), (100, 100), (973, 1000)]
)
def test_interval_is_clopper_pearson(hits, trials):
    expected = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
    assert draws.Share(hits, trials).interval == pytest.approx(tuple(expected), abs=1e-12)


def test_draws_are_those_of_the_seed_and_every_true_feature_falls_somewhere():
    first, again, other = (draws.draw(5040, 500, 20, seed) for seed in (3, 3, 4))
    assert np.array_equal(first.largest, again.largest)
    assert (first.largest != other.largest).any()
    counts = grouping.simulate_balance(5040, 500, 20, 1000, np.random.default_rng([3, 20]))
    shown = counts[[int(text) - 1 for text in settings.DRAW_STEPS]]
    assert np.array_equal(first.shown, shown) and (first.shown.sum(axis=1) == 500).all()
    assert not first.thinned


def test_many_groups_are_thinned_from_the_emptiest_to_the_fullest():
    found = draws.draw(5040, 500, 250, 0)
    assert found.thinned and found.shown.shape[1] == draws.MOST_BUCKETS
    drawn = [int(text) - 1 for text in settings.DRAW_STEPS]
    assert np.array_equal(found.shown[:, 0], found.smallest[drawn])
    assert np.array_equal(found.shown[:, -1], found.largest[drawn])
    assert (np.diff(found.shown, axis=1) >= 0).all()


@pytest.mark.parametrize(("n", "s", "m", "t"), [(5040, 112, 24, 0.8), (500, 60, 8, 0.5)])
def test_share_of_balanced_draws_agrees_with_the_exact_law(n, s, m, t):
    share = draws.draw(n, s, m, 0).so_far(1000, t)
    p = float(integer_probability(n, s, m, Fraction(str(t))))
    assert stats.binomtest(share.hits, share.trials, p).pvalue > 1e-3


def test_balance_is_decided_in_integers():
    # R = 1.2/0.8 is 1.4999… in floats, and 3/2 is balanced.
    low, high = np.array([2, 2, 0, 4]), np.array([3, 4, 0, 6])
    found = draws.Draws(9, 5, 2, low, high, np.empty((0, 2)))
    assert found.balanced(0.2).tolist() == [True, False, False, True]
    assert found.so_far(2, 0.2) == draws.Share(1, 2)


def test_bins_hold_the_enumerated_law():
    n, s, m, t = 14, 8, 3, 0.5
    law = enumerated_ratio_law(n, s, m)
    found = draws.ratio_law(draws.draw(n, s, m, 0), t)
    upper = [*found.edges[1:-1], None]
    below = Fraction(0)
    for edge, p in zip(upper, found.law, strict=False):
        inside = [w for r, w in law.items() if r is not None and (edge is None or r <= edge)]
        assert p == pytest.approx(float(sum(inside) - below), abs=1e-12)
        below = sum(inside)
    assert found.law[-1] == pytest.approx(float(law.get(None, 0)), abs=1e-12)


@pytest.mark.parametrize(
    ("n", "s", "m", "t"),
    [
        (5040, 500, 20, 0.5),
        (5040, 500, 20, 0.1),
        (1_000_000, 5000, 20, 0.9),
        (5040, 30, 25, 0.5),
        (20, 20, 4, 0.5),
        (50, 5, 1, 0.5),
        (5040, 5000, 700, 0.9),
    ],
)
def test_bins_part_the_draws_as_the_limit_does(n, s, m, t):
    found = draws.draw(n, s, m, 0)
    law = draws.ratio_law(found, t)
    assert law.law.sum() == pytest.approx(1) and (law.law >= 0).all()
    assert len(law.law) == len(law.edges) <= draws.BINS + 3
    assert ((law.falls >= 0) & (law.falls < len(law.law))).all()
    assert np.array_equal(law.falls < law.bad_from, found.balanced(t))
    if law.limit_shown:
        assert law.edges[law.bad_from] == settings.largest_ratio(t)
        p = grouping.balance_probability(n, s, m, t)
        assert law.law[: law.bad_from].sum() == pytest.approx(p, abs=1e-9)


def test_the_histogram_approaches_the_law():
    found = draws.draw(5040, 500, 20, 1)
    law = draws.ratio_law(found, 0.5)
    seen = np.bincount(law.falls, minlength=len(law.law))
    often = law.law > 0.01
    expected = np.append(law.law[often], law.law[~often].sum()) * 1000
    observed = np.append(seen[often], seen[~often].sum())
    assert stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue > 1e-3


def test_the_table_has_the_draws_so_far():
    found = draws.draw(5040, 500, 20, 0)
    table = draws.table(found, 0.5, 17)
    assert table["draw"].tolist() == list(range(1, 18))
    assert table["balanced"].sum() == found.so_far(17, 0.5).hits
