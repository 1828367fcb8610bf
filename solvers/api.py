"""The functions people call: build the problem, choose the method, run it."""

from __future__ import annotations

from .problems import LassoProblem, LogisticProblem, SVMProblem
from .registry import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, choose
from .tracking import Result, solve


def solve_lasso(
    X,
    y,
    groups,
    lam,
    *,
    method="auto",
    tol=1e-6,
    max_iter=None,
    max_seconds=None,
    w0=None,
    fit_intercept=False,
    callback=None,
    sample_weight=None,
    exponent=2.0,
    **options,
) -> Result:
    """min over w, b of ½‖Xw + b − y‖² + λ/2 ‖w‖_e²

    X is dense or scipy sparse, samples × features. `tol` is on the certified relative duality gap.
    `callback(record, w)` sees every measurement, and cancels by returning True. `exponent` q puts
    Σ_g ‖w_g‖₁^q in place of the squared norm (method "pcp" only). Further options, such as
    `restart=True` for the first-order methods, go to the method.
    """
    problem = LassoProblem(
        X,
        y,
        groups,
        lam,
        exponent=exponent,
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
    )
    return _run(problem, LASSO_METHODS, method, tol, max_iter, max_seconds, w0, callback, options)


def solve_logistic(
    X,
    y,
    groups,
    lam,
    *,
    method="auto",
    tol=1e-6,
    max_iter=None,
    max_seconds=None,
    w0=None,
    fit_intercept=False,
    callback=None,
    sample_weight=None,
    exponent=2.0,
    **options,
) -> Result:
    """min over w, b of Σᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖w‖_e², yᵢ = ±1

    Arguments as for `solve_lasso`.
    """
    problem = LogisticProblem(
        X,
        y,
        groups,
        lam,
        exponent=exponent,
        fit_intercept=fit_intercept,
        sample_weight=sample_weight,
    )
    return _run(
        problem, LOGISTIC_METHODS, method, tol, max_iter, max_seconds, w0, callback, options
    )


def solve_svm(
    X,
    y,
    groups,
    alpha,
    beta,
    *,
    method="auto",
    tol=1e-6,
    max_iter=None,
    max_seconds=None,
    w0=None,
    fit_intercept=False,
    callback=None,
    sample_weight=None,
    **options,
) -> Result:
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e², yᵢ = ±1

    Arguments as for `solve_lasso`.
    """
    problem = SVMProblem(
        X, y, groups, alpha, beta, fit_intercept=fit_intercept, sample_weight=sample_weight
    )
    return _run(problem, SVM_METHODS, method, tol, max_iter, max_seconds, w0, callback, options)


def _run(problem, methods, key, tol, max_iter, max_seconds, w0, callback, options) -> Result:
    return solve(
        problem,
        choose(methods, key, problem),
        tol=tol,
        max_iter=max_iter,
        max_seconds=max_seconds,
        w0=w0,
        callback=callback,
        options=options,
    )
