"""The paper's four sentences about Figure 1, each held against what a panel shows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from lab.norms.shown import Shown
from lab.words import counted

# The paper's words (Section 1), cut to fit over a panel; `RULES` has them whole.
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "l2": "does not enforce sparsity",
        "l1": "sparse, but no structural pattern",
        "l21": "nonzeros concentrate in the same group",
        "le": "dense in the group level, sparse inside",
    }
)
# "Sparse" means at most this share of the weights.
SPARSE = 0.5

RULES = """
**The paper's sentences, and when they are ticked.** “The ℓ2 norm does not enforce sparsity
(actually usually leads to a dense solution)”: no weight is 0. “The ℓ1 norm enforces a sparse
solution but has no any structural pattern”: at most half of the weights are left, no group is kept
whole, and one group holds at least two more of them than another. “The ℓ2,1 norm enforces a group
sparsity, i.e., nonzeros concentrate in the same group”: some weights are dropped, and what is left
is whole groups. “The ℓe norm provides a dense solution in the group level but a sparse solution
inside of groups”: every group has a weight, and at most half of all weights are left.
"""


def is_seen(fit: Shown) -> bool:
    """Whether a panel shows what the paper says of its norm."""
    return _RULES[fit.norm](fit)


def evidence(fit: Shown) -> str:
    """The numbers that decide it."""
    least, most = int(fit.counts.min()), int(fit.counts.max())
    kept = fit.pattern.nonzeros
    if fit.norm == "l2":
        dropped = fit.pattern.weights.size - kept
        return f"{counted(dropped, 'weight')} at 0" if dropped else "no weight is 0"
    if fit.norm == "l21":
        whole = int(_whole(fit).sum())
        return f"{counted(whole, 'group')} whole, {fit.pattern.n_empty} empty"
    if least == most:
        return f"{counted(most, 'weight')} in every group"
    return f"{least} to {counted(most, 'weight')} a group"


def _sparse(fit: Shown) -> bool:
    return 0 < fit.pattern.nonzeros <= SPARSE * fit.pattern.weights.size


def _whole(fit: Shown) -> np.ndarray:
    return fit.counts == fit.pattern.groups.sizes


def _dense(fit: Shown) -> bool:
    return fit.pattern.nonzeros == fit.pattern.weights.size


def _without_pattern(fit: Shown) -> bool:
    uneven = fit.counts.max() - fit.counts.min() >= 2
    return _sparse(fit) and bool(uneven) and not _whole(fit).any()


def _concentrated(fit: Shown) -> bool:
    """Also where groups overlap: what is kept is a union of groups, and not all of them."""
    groups, kept = fit.pattern.groups, fit.pattern.weights != 0.0
    union = groups.incidence.T @ _whole(fit).astype(float) > 0.0
    return bool(kept.any() and not kept.all() and (union == kept).all())


def _in_every_group(fit: Shown) -> bool:
    return fit.pattern.n_empty == 0 and _sparse(fit)


_RULES = {"l2": _dense, "l1": _without_pattern, "l21": _concentrated, "le": _in_every_group}
