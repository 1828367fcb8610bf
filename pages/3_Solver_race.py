"""Solver race: the paper's methods, their rivals and ours on one problem, live and certified."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.races.view import show

show()
