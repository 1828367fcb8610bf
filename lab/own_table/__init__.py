"""Classifying a table: set up, group, fit, compare, look, take home. Knows nothing of pages."""
