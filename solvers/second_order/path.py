"""The exclusive lasso along a sequence of λ, each point from the support of the one before."""

from __future__ import annotations

import numpy as np

from .restricted import LeastSquares
from .support import SupportSolver

MAX_ROUNDS = 60
NEGLIGIBLE = 1e-6  # relative size of weights an interior point has not yet sent to zero


def support_path(problem, lams):
    """min ½ Σ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖A|w|‖² for every λ in `lams`, in their order.

    Yields, for each λ, a generator of candidates of growing accuracy; the caller takes as many as
    it needs before it asks for the next λ. From the support of the λ before, a point costs one or
    two k × k systems and as many products with X and Xᵀ; where that fails to settle, the interior
    point steps in.
    """
    data = LeastSquares(problem)
    solver = SupportSolver(data.X, data.y, problem.groups)
    for lam in lams:
        yield _candidates(data, solver, lam)


def _candidates(data, solver, lam):
    scaled = data.scaled(lam)
    rounds = solver.rounds(scaled)
    for _ in range(MAX_ROUNDS):
        if next(rounds, None) is None:
            break
        yield data.exact(solver)
    if not np.any(solver.correlations):
        return
    for it in data.iterates(solver.w * data.w_unit if np.any(solver.w) else None, lam):
        # The next λ starts from this support, wherever the caller stops.
        solver.start(np.where(np.abs(it.w) > NEGLIGIBLE * np.abs(it.w).max(), it.w, 0.0))
        yield data.candidate(it)
