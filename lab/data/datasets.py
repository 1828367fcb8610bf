"""Data for experiments: the paper's generators, designs that tell norms apart, and real sets.

A frozen *spec* says which data; `load(spec)` makes or reads them, and keeps the last few. The same
spec always gives the same numbers. The arrays of a `Dataset` are read-only, because they are
shared.
"""

from __future__ import annotations

from functools import lru_cache

from lab.data.dataset import Dataset
from lab.data.real import (
    BUNDLED,
    DATA_FOLDER_VARIABLE,
    MAT_FILES,
    BundledSpec,
    MatSpec,
    OpenMLSpec,
    Read,
    data_folder,
    read_mat,
)
from lab.data.synthetic import CorrelatedSpec, ELassoSpec, ESVMSpec, TwinsSpec

__all__ = [
    "BUNDLED",
    "DATA_FOLDER_VARIABLE",
    "MAT_FILES",
    "BundledSpec",
    "CorrelatedSpec",
    "Dataset",
    "ELassoSpec",
    "ESVMSpec",
    "MatSpec",
    "OpenMLSpec",
    "TwinsSpec",
    "data_folder",
    "load",
    "read_mat",
]


def load(spec) -> Dataset:
    """The data of a spec, from the cache if it was loaded lately."""
    if isinstance(spec, Read):
        # Where files are is no part of the spec, and may change while the program runs.
        return _cached(spec, data_folder())
    return _cached(spec, None)


# The paper's largest problem takes 200 MB with its test set, so only the last two are kept.
@lru_cache(maxsize=2)
def _cached(spec, folder) -> Dataset:
    return spec.make() if folder is None else spec.read(folder)
