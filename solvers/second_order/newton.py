"""Second-order methods: interior point, cold or warm, and active set for warm starts."""

from __future__ import annotations

import numpy as np

from ..method import Method, all_of, logistic_loss, squared_loss, squared_norm
from ..problems import Candidate
from .restricted import LeastSquares, LogisticData
from .support import SupportSolver
from .working_set import working_sets

WORKING_SET_RATIO = 20  # features per sample and group from which working sets pay
DENSE_ENTRIES = 2**27  # largest sparse design turned into a dense one (1 GB)
LARGEST_SYSTEM = 8000  # unknowns of a Newton system; its factor takes 0.5 GB
MAX_ROUNDS = 60


def _newton(problem, w0=None):
    """min ½ Σ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖A|w|‖², groups overlapping or not.

    A primal-dual interior point on the non-negative least-squares form: about ten iterations to
    a relative gap of 1e-8, each one weighted product X F Xᵀ and one Cholesky factor of size
    min(N, n), plus m when groups overlap.  With many more features than samples and groups it
    runs on working sets.  Returns when rounding ends the progress.
    """
    return _second_order(problem, w0, LeastSquares)


def _newton_logistic(problem, w0=None):
    """min Σ ωᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖A|w|‖², groups overlapping or not.

    The interior point of `_newton` with the losses' curvatures in place of ones: ten to thirty
    iterations to a relative gap of 1e-6, the more the smaller λ.
    """
    return _second_order(problem, w0, LogisticData)


def _second_order(problem, w0, loss):
    zero = np.zeros(problem.n_features)
    if not np.any(problem.design.rmatvec(loss.residual(problem, zero))):
        yield lambda: Candidate(zero)
        return
    if why_not_dense(problem) is not None:
        yield from working_sets(problem, w0, loss)
        return
    data = loss(problem)
    for it in data.iterates(w0):
        yield lambda it=it: data.candidate(it)


def _active_set(problem, w0=None):
    """min ½ Σ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖A|w|‖² by linear systems on the support.

    Exact in a handful of k × k systems when w0 has nearly the right support, or when λ is not
    small.  When a face is singular or the repair of signs does not settle, the interior point
    takes over from there.
    """
    data = LeastSquares(problem)
    solver = SupportSolver(data.X, data.y, problem.groups)
    lam = data.scaled(problem.lam)
    if not np.any(solver.correlations):
        yield lambda: Candidate(np.zeros(problem.groups.n_features))
        return
    if w0 is not None:
        solver.start(w0 / data.w_unit)
    solver.evaluate(lam)
    yield lambda: data.exact(solver)
    rounds = solver.rounds(lam)
    for _ in range(MAX_ROUNDS):
        try:
            next(rounds)
        except StopIteration as end:
            if end.value:
                return
            break
        yield lambda: data.exact(solver)
    for it in data.iterates(solver.w * data.w_unit if np.any(solver.w) else None):
        yield lambda it=it: data.candidate(it)


def why_not_dense(problem) -> str | None:
    """None where all features can be held and worked on at once, or the reason why not."""
    n_samples, n_features = problem.design.shape
    if n_features > WORKING_SET_RATIO * (n_samples + problem.groups.n_groups):
        return "there are far more features than samples and groups"
    if problem.design.is_sparse and n_samples * n_features > DENSE_ENTRIES:
        return "the sparse data would take over 1 GB as a dense matrix"
    return None


def affordable(problem) -> str | None:
    """None where the Newton systems and the dense columns they need fit, or the reason why not."""
    n_samples, n_features = problem.design.shape
    n_groups = problem.groups.n_groups
    system = min(n_samples, n_features) + n_groups * problem.groups.overlapping
    if system > LARGEST_SYSTEM:
        return f"its linear systems would have {system} unknowns, more than {LARGEST_SYSTEM}"
    columns = min(n_features, 2 * (n_samples + n_groups))
    if problem.design.is_sparse and n_samples * columns > DENSE_ENTRIES:
        return "the columns it works on would take over 1 GB as a dense matrix"
    return None


newton = Method(
    "newton",
    "Interior point",
    "this software; Mehrotra 1992, Gondzio 1996 on the non-negative least-squares form",
    _newton,
    accepts=all_of(squared_loss, squared_norm, affordable),
    max_iter=1000,
    few_iterations=True,
)
newton_logistic = Method(
    "newton",
    "Interior point",
    "this software; Mehrotra 1992, Gondzio 1996 with the curvature of the loss",
    _newton_logistic,
    accepts=all_of(logistic_loss, squared_norm, affordable),
    max_iter=1000,
    few_iterations=True,
)
active_set = Method(
    "active_set",
    "Active set",
    "this software; after Lawson & Hanson 1974, with an interior point to fall back on",
    _active_set,
    accepts=all_of(squared_loss, squared_norm, affordable, why_not_dense),
    max_iter=2000,
    few_iterations=True,
)
