"""The scales on which strengths and numbers of groups matter: λ₀, α₀, β₀ and the recommended m."""

from __future__ import annotations

import numpy as np

from .grouping import recommend_n_groups
from .groups import Groups
from .problems import LassoProblem, SmoothProblem, SVMProblem
from .units import Units


def default_n_groups(n_features: int, total_weight: float) -> int:
    """m = recommend_n_groups(n, s) with s = min(⌈n/2⌉, total sample weight), the guess for s

    The number of true features s is unknown where `groups=None`. A linear model cannot pin down
    more features than it has samples (the paper's own experiments set s to the number of samples),
    and a sparse model uses at most half of them: with s = n every feature would be a group of its
    own, and the penalty would be ridge. Samples count by weight, so that repeating a row and
    doubling its weight give the same m.
    """
    n_true = min((n_features + 1) // 2, max(1, round(total_weight)))
    return recommend_n_groups(n_features, n_true)


def lambda_0(X, y, groups: Groups, *, kind=LassoProblem, **options) -> float:
    """λ₀ = ‖Xu‖²/‖u‖_e², u each group's largest correlation Xᵢᵀy at its feature, 0 elsewhere

    Along u the best multiple is shrunk by 1/(1 + λ/λ₀), so λ₀ sets the scale on which λ matters:
    there is no λ_max, because the squared norm is flat at 0. `kind` is the problem and `options`
    are its own, weights and signs among them; other losses count by their curvature at w = 0.
    """
    units = Units.of(X)
    return units.strength(strength_scale(kind(units.small_data(X), y, groups, 1.0, **options)))


def strength_scale(problem: SmoothProblem) -> float:
    """λ₀ = Σ f″·(Xu)²/‖A|u|‖² at w = 0, u where the gradient pulls hardest in each group"""
    zero = np.zeros(problem.n_samples)
    start = zero + problem.best_intercept(zero)
    theta = problem.feasible(-problem.loss.gradient(start))
    u = problem.geometry.strongest(problem.design.rmatvec(theta))
    size = float(np.linalg.norm(problem.geometry.totals(u)))
    if size == 0.0:
        return 1.0
    image = problem.design.matvec(u / size)
    curvature = problem.loss.second_derivative(start)
    if problem.unpenalised is not None:
        image = problem.unpenalised.removed_from(problem.sample_weight * image)
        image = image / problem.sample_weight
    return float(curvature @ (image * image)) or 1.0


def svm_scales(X, y, groups: Groups, *, fit_intercept=False, **options) -> tuple[float, float]:
    """α₀, β₀ = maxᵢ yᵢxᵢᵀv for the direction v = Xᵀ(y⊙u), and for v's strongest entry in each group

    While every sample is inside the margin, u = ω, so w is v over α if β = 0, and for α = 0 the
    entry of largest magnitude of each group over β. Without an intercept the first sample leaves
    the margin exactly at α₀, and with disjoint groups exactly at β₀. With an intercept, u is ω with
    the heavier class scaled down to the lighter, which is one of many choices, and in overlapping
    groups the entries compete; then both only set the scale of a grid.
    """
    units = Units.of(X)
    small = units.small_data(X)
    problem = SVMProblem(small, y, groups, 1.0, 1.0, fit_intercept=fit_intercept, **options)
    u = problem.sample_weight.copy()
    if fit_intercept:
        totals = [u[problem.y > 0].sum(), u[problem.y < 0].sum()]
        for sign, total in zip((1, -1), totals, strict=True):
            u[problem.y == sign] *= min(totals) / total if total > 0.0 else 0.0
    v = problem.weighted_samples(u)
    scales = []
    for direction in (problem.geometry.clip(v), problem.geometry.strongest(v)):
        largest = float((problem.y * problem.design.matvec(direction)).max())
        scales.append(units.strength(largest if largest > 0.0 else 1.0))
    return scales[0], scales[1]
