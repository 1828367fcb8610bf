"""Data that break solvers: ill-conditioned, correlated, duplicated, wide, tall, degenerate."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from solvers import Groups


def reference_strength(X, y, groups) -> float:
    """λ₀ = ‖Xu‖²/‖u‖_e², u the feature of each group that correlates most with y."""
    correlations = np.asarray(X.T @ y)
    u = np.zeros(groups.n_features)
    for members in groups.lists():
        top = members[int(np.argmax(np.abs(correlations[members])))]
        u[top] = correlations[top]
    return float(np.sum((X @ u) ** 2) / np.sum(groups.sum(np.abs(u)) ** 2))


def split(n_features, n_groups, overlapping, rng) -> Groups:
    parts = np.array_split(rng.permutation(n_features), n_groups)
    if overlapping:
        extra = max(1, n_features // n_groups)
        parts = [np.union1d(part, rng.choice(n_features, extra, replace=False)) for part in parts]
    return Groups.from_lists([part.tolist() for part in parts], n_features)


def designs() -> dict[str, tuple]:
    """name → (X, number of groups)"""
    rng = np.random.default_rng(5)
    normal = rng.standard_normal
    left, _ = np.linalg.qr(normal((60, 60)))
    right, _ = np.linalg.qr(normal((240, 60)))
    steps = normal((60, 240))
    correlated = steps.copy()
    for column in range(1, 240):
        correlated[:, column] = 0.99 * correlated[:, column - 1] + 0.141 * steps[:, column]
    half = normal((60, 60))
    twice = normal((200, 30))
    return {
        "plain": (normal((60, 240)), 12),
        "condition 1e8": ((left * np.logspace(0, -8, 60)) @ right.T, 12),
        "neighbours .99": (correlated, 12),
        "all pairs .99": (0.995 * normal((60, 1)) + 0.1 * normal((60, 240)), 12),
        "duplicated columns": (np.hstack([half, half, -half, half[:, :30]]), 12),
        "wide": (normal((15, 1200)), 30),
        "tall": (normal((1500, 30)), 5),
        "tall, duplicated columns": (np.hstack([twice, twice]), 6),
        "columns of all sizes": (normal((60, 180)) * np.logspace(-4, 4, 180), 8),
        "sparse": (sparse.random_array((90, 360), density=0.04, rng=1, format="csr"), 15),
        "sparse and wide": (
            sparse.random_array((20, 1500), density=0.05, rng=2, format="csr"),
            30,
        ),
        "one feature a group": (normal((30, 60)), 60),
        "one group": (normal((30, 60)), 1),
        "one sample": (normal((1, 5)), 2),
        "zeros and ones": (rng.integers(0, 2, (50, 120)).astype(float), 10),
        "duplicated samples": (np.vstack([normal((30, 90))] * 2), 8),
        "rank one": (np.outer(normal(40), rng.choice([-1.0, 1.0], 60)), 5),
    }


def response(X, seed=0) -> np.ndarray:
    """A planted model of ten features, and noise of a tenth of the signal."""
    rng = np.random.default_rng(seed)
    w = np.zeros(X.shape[1])
    chosen = rng.choice(w.size, min(10, w.size), replace=False)
    w[chosen] = rng.standard_normal(chosen.size)
    signal = X @ w
    return signal + (0.1 * np.std(signal) + 1e-3) * rng.standard_normal(X.shape[0])
