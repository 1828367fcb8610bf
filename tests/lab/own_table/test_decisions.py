"""Thresholds, costs and chances against counts by hand; contributions that add up."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from lab.own_table import decisions, findings
from lab.own_table.headline import class_called
from solvers import Groups


def test_the_matrix_and_the_price_at_a_threshold():
    chances = np.array([0.1, 0.4, 0.6, 0.9, 0.3])
    positive = np.array([False, True, False, True, True])
    got = decisions.at_threshold(chances, positive, 0.5, price=10.0)
    assert got.counts.tolist() == [[1, 1], [2, 1]]
    assert got.cost == 10.0 * 2 + 1
    assert (got.recall, got.precision) == (1 / 3, 1 / 2)
    assert decisions.at_threshold(chances, positive, 0.05).false_negative == 0
    assert np.isnan(decisions.at_threshold(chances, positive, 0.99).precision)


def test_the_price_is_said_in_whole_and_tenths_of_false_alarms():
    chances, positive = np.array([0.2, 0.6, 0.7]), np.array([True, False, True])
    for price, words in ((0.1, "as 1.1 false alarms;"), (1.0, "as 2 false alarms;")):
        here = decisions.at_threshold(chances, positive, 0.5, price)
        best = decisions.at_threshold(chances, positive, 0.65, 1.0)
        said = findings.cost_sentence(here, best, "ill")
        assert words in said and said.endswith("as much as 1 false alarm.")


def test_what_is_right_and_wrong_at_a_line_reads_well_whatever_the_class_is_called():
    chances, positive = np.array([0.2, 0.6, 0.7]), np.array([True, False, True])
    at = {line: decisions.at_threshold(chances, positive, line) for line in (0.1, 0.5, 0.65, 0.9)}
    titles = [findings.decision_title(at[line], class_called("1")) for line in at]
    assert titles == [
        "1 of 3 held-out predictions is wrong: class 1 never missed, 1 false alarm",
        "2 of 3 held-out predictions are wrong: class 1 missed once, 1 false alarm",
        "1 of 3 held-out predictions is wrong: class 1 missed once, 0 false alarms",
        "2 of 3 held-out predictions are wrong: class 1 missed 2 times, 0 false alarms",
    ]
    some, none = (findings.cost_sentence(at[line], at[0.5], "ill") for line in (0.5, 0.9))
    assert "finds 50.0 % of the rows of ill, and 50.0 % of those it calls so are." in some
    assert "finds 0 % of the rows of ill; it calls none so." in none


def test_scores_that_say_nothing_have_no_cheapest_line():
    rng = np.random.default_rng(3)
    positive = np.arange(60) % 2 == 0
    scores = rng.standard_normal(60) - positive
    calibration = decisions.calibrate(scores, positive)
    assert calibration.flat and np.ptp(calibration.chances(scores)) == 0.0
    said = findings.cost_sentence(decisions.at_own_line(scores, positive, calibration), None, "ill")
    assert said.startswith("At its own line, it finds ") and "the same chance" in said
    assert "cheapest" not in said and "50 %" not in said


def test_the_cheapest_line_is_the_cheapest_where_chances_hold():
    rng = np.random.default_rng(0)
    chances = rng.random(20_000)
    positive = rng.random(20_000) < chances
    for price in (0.2, 1.0, 5.0):
        lines = np.linspace(0.02, 0.98, 49)
        costs = [decisions.at_threshold(chances, positive, t, price).cost for t in lines]
        assert abs(lines[int(np.argmin(costs))] - decisions.cheapest(price)) < 0.07


def test_calibration_is_logistic_regression_on_the_score_and_never_turns_it_around():
    rng = np.random.default_rng(1)
    score = rng.standard_normal(4_000)
    positive = rng.random(4_000) < 1.0 / (1.0 + np.exp(-(3.0 * score - 1.0)))
    got = decisions.calibrate(score, positive)
    plain = LogisticRegression(C=1e6).fit(score[:, None], positive)
    assert got.slope == pytest.approx(plain.coef_[0, 0], rel=0.02)
    assert got.offset == pytest.approx(plain.intercept_[0], rel=0.05)
    said, came, counts = decisions.reliability(got.chances(score), positive)
    assert np.abs(said - came).max() < 0.06 and counts.sum() == 4_000
    assert decisions.calibrate(score, ~positive).slope == 0.0


@pytest.mark.parametrize("slope", [2.0, 1e-12, 0.0])
def test_the_own_line_calls_what_the_sign_of_the_score_calls(slope):
    """Also where scores say so little that all rows have one chance."""
    score = np.array([-1.0, -1e-9, 0.0, 1e-9, 2.0])
    calibration = decisions.Calibration(slope, -0.7)
    got = decisions.at_own_line(score, np.array([True, False, False, True, False]), calibration)
    assert got.counts.tolist() == [[2, 1], [1, 1]] and got.own
    said = findings.cost_sentence(got, decisions.at_threshold(score, score > 0.0, 0.5), "ill")
    assert said.startswith("At its own line, a chance of 33 %, it finds 50.0 %")


def test_contributions_add_up_to_the_score_by_feature_and_by_group():
    rng = np.random.default_rng(2)
    groups = Groups.from_lists([[0, 1, 2], [2, 3]], 4)
    x, w = rng.standard_normal(4), rng.standard_normal(4)
    got = decisions.contributions(x, w, 0.5, groups)
    assert got.score == pytest.approx(0.5 + x @ w)
    assert got.by_group.sum() == pytest.approx(x @ w)
    assert got.by_group[1] == pytest.approx(x[3] * w[3] + x[2] * w[2] / 2)
