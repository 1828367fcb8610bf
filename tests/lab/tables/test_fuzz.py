"""Whatever the bytes, reading ends in a table or in one sentence; written tables read back."""

from __future__ import annotations

import csv
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lab.tables import (
    FORMATS,
    GUESS,
    Limits,
    ReadOptions,
    TableError,
    column_report,
    features_problem,
    guess_label,
    label_problem,
    read_table,
)

from . import files
from .corpus import SENTENCE, X, Y

LIMITS = Limits(bytes=10**6, decompressed=10**6, columns=500, cells=20_000, sheet_cells=5000)
NAMES = [f"t{ending}" for ending in (".csv", ".txt", ".xlsx", ".parquet", ".svm", ".mat", ".npz")]


def ends_well(data: bytes, name: str, options: ReadOptions = GUESS) -> None:
    """A table that all questions can be asked about, or a sentence; anything else fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            table = read_table(data, name, options, LIMITS)
        except TableError as error:
            assert SENTENCE.fullmatch(str(error)), str(error)
            return
        assert len(set(table.names)) == len(table.names) > 0
        assert table.n_rows > 0
        label = guess_label(table)
        assert label == table.options.label or options.label is not None
        reports = column_report(table, label)
        assert [report.name for report in reports] == [n for n in table.names if n != label]
        sentences = [report.reason for report in reports]
        sentences += [label_problem(table, label, 5), features_problem(table, table.names)]
        for sentence in [*sentences, *table.notes]:
            assert sentence is None or ("\n" not in sentence and sentence.endswith("."))


CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "-2.5", "1,5", "1.234,5", "NA", "None", "x", "?", "5%", "$3", "inf", "1e999"]
    ),
    st.sampled_from(
        ['"', '""', "'", '"a', "a\nb", "a\rb", "\t", "#", "sep=;", "2024-01-01", "1:2"]
    ),
    st.sampled_from(
        ["99999999999999999999", "True", "é", "ж", "日", "\ufeff", "\x00", "\x1a", " x "]
    ),
    st.text(max_size=6),
    st.integers().map(str),
    st.floats().map(repr),
)
DELIMITER = st.sampled_from([",", ";", "\t", "|", " ", ":", "::", ", "])
CODEC = st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1251", "cp932", "gb18030"]
)


@st.composite
def texts(draw) -> bytes:
    """Rows of odd cells under a random dialect, not always the same number in each."""
    width = draw(st.integers(1, 5))
    rows = draw(
        st.lists(st.lists(CELLS, min_size=max(width - 1, 1), max_size=width + 1), max_size=8)
        if draw(st.booleans())
        else st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=12)
    )
    delimiter, quote = draw(DELIMITER), draw(st.sampled_from(["", '"', "'"]))
    lines = [delimiter.join(quote + cell + quote for cell in row) for row in rows]
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines) + draw(
        st.sampled_from(["", "\n", "\r\n", "\n\n,,\n"])
    )
    return text.encode(draw(CODEC), "replace")


def mostly_auto(*choices):
    return st.sampled_from([*[None] * (3 * len(choices)), "auto", *choices])


OPTIONS = st.builds(
    ReadOptions,
    format=mostly_auto("csv", "csv", *FORMATS),
    encoding=mostly_auto("utf-8", "utf-16", "cp1252", "gb18030", "nope"),
    delimiter=mostly_auto(",", ";", "tab", " ", "|", ".", "x", "", "\n"),
    decimal=mostly_auto(".", ","),
    thousands=mostly_auto("none", ",", ".", " "),
    header=mostly_auto(True, False),
    quote=mostly_auto('"', "'", "none"),
    member=mostly_auto("X", "t.csv"),
    missing=mostly_auto((), ("x", "1")),
    label=mostly_auto("x", "column 1"),
)


@settings(max_examples=250)
@given(texts(), OPTIONS, st.sampled_from(NAMES[:2]))
def test_odd_text_ends_well(data, options, name):
    ends_well(data, name, options)


@settings(max_examples=100)
@given(texts())
def test_odd_text_is_read_twice_alike(data):
    try:
        table = read_table(data, "t.csv", limits=LIMITS)
    except TableError:
        return
    again = read_table(data, "t.csv", table.options, LIMITS)
    assert again.options == table.options
    pd.testing.assert_frame_equal(again.frame, table.frame)


@settings(max_examples=100)
@given(st.binary(max_size=300), st.sampled_from(NAMES), OPTIONS)
def test_random_bytes_end_well(data, name, options):
    ends_well(data, name, options)


BASES = [
    b"a,b,c\n1,2.5,x\n2,3.5,y\n3,NA,x\n",
    'n;"größe";y\n1;"2,5";ja\n2;"3,5";nein\n'.encode("cp1252"),
    b"1 1:0.5 3:2\n-1 2:1\n1 1:2\n",
    files.gzipped(b"a,b\n1,2\n3,4\n"),
    files.zipped({"t.csv": b"a,b\n1,2\n3,4\n", "s.csv": b"x,y\n1,2\n"}),
    files.xlsx({"s": [["a", "b"], [1, "x"], [2.5, "y"]]}),
    files.parquet(pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"], "c": [True, False]})),
    files.npz(X=X, y=Y),
    files.npy(X),
    files.mat(X=X, y=Y, names=np.array(["u", "v"], dtype=object)),
    files.mat(False, X=X, y=Y, s={"a": 1}),
    files.mat(False, X=X, S=sparse.csc_array(X)),
]


@st.composite
def damaged(draw) -> bytes:
    """A good file cut off, with bytes changed, removed, doubled or exchanged."""
    data = bytearray(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        change = draw(st.sampled_from(["set", "cut", "insert", "remove", "double"]))
        if change == "set" and data:
            data[at] = draw(st.integers(0, 255))
        elif change == "cut":
            del data[at:]
        elif change == "insert":
            data[at:at] = draw(st.binary(max_size=8))
        elif change == "remove":
            del data[at : at + draw(st.integers(1, 16))]
        else:
            data[at:at] = data[at : at + 32]
    return bytes(data)


@settings(max_examples=250)
@given(damaged(), st.sampled_from(NAMES))
def test_damaged_files_end_well(data, name):
    ends_well(data, name)


@pytest.mark.parametrize("base", range(len(BASES)))
def test_files_cut_anywhere_end_well(base):
    data = BASES[base]
    for length in range(0, len(data), max(len(data) // 25, 1)):
        ends_well(data[:length], "t.csv")


WORDS = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=9
)


@st.composite
def frames(draw) -> pd.DataFrame:
    """Named columns of floats (some missing), integers and words that are surely words."""
    n_rows = draw(st.integers(2, 8))
    columns = {}
    for j in range(draw(st.integers(2, 5))):
        # Floats may all be missing in a row, and a row without a value is left out.
        kind = draw(st.sampled_from(["int", "str", "float"][: 3 if j else 2]))
        if kind == "float":
            values = draw(
                st.lists(
                    st.floats(-1e300, 1e300) | st.just(np.nan), min_size=n_rows, max_size=n_rows
                )
            )
            values[0] = 0.5  # a column of gaps has no type, and one of whole numbers reads as such
        elif kind == "int":
            values = draw(st.lists(st.integers(-(2**62), 2**62), min_size=n_rows, max_size=n_rows))
        else:
            words = st.lists(WORDS, min_size=n_rows, max_size=n_rows)
            values = [f"w{' '.join(word.split())}w" for word in draw(words)]
        columns[f"column{j}"] = values
    return pd.DataFrame(columns)


@settings(max_examples=80)
@given(
    frames(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([".", ","]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    st.booleans(),
)
def test_frames_written_in_any_dialect_read_back(frame, delimiter, decimal, end, codec, quoted):
    text = frame.to_csv(
        None,
        index=False,
        sep=delimiter,
        decimal=decimal,
        lineterminator=end,
        quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
    )
    # What cannot be told from the text alone is said, as a user would.
    options = ReadOptions(delimiter=delimiter, decimal=decimal, quote='"', thousands="none")
    table = read_table(text.encode(codec), "t.csv", options, LIMITS)
    pd.testing.assert_frame_equal(table.frame, frame, check_exact=True)


@settings(max_examples=40)
@given(frames(), st.sampled_from([",", ";", "\t", "|"]), st.booleans())
def test_the_dialect_of_plain_tables_is_found(frame, delimiter, quoted):
    words = frame.select_dtypes("str")
    frame[words.columns] = words.map(lambda word: "".join(filter(str.isalpha, word)))
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    text = frame.to_csv(None, index=False, sep=delimiter, quoting=quoting)
    table = read_table(text.encode(), "t.csv", limits=LIMITS)
    assert table.options.delimiter == delimiter
    pd.testing.assert_frame_equal(table.frame, frame, check_exact=True)


def _as_excel_holds(value):
    """A workbook is written with 16 digits of a float, and holds whole numbers as floats."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return value % 2**53
    return None if value != value else float(f"{value:.16g}")


@settings(max_examples=25)
@given(frames())
def test_frames_read_back_from_parquet_and_excel(frame):
    table = read_table(files.parquet(frame), "t.parquet", limits=LIMITS)
    pd.testing.assert_frame_equal(table.frame, frame, check_exact=True)
    rows = [[_as_excel_holds(value) for value in row] for row in frame.to_numpy(object)]
    book = files.xlsx({"s": [list(frame.columns), *rows]})
    expected = pd.DataFrame(rows, columns=frame.columns).astype(frame.dtypes)
    table = read_table(book, "t.xlsx", ReadOptions(thousands="none"), LIMITS)
    pd.testing.assert_frame_equal(table.frame, expected, check_exact=True)


def test_there_are_at_least_500_examples():
    tests = [test_odd_text_ends_well, test_random_bytes_end_well, test_damaged_files_end_well]
    assert sum(t._hypothesis_internal_use_settings.max_examples for t in tests) >= 500
