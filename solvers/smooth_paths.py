"""Regularisation paths of logistic and Poisson regression, every point certified."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .docstrings import SOLVER, documented
from .path import LassoPath, smooth_path
from .problems import LogisticProblem, PoissonProblem
from .types import GroupsLike, Matrix


@documented(SOLVER)
def logistic_path(
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
    """min over w, b of Σᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖w‖_e², for every λ in `lams`

    Solved from the largest λ down, each from the solution before; the results come back in the
    order given. Every point carries its certificate.

    Parameters
    ----------
    y : array of n_samples numbers
        The labels, −1 or +1.
    lams : array of numbers
        The strengths λ > 0, in any order.

    Returns
    -------
    LassoPath
        Weights, intercepts, objectives and certified gaps, in the order of `lams`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, logistic_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = np.sign(X[:, 0] - X[:, 20])
    >>> path = logistic_path(X, y, Groups.contiguous(40, 2), lams=[0.1, 1.0, 100.0])
    >>> path.coefs.shape, bool(path.converged.all())
    ((3, 40), True)
    """
    problem = LogisticProblem(
        X,
        y,
        groups,
        1.0,
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
        positive=positive,
        feature_weight=feature_weight,
        group_weight=group_weight,
    )
    return smooth_path(problem, lams, tol)


@documented(SOLVER)
def poisson_path(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lams: ArrayLike,
    *,
    offset: ArrayLike | None = None,
    tol: float = 1e-6,
    fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
) -> LassoPath:
    """min over w, b of Σᵢ e^zᵢ − yᵢzᵢ − yᵢ + yᵢ log yᵢ + λ/2 ‖w‖_e², for every λ in `lams`

    z = Xw + b + offset. Solved from the largest λ down, each from the solution before; the results
    come back in the order given. Every point carries its certificate.

    Parameters
    ----------
    y : array of n_samples numbers
        The counts, at least 0.
    lams : array of numbers
        The strengths λ > 0, in any order.
    offset : array of n_samples numbers, optional
        Added to the predictions, such as the logarithm of an exposure.

    Returns
    -------
    LassoPath
        Weights, intercepts, objectives and certified gaps, in the order of `lams`.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, poisson_path
    >>> rng = np.random.default_rng(0)
    >>> X = 0.5 * rng.standard_normal((60, 40))
    >>> y = rng.poisson(np.exp(1 + X[:, 0] - X[:, 20]))
    >>> groups = Groups.contiguous(40, 2)
    >>> path = poisson_path(X, y, groups, lams=[1.0, 10.0, 100.0], fit_intercept=True)
    >>> path.coefs.shape, bool(path.converged.all())
    ((3, 40), True)
    """
    problem = PoissonProblem(
        X,
        y,
        groups,
        1.0,
        offset=offset,
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
        positive=positive,
        feature_weight=feature_weight,
        group_weight=group_weight,
    )
    return smooth_path(problem, lams, tol)
