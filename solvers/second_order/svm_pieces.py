"""The pieces on which the E-SVM's dual is quadratic, for disjoint groups, and their minimisers.

    minimise  f(u) = Ω*(Zu) − 1ᵀu   over  0 ≤ u ≤ ω  (and yᵀu = 0 with an intercept)

With S the support of w(u), the Hessian of f is Z_Sᵀ(I − Σ_g c_g σ_gσ_gᵀ)Z_S/α with
c_g = β/(α + β‖σ_g‖²), σ_gi = A_gi·sgn(wᵢ).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ..linear_algebra import cholesky


def longest_step(x, dx):
    """Largest step in [0, 1] that keeps x + step·dx ≥ 0."""
    shrinking = dx < 0
    if not shrinking.any():
        return 1.0
    return min(1.0, float(np.min(-x[shrinking] / dx[shrinking])))


def curvature_matrix(problem, w, rows):
    """Hessian of f in θ = y∘u at support and signs of w, restricted to rows.

    Built as BBᵀ with B = X_S(I − Σ_g γ_g σ_gσ_gᵀ), the symmetric square root, so it cannot lose
    definiteness to cancellation however large β/α is.
    """
    alpha, beta = problem.alpha, problem.beta
    groups = problem.groups
    support = np.flatnonzero(w)
    support = support[np.argsort(groups.labels[support], kind="stable")]
    labels = groups.labels[support]
    signs = np.sign(w[support]) * np.sqrt(problem.geometry.column_squares[support])
    square = np.bincount(labels, weights=signs * signs, minlength=groups.n_groups)[labels]
    shrink = 1.0 - np.sqrt(alpha / (alpha + beta * square))
    np.divide(shrink, square, out=shrink, where=square > 0.0)
    by_feature = problem.design.columns(support).T
    if rows.size < by_feature.shape[1]:
        by_feature = by_feature[:, rows]
    by_feature = np.ascontiguousarray(by_feature)
    first = np.diff(labels, prepend=-1) > 0
    sums = np.add.reduceat(signs[:, None] * by_feature, np.flatnonzero(first), axis=0)
    by_feature -= (signs * shrink)[:, None] * sums[np.cumsum(first) - 1]
    by_feature /= np.sqrt(alpha)
    return by_feature.T @ by_feature


def minimise_in_box(K, linear, start, lower, upper, balanced, *, persistent=True):
    """The minimiser over the box, or None, and how many systems of K's size it took.

    `persistent` also tries the way that always works, at about `BOX_SYSTEMS` systems.
    """
    solution, systems = solve_box_qp(K, linear, start, lower, upper, balanced)
    if solution is None and persistent:
        solution, more = interior_box_qp(K, linear, start, lower, upper, balanced)
        systems += more
    return solution, systems


BOX_SYSTEMS = 25


def solve_box_qp(K, linear, start, lower, upper, balanced, max_passes=12):
    """Primal–dual active set for

        minimise ½θᵀKθ + linearᵀθ  over  lower ≤ θ ≤ upper (and 1ᵀθ = const with an intercept).

    Returns the exact solution, or None if the sets do not settle (the method has no guarantee for
    a general K: the caller falls back), and how many systems were solved.
    """
    diagonal = np.diagonal(K).copy()
    if not np.all(diagonal > 0):
        return None, 0
    total = start.sum()
    theta, shift = start, 0.0
    slope = K @ theta + linear
    if balanced:
        free = (theta > lower) & (theta < upper)
        shift = -float(np.mean(slope[free])) if free.any() else 0.0
    previous = None
    for systems in range(max_passes):
        aim = theta - (slope + shift) / diagonal
        at_lower, at_upper = aim <= lower, aim >= upper
        settled = np.concatenate([at_lower, at_upper])
        if previous is not None and np.array_equal(settled, previous):
            return np.clip(theta, lower, upper), systems
        previous = settled
        free = np.flatnonzero(~(at_lower | at_upper))
        theta = np.where(at_upper, upper, np.where(at_lower, lower, 0.0))
        if free.size:
            fixed = K @ theta if theta.any() else np.zeros_like(theta)
            right = -(linear + fixed)[free]
            block = K if free.size == theta.size else K[np.ix_(free, free)]
            factor = cholesky(block)
            if factor is None:
                return None, systems
            if balanced:
                sides = np.column_stack([right, np.ones(free.size)])
                both = factor.solve(sides)
                shift = (both[:, 0].sum() + theta.sum() - total) / both[:, 1].sum()
                theta[free] = both[:, 0] - shift * both[:, 1]
            else:
                theta[free] = factor.solve(right)
        elif balanced and abs(theta.sum() - total) > 1e-12 * np.abs(theta).sum():
            return None, systems
        if not np.all(np.isfinite(theta)):
            return None, systems
        slope = K @ theta + linear
    return None, max_passes


def interior_box_qp(K, linear, start, lower, upper, balanced, max_iter=40):
    """The same problem by an interior point on K alone: slower, but indifferent to K's rank."""
    size = linear.size
    width = upper - lower
    if not np.all(width > 0):
        return None, 0
    total = start.sum()
    x = np.clip(start, lower + 0.02 * width, upper - 0.02 * width)
    zl = np.full(size, max(1.0, float(np.abs(linear).max())))
    zu, shift = zl.copy(), 0.0
    below, above = x - lower, upper - x
    systems = 0
    while systems < max_iter:
        residual = K @ x + linear + shift - zl + zu
        missing = x.sum() - total if balanced else 0.0
        product = below @ zl + above @ zu
        mu = product / (2 * size)
        small = product <= 1e-13 * (np.abs(linear) @ np.abs(x)) + 1e-300
        if small and np.abs(residual).max() <= 1e-11:
            break
        matrix = K.copy()
        matrix[np.diag_indices(size)] += zl / below + zu / above
        factor = cholesky(matrix)
        systems += 1
        if factor is None:
            break
        ones = factor.solve(np.ones(size)) if balanced else None

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
    return x, systems


def _box_direction(factor, ones, residual, missing, barrier, cl, cu):
    below, above, zl, zu = barrier
    dx = factor.solve(cl / below - cu / above - residual)
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
    if not w.any() or not newton_fits(y.size, w):
        return u
    size = y.size
    K = curvature_matrix(problem, w, np.arange(size))
    mean = np.trace(K) / size
    if problem.fit_intercept:
        K += mean / size
    K[np.diag_indices(size)] += 1e-12 * mean
    lower, upper = np.where(y > 0, 0.0, -weight), np.where(y > 0, weight, 0.0)
    start = y * problem.project_dual(np.where(u < 1e-6 * u.max(), 0.0, u))
    solution, _ = minimise_in_box(K, -y, start, lower, upper, problem.fit_intercept)
    return u if solution is None else problem.project_dual(y * solution)


def newton_fits(n_samples, w, largest_table=1e8, largest_system=5000):
    """Whether the columns of w's support and a matrix of all samples are affordable."""
    return n_samples <= largest_system and n_samples * np.count_nonzero(w) <= largest_table
