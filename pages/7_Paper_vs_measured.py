"""Paper vs measured: every checkable claim beside a measurement, the errata, the figures."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.paper.view import show

show()
