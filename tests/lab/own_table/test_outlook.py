"""Time left: a guess that learns from what is done, and a countdown that only falls."""

import itertools

import numpy as np
import pytest

from lab.own_table import fits, work
from lab.own_table.outlook import Countdown, left_per_done, time_left
from tests.lab.own_table.tables import case_of, mixed_table

# Seconds a fit, far from the usual shares: ours cheap, one rival dear.
TRUE = {"esvm_r": 1.0, "sparse_svm": 30.0, "kong": 7.0, "forest": 2.0}


def told(task):
    """A stand-in for what a task found, with the time that it took."""
    seconds = TRUE.get(task.key, 0.5)
    if task.kind != "fit":
        return np.zeros(3), seconds
    outcome = object.__new__(fits.Outcome)
    outcome.__dict__.update(seconds=seconds)
    return outcome, seconds


def comparison():
    tasks = work.comparison_tasks(case_of(mixed_table()).spec)
    found, seconds = zip(*map(told, tasks), strict=True)
    return tasks, found, np.cumsum(seconds)


def test_nothing_is_guessed_before_something_is_done():
    tasks, _, _ = comparison()
    assert left_per_done(tasks, ()) is None


def test_with_a_fold_of_every_model_done_the_guess_is_right():
    tasks, found, spent = comparison()
    seen = next(
        done
        for done in range(1, len(tasks) + 1)
        if {task.key for task in tasks[:done]} == {task.key for task in tasks}
    )
    for done in range(seen, len(tasks) + 1):
        left = spent[done - 1] * left_per_done(tasks, enumerate(found[:done]))
        assert left == pytest.approx(spent[-1] - spent[done - 1], abs=1e-9)


def test_what_is_shown_only_falls_and_ends_at_nothing():
    tasks, found, spent = comparison()
    counting, shown = Countdown(), []
    for done in range(1, len(tasks) + 1):
        guess = spent[done - 1] * left_per_done(tasks, enumerate(found[:done]))
        until = spent[min(done, len(tasks) - 1)]
        # The page looks again while the next result is waited for.
        for seconds in np.linspace(spent[done - 1], until, 4):
            shown.append(counting.at(seconds, done, guess))
    assert all(later <= earlier for earlier, later in itertools.pairwise(shown))
    assert shown[-1] == 0.0


def test_between_results_it_falls_evenly_towards_the_guessed_end():
    counting = Countdown()
    assert counting.at(10.0, 1, 40.0) == 40.0
    assert counting.at(30.0, 1, 120.0) == 20.0  # the guess grows while nothing comes
    assert counting.at(30.0, 2, 60.0) == 20.0  # a larger guess is not shown, but falls slower
    assert counting.at(60.0, 2, 60.0) == 10.0
    assert counting.at(61.0, 3, 2.0) == 2.0


def test_what_has_run_out_is_not_said_to_be_over_while_much_is_left():
    assert time_left(40.2, 300.0) == "about 40 s left"
    assert time_left(0.2, 0.2) == time_left(1.4, 9.0) == "about 1 s left"
    assert time_left(0.3, 9.0) == "longer than it seemed"
