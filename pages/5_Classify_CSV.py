"""Classify a table: fit an exclusive model, compare it, look at it, take it home."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.own_table.view import show

show()
