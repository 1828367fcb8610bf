"""Cone projections: what one step of the solvers does to a group, and how it is found."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.cones.view import show

show()
