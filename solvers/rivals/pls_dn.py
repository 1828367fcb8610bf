"""PLS-DN: damped Newton on the optimality conditions, written as a piecewise linear system."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..linear_algebra import solve_definite
from ..method import Method, all_of, any_signs, squared_loss, squared_norm
from ..problems import Candidate
from .least_squares import CentredSquares

# Ridges are in units of the mean diagonal entry of BᵀB.
_FIRST_RIDGE = 1e-2
_LARGEST_RIDGE = 1e6
_SHRINKAGE = 0.25
_GIVE_UP = 0.99
# A stage is solved when ‖F‖ is this far below what its ridge means, or at rounding.
_STAGE_ACCURACY = 1e-3
_ROUNDING = 1e-14
_SUFFICIENT_DECREASE = 1e-4
_SHORTEST_STEP = 1e-4


def _run(problem, w0, *, ridge=1e-10):
    """min over w of ½‖Xw − y‖² + λ/2‖w‖_e², through min{0, z} + T max{0, z} = c (any groups)

    With q = [w₊; w₋] ≥ 0 the problem is the non-negative least squares ½‖Bq − b‖² of
    B = [[X, −X], [√λA, √λA]], b = [y; 0]. Its optimality conditions are the system above for
    T = BᵀB, c = Bᵀb: q = max{0, z}, multipliers −min{0, z}. Newton's method solves it on the set
    {z > 0}, a step is halved until ‖F‖ falls, and each stage ends after finitely many steps, at the
    exact solution once the set is right.

    The theory asks for a non-degenerate T, and BᵀB is singular as soon as 2n > N + m. As usual it
    gets a ridge ρ, and the system is divided by ρ: T = I + BᵀB/ρ, c = q₀ + Bᵀb/ρ, the conditions of
    ½‖Bq − b‖² + ρ/2‖q − q₀‖², q₀ the start. A tiny ridge at once would leave ‖F‖ full of kinks
    where the line search dies, so ρ falls in stages, each started where the last one ended, by less
    where a stage fails. Below `ridge` times the mean diagonal entry of BᵀB it stays, and q₀ moves
    to the solution instead, which removes what the ridge still biases.

    Each step solves one system of the smaller of N + m and the size of the set; nothing n × n is
    formed for n > N. The system, the step and the line search are the authors'; the stages and the
    moving q₀ are what it takes to keep their assumption. Achievable accuracy: 1e-10 relative, 1e-8
    where columns are duplicates, so that T has no non-degenerate part to end on.
    """
    system = _OptimalitySystem(problem)
    cold = np.zeros(2 * problem.n_features)
    start = cold if w0 is None else system.split(w0)
    yield partial(system.candidate, start)
    # A ridge around a start that is far away would pull there; its best multiple is never far.
    centres = [cold] if w0 is None else [system.best_multiple(start) * start, cold]
    for centre in centres:
        z, rho, solved = yield from _lower_the_ridge(system, centre, ridge * system.unit)
        if solved:
            break

    last_move = np.inf
    while solved:
        q = np.maximum(z, 0.0)
        move = np.linalg.norm(q - centre)
        if move == 0.0 or move > 0.5 * last_move:
            return
        moved = q + (z - centre)
        starts = (np.where(z > 0.0, z, moved), moved)
        z, solved = yield from _first_solved(system, starts, q, rho)
        centre, last_move = q, move


def _lower_the_ridge(system, centre, floor):
    """Stages at ever smaller ridges around `centre`; returns z, the ridge, and whether it is floor.

    A failed stage is tried again at a ridge nearer to the last one that worked.
    """
    rho = max(_FIRST_RIDGE * system.unit, floor)
    while True:
        z = centre + (system.pull - system.gram(centre)) / rho
        z, solved = yield from _stage(system, z, centre, rho)
        if solved:
            break
        rho *= 10.0
        if rho > _LARGEST_RIDGE * system.unit:
            return z, rho, False

    shrinkage = _SHRINKAGE
    while rho > floor:
        lower = max(shrinkage * rho, floor)
        # At a solution z − q₀ = Bᵀ(b − Bq)/ρ: go on from the same b − Bq, or else the same q.
        scaled = centre + (rho / lower) * (z - centre)
        starts = (scaled, np.where(z > 0.0, z, scaled))
        trial, solved = yield from _first_solved(system, starts, centre, lower)
        if solved:
            z, rho = trial, lower
            shrinkage = max(shrinkage**1.5, _SHRINKAGE)
        else:
            shrinkage = np.sqrt(shrinkage)
            if shrinkage > _GIVE_UP:
                return z, rho, False
    return z, rho, True


def _first_solved(system, starts, centre, rho):
    """One stage from each start in turn until one is solved."""
    for start in starts:
        z, solved = yield from _stage(system, start, centre, rho)
        if solved:
            break
    return z, solved


def _stage(system, z, centre, rho):
    """Damped Newton steps at one ridge; returns the last z, and whether it solves F(z) = 0."""
    residual = system.residual(z, centre, rho)
    tolerance = max(_STAGE_ACCURACY * rho / system.unit, _ROUNDING) * np.linalg.norm(system.pull)
    while True:
        direction = system.newton_direction(z, residual, rho)
        if direction is None:
            return z, False
        size, t = np.linalg.norm(residual), 1.0
        while True:
            new = z + t * direction
            residual = system.residual(new, centre, rho)
            new_size = np.linalg.norm(residual)
            if new_size <= (1.0 - _SUFFICIENT_DECREASE * t) * size:
                break
            t *= 0.5
            if t < _SHORTEST_STEP:
                return z, size <= tolerance
        z = new
        yield partial(system.candidate, z)
        if new_size <= tolerance:
            return z, True


class _OptimalitySystem:
    """F(z) = z − q₀ + (BᵀB max{0, z} − Bᵀb)/ρ, all of it times ρ; B is never formed."""

    def __init__(self, problem):
        self.n = problem.n_features
        self.lam = problem.lam
        self.geometry = problem.geometry
        self._posed = CentredSquares(problem)
        self._rows = problem.n_samples + problem.groups.n_groups
        self._incidence = problem.geometry.incidence.tocsc()
        self.pull = self._adjoint(self._posed.target, np.zeros(problem.groups.n_groups))
        overlap = float(problem.geometry.column_squares.mean())
        self.unit = float(self._posed.column_norms_squared.mean()) + self.lam * overlap

    def split(self, w):
        return np.concatenate([np.maximum(w, 0.0), np.maximum(-w, 0.0)])

    def candidate(self, z):
        q = np.maximum(z, 0.0)
        return Candidate(q[: self.n] - q[self.n :])

    def _image(self, q):
        """Bq, in its two parts"""
        plus, minus = q[: self.n], q[self.n :]
        return self._posed.matvec(plus - minus), np.sqrt(self.lam) * self.geometry.sum(plus + minus)

    def _adjoint(self, samples, totals):
        """Bᵀ[samples; totals]"""
        loss = self._posed.rmatvec(samples)
        penalty = np.sqrt(self.lam) * self.geometry.spread(totals)
        return np.concatenate([penalty + loss, penalty - loss])

    def gram(self, q):
        """BᵀBq"""
        return self._adjoint(*self._image(q))

    def best_multiple(self, q) -> float:
        """argmin over t ≥ 0 of ‖B(tq) − b‖"""
        curvature = float(q @ self.gram(q))
        return max(0.0, float(q @ self.pull) / curvature) if curvature > 0.0 else 1.0

    def residual(self, z, centre, rho):
        """ρF(z)"""
        return rho * (z - centre) + self.gram(np.maximum(z, 0.0)) - self.pull

    def newton_direction(self, z, residual, rho):
        """d with ρd + BᵀB(d on the active set) = −ρF(z); None where the arithmetic gives out."""
        active = np.flatnonzero(z > 0.0)
        solve = self._solve_by_features if active.size <= self._rows else self._solve_by_rows
        on_active = np.zeros_like(z)
        if active.size:
            solved = solve(active, -residual[active], rho)
            if solved is None:
                return None
            on_active[active] = solved
        direction = -(residual + self.gram(on_active)) / rho
        direction[active] = on_active[active]
        return direction if np.isfinite(direction).all() else None

    def _solve_by_features(self, active, right_side, rho):
        """(B_aᵀB_a + ρI)⁻¹·right_side for the active columns a"""
        features = active % self.n
        columns = self._posed.columns(features)
        columns *= np.where(active < self.n, 1.0, -1.0)
        incidence = self._incidence[:, features]
        matrix = columns.T @ columns
        matrix += self.lam * (incidence.T @ incidence).toarray()
        return solve_definite(matrix, right_side, shift=rho)

    def _solve_by_rows(self, active, right_side, rho):
        """The same by (I − B_aᵀ(B_aB_aᵀ + ρI)⁻¹B_a)/ρ, for more columns than rows"""
        n_samples = self._posed.shape[0]
        mask = np.zeros(2 * self.n)
        mask[active] = 1.0
        count, sign = mask[: self.n] + mask[self.n :], mask[: self.n] - mask[self.n :]
        cross = np.sqrt(self.lam) * self._posed.times(self._incidence.multiply(sign).T.tocsc())
        matrix = np.empty((self._rows, self._rows))
        matrix[:n_samples, :n_samples] = self._posed.sample_gram(count)
        matrix[:n_samples, n_samples:] = cross
        matrix[n_samples:, :n_samples] = cross.T
        totals = self._incidence.multiply(count).tocsc() @ self._incidence.T
        matrix[n_samples:, n_samples:] = self.lam * totals.toarray()
        full = np.zeros(2 * self.n)
        full[active] = right_side
        dual = solve_definite(matrix, np.concatenate(self._image(full)), shift=rho)
        if dual is None:
            return None
        return (right_side - self._adjoint(dual[:n_samples], dual[n_samples:])[active]) / rho


pls_dn = Method(
    "pls_dn",
    "PLS-DN",
    "Yuan & Yan, A Finite Newton Algorithm for Non-degenerate Piecewise Linear Systems, "
    "AISTATS 2011",
    _run,
    accepts=all_of(squared_loss, squared_norm, any_signs),
    max_iter=10_000,
)
