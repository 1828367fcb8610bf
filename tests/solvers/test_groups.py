"""Groups: every constructor, every complaint, and sums over groups against the incidence matrix."""

from __future__ import annotations

import copy
import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Groups

PROPERTY = settings(derandomize=True, deadline=None, max_examples=100)


@st.composite
def covers(draw):
    """(lists, n): groups that cover n features, overlapping or not, in any order."""
    n = draw(st.integers(1, 12))
    m = draw(st.integers(1, 5))
    overlapping = draw(st.booleans())
    owners = st.sets(st.integers(0, m - 1), min_size=1, max_size=m if overlapping else 1)
    chosen = [draw(owners) for _ in range(n)]
    lists = [[i for i in range(n) if g in chosen[i]] for g in range(m)]
    return [members for members in lists if members], n


def dense_incidence(lists, n):
    A = np.zeros((len(lists), n))
    for g, members in enumerate(lists):
        for i in members:
            A[g, i] = 1.0
    return A


EXAMPLES = {
    "contiguous": ([[0, 1, 2], [3], [4, 5]], 6),
    "permuted": ([[5, 0], [3, 1, 2], [4]], 6),
    "overlapping": ([[0, 1], [1, 2, 3], [3, 0]], 4),
    "nested": ([[0, 1, 2], [1]], 3),
    "one group": ([[0, 1, 2]], 3),
    "singletons": ([[2], [0], [1]], 3),
    "one feature": ([[0]], 1),
}


# -- construction ----------------------------------------------------------------------------


def test_from_labels_follows_the_sorted_labels():
    groups = Groups.from_labels(["b", "a", "b", "c"])
    assert groups.lists() == [[1], [0, 2], [3]]
    assert groups.n_features == 4
    assert groups.n_groups == len(groups) == 3
    assert groups.sizes.tolist() == [1, 2, 1]
    assert groups.labels.tolist() == [1, 0, 1, 2]
    assert not groups.overlapping


@pytest.mark.parametrize(
    "labels",
    [
        [0, 0, 1, 2],
        (0, 0, 1, 2),
        np.array([0, 0, 1, 2], dtype=np.uint8),
        np.array([-5.5, -5.5, 0.0, 7.0]),
        np.array(["x", "x", "y", "z"], dtype=object),
        pd.Series(["x", "x", "y", "z"]),
        pd.Series(["x", "x", "y", "z"], dtype="category"),
        pd.Series([1, 1, 2, 3], dtype="Int64"),
        [False, False, True, True],
    ],
)
def test_from_labels_takes_any_sequence_of_labels(labels):
    groups = Groups.from_labels(labels)
    expected = [[0, 1], [2, 3]] if labels[0] is False else [[0, 1], [2], [3]]
    assert groups.lists() == expected


@pytest.mark.parametrize(("lists", "n"), EXAMPLES.values(), ids=EXAMPLES)
def test_from_lists_keeps_the_groups_in_order_with_members_ascending(lists, n):
    groups = Groups.from_lists(lists, n)
    assert groups.lists() == [sorted(members) for members in lists]
    assert groups.sizes.tolist() == [len(members) for members in lists]
    assert groups.overlapping == (sum(map(len, lists)) > n)


@pytest.mark.parametrize(
    "lists",
    [
        [{0, 1}, {2}],
        ((0, 1), (2,)),
        [np.array([1, 0]), np.array([2], dtype=np.uint16)],
        [range(2), range(2, 3)],
        [(i for i in (0, 1)), (i for i in (2,))],
        ([i, i + 1] if i == 0 else [i] for i in (0, 2)),
        {"first": [0, 1], "second": [2]},
        [pd.Index([0, 1]), pd.Series([2])],
    ],
)
def test_from_lists_takes_any_collections(lists):
    assert Groups.from_lists(lists, 3).lists() == [[0, 1], [2]]


def test_from_lists_with_column_names():
    frame = pd.DataFrame(np.zeros((2, 3)), columns=["age", "height", "weight"])
    expected = Groups.from_lists([[0], [1, 2]], 3)
    named = [["age"], ["weight", "height"]]
    assert Groups.from_lists(named, columns=frame) == expected
    assert Groups.from_lists(named, columns=frame.columns) == expected
    assert Groups.from_lists(named, columns=["age", "height", "weight"]) == expected
    assert Groups.from_lists({"a": ["age"], "b": ["height", "weight"]}, columns=frame) == expected


@pytest.mark.parametrize(("n", "m"), [(1, 1), (7, 1), (7, 7), (7, 3), (10, 4), (1000, 37)])
def test_contiguous_blocks_differ_by_at_most_one(n, m):
    groups = Groups.contiguous(n, m)
    assert groups.n_groups == m
    assert list(itertools.chain.from_iterable(groups.lists())) == list(range(n))
    assert groups.sizes.max() - groups.sizes.min() <= 1
    assert groups.is_contiguous
    assert groups.equal_sizes == (n % m == 0)


@PROPERTY
@given(n=st.integers(1, 60), data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_random_groups_are_a_partition_into_even_sizes(n, data, seed):
    m = data.draw(st.integers(1, n))
    groups = Groups.random(n, m, random_state=seed)
    assert groups.n_groups == m
    assert groups.sizes.max() - groups.sizes.min() <= 1
    assert sorted(itertools.chain.from_iterable(groups.lists())) == list(range(n))
    assert groups == Groups.random(n, m, random_state=seed)


@pytest.mark.parametrize(
    ("n", "m", "splits", "critical"),
    # Labelled splits of n features into groups of even sizes, and the 99.9 % point of chi-square.
    [(4, 2, 6, 20.52), (5, 2, 20, 43.82), (4, 3, 36, 66.62), (3, 3, 6, 20.52)],
)
def test_random_groups_are_uniform_over_all_even_splits(n, m, splits, critical):
    rng = np.random.default_rng(20)
    draws = 100 * splits
    counts: dict[tuple, int] = {}
    for _ in range(draws):
        labels = tuple(Groups.random(n, m, random_state=rng).labels.tolist())
        counts[labels] = counts.get(labels, 0) + 1
    assert len(counts) == splits
    expected = draws / splits
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < critical


@pytest.mark.parametrize(
    "groups",
    [
        Groups.random(5000, 3, random_state=0),
        Groups.from_labels(np.random.default_rng(0).integers(0, 3, 5000)),
    ],
    ids=["random", "labels"],
)
def test_members_ascend_in_large_groups_too(groups):
    assert all(members == sorted(members) for members in groups.lists())


def test_random_groups_differ_between_seeds():
    drawn = {Groups.random(40, 4, random_state=seed) for seed in range(20)}
    assert len(drawn) == 20


# -- resolve ---------------------------------------------------------------------------------


FRAME = pd.DataFrame(np.zeros((2, 4)), columns=["a", "b", "c", "d"])
PAIRS = Groups.from_lists([[0, 1], [2, 3]], 4)


@pytest.mark.parametrize(
    ("spec", "columns"),
    [
        (PAIRS, None),
        ([0, 0, 1, 1], None),
        ([[0, 1], [2, 3]], None),
        (((0, 1), (2, 3)), None),
        ({"first": [0, 1], "second": [2, 3]}, None),
        (pd.Series([7, 7, 8, 8]), None),
        ([["a", "b"], ["c", "d"]], FRAME.columns),
        ([[0, 1], [2, 3]], FRAME.columns),
        (["left", "left", "right", "right"], FRAME.columns),
        ({"a": 1, "b": 1, "c": 2, "d": 2}, FRAME.columns),
        ({"d": "y", "a": "x", "c": "y", "b": "x"}, FRAME.columns),
        (pd.Series({"d": 2, "c": 2, "b": 1, "a": 1}), FRAME.columns),
        ({"first": ["a", "b"], "second": ["c", "d"]}, FRAME.columns),
        ([(name for name in "ab"), (name for name in "cd")], FRAME.columns),
        ([(i for i in (0, 1)), (i for i in (2, 3))], None),
        (([i, i + 1] for i in (0, 2)), None),
    ],
)
def test_resolve_accepts_every_kind_of_specification(spec, columns):
    assert Groups.resolve(spec, 4, columns=columns) == PAIRS


@pytest.mark.parametrize("count", [3, np.int64(3)])
def test_resolve_draws_random_groups_for_a_count(count):
    assert Groups.resolve(count, 10, random_state=5) == Groups.random(10, 3, random_state=5)


@pytest.mark.parametrize(
    ("spec", "columns", "message"),
    [
        (Groups.contiguous(3, 2), None, "over 3 features.*4 columns"),
        ([0, 1, 2], None, "over 3 features.*4 columns"),
        (5, None, "5 groups.*4 features"),
        (0, None, "n_groups must be at least 1, got 0"),
        ([["a", "b"], ["c", "d"]], None, "no column names"),
        ({"a": 1, "b": 1}, None, "column names"),
        ({"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}, FRAME.columns, "'e'"),
        ({"a": 1, "b": 1, "c": 2}, FRAME.columns, "'d' is in no group"),
        ([["a", "b"], ["c", "z"]], FRAME.columns, "group 1 names 'z'"),
        ([["a", "b"], ["c"]], FRAME.columns, "'d'.*no group"),
        ([["a", "b"], ["c", "d", "c"]], FRAME.columns, "group 1 .*more than once"),
        ([[0, 1], [2, 4]], None, "group 1 holds index 4"),
        (True, None, "labels|groups"),
        (None, None, "labels|groups"),
        (3.5, None, "labels|groups"),
        ([], None, "labels|groups"),
        ({}, FRAME.columns, "no group|at least one"),
    ],
)
def test_resolve_names_the_culprit(spec, columns, message):
    with pytest.raises(ValueError, match=message):
        Groups.resolve(spec, 4, columns=columns)


# -- complaints ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lists", "n", "message"),
    [
        ([[0, 1], [2, 7]], 4, r"group 1 holds index 7.*0 … 3"),
        ([[0, -1], [2, 3]], 4, "group 0 holds index -1"),
        ([[0, 1], [], [2, 3]], 4, "group 1 is empty"),
        ([[0, 1], [2, 3, 2]], 4, "group 1 holds feature 2 more than once"),
        ([[0, 1], [3]], 4, "feature 2 is in no group"),
        ([[0], [1]], 5, r"feature 2 \(and 2 more\) is in no group"),
        ([], 4, "at least one group"),
        ([[0, 1], 2], 4, "group 1 must be a list of features, got 2"),
        ([[0, 1], "23"], 4, "group 1 must be a list of features, got '23'"),
        ([[0, 1.5]], 2, r"group 0 holds 1\.5"),
        ([[0, 1], [2, "c"]], 4, "group 1 holds 'c'"),
        ([[0, None]], 1, "group 0 holds None"),
        ([[0, float("nan")]], 1, "group 0 holds nan"),
        ([[True, False]], 2, "group 0 holds True"),
        ([[[0], [1]]], 2, r"group 0 holds \[0\]"),
        ([[[0, 1], [1]]], 2, r"group 0 holds \[0, 1\]"),
        ([[0, 2**70]], 1, r"group 0 holds .*1180591620717411303424"),
        ([[0]], None, "n_features is needed"),
        ([[0]], 0, "n_features must be at least 1, got 0"),
        ([[0]], 1.5, r"n_features must be a whole number, got 1\.5"),
        (None, 3, "groups"),
        (5, 3, "groups"),
    ],
)
def test_from_lists_names_the_culprit(lists, n, message):
    with pytest.raises(ValueError, match=message):
        Groups.from_lists(lists, n)


def test_from_lists_names_missing_and_repeated_columns():
    with pytest.raises(ValueError, match="group 0 names 'z', which is not a column"):
        Groups.from_lists([["a", "z"]], columns=["a", "b"])
    with pytest.raises(ValueError, match="feature 'b' is in no group"):
        Groups.from_lists([["a"]], columns=["a", "b"])
    with pytest.raises(ValueError, match="column name 'a' is repeated"):
        Groups.from_lists([["a"], ["b"]], columns=["a", "b", "a"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "labels must be a non-empty list.*one label per feature"),
        ([[0, 1], [1, 0]], r"got shape \(2, 2\)"),
        (3, r"got shape \(\)"),
        ([0.0, np.nan, 1.0], "feature 1 has no label"),
        (["a", "b", None], "feature 2 has no label"),
        (pd.Series([1, 1, pd.NA], dtype="Int64"), "feature 2 has no label"),
        (pd.Series(["a", None, "b"]), "feature 1 has no label"),
        (pd.to_datetime(["2020-01-01", None]), "feature 1 has no label"),
        (np.array([0, "a", 1.5], dtype=object), "label"),
    ],
)
def test_from_labels_names_the_culprit(labels, message):
    with pytest.raises(ValueError, match=message):
        Groups.from_labels(labels)


@pytest.mark.parametrize("build", [Groups.contiguous, Groups.random])
@pytest.mark.parametrize(
    ("n", "m", "message"),
    [
        (4, 5, "5 groups.*4 features"),
        (4, 0, "n_groups must be at least 1, got 0"),
        (4, -2, "n_groups must be at least 1, got -2"),
        (0, 1, "n_features must be at least 1, got 0"),
        (4.5, 2, r"n_features must be a whole number, got 4\.5"),
        (4, 2.5, r"n_groups must be a whole number, got 2\.5"),
        (4, True, "n_groups must be a whole number, got True"),
        (4, None, "n_groups must be a whole number, got None"),
        (4, "two", "n_groups must be a whole number, got 'two'"),
        (4, [2], r"n_groups must be a whole number, got \[2\]"),
        (math.inf, 2, "n_features must be a whole number, got inf"),
        (math.nan, 2, "n_features must be a whole number, got nan"),
        (4j, 2, "n_features must be a whole number, got 4j"),
    ],
)
def test_counts_are_checked(build, n, m, message):
    with pytest.raises(ValueError, match=message):
        build(n, m)


def test_whole_floats_are_whole_numbers():
    assert Groups.contiguous(4.0, np.float64(2.0)) == Groups.contiguous(4, 2)


# -- frozen values ---------------------------------------------------------------------------


ARRAYS = ("indices", "indptr", "sizes", "overlap_counts", "member_groups", "labels")


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only(name):
    array = getattr(Groups.random(6, 3, random_state=0), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize(
    "name",
    [
        *("_indices", "_indptr", "_n_features", "n_features", "n_groups", "overlapping"),
        *(*ARRAYS, "incidence", "size_classes", "is_contiguous", "equal_sizes"),
    ],
)
@pytest.mark.parametrize("computed", [False, True], ids=["fresh", "computed"])
def test_attributes_cannot_be_set(name, computed):
    groups = Groups.random(6, 3, random_state=0)
    if computed:
        getattr(groups, name)
    with pytest.raises(AttributeError):
        setattr(groups, name, 5)
    # The refusal must not have left anything behind.
    assert groups == Groups.random(6, 3, random_state=0)
    assert groups.sizes.tolist() == [2, 2, 2]


def test_derived_matrices_cannot_be_changed():
    groups = Groups.random(6, 3, random_state=0)
    with pytest.raises(ValueError, match="read-only"):
        groups.incidence.data[0] = 7.0
    for triple in groups.size_classes:
        for array in triple:
            assert not array.flags.writeable


def test_the_arrays_given_are_copied():
    lists = [np.array([0, 1]), np.array([2])]
    groups = Groups.from_lists(lists, 3)
    lists[0][0] = 2
    assert groups.lists() == [[0, 1], [2]]


@pytest.mark.parametrize(
    "duplicate",
    [lambda g: pickle.loads(pickle.dumps(g)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
@pytest.mark.parametrize("computed", [False, True], ids=["fresh", "computed"])
def test_duplicates_are_equal_and_as_frozen(duplicate, computed):
    groups = Groups.random(6, 3, random_state=0)
    if computed:
        for name in ARRAYS:
            getattr(groups, name)
    twin = duplicate(groups)
    assert twin == groups
    assert hash(twin) == hash(groups)
    for name in ARRAYS:
        assert not getattr(twin, name).flags.writeable, name
    with pytest.raises(AttributeError):
        twin._indices = np.arange(6)


def test_equality_and_hash():
    groups = Groups.from_lists([[0, 1], [2]], 3)
    assert groups == Groups.from_labels(["p", "p", "q"])
    assert groups == Groups.from_lists([[1, 0], [2]], 3)
    assert hash(groups) == hash(Groups.from_labels(["p", "p", "q"]))
    different = [
        Groups.from_lists([[2], [0, 1]], 3),
        Groups.from_lists([[0, 1], [2, 1]], 3),
        Groups.contiguous(3, 3),
        Groups.contiguous(4, 2),
    ]
    assert all(groups != other for other in different)
    assert groups != "groups"
    assert groups != [[0, 1], [2]]


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        (Groups.contiguous(6, 3), "3 disjoint groups of size 2 over 6 features"),
        (Groups.contiguous(7, 3), "3 disjoint groups of sizes 2 to 3 over 7 features"),
        (Groups.from_lists([[0, 1], [1, 2]], 3), "2 overlapping groups of size 2 over 3"),
    ],
)
def test_repr_says_what_it_is(groups, text):
    assert text in repr(groups)


# -- sums over groups ------------------------------------------------------------------------


def check_against_incidence(lists, n, values, group_values):
    groups = Groups.from_lists(lists, n)
    lists = groups.lists()
    A = dense_incidence(lists, n)
    np.testing.assert_array_equal(groups.incidence.toarray(), A)
    np.testing.assert_array_equal(groups.overlap_counts, A.sum(axis=0))
    np.testing.assert_array_equal(groups.sizes, A.sum(axis=1))

    flat = [i for members in lists for i in members]
    owner = [g for g, members in enumerate(lists) for _ in members]
    np.testing.assert_array_equal(groups.indices, flat)
    np.testing.assert_array_equal(groups.member_groups, owner)
    np.testing.assert_array_equal(groups.gather(values), [values[i] for i in flat])

    np.testing.assert_allclose(groups.sum(values), A @ values, rtol=1e-14, atol=1e-12)
    largest = [max(values[i] for i in members) for members in lists]
    np.testing.assert_array_equal(groups.max(values), largest)
    np.testing.assert_allclose(groups.spread(group_values), A.T @ group_values, atol=1e-12)

    members = np.linspace(-1.0, 2.0, len(flat))
    scattered = np.zeros(n)
    for i, value in zip(flat, members, strict=True):
        scattered[i] += value
    np.testing.assert_allclose(groups.scatter(members), scattered, atol=1e-14)
    # The adjoint: ⟨gather(x), z⟩ = ⟨x, scatter(z)⟩.
    adjoint = values @ groups.scatter(members)
    assert groups.gather(values) @ members == pytest.approx(adjoint, rel=1e-12, abs=1e-12)

    assert groups.is_contiguous == (flat == list(range(n)))
    assert groups.equal_sizes == (len(set(map(len, lists))) == 1)
    if groups.overlapping:
        with pytest.raises(ValueError, match="overlapping groups have no single label"):
            _ = groups.labels
    else:
        assert all(i in lists[label] for i, label in enumerate(groups.labels))


@pytest.mark.parametrize(("lists", "n"), EXAMPLES.values(), ids=EXAMPLES)
def test_sums_on_examples(lists, n):
    check_against_incidence(lists, n, np.linspace(-2.0, 3.0, n), np.linspace(1.0, 2.0, len(lists)))


@PROPERTY
@given(cover=covers(), data=st.data())
def test_sums_on_random_covers(cover, data):
    lists, n = cover
    number = st.floats(-100.0, 100.0)
    values = np.array(data.draw(st.lists(number, min_size=n, max_size=n)))
    m = len(lists)
    group_values = np.array(data.draw(st.lists(number, min_size=m, max_size=m)))
    check_against_incidence(lists, n, values, group_values)


@PROPERTY
@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_size_classes_hold_every_group_once_with_little_padding(sizes):
    n = sum(sizes)
    groups = Groups.from_labels(np.repeat(np.arange(len(sizes)), sizes))
    seen, entries = [], 0
    for members, positions, padding in groups.size_classes:
        entries += positions.size
        for row, group in enumerate(members):
            seen.append(group)
            real = positions[row][~padding[row]]
            assert real.tolist() == list(range(groups.indptr[group], groups.indptr[group + 1]))
    assert sorted(seen) == list(range(len(sizes)))
    assert entries <= 2 * n
    assert len(groups.size_classes) <= 1 + math.log2(max(sizes)) + 1
