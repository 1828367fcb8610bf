"""A second row of names tells the groups of the columns, below their names or above them."""

import pytest

from lab.tables import ReadOptions, read_table

ROWS = ["1,2.5,3,up", "4,5.5,6,down", "7,8.5,9,up", "1,2.5,4,down"]
GROUPS = (("heart", ("a", "b")), ("lung", ("c",)))


def read(*lines: str, name: str = "t.csv", **options):
    return read_table("\n".join(lines).encode(), name, ReadOptions(**options))


@pytest.mark.parametrize(
    "top",
    [
        ("a,b,c,kind", "heart,heart,lung,"),
        ("heart,heart,lung,", "a,b,c,kind"),
        ("heart,,lung,", "a,b,c,kind"),  # merged cells
    ],
)
def test_names_and_groups_are_told_apart(top):
    table = read(*top, *ROWS)
    assert table.names == ("a", "b", "c", "kind") and table.n_rows == 4
    assert table.frame["b"].dtype == float and table.options.label == "kind"
    groups = {name: set(members) - {"kind"} for name, members in table.groups}
    assert groups == {name: set(members) for name, members in GROUPS}
    assert any("two rows of names" in note for note in table.notes)
    again = read(*top, *ROWS, **vars(table.options))
    assert again.frame.equals(table.frame) and again.groups == table.groups


@pytest.mark.parametrize(
    "lines",
    [
        ("a,b,c,kind", *ROWS),  # one row of names
        ("a,b,c,kind", "NA,NA,NA,up", *ROWS),  # a row of gaps
        ("a,b,c,kind", "x,y,z,", *ROWS),  # all different: no groups
        ("a,b,c,kind", "heart,2,lung,", *ROWS),  # a number is no name
        ("a,b,kind", "heart,heart,", *(row.split(",", 1)[1] for row in ROWS)),  # too few columns
    ],
)
def test_a_row_like_those_below_is_no_second_header(lines):
    table = read(*lines)
    assert table.groups == () and table.n_rows == len(lines) - 1


def test_the_label_of_a_table_on_its_side_is_no_group():
    lines = ("gene,s1,s2,s3", "class,up,up,down", "G1,1,2,3", "G2,4,5,6", "G3,7,8,9")
    assert read(*lines).groups == ()
    turned = read(*lines, transposed=True)
    assert turned.groups == () and set(turned.frame["class"]) == {"up", "down"}


def test_a_column_of_groups_is_a_second_header_after_the_turn():
    lines = ("gene,pathway,s1,s2", "G1,heart,1,2", "G2,heart,4,5", "G3,lung,7,8")
    table = read(*lines, transposed=True)
    assert dict(table.groups) == {"heart": ("G1", "G2"), "lung": ("G3",)}
    assert table.n_rows == 2 and table.frame["G2"].tolist() == [4, 5]


def test_whoever_says_that_there_is_no_header_has_none():
    assert read("a,b,c,kind", "heart,heart,lung,", *ROWS, header=False).groups == ()
