"""What is shown of four paths for one λ: a look-up, at equal shares or at equal sparsity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lab.drawing.theme import NORM_LABELS
from lab.norms.paths import SHARES, NormPath, Paths
from lab.pattern import Pattern

# What a fit is worth, by the names of the page.
F1, ERROR = "support F1", "test error"


@dataclass(frozen=True, eq=False)
class Shown:
    """One norm's fit as a panel of Figure 1 shows it."""

    norm: str
    share: float
    lam: float
    pattern: Pattern
    grid: np.ndarray
    gap: float
    f1: float
    error: float

    @property
    def label(self) -> str:
        return NORM_LABELS[self.norm]

    @cached_property
    def counts(self) -> np.ndarray:
        """Nonzeros of each group."""
        return self.pattern.groups.sum((self.pattern.weights != 0.0).astype(float)).astype(int)


def look_up(paths: Paths, share: float, matched: bool) -> dict[str, Shown]:
    """The four fits at one share of each norm's scale, or at as many nonzeros as ℓe has there

    Matched means nearest on the path, the strongest penalty first: ℓ2,1 moves by whole groups. ℓ2
    has no zeros to count, so its training loss is matched instead.
    """
    shown = {}
    leader = paths.by_norm["le"]
    k = leader.index(share)
    for norm, path in paths.by_norm.items():
        at = path.index(share)
        if matched and norm == "l2":
            at = _nearest(path.losses, leader.losses[k])
        elif matched and norm != "le":
            # w = 0 is no pattern to compare, however near its count may be.
            counts = np.where(path.nonzeros > 0, path.nonzeros, -np.inf)
            at = _nearest(counts, leader.nonzeros[k])
        shown[norm] = _shown(paths, path, at)
    return shown


def along(paths: Paths, matched: bool) -> dict[str, dict[str, Shown]]:
    """What `look_up` shows at every stop of the slider."""
    return {share: look_up(paths, float(share), matched) for share in SHARES}


def _nearest(values, wanted) -> int:
    distance = np.abs(values - wanted)
    return int(np.flatnonzero(distance == distance.min())[-1])


def _shown(paths, path, at) -> Shown:
    return Shown(
        path.norm,
        float(path.shares[at]),
        float(path.lams[at]),
        Pattern(path.coefs[at], paths.groups),
        path.coefs[at][paths.cells],
        float(path.gaps[at]),
        float(path.f1[at]),
        float(path.errors[at]),
    )


def table(shown: Mapping[str, Shown], paths: Paths) -> dict[str, np.ndarray]:
    """One row per feature: its group, its true weight and what each norm gave it."""
    return {
        "feature": np.arange(1, paths.true_weights.size + 1),
        "group": paths.owners + 1,
        "true": paths.true_weights,
        **{norm: fit.pattern.weights for norm, fit in shown.items()},
    }


def numbers_along(paths: Paths) -> dict[str, np.ndarray]:
    """One row per norm and λ: what a fit is worth."""
    parts = list(paths.by_norm.values())
    return {
        "norm": np.repeat([path.norm for path in parts], [path.shares.size for path in parts]),
        **{
            name: np.concatenate([getattr(path, column) for path in parts])
            for name, column in (
                ("share", "shares"),
                ("lambda", "lams"),
                ("gap", "gaps"),
                ("nonzeros", "nonzeros"),
                ("f1", "f1"),
                ("test_error", "errors"),
            )
        },
    }


def path_table(path: NormPath) -> dict[str, np.ndarray]:
    """One row per λ of a path: its numbers and all weights."""
    return {
        "share": path.shares,
        "lambda": path.lams,
        "gap": path.gaps,
        "nonzeros": path.nonzeros,
        "f1": path.f1,
        "test_error": path.errors,
        **{f"w{i + 1}": column for i, column in enumerate(path.coefs.T)},
    }
