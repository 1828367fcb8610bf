"""Projections of how much work is left."""

import numpy as np
import pytest

from solvers.course import Course


def test_a_steady_course_ends_where_it_says():
    course = Course()
    for work in range(11):
        course.log(float(work), np.exp(20.0 - work))
    assert course.work_left() == pytest.approx(10.0)
    assert course.work_left(since=4.0) == pytest.approx(10.0)


def test_the_second_half_tells():
    course = Course()
    for work, distance in ((0.0, 8.0), (1.0, 7.0), (2.0, 3.0), (4.0, 1.0)):
        course.log(work, np.exp(distance))
    assert course.work_left() == pytest.approx(1.0)


def test_without_progress_there_is_no_end_and_at_the_aim_nothing_is_left():
    course = Course()
    course.log(0.0, 100.0)
    assert course.work_left() == np.inf
    course.log(1.0, 100.0)
    assert course.work_left() == np.inf
    course.log(2.0, 0.0)
    assert course.work_left() == 0.0
