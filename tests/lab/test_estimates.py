"""Means over folds and their intervals, against scipy."""

import numpy as np
import pytest
from scipy import stats

from lab.classify import compare
from lab.estimates import estimate, fold_overlap
from lab.sweeps import RealSpec, summarise


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
    page = compare.interval(accuracies, fold_overlap(protocol, ratio))
    assert (page.low, page.high) == pytest.approx((sweep.low, sweep.high), rel=1e-12)
