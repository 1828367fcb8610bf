"""The squared exclusive norm as a penalty: value, slope, and the upper bound on its conjugate."""

from __future__ import annotations

import numpy as np

from .geometry import Geometry


class ExclusivePenalty:
    """Ω(w) = λ/2 Σ_g t_g^q with t = A|w|, the paper's penalty at q = 2

    Its conjugate is Ω*(v) = min { Σ_g φ*(s_g) : s ≥ 0, Aᵀs ≥ |v| } with φ(t) = λ/2·t^q, (v)₊ in
    place of |v| where w ≥ 0 is asked, so every s that *covers* v gives an upper bound on it, hence
    a valid dual bound; `cover` finds one that is exact for disjoint groups, and tight at the
    optimum for overlapping ones. v must vanish on unpenalised features.
    """

    def __init__(self, geometry: Geometry, lam: float, exponent: float = 2.0):
        self.geometry = geometry
        self.lam = lam
        self.exponent = exponent

    def value(self, w) -> float:
        return self.group_values(self.geometry.totals(w))

    def group_values(self, totals) -> float:
        """λ/2 Σ_g t_g^q, from the groups' ℓ1 norms."""
        if self.exponent == 2.0:
            return 0.5 * self.lam * float(totals @ totals)
        return 0.5 * self.lam * float(np.sum(np.maximum(totals, 0.0) ** self.exponent))

    def slope(self, totals) -> np.ndarray:
        """φ′(t_g) for each group; 0 for t < 0, where PCP's extrapolation may stray."""
        if self.exponent == 2.0:
            return self.lam * totals
        if self.exponent == 1.0:
            return np.full(totals.shape, 0.5 * self.lam)
        return 0.5 * self.lam * self.exponent * np.maximum(totals, 0.0) ** (self.exponent - 1.0)

    def conjugate(self, cover) -> float:
        """Σ_g φ*(s_g)"""
        if self.exponent == 2.0:
            return float(cover @ cover) / (2.0 * self.lam)
        if self.exponent == 1.0:
            return 0.0 if cover.max() <= 0.5 * self.lam else np.inf
        q = self.exponent
        totals = (2.0 * cover / (self.lam * q)) ** (1.0 / (q - 1.0))
        return float((1.0 - 1.0 / q) * (cover @ totals))

    def largest_multiple(self, cover) -> float:
        """The largest c with a finite conjugate at c·s: a limit only for q = 1, the lasso."""
        largest = cover.max()
        if self.exponent != 1.0 or largest == 0.0:
            return np.inf
        return 0.5 * self.lam / largest

    def cover(self, v, w) -> np.ndarray:
        """s ≥ 0 with Aᵀs ≥ |v|, small in the sense of the conjugate; w is a nearby primal point."""
        v = self.geometry.magnitude(v)
        if not self.geometry.overlapping:
            return self.geometry.levels(v)
        from_primal = self._completed_cover(v, self.slope(self.geometry.totals(w)))
        from_zero = self._completed_cover(v, np.zeros(self.geometry.n_groups))
        return min(from_primal, from_zero, key=self.conjugate)

    def _completed_cover(self, v, start) -> np.ndarray:
        """Share out what `start` leaves uncovered, then shrink until some feature is tight.

        Raising s_g by max over i in g of eᵢ/cᵢ, c = Aᵀ1, covers the deficit e, because the groups
        that hold i contribute at least Σ_g A_gi·eᵢ/cᵢ = eᵢ.
        """
        geometry = self.geometry
        deficit = np.maximum(v - geometry.spread(start), 0.0)
        sums = geometry.column_sums
        share = np.divide(deficit, sums, out=np.zeros_like(deficit), where=sums > 0.0)
        cover = start + geometry.groups.max(share)
        counted = (v > 0.0) & (sums > 0.0)
        if not counted.any():
            return np.zeros_like(cover)
        return cover * min(1.0, float(np.max(v[counted] / geometry.spread(cover)[counted])))
