"""Figure 1 and the paragraph after it: what four norms do to groups, over many draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.estimates import estimate
from lab.loading import one_at_a_time
from lab.pattern import FITTED_AS as NORMS
from solvers import Groups

SMALLEST_WEIGHT = 1e-6
_SHARES = np.geomspace(1.0, 1e-3, 25)


@dataclass(frozen=True)
class Sizes:
    """What is drawn: `true` features in `groups` groups of `size`, and noise on y."""

    samples: int
    groups: int
    size: int
    true: int
    noise: float

    @property
    def features(self) -> int:
        return self.groups * self.size


@dataclass(frozen=True)
class PairSizes:
    """Two features of correlation `rho` in two groups, one with `company` more true features."""

    samples: int
    rho: float
    company: int
    noise: float


FIGURE_1 = Sizes(samples=80, groups=10, size=12, true=10, noise=1.5)
PAIR = PairSizes(samples=60, rho=0.95, company=3, noise=2.0)


def figure_1(draws: int) -> dict:
    """The four fits of y = Xw* + noise whose true features lie anywhere, at a quarter of all kept.

    The true features lie at random places, so that the data prefer no pattern (`FIGURE_1`); of each
    path the strongest penalty that keeps a quarter of the features or more.
    `dispersion` is the variance of the number of chosen features of a group over what choosing as
    many at random would give: 1 is no pattern, above 1 they crowd into few groups, below 1 they
    spread evenly.
    """
    rows: dict[str, dict[str, list[float]]] = {
        norm: {"chosen": [], "groups": [], "inside": [], "dispersion": []} for norm in NORMS
    }
    n, N, k = FIGURE_1.features, FIGURE_1.samples, FIGURE_1.true
    groups = Groups.contiguous(n, FIGURE_1.groups)
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        w = np.zeros(n)
        w[rng.choice(n, k, replace=False)] = rng.choice((-1.0, 1.0), k)
        X = rng.standard_normal((N, n))
        y = X @ w + FIGURE_1.noise * rng.standard_normal(N)
        for norm in NORMS:
            kept = _first_with(norm, X, y, groups, n // 4) != 0.0
            counts = groups.sum(kept.astype(float))
            alive = counts > 0
            rows[norm]["chosen"].append(float(kept.mean()))
            rows[norm]["groups"].append(float(alive.mean()))
            rows[norm]["inside"].append(float(counts[alive].mean() / FIGURE_1.size))
            rows[norm]["dispersion"].append(_dispersion(counts, kept.size))
    return {
        "draws": draws,
        **{norm: {name: _interval(v) for name, v in row.items()} for norm, row in rows.items()},
        "dense_every_time": bool(min(rows["l2"]["chosen"]) == 1.0),
    }


def correlated_pair(draws: int) -> dict:
    """Two nearly equal features in two groups, one of which has three more true features.

    f_i lies in the group with company, f_j in the group without; both are true. `company` is how
    often f_i gets the larger weight, `both` how often neither is 0, `cheaper` how often the one
    with the larger weight is also the one whose fit without the other has the lower objective.
    """
    found = {norm: {"company": 0, "both": 0, "cheaper": 0, "ratio": []} for norm in NORMS}
    groups = Groups.contiguous(40, 8)
    i, j = 0, 5
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        w = np.zeros(40)
        w[[i, j, *range(i + 1, i + 1 + PAIR.company)]] = 1.0
        X, X_test = (_pair_design(rng, rows, i, j) for rows in (PAIR.samples, 500))
        y = X @ w + PAIR.noise * rng.standard_normal(PAIR.samples)
        y_test = X_test @ w
        for norm, row in found.items():
            fit, lam = _best_fit(norm, X, y, X_test, y_test, groups)
            one, other = abs(fit[i]), abs(fit[j])
            row["company"] += one > other
            row["both"] += min(one, other) > 0.0
            row["ratio"].append(min(one, other) / max(one, other) if max(one, other) else 0.0)
            alone = [_objective_without(norm, X, y, groups, lam, drop) for drop in (j, i)]
            row["cheaper"] += (one > other) == (alone[0] < alone[1])
    return {
        "draws": draws,
        **{
            norm: {
                "company": int(row["company"]),
                "both": int(row["both"]),
                "cheaper": int(row["cheaper"]),
                "ratio": _interval(row["ratio"]),
            }
            for norm, row in found.items()
        },
    }


def _pair_design(rng, rows: int, i: int, j: int) -> np.ndarray:
    X = rng.standard_normal((rows, 40))
    X[:, j] = PAIR.rho * X[:, i] + np.sqrt(1.0 - PAIR.rho**2) * X[:, j]
    return X


def _path(norm, X, y, groups):
    """(λ, weights) from the largest useful λ down, what is next to nothing set to 0."""
    with one_at_a_time:
        from solvers.comparisons import fit_norm, largest_useful_lam

    largest = largest_useful_lam(NORMS[norm], X, y, groups)
    w = None
    for lam in largest * _SHARES:
        w = fit_norm(NORMS[norm], X, y, groups, lam, tol=1e-6, w0=w).w
        yield lam, np.where(np.abs(w) > SMALLEST_WEIGHT * np.abs(w).max(), w, 0.0)


def _first_with(norm, X, y, groups, least: int) -> np.ndarray:
    """The weights at the strongest penalty that keeps so many."""
    return next(w for _, w in _path(norm, X, y, groups) if np.count_nonzero(w) >= least)


def _best_fit(norm, X, y, X_test, y_test, groups) -> tuple[np.ndarray, float]:
    """The weights at the λ of the path that predicts new samples best, and that λ."""
    fits = list(_path(norm, X, y, groups))
    errors = [float(np.sum((X_test @ w - y_test) ** 2)) for _, w in fits]
    lam, w = fits[int(np.argmin(errors))]
    return w, lam


def _objective_without(norm, X, y, groups, lam, drop: int) -> float:
    """The least objective when a feature may not be used: its column is zero."""
    with one_at_a_time:
        from solvers.comparisons import fit_norm

    less = X.copy()
    less[:, drop] = 0.0
    w = fit_norm(NORMS[norm], less, y, groups, lam, tol=1e-6).w
    penalty = {
        "l2": lambda: 0.5 * float(w @ w),
        "l1": lambda: float(np.abs(w).sum()),
        "l21": lambda: float(np.sqrt(groups.sum(w * w)).sum()),
        "le": lambda: 0.5 * float(np.sum(groups.sum(np.abs(w)) ** 2)),
    }[norm]()
    return 0.5 * float(np.sum((less @ w - y) ** 2)) + lam * penalty


def _dispersion(counts: np.ndarray, n: int) -> float:
    """The variance of hypergeometric counts is k/m·(1 − 1/m)·(n − k)/(n − 1)."""
    k, m = float(counts.sum()), counts.size
    at_random = k / m * (1.0 - 1.0 / m) * (n - k) / (n - 1.0)
    return float(counts.var() / at_random) if at_random else 0.0


def _interval(values) -> dict:
    found = estimate(values)
    return {name: float(f"{getattr(found, name):.4g}") for name in ("mean", "low", "high")}
