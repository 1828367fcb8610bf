"""How fast errors fall with the iterations: the accelerated loop as printed and as corrected.

A curve is the error of F + H (or of the primal objective of E-SVM) at iterations 1, 2, … of one
small, hardly penalised problem, beside the theorem's bound 2‖x₀ − x*‖²/(step·(k + 1)²). No clock is
involved: the same call gives the same numbers everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from lab.data.datasets import CorrelatedSpec, ELassoSpec, load
from solvers import LASSO_METHODS, SVM_METHODS, Groups
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LICP, LOCP, PCP
from solvers.problems import LassoProblem, SVMProblem
from solvers.registry import choose
from solvers.tracking import solve

LASSO = ELassoSpec(n_samples=40, n_features=200, n_groups=10)
OVERLAPPED = ELassoSpec.overlapped(n_samples=40, n_features=200, n_groups=10, extras=10)
SVM = CorrelatedSpec(
    n_samples=30, n_features=60, n_groups=6, rho=0.0, task="classification", snr=2.0
)
ALPHA, BETA = 0.1, 1.0
ITERATIONS = 1000
LICP_ITERATIONS = 1500


def printed_momentum(t: float) -> float:
    """Algorithm 1, step 4, to the letter: t where t² belongs."""
    return 0.5 + 0.5 * math.sqrt(1.0 + 4.0 * t)


def corrected_momentum(t: float) -> float:
    return 0.5 + 0.5 * math.sqrt(1.0 + 4.0 * t * t)


def algorithm_1(posed, momentum: Callable[[float], float]) -> Iterator[tuple]:
    """(x_k, average) for ever: the paper's loop with the momentum rule of your choice.

    The average is of what the formulation observes at the extrapolated points, weighted by t.
    """
    x = z = posed.start(None)
    t, total, weight = 1.0, 0.0, 0.0
    while True:
        yield x, total / weight if weight else None
        gradient, observed = posed.gradient(z)
        new = posed.prox(z - posed.step * gradient, 1.0)
        total, weight = total + t * observed, weight + t
        t_next = momentum(t)
        z = new + (new - x) * ((t - 1.0) / t_next)
        x, t = new, t_next


@dataclass(frozen=True, eq=False)
class Rate:
    """Errors at iterations 1, 2, …, and the theorem's bound at each."""

    errors: np.ndarray
    bound: np.ndarray

    @property
    def iterations(self) -> np.ndarray:
        return np.arange(1, self.errors.size + 1)

    @property
    def share_of_bound(self) -> float:
        """The largest error over bound: above 1, the theorem's rate is broken."""
        return float(np.max(self.errors / self.bound))

    @property
    def growth(self) -> float:
        """The largest k²·error of the second half over that at a twentieth to a tenth of the way.

        About 1 or below where the error is O(1/k²); it grows with k where it is not.
        """
        scaled = self.iterations**2 * self.errors
        last = self.errors.size
        return float(scaled[last // 2 :].max() / scaled[last // 20 : last // 10].max())


def lasso_problem(spec=LASSO) -> LassoProblem:
    data = load(spec)
    return LassoProblem(data.X, data.y, data.groups, data.lam)


def svm_problem() -> SVMProblem:
    data = load(SVM)
    return SVMProblem(data.X, data.y, Groups.contiguous(SVM.n_features, SVM.n_groups), ALPHA, BETA)


@lru_cache(maxsize=8)
def lasso_curve(method: str, printed: bool, iterations: int = ITERATIONS) -> Rate:
    """PCP (overlapping groups) or LOCP (disjoint ones) on E-LASSO: F + H above its minimum."""
    problem = lasso_problem(OVERLAPPED if method == "pcp" else LASSO)
    optimum = solve(problem, choose(LASSO_METHODS, "auto", problem), tol=1e-12)
    posed = PCP(problem) if method == "pcp" else LOCP(problem)
    minimiser = posed.start(optimum.w)
    momentum = printed_momentum if printed else corrected_momentum
    if method == "pcp":
        values = (posed.value(x) for x, _ in algorithm_1(posed, momentum))
    else:
        values = (problem.objective(x) for x, _ in algorithm_1(posed, momentum))
    errors = np.array(list(islice(values, iterations + 1)))[1:] - optimum.bound
    return Rate(errors, _bound(posed, minimiser, iterations))


class _TooLong:
    """A formulation whose step is many times what 1/L allows, for a search to shorten."""

    def __init__(self, posed, times: float = 64.0):
        self._posed, self._times = posed, times
        self.start, self.gradient, self.value = posed.start, posed.gradient, posed.value
        self.step = times * posed.step

    def prox(self, x, scale: float):
        return self._posed.prox(x, scale * self._times)


@lru_cache(maxsize=1)
def line_search_curve(iterations: int = ITERATIONS) -> Rate:
    """LOCP without knowing L: from steps of 64/L, halved until the quadratic model lies above.

    Such steps end at 1/(2L) or more, so the theorem's bound is twice that of steps of 1/L.
    """
    problem = lasso_problem()
    optimum = solve(problem, choose(LASSO_METHODS, "auto", problem), tol=1e-12)
    posed = LOCP(problem)
    loop = fista(_TooLong(posed), posed.start(None), backtracking=True)
    values = (problem.objective(x) for x, _ in islice(loop, 1, iterations + 1))
    errors = np.fromiter(values, float) - optimum.bound
    return Rate(errors, 2.0 * _bound(posed, posed.start(optimum.w), iterations))


@dataclass(frozen=True, eq=False)
class LICPCurves:
    """LICP's dual error, and how far the last w and the averaged w are from the dual value."""

    dual: Rate
    last: Rate
    averaged: Rate


@lru_cache(maxsize=4)
def licp_curves(printed: bool = False, iterations: int = LICP_ITERATIONS) -> LICPCurves:
    """E-SVM by LICP. The gaps' bound is 2‖x̂‖²/(step·(k + 1)²), x̂ the dual point that w answers to.

    For the averaged w that is a theorem; for the last w it is what "O(1/k²)" would have to mean.
    """
    problem = svm_problem()
    posed = LICP(problem)
    optimal = _dual_optimum(posed)
    # The certified optimal value of E-SVM is minus the least value of its dual.
    least = -solve(problem, choose(SVM_METHODS, "auto", problem), tol=1e-12).objective
    momentum = printed_momentum if printed else corrected_momentum
    columns = {"dual": [], "last": [], "averaged": [], "last bound": [], "averaged bound": []}
    steps = islice(algorithm_1(posed, momentum), 1, iterations + 1)
    for k, (x, average) in enumerate(steps, start=1):
        value = posed.dual_objective(x)
        columns["dual"].append(value - least)
        for name, w in (("last", posed.primal(x)), ("averaged", average)):
            columns[name].append(problem.objective(w) + value)
            columns[f"{name} bound"].append(_answer_bound(posed, w, k))
    arrays = {name: np.array(values) for name, values in columns.items()}
    return LICPCurves(
        dual=Rate(arrays["dual"], _bound(posed, optimal, iterations)),
        last=Rate(arrays["last"], arrays["last bound"]),
        averaged=Rate(arrays["averaged"], arrays["averaged bound"]),
    )


def _bound(posed, minimiser, iterations: int) -> np.ndarray:
    distance = float(np.sum((posed.start(None) - minimiser) ** 2 / posed.step))
    return 2.0 * distance / (np.arange(1, iterations + 1) + 1.0) ** 2


def _answer_bound(posed: LICP, w, k: int) -> float:
    problem = posed.problem
    u = (problem.margins(w) < 1.0).astype(float)
    v = problem.beta * problem.groups.spread(problem.groups.sum(np.abs(w))) * np.sign(w)
    return 2.0 * float(u @ u + v @ v) / posed.step / (k + 1) ** 2


def _dual_optimum(posed) -> np.ndarray:
    """A dual point of nearly least value: the theorem holds against any point, this one tells."""
    best, least = None, np.inf
    for k, (x, _) in enumerate(islice(fista(posed, posed.start(None), restart=True), 3001)):
        if k % 50 == 0 and (value := posed.dual_objective(x)) < least:
            best, least = x.copy(), value
    return best
