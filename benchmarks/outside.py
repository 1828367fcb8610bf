"""The same problems by general-purpose solvers: CVXPY with Clarabel, OSQP, SCS; SciPy's NNLS.

Each returns the point it found and its times: the wall time of the call, the solver's own time as
it reports it, which leaves out CVXPY's translation, and the processor time of that part. The point
is scored by our problem like any other, so that accuracy means the same for everyone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import cvxpy as cp
import numpy as np
from scipy import optimize

from solvers.problems import Candidate, LassoProblem, LogisticProblem, SVMProblem, relative_gap

SETTINGS = {
    "CLARABEL": {},
    "OSQP": {"eps_abs": 1e-6, "eps_rel": 1e-6, "max_iter": 200_000, "polishing": True},
    "SCS": {"eps_abs": 1e-6, "eps_rel": 1e-6, "max_iters": 200_000},
}
TIME_LIMIT = {"CLARABEL": "time_limit", "OSQP": "time_limit", "SCS": "time_limit_secs"}


@dataclass(frozen=True)
class Attempt:
    """What a solver gave: its times, and the certificate our problem gives its point."""

    wall_seconds: float
    own_seconds: float | None
    cpu_seconds: float | None
    status: str
    objective: float
    suboptimality: float | None
    gap: float


def solve_with_cvxpy(
    problem, solver: str, *, seconds: float, bound: float | None = None
) -> Attempt:
    """Pose the problem with w = w₊ − w₋, w± ≥ 0, which spares the solver the absolute values."""
    plus = cp.Variable(problem.n_features, nonneg=True)
    minus = cp.Variable(problem.n_features, nonneg=True)
    totals = problem.groups.incidence @ (plus + minus)
    # The design of a problem with an intercept is centred, so its own intercept suits CVXPY too.
    predictions = problem.design.matrix @ (plus - minus)
    if problem.fit_intercept:
        predictions = predictions + cp.Variable()
    if isinstance(problem, LassoProblem):
        objective = 0.5 * cp.sum_squares(predictions - problem.y)
        objective += 0.5 * problem.lam * cp.sum_squares(totals)
    elif isinstance(problem, LogisticProblem):
        objective = cp.sum(cp.logistic(-cp.multiply(problem.y, predictions)))
        objective += 0.5 * problem.lam * cp.sum_squares(totals)
    elif isinstance(problem, SVMProblem):
        objective = cp.sum(cp.pos(1.0 - cp.multiply(problem.y, predictions)))
        objective += 0.5 * problem.alpha * cp.sum_squares(plus - minus)
        objective += 0.5 * problem.beta * cp.sum_squares(totals)
    else:
        raise TypeError(f"no formulation for {type(problem).__name__}")
    posed = cp.Problem(cp.Minimize(objective))
    options = SETTINGS[solver] | {TIME_LIMIT[solver]: seconds}
    started, cpu = time.perf_counter(), None
    try:
        data, chain, inverse = posed.get_problem_data(solver, solver_opts=options)
        begun = time.process_time()
        solution = chain.solve_via_data(posed, data, solver_opts=options)
        cpu = time.process_time() - begun
        posed.unpack_results(solution, chain, inverse)
    except cp.SolverError as error:
        wall = time.perf_counter() - started
        return Attempt(wall, None, cpu, str(error), np.inf, None, np.inf)
    wall = time.perf_counter() - started
    stats = posed.solver_stats
    own = (stats.solve_time or 0.0) + (stats.setup_time or 0.0)
    if plus.value is None:
        return Attempt(wall, own, cpu, posed.status, np.inf, None, np.inf)
    w = plus.value - minus.value
    return _scored(problem, w, (wall, own, cpu), posed.status, bound)


def solve_with_nnls(problem: LassoProblem, *, bound: float | None = None) -> Attempt:
    """E-LASSO as min over q ≥ 0 of ½‖[[X, −X], [√λA, √λA]]q − [y; 0]‖², q = [w₊; w₋]"""
    X = problem.design.dense
    penalty = np.sqrt(problem.lam) * problem.groups.incidence.toarray()
    matrix = np.block([[X, -X], [penalty, penalty]])
    target = np.concatenate([problem.y, np.zeros(problem.groups.n_groups)])
    started, begun = time.perf_counter(), time.process_time()
    try:
        q, _ = optimize.nnls(matrix, target, maxiter=50 * matrix.shape[1])
        status = "optimal"
    except RuntimeError as error:
        return Attempt(time.perf_counter() - started, None, None, str(error), np.inf, None, np.inf)
    wall, cpu = time.perf_counter() - started, time.process_time() - begun
    n = problem.n_features
    return _scored(problem, q[:n] - q[n:], (wall, wall, cpu), status, bound)


def _scored(problem, w, times, status, bound) -> Attempt:
    score = problem.score(Candidate(w))
    best = score.bound if bound is None else max(bound, score.bound)
    return Attempt(
        *times,
        status,
        score.objective,
        (score.objective - best) / abs(best) if best else None,
        relative_gap(score.objective, best),
    )
