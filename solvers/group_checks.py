"""What may be wrong with groups, each in a sentence that names the culprit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def frozen_indices(array) -> np.ndarray:
    array = np.array(array, dtype=np.intp)
    array.flags.writeable = False
    return array


def whole(value, name) -> int:
    try:
        whole = not isinstance(value, (bool, np.bool_, str)) and int(value) == value
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise ValueError(f"{name} must be a whole number, got {value!r}.")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}.")
    return int(value)


def checked_counts(n_features, n_groups):
    n_features = whole(n_features, "n_features")
    n_groups = whole(n_groups, "n_groups")
    if n_groups > n_features:
        raise ValueError(
            f"{n_groups} groups cannot each hold one of {n_features} features; "
            f"choose n_groups ≤ {n_features}."
        )
    return n_features, n_groups


def is_collection(value) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def as_members(members, g):
    if not is_collection(members):
        raise ValueError(f"group {g} must be a list of features, got {members!r}.")
    return list(members)


def as_list_of_lists(spec) -> list[list] | None:
    """Lists of members, generators used up once and for all; None if it is something else."""
    if not is_collection(spec) or isinstance(spec, np.ndarray):
        return None
    parts = list(spec)
    if not parts or not all(is_collection(part) for part in parts):
        return None
    return [list(part) for part in parts]


def columns_if_named(lists, columns):
    """Column names only where a member is a name: plain indices stay indices, frame or not."""
    named = any(isinstance(member, str) for members in lists for member in members)
    if named and columns is None:
        raise ValueError("groups name columns, but X has no column names; pass a frame.")
    return columns if named else None


def column_positions(columns) -> dict:
    names = list(getattr(columns, "columns", columns))
    positions = {name: i for i, name in enumerate(names)}
    if len(positions) < len(names):
        repeated = next(name for i, name in enumerate(names) if positions[name] != i)
        raise ValueError(f"the column name {repeated!r} is repeated; names must be unique.")
    return positions


def column_position(member, positions, g):
    try:
        return positions[member]
    except (KeyError, TypeError):
        raise ValueError(f"group {g} names {member!r}, which is not a column.") from None


def feature_name(index, columns):
    if columns is None:
        return str(index)
    return repr(list(getattr(columns, "columns", columns))[index])


def checked_members(members, g, n_features) -> np.ndarray:
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


def missing_labels(labels) -> np.ndarray:
    if labels.dtype.kind in "fc":
        return np.flatnonzero(np.isnan(labels))
    if labels.dtype.kind in "mM":
        return np.flatnonzero(np.isnat(labels))
    if labels.dtype.kind == "O":
        return np.flatnonzero([value is None or value != value for value in labels])
    return np.array([], dtype=int)
