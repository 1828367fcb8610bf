"""What every data set comes as, and what the fields of its spec must be."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from solvers import Groups


@dataclass(frozen=True, eq=False)
class Dataset:
    """Samples × features X and targets y, with what is known about them.

    `y` holds real numbers for "regression" and class labels for "classification" (±1 where the
    data are ours). `paper_lam` is the λ of the paper's λ‖w‖_e²; the solvers' λ/2 ‖w‖_e² needs
    twice that, `lam`.
    """

    X: np.ndarray | sparse.csr_array
    y: np.ndarray
    task: str
    description: str
    groups: Groups | None = None
    true_weights: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    class_names: tuple[str, ...] | None = None
    group_names: tuple[str, ...] | None = None
    paper_lam: float | None = None
    test: Dataset | None = None

    def __post_init__(self):
        arrays = [self.X.data] if sparse.issparse(self.X) else [self.X]
        for array in [*arrays, self.y, self.true_weights]:
            if array is not None:
                array.flags.writeable = False

    @property
    def n_samples(self) -> int:
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    @property
    def lam(self) -> float | None:
        """The paper's λ in the solvers' convention."""
        return None if self.paper_lam is None else 2.0 * self.paper_lam

    @property
    def signs(self) -> np.ndarray:
        """y as ±1, the second of two classes positive."""
        classes = np.unique(self.y)
        if self.task != "classification" or classes.size != 2:
            raise ValueError(
                f"only two classes can be written as ±1, and y holds {classes.size} values; "
                "choose two of them, or compare one with the rest."
            )
        return np.where(self.y == classes[1], 1.0, -1.0)


def check_counts(spec, *names, least=1) -> None:
    for name in names:
        value = getattr(spec, name)
        if name == "seed" and value is None:
            raise ValueError(
                "seed must be a number, not None, because the same spec must give the same data; "
                "choose any whole number of at least 0."
            )
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        if not (whole and value >= least):
            raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}.")


def check_noise(noise) -> None:
    if not 0.0 <= noise < np.inf:
        raise ValueError(f"noise must be a finite number of at least 0, got {noise}.")


def check_choice(value, name, choices) -> None:
    if value not in choices:
        raise ValueError(f"there is no {name} {value!r}; choose one of: {', '.join(choices)}.")
