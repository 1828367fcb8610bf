"""E-SVM for disjoint groups: quasi-Newton steps find the pieces, Newton steps land on the solution.

    minimise  f(u) = Ω*(Zu) − 1ᵀu   over  0 ≤ u ≤ ω  (and yᵀu = 0 with an intercept)

f is piecewise quadratic. With S the support of w(u) and σ its signs, its Hessian is
Z_Sᵀ(I − Σ_g c_g σ_gσ_gᵀ)Z_S/α, c_g = β/(α + β‖σ_g‖²), σ_gi = A_gi·sgn(wᵢ): a matrix of the size of
the free samples.
"""

from __future__ import annotations

import numpy as np

from ..first_order.formulations import multipliers_off_margin
from ..method import Method
from .svm_interior import interior_fits, svm_interior_point
from .svm_pieces import curvature_matrix, minimise_in_box, newton_fits, polish
from .svm_quasi_newton import DualPoint, ProjectedQuasiNewton


def newton_step(point, keep_within=0.5, damping=1e-12, *, persistent=True):
    """Minimise the local quadratic model of f over the feasible set, then f on the segment to it.

    Samples at a bound whose margin is further than keep_within from leaving it stay there. Returns
    the step taken (1 means that the model's solution was accepted whole, 0 that nothing descended)
    and how many linear systems that took.
    """
    problem, y = point.problem, point.y
    weight = problem.sample_weight
    rows = point.near_margin(keep_within)
    if rows.size == 0 or not point.w.any():
        return 0.0, 0
    K = curvature_matrix(problem, point.w, rows)
    size = rows.size
    mean = np.trace(K) / size
    if problem.fit_intercept:
        # Centred columns make K·1 = 0; a multiple of 11ᵀ is free because 1ᵀθ is fixed.
        K += mean / size
    K[np.diag_indices(size)] += damping * mean
    theta = (y * point.u)[rows]
    linear = (y * point.gradient)[rows] - K @ theta
    lower = np.where(y > 0, 0.0, -weight)[rows]
    upper = np.where(y > 0, weight, 0.0)[rows]
    solution, systems = minimise_in_box(
        K, linear, theta, lower, upper, problem.fit_intercept, persistent=persistent
    )
    if solution is None:
        return 0.0, systems
    target = point.u.copy()
    target[rows] = y[rows] * solution
    return point.move(problem.project_dual(target)), systems


# A Newton step shorter than this means that the pieces of f are far smaller than the way to go:
# measured, the interior point is then faster.
_SHORT_STEP = 0.1
_TRIES = 12


def _dual_newton(problem, w0=None):
    """Reaches 1e-8 in a few dozen products with X and two to five Newton systems, β/α moderate.

    Quasi-Newton steps (two products with X each) find the support; Newton steps (one Gram matrix
    of the support's columns and a few Cholesky factorisations each) finish exactly. A start w0
    replaces the first of them: its support and signs are one piece of f, solved exactly. Where
    Newton steps stay short, groups overlap or the samples outnumber the features, the interior
    point takes over, which gains nothing from a start.
    """
    able = interior_fits(problem)
    if not prefers_interior(problem):
        start = None
        if w0 is not None and w0.any():
            start = polish(problem, w0, multipliers_off_margin(problem, w0))
        yield from newton_phase(problem, start, able_to_leave=able)
    if able:
        yield from svm_interior_point(problem, w0)


def prefers_interior(problem):
    """Overlapping groups have no closed-form w(u); n < N makes the interior systems small."""
    n_samples, n_features = problem.design.shape
    return problem.groups.overlapping or (n_features < n_samples and interior_fits(problem))


def newton_phase(problem, start_dual=None, able_to_leave=True, first=20, between=8):
    """Quasi-Newton and Newton steps on u; ends on a stall, if able_to_leave on short steps too."""
    point = DualPoint(problem, start_dual)
    quasi = ProjectedQuasiNewton(point)
    yield point.candidate
    wait = first if start_dual is None else 0
    tries = idle = 0
    while True:
        for _ in range(wait):
            if not quasi.step():
                break
            yield point.candidate
        before = point.gap()
        step = newton_step(point)[0] if newton_fits(point.y.size, point.w) else 0.0
        if step == 0.0:
            point.recompute()
            moved = quasi.step()
        yield point.candidate
        if step == 0.0 and not moved:
            return
        tries += step < 0.9
        wait = 0 if step >= 0.9 else between
        if able_to_leave and (step < _SHORT_STEP or tries > _TRIES):
            return
        idle = idle + 1 if point.gap() >= 0.5 * before else 0
        if idle and step >= 0.9:
            # Whole Newton steps that gain nothing: rounding in v, or the end of double precision.
            point.recompute()
            if idle > 3:
                return


def _solvable(problem) -> str | None:
    if problem.groups.overlapping and not interior_fits(problem):
        return "groups overlap, and the dense Newton systems would be too large for these data"
    return None


svm_newton = Method(
    "newton",
    "Dual Newton",
    "this software; projected quasi-Newton and semismooth Newton on the dual, then interior point",
    _dual_newton,
    accepts=_solvable,
    max_iter=5000,
    few_iterations=True,
)
