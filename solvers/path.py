"""Regularisation paths: one problem for many strengths of its penalty, every point certified."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from .docstrings import SOLVER, documented
from .large.methods import strength_path
from .problems import LassoProblem, relative_gap
from .threads import suitable_threads
from .types import GroupsLike, Matrix
from .validation import as_limit, as_strengths


@dataclass(frozen=True)
class Path:
    """Solutions along a path, in the order in which the strengths were given."""

    coefs: np.ndarray
    intercepts: np.ndarray
    objectives: np.ndarray
    gaps: np.ndarray
    iterations: np.ndarray
    converged: np.ndarray
    n_passes: float | None


@dataclass(frozen=True)
class LassoPath(Path):
    """w(λ) for every λ in `lams`, in the order given

    Attributes
    ----------
    lams : array of k numbers
        The strengths, as given.
    coefs : array, k × n_features
        The weights, a row for every λ.
    intercepts : array of k numbers
        b, 0 where none was asked for.
    objectives : array of k numbers
        The objective at each point.
    gaps : array of k numbers
        Certified relative gaps.
    iterations : array of k ints
        How many candidates were made for each point.
    converged : array of k bools
        Which gaps reached the tolerance.
    n_passes : float or None
        How often data that are not in memory were gone through for all points together; None for
        data in memory.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, lasso_path
    >>> path = lasso_path(np.eye(2), [4.0, 2.0], Groups.contiguous(2, 2), lams=[1.0, 3.0])
    >>> path.coefs.round(6).tolist()
    [[2.0, 1.0], [1.0, 0.5]]
    >>> path.converged.tolist()
    [True, True]
    """

    lams: np.ndarray


@documented(SOLVER)
def lasso_path(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lams: ArrayLike,
    *,
    tol: float = 1e-6,
    fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
) -> LassoPath:
    """min over w, b of ½‖Xw + b − y‖² + λ/2 ‖w‖_e², for every λ in `lams`

    Solved from the largest λ down, each from the support of the one before; the results come back
    in the order given. Every point carries its certificate. A point costs about two small linear
    systems and two products with X where neighbouring λ share most of their support.

    Parameters
    ----------
    lams : array of numbers
        The strengths λ > 0, in any order.

    Returns
    -------
    LassoPath
        Weights, intercepts, objectives and certified gaps, in the order of `lams`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, lasso_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = X[:, 0] - X[:, 20]
    >>> path = lasso_path(X, y, Groups.contiguous(40, 2), lams=[0.1, 10.0, 1000.0])
    >>> path.coefs.shape, bool(path.gaps.max() <= 1e-6)
    ((3, 40), True)
    >>> np.flatnonzero(path.coefs[2]).tolist()  # the strongest leaves one a group
    [0, 20]
    """
    lams = as_strengths(lams, "lams")
    problem = LassoProblem(
        X,
        y,
        groups,
        float(lams.max()),
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
        positive=positive,
        feature_weight=feature_weight,
        group_weight=group_weight,
    )
    return smooth_path(problem, lams, tol)


# Newton-type steps per point; a point that needs more is reported as not converged.
MOST_STEPS = 2000


def smooth_path(problem, lams, tol) -> LassoPath:
    """A path for any smooth loss, from the largest λ down."""
    lams, tol = as_strengths(lams, "lams"), as_limit(tol, "tol")
    order = np.argsort(-lams, kind="stable")
    with suitable_threads(problem.design.shape), np.errstate(all="ignore"):
        points = list(_points(problem, lams[order], tol))
    columns = in_given_order(points, order, tol)
    return LassoPath(lams=lams, n_passes=problem.design.passes, **columns)


def _points(problem, lams, tol):
    """Each from the support of the λ before."""
    path = strength_path(problem)
    for lam in lams:
        here = problem.with_strength(float(lam))
        candidates = (build() for build in islice(path.candidates(here), MOST_STEPS))
        point, w, _ = first_certified(here, candidates, tol)
        path.finished(w)
        yield point


def first_certified(problem, candidates, tol):
    """Score candidates until one is good enough: a point of the path in the units of the data

    With it the same w in those of the problem, and the best dual point.
    """
    best, bound, dual, count = None, -np.inf, None, 0
    for candidate in candidates:
        count += 1
        score = problem.score(candidate, tol=tol, known_bound=bound)
        if score.bound > bound or dual is None:
            bound, dual = max(bound, score.bound), candidate.dual
        # A point within the tolerance is taken as the method shows it, with its exact zeros.
        good = relative_gap(score.objective, bound) <= tol
        if best is None or good or score.objective < best.objective:
            best = score
        if relative_gap(best.objective, bound) <= tol:
            break
    gap = relative_gap(best.objective, bound)
    units = problem.units
    outside = units.weights(best.w), units.intercept(best.intercept), units.value(best.objective)
    return (*outside, gap, count), best.w, dual


def in_given_order(points, order, tol) -> dict:
    names = ("coefs", "intercepts", "objectives", "gaps", "iterations")
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    columns = {
        name: np.array(column)[back]
        for name, column in zip(names, zip(*points, strict=True), strict=True)
    }
    return columns | {"converged": columns["gaps"] <= tol}
