"""Strengths from data: the rule of one standard error, and grids that go on at their ends."""

import numpy as np
import pytest

from lab.own_table.strengths import choose, one_standard_error, points_of


def test_of_those_within_one_error_of_the_best_the_strongest_is_taken():
    # Means .5, .78, .8; the best one's error is .02·√2/√2 = .02.
    scores = np.array([[0.5, 0.5], [0.77, 0.79], [0.78, 0.82]])
    assert one_standard_error(scores) == 1
    assert one_standard_error(scores - np.array([[0], [0.05], [0]])) == 2


def test_equal_means_are_equal_in_any_order_of_summation():
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1]])
    assert one_standard_error(scores) == 0


def test_folds_without_a_score_are_left_out():
    assert one_standard_error(np.array([[np.nan, 0.6], [0.9, np.nan]])) == 1


def scored(best: float):
    """Scores that fall with the distance from the best strength, the same in every fold."""
    asked = []

    def score(points):
        asked.extend(point["lam"] for point in points)
        return np.array([[-abs(np.log10(point["lam"] / best))] * 3 for point in points])

    return score, asked


@pytest.mark.parametrize(("best", "widened"), [(1.0, 0), (1e2, 1), (1e-2, 1), (1e3, 2), (1e9, 2)])
def test_the_grid_goes_on_beyond_the_end_that_is_chosen(best, widened):
    score, asked = scored(best)
    choice = choose({"lam": (10.0, 1.0, 0.1)}, score)
    assert choice.widened == widened
    assert choice.point["lam"] == pytest.approx(np.clip(best, 1e-3, 1e5))
    assert len(asked) == len(set(asked)) == len(choice.points), "no strength is scored twice"
    assert choice.scores.shape == (len(choice.points), 3)


def test_two_strengths_widen_each_by_itself():
    def score(points):
        return np.array([[point["a"] - abs(point["b"] - 1.0)] for point in points])

    choice = choose({"a": (2.0, 1.0), "b": (10.0, 1.0, 0.1)}, score, most_widenings=1)
    assert choice.point == {"a": 8.0, "b": 1.0}


def test_points_run_from_strong_to_weak():
    assert points_of({"b": (3.0, 1.0), "a": (2.0,)}) == [{"b": 3.0, "a": 2.0}, {"b": 1.0, "a": 2.0}]
    assert points_of({}) == [{}]
