"""`solve_multitask`, and the methods it has."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..docstrings import SOLVER, documented
from ..first_order.methods import locp, pcp
from ..method import Method
from ..registry import choose
from ..result import Result
from ..rivals.lelr import lelr
from ..rivals.subgradient import subgradient
from ..tracking import solve
from ..types import Callback, GroupsLike, Matrix
from .problem import MultiTaskProblem

#: Methods of `solve_multitask` by key; "auto" is the first that accepts, with restarts.
MULTITASK_METHODS = MappingProxyType(
    {method.key: method for method in (locp, pcp, lelr, subgradient)}
)


@documented(SOLVER)
def solve_multitask(
    X: Matrix,
    Y: ArrayLike,
    lam: float,
    groups: GroupsLike | None = None,
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
    """min over W, b of ½‖XW + 1bᵀ − Y‖_F² + λ/2 Σ_j (Σ_t |W_jt|)²

    Tasks compete for features: the norm's first use (Zhou, Jin & Hoi 2010). An exclusive lasso over
    all n_features × n_tasks coefficients, with products of matrices by matrices and the same
    certificate. Methods are those of `MULTITASK_METHODS`.

    Parameters
    ----------
    Y : array, n_samples × n_tasks
        What is predicted, a column a task.
    groups : Groups, labels or lists, optional
        Which of the n_features · n_tasks coefficients compete, W taken row by row; by default those
        of one feature.
    w0 : array, n_features × n_tasks, optional
        Where to start; at 0 unless given.
    positive : bool or array of bools
        True asks for W ≥ 0; or one flag a feature, or a feature and task.
    feature_weight : array of numbers, optional
        One number ≥ 0 a feature, or a feature and task; 1 unless given.

    Returns
    -------
    Result
        Weights (n_features × n_tasks), intercepts (one a task) and objective, with the certified
        gap and the history of the run.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import solve_multitask
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 10))
    >>> Y = np.column_stack([X[:, 0] + X[:, 1], X[:, 2]])
    >>> result = solve_multitask(X, Y, lam=1.0)
    >>> result.w.shape, result.converged
    ((10, 2), True)
    >>> np.abs(result.w).argmax(axis=0).tolist()
    [0, 2]
    """
    problem = MultiTaskProblem(
        X,
        Y,
        lam,
        groups,
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
        positive=positive,
        feature_weight=feature_weight,
        group_weight=group_weight,
    )
    shape = (problem.n_features // problem.n_tasks, problem.n_tasks)
    if w0 is not None and np.shape(w0) != shape:
        raise ValueError(f"w0 must be features × tasks, {shape}, got shape {np.shape(w0)}.")

    def told(record, w):
        return callback(record, problem.matrix(w))

    chosen, options = choose_method(problem, method, options)
    result = solve(
        problem,
        chosen,
        tol=tol,
        max_iter=max_iter,
        max_seconds=max_seconds,
        w0=None if w0 is None else np.reshape(w0, -1),
        callback=None if callback is None else told,
        options=options,
    )
    return with_tasks(problem, result)


def choose_method(problem: MultiTaskProblem, key: str, options: dict) -> tuple[Method, dict]:
    """The method of that key and its options

    "auto" restarts the momentum: measured on 1,000 features × 20 tasks × 500 samples, that takes 40
    iterations to a gap of 1e-6 at λ₀ and 750 at λ₀/100, where linear systems on a support of
    thousands of coefficients take longer.
    """
    if key == "auto":
        key = next(k for k, each in MULTITASK_METHODS.items() if each.accepts(problem) is None)
        options = {"restart": True} | options
    return choose(MULTITASK_METHODS, key, problem), options


def with_tasks(problem: MultiTaskProblem, result: Result) -> Result:
    """A result over flat coefficients as features × tasks."""
    b: Any = problem.intercepts(result.w)  # one a task, where other results have a single one
    return replace(result, w=problem.matrix(result.w), intercept=b)
