"""What an iteration costs, in processor time on one thread: ratios and exponents, no seconds."""

from __future__ import annotations

import time
from itertools import islice

import numpy as np

from lab.data.datasets import ELassoSpec, load
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LOCP, PCP
from solvers.problems import LassoProblem
from solvers.threads import one_thread


def pcp_iteration(repeats: int) -> dict:
    """The share of a PCP iteration that is not the two products with X, overlapped, 400 × 4000."""
    data = load(ELassoSpec.overlapped())
    problem = LassoProblem(data.X, data.y, data.groups, data.lam)
    posed = PCP(problem)
    with one_thread():
        iterates = fista(posed, posed.start(None))
        list(islice(iterates, 30))
        w, theta = np.ones(problem.n_features), np.ones(problem.n_samples)

        def products():
            problem.design.matvec(w)
            problem.design.rmatvec(theta)

        medians = _medians({"iteration": lambda: next(iterates), "products": products}, repeats)
    return {
        "repeats": repeats,
        "share": round(1.0 - medians["products"] / medians["iteration"], 3),
    }


def locp_growth(repeats: int, sizes=(3000, 6000, 12_000)) -> dict:
    """How the processor time of a LOCP iteration grows with n when N = n/10: its power of n."""
    actions = {}
    for n in sizes:
        data = load(ELassoSpec(n_samples=n // 10, n_features=n, n_groups=n // 40))
        posed = LOCP(LassoProblem(data.X, data.y, data.groups, data.lam))
        iterates = fista(posed, posed.start(None))
        actions[n] = lambda iterates=iterates: next(iterates)
    with one_thread():
        medians = _medians(actions, repeats)
    seconds = np.array([medians[n] for n in sizes])
    power = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    return {
        "n": list(sizes),
        "relative": [round(float(value), 2) for value in seconds / seconds[0]],
        "power": round(power, 2),
    }


def _medians(actions, repeats: int) -> dict:
    """The median processor time of each action; every round runs each once."""
    spent = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(repeats):
        for name, action in actions.items():
            started = time.process_time_ns()
            action()
            spent[name].append(time.process_time_ns() - started)
    return {name: float(np.median(values)) for name, values in spent.items()}
