"""Specs of data that others collected: with scikit-learn, on OpenML, in the data folder."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from scipy import sparse

from lab.data import openml
from lab.data.dataset import Dataset, check_choice
from lab.loading import one_at_a_time

DATA_FOLDER_VARIABLE = "EXCLUSIVE_SPARSITY_DATA"

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
        check_choice(self.name, "name", tuple(BUNDLED))
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


class Read:
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
class MatSpec(Read):
    """A data set of the paper's Table 1, from the data folder (`data_folder`).

    Two classes are ±1, the larger label positive. ISOLET's 26 letters are A–M (−1) against N–Z
    (+1), which fits the paper's row, or with `all_classes` themselves. MNIST has three classes.
    TDT2 is sparse, and stays so.
    """

    name: str
    all_classes: bool = False

    def read(self, folder: Path) -> Dataset:
        check_choice(self.name, "name", tuple(MAT_FILES))
        file = MAT_FILES[self.name]
        X, labels = read_mat(file_in(folder, file.path))
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


def file_in(folder: Path, name: str) -> Path:
    """A file of the data folder, which must be there."""
    path = folder / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{name} is not in {folder}; put it there, or set {DATA_FOLDER_VARIABLE} to the folder "
            "that holds it."
        )
    return path


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
