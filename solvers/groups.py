"""Groups of features: validated, frozen, disjoint or overlapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
from scipy import sparse

from .grouping import random_labels


class Groups:
    """A cover of the features 0 … n-1 by m non-empty groups.

    Members of group g are ``indices[indptr[g]:indptr[g + 1]]``, ascending. Every feature is in at
    least one group, and no group holds a feature twice. Instances never change after construction:
    the arrays are read-only, so a solver may keep what it derives from them.

    Build one with `from_labels`, `from_lists`, `contiguous` or `random`; `resolve` accepts whatever
    a user may pass.
    """

    def __init__(self, indices, indptr, n_features: int):
        object.__setattr__(self, "_indices", _frozen(indices))
        object.__setattr__(self, "_indptr", _frozen(indptr))
        object.__setattr__(self, "_n_features", int(n_features))

    # -- construction -------------------------------------------------------------------------

    @classmethod
    def from_labels(cls, labels) -> Groups:
        """Disjoint groups from one label per feature; groups follow the sorted labels."""
        labels = np.asarray(labels)
        if labels.ndim != 1 or labels.size == 0:
            raise ValueError(
                "labels must be a non-empty list with one label per feature, "
                f"got shape {labels.shape}."
            )
        missing = _missing_labels(labels)
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
    def from_lists(cls, lists, n_features: int | None = None, *, columns=None) -> Groups:
        """Groups, overlapping or not, from one list of members per group.

        Members are feature indices, or column names where `columns` (a pandas frame, or its column
        names) is given. A mapping name → members is accepted too.
        """
        if isinstance(lists, Mapping):
            lists = list(lists.values())
        if not _is_collection(lists):
            raise ValueError(f"groups must be a list of lists of features, got {lists!r}.")
        lists = [_members(members, g) for g, members in enumerate(lists)]
        if not lists:
            raise ValueError("there must be at least one group, got an empty list of groups.")
        if columns is not None:
            positions = _column_positions(columns)
            if n_features is None:
                n_features = len(positions)
            lists = [
                [_position(member, positions, g) for member in members]
                for g, members in enumerate(lists)
            ]
        if n_features is None:
            raise ValueError("n_features is needed to check that every feature is in a group.")
        n_features = _whole(n_features, "n_features")

        groups = [_checked_members(members, g, n_features) for g, members in enumerate(lists)]
        indices = np.concatenate(groups)
        covered = np.zeros(n_features, dtype=bool)
        covered[indices] = True
        if not covered.all():
            culprits = np.flatnonzero(~covered)
            named = _feature_name(culprits[0], columns)
            more = "" if culprits.size == 1 else f" (and {culprits.size - 1} more)"
            raise ValueError(
                f"feature {named}{more} is in no group; every feature must be in at least one."
            )
        indptr = np.concatenate([[0], np.cumsum([len(members) for members in groups])])
        return cls(indices, indptr, n_features)

    @classmethod
    def contiguous(cls, n_features: int, n_groups: int) -> Groups:
        """m blocks of neighbouring features whose sizes differ by at most one."""
        n_features, n_groups = _checked_counts(n_features, n_groups)
        bounds = np.arange(n_groups + 1) * n_features // n_groups
        return cls(np.arange(n_features), bounds, n_features)

    @classmethod
    def random(cls, n_features: int, n_groups: int, random_state=None) -> Groups:
        """A uniformly random split into m groups whose sizes differ by at most one (Theorem 3)."""
        n_features, n_groups = _checked_counts(n_features, n_groups)
        return cls._from_codes(random_labels(n_features, n_groups, random_state))

    @classmethod
    def resolve(cls, spec, n_features: int, *, columns=None, random_state=None) -> Groups:
        """Groups from whatever a user passes: `Groups`, a count (random groups), labels, or lists.

        With `columns`, lists may hold column names, and a mapping (or pandas Series) from column
        name to label gives disjoint groups.
        """
        if isinstance(spec, Groups):
            groups = spec
        elif isinstance(spec, (int, np.integer)) and not isinstance(spec, bool):
            groups = cls.random(n_features, spec, random_state)
        elif isinstance(spec, Mapping):
            groups = cls._from_mapping(spec, n_features, columns)
        elif columns is not None and hasattr(spec, "index") and hasattr(spec, "to_dict"):
            groups = cls._from_mapping(spec.to_dict(), n_features, columns)
        elif (lists := _as_list_of_lists(spec)) is not None:
            groups = cls.from_lists(lists, n_features, columns=_columns_if_named(lists, columns))
        else:
            groups = cls.from_labels(spec)
        if groups.n_features != n_features:
            raise ValueError(
                f"the groups are over {groups.n_features} features, but X has {n_features} columns."
            )
        return groups

    @classmethod
    def given(cls, spec, n_features: int, *, columns=None) -> Groups:
        """`resolve`, but for a count: groups drawn inside a solver would be unknown afterwards."""
        if isinstance(spec, (int, np.integer)):
            raise ValueError(
                f"groups = {spec} would draw random groups that nobody knows afterwards; pass "
                f"Groups.random({n_features}, {spec}, random_state=0)."
            )
        return cls.resolve(spec, n_features, columns=columns)

    @classmethod
    def _from_mapping(cls, mapping, n_features, columns):
        """{column: label} gives disjoint groups, {group: members} gives lists."""
        if mapping and all(_is_collection(value) for value in mapping.values()):
            lists = list(mapping.values())
            return cls.from_lists(lists, n_features, columns=_columns_if_named(lists, columns))
        if columns is None:
            raise ValueError(
                "groups that map column names to labels need X to be a frame with column names."
            )
        positions = _column_positions(columns)
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

    # -- what a group structure is ------------------------------------------------------------

    @property
    def n_features(self) -> int:
        return self._n_features

    @property
    def n_groups(self) -> int:
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
        return _frozen(np.diff(self._indptr))

    @property
    def overlapping(self) -> bool:
        return self._indices.size > self._n_features

    @cached_property
    def overlap_counts(self) -> np.ndarray:
        """How many groups hold each feature: c = Aᵀ1."""
        return _frozen(np.bincount(self._indices, minlength=self._n_features))

    @cached_property
    def is_contiguous(self) -> bool:
        """Whether the groups list the features in order, so that no gather is needed."""
        return not self.overlapping and bool(
            np.array_equal(self._indices, np.arange(self._n_features))
        )

    @cached_property
    def equal_sizes(self) -> bool:
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
        return _frozen(labels)

    @cached_property
    def member_groups(self) -> np.ndarray:
        """The group of each entry of `indices`."""
        return _frozen(np.repeat(np.arange(self.n_groups), self.sizes))

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

    def gather(self, values) -> np.ndarray:
        """Values of the members of all groups, group after group (length Σ|g|)."""
        return values if self.is_contiguous else values[self._indices]

    def scatter(self, members) -> np.ndarray:
        """The adjoint of `gather`: sums each feature's entries over the groups that hold it."""
        if self.is_contiguous:
            return members
        if not self.overlapping:
            values = np.empty(self._n_features, dtype=members.dtype)
            values[self._indices] = members
            return values
        return np.bincount(self._indices, weights=members, minlength=self._n_features)

    def sum(self, values) -> np.ndarray:
        """A·values: the sum of each group's members."""
        return np.add.reduceat(self.gather(values), self._indptr[:-1])

    def max(self, values) -> np.ndarray:
        """The largest value in each group."""
        return np.maximum.reduceat(self.gather(values), self._indptr[:-1])

    def spread(self, group_values) -> np.ndarray:
        """Aᵀ·group_values: for each feature, the sum over the groups that hold it."""
        if not self.overlapping:
            return group_values[self.labels]
        return self.scatter(group_values[self.member_groups])

    # -- being a value ------------------------------------------------------------------------

    def lists(self) -> list[list[int]]:
        """The members of each group as plain lists."""
        return [part.tolist() for part in np.split(self._indices, self._indptr[1:-1])]

    def __len__(self) -> int:
        return self.n_groups

    def __eq__(self, other) -> bool:
        if not isinstance(other, Groups):
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

    def __setattr__(self, name, value):
        raise AttributeError("Groups are frozen; build new ones instead.")

    def __delattr__(self, name):
        raise AttributeError("Groups are frozen; build new ones instead.")

    def __reduce__(self):
        # Through the constructor, so that a pickled or copied instance is frozen too.
        return Groups, (self._indices, self._indptr, self._n_features)


# -- checks, each naming the culprit ---------------------------------------------------------


def _frozen(array) -> np.ndarray:
    array = np.array(array, dtype=np.intp)
    array.flags.writeable = False
    return array


def _whole(value, name) -> int:
    try:
        whole = not isinstance(value, (bool, np.bool_, str)) and int(value) == value
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise ValueError(f"{name} must be a whole number, got {value!r}.")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}.")
    return int(value)


def _checked_counts(n_features, n_groups):
    n_features = _whole(n_features, "n_features")
    n_groups = _whole(n_groups, "n_groups")
    if n_groups > n_features:
        raise ValueError(
            f"{n_groups} groups cannot each hold one of {n_features} features; "
            f"choose n_groups ≤ {n_features}."
        )
    return n_features, n_groups


def _is_collection(value) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _members(members, g):
    if not _is_collection(members):
        raise ValueError(f"group {g} must be a list of features, got {members!r}.")
    return list(members)


def _as_list_of_lists(spec) -> list[list] | None:
    """Lists of members, generators used up once and for all; None if it is something else."""
    if not _is_collection(spec) or isinstance(spec, np.ndarray):
        return None
    parts = list(spec)
    if not parts or not all(_is_collection(part) for part in parts):
        return None
    return [list(part) for part in parts]


def _columns_if_named(lists, columns):
    """Column names only where a member is a name: plain indices stay indices, frame or not."""
    named = any(isinstance(member, str) for members in lists for member in members)
    if named and columns is None:
        raise ValueError("groups name columns, but X has no column names; pass a frame.")
    return columns if named else None


def _column_positions(columns) -> dict:
    names = list(getattr(columns, "columns", columns))
    positions = {name: i for i, name in enumerate(names)}
    if len(positions) < len(names):
        repeated = next(name for i, name in enumerate(names) if positions[name] != i)
        raise ValueError(f"the column name {repeated!r} is repeated; names must be unique.")
    return positions


def _position(member, positions, g):
    try:
        return positions[member]
    except (KeyError, TypeError):
        raise ValueError(f"group {g} names {member!r}, which is not a column.") from None


def _feature_name(index, columns):
    if columns is None:
        return str(index)
    return repr(list(getattr(columns, "columns", columns))[index])


def _checked_members(members, g, n_features) -> np.ndarray:
    if len(members) == 0:
        raise ValueError(f"group {g} is empty; remove it or give it a feature.")
    for member in members:
        if not isinstance(member, (int, np.integer)) or isinstance(member, (bool, np.bool_)):
            raise ValueError(
                f"group {g} holds {member!r}; members must be feature indices (whole numbers)."
            )
    values = np.array(members)
    outside = values[(values < 0) | (values >= n_features)]
    if outside.size:
        raise ValueError(
            f"group {g} holds index {outside[0]}, outside 0 … {n_features - 1} "
            f"for {n_features} features."
        )
    ordered = np.sort(values)
    repeats = ordered[1:][ordered[1:] == ordered[:-1]]
    if repeats.size:
        raise ValueError(f"group {g} holds feature {repeats[0]} more than once.")
    return ordered


def _missing_labels(labels) -> np.ndarray:
    if labels.dtype.kind in "fc":
        return np.flatnonzero(np.isnan(labels))
    if labels.dtype.kind in "mM":
        return np.flatnonzero(np.isnat(labels))
    if labels.dtype.kind == "O":
        return np.flatnonzero([value is None or value != value for value in labels])
    return np.array([], dtype=int)
