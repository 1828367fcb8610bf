"""Many fits of one contender over a grid: for tuning, shuffled labels and half-samples.

    fit_points(key, rows, points)  ->  one `Fit` for each point of strengths

Our models follow a warm path over the points; Kong's selection solves its first stage once for all
second stages, SVM computes its Gram matrix once, and liblinear stops at the same looser tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lab.own_table.contenders import (
    CONTENDERS,
    SELECTED_SHARE,
    Fit,
    Rows,
    fit_final,
    huber_delta,
)
from lab.own_table.strengths import Point
from solvers import lasso_path, logistic_path, poisson_path, solve_huber, svm_path
from solvers.comparisons import fit_hinge

TUNING_TOLERANCE = 1e-3  # held-out scores do not see more


def fit_points(
    key: str, rows: Rows, points: Sequence[Point], tol: float = TUNING_TOLERANCE
) -> list[Fit]:
    """A fit for each point, to a tolerance that tells them apart; convergence is not asked for."""
    if rows.turned is not None and CONTENDERS[key].role == "ours":
        fits = fit_points(key, replace(rows.as_ours(key), turned=None), points, tol)
        return [fit.turned_back(rows, key) for fit in fits]
    if key in ("esvm", "esvm_r"):
        return _esvm_path(rows, points, tol)
    if key == "logistic":
        return _logistic_path(rows, points, tol)
    if key == "lasso_e":
        return _number_path(lasso_path, rows, points, tol)
    if key == "poisson_e":
        return _number_path(poisson_path, rows, points, tol, exponential=True)
    if key == "huber_e":
        return _huber_path(rows, points, tol)
    if key == "kong":
        return _kong(rows, points)
    if key == "svm":
        return _svm(rows, points)
    return [fit_final(key, rows, point, tol) for point in points]


def _esvm_path(rows: Rows, points, tol) -> list[Fit]:
    betas = np.array([point["beta"] for point in points])
    alphas = [point["alpha"] for point in points]
    coefs, intercepts, gaps = _empty(points, rows)
    for alpha in sorted(set(alphas)):
        here = np.flatnonzero(np.array(alphas) == alpha)
        for place, sign in enumerate(rows.signs):
            path = svm_path(
                *(rows.X, sign, rows.groups, alpha, betas[here]),
                tol=tol,
                fit_intercept=True,
                sample_weight=rows.weight,
                **rows.options,
            )
            coefs[here, place], intercepts[here, place] = path.coefs, path.intercepts
            gaps[here] = np.maximum(gaps[here], path.gaps)
    return _as_fits(coefs, intercepts, gaps)


def _empty(points, rows: Rows):
    """Room for the weights, intercepts and largest gap of every point."""
    n_problems = len(rows.signs)
    return (
        np.zeros((len(points), n_problems, rows.X.shape[1])),
        np.zeros((len(points), n_problems)),
        np.zeros(len(points)),
    )


def _as_fits(coefs, intercepts, gaps) -> list[Fit]:
    return [Fit(*each) for each in zip(coefs, intercepts, gaps.tolist(), strict=True)]


def _logistic_path(rows: Rows, points, tol) -> list[Fit]:
    coefs, intercepts, gaps = _empty(points, rows)
    lams = [point["lam"] for point in points]
    for place, sign in enumerate(rows.signs):
        options = dict(fit_intercept=True, sample_weight=rows.weight, **rows.options)
        path = logistic_path(rows.X, sign, rows.groups, lams, tol=tol, **options)
        coefs[:, place], intercepts[:, place] = path.coefs, path.intercepts
        gaps = np.maximum(gaps, path.gaps)
    return _as_fits(coefs, intercepts, gaps)


def _number_path(follow, rows: Rows, points, tol, **kind) -> list[Fit]:
    lams = [point["lam"] for point in points]
    path = follow(rows.X, rows.y, rows.groups, lams, tol=tol, fit_intercept=True, **rows.options)
    fits = _as_fits(path.coefs[:, None, :], path.intercepts[:, None], path.gaps)
    return [replace(fit, **kind) for fit in fits]


def _huber_path(rows: Rows, points, tol) -> list[Fit]:
    """From strong to weak, each from the solution before."""
    delta, start, found = huber_delta(rows.y), None, {}
    for k in np.argsort([-point["lam"] for point in points], kind="stable"):
        options = dict(delta=delta, tol=tol, w0=start, fit_intercept=True, **rows.options)
        result = solve_huber(rows.X, rows.y, rows.groups, points[k]["lam"], **options)
        start = result.w
        found[k] = Fit(result.w[None, :], np.array([result.intercept]), result.gap)
    return [found[k] for k in range(len(points))]


def _kong(rows: Rows, points) -> list[Fit]:
    """The first stage once for every λ on a path, the second by SVM on what it selects."""
    lams = {point["lam"] for point in points}
    new = sorted(lams.difference(rows.made), reverse=True)
    if new:
        rows.made.update(zip(new, _selected_along(rows, new), strict=True))
    fits: dict[tuple[float, float], Fit] = {}
    for lam in lams:
        kept = rows.made[lam]
        part = Rows(rows.X[:, kept], rows.y, rows.n_classes, balanced=rows.balanced)
        alphas = [point["alpha"] for point in points if point["lam"] == lam]
        for alpha, fit in zip(alphas, _svm(part, [{"alpha": a} for a in alphas]), strict=True):
            coef = np.zeros((fit.coef.shape[0], rows.X.shape[1]))
            coef[:, kept] = fit.coef
            fits[lam, alpha] = Fit(coef, fit.intercept)
    return [fits[point["lam"], point["alpha"]] for point in points]


def _selected_along(rows: Rows, lams: Sequence[float]) -> list[np.ndarray]:
    """The features that Kong's first stage selects at each λ, in any of the problems."""
    size = np.zeros((len(lams), rows.X.shape[1]))
    for sign in rows.signs:
        options = dict(tol=TUNING_TOLERANCE, fit_intercept=True, sample_weight=rows.weight)
        path = lasso_path(rows.X, sign, rows.groups, lams, **options)
        size = np.maximum(size, np.abs(path.coefs))
    strong = [np.flatnonzero(each > SELECTED_SHARE * each.max()) for each in size]
    return [kept if kept.size else np.array([0]) for kept in strong]  # an SVM needs some column


def _svm(rows: Rows, points) -> list[Fit]:
    """On one Gram matrix where that is smaller than the rows, else on the rows."""
    wide = rows.X.shape[1] > rows.X.shape[0]
    options = dict(tol=1e-4, sample_weight=rows.weight, gram=rows.X @ rows.X.T if wide else None)
    fits = []
    for point in points:
        found = [fit_hinge(rows.X, sign, point["alpha"], **options) for sign in rows.signs]
        coef = np.vstack([each.coef_ for each in found])
        fits.append(Fit(coef, np.concatenate([each.intercept_ for each in found])))
    return fits
