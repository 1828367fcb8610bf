"""Projections onto the ℓ1 and ℓ∞ cones: certified and decomposed.

A cone is {(x, y): N(x) ≤ y}, with N the ℓ1 or the ℓ∞ norm, and distances are measured with
⟨(x, y), (u, v)⟩ = xᵀu + ζyv. Its polar cone in that metric is {(u, v): N*(u) ≤ −ζv}, with N* the
other one of the two norms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers import project_l1_cone, project_linf_cone

CONES = ("ℓ1", "ℓ∞")

# Text, so that a typed address such as ?cp_zeta=1 means the same as the slider's own.
ZETAS = ("0.1", "0.2", "0.5", "1", "2", "5", "10")

# Residuals of a projection in double precision, relative to the size of the point.
ROUNDING = 1e-12


def norm(cone: str, x) -> float:
    """N(x), the norm of the cone."""
    magnitudes = np.abs(x)
    return float(magnitudes.sum() if cone == "ℓ1" else magnitudes.max())


def dual_norm(cone: str, u) -> float:
    """N*(u), the norm of the polar cone: ℓ∞ for the ℓ1 cone, ℓ1 for the ℓ∞ cone."""
    return norm("ℓ∞" if cone == "ℓ1" else "ℓ1", u)


@dataclass(frozen=True, eq=False)
class Projection:
    """The point (a, b) and a candidate (x, y) for its projection, with its optimality conditions.

    (x, y) is the projection if and only if it lies in the cone, (a − x, b − y) lies in the polar
    cone, and the two are orthogonal: the KKT conditions of Lemmas 2 and 3.
    """

    cone: str
    a: np.ndarray
    b: float
    zeta: float
    x: np.ndarray
    y: float

    def inner(self, p, q) -> float:
        """⟨p, q⟩ in the ζ metric."""
        return float(p[0] @ q[0] + self.zeta * p[1] * q[1])

    @property
    def residual(self) -> tuple[np.ndarray, float]:
        """(a, b) − (x, y), which is the projection onto the polar cone."""
        return self.a - self.x, self.b - self.y

    @cached_property
    def distance(self) -> float:
        """How far the point moves, in the ζ metric."""
        return math.sqrt(self.inner(self.residual, self.residual))

    @cached_property
    def infeasibility(self) -> float:
        """max(N(x) − y, 0)"""
        return max(norm(self.cone, self.x) - self.y, 0.0)

    @cached_property
    def inner_product(self) -> float:
        """⟨(x, y), (a − x, b − y)⟩, 0 for a projection."""
        return self.inner((self.x, self.y), self.residual)

    @cached_property
    def polar_violation(self) -> float:
        """max(N*(a − x) − ζ(y − b), 0)"""
        u, v = self.residual
        return max(dual_norm(self.cone, u) + self.zeta * v, 0.0)

    @cached_property
    def size(self) -> float:
        """A length that residuals are small against: of the point, or of what was made of it."""
        point, made = (self.a, self.b), (self.x, self.y)
        return math.sqrt(max(self.inner(point, point), self.inner(made, made)))

    @cached_property
    def conditions(self) -> dict[str, tuple[float, bool]]:
        """Each optimality condition: by how much it fails, and whether that is only rounding."""
        lengths = ROUNDING * self.size * max(1.0, self.zeta)
        return {
            "in the cone": (self.infeasibility, self.infeasibility <= lengths),
            "orthogonal": (
                abs(self.inner_product),
                abs(self.inner_product) <= ROUNDING * self.size**2,
            ),
            "rest in the polar cone": (self.polar_violation, self.polar_violation <= lengths),
        }

    @property
    def is_projection(self) -> bool:
        return all(holds for _, holds in self.conditions.values())

    @cached_property
    def gap(self) -> float:
        """A bound on the suboptimality of (x, y), over ½‖(a, b)‖² in the ζ metric.

        The dual is max over s in the polar cone of ⟨s, (a, b)⟩ − ½‖s‖². The residual, with its
        last entry lowered by e until it lies there, is such an s, and primal minus dual is
        ½‖e‖² − ⟨s, (x, y)⟩. Infinite if (x, y) is not in the cone.
        """
        if self.size == 0.0:
            return 0.0
        if not self.conditions["in the cone"][1]:
            return math.inf
        u, v = self.residual
        lowered = self.polar_violation / self.zeta
        excess = 0.5 * self.zeta * lowered**2 - self.inner((u, v - lowered), (self.x, self.y))
        return max(excess, 0.0) / (0.5 * self.size**2)

    @property
    def zeros(self) -> int:
        """Entries that were not 0 and are now."""
        return int(np.count_nonzero((self.x == 0.0) & (self.a != 0.0)))

    @property
    def clipped(self) -> int:
        """Entries cut down to the level y."""
        return int(np.count_nonzero(np.abs(self.a) > np.abs(self.x)))

    @property
    def place(self) -> str:
        """Where the point lies: "inside" the cone, in the "polar" cone, or "between" them."""
        if self.x.tolist() == self.a.tolist() and self.y == self.b:
            return "inside"
        return "polar" if self.y == 0.0 else "between"


def project(cone: str, a: Sequence[float], b: float, zeta: float) -> Projection:
    """argmin over N(x) ≤ y of ½‖x − a‖² + ζ/2 (y − b)², by `solvers`."""
    a = np.asarray(a, dtype=float)
    solve = project_l1_cone if cone == "ℓ1" else project_linf_cone
    x, y = solve(a, b, zeta)
    return Projection(cone, a, float(b), float(zeta), x, y)


def shrink_pair(d: Sequence[float], zeta: float) -> tuple[np.ndarray, np.ndarray]:
    """The proxes of ζ/2‖·‖∞² and of 1/(2ζ)‖·‖₁² at d, each a projection with b = 0.

    By Moreau's identity they add up to d.
    """
    d = np.asarray(d, dtype=float)
    return project_linf_cone(d, 0.0, zeta)[0], project_l1_cone(d, 0.0, 1.0 / zeta)[0]
