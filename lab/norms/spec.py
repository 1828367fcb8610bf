"""The regression of the paper's Figure 1: a spec in the words of the controls, and its data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.data import datasets
from solvers import Groups

TEST_SAMPLES = 500


@dataclass(frozen=True)
class PatternSpec:
    """y = Xw* + noise with k true features in a group, in the words of the page's controls

    Rows of X are normal, neighbouring features have correlation ρ. `together` puts neighbours into
    one group, otherwise they lie in different groups. `noise` is its standard deviation as a share
    of the signal's; `active_percent` of the groups hold true features. With `overlap` each group
    also holds that many first features of the next group (the last group of the first).
    """

    n_groups: int = 10
    group_size: int = 12
    nonzeros_per_group: int = 1
    active_percent: int = 100
    n_samples: int = 80
    noise: float = 0.5
    rho: float = 0.0
    together: bool = True
    overlap: int = 0
    seed: int = 0

    def problem(self) -> str | None:
        """Why these settings make no data, and what to change; None if they do."""
        if self.nonzeros_per_group > self.group_size:
            return (
                f"A group of {self.group_size} features cannot hold {self.nonzeros_per_group} true "
                "ones: raise the group size or lower the true features per group."
            )
        if self.overlap >= self.group_size:
            return (
                f"Groups of {self.group_size} cannot share {self.overlap} features with the next "
                "group: raise the group size or lower the overlap."
            )
        return None

    @property
    def n_features(self) -> int:
        return self.n_groups * self.group_size

    @property
    def n_active(self) -> int:
        """How many groups hold true features: at least one."""
        return max(1, round(self.active_percent * self.n_groups / 100))

    def base(self) -> datasets.CorrelatedSpec:
        """The design, drawn with the rows that are kept for testing."""
        return datasets.CorrelatedSpec(
            n_samples=self.n_samples + TEST_SAMPLES,
            n_features=self.n_features,
            n_groups=self.n_groups,
            nonzeros_per_group=self.nonzeros_per_group,
            rho=self.rho,
            grouping="contiguous" if self.together else "interleaved",
            snr=1.0 / self.noise**2 if self.noise > 0 else np.inf,
            seed=self.seed,
        )


@dataclass(frozen=True, eq=False)
class PatternData:
    """Training and test rows of one draw.

    `cells` has a row of features per group: its own, then those it shares with the next group.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    groups: Groups
    cells: np.ndarray
    true_weights: np.ndarray


def make_data(spec: PatternSpec) -> PatternData:
    """The data of a spec; the same spec gives the same numbers."""
    reason = spec.problem()
    if reason:
        raise ValueError(reason)
    drawn = datasets.load(spec.base())
    partition, w, y = drawn.groups, drawn.true_weights, drawn.y
    if spec.n_active < spec.n_groups:
        chosen = np.random.default_rng(spec.seed).permutation(spec.n_groups)[: spec.n_active]
        fewer = np.where(np.isin(partition.labels, chosen), w, 0.0)
        before, after = drawn.X @ w, drawn.X @ fewer
        # The noise shrinks with the signal, so that the control means the same.
        y, w = after + (y - before) * (np.std(after) / np.std(before)), fewer
    own = np.array(partition.lists())
    cells = np.hstack([own, np.roll(own, -1, axis=0)[:, : spec.overlap]])
    groups = Groups.from_lists(cells.tolist(), spec.n_features) if spec.overlap else partition
    N = spec.n_samples
    return PatternData(drawn.X[:N], y[:N], drawn.X[N:], y[N:], groups, cells, w)
