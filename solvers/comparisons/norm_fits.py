"""Least squares in four norms, and the strengths at which they can be compared fairly."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from ..api import solve_lasso
from ..groups import Groups
from ..problems import Candidate, LassoProblem, relative_gap
from ..rivals.least_squares import CentredSquares
from ..scales import lambda_0
from ..tracking import solve
from ..validation import as_data_matrix, as_positive, as_target
from .group_lasso import GroupLassoProblem, group_lasso

_COORDINATE_SWEEPS = 100_000


@dataclass(frozen=True)
class Fit:
    """A least-squares fit under one norm. `gap` is certified and relative."""

    key: str
    lam: float
    w: np.ndarray
    intercept: float
    loss: float
    objective: float
    gap: float

    @property
    def nonzeros(self) -> int:
        """Weights above 1e-6 of the largest: what an iterative method leaves below is not there."""
        return int(np.count_nonzero(np.abs(self.w) > 1e-6 * np.abs(self.w).max()))


@dataclass(frozen=True)
class Norm:
    """A norm of the paper's Figure 1 as a penalty on ½‖Xw + b − y‖²."""

    key: str
    label: str
    penalty: str
    solve: Callable
    largest_lam: Callable
    sparse: bool = True


def fit_norm(key, X, y, groups, lam, *, fit_intercept=False, tol=1e-6, max_iter=None, w0=None):
    """min over w, b of ½‖Xw + b − y‖² + penalty, for the penalty that `key` names

    "ridge" λ/2‖w‖², "lasso" λ‖w‖₁, "group" λΣ_g‖w_g‖₂ and "exclusive" λ/2‖w‖_e². Ridge is a
    linear system, the lasso scikit-learn's coordinate descent, the other two are ours. Whoever
    solved it, the gap is this package's certificate. Overlapping groups make "group" the latent
    group lasso (Jacob et al. 2009): each group has its own copy v^g of its features,
    w = Σ_g v^g and the penalty is λΣ_g‖v^g‖₂.
    """
    norm = _norm(key)
    columns = getattr(X, "columns", None)
    X = as_data_matrix(X)
    y = as_target(y, X.shape[0])
    groups = Groups.resolve(groups, X.shape[1], columns=columns)
    lam = as_positive(lam, "lam")
    w, intercept, objective, gap = norm.solve(
        X, y, groups, lam, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, w0=w0
    )
    residual = X @ w + intercept - y
    loss = 0.5 * float(residual @ residual)
    return Fit(key, lam, w, float(intercept), loss, float(objective), float(gap))


def largest_useful_lam(key, X, y, groups, *, fit_intercept=False) -> float:
    """From here on a larger λ changes nothing worth seeing

    For "lasso" and "group" exactly the λ that makes w = 0. The squared norms never do: for "ridge"
    100‖X‖₂², for "exclusive" 100λ₀, where one feature a group is left and only shrinks.
    """
    norm = _norm(key)
    columns = getattr(X, "columns", None)
    X = as_data_matrix(X)
    groups = Groups.resolve(groups, X.shape[1], columns=columns)
    return norm.largest_lam(X, as_target(y, X.shape[0]), groups, fit_intercept)


def match_nonzeros(
    key, X, y, groups, wanted, *, n_lams=25, smallest=1e-4, refinements=12, **options
) -> Fit:
    """The fit whose number of nonzeros is nearest to `wanted`, on a path in λ

    Walks down a geometric grid from `largest_useful_lam` to `smallest` of it, each fit starting the
    next, until the number is passed, then bisects log λ between the last two. Nearest need not be
    equal: the group lasso moves by whole groups, and the exclusive norm keeps one feature of
    every group. The first of equals, which is the strongest penalty, wins.
    """
    if not _norm(key).sparse:
        raise ValueError(
            f"{_norm(key).label} has no zeros to count; match its training loss instead."
        )
    if wanted < 1:
        raise ValueError(f"the wanted number of nonzeros must be at least 1, got {wanted}.")
    top = largest_useful_lam(key, X, y, groups, fit_intercept=options.get("fit_intercept", False))
    fits: list[Fit] = []

    def fit(lam):
        start = fits[-1].w if fits else None
        fits.append(fit_norm(key, X, y, groups, lam, w0=start, **options))
        return fits[-1].nonzeros

    high = low = None
    for lam in np.geomspace(top, smallest * top, n_lams):
        if fit(lam) >= wanted:
            low = lam
            break
        high = lam
    if low is not None and high is not None and fits[-1].nonzeros != wanted:
        for _ in range(refinements):
            middle = np.sqrt(low * high)
            nonzeros = fit(middle)
            if nonzeros == wanted:
                break
            low, high = (middle, high) if nonzeros > wanted else (low, middle)
    return min(fits, key=lambda fit: (abs(fit.nonzeros - wanted), -fit.lam))


def match_training_loss(
    key, X, y, groups, wanted, *, rtol=1e-3, smallest=1e-10, max_fits=60, **options
) -> Fit:
    """The fit whose training loss ½‖Xw + b − y‖² is `wanted`, within rtol

    The loss grows with λ, from that of least squares to that of w = 0, so bisection in log λ finds
    it.
    """
    wanted = as_positive(wanted, "the wanted loss")
    high = largest_useful_lam(key, X, y, groups, fit_intercept=options.get("fit_intercept", False))
    fits: list[Fit] = []

    def loss(lam):
        start = fits[-1].w if fits else None
        fits.append(fit_norm(key, X, y, groups, lam, w0=start, **options))
        return fits[-1].loss

    def found():
        return abs(fits[-1].loss - wanted) <= rtol * wanted

    floor, ceiling = smallest * high, 1e6 * high
    while loss(high) < wanted and not found():
        if high >= ceiling or not fits[-1].w.any():
            raise ValueError(
                f"a training loss of {wanted:g} is out of reach: it is {fits[-1].loss:g} even with "
                "w near 0; ask for less."
            )
        high *= 10.0
    low = high
    while not found() and fits[-1].loss > wanted:
        if low <= floor:
            raise ValueError(
                f"a training loss of {wanted:g} is out of reach: it is {fits[-1].loss:g} even at "
                f"lam={low:g}; ask for more."
            )
        high, low = low, 0.1 * low
        loss(low)
    while not found() and len(fits) < max_fits:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if loss(middle) > wanted else (middle, high)
    return min(fits, key=lambda fit: abs(fit.loss - wanted))


def _solve_ridge(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    problem = _singletons_problem(X, y, lam, 2.0, fit_intercept)
    w = CentredSquares(problem).reweighted_ridge(np.ones(X.shape[1]), problem.lam)
    if w is None:
        raise ValueError(
            f"ridge with lam={lam:g} is singular in floating-point arithmetic; use a larger lam."
        )
    return _certified(problem, w)


def _solve_l1(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    n_samples = X.shape[0]
    model = Lasso(
        alpha=lam / n_samples,
        fit_intercept=fit_intercept,
        # scikit-learn's tolerance is relative to ‖y‖², which may be far above the objective.
        tol=1e-3 * tol,
        max_iter=_COORDINATE_SWEEPS if max_iter is None else max_iter,
        warm_start=True,
    )
    if w0 is not None:
        model.coef_ = w0.copy()
    with warnings.catch_warnings():
        # The certificate below says how good it is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return _certified(_singletons_problem(X, y, 2.0 * lam, 1.0, fit_intercept), model.coef_)


def _solve_group(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    copies = groups
    if groups.overlapping:
        X = X[:, groups.indices]
        copies = Groups.from_labels(groups.member_groups)
        w0 = None if w0 is None else (w0 / groups.overlap_counts)[groups.indices]
    problem = GroupLassoProblem(X, y, copies, lam, fit_intercept=fit_intercept)
    result = solve(problem, group_lasso, tol=tol, max_iter=max_iter, w0=w0)
    w = groups.scatter(result.w) if groups.overlapping else result.w
    return w, result.intercept, result.objective, result.gap


def _solve_exclusive(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    result = solve_lasso(
        X, y, groups, lam, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, w0=w0
    )
    return result.w, result.intercept, result.objective, result.gap


def _singletons_problem(X, y, lam, exponent, fit_intercept) -> LassoProblem:
    """λ/2 Σᵢ |wᵢ|^q: with every feature a group of its own, ridge is q = 2 and the lasso q = 1."""
    groups = Groups.contiguous(X.shape[1], X.shape[1])
    return LassoProblem(X, y, groups, lam, exponent=exponent, fit_intercept=fit_intercept)


def _certified(problem, w):
    score, units = problem.score(Candidate(w)), problem.units
    outside = units.weights(w), units.intercept(score.intercept), units.value(score.objective)
    return *outside, relative_gap(score.objective, score.bound)


def _correlations(X, y, fit_intercept) -> np.ndarray:
    """Xᵀ(y − ȳ), or Xᵀy without an intercept."""
    return np.asarray((y - y.mean() if fit_intercept else y) @ X).reshape(-1)


def _ridge_scale(X, y, groups, fit_intercept) -> float:
    design = _singletons_problem(X, y, 1.0, 2.0, fit_intercept).design
    return 100.0 * design.largest_eigenvalue(np.ones(X.shape[0])) or 1.0


def _l1_scale(X, y, groups, fit_intercept) -> float:
    return float(np.abs(_correlations(X, y, fit_intercept)).max()) or 1.0


def _group_scale(X, y, groups, fit_intercept) -> float:
    squares = _correlations(X, y, fit_intercept) ** 2
    return float(np.sqrt(groups.sum(squares).max())) or 1.0


def _exclusive_scale(X, y, groups, fit_intercept) -> float:
    return 100.0 * lambda_0(X, y, groups, fit_intercept=fit_intercept)


NORMS: Mapping[str, Norm] = MappingProxyType(
    {
        row.key: row
        for row in (
            Norm("ridge", "ridge", "λ/2 ‖w‖²", _solve_ridge, _ridge_scale, sparse=False),
            Norm("lasso", "lasso", "λ ‖w‖₁", _solve_l1, _l1_scale),
            Norm("group", "group lasso", "λ ‖w‖₂,₁", _solve_group, _group_scale),
            Norm("exclusive", "exclusive lasso", "λ/2 ‖w‖_e²", _solve_exclusive, _exclusive_scale),
        )
    }
)


def _norm(key) -> Norm:
    if key not in NORMS:
        raise ValueError(f"there is no norm {key!r}; choose one of: {', '.join(NORMS)}.")
    return NORMS[key]
