"""What the penalty sees of w: the weighted group sums A|w|, and which entries may be negative.

    λ/2 Σ_g k_g (Σ_{i∈g} fᵢ|wᵢ|)² = λ/2 ‖A|w|‖²,   A_gi = √k_g·fᵢ for i in g,   wᵢ ≥ 0 where asked

Everything that holds for the 0/1 incidence matrix of the groups holds for this A, and a sign
constraint turns |vᵢ| into (vᵢ)₊ in the conjugate. Whoever works with the penalty works with a
`Geometry`, so weights and signs are written once.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse

from .groups import Groups
from .linear_algebra import BandOrder
from .projections import shrink_groups
from .validation import as_feature_weight, as_group_weight, as_positive_flags


class Geometry:
    """The weighted incidence A of some groups, and the signs that w may have.

    `entries` are A's numbers in group-major order, None where all are 1; `positive` holds one flag
    a feature, None where w is free. A feature of weight 0 is *unpenalised*: A has no entry for it.
    """

    def __init__(self, groups: Groups, entries=None, positive=None):
        self.groups = groups
        self.entries = entries
        self.positive = positive

    @classmethod
    def of(
        cls, groups: Groups, *, positive=False, feature_weight=None, group_weight=None, exponent=2.0
    ) -> Geometry:
        """From what a user passes. Σ_g k_g t_g^q is Σ_g (k_g^(1/q) t_g)^q."""
        flags = as_positive_flags(positive, groups.n_features)
        feature = as_feature_weight(feature_weight, groups.n_features)
        group = as_group_weight(group_weight, groups.n_groups)
        entries = None
        if feature is not None or group is not None:
            entries = np.ones(groups.indices.size)
            if feature is not None:
                entries *= feature[groups.indices]
            if group is not None:
                entries *= (group ** (1.0 / exponent))[groups.member_groups]
        return cls(groups, entries, flags)

    # -- what it is ---------------------------------------------------------------------------

    @property
    def n_features(self) -> int:
        return self.groups.n_features

    @property
    def n_groups(self) -> int:
        return self.groups.n_groups

    @property
    def overlapping(self) -> bool:
        return self.groups.overlapping

    @property
    def weighted(self) -> bool:
        return self.entries is not None

    @property
    def constrained(self) -> bool:
        """Whether some feature must not be negative."""
        return self.positive is not None

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """A itself, without entries for unpenalised features."""
        if self.entries is None:
            return self.groups.incidence
        shape = (self.n_groups, self.n_features)
        parts = (self.entries, self.groups.indices, self.groups.indptr)
        A = sparse.csr_array(parts, shape=shape, copy=True)
        A.eliminate_zeros()
        return A

    @cached_property
    def coupling(self) -> sparse.csr_array:
        """AᵀA: which features share a group, and how strongly."""
        return (self.incidence.T @ self.incidence).tocsr()

    @cached_property
    def band_order(self) -> BandOrder:
        """The order of features in which those that share a group are near each other."""
        return BandOrder(self.coupling)

    @cached_property
    def group_order(self) -> BandOrder | None:
        """The order of groups in which those that overlap are near each other, if they are few."""
        return band_of_groups(self.incidence)

    @cached_property
    def unpenalised(self) -> np.ndarray:
        """The features of weight 0."""
        return np.flatnonzero(self.column_sums == 0.0)

    @cached_property
    def free(self) -> np.ndarray:
        """The features of weight 0 that may have either sign: nothing holds them at all."""
        return np.intersect1d(self.unpenalised, self.signed)

    @cached_property
    def signed(self) -> np.ndarray:
        """The features that may be negative."""
        if self.positive is None:
            return np.arange(self.n_features)
        return np.flatnonzero(~self.positive)

    @cached_property
    def column_sums(self) -> np.ndarray:
        """Aᵀ1; without weights how many groups hold each feature."""
        if self.entries is None:
            return self.groups.overlap_counts
        return self.groups.scatter(self.entries)

    @cached_property
    def column_squares(self) -> np.ndarray:
        """Σ_g A_gi² of each feature."""
        if self.entries is None:
            return self.groups.overlap_counts
        return self.groups.scatter(self.entries**2)

    @cached_property
    def row_squares(self) -> np.ndarray:
        """Σᵢ A_gi² of each group."""
        if self.entries is None:
            return self.groups.sizes
        return np.add.reduceat(self.entries**2, self.groups.indptr[:-1])

    @cached_property
    def norm_squared(self) -> float:
        """An upper bound on ‖A‖₂², exact for disjoint groups and within 1 % or so otherwise.

        For a positive x, max (Mx)ᵢ/xᵢ bounds the largest eigenvalue of a non-negative M from above
        (Collatz–Wielandt), and power steps tighten it.
        """
        if not self.overlapping:
            return float(self.row_squares.max())
        x = np.ones(self.n_features)
        bound = np.inf
        for _ in range(30):
            image = self.spread(self.sum(x))
            tighter = float(np.max(image / x))
            if tighter > 0.999 * bound:
                return min(tighter, bound)
            # An unpenalised feature has no image; any positive number keeps the bound valid.
            bound, x = tighter, np.maximum(image / image.max(), 1e-30)
        return bound

    # -- sums over groups ---------------------------------------------------------------------

    def gather(self, values) -> np.ndarray:
        """A_gi·valuesᵢ for the members of all groups, group after group."""
        members = self.groups.gather(values)
        return members if self.entries is None else self.entries * members

    def scatter(self, members) -> np.ndarray:
        """The adjoint of `gather`."""
        return self.groups.scatter(members if self.entries is None else self.entries * members)

    def sum(self, values) -> np.ndarray:
        """A·values"""
        return np.add.reduceat(self.gather(values), self.groups.indptr[:-1])

    def totals(self, w) -> np.ndarray:
        """A|w|"""
        return self.sum(np.abs(w))

    def spread(self, group_values) -> np.ndarray:
        """Aᵀ·group_values"""
        if self.entries is None:
            return self.groups.spread(group_values)
        return self.scatter(group_values[self.groups.member_groups])

    def levels(self, values) -> np.ndarray:
        """The smallest s ≥ 0 with A_gi·s_g ≥ valuesᵢ for all penalised i in g."""
        if self.entries is None:
            return self.groups.max(values)
        members = self.groups.gather(values)
        held = self.entries > 0.0
        ratios = np.divide(members, self.entries, out=np.zeros_like(members), where=held)
        return np.maximum.reduceat(ratios, self.groups.indptr[:-1])

    # -- signs --------------------------------------------------------------------------------

    def magnitude(self, v) -> np.ndarray:
        """|vᵢ|, or (vᵢ)₊ where wᵢ ≥ 0 is asked: how hard v pulls at w."""
        if self.positive is None:
            return np.abs(v)
        return np.where(self.positive, np.maximum(v, 0.0), np.abs(v))

    def clip(self, w) -> np.ndarray:
        """The nearest w that has the signs asked for."""
        return w if self.positive is None else np.where(self.positive, np.maximum(w, 0.0), w)

    # -- proximal map -------------------------------------------------------------------------

    def shrink(self, c, zeta) -> np.ndarray:
        """argmin over w of ½‖w − c‖² + ζ/2 ‖A|w|‖², the signs as asked (disjoint groups)"""
        return shrink_groups(self.clip(c), self.groups, zeta, self.entries)

    def strongest(self, v) -> np.ndarray:
        """In each group the penalised feature on which v gains most, valued vᵢ/A_gi²; 0 elsewhere

        argmax over w of vᵀw − ½‖A|w|‖² for disjoint groups, where only the winners of
        |vᵢ|/A_gi are used; the first of equals.
        """
        entries = np.ones(self.groups.indices.size) if self.entries is None else self.entries
        pull = np.divide(
            self.groups.gather(self.magnitude(v)),
            entries,
            out=np.full(entries.shape, -1.0),
            where=entries > 0.0,
        )
        order = np.lexsort((-pull, self.groups.member_groups))
        winners = order[self.groups.indptr[:-1]]
        winners = winners[pull[winners] > 0.0]
        u = np.zeros_like(v)
        features = self.groups.indices[winners]
        u[features] = v[features] / entries[winners] ** 2
        return u

    # -- parts --------------------------------------------------------------------------------

    def restricted(self, features) -> tuple[sparse.csr_array, np.ndarray]:
        """A on some features, without the groups that hold none of them, and which groups stay."""
        A = self.incidence[:, features]
        rows = np.flatnonzero(np.diff(A.indptr))
        return A[rows], rows

    def on(self, features) -> Geometry:
        """The same on some features alone, without the groups that hold none of them."""
        groups = self.groups
        numbered = sparse.csr_array(
            (np.arange(1, groups.indices.size + 1), groups.indices, groups.indptr),
            shape=(groups.n_groups, groups.n_features),
        )[:, features]
        numbered.sort_indices()
        sizes = np.diff(numbered.indptr)
        indptr = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
        return Geometry(
            Groups(numbered.indices, indptr, len(features)),
            None if self.entries is None else self.entries[numbered.data - 1],
            None if self.positive is None else self.positive[features],
        )


BANDED = 0.05  # share of the unknowns up to which a bandwidth is small
LARGEST_OVERLAP = 2e7  # entries of AAᵀ, counted with repetition


def band_of_groups(incidence) -> BandOrder | None:
    """The order in which AAᵀ is a narrow band, or None."""
    held = np.bincount(incidence.indices, minlength=incidence.shape[1])
    if float(held @ held) > LARGEST_OVERLAP:
        return None
    order = BandOrder((incidence @ incidence.T).tocsr())
    return order if order.width <= BANDED * incidence.shape[0] else None
