"""Which features compete with each other: six ways to group the columns of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lab.loading import one_at_a_time
from lab.own_table.encoding import encoded
from lab.own_table.setup import Prepared, SetupError
from lab.own_table.spec import TableSpec
from lab.tables import NamedLists
from lab.words import counted, percent
from solvers import Groups, grouping
from solvers.model_file import category_text
from solvers.scales import default_n_groups

OTHERS = "(the others)"
MOST_CORRELATED_FEATURES = 2_000
_FIRST_WORD = re.compile(r"^\s*([^\W\d_]+|\d+)", re.UNICODE)


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups over the encoded features, with a name each."""

    groups: Groups
    names: tuple[str, ...]

    @property
    def n_groups(self) -> int:
        return self.groups.n_groups


@dataclass(frozen=True, eq=False)
class Groupings:
    """Whose groups are which: `own` those of the spec, `random` those of E-SVM(R) beside them.

    Where groups come from the rows (`correlation`), a fold has those of its training rows,
    `in_folds`: made once for all contenders, and never from rows that are held out.
    """

    own: Grouping
    random: Grouping
    in_folds: tuple[Grouping, ...] = ()

    def of(self, key: str, fold: int | None = None) -> Grouping:
        """The groups in which a contender competes in a fold, or on all rows."""
        if key == "esvm_r":
            return self.random
        return self.in_folds[fold] if self.in_folds and fold is not None else self.own


def group_features(
    prepared: Prepared, spec: TableSpec, rows: np.ndarray | slice = slice(None)
) -> Grouping:
    """The grouping that a spec asks for; correlations are those of `rows`, and see no label."""
    if spec.grouping == "random":
        return _random(prepared, spec)
    if spec.grouping == "prefix":
        return _by_first_word(prepared)
    if spec.grouping == "correlation":
        return _by_correlation(prepared, spec, rows)
    if spec.grouping == "source":
        names = tuple(column.name for column in prepared.columns)
        return Grouping(Groups.from_labels(prepared.sources), names)
    return _from_lists(prepared, spec)


COVARIATES = "(covariates)"


def apart(grouped: Grouping, held: np.ndarray) -> Grouping:
    """The same groups without some features, which have one of their own: they do not compete."""
    if not held.any():
        return grouped
    left = [
        (name, [int(j) for j in members if not held[j]])
        for name, members in zip(grouped.names, grouped.groups.lists(), strict=True)
    ]
    left = [(name, members) for name, members in left if members]
    left.append((COVARIATES, np.flatnonzero(held).tolist()))
    names, lists = zip(*left, strict=True)
    return Grouping(Groups.from_lists(lists, held.size), names)


def recommended_n_groups(prepared: Prepared) -> int:
    """The largest m at which random groups share the true features evenly (exact law)."""
    return _recommended(prepared.n_features, prepared.n_samples)


@lru_cache(maxsize=256)
def _recommended(n_features: int, n_samples: int) -> int:
    return default_n_groups(n_features, n_samples)


def guessed_true_features(prepared: Prepared) -> int:
    """How many features are taken to be true where nobody knows: as `default_n_groups` does."""
    return min((prepared.n_features + 1) // 2, max(1, prepared.n_samples))


@dataclass(frozen=True)
class Balance:
    """How evenly a grouping splits the features, and the chance that random groups of this number
    share the guessed true features within a ratio of 3."""

    n_groups: int
    smallest: int
    largest: int
    overlapping: bool
    n_true: int
    probability: float | None

    def sentence(self) -> str:
        sizes = f"{self.smallest} to {self.largest} features"
        if self.smallest == self.largest:
            sizes = counted(self.smallest, "feature") + (" each" if self.n_groups > 1 else "")
        kind = "overlapping groups" if self.overlapping else "groups"
        text = f"{self.n_groups} {kind if self.n_groups != 1 else kind[:-1]} of {sizes}."
        if self.probability is not None and self.n_groups > 1:
            text += (
                f" If {self.n_true} of the features are true, these random groups share them "
                f"within a ratio of 3 with probability {percent(self.probability)}."
            )
        return text


def balance(prepared: Prepared, spec: TableSpec, grouped: Grouping) -> Balance:
    sizes = grouped.groups.sizes
    n_true, probability = guessed_true_features(prepared), None
    if spec.grouping == "random":
        probability = (
            grouping.balance_probability(prepared.n_features, n_true, grouped.n_groups, 0.5)
            if grouped.n_groups <= n_true
            else 0.0
        )
    return Balance(
        grouped.n_groups,
        int(sizes.min()),
        int(sizes.max()),
        grouped.groups.overlapping,
        n_true,
        probability,
    )


def lists_from_pairs(features: Iterable, groups: Iterable) -> NamedLists:
    """Named groups from two columns, feature and group; a feature may stand in several groups."""
    lists: dict[str, dict[str, None]] = {}
    for feature, group in zip(features, groups, strict=True):
        lists.setdefault(category_text(group), {})[category_text(feature)] = None
    return tuple((name, tuple(members)) for name, members in lists.items())


# -- the six ways ----------------------------------------------------------------------------


def _random(prepared: Prepared, spec: TableSpec) -> Grouping:
    n_groups = recommended_n_groups(prepared) if spec.n_groups is None else spec.n_groups
    if n_groups > prepared.n_features:
        raise SetupError(
            f"{n_groups} groups cannot each hold one of {prepared.n_features} features; use at "
            f"most {prepared.n_features} groups."
        )
    groups = Groups.random(prepared.n_features, n_groups, spec.seed)
    return Grouping(groups, tuple(f"group {g + 1}" for g in range(n_groups)))


def _by_first_word(prepared: Prepared) -> Grouping:
    words = [_first_word(column.name) for column in prepared.columns]
    shared = {word for word, count in Counter(words).items() if count > 1}
    by_column = np.array([word if word in shared else OTHERS for word in words], dtype=object)
    return _labelled(by_column[prepared.sources])


def _first_word(name: str) -> str:
    found = _FIRST_WORD.match(name)
    word = found.group(1) if found else name.strip()[:1]
    return _with_number(name, word)


def _with_number(name: str, word: str) -> str:
    """ "group12_x3" begins with "group12", but "x12" is a numbered "x"."""
    end = name.find(word) + len(word)
    digits = re.match(r"\d+(?=[\W_])", name[end:])
    return word + digits.group(0) if digits else word


def _by_correlation(prepared: Prepared, spec: TableSpec, rows) -> Grouping:
    n_features = prepared.n_features
    if n_features > MOST_CORRELATED_FEATURES:
        raise SetupError(
            f"clusters of {n_features:,} features need every pair's correlation, and the limit is "
            f"{MOST_CORRELATED_FEATURES:,} features; group them in another way."
        )
    n_groups = recommended_n_groups(prepared) if spec.n_groups is None else spec.n_groups
    if n_groups > n_features:
        raise SetupError(
            f"{n_groups} clusters cannot each hold one of {n_features} features; use at most "
            f"{n_features}."
        )
    labels = _clusters(encoded(prepared, rows), n_groups)
    return _numbered(labels, "cluster")


def _clusters(X: np.ndarray, n_groups: int) -> np.ndarray:
    """Average linkage on 1 − |correlation|; a constant feature correlates with nothing."""
    with one_at_a_time:
        from scipy.cluster.hierarchy import fcluster, linkage
        from scipy.spatial.distance import squareform

    if X.shape[1] == 1:
        return np.zeros(1, dtype=int)
    centred = X - X.mean(axis=0)
    lengths = np.sqrt((centred * centred).sum(axis=0))
    unit = centred / np.where(lengths > 0.0, lengths, 1.0)
    distance = 1.0 - np.abs(np.clip(unit.T @ unit, -1.0, 1.0))
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average")
    return fcluster(tree, n_groups, "maxclust")


def _from_lists(prepared: Prepared, spec: TableSpec) -> Grouping:
    lists, by_file = spec.group_lists, spec.grouping == "file"
    if not lists and by_file:
        raise SetupError(
            "there is no group file yet; upload one with a column of features and a column of "
            "groups, or group in another way."
        )
    if not lists:
        raise SetupError(
            "the table has no second row of names; write the group of each column below or above "
            "its name and upload it again, or group in another way."
        )
    positions: dict[str, list[int]] = {column.name: [] for column in prepared.columns}
    for j, source in enumerate(prepared.sources.tolist()):
        positions[prepared.columns[source].name].append(j)
    for j, name in enumerate(prepared.feature_names):
        positions.setdefault(name, [j])
    named, members, covered = [], [], set()
    for name, features in lists:
        group = sorted({j for feature in features for j in positions.get(feature, ())})
        if group:
            named.append(name)
            members.append(group)
            covered.update(group)
    if not members:
        raise SetupError(
            "the group file names none of the features; its first column must hold column names of "
            f"the table, such as {prepared.columns[0].name!r}."
            if by_file
            else "the second row of names has no group for any of the features in use; use a "
            "column that has one, or group in another way."
        )
    # A feature in no set competes with nobody.
    for j in sorted(set(range(prepared.n_features)) - covered):
        named.append(prepared.feature_names[j])
        members.append([j])
    return Grouping(Groups.from_lists(members, prepared.n_features), tuple(named))


def _labelled(labels: np.ndarray) -> Grouping:
    """Disjoint groups by text labels, in the order of their first feature."""
    names = tuple(dict.fromkeys(labels.tolist()))
    places = {name: place for place, name in enumerate(names)}
    return Grouping(Groups.from_labels([places[label] for label in labels.tolist()]), names)


def _numbered(labels: np.ndarray, word: str) -> Grouping:
    groups = Groups.from_labels(labels)
    return Grouping(groups, tuple(f"{word} {g + 1}" for g in range(groups.n_groups)))
