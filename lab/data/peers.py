"""Problems of other people's software for the exclusive lasso, drawn as they describe them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.data.datasets import Dataset
from solvers import Groups
from solvers.linear_algebra import Banded

INSIDE, ACROSS = 0.9, 0.3
DIAGONALS = 32
# Beyond so many neighbours .9^|i−j| is below 1e-11.
FAR = 250
# Of smaller groups these numbers are no covariance: it is not positive definite.
LEAST_SIZE = 5
# Their λ‖·‖² at λ = .1, as our λ/2 ‖·‖².
LAM = 0.2


@dataclass(frozen=True)
class PeersSpec:
    """y = Xw* + N(0, 1), cov(X) .9^|i−j| inside a group, .3^|i−j| across, columns permuted

    The problems of PPDNA's authors (Lin, Yuan, Sun and Toh): `nonzeros_per_group` of each group's
    true weights are from U(0, 10); "classification" takes the sign of y. B1 to B3 are 200 × 2,000,
    200 × 10,000 and, with classes, 200 × 4,000. `banded`, for B4 and B5, cuts the covariance to 32
    diagonals, centres the rows, gives columns the norm 1 and has 0.1 % of all features as nonzeros
    of each group.
    """

    n_samples: int = 200
    n_features: int = 2000
    n_groups: int = 20
    nonzeros_per_group: int = 10
    task: str = "regression"
    banded: bool = False
    seed: int = 0

    def make(self) -> Dataset:
        size = self.n_features // self.n_groups
        if size * self.n_groups != self.n_features:
            raise ValueError(
                f"{self.n_features} features do not make {self.n_groups} equal groups; take a "
                "number of groups that divides the features."
            )
        if size < LEAST_SIZE:
            raise ValueError(
                f"groups of {size} cannot be correlated like that; take groups of at least "
                f"{LEAST_SIZE} features."
            )
        rng = np.random.default_rng(self.seed)
        labels = np.arange(self.n_features) // size
        X = self._correlated(rng, labels)
        nonzeros = min(self.nonzeros_per_group, size)
        if self.banded:
            nonzeros = int(np.ceil(0.001 * self.n_features))
        w = np.zeros(self.n_features)
        for g in range(self.n_groups):
            w[g * size + rng.permutation(size)[:nonzeros]] = rng.uniform(0.0, 10.0, nonzeros)
        order = rng.permutation(self.n_features)
        X, w, labels = X[:, order], w[order], labels[order]
        y = X @ w + rng.standard_normal(self.n_samples)
        if self.task == "classification":
            y = np.where(y >= 0.0, 1.0, -1.0)
        if self.banded:
            X -= X.mean(axis=1, keepdims=True)
            X /= np.linalg.norm(X, axis=0)
        return Dataset(
            X,
            y,
            self.task,
            f"the generator of PPDNA's authors, {self.n_samples} × {self.n_features}, "
            f"{self.n_groups} groups of {size}",
            groups=Groups.from_labels(labels),
            true_weights=w,
        )

    def _correlated(self, rng, labels) -> np.ndarray:
        """Rows with that covariance, cut to a band."""
        width = min(DIAGONALS if self.banded else FAR, self.n_features - 1)
        bands = np.zeros((width + 1, self.n_features))
        bands[0] = 1.0
        for k in range(1, width + 1):
            same = labels[k:] == labels[:-k]
            bands[k, : self.n_features - k] = np.where(same, INSIDE**k, ACROSS**k)
        factor = Banded.of(bands).lower  # definite, by `LEAST_SIZE`
        noise = rng.standard_normal((self.n_samples, self.n_features))
        X = noise * factor[0]
        for k in range(1, width + 1):
            X[:, k:] += noise[:, :-k] * factor[k, : self.n_features - k]
        return X
