"""The accuracy that is promised for the exact law: 1e-10 at n ≤ 10⁴, 1e-8 at 10⁶, relative.

The references are exact integers: no logarithm, no rounding, however small the probability.
"""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import grouping
from tests.solvers.test_grouping import integer_probability, relative_error


def promised(n):
    return 1e-10 if n <= 10_000 else 1e-8


def two_group_ways(n, s):
    """C(a, k)·C(n−a, s−k) for k = 0 … s, the sizes of two groups being a and n−a."""
    a, b = n - n // 2, n // 2
    first = max(0, s - b)
    ways = [comb(a, first) * comb(b, s - first)]
    for k in range(first, min(a, s)):
        ways.append(ways[-1] * (a - k) * (s - k) // ((k + 1) * (b - s + k + 1)))
    return dict(enumerate(ways, start=first))


@pytest.mark.parametrize("t", ["1/100", "1/20", "1/2", "9/10"])
@pytest.mark.parametrize(
    ("n", "s"), [(10_000, 5000), (9_999, 9_000), (10_000, 301), (1_000_000, 5000), (999_999, 4001)]
)
def test_two_groups_with_thousands_of_true_features(n, s, t):
    t = Fraction(t)
    ways = two_group_ways(n, s)
    assert sum(ways.values()) == comb(n, s)
    balanced = sum(
        w
        for k, w in ways.items()
        if min(k, s - k) > 0 and max(k, s - k) * (1 - t) <= min(k, s - k) * (1 + t)
    )
    found = grouping.balance_probability(n, s, 2, t)
    assert relative_error(found, Fraction(balanced, comb(n, s))) < promised(n)


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(st.integers(5000, 10_000), st.integers(500_000, 1_000_000)),
    st.data(),
    st.fractions(min_value=Fraction(1, 20), max_value=Fraction(19, 20), max_denominator=20),
)
def test_many_features_anywhere(n, data, t):
    s = data.draw(st.integers(2, 40))
    m = data.draw(st.integers(2, s))
    expected = integer_probability(n, s, m, t)
    found = grouping.balance_probability(n, s, m, t)
    if expected > Fraction(1, 10**300):
        assert relative_error(found, expected) < promised(n)
    elif not expected:
        assert found == 0


@pytest.mark.parametrize(
    ("n", "s", "m", "t"),
    [
        (10_000, 400, 200, "1/2"),  # about 1e-60
        (9_973, 300, 60, "1/3"),
        (999_983, 250, 90, "1/2"),
        (1_000_000, 120, 120, "1/2"),
    ],
)
def test_unlikely_and_uneven_splits(n, s, m, t):
    t = Fraction(t)
    expected = integer_probability(n, s, m, t)
    assert 0 < expected < 1
    assert relative_error(grouping.balance_probability(n, s, m, t), expected) < promised(n)


@pytest.mark.parametrize(("n", "s"), [(10_000, 300), (1_000_000, 1000)])
def test_law_of_the_ratio(n, s):
    ways = two_group_ways(n, s)
    ratios = [Fraction(s - k, k) for k in (s // 2, s // 2 - 5, s // 2 - 40, s // 3, 1)]
    found = grouping.ratio_cdf(n, s, 2, ratios)
    for ratio, p in zip(ratios, found, strict=True):
        inside = sum(
            w
            for k, w in ways.items()
            if min(k, s - k) > 0 and max(k, s - k) <= ratio * min(k, s - k)
        )
        assert relative_error(float(p), Fraction(inside, comb(n, s))) < promised(n)
