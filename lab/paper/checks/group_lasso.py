"""Section 2: the group lasso by shrinking whole groups, and by ADMM where groups overlap."""

from __future__ import annotations

import numpy as np

from lab.paper.checks.formulations import random_groups, short
from solvers.linear_algebra import cholesky

SEED = 0
_ROUNDS = 3000


def shrink(c: np.ndarray, by: float) -> np.ndarray:
    """What soft-thresholding is to a number, for a group as one element."""
    length = float(np.linalg.norm(c))
    return np.zeros_like(c) if length <= by else (1.0 - by / length) * c


def certified_gap(X, y, w, lam: float, members: list[np.ndarray], duals: list[np.ndarray]) -> float:
    """Of ½‖Xw − y‖² + λ Σ_g ‖w_g‖, relative: duals v^g are made to add up to Xᵀ(y − Xw) first."""
    residual = y - X @ w
    total, covered = X.T @ residual, np.zeros(w.size, dtype=bool)
    fitted = [dual.copy() for dual in duals]
    for g, dual in zip(members, fitted, strict=True):
        total[g] -= dual
    for g, dual in zip(members, fitted, strict=True):
        first = g[~covered[g]]
        dual[~covered[g]] += total[first]
        covered[g] = True
    scale = min(1.0, lam / max(float(np.linalg.norm(dual)) for dual in fitted))
    penalty = lam * sum(float(np.linalg.norm(w[g])) for g in members)
    primal = 0.5 * float(residual @ residual) + penalty
    theta = scale * residual
    return (primal - (float(theta @ y) - 0.5 * float(theta @ theta))) / primal


def disjoint(X, y, lam: float, members: list[np.ndarray]) -> float:
    """Proximal gradient steps, a group as an element: the certified gap at the end."""
    step, w = 1.0 / float(np.linalg.norm(X, 2)) ** 2, np.zeros(X.shape[1])
    for _ in range(_ROUNDS):
        c = w - step * (X.T @ (X @ w - y))
        for g in members:
            w[g] = shrink(c[g], step * lam)
    slope = X.T @ (y - X @ w)
    return certified_gap(X, y, w, lam, members, [slope[g] for g in members])


def overlapping(X, y, lam: float, members: list[np.ndarray]) -> float:
    """ADMM with a copy of every group, whose step is that of groups without overlaps."""
    n = X.shape[1]
    times = np.bincount(np.concatenate(members), minlength=n).astype(float)
    system = cholesky(X.T @ X + np.diag(times))
    copies = [np.zeros(g.size) for g in members]
    duals = [np.zeros(g.size) for g in members]
    w = np.zeros(n)
    for _ in range(_ROUNDS):
        right = X.T @ y
        for g, copy, dual in zip(members, copies, duals, strict=True):
            right[g] += copy - dual
        w = system.solve(right)
        for g, copy, dual in zip(members, copies, duals, strict=True):
            copy[:] = shrink(w[g] + dual, lam)
            dual += w[g] - copy
    return certified_gap(X, y, w, lam, members, duals)


def by_shrinking_groups(points: int) -> dict:
    rng = np.random.default_rng(SEED)
    worst = {"disjoint": 0.0, "overlapping": 0.0}
    for _ in range(points):
        X, y = rng.standard_normal((20, 12)), rng.standard_normal(20)
        lam = float(rng.uniform(0.5, 3.0))
        apart = np.array_split(rng.permutation(12), 4)
        worst["disjoint"] = max(worst["disjoint"], disjoint(X, y, lam, apart))
        across = [np.array(group) for group in random_groups(rng).lists()]
        worst["overlapping"] = max(worst["overlapping"], overlapping(X, y, lam, across))
    return {"points": points, **{name: short(gap) for name, gap in worst.items()}}
