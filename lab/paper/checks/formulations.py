"""Section 3: reformulations, proximal steps and the dual of E-SVM, on small random problems."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from lab.cones import projections as cones
from solvers import (
    LASSO_METHODS,
    Groups,
    exclusive_norm,
    project_l1_cone,
    project_linf_cone,
    prox_exclusive,
    solve_lasso,
    solve_svm,
)
from solvers.linear_algebra import eigen
from solvers.problems import LassoProblem

SEED = 0


def short(value) -> float:
    return float(f"{float(value):.4g}")


def random_groups(rng, n: int = 12) -> Groups:
    """Overlapping groups that cover everything."""
    lists = [sorted(rng.choice(n, 5, replace=False).tolist()) for _ in range(5)]
    covered = {i for members in lists for i in members}
    return Groups.from_lists([*lists, sorted(set(range(n)) - covered) or [0]], n)


def split(points: int) -> dict:
    """min over w against min over w₊, w₋ ≥ 0, the latter as non-negative least squares."""
    rng = np.random.default_rng(SEED)
    worst = 0.0
    for _ in range(points):
        groups = random_groups(rng)
        X, lam = rng.standard_normal((8, 12)), float(np.exp(rng.normal()))
        y = rng.standard_normal(8)
        A = np.sqrt(lam) * groups.incidence.toarray()
        _, residual = nnls(
            np.block([[X, -X], [A, A]]), np.concatenate([y, np.zeros(groups.n_groups)])
        )
        ours = solve_lasso(X, y, groups, lam, tol=1e-12)
        worst = max(worst, abs(0.5 * residual**2 - ours.objective) / ours.objective)
    return {"points": points, "worst_difference": short(worst)}


def q_matrix(points: int) -> dict:
    """Q as printed against AᵀA, its least eigenvalue, and wᵀQw against ‖w‖_e² for w ≥ 0."""
    rng = np.random.default_rng(SEED)
    wrong, least, worst, singular = 0, np.inf, 0.0, 0
    for _ in range(points):
        groups = random_groups(rng)
        members = [set(group) for group in groups.lists()]
        Q = np.array(
            [[sum(i in g and j in g for g in members) for j in range(12)] for i in range(12)],
            dtype=float,
        )
        A = groups.incidence.toarray()
        wrong += not np.array_equal(Q, A.T @ A)
        eigenvalues, _ = eigen(Q)
        least, singular = min(least, eigenvalues[0]), singular + bool(eigenvalues[0] < 1e-9)
        w = np.abs(rng.standard_normal(12))
        worst = max(worst, abs(w @ Q @ w / exclusive_norm(w, groups) ** 2 - 1.0))
    return {
        "points": points,
        "wrong_elements": wrong,
        "least_eigenvalue": short(least),
        "singular": singular,
        "worst_error": short(worst),
    }


def simple_proxes(points: int) -> dict:
    """Closed forms for the positive cone, ‖·‖₁ and ‖·‖: how far they are from optimality."""
    rng = np.random.default_rng(SEED)
    worst = {"positive cone": 0.0, "l1": 0.0, "l2": 0.0}
    for _ in range(points):
        c, gamma = rng.standard_normal(10), float(np.exp(rng.normal()))
        x = np.maximum(0.0, c)
        # Optimal if and only if x ≥ 0, x − c ≥ 0 and x·(x − c) = 0.
        worst["positive cone"] = max(
            worst["positive cone"], float(np.abs(np.minimum(x, x - c)).max())
        )
        x = np.sign(c) * np.maximum(np.abs(c) - gamma, 0.0)
        slope = (c - x) / gamma
        worst["l1"] = max(
            worst["l1"],
            float(np.abs(slope).max() - 1.0),
            float(np.abs(slope - np.sign(x))[x != 0].max(initial=0.0)),
        )
        length = float(np.linalg.norm(c))
        x = max(0.0, 1.0 - gamma / length) * c
        slope = (c - x) / gamma
        off = np.linalg.norm(slope - x / np.linalg.norm(x)) if x.any() else 0.0
        worst["l2"] = max(worst["l2"], float(np.linalg.norm(slope)) - 1.0, float(off))
    return {"points": points, **{name: short(value) for name, value in worst.items()}}


def prox_by_cone(points: int) -> dict:
    """The prox of γλ/2‖·‖₁² as the projection of (c, 0), and its form as a shrinkage by ζ‖x‖₁."""
    rng = np.random.default_rng(SEED)
    worst, shrinkage = 0.0, 0.0
    for _ in range(points):
        c, zeta = rng.standard_normal(int(rng.integers(1, 12))), float(np.exp(rng.normal()))
        x, _ = project_l1_cone(c, 0.0, zeta)
        prox = prox_exclusive(c, Groups.contiguous(c.size, 1), zeta)
        worst = max(worst, float(np.abs(x - prox).max()))
        soft = np.sign(c) * np.maximum(np.abs(c) - zeta * np.abs(prox).sum(), 0.0)
        shrinkage = max(shrinkage, float(np.abs(soft - prox).max()))
    return {"points": points, "worst_error": short(worst), "worst_shrinkage": short(shrinkage)}


def closed_form(points: int) -> dict:
    """δ = max_j δ_j (and y = max_j y_j) as formulas: the distance to the certified projection."""
    rng = np.random.default_rng(SEED)
    worst = {"l1": 0.0, "linf": 0.0}
    for _ in range(points):
        a = rng.standard_normal(int(rng.integers(1, 9)))
        b, zeta = float(rng.standard_normal()) * a.size, float(np.exp(rng.normal()))
        sums = np.concatenate([[0.0], np.cumsum(np.sort(np.abs(a))[::-1])])
        j = np.arange(sums.size)
        delta = max(0.0, float(np.max(zeta * (sums - b) / (1.0 + zeta * j))))
        x = np.sign(a) * np.maximum(np.abs(a) - delta, 0.0)
        right = cones.project("ℓ1", a, b, zeta)
        worst["l1"] = max(worst["l1"], float(np.abs(x - right.x).max()))
        y = max(0.0, float(np.max((zeta * b + sums) / (zeta + j))))
        x = np.sign(a) * np.minimum(np.abs(a), y)
        right = cones.project("ℓ∞", a, b, zeta)
        worst["linf"] = max(worst["linf"], float(np.abs(x - right.x).max()), abs(y - right.y))
    return {"points": points, **{name: short(value) for name, value in worst.items()}}


def separable(points: int) -> dict:
    """LICP's proximal step, part by part, against the optimality conditions of the whole."""
    rng = np.random.default_rng(SEED)
    worst, wrong_box = 0.0, 0
    for _ in range(points):
        c, ratio = 2.0 * rng.standard_normal(6), float(np.exp(rng.normal()))
        u = np.clip(c, 0.0, 1.0)
        wrong_box += bool(np.any((u - c) * (rng.random(6) - u) < -1e-12))
        for _ in range(3):
            d = rng.standard_normal(5)
            v, _ = project_linf_cone(d, 0.0, ratio)
            # d − v must lie in the subdifferential of ratio/2·‖·‖∞² at v.
            size = float(np.abs(v).max())
            worst = max(
                worst,
                abs(float(np.abs(d - v).sum()) - ratio * size),
                abs(float((d - v) @ v) - ratio * size**2),
            )
    return {"points": points, "worst_residual": short(worst), "wrong_box": wrong_box}


def nonsmooth() -> dict:
    """One-sided slopes at a kink: of ‖w‖_e² where a weight is 0, of the hinge at margin 1."""
    groups = Groups.contiguous(2, 1)
    step = 2.0**-20
    at = np.array([1.0, 0.0])

    def slope(sign):
        moved = exclusive_norm(at + sign * step * np.array([0.0, 1.0]), groups) ** 2
        return sign * (moved - exclusive_norm(at, groups) ** 2) / step

    hinge = [sign * (max(0.0, 1.0 - (1.0 + sign * step)) - 0.0) / step for sign in (-1.0, 1.0)]
    return {"norm": [short(slope(-1.0)), short(slope(1.0))], "hinge": [short(v) for v in hinge]}


def overlapped_prox(points: int) -> dict:
    """The prox with overlapping groups is E-LASSO with X = I: how many Newton systems it takes."""
    rng = np.random.default_rng(SEED)
    most, worst = 0, 0.0
    for _ in range(points):
        n = 200
        lists = [sorted(rng.choice(n, 30, replace=False).tolist()) for _ in range(20)]
        own = [list(range(10 * k, 10 * (k + 1))) for k in range(20)]
        groups = Groups.from_lists([sorted({*a, *b}) for a, b in zip(lists, own, strict=True)], n)
        found = solve_lasso(np.eye(n), rng.standard_normal(n), groups, 1.0, tol=1e-9)
        most, worst = max(most, found.n_iter), max(worst, found.gap)
    return {"points": points, "most_iterations": most, "worst_gap": short(worst)}


def theorem_4(points: int) -> dict:
    """E-SVM, disjoint and overlapping: primal against dual value, and w from (u*, v*) against w*.

    u comes from the certified solution's margins, v^g = β‖w_g‖₁·sgn(w_g); the recovered w is
    α⁻¹(Zu − Σ v̄). The optimum of the dual is the primal optimum where the gap is 0.
    """
    rng = np.random.default_rng(SEED)
    worst_gap, worst_w = 0.0, 0.0
    for number in range(points):
        groups = random_groups(rng) if number % 2 else Groups.random(12, 3, rng)
        X = rng.standard_normal((15, 12))
        y = np.where(rng.random(15) < 0.5, -1.0, 1.0)
        alpha, beta = float(np.exp(rng.normal())), float(np.exp(rng.normal()))
        found = solve_svm(X, y, groups, alpha, beta, tol=1e-10)
        worst_gap = max(worst_gap, found.gap)
        worst_w = max(worst_w, _recovered(X, y, groups, alpha, beta, found.w))
    return {"points": points, "worst_gap": short(worst_gap), "worst_recovered": short(worst_w)}


def _recovered(X, y, groups: Groups, alpha, beta, w) -> float:
    """The least ‖w − α⁻¹(Zu − Σ v̄)‖ over u in the box and v^g ∈ β‖w_g‖₁·∂‖w_g‖₁, relative.

    Where a margin is 1, u is free in [0, 1]; where a weight is 0, v is free in an interval.
    """
    from scipy.optimize import lsq_linear

    Z = (X * y[:, None]).T
    margins, n = Z.T @ w, w.size
    columns, low, high, known = [], [], [], np.zeros(n)
    tied = np.abs(margins - 1.0) < 1e-6
    known += Z[:, (margins < 1.0) & ~tied].sum(axis=1)
    for k in np.flatnonzero(tied):
        columns.append(Z[:, k])
        low.append(0.0)
        high.append(1.0)
    zero = np.abs(w) < 1e-7 * np.abs(w).max()
    height = groups.sum(np.abs(w))
    weight = beta * groups.spread(height)
    known -= np.where(zero, 0.0, weight * np.sign(w))
    for k in np.flatnonzero(zero):
        columns.append(-np.eye(n)[k])
        low.append(-weight[k] - 1e-12)
        high.append(weight[k] + 1e-12)
    target = alpha * w - known
    if not columns:
        return float(np.linalg.norm(target) / (alpha * np.linalg.norm(w)))
    found = lsq_linear(np.array(columns).T, target, (low, high), tol=1e-14)
    return float(np.sqrt(2.0 * found.cost) / (alpha * np.linalg.norm(w)))


def locp_unavailable() -> dict:
    """What LOCP answers to overlapping groups."""
    groups = Groups.from_lists([[0, 1], [1, 2]], 3)
    problem = LassoProblem(np.eye(3), np.ones(3), groups, 1.0)
    return {"reason": LASSO_METHODS["locp"].accepts(problem)}
