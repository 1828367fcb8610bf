"""Norm patterns: the paper's Figure 1 live, its paths, the correlated twins, the unit balls."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.norms.view import show

show()
