"""Awkward files, each with the table it holds or the sentence it deserves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from lab.tables import GUESS, LIMITS, Limits, ReadOptions

from . import files

NAN = np.nan


@dataclass(frozen=True, eq=False)
class Case:
    """A file and what must come of it: `table` exactly, or a sentence that `sentence` matches.

    `notes` are patterns that the notes must match, `used` the options that must have been found.
    """

    id: str
    make: Callable[[], bytes]
    name: str = "table.csv"
    options: ReadOptions = GUESS
    table: Callable[[], pd.DataFrame] | None = None
    sentence: str | None = None
    notes: tuple[str, ...] = ()
    used: tuple[tuple[str, object], ...] = ()
    limits: Limits = LIMITS


CASES: list[Case] = []


def reads(id, content, table, *, name="table.csv", notes=(), used=None, limits=LIMITS, **options):
    """The file must be read as this table; lists are columns, None and NaN are missing."""
    CASES.append(
        Case(
            id,
            _maker(content),
            name,
            ReadOptions(**options),
            table=lambda: _frame(table),
            notes=(notes,) if isinstance(notes, str) else tuple(notes),
            used=tuple((used or {}).items()),
            limits=limits,
        )
    )


def refuses(id, content, sentence, *, name="table.csv", limits=LIMITS, **options):
    """The file must be refused by a sentence that matches the pattern."""
    CASES.append(
        Case(id, _maker(content), name, ReadOptions(**options), sentence=sentence, limits=limits)
    )


def _maker(content):
    if callable(content):
        return content
    return lambda: content.encode() if isinstance(content, str) else content


def _frame(table):
    if callable(table):
        return table()
    return pd.DataFrame(
        {
            name: pd.Series(values, dtype="str") if _is_text(values) else values
            for name, values in table.items()
        }
    )


def _is_text(values) -> bool:
    return any(isinstance(value, str) for value in values)


PLAIN = {"a": [1, 3], "b": [2, 4]}
MIXED = {"a": [1, 3], "b": ["x", "y"]}
TINY = Limits(bytes=2000, decompressed=3000, columns=20, cells=100, sheet_cells=50)

# Encodings
reads("plain", "a,b\n1,2\n3,4\n", PLAIN, used={"delimiter": ",", "encoding": "utf-8"})
reads("utf-8 mark", "\ufeffa,b\n1,2\n3,4\n", PLAIN)
reads(
    "utf-8 text",
    "a,ort\n1,Zürich\n3,日本\n",
    {"a": [1, 3], "ort": ["Zürich", "日本"]},
    used={"encoding": "utf-8"},
)
reads("utf-16 with mark", "a,b\n1,2\n3,4\n".encode("utf-16"), PLAIN, used={"encoding": "utf-16"})
reads(
    "utf-16 big endian with mark",
    b"\xfe\xff" + "a;b\n1;é\n3;y\n".encode("utf-16-be"),
    {"a": [1, 3], "b": ["é", "y"]},
    used={"encoding": "utf-16", "delimiter": ";"},
)
reads(
    "utf-16 without mark",
    "a\tb\n1\t2\n3\t4\n".encode("utf-16-le"),
    PLAIN,
    used={"encoding": "utf-16-le", "delimiter": "\t"},
    notes="utf-16-le without a byte-order mark",
)
reads("utf-32", "a,b\n1,2\n3,4\n".encode("utf-32"), PLAIN, used={"encoding": "utf-32"})
reads(
    "latin-1",
    "größe,straße\n1,für\n2,müll\n".encode("latin-1"),
    {"größe": [1, 2], "straße": ["für", "müll"]},
    used={"encoding": "cp1252"},
    notes="not UTF-8; it was read as cp1252",
)
reads(
    "windows-1252 quotes",
    "a,b\n1,“x”\n3,5 €\n".encode("cp1252"),
    {"a": [1, 3], "b": ["“x”", "5 €"]},
    used={"encoding": "cp1252"},
)
reads(
    "cyrillic windows-1251",
    "город,класс\nМосква,да\nКазань,нет\n".encode("cp1251"),
    {"город": ["Москва", "Казань"], "класс": ["да", "нет"]},
    used={"encoding": "cp1251"},
)
reads(
    "shift-jis",
    "名前,年齢\n太郎,3\n花子,4\n".encode("cp932"),
    {"名前": ["太郎", "花子"], "年齢": [3, 4]},
    used={"encoding": "cp932"},
)
reads(
    "encoding overridden",
    "a,b\n1,ж\n3,я\n".encode("koi8-r"),
    {"a": [1, 3], "b": ["ж", "я"]},
    encoding="koi8-r",
)
refuses(
    "encoding overridden wrongly",
    "a,b\n1,x\n2,ü\n".encode("latin-1"),
    r"not utf-8 text: line 3 holds the byte 0xfc",
    encoding="utf-8",
)
refuses("unknown encoding", "a,b\n1,2\n", "encoding 'klingon' is not one", encoding="klingon")
refuses("codec that unpacks", "a,b\n1,2\n", "encoding 'zlib' is not one", encoding="zlib")

# Delimiters
for sign, word in ((";", "semicolon"), ("\t", "tab"), ("|", "pipe")):
    reads(
        word,
        "a,b\n1,2\n3,4\n".replace(",", sign),
        PLAIN,
        used={"delimiter": sign},
        notes=f"separated by {word}",
    )
reads("runs of spaces", "  a   b\n  1   2\n 3     4\n", PLAIN, used={"delimiter": " "})
reads("tabs and spaces", "a b\n1 \t 2\n3\t\t4\n", PLAIN, delimiter=" ")
reads("colon by choice", "a:b\n1:2\n3:4\n", PLAIN, delimiter=":")
reads("named by word", "a|b\n1|2\n3|4\n", PLAIN, delimiter="pipe")
reads(
    "commas inside semicolon text",
    "a;b\n1;x, y\n3;u, v\n",
    {"a": [1, 3], "b": ["x, y", "u, v"]},
    used={"delimiter": ";"},
)
reads(
    "semicolons inside comma text",
    "a,genes,y\n1,p;q,u\n3,r;s,v\n5,t;w,u\n",
    {"a": [1, 3, 5], "genes": ["p;q", "r;s", "t;w"], "y": ["u", "v", "u"]},
    used={"delimiter": ",", "label": "y"},
)
reads("sep line", "sep=;\na;b\n1;2\n3;4\n", PLAIN, notes="first line says", used={"delimiter": ";"})
reads("quoted sep line", '"sep=|"\na|b\n1|2\n3|4\n', PLAIN)
reads("comments on top", "# made by us\n# in 2024\na,b\n1,2\n3,4\n", PLAIN, notes="2 comment lines")
reads("hash before the header", "#a,b\n1,2\n3,4\n", PLAIN)
reads("blank lines", "\n\na,b\n\n1,2\n\n3,4\n\n", PLAIN)
reads(
    "title above",
    "Our measurements\n\na,b,c\n1,2,3\n4,5,6\n",
    {"a": [1, 4], "b": [2, 5], "c": [3, 6]},
    notes="1 line above the table",
)
reads("delimiter overridden", "a;b,c\n1;2,5\n", {"a;b": ["1;2"], "c": [5]}, delimiter=",")
refuses("two-sign delimiter", "a,b\n1,2\n", r"delimiter '\|\|' cannot separate", delimiter="||")
refuses("digit delimiter", "a,b\n1,2\n", "is a letter or a digit", delimiter="1")

# Numbers
reads(
    "decimal comma",
    "a;b\n1,5;x\n-2,25;y\n",
    {"a": [1.5, -2.25], "b": ["x", "y"]},
    used={"decimal": ","},
    notes="decimal comma",
)
reads(
    "decimal comma in quotes",
    'a,b\n"1,5","2,25"\n"3,5","4"\n',
    {"a": [1.5, 3.5], "b": [2.25, 4.0]},
    used={"decimal": ",", "delimiter": ","},
)
reads(
    "decimal comma beyond the first lines",
    "a;b\n" + "1;x\n" * 20_000 + "1,5;x\n",
    lambda: pd.DataFrame(
        {"a": [1.0] * 20_000 + [1.5], "b": pd.Series(["x"] * 20_001, dtype="str")}
    ),
    used={"decimal": ","},
)
reads(
    "decimal comma and thousands point",
    "a;b\n1.234,5;1\n2.345.678,25;2\n",
    {"a": [1234.5, 2345678.25], "b": [1, 2]},
    used={"decimal": ",", "thousands": "."},
)
reads(
    "decimal comma beside decimal point",
    "a;b\n1,5;0.5\n2,5;1.25\n",
    {"a": [1.5, 2.5], "b": [0.5, 1.25]},
    used={"decimal": ","},
)
reads(
    "1.234 in a semicolon file",
    "a;b\n1.234;1\n2.345;2\n",
    {"a": [1.234, 2.345], "b": [1, 2]},
    notes="read as decimals: choose point as thousands",
)
reads(
    "1.000 in a semicolon file",
    "a;b\n1.000;1\n2.500;2\n",
    {"a": [1.0, 2.5], "b": [1, 2]},
    notes="Numbers like 1.000 in 'a' were read as decimals",
)
reads(
    "1.234 as thousands by choice",
    "a;b\n1.234;1\n2.345;2\n",
    {"a": [1234.0, 2345.0], "b": [1, 2]},
    thousands=".",
)
reads(
    "thousands comma",
    'a,b\n"1,234",x\n"12,345,678",y\n"5",x\n',
    {"a": [1234.0, 12345678.0, 5.0], "b": ["x", "y", "x"]},
    notes="Column 'a': thousands separators ',' were removed and 3 values",
    used={"thousands": ","},
)
reads(
    "thousands refused by choice",
    'a,b\n"1,234",x\n"2,345",y\n',
    {"a": ["1,234", "2,345"], "b": ["x", "y"]},
    thousands="none",
    decimal=".",
)
reads("thousands space", "a;b\n1 234;2\n12 345;4\n", {"a": [1234.0, 12345.0], "b": [2, 4]})
reads("thousands apostrophe", "a,b\n1'234,2\n12'345.5,4\n", {"a": [1234.0, 12345.5], "b": [2, 4]})
reads(
    "percent", "a,b\n5%,x\n12.5 %,y\n", {"a": [5.0, 12.5], "b": ["x", "y"]}, notes="percent signs"
)
reads("percent on some", "a,b\n5%,x\n12.5,y\n", {"a": ["5%", "12.5"], "b": ["x", "y"]})
reads(
    "dollars",
    'a,b\n$5,x\n"-$1,200.50",y\n',
    {"a": [5.0, -1200.5], "b": ["x", "y"]},
    notes="currency signs",
)
reads("euros", "a;b\n5,50 €;x\n1.200,00 €;y\n", {"a": [5.5, 1200.0], "b": ["x", "y"]})
reads("minus sign of print", "a,b\n−5,1\n3.5,2\n", {"a": [-5.0, 3.5], "b": [1, 2]})
reads("exponents", "a,b\n1e3,2E-2\n-1.5e+2,4\n", {"a": [1000.0, -150.0], "b": [0.02, 4.0]})
reads("infinity stays", "a,b\n1.5,x\ninf,y\n-Inf,x\n", {"a": [1.5, np.inf, -np.inf], "b": [*"xyx"]})
reads(
    "integers beyond 64 bits",
    "id,b\n123456789012345678901234,1\n223456789012345678901234,2\n",
    {"id": ["123456789012345678901234", "223456789012345678901234"], "b": [1, 2]},
)
reads("truth values", "a,b\nTrue,yes\nFalse,no\n", {"a": [True, False], "b": ["yes", "no"]})
reads(
    "truth values with a gap",
    "a,b\nTrue,1\n,2\nFalse,3\n",
    {"a": ["True", NAN, "False"], "b": [1, 2, 3]},
)
reads("spaces around cells", "a , b\n 1 , x \n 3 ,y\n", MIXED, notes="Spaces around text")
reads(
    "dates stay text",
    "d,b\n2024-01-31,1\n2024-02-01,2\n",
    {"d": ["2024-01-31", "2024-02-01"], "b": [1, 2]},
)
refuses("one sign for two uses", "a;b\n1,5;2\n", "cannot separate both", decimal=",", thousands=",")
refuses("odd decimal", "a;b\n1,5;2\n", "neither a point nor a comma", decimal="x")
refuses("odd thousands", "a;b\n1,5;2\n", "thousands separator '_' is not one", thousands="_")

reads(
    "truth values with a gap and huge integers beside commas",
    "a;b;c\nTrue;99999999999999999999;x,y\n;2;z\n",
    {"a": ["True", NAN], "b": ["99999999999999999999", "2"], "c": ["x,y", "z"]},
)

# Missing values and labels
reads(
    "missing tokens",
    "a,b,c\n1,?,x\nNA,2,y\n-,n.a.,x\n4,--,y\n,null,x\nNaN,None,y\n",
    {"a": [1, NAN, NAN, 4, NAN, NAN], "b": [NAN, 2, NAN, NAN, NAN, NAN], "c": [*"xyxyxy"]},
    notes="Missing cells: 9 of 18",
)
reads(
    "label named NA",
    "x,region\n1,NA\n2,EU\n3,NA\n4,EU\n",
    {"x": [1, 2, 3, 4], "region": ["NA", "EU", "NA", "EU"]},
    notes="'NA': that is a class here",
    used={"label": "region"},
)
reads(
    "label named None by choice",
    "drug,x\nNone,1\nA,2\nNone,NA\nB,3\nA,NA\n",
    {"drug": ["None", "A", "None", "B", "A"], "x": [1, 2, NAN, 3, NAN]},
    label="drug",
)
reads(
    "labels plus and minus",
    "x,y\n1,+\n2,-\n3,+\n4,-\n",
    {"x": [1, 2, 3, 4], "y": ["+", "-", "+", "-"]},
)
reads(
    "gaps among numeric labels stay gaps",
    "x,y\n1,0\n2,NA\n3,1\n4,1\n5,0\n",
    {"x": [1, 2, 3, 4, 5], "y": [0, NAN, 1, 1, 0]},
    used={"label": "y"},
)
reads(
    "blank labels stay gaps",
    "x,y\n1,NA\n2,\n3,b\n4,b\n",
    {"x": [1, 2, 3, 4], "y": ["NA", NAN, "b", "b"]},
)
reads(
    "missing by choice",
    "a,b\n-999,x\n2,?\n3,y\n",
    {"a": [NAN, 2, 3], "b": ["x", "?", "y"]},
    missing=("-999",),
)
refuses("label that is not there", "a,b\n1,2\n", "no column 'z': choose the label", label="z")

reads(
    "label named NA above short rows",
    "a,b,c\nNA,1\nu,2,3\nNA,4,5\nu,6,7\n",
    {"a": ["NA", "u", "NA", "u"], "b": [1, 2, 4, 6], "c": [NAN, 3, 5, 7]},
    label="a",
)

# Rows and quotes
reads("quoted newline", 'a,b\n1,"x\ny"\n3,z\n', {"a": [1, 3], "b": ["x\ny", "z"]})
reads(
    "quoted newline in the header",
    '"a",b\n1,2\n3,4\n'.replace("b", '"b\nc"'),
    {"a": [1, 3], "b c": [2, 4]},
)
reads("quoted delimiter", 'a,b\n1,"x,y"\n3,z\n', {"a": [1, 3], "b": ["x,y", "z"]})
reads("doubled quotes", 'a,b\n1,"say ""hi"""\n3,z\n', {"a": [1, 3], "b": ['say "hi"', "z"]})
reads("single quotes", "a,b\n1,'x,1'\n3,'y,2'\n", {"a": [1, 3], "b": ["x,1", "y,2"]}, quote="'")
reads("single quotes found", "'a','b'\n1,'x'\n3,'y'\n", MIXED, notes="quoted with '")
reads(
    "no quotes by choice",
    'a,b\n1,5" disk\n3,3" disk\n',
    {"a": [1, 3], "b": ['5" disk', '3" disk']},
    quote="none",
)
reads("carriage returns only", "a,b\r1,2\r3,4\r", PLAIN)
reads("windows line ends", "a,b\r\n1,2\r\n3,4\r\n", PLAIN)
reads("no line end at the end", "a,b\n1,2\n3,4", PLAIN)
reads("dos end of file", "a,b\n1,2\n3,4\n\x1a", PLAIN)
reads(
    "short rows",
    "a,b,c\n1,2,3\n4\n5,6\n",
    {"a": [1, 4, 5], "b": [2, NAN, 6], "c": [3, NAN, NAN]},
    notes="Missing cells: 3 of 9; rows with fewer cells than columns: 2",
)
refuses(
    "long row",
    "a,b\n1,2\n1,2,3\n",
    r"Line 3 of wine.csv has 3 fields, the header has 2 "
    r"\(`1,2,3`\): remove",
    name="wine.csv",
)
refuses("long first row", "a,b\n1,2,3\n4,5\n6,7\n", r"Line 2 of .* has 3 fields, the header has 2")
refuses("long row after quoted newlines", 'a,b\n1,"x\ny"\n\n1,2,3\n', "Line 5 of .* has 3 fields")
refuses("long row without header", "1,2\n3,4\n5,6,7\n", "Line 3 .* has 3 fields, other rows have 2")
refuses(
    "wrong delimiter chosen",
    "a;b;c\n1,5;2;3\n1,5;2,5;3\n",
    "semicolon between cells, choose it",
    delimiter=",",
)
refuses("open quote", 'a,b\n1,2\n1,"x\n2,3\n', r'quote \("\) that opens in line 3 .* never closed')
refuses("lone quote", 'a,b\n1,2\n3,4\n"\n', "opens in line 4 .* never closed")
refuses(
    "open quote over a long text",
    'a,b\n1,"x\n' + "2,3\n" * 60_000,
    "never closed|longer than 131,072 characters",
)
refuses("odd quote", "a,b\n1,2\n", "quote character '§' is not one", quote="§")

# Headers and index columns
reads("no header", "1,2\n3,4\n", {"column 1": [1, 3], "column 2": [2, 4]}, notes="no header")
reads(
    "no header beside text labels",
    "5.1,3.5,setosa\n4.9,3.0,setosa\n6.2,3.4,virginica\n",
    {
        "column 1": [5.1, 4.9, 6.2],
        "column 2": [3.5, 3.0, 3.4],
        "column 3": ["setosa", "setosa", "virginica"],
    },
)
reads(
    "no header by choice",
    "a,b\nc,d\n",
    {"column 1": ["a", "c"], "column 2": ["b", "d"]},
    header=False,
)
reads("header by choice", "1,2\n3,4\n", {"1": [3], "2": [4]}, header=True)
reads(
    "years as header",
    "country,2019,2020\nDE,1.5,2.5\nFR,3.5,4.5\n",
    {"country": ["DE", "FR"], "2019": [1.5, 3.5], "2020": [2.5, 4.5]},
)
reads(
    "counting header of an array",
    "0,1,2\n5.5,6.5,7.5\n8.5,9.5,1.5\n",
    {"0": [5.5, 8.5], "1": [6.5, 9.5], "2": [7.5, 1.5]},
)
reads(
    "duplicate header",
    "a,a,b,a\n1,2,3,4\n5,6,7,8\n",
    {"a": [1, 5], "a.1": [2, 6], "b": [3, 7], "a.2": [4, 8]},
    notes=r"more than once \('a'\)",
)
reads(
    "duplicate header that is taken",
    "a,a.1,a\n1,2,3\n5,6,7\n",
    {"a": [1, 5], "a.1": [2, 6], "a.2": [3, 7]},
)
reads("nameless column", "a,,b\n1,2,3\n4,5,6\n", {"a": [1, 4], "column 2": [2, 5], "b": [3, 6]})
reads("index of pandas", ",a,b\n0,1,2\n1,3,4\n", PLAIN, notes="only counts the rows")
reads("index written out", "Unnamed: 0,a,b\n0,1,2\n1,3,4\n", PLAIN, notes="only counts the rows")
reads("index of R", '"a","b"\n"1",1,2\n"2",3,4\n', PLAIN, notes="only counts the rows")
reads("row names of R", "a b\nr1 1 2\nr2 3 4\n", {"row names": ["r1", "r2"], **PLAIN})
reads("index that says something", ",a,b\n7,1,2\n5,3,4\n", {"column 1": [7, 5], **PLAIN})
reads("trailing delimiter", "a,b,\n1,2,\n3,4,\n", PLAIN, notes="Left out 1 empty column")
reads(
    "trailing delimiter in rows only", "a,b\n1,2,\n3,4,\n", PLAIN, notes="Left out 1 empty column"
)
reads("empty rows at the end", "a,b\n1,2\n3,4\n,\n,\n", PLAIN, notes="Left out 2 rows")
reads(
    "empty named column stays", "a,e,b\n1,,2\n3,,4\n", {"a": [1, 3], "e": [NAN, NAN], "b": [2, 4]}
)
reads("one column", "a\n1\n2\n", {"a": [1, 2]})
reads("formula stays text", "a,b\n=1+1,1\n@x,2\n", {"a": ["=1+1", "@x"], "b": [1, 2]})
reads(
    "markup stays text",
    "a,<b>x</b>\n<script>,1\n<i>,2\n",
    {"a": ["<script>", "<i>"], "<b>x</b>": [1, 2]},
)

# Nothing to read
refuses("no bytes", b"", "is empty: it holds no bytes")
refuses("blank", " \n\n \n", "is empty: it holds no header and no rows")
refuses("only comments", "# one\n# two\n", "only blank lines or comments")
refuses("header only", "a,b,c\n", "a header of 3 columns but no rows")
refuses("all missing", "a,b\n,\nNA,\n", "All cells of the table are missing")

# Not tables
refuses("PNG renamed", files.PNG, "looks like a PNG picture, not like a table")
refuses("JPEG renamed", b"\xff\xd8\xff\xe0" + bytes(50), "looks like a JPEG picture")
refuses("PDF", b"%PDF-1.7\n%\xe2\xe3", "looks like a PDF document")
refuses(
    "old Excel",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64),
    "old Excel .* save it as .xlsx",
    name="t.xls",
)
refuses("web page", "<!DOCTYPE html><html><body>404</body></html>", "looks like a web page")
refuses("JSON", '[{"a": 1}, {"a": 2}]', "looks like JSON")
refuses("ARFF", "@RELATION iris\n@ATTRIBUTE a REAL\n", "looks like an ARFF file")
refuses("pickle", files.pickled, "is a pickle, .* can run any program", name="t.csv")
refuses("pickle by name", b"a,b\n1,2\n", "is a pickle", name="model.joblib")
refuses("NUL inside text", b"a,b\n1,\x002\n3,4\n", "line 2 holds NUL bytes")
refuses("random bytes", bytes(range(256)) * 8, "not a text table")
refuses("control characters", bytes([1, 2, 3, 65, 44, 66, 10]) * 50, "full of control characters")
refuses("xz", b"\xfd7zXZ\x00" + bytes(40), "xz archive, not like a table: unpack it")
refuses("unknown format", "a,b\n1,2\n", "format 'pdf' is not one of csv", format="pdf")
refuses("text called parquet", "a,b\n1,2\n", "not a Parquet file", name="t.parquet")
refuses(
    "zip read as text",
    lambda: files.zipped({"a.npy": files.npy(np.eye(2))}),
    "is a binary file, not text",
    format="csv",
)

# Limits
refuses("too many bytes", "a,b\n" + "1,2\n" * 1000, "MB and the limit is", limits=TINY)
refuses(
    "too many columns",
    ",".join(f"c{j}" for j in range(21)) + "\n" + "1," * 20 + "1\n",
    "has 21 columns and the limit is 20",
    limits=TINY,
)
refuses(
    "too many cells",
    "a,b\n" + "1,2\n" * 51,
    "more than 50 rows of 2 columns.*100 cells",
    limits=TINY,
)
reads("just enough cells", "a,b\n" + "1,2\n" * 50, {"a": [1] * 50, "b": [2] * 50}, limits=TINY)
refuses(
    "wide and short",
    ",".join(f"c{j}" for j in range(50_001)) + "\n1\n",
    "has 50,001 columns and the limit is 50,000",
)
refuses("a line of commas", lambda: b"," * 5_000_000, "has 5,000,001 columns")

# Archives
reads("gzip", lambda: files.gzipped(b"a,b\n1,2\n3,4\n"), PLAIN, name="t.csv.gz")
reads("gzip without its ending", lambda: files.gzipped(b"a;b\n1;2\n3;4\n"), PLAIN)
reads("gzip of two parts", lambda: files.gzipped(b"a,b\n1,2\n") + files.gzipped(b"3,4\n"), PLAIN)
reads(
    "gzip of parquet",
    lambda: files.gzipped(files.parquet(pd.DataFrame(PLAIN))),
    PLAIN,
    name="t.parquet.gz",
)
refuses("gzip cut off", lambda: files.gzipped(b"a,b\n1,2\n" * 99)[:-12], "cut off or damaged")
refuses("gzip of gzip", lambda: files.gzipped(files.gzipped(b"a,b\n1,2\n")), "compressed twice")
refuses("gzip of nothing", lambda: files.gzipped(b""), "unpacks to no bytes")
refuses(
    "gzip bomb",
    lambda: files.gzip_bomb(60),
    "unpacks to more than 20 MB",
    limits=Limits(decompressed=20 * 10**6),
)
reads(
    "zip",
    lambda: files.zipped({"t.csv": b"a,b\n1,2\n3,4\n"}),
    PLAIN,
    name="t.zip",
    used={"member": "t.csv"},
)
reads(
    "zip from a Mac",
    lambda: files.zipped(
        {"t/": b"", "__MACOSX/._t.csv": b"junk" * 99, "t/t.csv": b"a,b\n1,2\n3,4\n"}
    ),
    PLAIN,
    used={"member": "t/t.csv"},
)
reads(
    "zip of two",
    lambda: files.zipped(
        {"s.csv": b"x\n1\n", "t.csv": b"a,b\n1,2\n3,4\n", "readme.md": b"x" * 500}
    ),
    PLAIN,
    notes="Read 't.csv', one of 3 files",
)
reads(
    "zip member by choice",
    lambda: files.zipped({"s.csv": b"a,b\n1,2\n3,4\n", "t.csv": b"x\n" * 99}),
    PLAIN,
    member="s.csv",
)
reads(
    "zip of a workbook",
    lambda: files.zipped({"w.xlsx": files.xlsx({"s": [["a", "b"], [1, 2], [3, 4]]})}),
    PLAIN,
    used={"member": "w.xlsx", "format": "excel"},
)
refuses(
    "zip without the member",
    lambda: files.zipped({"t.csv": b"a\n1\n"}),
    "no file 'u.csv', only 't.csv'",
    member="u.csv",
)
refuses(
    "zip of a zip",
    lambda: files.zipped({"u.zip": files.zipped({"t.csv": b"a\n1\n"})}),
    "an archive within an archive",
)
refuses("zip of a pickle", lambda: files.zipped({"t.pkl": files.pickled()}), "is a pickle")
refuses("zip with a password", files.encrypted_zip, "protected by a password")
refuses("zip by bzip2", lambda: files.zipped({"t.csv": b"a\n1\n"}, 12), "usual deflate method")
refuses("zip of folders", lambda: files.zipped({"t/": b""}), "zip archive without files")
refuses(
    "zip cut off", lambda: files.zipped({"t.csv": b"a,b\n1,2\n" * 99})[:-30], "cut off or damaged"
)
refuses(
    "zip of a file without a name",
    lambda: files.zipped({"x": b"a,b\n1,2\n"}).replace(b"\x01\x00\x00\x00x", b"\0\0\0\0x"),
    "cut off or damaged",
)
refuses(
    "zip bomb",
    lambda: files.zip_bomb(60),
    "unpacks to more than 20 MB",
    limits=Limits(decompressed=20 * 10**6),
)
refuses(
    "zip that lies about its size",
    lambda: files.lying_zip(b"a,b\n" + b"1,2\n" * 5000, 100),
    "cut off or damaged",
)
refuses(
    "word document",
    lambda: files.zipped({"[Content_Types].xml": b"", "word/document.xml": b""}),
    "document of an office program",
)

# Excel
SHEET = [["a", "b"], [1, 2.5], [3, None], [5, 4.5]]
reads(
    "excel",
    lambda: files.xlsx({"s": SHEET}),
    {"a": [1, 3, 5], "b": [2.5, NAN, 4.5]},
    name="t.xlsx",
    used={"format": "excel", "member": "s"},
)
reads("excel renamed", lambda: files.xlsx({"s": SHEET}), {"a": [1, 3, 5], "b": [2.5, NAN, 4.5]})
reads(
    "excel with an empty first sheet",
    lambda: files.xlsx({"e": [], "t": SHEET}),
    {"a": [1, 3, 5], "b": [2.5, NAN, 4.5]},
    used={"member": "t"},
)
reads(
    "excel sheet by choice",
    lambda: files.xlsx({"s": SHEET, "t": [["u", "v"], [True, "x"]]}),
    {"u": [True], "v": ["x"]},
    member="t",
)
reads(
    "excel with errors and dates",
    lambda: files.xlsx(
        {"s": [["d", "b"], [pd.Timestamp("2024-01-31"), "#N/A"], [pd.Timestamp("2024-02-01"), 2]]}
    ),
    {"d": ["2024-01-31", "2024-02-01"], "b": [NAN, 2]},
)
reads(
    "excel without header",
    lambda: files.xlsx({"s": [[1, 2], [3, 4]]}),
    {"column 1": [1, 3], "column 2": [2, 4]},
)
refuses(
    "excel without the sheet",
    lambda: files.xlsx({"s": SHEET}),
    "no sheet 'z', only 's'",
    member="z",
)
refuses("excel of empty sheets", lambda: files.xlsx({"s": []}), "only empty sheets")
refuses("excel with XML entities", files.xlsx_with_entities, "holds XML entities")
refuses(
    "excel with too many cells",
    lambda: files.xlsx({"s": [[1, 2]] * 26}),
    "has more than 50 cells, the limit for Excel",
    limits=Limits(sheet_cells=50),
)
refuses(
    "excel that unpacks too far",
    lambda: files.xlsx({"s": SHEET}),
    "unpacks to more than 0 MB",
    limits=Limits(sheet_bytes=1000),
)
refuses(
    "excel with a far cell",
    files.xlsx_far_cell,
    "has 16,384 columns|fields|more than .* cells",
    limits=Limits(columns=1000),
)
refuses("excel cut off", lambda: files.xlsx({"s": SHEET})[:-40], "cut off or damaged")
refuses(
    "excel with broken XML",
    lambda: files.changed_zip(files.xlsx({"s": SHEET}), "xl/workbook.xml", lambda xml: xml[:-30]),
    "not a whole Excel workbook",
)

# Parquet
reads(
    "parquet",
    lambda: files.parquet(
        pd.DataFrame({"a": [1.5, NAN], "b": ["NA", None], "n": [True, False], "k": [1, 2]})
    ),
    {"a": [1.5, NAN], "b": ["NA", NAN], "n": [True, False], "k": [1, 2]},
    name="t.parquet",
    used={"format": "parquet"},
)
reads(
    "parquet with categories and dates",
    lambda: files.parquet(
        pd.DataFrame(
            {
                "c": pd.Categorical(["u", "v", "u"]),
                "d": pd.to_datetime(["2024-01-01"] * 3),
                "y": [1, 0, 1],
            }
        )
    ),
    lambda: pd.DataFrame(
        {
            "c": pd.Series(["u", "v", "u"], dtype="str"),
            "d": pd.to_datetime(["2024-01-01"] * 3).as_unit("us"),
            "y": [1, 0, 1],
        }
    ),
)
reads(
    "parquet with lists",
    lambda: files.parquet(pd.DataFrame({"l": [[1], [2]], "a": [1, 2]})),
    {"a": [1, 2]},
    notes="'l' hold nested",
)
reads(
    "parquet with an index",
    lambda: files.parquet(pd.DataFrame(PLAIN, index=pd.Index([0, 1])), index=True),
    PLAIN,
)
refuses(
    "parquet without rows",
    lambda: files.parquet(pd.DataFrame({"a": pd.Series([], dtype=float)})),
    "1 column but no rows",
)
refuses("parquet cut off", lambda: files.parquet(pd.DataFrame(PLAIN))[:-9], "not a whole Parquet")
refuses(
    "parquet with too many cells",
    lambda: files.parquet(pd.DataFrame({"a": range(101)})),
    "101 rows of 1 columns, and the limit is 100",
    limits=Limits(cells=100),
)
refuses(
    "parquet of one text repeated",
    lambda: files.parquet(pd.DataFrame({"a": ["x" * 10_000] * 500})),
    "unpacks to more than 1 MB",
    limits=Limits(decompressed=10**6),
)

# LIBSVM
reads(
    "libsvm",
    "1 1:0.5 3:2\n-1 2:1 # note\n1\n",
    {"x1": [0.5, 0, 0], "x2": [0.0, 1, 0], "x3": [2.0, 0, 0], "label": [1, -1, 1]},
    name="t.libsvm",
    used={"format": "libsvm", "label": "label"},
)
reads(
    "libsvm renamed",
    "+1 1:0.5 2:2\n-1 2:1\n",
    {"x1": [0.5, 0], "x2": [2.0, 1], "label": [1, -1]},
    name="a1a.txt",
)
reads(
    "libsvm from zero",
    "1 0:0.5 1:2\n0 1:1\n",
    {"x0": [0.5, 0], "x1": [2.0, 1], "label": [1, 0]},
    notes="begin at 0",
)
refuses("libsvm out of order", "1 3:1 2:1\n-1 1:1\n", "ascending indices", name="t.svm")
refuses("libsvm too wide", "1 1:1 60000:1\n-1 1:1\n", "60,000 columns and the limit is 50,000")
refuses(
    "libsvm with an endless index", "1 99999999999999999999:1\n", "index .* too large", name="t.svm"
)
refuses("libsvm that is not", "a,b\n1,2\n", "no `index:value` pairs", name="t.svm")

# MATLAB
X, Y = np.array([[1.0, 2.5], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 1, 1])
XY = {"x1": [1.0, 3, 5], "x2": [2.5, 4, 6]}
reads(
    "matlab",
    lambda: files.mat(X=X, y=Y[:, None]),
    {**XY, "y": [0, 1, 1]},
    name="t.mat",
    used={"format": "mat", "member": "X", "label": "y"},
)
reads("matlab uncompressed", lambda: files.mat(False, X=X, y=Y[None]), {**XY, "y": [0, 1, 1]})
reads(
    "matlab with text",
    lambda: files.mat(fea=X, gnd=np.array(["u", "v", "v"], dtype=object)),
    {**XY, "gnd": ["u", "v", "v"]},
)
reads("matlab sparse", lambda: files.mat(X=sparse.csc_array(X), y=Y), {**XY, "y": [0, 1, 1]})
reads(
    "matlab with a structure",
    lambda: files.mat(X=X, info={"by": "us"}),
    XY,
    notes="'info' are structures",
)
reads("matlab variable by choice", lambda: files.mat(A=X, B=X[:, :1] @ X[:1]), XY, member="A")
refuses(
    "matlab without the variable", lambda: files.mat(A=X), "no matrix 'B', only 'A'", member="B"
)
refuses(
    "matlab 7.3",
    b"MATLAB 7.3 MAT-file, Platform".ljust(512) + b"\x89HDF\r\n\x1a\n",
    "MATLAB 7.3 file.*save -v7",
    name="t.mat",
)
refuses("hdf5", b"\x89HDF\r\n\x1a\n" + bytes(64), "HDF5 or MATLAB 7.3", name="t.mat")
refuses("matlab structures only", lambda: files.mat(s={"a": X}), "no plain matrix, only 's'")
refuses("matlab nested deeply", lambda: files.mat_nested(4000), "no plain matrix")
refuses(
    "matlab larger than its data",
    lambda: files.mat_claiming((2**31 - 1, 2**31 - 1)),
    "cut off or damaged .a matrix larger than its data",
)
refuses(
    "matlab bomb",
    lambda: files.mat_bomb(60),
    "unpacks to more than 20 MB",
    limits=Limits(decompressed=20 * 10**6),
)
reads(
    "matlab of bytes, truth values and padded text",
    lambda: files.mat(
        X=np.array([[1, 2], [3, 4]], dtype=np.uint8), y=np.array([True, False]), t=["ab", "c"]
    ),
    {"x1": [1, 3], "x2": [2, 4], "y": [1, 0], "t": ["ab", "c"]},
)
refuses("matlab of complex numbers", lambda: files.mat(X=X * 1j), "no plain matrix, only 'X'")
refuses("matlab cut off", lambda: files.mat(X=X)[:-20], "cut off or damaged")
refuses("not matlab", "a,b\n1,2\n", "not a MATLAB 5 file", name="t.mat")

# NumPy
reads(
    "npz",
    lambda: files.npz(X=X, y=Y),
    {**XY, "y": [0, 1, 1]},
    name="t.npz",
    used={"format": "npz", "member": "X"},
)
reads(
    "npz with names and text",
    lambda: files.npz(data=X, target=np.array(["u", "v", "v"]), feature_names=np.array(["p", "q"])),
    {"p": XY["x1"], "q": XY["x2"], "target": [*"uvv"]},
)
reads("npy", lambda: files.npy(X), XY, name="t.npy")
reads(
    "npz of images",
    lambda: files.npz(x_train=np.arange(12).reshape(3, 2, 2), y_train=Y),
    {"x1": [0, 4, 8], "x2": [1, 5, 9], "x3": [2, 6, 10], "x4": [3, 7, 11], "y_train": [0, 1, 1]},
    notes="each sample was flattened",
)
reads("npz of a sparse matrix", lambda: files.sparse_npz(sparse.csr_array(X)), XY)
reads(
    "npy of records",
    lambda: files.npy(np.array([(1, 2.5), (3, 4.0)], [("a", "i4"), ("b", "f4")])),
    {"a": [1, 3], "b": [2.5, 4.0]},
)
reads(
    "npz with objects beside",
    lambda: files.npz(X=X, y=Y, o=np.array([files.Trap()], dtype=object)),
    {**XY, "y": [0, 1, 1]},
    notes="'o' hold Python objects",
)
refuses(
    "npz of objects",
    lambda: files.npz(X=np.array([[files.Trap()]], dtype=object)),
    "only arrays of Python objects",
)
refuses(
    "npy of objects",
    lambda: files.npy(np.array([files.Trap()], dtype=object)),
    "an array of Python objects",
    name="t.npy",
)
refuses(
    "npy larger than its bytes", lambda: files.npy_claiming((10**9, 10**9)), "cut off or damaged"
)
refuses("npy nested deeply", lambda: files.npy_claiming("(" * 50), "cut off or damaged")
refuses(
    "npy with a header cut in",
    lambda: files.npy(X).replace(b", 'shape': (3,", b"", 1),
    "cut off or damaged",
)
refuses(
    "npz bomb",
    lambda: files.npz(X=np.zeros((3000, 1000))),
    "unpacks to more than 20 MB",
    limits=Limits(decompressed=20 * 10**6),
)
refuses("npz without a matrix", lambda: files.npz(y=Y), "no matrix of numbers")
refuses("npz cut off", lambda: files.npz(X=X)[:-25], "cut off or damaged")
refuses("npy cut off", lambda: files.npy(X)[:-3], "cut off or damaged")
refuses(
    "sparse npz with wild indices",
    lambda: files.npz(
        format=b"csr",
        shape=np.array([2, 2]),
        data=np.ones(2),
        indices=np.array([0, 10**6]),
        indptr=np.array([0, 1, 2]),
    ),
    "sparse matrix in .* is damaged",
)

SENTENCE = re.compile(r"[^\n\r]{20,600}\.", re.S)
