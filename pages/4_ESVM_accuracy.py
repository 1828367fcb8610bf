"""E-SVM accuracy: the paper's Fig. 2(d) and Table 1 as sweeps to run, watch and resume."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.accuracy.view import show

show()
