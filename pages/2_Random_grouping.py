"""Random grouping: Theorem 5 against the exact law."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.balance.view import show

show()
