"""Groups of features: validated, frozen, disjoint or overlapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .group_checks import (
    as_list_of_lists,
    as_members,
    checked_counts,
    checked_members,
    column_position,
    column_positions,
    columns_if_named,
    feature_name,
    is_collection,
    missing_labels,
    whole,
)
from .grouping import RandomState, random_labels
from .membership import Membership
from .types import GroupsLike


class Groups(Membership):
    """A cover of the features 0 … n-1 by m non-empty groups

    Members of group g are ``indices[indptr[g]:indptr[g + 1]]``, ascending. Every feature is in at
    least one group, and no group holds a feature twice. Instances never change after construction:
    the arrays are read-only, so a solver may keep what it derives from them.

    Build one with `from_labels`, `from_lists`, `contiguous` or `random`; `resolve` accepts whatever
    a user may pass.

    Parameters
    ----------
    indices : array of int
        Members of all groups, group after group. They are not checked here.
    indptr : array of m + 1 ints
        Where each group starts in `indices`.
    n_features : int
        n.

    Examples
    --------
    >>> from solvers import Groups
    >>> groups = Groups.from_lists([[0, 1], [1, 2, 3]], n_features=4)
    >>> groups
    Groups(2 overlapping groups of sizes 2 to 3 over 4 features)
    >>> groups.n_features, groups.n_groups, groups.sizes.tolist(), groups.overlapping
    (4, 2, [2, 3], True)
    >>> groups.incidence.toarray().astype(int).tolist()
    [[1, 1, 0, 0], [0, 1, 1, 1]]
    """

    @classmethod
    def from_labels(cls, labels: ArrayLike) -> Groups:
        """Disjoint groups from one label per feature; groups follow the sorted labels

        Parameters
        ----------
        labels : array of n numbers or texts
            The group of each feature.

        Returns
        -------
        Groups
            One group a label.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.from_labels(["b", "a", "b"]).lists()
        [[1], [0, 2]]
        """
        labels = np.asarray(labels)
        if labels.ndim != 1 or labels.size == 0:
            raise ValueError(
                "labels must be a non-empty list with one label per feature, "
                f"got shape {labels.shape}."
            )
        missing = missing_labels(labels)
        if missing.size:
            raise ValueError(
                f"feature {missing[0]} has no label (a missing value); give every feature a group."
            )
        try:
            _, codes = np.unique(labels, return_inverse=True)
        except TypeError:
            raise ValueError(
                "labels mix types that cannot be sorted; make them all numbers or all text."
            ) from None
        return cls._from_codes(codes.reshape(-1))

    @classmethod
    def from_lists(
        cls,
        lists: Sequence[Sequence[Any]] | Mapping[Any, Sequence[Any]],
        n_features: int | None = None,
        *,
        columns: Any = None,
    ) -> Groups:
        """Groups, overlapping or not, from one list of members per group

        Parameters
        ----------
        lists : lists of features, or mapping from a name to such a list
            The members, by index or, with `columns`, by name. Every feature must be in one.
        n_features : int, optional
            n; as many as there are columns unless given.
        columns : data frame or list of names, optional
            The names of the features.

        Returns
        -------
        Groups
            One group a list.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.from_lists([[0, 1], [1, 2]], n_features=3).overlapping
        True
        >>> Groups.from_lists({"x": ["a"], "y": ["c", "b"]}, columns=["a", "b", "c"]).lists()
        [[0], [1, 2]]
        """
        if isinstance(lists, Mapping):
            lists = list(lists.values())
        if not is_collection(lists):
            raise ValueError(f"groups must be a list of lists of features, got {lists!r}.")
        lists = [as_members(members, g) for g, members in enumerate(lists)]
        if not lists:
            raise ValueError("there must be at least one group, got an empty list of groups.")
        if columns is not None:
            positions = column_positions(columns)
            if n_features is None:
                n_features = len(positions)
            lists = [
                [column_position(member, positions, g) for member in members]
                for g, members in enumerate(lists)
            ]
        if n_features is None:
            raise ValueError("n_features is needed to check that every feature is in a group.")
        n_features = whole(n_features, "n_features")

        groups = [checked_members(members, g, n_features) for g, members in enumerate(lists)]
        indices = np.concatenate(groups)
        covered = np.zeros(n_features, dtype=bool)
        covered[indices] = True
        if not covered.all():
            culprits = np.flatnonzero(~covered)
            named = feature_name(culprits[0], columns)
            more = "" if culprits.size == 1 else f" (and {culprits.size - 1} more)"
            raise ValueError(
                f"feature {named}{more} is in no group; every feature must be in at least one."
            )
        indptr = np.concatenate([[0], np.cumsum([len(members) for members in groups])])
        return cls(indices, indptr, n_features)

    @classmethod
    def contiguous(cls, n_features: int, n_groups: int) -> Groups:
        """m blocks of neighbouring features whose sizes differ by at most one

        Parameters
        ----------
        n_features : int
            n.
        n_groups : int
            m, at most n.

        Returns
        -------
        Groups
            Disjoint.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.contiguous(n_features=5, n_groups=2).lists()
        [[0, 1], [2, 3, 4]]
        """
        n_features, n_groups = checked_counts(n_features, n_groups)
        bounds = np.arange(n_groups + 1) * n_features // n_groups
        return cls(np.arange(n_features), bounds, n_features)

    @classmethod
    def random(cls, n_features: int, n_groups: int, random_state: RandomState = None) -> Groups:
        """A uniformly random split into m groups whose sizes differ by at most one (Theorem 5)

        Parameters
        ----------
        n_features : int
            n.
        n_groups : int
            m, at most n.
        random_state : int, numpy Generator or None
            Where the draw comes from; None for another one every time.

        Returns
        -------
        Groups
            Disjoint.

        Examples
        --------
        >>> from solvers import Groups
        >>> groups = Groups.random(n_features=5, n_groups=2, random_state=0)
        >>> sorted(groups.sizes.tolist()), groups.overlapping
        ([2, 3], False)
        """
        n_features, n_groups = checked_counts(n_features, n_groups)
        return cls._from_codes(random_labels(n_features, n_groups, random_state))

    @classmethod
    def resolve(
        cls,
        spec: GroupsLike | int,
        n_features: int,
        *,
        columns: Any = None,
        random_state: RandomState = None,
    ) -> Groups:
        """Groups from whatever a user passes: `Groups`, a count (random groups), labels, or lists

        With `columns`, lists may hold column names, and a mapping (or pandas Series) from column
        name to label gives disjoint groups.

        Parameters
        ----------
        spec : Groups, int, labels, lists or mapping
            What the user passed.
        n_features : int
            n, which the groups must have.
        columns : data frame or list of names, optional
            The names of the features.
        random_state : int, numpy Generator or None
            Where random groups come from.

        Returns
        -------
        Groups
            `spec` itself where it is one.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.resolve({"a": 1, "b": 1, "c": 2}, 3, columns=["a", "b", "c"]).lists()
        [[0, 1], [2]]
        >>> Groups.resolve(2, 6, random_state=0).n_groups
        2
        """
        if isinstance(spec, (str, bytes, float, bool)):
            raise ValueError(
                f"groups = {spec!r} is neither a whole number of random groups, nor one label per "
                "feature, nor lists of features; the estimators also take None for as many random "
                "groups as are recommended."
            )
        if isinstance(spec, Groups):
            groups = spec
        elif isinstance(spec, (int, np.integer)) and not isinstance(spec, bool):
            groups = cls.random(n_features, int(spec), random_state)
        elif isinstance(spec, Mapping):
            groups = cls._from_mapping(spec, n_features, columns)
        elif columns is not None and hasattr(spec, "index") and hasattr(spec, "to_dict"):
            groups = cls._from_mapping(spec.to_dict(), n_features, columns)
        elif (lists := as_list_of_lists(spec)) is not None:
            groups = cls.from_lists(lists, n_features, columns=columns_if_named(lists, columns))
        else:
            groups = cls.from_labels(spec)
        if groups.n_features != n_features:
            raise ValueError(
                f"the groups are over {groups.n_features} features, but X has {n_features} columns."
            )
        return groups

    def restricted(self, features: ArrayLike) -> tuple[Groups, np.ndarray]:
        """The groups of some features only, without those that lose all members

        Parameters
        ----------
        features : array of ints
            Which features stay, ascending; they are counted anew.

        Returns
        -------
        groups : Groups
            What is left of the groups, over ``len(features)`` features.
        kept : array of ints
            Which groups those are.

        Examples
        --------
        >>> from solvers import Groups
        >>> groups, kept = Groups.from_labels([0, 0, 1, 2]).restricted([1, 3])
        >>> groups.lists(), kept.tolist()
        ([[0], [1]], [0, 2])
        """
        features = np.asarray(features)
        part = self.incidence[:, features]
        kept = np.flatnonzero(np.diff(part.indptr))
        part = part[kept]
        part.sort_indices()
        return Groups(part.indices, part.indptr, features.size), kept

    @classmethod
    def given(cls, spec: GroupsLike, n_features: int, *, columns: Any = None) -> Groups:
        """`resolve`, but for a count: groups drawn inside a solver would be unknown afterwards

        Parameters
        ----------
        spec : Groups, labels, lists or mapping
            What the user passed.
        n_features : int
            n, which the groups must have.
        columns : data frame or list of names, optional
            The names of the features.

        Returns
        -------
        Groups
            `spec` itself where it is one.

        Examples
        --------
        >>> from solvers import Groups
        >>> Groups.given([0, 0, 1], 3).lists()
        [[0, 1], [2]]
        """
        if isinstance(spec, (int, np.integer)):
            raise ValueError(
                f"groups = {spec} would draw random groups that nobody knows afterwards; pass "
                f"Groups.random({n_features}, {spec}, random_state=0)."
            )
        return cls.resolve(spec, n_features, columns=columns)

    @classmethod
    def _from_mapping(cls, mapping, n_features, columns):
        """{column: label} gives disjoint groups, {group: members} gives lists."""
        if mapping and all(is_collection(value) for value in mapping.values()):
            lists = list(mapping.values())
            return cls.from_lists(lists, n_features, columns=columns_if_named(lists, columns))
        if columns is None:
            raise ValueError(
                "groups that map column names to labels need X to be a frame with column names."
            )
        positions = column_positions(columns)
        unknown = [name for name in mapping if name not in positions]
        if unknown:
            raise ValueError(f"groups name the column {unknown[0]!r}, which X does not have.")
        missing = [name for name in positions if name not in mapping]
        if missing:
            raise ValueError(
                f"the column {missing[0]!r} is in no group; give every column a group."
            )
        return cls.from_labels([mapping[name] for name in positions])

    @classmethod
    def _from_codes(cls, codes) -> Groups:
        codes = np.asarray(codes)
        indices = np.argsort(codes, kind="stable")
        counts = np.bincount(codes)
        return cls(indices, np.concatenate([[0], np.cumsum(counts)]), codes.size)
