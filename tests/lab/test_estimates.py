"""Means over folds and their intervals, against scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from lab.accuracy import RealSpec, summarise
from lab.estimates import Together, difference, estimate, fold_overlap, holm
from lab.own_table import scores


def test_intervals_are_those_of_scipy():
    values = np.array([0.7, 0.74, 0.69, 0.8, 0.75])
    found = estimate(values)
    interval = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    corrected = estimate(values, overlap=0.25)
    assert corrected.half / found.half == pytest.approx(np.sqrt((1 / 5 + 1 / 4) / (1 / 5)))
    assert np.isnan(estimate([0.5]).half) and estimate([]).count == 0


def test_training_sets_of_inverted_folds_do_not_overlap():
    assert fold_overlap("inverted", 4.0) == 0.0
    assert fold_overlap("ordinary", 0.25) == 0.25


@pytest.mark.parametrize(("protocol", "test_rows"), [("ordinary", 10), ("inverted", 40)])
def test_both_pages_give_the_same_folds_the_same_interval(protocol, test_rows):
    accuracies = [0.80, 0.82, 0.79, 0.83, 0.81]
    spec = RealSpec(folds=5, fold_kind=protocol, methods=("svm",))
    row = dict(nonzeros=5, seconds=1.0, chosen={}, gap=None, missed=False)
    row |= dict(n_test=test_rows, n_train=50 - test_rows)
    results = {(0, k, "svm"): {"accuracy": value, **row} for k, value in enumerate(accuracies)}
    sweep = summarise(spec, results)[0].accuracy
    ratio = test_rows / (50 - test_rows)
    page = scores.score(accuracies, fold_overlap(protocol, ratio))
    assert (page.low, page.high) == pytest.approx((sweep.low, sweep.high), rel=1e-12)


def test_difference_is_the_paired_t_test():
    rng = np.random.default_rng(0)
    ones, others = rng.normal(0.1, 1.0, (2, 12))
    found = difference(ones, others)
    oracle = stats.ttest_rel(ones, others)
    low, high = oracle.confidence_interval(0.95)
    assert found.p == pytest.approx(oracle.pvalue)
    assert (found.low, found.high) == pytest.approx((low, high))
    # Folds that share data: the variance of the mean is (1/k + overlap) s² in place of s²/k.
    wider = difference(ones, others, overlap=0.25)
    assert (wider.high - wider.low) / (high - low) == pytest.approx(math.sqrt(1 + 12 * 0.25))
    assert wider.p > found.p


def test_equal_pairs_are_no_difference_and_one_pair_says_nothing():
    same = difference([0.5, 0.6], [0.5, 0.6])
    assert (same.mean, same.p) == (0.0, 1.0)
    single = difference([0.9], [0.1])
    assert math.isnan(single.p) and math.isnan(single.low)


@pytest.mark.parametrize("count", [2, 5, 6, 10])
def test_values_that_are_all_the_same_are_judged_by_their_signs(count):
    """Few test samples give two folds the same difference: no spread is no certainty."""
    same = difference([0.75] * count, [0.5] * count)
    assert same.p == pytest.approx(stats.binomtest(count, count).pvalue)
    alone = Together.of([same])
    assert alone.side(same) == (1 if count >= 6 else 0)
    assert alone.reach(same) == 0.0 if count >= 6 else math.isnan(alone.reach(same))


def test_a_mean_has_its_standard_error():
    values = [0.1, 0.4, 0.7]
    found = estimate(values)
    assert (found.mean, found.count) == (pytest.approx(0.4), 3)
    assert found.error == pytest.approx(stats.sem(values))


def test_differences_in_words():
    assert difference([0.5, 0.7], [0.4, 0.4]).in_points() == "+20.0 ± 127.1"
    assert difference([0.5], [0.6]).in_points() == "−10.0"


def test_what_is_looked_at_together_is_told_from_chance_by_holms_correction():
    """One by one as Holm's steps say, and beyond the reach of chance just where they do."""
    rng = np.random.default_rng(0)
    for count in (1, 2, 7, 30):
        rows = rng.normal(rng.choice([0.0, 0.5, 2.0], (count, 1)), 1.0, (count, 10))
        found = [estimate(row) for row in rows]
        looks = Together.of(found)
        assert looks.looks == count and looks.found == sum(holm([each.p for each in found]))
        sides = [looks.side(each) for each in found]
        assert [side != 0 for side in sides] == holm([each.p for each in found])
        assert [abs(each.mean) > looks.reach(each) for each in found] == [s != 0 for s in sides]
        assert all(
            side == np.sign(each.mean) for side, each in zip(sides, found, strict=True) if side
        )
    above, below = estimate([1.0] * 10), estimate([-1.0] * 10)
    surely = Together.of([above, below])
    assert surely.found == 2 and (surely.side(above), surely.side(below)) == (1, -1)
    lone = estimate([0.9])
    assert Together.of([lone]).side(lone) == 0 and math.isnan(Together.of([lone]).reach(lone))
    assert (str(Together(1, 0)), str(Together(3, 1))) == ("1 look", "3 looks")
