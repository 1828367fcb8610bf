"""Specs of drawn data: the paper's generators, and designs that tell norms apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri

from lab.data.dataset import Dataset, check_choice, check_counts, check_noise
from lab.data.draws import (
    ar1_columns,
    equicorrelated_columns,
    in_words,
    nonzeros_in_groups,
    of_correlation,
    spread_along,
    with_extras,
)
from lab.words import percent
from solvers import Groups

# -- the paper's generators ------------------------------------------------------------------


@dataclass(frozen=True)
class ELassoSpec:
    """y = Xw* + noise·N(0, 1), X ~ N(0, 1), k nonzeros N(0, 1) in each of m groups (Section 5.1)

    The defaults are the paper's: 400 × 4000, 100 groups of 40, four nonzeros each, noise 0.01, and
    λ = 0.4/‖w*‖₁. `extras` adds that many random other features to each group; `overlapped()` has
    100 of them, for groups of 140. (Purely random groups of 140 would leave about 113 of 4000
    features in no group, hence without a penalty.) `rho` correlates features i and j by ρ^|i−j|.
    """

    n_samples: int = 400
    n_features: int = 4000
    n_groups: int = 100
    nonzeros_per_group: int = 4
    noise: float = 0.01
    extras: int = 0
    seed: int = 0
    rho: float = 0.0

    @classmethod
    def overlapped(cls, **changes) -> ELassoSpec:
        """The paper's overlapped groups: a partition of 40 plus 100 random extras each."""
        return cls(**{"extras": 100, **changes})

    def make(self) -> Dataset:
        check_counts(self, "n_samples", "n_features", "n_groups", "nonzeros_per_group")
        check_counts(self, "extras", "seed", least=0)
        check_noise(self.noise)
        rng = np.random.default_rng(self.seed)
        partition = Groups.contiguous(self.n_features, self.n_groups)
        X = ar1_columns(rng, (self.n_samples, self.n_features), self.rho)
        w = nonzeros_in_groups(partition, self.nonzeros_per_group, rng)
        y = X @ w + self.noise * rng.standard_normal(self.n_samples)
        groups = with_extras(partition, self.extras, rng)
        return Dataset(
            X,
            y,
            "regression",
            f"E-LASSO, {self.n_samples} × {self.n_features}, {in_words(groups)}, "
            f"{self.nonzeros_per_group} true features in each block, noise {self.noise:g}"
            f"{of_correlation(self.rho)}",
            groups=groups,
            true_weights=w,
            paper_lam=0.4 / float(np.abs(w).sum()),
        )


@dataclass(frozen=True)
class ESVMSpec:
    """x = noise + y·d·w*, noise ~ N(0, I), one nonzero N(0, 1) in each of m groups (Section 5.2)

    There are as many samples as groups, ⌈m/2⌉ positive and ⌊m/2⌋ negative, and as many for testing
    (`Dataset.test`). The true classifier errs with probability Φ(−d‖w*‖), so
    d = Φ⁻¹(1 − bayes_error)/‖w*‖ in closed form. The groups are a random split; where m does not
    divide n their sizes differ by one.

    `shared_noise` reuses one noise for both classes, as the paper prints: pairs of samples then
    differ by exactly 2d·w*, and a plain SVM comes close to the Bayes accuracy. The default draws
    noise for every sample. `extras` adds that many random other features to each group. `rho`
    correlates the noise of features i and j by ρ^|i−j|; w* then errs with probability
    Φ(−d‖w*‖²/√(w*ᵀΣw*)), and d is chosen accordingly.
    """

    n_features: int = 5040
    n_groups: int = 112
    bayes_error: float = 0.1
    shared_noise: bool = False
    n_samples: int | None = None
    extras: int = 0
    seed: int = 0
    rho: float = 0.0
    nonzeros_per_group: int = 1

    def distance(self, w) -> float:
        """d, at which the true classifier w errs as often as is asked for."""
        length = float(np.linalg.norm(w))
        return -float(ndtri(self.bayes_error)) / length * (spread_along(w, self.rho) / length)

    def make(self) -> Dataset:
        check_counts(self, "n_features", "n_groups", "nonzeros_per_group")
        check_counts(self, "extras", "seed", least=0)
        if self.n_samples is not None:
            check_counts(self, "n_samples")
        if not 0.0 < self.bayes_error < 0.5:
            raise ValueError(f"bayes_error must lie between 0 and ½, got {self.bayes_error}.")
        n_samples = self.n_groups if self.n_samples is None else self.n_samples
        if n_samples < 2:
            raise ValueError(
                f"two classes need at least 2 samples, got {n_samples}; raise n_groups or "
                "n_samples."
            )
        rng = np.random.default_rng(self.seed)
        partition = Groups.random(self.n_features, self.n_groups, rng)
        w = nonzeros_in_groups(partition, self.nonzeros_per_group, rng)
        distance = self.distance(w)
        groups = with_extras(partition, self.extras, rng)
        noise = "noise shared by the classes" if self.shared_noise else "independent noise"
        # In the words of the results that were measured on such data.
        several = self.nonzeros_per_group > 1
        true = f"{self.nonzeros_per_group:,} true features" if several else "one true feature"
        description = (
            f"E-SVM, {n_samples} × {self.n_features}, {in_words(groups)}, {true} in each, "
            f"Bayes error {percent(self.bayes_error, 0)}, {noise}{of_correlation(self.rho)}"
        )
        drawn = [self._draw(w, distance, n_samples, rng) for _ in ("train", "test")]
        train, test = (
            Dataset(X, y, "classification", description, groups=groups, true_weights=w)
            for X, y in drawn
        )
        return replace(train, test=test)

    def _draw(self, w, distance, n_samples, rng):
        positives = (n_samples + 1) // 2
        y = np.where(np.arange(n_samples) < positives, 1.0, -1.0)
        if self.shared_noise:
            noise = ar1_columns(rng, (positives, w.size), self.rho)
            X = np.concatenate([noise, noise[: n_samples - positives]])
        else:
            X = ar1_columns(rng, (n_samples, w.size), self.rho)
        support = np.flatnonzero(w)
        X[:, support] += distance * np.outer(y, w[support])
        return X, y


# -- designs that tell norms apart -----------------------------------------------------------


@dataclass(frozen=True)
class CorrelatedSpec:
    """y = Xw* + noise, rows of X ~ N(0, Σ), Σ of unit diagonal with correlation ρ

    `correlation`: "ar1" (ρ^|i−j|), "equal" (ρ for every pair) or "block" (ρ inside blocks of
    `block_size` neighbours, 0 across). `grouping`: "contiguous" groups put correlated neighbours
    together, "interleaved" ones (feature i in group i mod m) keep them apart, "random" ones split
    them at random. The noise has 1/`snr` of the signal's variance; "classification" gives the sign.
    """

    n_samples: int = 200
    n_features: int = 400
    n_groups: int = 20
    nonzeros_per_group: int = 1
    correlation: str = "ar1"
    rho: float = 0.7
    block_size: int = 20
    grouping: str = "contiguous"
    task: str = "regression"
    snr: float = 10.0
    seed: int = 0

    def make(self) -> Dataset:
        check_counts(
            self, "n_samples", "n_features", "n_groups", "nonzeros_per_group", "block_size"
        )
        check_counts(self, "seed", least=0)
        check_choice(self.grouping, "grouping", ("contiguous", "interleaved", "random"))
        check_choice(self.task, "task", ("regression", "classification"))
        if not self.snr > 0.0:
            raise ValueError(f"snr must be positive, got {self.snr}.")
        rng = np.random.default_rng(self.seed)
        groups = self._groups(rng)
        w = nonzeros_in_groups(groups, self.nonzeros_per_group, rng)
        X = self._design(rng)
        signal = X @ w
        y = signal + np.std(signal) / np.sqrt(self.snr) * rng.standard_normal(self.n_samples)
        if self.task == "classification":
            y = np.where(y > 0.0, 1.0, -1.0)
        return Dataset(
            X,
            y,
            self.task,
            f"{self.correlation} design with correlation {self.rho:g}, {self.n_samples} × "
            f"{self.n_features}, {in_words(groups)} ({self.grouping})",
            groups=groups,
            true_weights=w,
        )

    def _groups(self, rng) -> Groups:
        if self.grouping == "contiguous":
            return Groups.contiguous(self.n_features, self.n_groups)
        if self.grouping == "random":
            return Groups.random(self.n_features, self.n_groups, rng)
        return Groups.from_labels(np.arange(self.n_features) % self.n_groups)

    def _design(self, rng) -> np.ndarray:
        check_choice(self.correlation, "correlation", ("ar1", "equal", "block"))
        shape = (self.n_samples, self.n_features)
        if self.correlation == "ar1":
            return ar1_columns(rng, shape, self.rho)
        size = self.n_features if self.correlation == "equal" else self.block_size
        starts = range(0, self.n_features, size)
        widths = [min(size, self.n_features - start) for start in starts]
        return np.hstack(
            [equicorrelated_columns(rng, (self.n_samples, k), self.rho) for k in widths]
        )


@dataclass(frozen=True)
class TwinsSpec:
    """Two similar features in two disjoint groups, of which one is busier (the introduction)

    Feature 0 of the busy group and feature 0 of the quiet group are twins: correlation ρ, and the
    target depends on their sum. The busy group holds `busy_load` other true features, the quiet one
    `quiet_load`; the rest of both, and `other_groups` groups more, are noise. "ℓ2 selects both, ℓ1
    the one that gives the lower objective, ℓ2,1 the one with more group members selected, ℓe the
    one with fewer."
    """

    n_samples: int = 200
    group_size: int = 12
    correlation: float = 0.95
    busy_load: int = 6
    quiet_load: int = 0
    other_groups: int = 2
    noise: float = 0.5
    seed: int = 0

    def make(self) -> Dataset:
        check_counts(self, "n_samples", "group_size")
        check_counts(self, "busy_load", "quiet_load", "other_groups", "seed", least=0)
        check_noise(self.noise)
        if not -1.0 < self.correlation < 1.0:
            raise ValueError(f"correlation must lie between −1 and 1, got {self.correlation}.")
        for name in ("busy_load", "quiet_load"):
            if not 0 <= getattr(self, name) < self.group_size:
                raise ValueError(
                    f"{name} must leave room for the twin in a group of {self.group_size}: "
                    f"0 to {self.group_size - 1}, got {getattr(self, name)}."
                )
        rng = np.random.default_rng(self.seed)
        groups = Groups.contiguous((2 + self.other_groups) * self.group_size, 2 + self.other_groups)
        X = rng.standard_normal((self.n_samples, groups.n_features))
        busy, quiet = self.twins
        mixed = self.correlation * X[:, busy]
        X[:, quiet] = mixed + np.sqrt(1.0 - self.correlation**2) * X[:, quiet]
        w = np.zeros(groups.n_features)
        w[[busy, quiet]] = 0.5
        w[busy + 1 : busy + 1 + self.busy_load] = 1.0
        w[quiet + 1 : quiet + 1 + self.quiet_load] = 1.0
        y = X @ w + self.noise * rng.standard_normal(self.n_samples)
        return Dataset(
            X,
            y,
            "regression",
            f"twins of correlation {self.correlation:g} in two groups of {self.group_size}, with "
            f"{self.busy_load} and {self.quiet_load} other true features",
            groups=groups,
            true_weights=w,
            names=self._names(groups.n_features),
        )

    @property
    def twins(self) -> tuple[int, int]:
        """The features that are twins: in the busy group, in the quiet group."""
        return 0, self.group_size

    def _names(self, n_features) -> tuple[str, ...]:
        titles = ["busy", "quiet", *(f"other {k + 1}" for k in range(self.other_groups))]
        names = [f"{titles[i // self.group_size]} {i % self.group_size}" for i in range(n_features)]
        for twin, title in zip(self.twins, ("busy twin", "quiet twin"), strict=True):
            names[twin] = title
        return tuple(names)
