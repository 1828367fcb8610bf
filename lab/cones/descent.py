"""PCP, LOCP and LICP step by step on a problem small enough to be seen whole.

min over w of ½‖Xw − y‖² + λ/2 ‖w‖_e² for LOCP and PCP, and the dual of an E-SVM for LICP: one group
of two weights each. The steps are those of the solvers' own formulations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np

from solvers import Groups, solve_lasso, solve_svm
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LICP, LOCP, PCP
from solvers.linear_algebra import least_squares
from solvers.problems import LassoProblem, SVMProblem

METHODS = ("LOCP", "PCP", "LICP")
STEPS = 14
# Halves are the places between: after the gradient, before the projection.
TEXTS = tuple(f"{k / 2:g}" for k in range(2 * STEPS + 1))

X = np.array([[1.0, 0.5], [0.3, 1.0], [0.6, -0.4]])
Y = np.array([2.0, 1.1, 0.7])
LAM = 1.2
START = np.array([-0.8, 1.4])  # far off, so that there is a way to see
SAMPLES = np.array([[1.2, 0.5], [0.9, -0.3], [0.4, 0.6], [-1.0, -0.4], [-0.6, 0.2], [-0.8, -0.7]])
LABELS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
ALPHA, BETA = 1.0, 1.0


@dataclass(frozen=True, eq=False)
class Descent:
    """What a method did: its iterates, where momentum and gradient led in between, its objective.

    `objective` is what the method minimises, so for LICP the dual's; `least` is its minimum, which
    a solver certified to `gap`. Of each point the two unknowns are kept that are drawn.
    """

    method: str
    iterates: np.ndarray
    momentum: np.ndarray
    gradient: np.ndarray
    objective: np.ndarray
    least: float
    best: np.ndarray
    gap: float


def _posed(method: str):
    """The formulation, what it minimises, and how an iterate is seen in the plane."""
    groups = Groups.from_labels([0, 0])
    if method == "LICP":
        licp = LICP(SVMProblem(SAMPLES, LABELS, groups, ALPHA, BETA))
        return licp, licp.dual_objective, lambda x: x[licp.n_samples :]
    problem = LassoProblem(X, Y, groups, LAM)
    if method == "PCP":
        pcp = PCP(problem)
        return pcp, pcp.value, lambda x: x[:2] - x[2:]
    locp = LOCP(problem)
    return locp, problem.objective, lambda x: x


@cache
def descent(method: str, steps: int = STEPS) -> Descent:
    """Run the accelerated loop of `solvers.first_order.fista`, keeping what it passes through."""
    posed, objective, seen = _posed(method)
    x = z = posed.start(None if method == "LICP" else START)
    t = 1.0
    iterates, momentum, gradient = [x], [], []
    for _ in range(steps):
        down = z - posed.step * posed.gradient(z)[0]
        new = posed.prox(down, 1.0)
        momentum.append(seen(z))
        gradient.append(seen(down))
        t_next = 0.5 + math.sqrt(0.25 + t * t)
        z = new + ((t - 1.0) / t_next) * (new - x)
        x, t = new, t_next
        iterates.append(x)
    groups = Groups.from_labels([0, 0])
    if method == "LICP":
        solved = solve_svm(SAMPLES, LABELS, groups, ALPHA, BETA, tol=1e-10)
        least = -solved.objective  # the two problems' optima add up to 0
    else:
        solved = solve_lasso(X, Y, groups, LAM, tol=1e-10)
        least = solved.objective
    far, _ = next(islice(fista(posed, posed.start(None)), 5000, None))
    return Descent(
        method,
        np.array([seen(each) for each in iterates]),
        np.array(momentum),
        np.array(gradient),
        np.array([objective(each) for each in iterates]),
        float(least),
        seen(far),
        solved.gap,
    )


def loss_optimum() -> np.ndarray:
    """Where the loss of the exclusive lasso is least, the norm left aside."""
    return least_squares(X, Y)


def table(run: Descent) -> dict[str, np.ndarray]:
    """One row a step: the unknowns in the plane, and the objective."""
    return {
        "step": np.arange(len(run.objective)),
        "first": run.iterates[:, 0],
        "second": run.iterates[:, 1],
        "objective": run.objective,
        "above the least": run.objective - run.least,
    }
