"""Cone projections: the step of the solvers, certified, beside the paper's as printed."""
