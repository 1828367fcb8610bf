"""Every awkward file ends in the right table or in the right sentence."""

from __future__ import annotations

import gzip
import hashlib
import re
import sys
import tracemalloc
import warnings
import zlib
from collections import Counter
from contextlib import contextmanager

import pandas as pd
import pytest

from lab.tables import LIMITS, ReadOptions, TableError, read_table

from . import corpus, files

CASES = {case.id: case for case in corpus.CASES}
AUDIT = {"on": False, "seen": []}


def _audit(event, arguments):
    if not AUDIT["on"]:
        return
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        AUDIT["seen"].append((event, arguments[0]))
    if event in (
        "pickle.find_class",
        "os.system",
        "subprocess.Popen",
        "os.mkdir",
        "socket.connect",
    ):
        AUDIT["seen"].append((event, arguments[:1]))


sys.addaudithook(_audit)


@contextmanager
def nothing_runs_or_is_written():
    """Python reports to the audit hook whatever opens a file, unpickles or starts a program.

    A reader imported on first use is compiled for this process alone: keeping what Python compiled
    is no doing of the table's.
    """
    keeps_none = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    AUDIT.update(on=True, seen=[])
    try:
        yield
    finally:
        AUDIT["on"] = False
        sys.dont_write_bytecode = keeps_none
    assert AUDIT["seen"] == []


def read(case, data=None):
    data = case.make() if data is None else data
    with warnings.catch_warnings(), nothing_runs_or_is_written():
        warnings.simplefilter("error")
        return read_table(data, case.name, case.options, case.limits)


def test_ids_are_unique_and_there_are_enough():
    assert max(Counter(case.id for case in corpus.CASES).values()) == 1
    assert len(CASES) >= 150


@pytest.mark.parametrize("id", [id for id, case in CASES.items() if case.table])
def test_reads(id):
    case = CASES[id]
    data = case.make()
    table = read(case, data)
    pd.testing.assert_frame_equal(table.frame, case.table(), check_exact=True)
    assert table.sparse is None
    assert table.digest == hashlib.sha256(data).hexdigest()
    assert all(isinstance(name, str) for name in table.names)
    for pattern in case.notes:
        assert any(re.search(pattern, note) for note in table.notes), table.notes
    for note in table.notes:
        assert re.fullmatch(r"[A-Z0-9'].*\.", note), note
    for field, value in case.used:
        assert getattr(table.options, field) == value
    again = read_table(data, case.name, table.options, case.limits)
    pd.testing.assert_frame_equal(again.frame, table.frame, check_exact=True)
    assert again.options == table.options


@pytest.mark.parametrize("id", [id for id, case in CASES.items() if case.sentence])
def test_refuses(id):
    case = CASES[id]
    with pytest.raises(TableError, match=case.sentence) as caught:
        read(case)
    assert corpus.SENTENCE.fullmatch(str(caught.value))


def test_the_limits_are_those_of_the_server():
    assert LIMITS.bytes == 50 * 10**6 and LIMITS.decompressed == 200 * 10**6
    assert LIMITS.columns == 50_000 and LIMITS.cells == 2 * 10**7


def test_the_preview_shows_the_first_raw_lines():
    with pytest.raises(TableError) as caught:
        read(CASES["long row"])
    assert caught.value.preview == ("a,b", "1,2", "1,2,3")


def test_a_table_without_a_label_spares_no_column_the_tokens_for_missing():
    data = b"x,region\n1,NA\n2,EU\n3,NA\n4,EU\n5,US\n6,US\n"
    labelled = read_table(data, "t.csv")
    assert labelled.options.label == "region" and labelled.frame["region"][0] == "NA"
    plain = read_table(data, "t.csv", ReadOptions(labelled=False))
    assert plain.options.label is None and plain.frame["region"].isna().sum() == 2
    again = read_table(data, "t.csv", plain.options)
    pd.testing.assert_frame_equal(again.frame, plain.frame)


def test_the_members_are_offered():
    archive = files.zipped({"s.csv": b"x,y\n1,2\n", "t.csv": b"a,b\n1,2\n3,4\n"})
    assert read_table(archive, "t.zip").members == ("s.csv", "t.csv")
    with pytest.raises(TableError) as caught:
        read(CASES["zip without the member"])
    assert caught.value.members == ("t.csv",)
    book = files.xlsx({"s": corpus.SHEET, "t": corpus.SHEET})
    assert read_table(book, "t.xlsx").members == ("s", "t")


@pytest.fixture
def unpacked(monkeypatch) -> list[int]:
    """The sizes of all pieces that zlib unpacks, for whoever asks it."""
    sizes: list[int] = []
    make = zlib.decompressobj

    class Counting:
        def __init__(self, *arguments, **options):
            self._unpacker = make(*arguments, **options)

        def decompress(self, *arguments):
            sizes.append(len(piece := self._unpacker.decompress(*arguments)))
            return piece

        def __getattr__(self, name):
            return getattr(self._unpacker, name)

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    return sizes


@pytest.mark.parametrize("id", ["gzip bomb", "zip bomb", "matlab bomb", "npz bomb"])
def test_bombs_are_unpacked_up_to_the_limit_only(id, unpacked):
    case = CASES[id]
    bomb = case.make()
    assert len(bomb) < 10**6
    tracemalloc.start()
    with pytest.raises(TableError):
        read_table(bomb, case.name, case.options, case.limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # A byte more tells a bomb from a file of just the limit.
    assert sum(unpacked) <= case.limits.decompressed + 1
    # Twice the limit: the parts, and the whole they would be joined to.
    assert peak < 2 * case.limits.decompressed + 10**7


def test_what_zlib_unpacks_is_counted(unpacked):
    read_table(gzip.compress(b"a,y\n" + b"1,u\n2,v\n" * 50), "t.csv.gz")
    read_table(files.zipped({"t.csv": b"a,y\n" + b"1,u\n2,v\n" * 50}), "t.zip")
    assert sum(unpacked) == 2 * 404


def test_the_audit_sees_a_pickle():
    with pytest.raises(AssertionError), nothing_runs_or_is_written():
        import pickle

        pickle.loads(pickle.dumps(Counter))
