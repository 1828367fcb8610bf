"""Strengths from data: the rule of one standard error, and grids that go on at their ends."""

import numpy as np
import pandas as pd
import pytest

from lab.own_table.contenders import Rows, fit_final, grid_of
from lab.own_table.strengths import choose, one_standard_error, points_of
from solvers import Groups
from tests.lab.own_table.tables import case_of, run, table_of


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


def test_a_bounded_strength_does_not_grow_and_may_shrink():
    for best, reached in ((1e9, 10.0), (1e-9, 1e-5)):
        score, asked = scored(best)
        choice = choose({"lam": (10.0, 1.0, 0.1)}, score, bounded=("lam",))
        assert choice.point["lam"] == pytest.approx(reached) and max(asked) == 10.0


def test_two_strengths_widen_each_by_itself():
    def score(points):
        return np.array([[point["a"] - abs(point["b"] - 1.0)] for point in points])

    choice = choose({"a": (2.0, 1.0), "b": (10.0, 1.0, 0.1)}, score, most_widenings=1)
    assert choice.point == {"a": 8.0, "b": 1.0}


@pytest.mark.parametrize("key", ["esvm_r", "logistic", "lasso_e", "huber_e", "poisson_e"])
def test_the_same_rows_again_and_again_are_the_same_choice(key):
    """The loss is a sum, so strengths grow with the rows, and what they keep stays the same."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 8))
    signal = 2.0 * X[:, 0] - X[:, 5] + 0.5 * rng.standard_normal(40)
    classes = 2 if key in ("esvm_r", "logistic") else 0
    y = (signal > 0).astype(int) if classes else np.round(np.exp(0.4 * signal))
    groups = Groups.from_labels(np.arange(8) // 4)
    once = Rows(X, y, classes, groups)
    often = Rows(np.tile(X, (30, 1)), np.tile(y, 30), classes, groups)
    few, many = (points_of(grid_of(key, rows)) for rows in (once, often))
    for point, larger in zip(few, many, strict=True):
        for name, value in point.items():
            assert larger[name] == pytest.approx(30.0 * value, rel=1e-4)
    for point in few[:3]:
        scaled = {name: 30.0 * value for name, value in point.items()}
        one, other = fit_final(key, once, point), fit_final(key, often, scaled)
        assert other.coef == pytest.approx(one.coef, abs=3e-3 * np.abs(one.coef).max())
        assert one.selected.tolist() == other.selected.tolist()


def test_of_many_rows_few_features_are_kept():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((4_000, 12))
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(12)])
    frame["y"] = X[:, 0] - X[:, 7] + 2.0 * rng.standard_normal(4_000)
    case = case_of(table_of(frame, "y"), target="quantity", method="lasso")
    got = run(case, case.own, None)
    assert set(np.flatnonzero(got.selected)) >= {0, 7} and got.selected.sum() <= 4


def test_points_run_from_strong_to_weak():
    assert points_of({"b": (3.0, 1.0), "a": (2.0,)}) == [{"b": 3.0, "a": 2.0}, {"b": 1.0, "a": 2.0}]
    assert points_of({}) == [{}]
