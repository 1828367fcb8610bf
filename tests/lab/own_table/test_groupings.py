"""Five ways to group features."""

import numpy as np
import pandas as pd
import pytest

from lab.own_table import group_files, groupings
from lab.own_table.samples import SAMPLES
from lab.own_table.setup import SetupError, prepare
from lab.own_table.spec import TableSpec
from lab.tables import TableError
from solvers import Groups, grouping
from solvers.scales import default_n_groups
from tests.lab.own_table.tables import mixed_table, spec_of, table_of

TABLE = mixed_table()
PREPARED = prepare(TABLE, spec_of(TABLE))


def grouped(**changes) -> groupings.Grouping:
    return groupings.group_features(PREPARED, spec_of(TABLE, **changes))


def test_random_groups_are_those_of_the_seed_in_the_recommended_number():
    got = grouped(seed=3)
    assert got.groups == Groups.random(10, default_n_groups(10, 60), 3)
    assert grouped(n_groups=4).n_groups == 4
    with pytest.raises(SetupError, match="11 groups cannot each hold one of 10 features; use at"):
        grouped(n_groups=11)


def test_names_that_begin_alike_form_a_group():
    got = grouped(grouping="prefix")
    assert got.names == ("a", "b", "(the others)")
    assert got.groups.lists() == [[0, 1], [2, 3], [4, 5, 6, 7, 8, 9]]


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["mean radius", "mean area", "worst radius", "worst area"], ["mean", "worst"]),
        (["gene.1", "gene.2", "age"], ["gene", "(the others)"]),
        (["group1_x1", "group1_x2", "group2_x1", "group2_x2"], ["group1", "group2"]),
        (["x1", "x2", "x10"], ["x"]),
        (["__", "<b>", "??"], ["(the others)"]),
    ],
)
def test_first_words(names, groups):
    frame = pd.DataFrame(np.eye(6)[:, : len(names)], columns=names).assign(y=["a", "b"] * 3)
    spec = TableSpec("y", tuple(names), grouping="prefix")
    assert list(groupings.group_features(prepare(table_of(frame, "y"), spec), spec).names) == groups


def test_the_known_groups_of_the_synthetic_sample_are_found_by_name():
    sample = SAMPLES["synthetic"]
    table = sample.table()
    spec = spec_of(table, grouping="prefix")
    got = groupings.group_features(prepare(table, spec), spec)
    assert got.groups == Groups.contiguous(60, 6)


def test_correlated_copies_end_in_one_cluster():
    rng = np.random.default_rng(0)
    base = rng.standard_normal((50, 3))
    X = np.repeat(base, 4, axis=1) * rng.choice([-1.0, 2.0], 12) + 0.05 * rng.standard_normal(
        (50, 12)
    )
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(12)]).assign(y=["a", "b"] * 25)
    spec = TableSpec("y", tuple(frame.columns[:-1]), grouping="correlation", n_groups=3)
    got = groupings.group_features(prepare(table_of(frame, "y"), spec), spec)
    assert sorted(map(tuple, got.groups.lists())) == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]


def test_a_constant_column_does_not_break_the_clusters():
    frame = pd.DataFrame({"a": [1.0] * 6, "b": np.arange(6.0), "y": ["a", "b"] * 3})
    spec = TableSpec("y", ("a", "b"), grouping="correlation", n_groups=2)
    got = groupings.group_features(prepare(table_of(frame, "y"), spec), spec)
    assert got.n_groups == 2


def test_indicators_of_one_column_form_a_group():
    got = grouped(grouping="source")
    assert got.groups.lists() == [[0], [1], [2], [3], [4, 5, 6], [7, 8, 9]]


def test_groups_from_a_file_may_overlap_and_name_columns_or_categories():
    lists = groupings.lists_from_pairs(
        ["a_one", "colour", "a_one", "colour = red", "nobody"], ["g", "g", "h", "h", "h"]
    )
    got = grouped(grouping="file", group_lists=lists)
    alone = ("a_two", "b_one", "b_two", "shape = long", "shape = round", "shape = (missing)")
    assert got.names == ("g", "h", *alone)
    assert got.groups.lists() == [[0, 4, 5, 6], [0, 6], *([j] for j in (1, 2, 3, 7, 8, 9))]
    assert got.groups.overlapping
    by_header = grouped(grouping="header", group_lists=lists)
    assert by_header.names == got.names and by_header.groups.lists() == got.groups.lists()
    with pytest.raises(SetupError, match="there is no group file yet"):
        grouped(grouping="file")
    with pytest.raises(SetupError, match="the table has no second row of names"):
        grouped(grouping="header")
    with pytest.raises(SetupError, match="no group for any of the features"):
        grouped(grouping="header", group_lists=(("g", ("nobody",)),))
    with pytest.raises(SetupError, match=r"names none of the features; .* such as 'a_one'"):
        grouped(grouping="file", group_lists=(("g", ("nobody",)),))


def test_balance_of_random_groups_is_the_exact_law():
    spec = spec_of(TABLE, n_groups=2)
    got = groupings.balance(PREPARED, spec, groupings.group_features(PREPARED, spec))
    assert (got.smallest, got.largest, got.n_true) == (5, 5, 5)
    assert got.probability == grouping.balance_probability(10, 5, 2, 0.5)
    assert got.sentence().startswith("2 groups of 5 features each. If 5 of the features are true")
    by_source = spec_of(TABLE, grouping="source")
    got = groupings.balance(PREPARED, by_source, groupings.group_features(PREPARED, by_source))
    assert got.sentence() == "6 groups of 1 to 3 features."


def test_a_group_file_has_its_columns_in_either_order_or_is_a_gmt():
    features = ("tp53", "brca1", "myc", "kras")
    right = b"feature,group\ntp53,repair\nbrca1,repair\nmyc,growth\n"
    left = b"group,feature\nrepair,tp53\nrepair,brca1\ngrowth,myc\n"
    sets = b"repair\thttp://x\ttp53\tbrca1\ngrowth\t\tmyc\tnobody\tkras\n"
    expected = (("repair", ("tp53", "brca1")), ("growth", ("myc",)))
    assert group_files.read_groups(right, "g.csv", features) == expected
    assert group_files.read_groups(left, "g.csv", features) == expected
    got = group_files.read_groups(sets, "sets.gmt", features)
    assert got == (("repair", ("tp53", "brca1")), ("growth", ("myc", "nobody", "kras")))
    assert group_files.strangers(got, features) == ("nobody",)
    assert group_files.read_groups(sets, "sets.txt", features) == got
    with pytest.raises(TableError, match="two columns"):
        group_files.read_groups(b"only\none\ntwo\n", "g.csv", features)
