"""Paths and grids of the E-SVM: one problem for many strengths, every point certified."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from .docstrings import SOLVER, documented
from .large.methods import beta_path
from .path import MOST_STEPS, Path, first_certified, in_given_order
from .problems import SVMProblem
from .threads import suitable_threads
from .types import GroupsLike, Matrix
from .validation import as_limit, as_strengths


@dataclass(frozen=True)
class SVMPath(Path):
    """w(β) for every β in `betas`, in the order given

    Attributes
    ----------
    betas : array of k numbers
        The strengths, as given.
    coefs, intercepts, objectives, gaps, iterations, converged : arrays
        As in `LassoPath`.
    n_passes : float or None
        As in `LassoPath`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, svm_path
    >>> path = svm_path(np.eye(2), [1, -1], Groups.contiguous(2, 2), 1.0, betas=[1.0, 3.0])
    >>> path.coefs.round(4).tolist()
    [[0.5, -0.5], [0.25, -0.25]]
    """

    betas: np.ndarray


@documented(SOLVER)
def svm_path(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    alpha: float,
    betas: ArrayLike,
    *,
    tol: float = 1e-6,
    fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
) -> SVMPath:
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e², for every β in `betas`

    Solved from the largest β down, each from the last one's dual point, or, where groups overlap,
    from its features; the results come back in the order given. Every point is certified.

    Parameters
    ----------
    y : array of n_samples numbers
        The labels, −1 or +1.
    alpha : float
        α > 0, the strength of ‖w‖².
    betas : array of numbers
        The strengths β > 0, in any order.

    Returns
    -------
    SVMPath
        Weights, intercepts, objectives and certified gaps, in the order of `betas`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, svm_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = np.sign(X[:, 0] - X[:, 20])
    >>> path = svm_path(X, y, Groups.contiguous(40, 2), alpha=0.1, betas=[0.1, 1.0, 10.0])
    >>> path.coefs.shape, bool(path.converged.all())
    ((3, 40), True)
    """
    betas, tol = as_strengths(betas, "betas"), as_limit(tol, "tol")
    options = {
        "fit_intercept": fit_intercept,
        "sample_weight": sample_weight,
        "positive": positive,
        "feature_weight": feature_weight,
        "group_weight": group_weight,
    }
    problem = SVMProblem(X, y, groups, alpha, float(betas.min()), **options)
    order = np.argsort(-betas, kind="stable")
    with suitable_threads(problem.design.shape), np.errstate(all="ignore"):
        path = beta_path(problem, aim=tol)
        points = [_point(path, problem, beta, tol) for beta in betas[order]]
    columns = in_given_order(points, order, tol)
    return SVMPath(betas=betas, n_passes=problem.design.passes, **columns)


@dataclass(frozen=True)
class SVMGrid(Path):
    """w(α, β) for every α in `alphas` and β in `betas`, in the orders given

    Attributes
    ----------
    alphas : array of a numbers
        The strengths of ‖w‖², as given.
    betas : array of b numbers
        The strengths of ‖w‖_e², as given.
    coefs : array, a × b × n_features
        The weights.
    intercepts, objectives, gaps, iterations, converged : arrays, a × b
        As in `LassoPath`.
    n_passes : float or None
        As in `LassoPath`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, svm_grid
    >>> grid = svm_grid(np.eye(2), [1, -1], Groups.contiguous(2, 2), [1.0, 3.0], [1.0, 3.0])
    >>> grid.coefs[:, :, 0].round(4).tolist()
    [[0.5, 0.25], [0.25, 0.1667]]
    """

    alphas: np.ndarray
    betas: np.ndarray

    def row(self, k: int) -> SVMPath:
        """The path over β at the α of that place

        Parameters
        ----------
        k : int
            Which of `alphas`.

        Returns
        -------
        SVMPath
            The points of that row, with the passes of all rows.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups, svm_grid
        >>> grid = svm_grid(np.eye(2), [1, -1], Groups.contiguous(2, 2), [1.0, 3.0], [1.0, 3.0])
        >>> grid.row(1).coefs.round(4).tolist()
        [[0.25, -0.25], [0.1667, -0.1667]]
        """
        names = [each.name for each in fields(Path) if each.name != "n_passes"]
        columns = {name: getattr(self, name)[k] for name in names}
        return SVMPath(betas=self.betas, n_passes=self.n_passes, **columns)


@documented(SOLVER)
def svm_grid(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    alphas: ArrayLike,
    betas: ArrayLike,
    *,
    tol: float = 1e-6,
    fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
) -> SVMGrid:
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e², for every α and β

    A path over β (`svm_path`) for each α, from the largest α down; each begins at the first point
    of the one before, and the data are prepared once. Every point is certified.

    Parameters
    ----------
    y : array of n_samples numbers
        The labels, −1 or +1.
    alphas : array of numbers
        The strengths α > 0 of ‖w‖², in any order.
    betas : array of numbers
        The strengths β > 0 of ‖w‖_e², in any order.

    Returns
    -------
    SVMGrid
        Weights, intercepts, objectives and certified gaps, by α and β in the orders given.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, svm_grid
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = np.sign(X[:, 0] - X[:, 20])
    >>> grid = svm_grid(X, y, Groups.contiguous(40, 2), [0.1, 1.0], betas=[0.1, 1.0, 10.0])
    >>> grid.coefs.shape, bool(grid.converged.all())
    ((2, 3, 40), True)
    """
    alphas, betas = as_strengths(alphas, "alphas"), as_strengths(betas, "betas")
    tol = as_limit(tol, "tol")
    options = {
        "fit_intercept": fit_intercept,
        "sample_weight": sample_weight,
        "positive": positive,
        "feature_weight": feature_weight,
        "group_weight": group_weight,
    }
    problem = SVMProblem(X, y, groups, float(alphas.max()), float(betas.min()), **options)
    rows, order = np.argsort(-alphas, kind="stable"), np.argsort(-betas, kind="stable")
    path = beta_path(problem, aim=tol)
    found: list = [None] * alphas.size
    with suitable_threads(problem.design.shape), np.errstate(all="ignore"):
        for row in rows:
            here = problem.with_strength(float(betas.min()), float(alphas[row]))
            points = [_point(path, here, betas[order[0]], tol)]
            start = path.known
            points += [_point(path, here, beta, tol) for beta in betas[order[1:]]]
            path.known = start
            found[row] = in_given_order(points, order, tol)
    columns = {name: np.array([each[name] for each in found]) for name in found[0]}
    return SVMGrid(alphas=alphas, betas=betas, n_passes=problem.design.passes, **columns)


def _point(path, problem, beta, tol):
    """The certified point at β, from which the path goes on."""
    here = problem.with_strength(float(beta))
    candidates = (build() for build in islice(path.candidates(here), MOST_STEPS))
    point, w, dual = first_certified(here, candidates, tol)
    path.finished(w, dual)
    return point
