"""The functions people call: build the problem, choose the method, run it."""

from __future__ import annotations

from functools import partial

import numpy as np

from .groups import Groups
from .problems import LassoProblem, LogisticProblem, SVMProblem
from .registry import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, choose
from .tracking import Result, solve
from .units import Units
from .validation import as_positive


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
    return _run(
        partial(
            LassoProblem,
            exponent=exponent,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
        ),
        (X, y, groups, {"lam": lam}),
        Units.of(X, y) if exponent == 2.0 else ORDINARY,
        (LASSO_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


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
    return _run(
        partial(
            LogisticProblem,
            exponent=exponent,
            fit_intercept=fit_intercept,
            sample_weight=sample_weight,
        ),
        (X, y, groups, {"lam": lam}),
        Units.of(X) if exponent == 2.0 else ORDINARY,
        (LOGISTIC_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
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
    return _run(
        partial(SVMProblem, fit_intercept=fit_intercept, sample_weight=sample_weight),
        (X, y, groups, {"alpha": alpha, "beta": beta}),
        Units.of(X),
        (SVM_METHODS, method),
        callback,
        dict(tol=tol, max_iter=max_iter, max_seconds=max_seconds, w0=w0, options=options),
    )


ORDINARY = Units(0, 0)


def _run(make_problem, data, units: Units, chosen, callback, limits) -> Result:
    """Pose the problem in units of an ordinary size, solve it, and answer in the caller's."""
    X, y, groups, strengths = data
    methods, key = chosen
    numbers = {name: as_positive(value, name) for name, value in strengths.items()}
    if units.ordinary or not units.suit(numbers.values()):
        problem = make_problem(X, y, groups, **strengths)
        return solve(problem, choose(methods, key, problem), callback=callback, **limits)
    problem = make_problem(
        units.small_data(X),
        units.small_target(y),
        Groups.given(groups, np.shape(X)[1], columns=getattr(X, "columns", None)),
        **{name: units.small_strength(value) for name, value in numbers.items()},
    )
    limits["w0"] = units.small_weights(limits["w0"])

    def told(record, w):
        return callback(units.record(record), units.weights(w))

    listener = None if callback is None else told
    result = solve(problem, choose(methods, key, problem), callback=listener, **limits)
    return units.restored(result)
