"""What columns are, which label is guessed, and what keeps a label from being learned."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from lab.tables import (
    KINDS,
    ReadOptions,
    SparseColumns,
    Table,
    column_report,
    features_problem,
    guess_label,
    label_problem,
    read_table,
)

from . import files

N = 40
RANDOM = np.random.default_rng(0)
Y = np.array([0, 1] * (N // 2))


def table_of(**columns) -> Table:
    return Table(pd.DataFrame(columns), ReadOptions(), (), "")


def text(values) -> pd.Series:
    return pd.Series(values, dtype="str")


@pytest.mark.parametrize(
    ("values", "kind", "use"),
    [
        (RANDOM.standard_normal(N), "numeric", True),
        (RANDOM.integers(0, 50, N), "numeric", True),
        (np.r_[np.inf, RANDOM.standard_normal(N - 1)], "numeric", False),
        (RANDOM.integers(0, 2, N), "binary", True),
        (RANDOM.random(N) < 0.5, "binary", True),
        (text(RANDOM.choice(["yes", "no"], N)), "binary", True),
        (text(RANDOM.choice([*"abcd"], N)), "categorical", True),
        (np.arange(N) + 100, "id", False),
        (np.cumsum(RANDOM.integers(1, 9, N)), "id", False),
        (text([f"P-{k:03}" for k in range(N)]), "id", False),
        (text([str(10**23 + k) for k in range(N)]), "id", False),
        (text([f"2024-01-{1 + k % 28:02}" for k in range(N)]), "date", False),
        (text([f"{1 + k % 28}.3.2024 10:0{k % 10}" for k in range(N)]), "date", False),
        (text([f"{1 + k % 28} March 2024" for k in range(N)]), "date", False),
        (pd.Series(pd.date_range("2024-01-01", periods=N)), "date", False),
        (
            text([f"a long text about patient {k} and all that happened" for k in range(N)]),
            "text",
            False,
        ),
        (text([f"word{k // 2}" for k in range(N - 1)] + ["x"]), "text", False),
        (text([*map(str, range(N - 1)), "about 7"]), "text", False),
        (np.full(N, 3), "constant", False),
        (text(["x"] * N), "constant", False),
        (np.r_[np.full(N - 1, 2.0), np.nan], "constant", False),
        (np.full(N, np.nan), "empty", False),
        (text([np.nan] * N), "empty", False),
        (Y * 2 - 1, "leaking", False),
        (text(np.where(Y == 1, "sick", "well")), "leaking", False),
        (1 - Y.astype(float), "leaking", False),
    ],
)
def test_kinds(values, kind, use):
    report = column_report(table_of(c=values, y=Y), "y")[0]
    assert (report.name, report.kind, report.use) == ("c", kind, use)
    assert report.kind in KINDS
    assert report.reason[0].isupper() or report.reason[0].isdigit()
    assert report.reason.endswith(".")


def test_infinite_values_are_counted():
    values = np.r_[np.inf, -np.inf, RANDOM.standard_normal(N - 2)]
    report = column_report(table_of(c=values, y=Y), "y")[0]
    assert (report.n_infinite, report.use) == (2, False)
    assert "infinite" in report.reason


def test_ids_by_name_need_not_be_sorted():
    shuffled = RANDOM.permutation(N) * 7
    reports = column_report(table_of(patient_id=shuffled, dose=shuffled, y=Y), "y")
    assert [report.kind for report in reports] == ["id", "numeric"]


def test_dates_written_as_numbers():
    days = 20240100 + 1 + RANDOM.permutation(N) % 28
    assert column_report(table_of(date=days, y=Y), "y")[0].kind == "date"


def test_a_column_with_several_classes_leaks_and_a_coarser_one_does_not():
    y = np.arange(N) % 3
    same, coarse = text([*"abc"] * (N // 3) + ["a"]), (y == 0).astype(int)
    reports = column_report(table_of(same=same, coarse=coarse, code=y * 10 + 5, y=y), "y")
    assert [report.kind for report in reports] == ["leaking", "binary", "leaking"]


def test_text_that_is_almost_numbers_names_what_is_not():
    values = text([*map(str, RANDOM.permutation(N - 1)), "about 7"])
    assert "'about 7'" in column_report(table_of(c=values, y=Y), "y")[0].reason


MANY, FEW = [0.5 * k for k in range(40)], [1, 2, 3, 4, 5] * 8


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        ({"a": [1, 2, 3, 4], "Class": [*"uvuv"], "b": [1, 2, 1, 2]}, "Class"),
        ({"target": [0, 1, 0, 1], "a": [1, 2, 3, 4]}, "target"),
        ({"a": [1, 2, 3, 4], "b": [*"uvuv"]}, "b"),
        ({"kind": [*"uvuv"], "a": [0.1, 0.2, 0.3, 0.4]}, "kind"),
        ({"id": [1, 2, 3, 4], "kind": [*"uvuv"], "a": [0.1, 0.2, 0.3, 0.4]}, "kind"),
        ({"tumour_class": [*"uvuv"], "a": [0, 1, 0, 1]}, "tumour_class"),
        ({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.5, 0.6, 0.7, 0.8]}, "b"),
        ({"y": [0.1, 0.2, 0.3, 0.4], "b": [0.5, 0.6, 0.7, 0.8]}, "y"),
        ({"sex": [*"uv"] * 20, "bmi": [*range(40)], "target": [*range(60, 100)]}, "target"),
        ({"sex": [*"uv"] * 20, "Y": [0.5 * k for k in range(40)]}, "Y"),
        ({"x": [*range(40)], "y": [*range(60, 100)], "kind": [*"uv"] * 20}, "kind"),
        ({"target": [*range(40)], "class": [*"uv"] * 20}, "class"),
        # A target of numbers at the end, behind features of few values.
        ({"rooms": FEW, "heating": [*"uv"] * 20, "m2": MANY, "price": MANY}, "price"),
        ({"city": [*"uv"] * 20, "m2": MANY, "Kalt_Miete": MANY}, "Kalt_Miete"),
        ({"f1": MANY, "recipe": [*"uv"] * 20, "shift": FEW, "kwh": MANY}, "kwh"),
        # Words at the front before genes, also behind names of rows.
        ({"tissue": [*"uv"] * 20, "TP53": MANY, "EGFR": MANY}, "tissue"),
        ({"case": [f"P{k}" for k in range(40)], "arm": [*"uv"] * 20, "EGFR": MANY}, "arm"),
        ({"cultivar": [1, 2, 3, 1] * 10, "ash": MANY, "proline": MANY}, "cultivar"),
        # The last of numbered columns is one more of them.
        ({"age": MANY, "state": [*"uv"] * 20, "g1": MANY, "g2": MANY}, "state"),
        (
            {"gene": [f"P{k}" for k in range(40)], "site": [*"uv"] * 20, "g1": MANY, "g2": FEW},
            "site",
        ),
        ({"f1": [*"uv"] * 20, "f2": MANY, "f3": [*"uv"] * 20}, "f3"),
        ({"f1": FEW, "f2": MANY, "f3": FEW}, "f3"),
        ({"column 1": FEW, "column 2": MANY, "column 3": MANY}, "column 1"),
    ],
)
def test_label_is_guessed(columns, label):
    assert guess_label(table_of(**columns)) == label


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        (Y, None),
        (np.zeros(N), r"one class only \('0.0' in all 40 rows\)"),
        (text(["rare", *"ab" * (N // 2)][:N]), r"Class 'rare' of 'y' has one member only"),
        (
            text(["p", "q", *"ab" * (N // 2)][:N]),
            r"Classes 'p' and 'q' of 'y' have one member only",
        ),
        (
            text(["p"] * 3 + ["q"] * (N - 3)),
            r"Class 'p' of 'y' has 3 members but there are 5 folds",
        ),
        (
            RANDOM.standard_normal(N),
            r"40 different numbers in 40 rows, which looks like a quantity",
        ),
        (np.arange(N), "looks like a quantity"),
        (text([f"n{k}" for k in range(N)]), "nearly one for each"),
        (np.where(Y == 1, np.inf, 0.0), "infinite in row 2"),
        (np.r_[np.nan, Y[:-1]], r"1 row of 40 have no label in 'y' \(the first is row 1\)"),
        (np.full(N, np.nan), "has no values at all"),
        (pd.Series(pd.date_range("2024", periods=N)), "holds dates"),
    ],
)
def test_label_problems(label, sentence):
    problem = label_problem(table_of(a=RANDOM.random(N), y=label), "y", 5)
    if sentence is None:
        assert problem is None
    else:
        assert problem is not None
        assert pd.Series([problem]).str.contains(sentence).all(), problem
        assert problem.endswith(".")


def test_missing_labels_can_be_left_out():
    table = table_of(a=RANDOM.random(N), y=np.r_[np.nan, Y[1:]])
    assert label_problem(table, "y", 5, ignore_missing=True) is None


def test_few_rows_one_column_and_no_such_label():
    assert "only 4 labelled rows" in label_problem(table_of(a=[1, 2, 3, 4], y=[0, 1, 0, 1]), "y", 2)
    assert "only column" in label_problem(table_of(y=Y), "y", 5)
    assert "no column 'z'" in label_problem(table_of(a=Y, y=Y), "z", 5)


def test_feature_problems():
    table = table_of(
        c=np.ones(N),
        e=np.full(N, np.nan),
        a=RANDOM.random(N),
        i=np.r_[1, np.inf, np.ones(N - 2)],
        y=Y,
    )
    assert features_problem(table, ["a", "c"]) is None
    assert "All 2 features chosen are constant" in features_problem(table, ["c", "e"])
    assert "'i' holds infinite values (the first in row 2)" in features_problem(table, ["a", "i"])
    assert "No feature" in features_problem(table, [])
    assert "no column 'z'" in features_problem(table, ["z"])


def sparse_table() -> tuple[Table, sparse.csr_array]:
    rows, columns = 300, 10_000
    matrix = sparse.random_array((rows, columns), density=0.01, rng=0, format="csr")
    matrix.data = np.round(matrix.data, 3) + 0.5
    label = np.arange(rows) % 2 * 2 - 1
    lines = []
    for i in range(rows):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        pairs = zip(matrix.indices[part], matrix.data[part], strict=True)
        lines.append(" ".join([str(label[i]), *(f"{j + 1}:{v!r}" for j, v in sorted(pairs))]))
    text = "\n".join(lines).replace("np.float64(", "").replace(")", "")
    return read_table(text.encode(), "t.svm"), matrix


def test_large_sparse_data_stay_sparse():
    table, matrix = sparse_table()
    width = table.sparse.matrix.shape[1]
    assert isinstance(table.sparse, SparseColumns)
    assert list(table.frame.columns) == ["label"] == [guess_label(table)]
    assert (table.sparse.matrix != matrix[:, :width]).nnz == 0
    assert table.names == ("label", *(f"x{j + 1}" for j in range(width)))
    np.testing.assert_array_equal(table.column("x7"), matrix[:, [6]].toarray().ravel())
    part = table.matrix(["x3", "label", "x1"])
    expected = np.c_[matrix[:, [2]].toarray(), table.column("label"), matrix[:, [0]].toarray()]
    np.testing.assert_array_equal(part.toarray(), expected)
    dense = Table(
        pd.DataFrame(table.sparse.matrix.toarray(), columns=table.sparse.names),
        ReadOptions(),
        (),
        "",
    )
    kinds = {report.name: report.kind for report in column_report(table, "label")}
    assert kinds == {report.name: report.kind for report in column_report(dense, "")}


def test_sparse_parts_of_matlab_and_numpy_files_stay_sparse():
    matrix = sparse.random_array((300, 10_000), density=0.01, rng=1, format="csr")
    labels = np.arange(300) % 3
    for data in (files.mat(X=matrix.tocsc(), y=labels), files.sparse_npz(matrix)):
        table = read_table(data, "t")
        assert (table.sparse.matrix != matrix).nnz == 0
    assert list(read_table(files.mat(X=matrix.tocsc(), y=labels), "t").column("y")) == list(labels)


def test_wide_files_are_one_block():
    values = RANDOM.standard_normal((60, 4000)).round(4)
    names = [f"g{j}" for j in range(4000)]
    frame = pd.DataFrame(values, columns=names).assign(y=np.where(np.arange(60) % 2, "u", "v"))
    table = read_table(frame.to_csv(index=False).encode(), "wide.csv")
    np.testing.assert_array_equal(table.matrix(names), values)
    # A block per column would make every look at a wide table cost seconds.
    assert table.frame._mgr.nblocks <= 2
    assert len(column_report(table, "y")) == 4000
