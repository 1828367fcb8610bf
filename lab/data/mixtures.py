"""Mixtures of pure NMR spectra, each metabolite a group of its shifted copies.

Peaks move with acidity and temperature, so that a metabolite comes as copies of its spectrum, each
shifted by a little more, of which at most one is in the mixture. The spectra are real and are read
from the data folder; what is mixed is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from lab.data.dataset import Dataset, check_counts, check_noise
from lab.data.real import Read, file_in
from lab.words import counted
from solvers import Groups

LIBRARY = "nmr-library.npz"


@dataclass(frozen=True)
class MixtureSpec(Read):
    """y = Σ c·(a metabolite's spectrum, shifted) + noise·N(0, 1), over some of the candidates

    Candidates are drawn from the library, the metabolites present from the candidates, the
    concentrations c from a log-normal of median 1 whose logarithm varies by 1. Spectra have length
    1, so c/noise is how far a metabolite stands out. A candidate is a group of `copies` columns,
    `step` points apart. Shifts are those of a copy, or any whole number of points in the same range
    (`between`), where the nearest copy is the right one. `true_weights` has the concentrations, and
    `test` the mixture without noise.
    """

    candidates: int = 40
    present: int = 40
    noise: float = 0.02
    between: bool = False
    copies: int = 11
    step: int = 3
    seed: int = 0

    def read(self, folder: Path) -> Dataset:
        spectra, names = _library(folder)
        self._check(spectra.shape[1])
        rng = np.random.default_rng(self.seed)
        chosen = rng.choice(spectra.shape[1], self.candidates, replace=False)
        present = np.sort(rng.choice(self.candidates, self.present, replace=False))
        furthest = self.step * (self.copies // 2)
        shifts = np.arange(-furthest, furthest + 1, self.step)
        moved = rng.integers(-furthest, furthest + 1, self.present)
        nearest = np.abs(np.subtract.outer(moved, shifts)).argmin(axis=1)
        if not self.between:
            moved = shifts[nearest]
        amounts = rng.lognormal(0.0, 1.0, self.present)
        weights = np.zeros(self.candidates * self.copies)
        weights[present * self.copies + nearest] = amounts
        X = sparse.csr_array(
            sparse.hstack([shifted(spectra[:, [i]], by) for i in chosen for by in shifts])
        )
        parts = [shifted(spectra[:, [chosen[k]]], by) for k, by in zip(present, moved, strict=True)]
        clean = sparse.csr_array(sparse.hstack(parts)) @ amounts
        named = [str(names[i]) for i in chosen]
        groups = Groups.contiguous(weights.size, self.candidates)
        return Dataset(
            X,
            clean + self.noise * rng.standard_normal(clean.size),
            "regression",
            f"A mixture of {self.present} of {counted(self.candidates, 'candidate')}, "
            f"{self.copies} copies of each, at {clean.size:,} points",
            groups=groups,
            true_weights=weights,
            names=tuple(f"{name}, {by:+d} points" for name in named for by in shifts),
            group_names=tuple(named),
            test=Dataset(X, clean, "regression", "the mixture without noise", groups=groups),
        )

    def _check(self, most: int) -> None:
        check_counts(self, "candidates", "present", "copies", "step")
        check_counts(self, "seed", least=0)
        check_noise(self.noise)
        if self.copies % 2 == 0:
            raise ValueError(
                f"copies must be odd, as many to the left as to the right, got {self.copies}."
            )
        if not self.present <= self.candidates <= most:
            raise ValueError(
                f"of the {most} spectra {self.candidates} cannot be candidates and {self.present} "
                "of those be present; take fewer."
            )


def shifted(spectrum: sparse.csc_array, by: int) -> sparse.csc_array:
    """A column moved down by so many points; what leaves the range is lost."""
    moved = spectrum.tocoo()
    row = moved.row + by
    kept = (row >= 0) & (row < spectrum.shape[0])
    return sparse.csc_array((moved.data[kept], (row[kept], moved.col[kept])), shape=spectrum.shape)


def _library(folder: Path) -> tuple[sparse.csc_array, np.ndarray]:
    """The pure spectra as columns of length 1, and their names."""
    with np.load(file_in(folder, LIBRARY), allow_pickle=False) as content:
        parts = (content["data"].astype(float), content["indices"], content["indptr"])
        spectra = sparse.csc_array(parts, shape=tuple(content["shape"]))
        names = content["names"]
    lengths = np.sqrt(spectra.multiply(spectra).sum(axis=0))
    return sparse.csc_array(spectra / lengths), names
