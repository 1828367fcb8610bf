"""Groups that are partly wrong: a share of the features stands in the group of another."""

from __future__ import annotations

import numpy as np

from solvers import Groups


def with_wrong_groups(groups: Groups, share: float, seed: int) -> Groups:
    """Disjoint groups, of which a share of the features swapped places; sizes stay as they are

    The chosen features are shuffled among their own places, so a few may meet their old group; at
    share 1 the groups are random.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must lie between 0 and 1, got {share}.")
    if groups.overlapping:
        raise ValueError("only disjoint groups can have features that changed their group.")
    labels = np.empty(groups.n_features, dtype=int)
    labels[groups.indices] = groups.member_groups
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(groups.n_features)[: round(share * groups.n_features)]
    labels[chosen] = labels[rng.permutation(chosen)]
    return groups if share == 0.0 else Groups.from_labels(labels)
