"""The functions people call: build the problem, choose the method, run it."""

from __future__ import annotations

from functools import partial
from typing import Any

from numpy.typing import ArrayLike

from .docstrings import SOLVER, documented
from .problems import (
    HuberProblem,
    LassoProblem,
    LogisticProblem,
    PoissonProblem,
    SVMProblem,
)
from .registry import (
    HUBER_METHODS,
    LASSO_METHODS,
    LOGISTIC_METHODS,
    POISSON_METHODS,
    SVM_METHODS,
    choose,
)
from .result import Result
from .tracking import solve
from .types import Callback, GroupsLike, Matrix


@documented(SOLVER)
def solve_lasso(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lam: float,
    *,
    method: str = "auto",
    tol: float = 1e-6,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    w0: ArrayLike | None = None,
    fit_intercept: bool = False,
    callback: Callback | None = None,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
    exponent: float = 2.0,
    **options: Any,
) -> Result:
    """min over w, b of ½‖Xw + b − y‖² + λ/2 ‖w‖_e²

    The exclusive lasso: a few features in every group. The paper writes λ‖w‖_e², so pass twice its
    λ. Methods are those of `LASSO_METHODS`.

    Returns
    -------
    Result
        Weights, intercept and objective, with the certified gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_lasso
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = X[:, 0] - X[:, 20]  # one true feature in each half
    >>> result = solve_lasso(X, y, Groups.contiguous(40, 2), lam=1.0)
    >>> result.converged, bool(result.gap <= 1e-6)
    (True, True)
    >>> sorted(np.argsort(-np.abs(result.w))[:2].tolist())
    [0, 20]

    The adaptive exclusive lasso penalises less what a first fit finds large:

    >>> weight = 1 / (np.abs(result.w) + 1e-3)
    >>> adaptive = solve_lasso(X, y, Groups.contiguous(40, 2), lam=1.0, feature_weight=weight)
    >>> np.flatnonzero(adaptive.w).tolist()
    [0, 20]
    """
    return _run(
        partial(
            LassoProblem,
            exponent=exponent,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
            positive=positive,
            feature_weight=feature_weight,
            group_weight=group_weight,
        ),
        (X, y, groups, {"lam": lam}),
        (LASSO_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


@documented(SOLVER)
def solve_logistic(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lam: float,
    *,
    method: str = "auto",
    tol: float = 1e-6,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    w0: ArrayLike | None = None,
    fit_intercept: bool = False,
    callback: Callback | None = None,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
    exponent: float = 2.0,
    **options: Any,
) -> Result:
    """min over w, b of Σᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖w‖_e², yᵢ = ±1

    Exclusive logistic regression. Methods are those of `LOGISTIC_METHODS`.

    Parameters
    ----------
    y : array of n_samples numbers
        The labels, −1 or +1.

    Returns
    -------
    Result
        Weights, intercept and objective, with the certified gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_logistic
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = np.sign(X[:, 0] - X[:, 20])
    >>> result = solve_logistic(X, y, Groups.contiguous(40, 2), lam=1.0)
    >>> result.converged, bool((np.sign(X @ result.w) == y).all())
    (True, True)
    """
    return _run(
        partial(
            LogisticProblem,
            exponent=exponent,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
            positive=positive,
            feature_weight=feature_weight,
            group_weight=group_weight,
        ),
        (X, y, groups, {"lam": lam}),
        (LOGISTIC_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


@documented(SOLVER)
def solve_svm(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    alpha: float,
    beta: float,
    *,
    method: str = "auto",
    tol: float = 1e-6,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    w0: ArrayLike | None = None,
    fit_intercept: bool = False,
    callback: Callback | None = None,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
    **options: Any,
) -> Result:
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e², yᵢ = ±1

    The paper's E-SVM. Methods are those of `SVM_METHODS`.

    Parameters
    ----------
    y : array of n_samples numbers
        The labels, −1 or +1.
    alpha : float
        α > 0, the strength of ‖w‖²; the standard SVM's C is 1/α.
    beta : float
        β > 0, the strength of ‖w‖_e².

    Returns
    -------
    Result
        Weights, intercept and objective, with the certified gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_svm
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((30, 40))
    >>> y = np.sign(X[:, 0] - X[:, 20])
    >>> result = solve_svm(X, y, Groups.contiguous(40, 2), alpha=0.1, beta=1.0)
    >>> result.converged, bool((np.sign(X @ result.w) == y).all())
    (True, True)
    """
    return _run(
        partial(
            SVMProblem,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
            positive=positive,
            feature_weight=feature_weight,
            group_weight=group_weight,
        ),
        (X, y, groups, {"alpha": alpha, "beta": beta}),
        (SVM_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


@documented(SOLVER)
def solve_poisson(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lam: float,
    *,
    offset: ArrayLike | None = None,
    method: str = "auto",
    tol: float = 1e-6,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    w0: ArrayLike | None = None,
    fit_intercept: bool = False,
    callback: Callback | None = None,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
    **options: Any,
) -> Result:
    """min over w, b of Σᵢ e^zᵢ − yᵢzᵢ − yᵢ + yᵢ log yᵢ + λ/2 ‖w‖_e², z = Xw + b + offset, y ≥ 0

    Exclusive Poisson regression: the loss is half the deviance, so never negative. Methods are
    those of `POISSON_METHODS`. Every feature must be penalised.

    Parameters
    ----------
    y : array of n_samples numbers
        The counts, at least 0.
    offset : array of n_samples numbers, optional
        Added to the predictions, such as the logarithm of an exposure.

    Returns
    -------
    Result
        Weights, intercept and objective, with the certified gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_poisson
    >>> rng = np.random.default_rng(0)
    >>> X = 0.5 * rng.standard_normal((60, 40))
    >>> y = rng.poisson(np.exp(1 + X[:, 0] - X[:, 20]))
    >>> result = solve_poisson(X, y, Groups.contiguous(40, 2), lam=5.0, fit_intercept=True)
    >>> result.converged, sorted(np.argsort(-np.abs(result.w))[:2].tolist())
    (True, [0, 20])
    """
    return _run(
        partial(
            PoissonProblem,
            offset=offset,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
            positive=positive,
            feature_weight=feature_weight,
            group_weight=group_weight,
        ),
        (X, y, groups, {"lam": lam}),
        (POISSON_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


@documented(SOLVER)
def solve_huber(
    X: Matrix,
    y: ArrayLike,
    groups: GroupsLike,
    lam: float,
    *,
    delta: float = 1.35,
    method: str = "auto",
    tol: float = 1e-6,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    w0: ArrayLike | None = None,
    fit_intercept: bool = False,
    callback: Callback | None = None,
    sample_weight: ArrayLike | None = None,
    positive: bool | ArrayLike = False,
    feature_weight: ArrayLike | None = None,
    group_weight: ArrayLike | None = None,
    **options: Any,
) -> Result:
    """min over w, b of Σᵢ h(xᵢᵀw + b − yᵢ) + λ/2 ‖w‖_e², h(r) = r²/2 up to δ, δ|r| − δ²/2 beyond

    The exclusive lasso with Huber's loss, which a few gross errors in y do not spoil. Methods are
    those of `HUBER_METHODS`.

    Parameters
    ----------
    delta : float
        δ > 0, the residual from which the loss grows linearly, in the units of y.

    Returns
    -------
    Result
        Weights, intercept and objective, with the certified gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_huber
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 40))
    >>> y = X[:, 0] - X[:, 20]
    >>> y[:5] += 100.0
    >>> result = solve_huber(X, y, Groups.contiguous(40, 2), lam=1.0, delta=0.5)
    >>> result.converged, sorted(np.argsort(-np.abs(result.w))[:2].tolist())
    (True, [0, 20])
    """
    return _run(
        partial(
            HuberProblem,
            delta=delta,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
            positive=positive,
            feature_weight=feature_weight,
            group_weight=group_weight,
        ),
        (X, y, groups, {"lam": lam}),
        (HUBER_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


def _run(make_problem, data, chosen, callback, limits) -> Result:
    X, y, groups, strengths = data
    methods, key = chosen
    problem = make_problem(X, y, groups, **strengths)
    return solve(problem, choose(methods, key, problem), callback=callback, **limits)
