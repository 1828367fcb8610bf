"""Random grouping against enumeration, exact integers, scipy.stats and simulation."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from solvers import grouping
from solvers.balance import law, saddle

# ---------------------------------------------------------------- slow, obviously right twins


def group_sizes(n, m):
    size, extra = divmod(n, m)
    return [size + 1] * extra + [size] * (m - extra)


def enumerated_ratio_law(n, s, m):
    """{max/min: probability} over every allocation of s true features; None if a group is empty."""
    sizes = group_sizes(n, m)
    law = Counter()
    for head in product(*(range(min(size, s) + 1) for size in sizes[:-1])):
        last = s - sum(head)
        if 0 <= last <= sizes[-1]:
            counts = (*head, last)
            ways = math.prod(comb(size, k) for size, k in zip(sizes, counts, strict=True))
            ratio = Fraction(max(counts), min(counts)) if min(counts) else None
            law[ratio] += Fraction(ways, comb(n, s))
    return law


def enumerated_probability(n, s, m, t):
    ratio = (1 + t) / (1 - t)
    law = enumerated_ratio_law(n, s, m)
    return sum(p for r, p in law.items() if r is not None and r <= ratio)


def exact_window_ways(n, s, m, low, high):
    """[z^s] Π_j Σ_{k=low}^{high} C(|g_j|, k) z^k in exact integers (Kronecker substitution)."""
    total = s - m * low
    if total < 0 or low > high:
        return 0
    bits = comb(n, min(s, n // 2)).bit_length() + 8
    mask = (1 << bits * (total + 1)) - 1

    def power_of_class(size, exponent):
        base = 0
        for k in range(min(high, size), low - 1, -1):
            base = (base << bits) | comb(size, k)
        result = 1
        while exponent:
            if exponent & 1:
                result = result * base & mask
            exponent >>= 1
            if exponent:
                base = base * base & mask
        return result

    size, extra = divmod(n, m)
    value = power_of_class(size, m - extra) * power_of_class(size + 1, extra)
    return value >> bits * total & (1 << bits) - 1


def integer_probability(n, s, m, t):
    ratio = (1 + t) / (1 - t)
    ways = 0
    for low in range(1, s // m + 1):
        high = ratio.numerator * low // ratio.denominator
        if m * high >= s:
            ways += exact_window_ways(n, s, m, low, high)
            ways -= exact_window_ways(n, s, m, low + 1, high)
    return Fraction(ways, comb(n, s))


def convolved_probability(n, s, m, t):
    """The same law by plain convolutions in extended precision, for s that integers are slow at."""
    ratio = (1 + t) / (1 - t)
    p = np.longdouble(s) / n
    size, extra = divmod(n, m)

    def log_binomial(size, upto):
        k = np.arange(upto)
        steps = np.log((size - k) * p / ((k + 1) * (1 - p)))
        return size * np.log1p(-p) + np.concatenate([[np.longdouble(0)], np.cumsum(steps)])

    def power(base, exponent, degree):
        result = np.ones(1, np.longdouble)
        while exponent:
            if exponent & 1:
                result = np.convolve(result, base)[: degree + 1]
            exponent >>= 1
            if exponent:
                base = np.convolve(base, base)[: degree + 1]
        return result

    classes = [(np.exp(log_binomial(size, min(size, s))), m - extra)]
    if extra:
        classes.append((np.exp(log_binomial(size + 1, min(size + 1, s))), extra))

    def window(low, high):
        total = s - m * low
        if total < 0:
            return np.longdouble(0)
        value = np.ones(1, np.longdouble)
        for pmf, number in classes:
            value = np.convolve(value, power(pmf[low : high + 1], number, total))[: total + 1]
        return value[total] if len(value) > total else np.longdouble(0)

    probability = np.longdouble(0)
    for low in range(1, s // m + 1):
        high = ratio.numerator * low // ratio.denominator
        if m * high >= s:
            probability += window(low, high) - window(low + 1, high)
    return probability / np.exp(log_binomial(n, s)[s])


def relative_error(value, exact):
    return abs(Fraction(value) - exact) / exact


thresholds = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(19, 20), max_denominator=20)


@st.composite
def small_cases(draw, most_features=14, most_groups=4):
    n = draw(st.integers(1, most_features))
    s = draw(st.integers(1, n))
    m = draw(st.integers(1, min(s, most_groups)))
    return n, s, m


# ---------------------------------------------------------------- exact law


@settings(max_examples=100, deadline=None)
@given(small_cases(), thresholds)
def test_exact_law_is_the_enumerated_one(case, t):
    expected = enumerated_probability(*case, t)
    found = grouping.balance_probability(*case, t)
    if expected:
        assert relative_error(found, expected) < 1e-12
    else:
        assert found == 0


@pytest.mark.parametrize(
    ("n", "s", "m", "t"),
    [
        (100, 10, 2, "1/5"),
        (61, 59, 4, "1/5"),
        (200, 50, 25, "1/2"),
        (997, 100, 33, "2/5"),
        (997, 900, 13, "1/20"),
        (1000, 60, 24, "1/2"),
        (3000, 200, 50, "1/5"),
        (5040, 112, 24, "1/2"),
        (10_000, 200, 100, "1/2"),
        (10_003, 5000, 9, "1/200"),
        (10_000, 100, 2, "1/100"),
        (1_000_000, 200, 10, "1/10"),
        (1_000_000, 300, 7, "1/50"),
        (1_000_007, 400, 130, "1/2"),
    ],
)
def test_exact_law_against_exact_integers_however_small_it_is(n, s, m, t):
    t = Fraction(t)
    error = relative_error(
        grouping.balance_probability(n, s, m, t), integer_probability(n, s, m, t)
    )
    assert error < 1e-10


@settings(max_examples=60, deadline=None)
@given(st.data(), thresholds)
def test_exact_law_against_exact_integers_anywhere(data, t):
    n = data.draw(st.integers(2, 400))
    s = data.draw(st.integers(1, min(n, 60)))
    m = data.draw(st.integers(1, s))
    expected = integer_probability(n, s, m, t)
    found = grouping.balance_probability(n, s, m, t)
    if expected > 0:
        assert relative_error(found, expected) < 1e-10
    else:
        assert found == 0


@pytest.mark.parametrize(
    ("n", "s", "m", "t"),
    [
        (5040, 500, 20, "1/2"),
        (10_000, 5000, 1000, "1/2"),
        (9_999, 2000, 400, "3/5"),
        (1_000_000, 5000, 1000, "1/2"),
        (1_000_000, 2000, 150, "1/2"),
    ],
)
def test_exact_law_against_convolutions_at_large_s(n, s, m, t):
    t = Fraction(t)
    assert grouping.balance_probability(n, s, m, t) == pytest.approx(
        float(convolved_probability(n, s, m, t)), rel=1e-10, abs=0
    )


@pytest.mark.parametrize("t", ["1/100", "1/20", "1/2", "99/100"])
@pytest.mark.parametrize(("n", "s"), [(10_000, 5000), (1_000_001, 5000), (1_000_000, 50_000)])
def test_two_groups_are_one_hypergeometric_count(n, s, t):
    t = Fraction(t)
    ratio = (1 + t) / (1 - t)
    k = np.arange(1, s)
    low, high = np.minimum(k, s - k), np.maximum(k, s - k)
    balanced = high * ratio.denominator <= low * ratio.numerator
    # Weights from exact integer ratios of neighbours, normalised: no log-gamma anywhere.
    steps = np.log((n // 2 - k + 1) * (s - k + 1.0)) - np.log(k * (n - n // 2 - s + k + 0.0))
    log_pmf = np.cumsum(steps)
    pmf = np.exp(log_pmf - log_pmf.max())
    expected = pmf[balanced].sum() / pmf.sum()
    assert grouping.balance_probability(n, s, 2, t) == pytest.approx(expected, rel=1e-9)
    reference = stats.hypergeom(n, s, n // 2).pmf(k)[balanced].sum()
    assert grouping.balance_probability(n, s, 2, t) == pytest.approx(reference, rel=1e-8)


@pytest.mark.parametrize("t", ["1/100", "1/8", "1/2", "9/10"])
@pytest.mark.parametrize("n", [2000, 1_000_000])
def test_three_groups_are_two_nested_hypergeometric_counts(n, t):
    t = Fraction(t)
    ratio = (1 + t) / (1 - t)
    s = 400
    first_size, second_size, third_size = group_sizes(n, 3)
    first = np.arange(s + 1)[:, None]
    second = np.arange(s + 1)[None, :]
    third = s - first - second
    ways = [stats.hypergeom(n, s, first_size).logpmf(first)]
    ways.append(stats.hypergeom(second_size + third_size, s - first, second_size).logpmf(second))
    low = np.minimum(np.minimum(first, second), third)
    high = np.maximum(np.maximum(first, second), third)
    balanced = (low > 0) & (high * ratio.denominator <= low * ratio.numerator)
    expected = np.exp(sum(ways))[balanced].sum()
    assert grouping.balance_probability(n, s, 3, t) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    ("n", "s", "m", "t", "expected"),
    [
        (5040, 500, 20, 0.5, "0.9813"),
        (100, 10, 2, 0.2, "0.6822"),
        (5040, 112, 24, 0.5, "0.006689"),
        (5040, 504, 81, 0.5, "8.12e-06"),
        (5040, 112, 24, 0.8, "0.6101"),
        (5040, 504, 81, 0.8, "0.4002"),
    ],
)
def test_published_settings(n, s, m, t, expected):
    digits = len(expected.split("e")[0].lstrip("0.").replace(".", ""))
    assert f"{grouping.balance_probability(n, s, m, t):.{digits}g}" == expected


def test_threshold_is_the_fraction_that_was_meant():
    # With t = p/q and s = 2q, counts q ± p sit exactly on the limit: rounding R would lose them.
    for q in range(2, 13):
        for p in range(1, q):
            t = Fraction(p, q)
            meant = grouping.balance_probability(20 * q, 2 * q, 2, t)
            assert grouping.balance_probability(20 * q, 2 * q, 2, p / q) == meant
            assert grouping.balance_probability(20 * q, 2 * q, 2, np.float64(p / q)) == meant
            by_ratio = grouping.ratio_cdf(20 * q, 2 * q, 2, (q + p) / (q - p)).item()
            assert by_ratio == pytest.approx(meant, rel=1e-14)


@pytest.mark.parametrize(("s", "m", "t"), [(60, 24, "1/2"), (200, 5, "1/4"), (200, 12, "9/10")])
def test_a_first_guess_that_cuts_too_much_is_revised(monkeypatch, s, m, t):
    t = Fraction(t)
    monkeypatch.setattr(law, "_FIRST_LOG_FLOOR", math.log(0.5))
    found = grouping.balance_probability(1000, s, m, t)
    assert relative_error(found, integer_probability(1000, s, m, t)) < 1e-10


@pytest.mark.parametrize(("n", "s"), [(1, 1), (50, 1), (50, 20), (50, 50)])
def test_one_group_is_always_balanced(n, s):
    assert grouping.balance_probability(n, s, 1, 0.01) == 1
    assert grouping.union_bound(n, s, 1, 0.01) == 1


@pytest.mark.parametrize(("n", "m"), [(30, 7), (200, 50), (201, 49), (1_000_003, 60)])
def test_as_many_groups_as_true_features_means_one_each(n, m):
    expected = Fraction(math.prod(group_sizes(n, m)), comb(n, m))
    assert relative_error(grouping.balance_probability(n, m, m, 0.5), expected) < 1e-10


def test_every_feature_true_leaves_only_the_group_sizes():
    assert grouping.balance_probability(12, 12, 4, 0.01) == 1
    assert grouping.balance_probability(13, 13, 4, 0.15) == 1  # sizes 3 and 4, R = 23/17
    assert grouping.balance_probability(13, 13, 4, 0.14) == 0  # R = 57/43 < 4/3
    assert grouping.balance_probability(5040, 5040, 5040, 0.1) == 1


def test_probabilities_below_the_smallest_float_are_zero():
    assert grouping.balance_probability(1_000_000, 5000, 5000, 0.5) == 0
    assert grouping.balance_probability(1_000_000, 5000, 2500, 0.8) == pytest.approx(
        float(convolved_probability(1_000_000, 5000, 2500, Fraction(4, 5))), rel=1e-9, abs=0
    )


def test_curve_is_the_probability_at_each_m():
    ms = [1, 2, 3, 20, 60]
    expected = [grouping.balance_probability(5040, 120, m, 0.5) for m in ms]
    np.testing.assert_array_equal(grouping.balance_curve(5040, 120, ms, 0.5), expected)


@pytest.mark.parametrize(
    ("m", "t"), [(2, 0.5), (3, 0.9), (20, 0.5), (138, 0.5), (200, 0.1), (1000, 0.5)]
)
def test_interactive_at_the_largest_problem(m, t, monkeypatch):
    """Counted in numbers multiplied, not in seconds: one plain convolution takes s² = 2.5e7."""
    multiplied = 0

    def counting(left, right, unit):
        nonlocal multiplied
        multiplied += left[0].size
        return times(left, right, unit)

    times = saddle._times
    monkeypatch.setattr(saddle, "_times", counting)
    grouping.balance_probability(1_000_000, 5000, m, t)
    assert 0 < multiplied < 1_000_000


# ---------------------------------------------------------------- law of the ratio


@settings(max_examples=60, deadline=None)
@given(small_cases())
def test_ratio_cdf_is_the_enumerated_one(case):
    law = enumerated_ratio_law(*case)
    atoms = sorted(r for r in law if r is not None)
    assume(atoms)
    just_below = [r - Fraction(1, 10**6) for r in atoms]
    found = grouping.ratio_cdf(*case, [*atoms, *just_below, math.inf])
    at_atoms = np.cumsum([float(law[r]) for r in atoms])
    expected = [*at_atoms, 0.0, *at_atoms[:-1], at_atoms[-1]]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=0)


def test_ratio_cdf_on_a_grid():
    grid = np.linspace(1, 6, 51).reshape(3, 17)
    found = grouping.ratio_cdf(5040, 300, 20, grid)
    assert found.shape == grid.shape
    assert (np.diff(found.ravel()) >= 0).all()
    one_by_one = [[grouping.ratio_cdf(5040, 300, 20, r).item() for r in row] for row in grid]
    np.testing.assert_allclose(found, one_by_one, rtol=1e-12)
    assert grouping.ratio_cdf(5040, 300, 20, 3.0) == pytest.approx(
        grouping.balance_probability(5040, 300, 20, 0.5), rel=1e-13
    )
    assert grouping.ratio_cdf(5040, 300, 20, 0.99) == 0


def test_ratio_cdf_at_infinity_is_the_probability_of_no_empty_group():
    n, s, m = 240, 40, 12
    size = n // m
    # Inclusion-exclusion over the set of empty groups, in exact integers.
    ways = sum((-1) ** j * comb(m, j) * comb(n - j * size, s) for j in range(m + 1))
    found = grouping.ratio_cdf(n, s, m, math.inf).item()
    assert relative_error(found, Fraction(ways, comb(n, s))) < 1e-12


# ---------------------------------------------------------------- draws


@pytest.mark.parametrize(
    ("n", "s", "m", "t"), [(100, 10, 2, "1/5"), (5040, 112, 12, "1/2"), (1003, 400, 30, "2/5")]
)
def test_simulation_agrees_with_the_exact_law(n, s, m, t):
    trials = 40_000
    t = Fraction(t)
    counts = grouping.simulate_balance(n, s, m, trials, random_state=7)
    assert counts.shape == (trials, m)
    assert (counts.sum(axis=1) == s).all()
    low, high = counts.min(axis=1), counts.max(axis=1)
    ratio = (1 + t) / (1 - t)
    hits = ((low > 0) & (high * ratio.denominator <= low * ratio.numerator)).sum()
    p = grouping.balance_probability(n, s, m, t)
    assert stats.binomtest(int(hits), trials, p).pvalue > 1e-4


def test_simulated_counts_follow_the_labels():
    n, s, m, trials = 11, 5, 3, 6000
    rng = np.random.default_rng(3)
    from_labels = Counter()
    for _ in range(trials):
        labels = grouping.random_labels(n, m, rng)
        from_labels[tuple(np.bincount(labels[:s], minlength=m))] += 1
    simulated = Counter(map(tuple, grouping.simulate_balance(n, s, m, trials, rng).tolist()))
    cells = sorted(set(from_labels) | set(simulated))
    table = np.array([[law[c] for c in cells] for law in (from_labels, simulated)])
    table = table[:, table.sum(axis=0) >= 20]
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_labels_are_uniform_over_all_splits():
    n, m, trials = 5, 2, 20_000
    rng = np.random.default_rng(0)
    seen = Counter(tuple(grouping.random_labels(n, m, rng).tolist()) for _ in range(trials))
    # Labelled splits of 5 into sizes {2, 3}: 10 with the larger group first, 10 with it second.
    assert len(seen) == 20
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_labels_make_groups_of_nearly_equal_size(data):
    n = data.draw(st.integers(1, 300))
    m = data.draw(st.integers(1, n))
    labels = grouping.random_labels(n, m, data.draw(st.integers(0, 2**32)))
    assert labels.shape == (n,)
    assert sorted(np.bincount(labels, minlength=m), reverse=True) == group_sizes(n, m)


def test_random_state_is_an_int_a_generator_or_none():
    first = grouping.random_labels(50, 7, 1)
    np.testing.assert_array_equal(first, grouping.random_labels(50, 7, 1))
    np.testing.assert_array_equal(first, grouping.random_labels(50, 7, np.random.default_rng(1)))
    assert (first != grouping.random_labels(50, 7, 2)).any()
    rng = np.random.default_rng(1)
    assert (grouping.random_labels(50, 7, rng) != grouping.random_labels(50, 7, rng)).any()
    assert len(grouping.random_labels(50, 7, None)) == 50
    np.testing.assert_array_equal(
        grouping.simulate_balance(50, 20, 7, 5, 1), grouping.simulate_balance(50, 20, 7, 5, 1)
    )


# ---------------------------------------------------------------- bounds


@st.composite
def divisible_cases(draw):
    m = draw(st.integers(1, 12))
    size = draw(st.one_of(st.integers(1, 30), st.integers(100, 20_000)))
    n = m * size
    s = draw(st.integers(m, min(n, 3000)))
    return n, s, m


@settings(max_examples=100, deadline=None)
@given(divisible_cases(), thresholds)
def test_closed_bounds_are_below_the_exact_law(case, t):
    n, s, m = case
    p = grouping.balance_probability(n, s, m, t)
    assert grouping.chernoff_bound(s, m, t) <= p * (1 + 1e-10)
    assert grouping.theorem_bound(s, m, t) <= p * (1 + 1e-10)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 5000), st.data(), thresholds)
def test_union_bound_is_below_the_exact_law_for_any_group_sizes(n, data, t):
    s = data.draw(st.integers(1, min(n, 2000)))
    m = data.draw(st.integers(1, min(s, 60)))
    assert grouping.union_bound(n, s, m, t) <= grouping.balance_probability(n, s, m, t) * (
        1 + 1e-10
    )


def test_union_bound_sums_the_tails_of_each_group():
    n, s, m = 1003, 100, 7
    outside = sum(
        stats.hypergeom(n, s, size).cdf(7) + stats.hypergeom(n, s, size).sf(21)
        for size in group_sizes(n, m)
    )  # s/m = 14.28…, t = .5: counts 8 to 21 stay
    assert grouping.union_bound(n, s, m, 0.5) == pytest.approx(1 - outside, rel=1e-9)
    assert round(grouping.union_bound(5040, 500, 20, 0.5), 3) == 0.863


def test_where_the_closed_bounds_begin_to_say_something():
    assert round(grouping.theorem_bound(500, 20, 0.5)) == -36
    assert grouping.theorem_bound(4400, 20, 0.5) < 0 < grouping.theorem_bound(4490, 20, 0.5)
    assert grouping.theorem_bound(9400, 20, 0.5) < 0.9 < grouping.theorem_bound(9500, 20, 0.5)
    assert grouping.chernoff_bound(640, 20, 0.5) < 0 < grouping.chernoff_bound(650, 20, 0.5)
    assert grouping.chernoff_bound(1040, 20, 0.5) < 0.9 < grouping.chernoff_bound(1060, 20, 0.5)


# ---------------------------------------------------------------- recommended m


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 150), st.data(), thresholds, st.floats(0.01, 0.99))
def test_recommended_m_is_the_largest_of_a_full_scan(n, data, t, probability):
    s = data.draw(st.integers(1, min(n, 60)))
    curve = grouping.balance_curve(n, s, range(1, s + 1), t)
    assume(np.abs(curve - probability).min() > 1e-9)
    expected = int(np.flatnonzero(curve >= probability)[-1]) + 1
    assert grouping.recommend_n_groups(n, s, t, probability) == expected


def test_recommended_m_where_bisection_goes_wrong():
    # P(m) = .239 at 19 groups and .855 at 20: 120 features divide evenly by 20.
    curve = grouping.balance_curve(120, 110, range(1, 111), 0.2)
    assert curve[18] < 0.3 < 0.8 < curve[19]
    assert grouping.recommend_n_groups(120, 110, 0.2, 0.8) == 20
    assert (curve[20:] < 0.8).all()


@pytest.mark.parametrize(("s", "expected"), [(112, 8), (504, 25), (1008, 47)])
def test_recommended_m_in_the_published_experiment(s, expected):
    assert grouping.recommend_n_groups(5040, s, 0.5, 0.9) == expected


def test_recommended_m_at_the_largest_problem():
    m = grouping.recommend_n_groups(1_000_000, 5000)
    above = grouping.balance_curve(1_000_000, 5000, range(m, m + 80), 0.5)
    assert above[0] >= 0.95
    assert (above[1:] < 0.95).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 3000), st.data(), thresholds)
def test_pruning_bound_is_above_the_exact_law(n, data, t):
    s = data.draw(st.integers(2, min(n, 300)))
    m = data.draw(st.integers(2, s))
    columns = data.draw(st.integers(2, s + 2))
    ratio = (1 + t) / (1 - t)
    bound = grouping._balance_upper_bound(n, s, np.array([m]), ratio, columns)[0]
    assert bound >= grouping.balance_probability(n, s, m, t) * (1 - 1e-9)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "call",
    [
        lambda n, s, m, t: grouping.balance_probability(n, s, m, t),
        lambda n, s, m, t: grouping.balance_curve(n, s, [1, m], t),
        lambda n, s, m, t: grouping.union_bound(n, s, m, t),
    ],
)
@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((100, 10, 11, 0.5), "n_groups=11 exceeds n_true=10"),
        ((100, 101, 10, 0.5), "n_true=101 exceeds n_features=100"),
        ((100, 10, 0, 0.5), "n_groups=0 must be at least 1"),
        ((100, 0, 1, 0.5), "n_true=0 must be at least 1"),
        ((100, 10, 5, 0.0), "t=0.0 must lie strictly between 0 and 1"),
        ((100, 10, 5, 1.0), "t=1.0 must lie"),
        ((100, 10, 5, math.nan), "t=nan must lie"),
    ],
)
def test_impossible_settings_are_named(call, args, message):
    with pytest.raises(ValueError, match=message):
        call(*args)


def test_other_functions_name_impossible_settings_too():
    with pytest.raises(ValueError, match="n_groups=11 exceeds n_true=10"):
        grouping.theorem_bound(10, 11, 0.5)
    with pytest.raises(ValueError, match="n_groups=11 exceeds n_true=10"):
        grouping.chernoff_bound(10, 11, 0.5)
    with pytest.raises(ValueError, match="n_groups=11 exceeds n_true=10"):
        grouping.simulate_balance(100, 10, 11, 5, 0)
    with pytest.raises(ValueError, match="trials=0 must be at least 1"):
        grouping.simulate_balance(100, 10, 5, 0, 0)
    with pytest.raises(ValueError, match="n_groups=5 exceeds n_features=4"):
        grouping.random_labels(4, 5, 0)
    with pytest.raises(ValueError, match="probability=1 must lie strictly"):
        grouping.recommend_n_groups(100, 10, probability=1)
    with pytest.raises(ValueError, match="n_true=11 exceeds n_features=10"):
        grouping.recommend_n_groups(10, 11)
    with pytest.raises(ValueError, match="ratios has nan"):
        grouping.ratio_cdf(100, 10, 5, [2.0, math.nan])
    with pytest.raises(TypeError, match=r"n_groups=2.5 must be an integer"):
        grouping.balance_probability(100, 10, 2.5, 0.5)
