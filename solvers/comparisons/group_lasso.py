"""The group lasso, certified like every problem of this package."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..first_order.fista import fista
from ..first_order.formulations import LOCP
from ..groups import Groups
from ..method import Method, disjoint
from ..problems import SmoothProblem


class GroupNormPenalty:
    """Ω(w) = λ ‖w‖₂,₁ = λ Σ_g ‖w_g‖₂, disjoint groups, in the interface of `ExclusivePenalty`

    The dual norm is max_g ‖v_g‖₂, so Ω*(v) = 0 where that is at most λ, else ∞.
    """

    def __init__(self, groups: Groups, lam: float):
        self.groups = groups
        self.lam = lam

    def value(self, w) -> float:
        return self.lam * float(np.sum(self._group_lengths(w)))

    def cover(self, v, w) -> np.ndarray:
        return self._group_lengths(v)

    def conjugate(self, cover) -> float:
        # The scaling in `largest_multiple` meets the bound up to rounding only.
        return 0.0 if cover.max() <= self.lam * (1.0 + 1e-14) else np.inf

    def largest_multiple(self, cover) -> float:
        largest = cover.max()
        return self.lam / largest if largest > 0.0 else np.inf

    def _group_lengths(self, values) -> np.ndarray:
        return np.sqrt(self.groups.sum(values * values))


class GroupLassoProblem(SmoothProblem):
    """min over w, b of ½ Σᵢ ωᵢ(xᵢᵀw + b − yᵢ)² + λ Σ_g ‖w_g‖₂ (Yuan & Lin 2006)

    Certified like every smooth problem: the dual bound at θ = y − Xw − b, scaled into
    max_g ‖(Xᵀθ)_g‖₂ ≤ λ. Groups weigh the same whatever their size. Disjoint groups only.
    """

    def __init__(self, X, y, groups, lam, **options):
        super().__init__(X, y, groups, lam, exponent=1.0, **options)
        if self.groups.overlapping:
            raise ValueError(
                "GroupLassoProblem needs disjoint groups, and these overlap; fit_norm solves the "
                "latent group lasso for them."
            )

    def _penalty(self):
        return GroupNormPenalty(self.groups, self.lam)


class _GroupShrinkage(LOCP):
    """F = f(Xw), H = λ‖w‖₂,₁: the prox scales each group by (1 − step·λ/‖c_g‖)₊"""

    def prox(self, x, scale):
        groups, c = self.problem.groups, x[: self.n]
        lengths = np.sqrt(groups.sum(c * c))
        level = scale * self._zeta
        factors = np.zeros_like(lengths)
        np.divide(lengths - level, lengths, out=factors, where=lengths > level)
        w = groups.spread(factors) * c
        return w if x.size == self.n else np.append(w, x[self.n :])


def _run_group_shrinkage(problem, w0, *, restart=True):
    posed = _GroupShrinkage(problem)
    for x, average in fista(posed, posed.start(w0), restart=restart):
        yield partial(posed.candidate, x, average)


group_lasso = Method(
    "group_lasso",
    "FISTA, group lasso",
    "Yuan & Lin 2006; Beck & Teboulle 2009",
    _run_group_shrinkage,
    accepts=disjoint,
)
