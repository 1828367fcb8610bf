"""The same data fitted in four norms, along certified paths in λ.

`solve_paths` fits all four norms on a grid of λ once, and what is shown for one λ is a look-up. λ
is counted in each norm's own scale, so that one number means something for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lab.loading import one_at_a_time
from lab.norms.spec import PatternData, PatternSpec, make_data
from lab.pattern import FITTED_AS
from solvers import Groups, lasso_path

# `largest_useful_lam` is 100 times the scale for the two squared norms, which never reach w = 0.
SQUARED = ("l2", "le")
TOLERANCE = 1e-6
# Eight steps a decade, as texts, so that a typed address means the same as the slider's own.
SHARES = tuple(f"{10 ** (1 - k / 8):.2g}" for k in range(24, -1, -1))
DEFAULT_SHARE = "1"

# What an iterative method leaves below this share of the largest weight is not there.
SMALLEST_WEIGHT = 1e-6


@dataclass(frozen=True, eq=False)
class NormPath:
    """One norm's fits, from the smallest share of its own λ scale to the largest.

    `errors` are squared errors on test rows as a share of those of w = 0; `losses` ½‖Xw − y‖².
    """

    norm: str
    shares: np.ndarray
    lams: np.ndarray
    coefs: np.ndarray
    gaps: np.ndarray
    nonzeros: np.ndarray
    f1: np.ndarray
    errors: np.ndarray
    losses: np.ndarray

    def index(self, share: float) -> int:
        """The grid point of a share."""
        return int(np.argmin(np.abs(np.log(self.shares / share))))


@dataclass(frozen=True, eq=False)
class Paths:
    """All four norms on the same data. `oracle_error` is the test error of the true weights."""

    spec: PatternSpec
    groups: Groups
    cells: np.ndarray
    true_weights: np.ndarray
    oracle_error: float
    by_norm: Mapping[str, NormPath]

    @cached_property
    def support(self) -> np.ndarray:
        return self.true_weights != 0.0

    @cached_property
    def support_grid(self) -> np.ndarray:
        return self.support[self.cells]

    @cached_property
    def owners(self) -> np.ndarray:
        """The group of each feature; of a shared one, the group that shares it."""
        owners = np.empty(self.true_weights.size, dtype=int)
        own = self.cells[:, : self.spec.group_size]
        owners[own] = np.arange(self.groups.n_groups)[:, None]
        return owners


def shares_grid(norm: str) -> np.ndarray:
    """The slider's shares and points between, for finer matching; ℓ2,1 fills up within a decade."""
    stops = np.array([float(text) for text in SHARES])
    between = [np.sqrt(stops[1:] * stops[:-1])]
    if norm == "l21":
        between.append(np.geomspace(0.35, 0.99, 24))
    return np.unique(np.concatenate([stops, *between]))


def own_scale(norm: str, X, y, groups: Groups) -> float:
    """The λ that counts as 1: where ℓ1 and ℓ2,1 reach w = 0, where ℓ2 and ℓe shrink by about half

    For ℓ2 that is ‖X‖₂², along the strongest direction; for ℓe λ₀ = ‖Xu‖²/‖u‖_e², u holding each
    group's largest correlation with y.
    """
    with one_at_a_time:
        from solvers.comparisons import (
            largest_useful_lam,  # loads scikit-learn, which takes a while
        )

    largest = largest_useful_lam(FITTED_AS[norm], X, y, groups)
    return largest / 100.0 if norm in SQUARED else largest


@dataclass(frozen=True, eq=False)
class Fits:
    """What a solver says of one norm: a row of weights and a relative gap for each λ."""

    lams: np.ndarray
    coefs: np.ndarray
    gaps: np.ndarray


def solve_paths(spec: PatternSpec) -> Paths:
    """Certified fits in all four norms, for every share of its `shares_grid`."""
    data = make_data(spec)
    return measured_paths(spec, data, {norm: _fits(norm, data) for norm in FITTED_AS})


def measured_paths(spec: PatternSpec, data: PatternData, fits: Mapping[str, Fits]) -> Paths:
    """The fits of a spec with their nonzeros, support F1 and errors."""
    w = data.true_weights
    power = float(data.y_test @ data.y_test)
    by_norm = {norm: _measured(norm, data, power, found) for norm, found in fits.items()}
    missed = data.X_test @ w - data.y_test
    error = float(missed @ missed) / power
    return Paths(spec, data.groups, data.cells, w, error, by_norm)


def _fits(norm: str, data: PatternData) -> Fits:
    lams = own_scale(norm, data.X, data.y, data.groups) * shares_grid(norm)
    if norm == "le":
        path = lasso_path(data.X, data.y, data.groups, lams, tol=TOLERANCE)
        return Fits(lams, path.coefs, path.gaps)
    return Fits(lams, *_warm_started(norm, data, lams))


def _measured(norm: str, data: PatternData, power: float, fits: Fits) -> NormPath:
    coefs = fits.coefs
    magnitudes = np.abs(coefs)
    seen = magnitudes > SMALLEST_WEIGHT * magnitudes.max(axis=1, keepdims=True)
    coefs = np.where(seen, coefs, 0.0)
    truth = data.true_weights != 0.0
    nonzeros = seen.sum(axis=1)
    train = coefs @ data.X.T - data.y
    test = coefs @ data.X_test.T - data.y_test
    return NormPath(
        norm,
        shares_grid(norm),
        fits.lams,
        coefs,
        fits.gaps,
        nonzeros,
        f1=2.0 * (seen & truth).sum(axis=1) / (nonzeros + truth.sum()),
        errors=np.sum(test * test, axis=1) / power,
        losses=0.5 * np.sum(train * train, axis=1),
    )


def _warm_started(norm, data, lams):
    """From the largest λ down, each fit starting the next."""
    with one_at_a_time:
        from solvers.comparisons import fit_norm

    coefs, gaps = np.empty((lams.size, data.X.shape[1])), np.empty(lams.size)
    w = None
    for k in range(lams.size - 1, -1, -1):
        fit = fit_norm(FITTED_AS[norm], data.X, data.y, data.groups, lams[k], tol=TOLERANCE, w0=w)
        w = coefs[k] = fit.w
        gaps[k] = fit.gap
    return coefs, gaps
