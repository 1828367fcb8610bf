"""Regularisation paths: one problem for many strengths of its penalty, every point certified."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from .problems import LassoProblem, SVMProblem, relative_gap
from .registry import LASSO_METHODS, SVM_METHODS, choose
from .second_order.path import support_path
from .second_order.svm_path import BetaPath
from .tracking import solve
from .validation import as_limit, as_strengths


@dataclass(frozen=True)
class Path:
    """Solutions along a path, in the order in which the strengths were given.

    `gaps` are certified relative gaps; `converged` says which of them reached the tolerance.
    """

    coefs: np.ndarray
    intercepts: np.ndarray
    objectives: np.ndarray
    gaps: np.ndarray
    iterations: np.ndarray
    converged: np.ndarray


@dataclass(frozen=True)
class LassoPath(Path):
    """w(λ) for every λ in `lams`."""

    lams: np.ndarray


def lasso_path(
    X, y, groups, lams, *, tol=1e-6, fit_intercept=False, sample_weight=None
) -> LassoPath:
    """min over w, b of ½‖Xw + b − y‖² + λ/2 ‖w‖_e², for every λ in `lams`

    Solved from the largest λ down, each from the support of the one before; the results come back
    in the order given. Every point carries its certificate. A point costs about two small linear
    systems and two products with X where neighbouring λ share most of their support.
    """
    lams, tol = as_strengths(lams, "lams"), as_limit(tol, "tol")
    options = {"fit_intercept": fit_intercept, "sample_weight": sample_weight}
    problem = LassoProblem(X, y, groups, float(lams.max()), **options)
    order = np.argsort(-lams, kind="stable")
    by_support = LASSO_METHODS["active_set"].accepts(problem) is None
    run = _by_support if by_support else _by_warm_starts
    points = run(problem, lams[order], tol)
    return LassoPath(lams=lams, **_in_given_order(points, order, tol))


@dataclass(frozen=True)
class SVMPath(Path):
    """w(β) for every β in `betas`."""

    betas: np.ndarray


def svm_path(
    X, y, groups, alpha, betas, *, tol=1e-6, fit_intercept=False, sample_weight=None
) -> SVMPath:
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e², for every β in `betas`

    Solved from the smallest β up; the results come back in the order given. Where groups are
    disjoint and n ≥ N, each starts from the piece of the dual where the last one ended; otherwise
    an interior point, which gains nothing from a start, solves each. Every point is certified.
    """
    betas, tol = as_strengths(betas, "betas"), as_limit(tol, "tol")
    options = {"fit_intercept": fit_intercept, "sample_weight": sample_weight}
    problem = SVMProblem(X, y, groups, alpha, float(betas.min()), **options)
    order = np.argsort(betas, kind="stable")
    points = _svm_points(problem, betas[order], tol)
    return SVMPath(betas=betas, **_in_given_order(points, order, tol))


def _svm_points(problem, betas, tol):
    if SVM_METHODS["newton"].accepts(problem) is not None:
        yield from _one_by_one(problem, SVM_METHODS, betas, tol)
        return
    path = BetaPath(problem)
    for beta in betas:
        here = problem.with_strength(float(beta))
        candidates = (build() for build in islice(path.candidates(here), _MOST_STEPS))
        point, dual = _first_certified(here, candidates, tol)
        path.finished(point[0], dual)
        yield point


# Newton-type steps per point; a point that needs more is reported as not converged.
_MOST_STEPS = 400


def _by_support(problem, lams, tol):
    """Active sets, each from the support of the λ before."""
    for lam, candidates in zip(lams, support_path(problem, lams), strict=True):
        yield _first_certified(problem.with_strength(float(lam)), candidates, tol)[0]


def _first_certified(problem, candidates, tol):
    """Score candidates until one is good enough: a point of the path, and the best dual point."""
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
    return (best.w, best.intercept, best.objective, gap, count), dual


def _by_warm_starts(problem, lams, tol):
    """Data too wide to hold densely: working sets, each from the solution before."""
    yield from _one_by_one(problem, LASSO_METHODS, lams, tol)


def _one_by_one(problem, methods, strengths, tol):
    w = None
    for strength in strengths:
        here = problem.with_strength(float(strength))
        result = solve(here, choose(methods, "auto", here), tol=tol, w0=w, reproducible=True)
        w = result.w
        yield w, result.intercept, result.objective, result.gap, result.n_iter


def _in_given_order(points, order, tol) -> dict:
    names = ("coefs", "intercepts", "objectives", "gaps", "iterations")
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    columns = {
        name: np.array(column)[back]
        for name, column in zip(names, zip(*points, strict=True), strict=True)
    }
    return columns | {"converged": columns["gaps"] <= tol}
