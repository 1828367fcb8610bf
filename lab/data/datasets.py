"""Data for experiments: the paper's generators, designs that tell norms apart, and real sets.

A frozen *spec* says which data; `load(spec)` makes or reads them, and keeps the last few. The same
spec always gives the same numbers. The arrays of a `Dataset` are read-only, because they are
shared.
"""

from __future__ import annotations

import numbers
import os
import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
from scipy import sparse
from scipy.special import ndtri

from lab.data import openml
from lab.loading import one_at_a_time
from solvers import Groups

DATA_FOLDER_VARIABLE = "EXCLUSIVE_SPARSITY_DATA"


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


def load(spec) -> Dataset:
    """The data of a spec, from the cache if it was loaded lately."""
    if isinstance(spec, _Read):
        # Where files are is no part of the spec, and may change while the program runs.
        return _cached(spec, data_folder())
    return _cached(spec, None)


# The paper's largest problem takes 200 MB with its test set, so only the last two are kept.
@lru_cache(maxsize=2)
def _cached(spec, folder) -> Dataset:
    return spec.make() if folder is None else spec.read(folder)


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
        _check_counts(self, "n_samples", "n_features", "n_groups", "nonzeros_per_group")
        _check_counts(self, "extras", "seed", least=0)
        _check_noise(self.noise)
        rng = np.random.default_rng(self.seed)
        partition = Groups.contiguous(self.n_features, self.n_groups)
        X = _ar1_columns(rng, (self.n_samples, self.n_features), self.rho)
        w = _nonzeros_in_groups(partition, self.nonzeros_per_group, rng)
        y = X @ w + self.noise * rng.standard_normal(self.n_samples)
        groups = _with_extras(partition, self.extras, rng)
        return Dataset(
            X,
            y,
            "regression",
            f"E-LASSO, {self.n_samples} × {self.n_features}, {_in_words(groups)}, "
            f"{self.nonzeros_per_group} true features in each block, noise {self.noise:g}"
            f"{_of_correlation(self.rho)}",
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

    def make(self) -> Dataset:
        _check_counts(self, "n_features", "n_groups")
        _check_counts(self, "extras", "seed", least=0)
        if self.n_samples is not None:
            _check_counts(self, "n_samples")
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
        w = _nonzeros_in_groups(partition, 1, rng)
        length = float(np.linalg.norm(w))
        distance = -ndtri(self.bayes_error) / length * (_spread_along(w, self.rho) / length)
        groups = _with_extras(partition, self.extras, rng)
        noise = "noise shared by the classes" if self.shared_noise else "independent noise"
        description = (
            f"E-SVM, {n_samples} × {self.n_features}, {_in_words(groups)}, one true feature in "
            f"each, Bayes error {self.bayes_error:.0%}, {noise}{_of_correlation(self.rho)}"
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
            noise = _ar1_columns(rng, (positives, w.size), self.rho)
            X = np.concatenate([noise, noise[: n_samples - positives]])
        else:
            X = _ar1_columns(rng, (n_samples, w.size), self.rho)
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
        _check_counts(
            self, "n_samples", "n_features", "n_groups", "nonzeros_per_group", "block_size"
        )
        _check_counts(self, "seed", least=0)
        _check_choice(self.grouping, "grouping", ("contiguous", "interleaved", "random"))
        _check_choice(self.task, "task", ("regression", "classification"))
        if not self.snr > 0.0:
            raise ValueError(f"snr must be positive, got {self.snr}.")
        rng = np.random.default_rng(self.seed)
        groups = self._groups(rng)
        w = _nonzeros_in_groups(groups, self.nonzeros_per_group, rng)
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
            f"{self.n_features}, {_in_words(groups)} ({self.grouping})",
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
        _check_choice(self.correlation, "correlation", ("ar1", "equal", "block"))
        shape = (self.n_samples, self.n_features)
        if self.correlation == "ar1":
            return _ar1_columns(rng, shape, self.rho)
        size = self.n_features if self.correlation == "equal" else self.block_size
        starts = range(0, self.n_features, size)
        widths = [min(size, self.n_features - start) for start in starts]
        return np.hstack(
            [_equicorrelated_columns(rng, (self.n_samples, k), self.rho) for k in widths]
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
        _check_counts(self, "n_samples", "group_size")
        _check_counts(self, "busy_load", "quiet_load", "other_groups", "seed", least=0)
        _check_noise(self.noise)
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


# -- real data -------------------------------------------------------------------------------

BUNDLED = MappingProxyType(
    {
        "breast_cancer": "Breast cancer",
        "digits": "Handwritten digits",
        "wine": "Wine",
        "iris": "Iris",
        "diabetes": "Diabetes progression",
    }
)
_BUNDLED_QUANTITIES = frozenset({"diabetes"})


@dataclass(frozen=True)
class BundledSpec:
    """A data set that comes with scikit-learn: breast_cancer, digits, wine, iris or diabetes

    Diabetes is a regression, its features as scikit-learn scales them; the others have classes.
    """

    name: str = "breast_cancer"

    def make(self) -> Dataset:
        _check_choice(self.name, "name", tuple(BUNDLED))
        with one_at_a_time:
            from sklearn import datasets

        bunch = getattr(datasets, f"load_{self.name}")()
        regression = self.name in _BUNDLED_QUANTITIES
        return Dataset(
            np.array(bunch.data, dtype=float),
            np.array(bunch.target),
            "regression" if regression else "classification",
            f"{BUNDLED[self.name]}, {bunch.data.shape[0]} × {bunch.data.shape[1]}, from "
            "scikit-learn",
            names=tuple(str(name) for name in bunch.feature_names),
            class_names=None if regression else tuple(str(name) for name in bunch.target_names),
        )


@dataclass(frozen=True)
class OpenMLSpec:
    """A data set of openml.org by name, its numeric columns only. Needs the network.

    Sets that OpenML stores sparse stay sparse. There every column counts as numeric: the reader
    hands categories over as their numbers in the list of categories.
    """

    name: str
    version: int | str = "active"

    def make(self) -> Dataset:
        from urllib.error import URLError

        with one_at_a_time:
            from sklearn.datasets import fetch_openml

        openml.refuse_too_large(self.name, self.version)
        try:
            with warnings.catch_warnings():
                # That a download is tried twice is not worth telling; that it failed is.
                warnings.filterwarnings("ignore", message="A network error", category=UserWarning)
                bunch = fetch_openml(
                    self.name, version=self.version, as_frame="auto", n_retries=1, delay=0.2
                )
        except (URLError, OSError) as error:
            raise ConnectionError(
                f"OpenML could not be reached for {self.name!r} ({error}); connect to the "
                "network, or use a bundled data set or a file of your own."
            ) from error
        if bunch.target is None:
            raise ValueError(f"{self.name!r} has no target column on OpenML; nothing to predict.")
        if bunch.target.ndim > 1:
            raise ValueError(
                f"{self.name!r} has {bunch.target.shape[1]} target columns on OpenML, and one is "
                "needed; choose a data set with one."
            )
        if sparse.issparse(bunch.data):
            return _from_sparse(bunch.data, bunch.target, bunch.feature_names, self.name)
        return _from_frame(bunch.data, bunch.target, self.name)


_MOST_CLASSES = 20


def _from_frame(frame, target, name) -> Dataset:
    numeric = frame.select_dtypes("number")
    if numeric.shape[1] == 0:
        raise ValueError(f"{name!r} has no numeric column; encode its categories first.")
    left_out = frame.shape[1] - numeric.shape[1]
    X = numeric.to_numpy(dtype=float, na_value=np.nan)
    return _from_openml(X, ~np.isnan(X).any(axis=1), target, numeric.columns, name, left_out)


def _from_sparse(data, target, columns, name) -> Dataset:
    import pandas as pd

    X = sparse.csr_array(data, dtype=float)
    missing = np.zeros(X.shape[0], dtype=bool)
    missing[np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[np.isnan(X.data)]] = True
    return _from_openml(X, ~missing, pd.Series(target), columns, name, 0)


def _from_openml(X, complete, target, columns, name, left_out) -> Dataset:
    """The complete samples of X and a target (a pandas Series), described."""
    complete = complete & target.notna().to_numpy()
    if not complete.any():
        raise ValueError(
            f"{name!r} has no sample without missing values ({X.shape[0]} samples, {X.shape[1]} "
            "numeric columns); choose another data set, or fill its gaps first."
        )
    X, values = X[complete], target[complete]
    # A target of many numbers is a quantity; of few, or of names, it is a class.
    regression = values.dtype.kind in "iuf" and values.nunique() > _MOST_CLASSES
    y = values.to_numpy(dtype=float) if regression else values.astype(str).to_numpy(dtype=str)
    notes = [f"{name}, {X.shape[0]} × {X.shape[1]}, from OpenML"]
    if left_out:
        notes.append(f"{left_out} columns that are not numeric left out")
    if not complete.all():
        notes.append(f"{int((~complete).sum())} incomplete samples left out")
    return Dataset(
        X,
        y,
        "regression" if regression else "classification",
        ", ".join(notes),
        names=tuple(str(column) for column in columns),
        class_names=None if regression else tuple(np.unique(y).tolist()),
    )


class _Read:
    """Marks specs that are read from the data folder."""


@dataclass(frozen=True)
class _MatFile:
    """A file of the data folder, the title of the paper's row, and how its labels are read."""

    path: str
    title: str
    first_positive: int | None = None


MAT_FILES = MappingProxyType(
    {
        "isolet": _MatFile("Isolet.mat", "ISOLET, letters A–M against N–Z", first_positive=14),
        "pcmac": _MatFile("PCMAC.mat", "PCMAC"),
        "allaml": _MatFile("ALLAML.mat", "ALLAML"),
        "prostate_ge": _MatFile("Prostate-GE.mat", "Prostate-GE"),
        "leu": _MatFile("LEU.mat", "LEU"),
        "mnist_138": _MatFile("MNIST-138.mat", "MNIST digits 1, 3 and 8"),
        "tdt2": _MatFile("TDT2-885.mat", "TDT2, 885 documents"),
    }
)


@dataclass(frozen=True)
class MatSpec(_Read):
    """A data set of the paper's Table 1, from the data folder (`data_folder`).

    Two classes are ±1, the larger label positive. ISOLET's 26 letters are A–M (−1) against N–Z
    (+1), which fits the paper's row, or with `all_classes` themselves. MNIST has three classes.
    TDT2 is sparse, and stays so.
    """

    name: str
    all_classes: bool = False

    def read(self, folder: Path) -> Dataset:
        _check_choice(self.name, "name", tuple(MAT_FILES))
        file = MAT_FILES[self.name]
        path = folder / file.path
        if not path.is_file():
            raise FileNotFoundError(
                f"{file.path} is not in {folder}; put it there, or set {DATA_FOLDER_VARIABLE} to "
                "the folder that holds it."
            )
        X, labels = read_mat(path)
        classes = np.unique(labels)
        names = None
        if file.first_positive is not None and not self.all_classes:
            y = np.where(labels >= file.first_positive, 1.0, -1.0)
        elif classes.size == 2:
            y = np.where(labels == classes[1], 1.0, -1.0)
        else:
            y, names = labels.astype(int), tuple(f"{label:g}" for label in classes)
        return Dataset(
            X,
            y,
            "classification",
            f"{file.title}, {X.shape[0]} × {X.shape[1]}",
            class_names=names,
        )


def data_folder() -> Path:
    """Where .mat files are: the folder named by EXCLUSIVE_SPARSITY_DATA, or ../shared/data."""
    chosen = os.environ.get(DATA_FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    return Path(__file__).resolve().parents[3] / "shared" / "data"


def read_mat(path) -> tuple[np.ndarray | sparse.csr_array, np.ndarray]:
    """Samples × features and labels of a MATLAB file with X and Y, or fea and gnd."""
    with one_at_a_time:
        from scipy.io import loadmat

    content = loadmat(path)
    for data, labels in (("X", "Y"), ("fea", "gnd")):
        if data in content and labels in content:
            X, y = content[data], np.asarray(content[labels], dtype=float).reshape(-1)
            break
    else:
        held = ", ".join(key for key in content if not key.startswith("__")) or "nothing"
        raise ValueError(f"{Path(path).name} must hold X and Y, or fea and gnd; it holds {held}.")
    if sparse.issparse(X):
        X = sparse.csr_array(X, dtype=float)
    else:
        X = np.array(X, dtype=float, order="C")
    if X.shape[0] != y.size:
        raise ValueError(
            f"{Path(path).name} holds {X.shape[0]} samples but {y.size} labels; they must agree."
        )
    return X, y


# -- parts of the generators -----------------------------------------------------------------


def _nonzeros_in_groups(groups: Groups, per_group: int, rng) -> np.ndarray:
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


def _with_extras(partition: Groups, extras: int, rng) -> Groups:
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


def _ar1_columns(rng, shape, rho) -> np.ndarray:
    if not -1.0 < rho < 1.0:
        raise ValueError(f"rho must lie strictly between −1 and 1, got {rho}.")
    X = rng.standard_normal(shape)
    if rho == 0.0:
        return X
    fresh = np.sqrt(1.0 - rho * rho)
    for j in range(1, shape[1]):
        X[:, j] = rho * X[:, j - 1] + fresh * X[:, j]
    return X


def _spread_along(w, rho) -> float:
    """√(wᵀΣw), Σᵢⱼ = ρ^|i−j|: the standard deviation of wᵀx for a row x of `_ar1_columns`."""
    if rho == 0.0:
        return float(np.linalg.norm(w))
    support = np.flatnonzero(w)
    distances = np.abs(np.subtract.outer(support, support))
    return float(np.sqrt(w[support] @ np.power(rho, distances) @ w[support]))


def _of_correlation(rho) -> str:
    return f", neighbours correlated by {rho:g}" if rho else ""


def _equicorrelated_columns(rng, shape, rho) -> np.ndarray:
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


def _in_words(groups: Groups) -> str:
    kind = "overlapping " if groups.overlapping else ""
    low, high = int(groups.sizes.min()), int(groups.sizes.max())
    size = f"{low}" if low == high else f"{low} to {high}"
    return f"{groups.n_groups} {kind}groups of {size}"


def _check_counts(spec, *names, least=1) -> None:
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


def _check_noise(noise) -> None:
    if not 0.0 <= noise < np.inf:
        raise ValueError(f"noise must be a finite number of at least 0, got {noise}.")


def _check_choice(value, name, choices) -> None:
    if value not in choices:
        raise ValueError(f"there is no {name} {value!r}; choose one of: {', '.join(choices)}.")
