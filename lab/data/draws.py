"""Parts of the generators: where the truth is, how features go together, groups that overlap."""

from __future__ import annotations

import numpy as np

from solvers import Groups


def nonzeros_in_groups(groups: Groups, per_group: int, rng) -> np.ndarray:
    """w with `per_group` entries N(0, 1) at random places of each of the disjoint groups."""
    if not 1 <= per_group <= groups.sizes.min():
        raise ValueError(
            f"each group needs between 1 and {groups.sizes.min()} nonzeros (its size), "
            f"got {per_group}."
        )
    # Random keys sorted inside each group shuffle all groups at once.
    order = np.lexsort((rng.random(groups.n_features), groups.member_groups))
    first = groups.indptr[:-1, None] + np.arange(per_group)
    chosen = groups.indices[order[first.reshape(-1)]]
    w = np.zeros(groups.n_features)
    w[chosen] = rng.standard_normal(chosen.size)
    return w


def with_extras(partition: Groups, extras: int, rng) -> Groups:
    """Each group of a partition plus that many random features of the other groups."""
    if extras == 0:
        return partition
    others = partition.n_features - int(partition.sizes.max())
    if not 0 < extras <= others:
        raise ValueError(
            f"extras must be between 0 and {others}, the number of features outside a group, "
            f"got {extras}."
        )
    lists = []
    for members in partition.lists():
        outside = np.setdiff1d(np.arange(partition.n_features), members, assume_unique=True)
        lists.append([*members, *rng.choice(outside, extras, replace=False).tolist()])
    return Groups.from_lists(lists, partition.n_features)


def ar1_columns(rng, shape, rho) -> np.ndarray:
    if not -1.0 < rho < 1.0:
        raise ValueError(f"rho must lie strictly between −1 and 1, got {rho}.")
    X = rng.standard_normal(shape)
    if rho == 0.0:
        return X
    fresh = np.sqrt(1.0 - rho * rho)
    for j in range(1, shape[1]):
        X[:, j] = rho * X[:, j - 1] + fresh * X[:, j]
    return X


def spread_along(w, rho) -> float:
    """√(wᵀΣw), Σᵢⱼ = ρ^|i−j|: the standard deviation of wᵀx for a row x of `ar1_columns`."""
    if rho == 0.0:
        return float(np.linalg.norm(w))
    support = np.flatnonzero(w)
    distances = np.abs(np.subtract.outer(support, support))
    return float(np.sqrt(w[support] @ np.power(rho, distances) @ w[support]))


def of_correlation(rho) -> str:
    return f", neighbours correlated by {rho:g}" if rho else ""


def equicorrelated_columns(rng, shape, rho) -> np.ndarray:
    """Rows ~ N(0, (1 − ρ)I + ρ11ᵀ): the square root of that matrix is a·I + b·11ᵀ/k."""
    k = shape[1]
    least = -1.0 / (k - 1) if k > 1 else -1.0
    if not least <= rho <= 1.0:
        raise ValueError(
            f"{k} features can share a correlation of {least:.3g} to 1 only, got rho={rho}."
        )
    Z = rng.standard_normal(shape)
    own = np.sqrt(1.0 - rho) if k > 1 else 1.0
    shared = np.sqrt(max(1.0 + (k - 1) * rho, 0.0)) if k > 1 else 1.0
    return own * Z + (shared - own) * Z.mean(axis=1, keepdims=True)


def in_words(groups: Groups) -> str:
    kind = "overlapping " if groups.overlapping else ""
    low, high = int(groups.sizes.min()), int(groups.sizes.max())
    size = f"{low}" if low == high else f"{low} to {high}"
    return f"{groups.n_groups} {kind}groups of {size}"
