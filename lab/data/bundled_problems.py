"""Real data that come with scikit-learn, as problems of two classes with random groups."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from lab.data.datasets import BundledSpec, Dataset, load
from solvers import Groups

# Samples and features, and from which class on y is positive.
SHAPES = MappingProxyType({"digits": (1797, 64), "breast_cancer": (569, 30)})
_FIRST_POSITIVE = MappingProxyType({"digits": 5, "breast_cancer": 1})
TITLES = MappingProxyType(
    {"digits": "handwritten digits, 0–4 against 5–9", "breast_cancer": "breast cancer"}
)


@dataclass(frozen=True)
class BundledProblemSpec:
    """A bundled set with standardised features, y = ±1 and m random groups of the features."""

    name: str = "digits"
    n_groups: int = 16
    seed: int = 0

    def make(self) -> Dataset:
        if self.name not in SHAPES:
            raise ValueError(
                f"there is no problem {self.name!r}; choose one of: {', '.join(SHAPES)}."
            )
        raw = load(BundledSpec(self.name))
        spread = raw.X.std(axis=0)
        X = (raw.X - raw.X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        y = np.where(raw.y >= _FIRST_POSITIVE[self.name], 1.0, -1.0)
        groups = Groups.random(X.shape[1], self.n_groups, random_state=self.seed)
        return Dataset(
            X,
            y,
            "classification",
            f"{TITLES[self.name]}, {X.shape[0]} × {X.shape[1]}, {self.n_groups} random groups",
            groups=groups,
        )
