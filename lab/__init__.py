"""Experiments and drawing: what lies between the solvers and the pages. Pure, except `lab.ui`."""

__version__ = "0.1.0"
