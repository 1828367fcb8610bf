"""Many tasks at once: tasks compete for features (Zhou, Jin & Hoi 2010)."""

from .api import MULTITASK_METHODS, solve_multitask
from .problem import MultiTaskProblem

__all__ = ["MULTITASK_METHODS", "MultiTaskProblem", "solve_multitask"]
