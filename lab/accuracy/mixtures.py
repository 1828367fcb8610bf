"""NMR mixtures: which metabolites are found, at which shift, and how well the mixture is described.

A trial is a mixture of its own metabolites, shifts, concentrations and noise. Methods are compared
at equally many copies, and as each is tuned by cross-validation over the points of the spectrum.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.accuracy.repeated import Repeated
from lab.data.mixtures import MixtureSpec
from lab.results import Trial
from lab.results.identity import plain
from solvers import Groups, lasso_path
from solvers.linear_algebra import eigen
from solvers.scales import lambda_0

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "exclusive": "Exclusive lasso, w ≥ 0",
        "lasso": "Lasso, w ≥ 0",
    }
)
REPEATS = 20
VERSION = 1
# How many copies a method may take for each candidate; None where cross-validation chooses.
WAYS: Mapping[str, int | None] = MappingProxyType({"one each": 1, "two each": 2, "tuned": None})
# Times λ₀: so strong that each group has one copy left, so weak that nothing is penalised.
STRONGEST, WEAKEST = 1e4, 1e-7
_FINER = 15  # strengths between two neighbours, where copies are to be matched
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class MixturesSpec(Repeated):
    """Repeated mixtures of one kind; a repeat adds its number to the seed of the mixture."""

    mixture: MixtureSpec
    repeats: int = REPEATS
    methods: tuple[str, ...] = tuple(LABELS)
    folds: int = 5
    strengths: int = 80

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "mixtures", "version": VERSION, **plain(asdict(self))}


def specs() -> list[MixturesSpec]:
    """The kinds that come with results: all or half present, two noises, shifts between copies."""
    kinds = [
        *(MixtureSpec(present=count, noise=noise) for count in (40, 20) for noise in (0.02, 0.2)),
        MixtureSpec(between=True),
    ]
    return [MixturesSpec(kind) for kind in kinds]


@dataclass(frozen=True, eq=False)
class Moments:
    """XᵀX, Xᵀy and yᵀy: all that a squared error over some points needs of them."""

    gram: np.ndarray
    pull: np.ndarray
    energy: float

    @classmethod
    def of(cls, X, y) -> Moments:
        return cls((X.T @ X).toarray(), X.T @ y, float(y @ y))

    def without(self, part: Moments) -> Moments:
        return Moments(self.gram - part.gram, self.pull - part.pull, self.energy - part.energy)

    def square(self) -> tuple[np.ndarray, np.ndarray]:
        """R and z with ‖Rw − z‖² = ‖Xw − y‖² + constant, R with no more rows than columns."""
        values, vectors = eigen(self.gram)
        kept = values > values[-1] * values.size * np.finfo(float).eps
        scale, basis = np.sqrt(values[kept]), vectors[:, kept]
        return scale[:, None] * basis.T, basis.T @ self.pull / scale

    def squared_errors(self, weights: np.ndarray) -> np.ndarray:
        """‖Xw − y‖² of every row w."""
        bent = ((weights @ self.gram) * weights).sum(axis=1)
        return self.energy - 2.0 * weights @ self.pull + bent


@dataclass(frozen=True, eq=False)
class Route:
    """w ≥ 0 by one method for falling strengths, relative to λ₀; a row each."""

    strengths: np.ndarray
    weights: np.ndarray
    gap: float

    @property
    def copies(self) -> np.ndarray:
        return np.count_nonzero(self.weights, axis=1)


def route(method: str, moments: Moments, groups: Groups, strengths: np.ndarray) -> Route:
    """The lasso is the same problem with one group: λ/2‖w‖₁² and multiples of ‖w‖₁ share a path."""
    R, z = moments.square()
    known = groups if method == "exclusive" else Groups.contiguous(groups.n_features, 1)
    lams = lambda_0(R, z, known, positive=True) * strengths
    path = lasso_path(R, z, known, lams, positive=True, tol=_TOLERANCE)
    return Route(strengths, path.coefs, float(path.gaps.max()))


def matched(method: str, moments: Moments, groups: Groups, whole: Route, most: int) -> Route:
    """The weakest strength that takes at most so many copies; if none does, that with fewest."""
    few = np.flatnonzero(whole.copies <= most)
    if few.size == 0:
        return _at(whole, int(whole.copies.argmin()))
    last = int(few[-1])
    if last + 1 == whole.strengths.size:
        return _at(whole, last)
    between = np.geomspace(whole.strengths[last], whole.strengths[last + 1], _FINER + 1)[:-1]
    finer = route(method, moments, groups, between)
    return _at(finer, int(max(np.flatnonzero(finer.copies <= most), default=0)))


def _at(along: Route, place: int) -> Route:
    return Route(along.strengths[[place]], along.weights[[place]], along.gap)


def held_out_errors(
    method: str, data, moments: Moments, strengths: np.ndarray, folds: int, seed: int
) -> np.ndarray:
    """‖Xw − y‖² on points that w did not see, summed over random folds, for every strength."""
    fold = np.random.default_rng(seed).permutation(data.y.size) % folds
    total = np.zeros(strengths.size)
    for k in range(folds):
        part = Moments.of(data.X[fold == k], data.y[fold == k])
        rest = route(method, moments.without(part), data.groups, strengths)
        total += part.squared_errors(rest.weights)
    return total


def score(weights: np.ndarray, data, moments: Moments) -> dict[str, float | None]:
    """What the copies with a weight say, refitted with weights of at least 0

    found: the share of metabolites present of which a copy has a weight. named_absent: the same of
    those that are absent. right_shift: the share of metabolites present whose heaviest copy is the
    right one. refit_error: the relative distance to the mixture without noise.
    """
    from scipy.optimize import nnls

    R, z = moments.square()
    support = np.flatnonzero(weights)
    refitted = np.zeros(weights.size)
    if support.size:
        refitted[support] = nnls(R[:, support], z)[0]
    shape = (data.groups.n_groups, -1)
    truth, own = data.true_weights.reshape(shape), refitted.reshape(shape)
    there, named = truth.any(axis=1), weights.reshape(shape).any(axis=1)
    right = own.any(axis=1) & (own.argmax(axis=1) == truth.argmax(axis=1))
    clean = data.test.y
    return {
        "found": float(named[there].mean()),
        "named_absent": None if there.all() else float(named[~there].mean()),
        "right_shift": float(right[there].mean()),
        "refit_error": float(np.linalg.norm(data.X @ refitted - clean) / np.linalg.norm(clean)),
        "copies": int(support.size),
    }


def run_mixture(spec: MixturesSpec, trial: Trial) -> dict[str, Any]:
    """One method on one mixture."""
    from lab.accuracy.trials import separate_seed
    from lab.data.datasets import load

    repeat, _, method = trial
    seed = spec.mixture.seed + repeat
    data = load(replace(spec.mixture, seed=seed))
    started = time.perf_counter()
    moments = Moments.of(data.X, data.y)
    strengths = np.geomspace(STRONGEST, WEAKEST, spec.strengths)
    whole = route(method, moments, data.groups, strengths)
    held_out = held_out_errors(method, data, moments, strengths, spec.folds, separate_seed(seed))
    chosen = {
        way: _at(whole, int(held_out.argmin()))
        if each is None
        else matched(method, moments, data.groups, whole, each * spec.mixture.candidates)
        for way, each in WAYS.items()
    }
    scores = {way: score(found.weights[0], data, moments) for way, found in chosen.items()}
    return {
        "trial": list(trial),
        "accuracy": _rightly_called(scores["tuned"], spec.mixture),
        **scores,
        "chosen": {way: float(found.strengths[0]) for way, found in chosen.items()},
        "gap": max(found.gap for found in chosen.values()),
        "seconds": time.perf_counter() - started,
    }


def _rightly_called(tuned: Mapping[str, Any], mixture: MixtureSpec) -> float:
    """The share of candidates called present or absent as they are."""
    absent = mixture.candidates - mixture.present
    right = tuned["found"] * mixture.present + (1.0 - (tuned["named_absent"] or 0.0)) * absent
    return right / mixture.candidates
