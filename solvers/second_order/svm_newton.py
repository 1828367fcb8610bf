"""E-SVM for disjoint groups: quasi-Newton steps find the pieces, Newton steps land on the solution.

    minimise  f(u) = Ω*(Zu) − 1ᵀu   over  0 ≤ u ≤ ω  (and yᵀu = 0 with an intercept)

f is piecewise quadratic. With S the support of w(u) and σ its signs, its Hessian is
Z_Sᵀ(I − Σ_g c_g σ_gσ_gᵀ)Z_S/α, c_g = β/(α + β|S_g|): a matrix of the size of the free samples.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import sparse

from ..formulations import multipliers_off_margin
from ..method import Method
from .newton_system import solve_cholesky
from .svm_interior import interior_fits, longest_step, svm_interior_point
from .svm_quasi_newton import DualPoint, ProjectedQuasiNewton


def curvature_matrix(problem, w, rows):
    """Hessian of f in θ = y∘u at support and signs of w, restricted to rows.

    Built as BBᵀ with B = X_S(I − Σ_g γ_g σ_gσ_gᵀ), the symmetric square root, so it cannot lose
    definiteness to cancellation however large β/α is.
    """
    alpha, beta = problem.alpha, problem.beta
    groups = problem.groups
    support = np.flatnonzero(w)
    labels = groups.labels[support]
    count = np.bincount(labels, minlength=groups.n_groups)[labels]
    shrink = (1.0 - np.sqrt(alpha / (alpha + beta * count))) / count
    by_feature = problem.design.columns(support).T
    if rows.size < by_feature.shape[1]:
        by_feature = by_feature[:, rows]
    by_feature = np.ascontiguousarray(by_feature)
    present, group_of = np.unique(labels, return_inverse=True)
    shape = (present.size, support.size)
    features = np.arange(support.size)
    signs = np.sign(w[support])
    gather = sparse.csr_array((signs, (group_of, features)), shape=shape)
    scatter = sparse.csr_array((signs * shrink, (features, group_of)), shape=shape[::-1])
    by_feature -= scatter @ (gather @ by_feature)
    by_feature /= np.sqrt(alpha)
    return by_feature.T @ by_feature


def _cholesky(matrix):
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return None


def solve_box_qp(K, linear, start, lower, upper, balanced, max_passes=12):
    """Primal–dual active set for

        minimise ½θᵀKθ + linearᵀθ  over  lower ≤ θ ≤ upper (and 1ᵀθ = const with an intercept).

    Returns the exact solution, or None if the sets do not settle
    (the method has no guarantee for a general K: the caller falls back).
    """
    diagonal = np.diagonal(K).copy()
    if not np.all(diagonal > 0):
        return None
    total = start.sum()
    theta, shift = start, 0.0
    slope = K @ theta + linear
    if balanced:
        free = (theta > lower) & (theta < upper)
        shift = -float(np.mean(slope[free])) if free.any() else 0.0
    previous = None
    for _ in range(max_passes):
        aim = theta - (slope + shift) / diagonal
        at_lower, at_upper = aim <= lower, aim >= upper
        settled = np.concatenate([at_lower, at_upper])
        if previous is not None and np.array_equal(settled, previous):
            return np.clip(theta, lower, upper)
        previous = settled
        free = np.flatnonzero(~(at_lower | at_upper))
        theta = np.where(at_upper, upper, np.where(at_lower, lower, 0.0))
        if free.size:
            fixed = K @ theta if theta.any() else np.zeros_like(theta)
            right = -(linear + fixed)[free]
            block = K if free.size == theta.size else K[np.ix_(free, free)]
            factor = _cholesky(block)
            if factor is None:
                return None
            if balanced:
                sides = np.column_stack([right, np.ones(free.size)])
                both = solve_cholesky(factor, sides)
                shift = (both[:, 0].sum() + theta.sum() - total) / both[:, 1].sum()
                theta[free] = both[:, 0] - shift * both[:, 1]
            else:
                theta[free] = solve_cholesky(factor, right)
        elif balanced and abs(theta.sum() - total) > 1e-12 * np.abs(theta).sum():
            return None
        if not np.all(np.isfinite(theta)):
            return None
        slope = K @ theta + linear
    return None


def interior_box_qp(K, linear, start, lower, upper, balanced, max_iter=40):
    """The same problem by an interior point on K alone: slower, but indifferent to K's rank."""
    size = linear.size
    width = upper - lower
    if not np.all(width > 0):
        return None
    total = start.sum()
    x = np.clip(start, lower + 0.02 * width, upper - 0.02 * width)
    zl = np.full(size, max(1.0, float(np.abs(linear).max())))
    zu, shift = zl.copy(), 0.0
    below, above = x - lower, upper - x
    for _ in range(max_iter):
        residual = K @ x + linear + shift - zl + zu
        missing = x.sum() - total if balanced else 0.0
        product = below @ zl + above @ zu
        mu = product / (2 * size)
        small = product <= 1e-13 * (np.abs(linear) @ np.abs(x)) + 1e-300
        if small and np.abs(residual).max() <= 1e-11:
            break
        matrix = K.copy()
        matrix[np.diag_indices(size)] += zl / below + zu / above
        factor = _cholesky(matrix)
        if factor is None:
            break
        ones = solve_cholesky(factor, np.ones(size)) if balanced else None

        direction = partial(_box_direction, factor, ones, residual, missing, (below, above, zl, zu))
        step, dx, dshift, dl, du = direction(-below * zl, -above * zu)
        ahead = (below + step * dx) @ (zl + step * dl) + (above - step * dx) @ (zu + step * du)
        aim = mu * min(1.0, ahead / product) ** 3
        step, dx, dshift, dl, du = direction(aim - below * zl - dx * dl, aim - above * zu + dx * du)
        step = 0.995 * step if step < 1.0 else 1.0
        if not (np.isfinite(step) and np.all(np.isfinite(dx)) and step > 1e-10):
            break
        x, below, above = x + step * dx, below + step * dx, above - step * dx
        zl, zu, shift = zl + step * dl, zu + step * du, shift + step * dshift
    # Snap what has converged to a bound, so that the sample counts as held there.
    x = np.where(below < 1e-9 * width, lower, x)
    x = np.where(above < 1e-9 * width, upper, x)
    return x


def _box_direction(factor, ones, residual, missing, barrier, cl, cu):
    below, above, zl, zu = barrier
    dx = solve_cholesky(factor, cl / below - cu / above - residual)
    dshift = 0.0
    if ones is not None:
        dshift = (dx.sum() + missing) / ones.sum()
        dx = dx - dshift * ones
    dl, du = (cl - zl * dx) / below, (cu + zu * dx) / above
    step = min(
        longest_step(below, dx),
        longest_step(above, -dx),
        longest_step(zl, dl),
        longest_step(zu, du),
    )
    return step, dx, dshift, dl, du


def polish(problem, w, u):
    """The exact dual solution on the piece of f given by support and signs of w, starting from u.

    On one piece f(u) = ½uᵀKu − 1ᵀu without further terms, because Ω* is 2-homogeneous. Returns u
    itself where the small problem fails; the caller compares the two.
    """
    y, weight = problem.y, problem.sample_weight
    if not w.any() or not _newton_fits(y.size, w):
        return u
    size = y.size
    K = curvature_matrix(problem, w, np.arange(size))
    mean = np.trace(K) / size
    if problem.fit_intercept:
        K += mean / size
    K[np.diag_indices(size)] += 1e-12 * mean
    lower, upper = np.where(y > 0, 0.0, -weight), np.where(y > 0, weight, 0.0)
    start = y * problem.project_dual(np.where(u < 1e-6 * u.max(), 0.0, u))
    solution = solve_box_qp(K, -y, start, lower, upper, problem.fit_intercept)
    if solution is None:
        solution = interior_box_qp(K, -y, start, lower, upper, problem.fit_intercept)
    return u if solution is None else problem.project_dual(y * solution)


def newton_step(point, keep_within=0.5, damping=1e-12):
    """Minimise the local quadratic model of f over the feasible set, then f on the segment to it.

    Samples at a bound whose margin is further than keep_within from leaving it stay there. Returns
    the step taken: 1 means that the model's solution was accepted whole, 0 that nothing descended.
    """
    problem, y = point.problem, point.y
    weight = problem.sample_weight
    slope = point.reduced_gradient()
    held = ((point.u <= 0) & (slope > keep_within)) | ((point.u >= weight) & (slope < -keep_within))
    rows = np.flatnonzero(~held)
    if rows.size == 0 or not point.w.any():
        return 0.0
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
    solution = solve_box_qp(K, linear, theta, lower, upper, problem.fit_intercept)
    if solution is None:
        solution = interior_box_qp(K, linear, theta, lower, upper, problem.fit_intercept)
    if solution is None:
        return 0.0
    target = point.u.copy()
    target[rows] = y[rows] * solution
    return point.move(problem.project_dual(target))


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
        step = newton_step(point) if _newton_fits(point.y.size, point.w) else 0.0
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


def _newton_fits(n_samples, w, largest_table=1e8, largest_system=5000):
    """Whether the columns of w's support and a matrix of all samples are affordable."""
    return n_samples <= largest_system and n_samples * np.count_nonzero(w) <= largest_table


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
