"""Sets whose features come in groups of their own: views of a digit, kinds of molecules.

They are read from the data folder, and never copied: their licences differ from ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from lab.data.dataset import Dataset, check_choice
from lab.data.real import Read, file_in
from solvers import Groups


@dataclass(frozen=True)
class _NaturalFile:
    """A file of the data folder, what it is called, and the array that holds the classes."""

    path: str
    title: str
    target: str
    groups: str


NATURAL: Mapping[str, _NaturalFile] = MappingProxyType(
    {
        "mfeat": _NaturalFile(
            "mfeat.npz", "Handwritten digits in six views", "y", "the views of a digit"
        ),
        "tcga_breast": _NaturalFile(
            "tcga-breast.npz", "Breast cancer subtypes, TCGA", "y", "kinds of molecules"
        ),
        "nutrimouse_genotype": _NaturalFile(
            "nutrimouse.npz", "Nutrimouse, genotype", "genotype", "genes and lipids"
        ),
        "nutrimouse_diet": _NaturalFile(
            "nutrimouse.npz", "Nutrimouse, diet", "diet", "genes and lipids"
        ),
    }
)


@dataclass(frozen=True)
class NaturalSpec(Read):
    """A set with groups of its own, from the data folder (`data_folder`)

    The groups are in the order in which they first occur; `group_names` names them.
    """

    name: str

    def read(self, folder: Path) -> Dataset:
        check_choice(self.name, "name", tuple(NATURAL))
        file = NATURAL[self.name]
        with np.load(file_in(folder, file.path), allow_pickle=False) as content:
            X, labels = content["X"].astype(float), content["groups"]
            y = content[file.target]
            names = content["names"] if "names" in content.files else None
        group_names = tuple(dict.fromkeys(labels.tolist()))
        groups = Groups.from_labels([group_names.index(label) for label in labels.tolist()])
        classes, codes = np.unique(y, return_inverse=True)
        return Dataset(
            X,
            codes,
            "classification",
            f"{file.title}, {X.shape[0]} × {X.shape[1]}, {groups.n_groups} groups: "
            + ", ".join(
                f"{name} {size}" for name, size in zip(group_names, groups.sizes, strict=True)
            ),
            groups=groups,
            names=None if names is None else tuple(map(str, names)),
            class_names=tuple(map(str, classes)),
            group_names=group_names,
        )
