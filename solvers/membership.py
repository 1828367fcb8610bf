"""Which features are in which group, as frozen arrays, and the sums over groups of inner loops."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .group_checks import frozen_indices


class Membership:
    """n features covered by m groups: what `Groups` are once they are built."""

    _indices: np.ndarray
    _indptr: np.ndarray
    _n_features: int

    def __init__(self, indices: ArrayLike, indptr: ArrayLike, n_features: int) -> None:
        object.__setattr__(self, "_indices", frozen_indices(indices))
        object.__setattr__(self, "_indptr", frozen_indices(indptr))
        object.__setattr__(self, "_n_features", int(n_features))

    # -- what a group structure is ------------------------------------------------------------

    @property
    def n_features(self) -> int:
        """n, how many features there are."""
        return self._n_features

    @property
    def n_groups(self) -> int:
        """m, how many groups there are."""
        return self._indptr.size - 1

    @property
    def indices(self) -> np.ndarray:
        """Members of all groups, group after group."""
        return self._indices

    @property
    def indptr(self) -> np.ndarray:
        """Where each group starts in `indices`; length m + 1."""
        return self._indptr

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many features each group has."""
        return frozen_indices(np.diff(self._indptr))

    @property
    def overlapping(self) -> bool:
        """Whether some feature is in more than one group."""
        return self._indices.size > self._n_features

    @cached_property
    def overlap_counts(self) -> np.ndarray:
        """How many groups hold each feature: c = Aᵀ1."""
        return frozen_indices(np.bincount(self._indices, minlength=self._n_features))

    @cached_property
    def is_contiguous(self) -> bool:
        """Whether the groups list the features in order, so that no gather is needed."""
        return not self.overlapping and bool(
            np.array_equal(self._indices, np.arange(self._n_features))
        )

    @cached_property
    def equal_sizes(self) -> bool:
        """Whether all groups are of one size."""
        return bool((self.sizes == self.sizes[0]).all())

    @cached_property
    def size_classes(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Groups of sizes within a factor of two as padded rows: at most 2Σ|g| entries in all.

        One triple per class: which groups; where each row's entries are in group-major order;
        which of them are padding. There are at most log₂ n classes, so code that loops over them
        does not loop over groups.
        """
        classes = []
        exponent = np.frexp(self.sizes - 0.5)[1]
        for value in np.unique(exponent):
            members = np.flatnonzero(exponent == value)
            sizes = self.sizes[members, None]
            columns = np.arange(sizes.max())
            padding = columns >= sizes
            positions = np.where(padding, 0, self._indptr[members, None] + columns)
            for array in (members, positions, padding):
                array.flags.writeable = False
            classes.append((members, positions, padding))
        return classes

    @cached_property
    def labels(self) -> np.ndarray:
        """The group of each feature; for disjoint groups only."""
        if self.overlapping:
            raise ValueError("overlapping groups have no single label per feature.")
        labels = np.empty(self._n_features, dtype=np.intp)
        labels[self._indices] = self.member_groups
        return frozen_indices(labels)

    @cached_property
    def member_groups(self) -> np.ndarray:
        """The group of each entry of `indices`."""
        return frozen_indices(np.repeat(np.arange(self.n_groups), self.sizes))

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """The m × n 0/1 matrix A, so that ‖w‖_e = ‖A|w|‖₂."""
        incidence = sparse.csr_array(
            (np.ones(self._indices.size), self._indices, self._indptr),
            shape=(self.n_groups, self._n_features),
        )
        for array in (incidence.data, incidence.indices, incidence.indptr):
            array.flags.writeable = False
        return incidence

    # -- sums over groups, used in every inner loop -------------------------------------------

    def gather(self, values: np.ndarray) -> np.ndarray:
        """Values of the members of all groups, group after group

        Parameters
        ----------
        values : array of n_features values
            One a feature.

        Returns
        -------
        array of Σ_g |g| values
            ``values[indices]``; `values` itself where the groups are contiguous.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups
        >>> groups = Groups.from_lists([[0, 2], [1, 2]], n_features=3)
        >>> groups.gather(np.array([10, 20, 30])).tolist()
        [10, 30, 20, 30]
        """
        return values if self.is_contiguous else values[self._indices]

    def scatter(self, members: np.ndarray) -> np.ndarray:
        """The adjoint of `gather`: sums each feature's entries over the groups that hold it

        Parameters
        ----------
        members : array of Σ_g |g| values
            One for each member of each group.

        Returns
        -------
        array of n_features values
            One a feature.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups
        >>> groups = Groups.from_lists([[0, 2], [1, 2]], n_features=3)
        >>> groups.scatter(np.array([10, 30, 20, 40])).tolist()
        [10.0, 20.0, 70.0]
        """
        if self.is_contiguous:
            return members
        if not self.overlapping:
            values = np.empty(self._n_features, dtype=members.dtype)
            values[self._indices] = members
            return values
        return np.bincount(self._indices, weights=members, minlength=self._n_features)

    def sum(self, values: np.ndarray) -> np.ndarray:
        """A·values: the sum of each group's members

        Parameters
        ----------
        values : array of n_features numbers
            One a feature.

        Returns
        -------
        array of n_groups numbers
            One a group.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups
        >>> Groups.from_labels([0, 1, 0]).sum(np.array([1, 2, 3])).tolist()
        [4, 2]
        """
        return np.add.reduceat(self.gather(values), self._indptr[:-1])

    def max(self, values: np.ndarray) -> np.ndarray:
        """maxᵢ valuesᵢ over the members i of each group

        Parameters
        ----------
        values : array of n_features numbers
            One a feature.

        Returns
        -------
        array of n_groups numbers
            One a group.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups
        >>> Groups.from_labels([0, 1, 0]).max(np.array([1, 2, 3])).tolist()
        [3, 2]
        """
        return np.maximum.reduceat(self.gather(values), self._indptr[:-1])

    def spread(self, group_values: np.ndarray) -> np.ndarray:
        """Aᵀ·group_values: for each feature, the sum over the groups that hold it

        Parameters
        ----------
        group_values : array of n_groups numbers
            One a group.

        Returns
        -------
        array of n_features numbers
            One a feature.

        Examples
        --------
        >>> import numpy as np
        >>> from solvers import Groups
        >>> Groups.from_labels([0, 1, 0]).spread(np.array([5, 7])).tolist()
        [5, 7, 5]
        """
        if not self.overlapping:
            return group_values[self.labels]
        return self.scatter(group_values[self.member_groups])

    # -- being a value ------------------------------------------------------------------------

    def lists(self) -> list[list[int]]:
        """The members of each group as plain lists

        Returns
        -------
        list of lists of int
            One list a group, ascending.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.from_labels([0, 1, 0]).lists()
        [[0, 2], [1]]
        """
        return [part.tolist() for part in np.split(self._indices, self._indptr[1:-1])]

    def __len__(self) -> int:
        return self.n_groups

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Membership):
            return NotImplemented
        return (
            self._n_features == other._n_features
            and np.array_equal(self._indptr, other._indptr)
            and np.array_equal(self._indices, other._indices)
        )

    def __hash__(self) -> int:
        return hash((self._n_features, self._indptr.tobytes(), self._indices.tobytes()))

    def __repr__(self) -> str:
        kind = "overlapping" if self.overlapping else "disjoint"
        low, high = int(self.sizes.min()), int(self.sizes.max())
        size = f"size {low}" if low == high else f"sizes {low} to {high}"
        return f"Groups({self.n_groups} {kind} groups of {size} over {self.n_features} features)"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("Groups are frozen; build new ones instead.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Groups are frozen; build new ones instead.")

    def __reduce__(self) -> tuple:
        # Through the constructor, so that a pickled or copied instance is frozen too.
        return type(self), (self._indices, self._indptr, self._n_features)
