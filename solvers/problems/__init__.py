"""What is solved. A problem owns its data, its objective and its dual bound.

No solver scores itself: a method hands over a `Candidate`, and the problem computes the objective
of its primal point and a lower bound on the optimal value from its dual points. Their difference is
a certificate, valid whatever the method did.
"""

from .base import Candidate, Problem, Score, Valued, relative_gap
from .smooth import (
    HuberProblem,
    LassoProblem,
    LogisticProblem,
    PoissonProblem,
    SmoothProblem,
)
from .svm import SVMProblem

__all__ = [
    "Candidate",
    "HuberProblem",
    "LassoProblem",
    "LogisticProblem",
    "PoissonProblem",
    "Problem",
    "SVMProblem",
    "Score",
    "SmoothProblem",
    "Valued",
    "relative_gap",
]
