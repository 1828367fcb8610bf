"""Files to take home: numbers read back exactly, text is inert in spreadsheets and browsers."""

import io
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import exports


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_numbers_read_back_exactly(numbers):
    header, *rows = exports.csv_bytes({"x": numbers}).decode().splitlines()
    assert header == "x"
    assert [float(row) for row in rows] == numbers


def test_settings_are_repeated_in_every_row():
    table = exports.csv_bytes({"x": np.arange(2)}, {"seed": 3, "lam": "0.1"}).decode()
    assert table.splitlines() == ["x,setting: seed,setting: lam", "0,3,0.1", "1,3,0.1"]


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\r=1", "|x", "%x", " =1+1", "＝1+1"]
)
def test_formulas_are_neutralised_in_cells_and_headers(text):
    frame = pd.read_csv(io.BytesIO(exports.csv_bytes({text: [text]})), lineterminator="\n")
    assert frame.columns[0].startswith("'") and frame.iloc[0, 0].startswith("'")


@pytest.mark.parametrize("text", ["a;=1+1", "a; @SUM(A1)", "a\n=1", "a\t-b"])
def test_formulas_after_another_separator_are_neutralised(text):
    inert = exports.inert(text)
    assert inert.replace("'", "") == text
    assert not re.search(r"[;\t\r\n]\s*[=+@-]", inert)


@pytest.mark.parametrize("value", ["-1.5", "+3", "1e-3", "-inf", -2, 0.5, None, "plain"])
def test_harmless_values_are_left_alone(value):
    assert exports.inert(value) == value


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="one length"):
        exports.csv_bytes({"a": [1, 2], "b": [1]})


def test_figure_file_needs_no_network_and_escapes_its_settings():
    figure = go.Figure(go.Scatter(y=[1, 2]), layout={"title": {"text": "</script><b>"}})
    page = exports.figure_html(figure, title="<x>", spec={"name": "<script>alert(1)</script>"})
    text = page.decode()
    assert "<title>&lt;x&gt;</title>" in text
    assert "<script>alert(1)" not in text and "</script><b>" not in text
    assert "src=" not in text.split("</head>")[0] and len(text) > 1_000_000


def test_a_script_says_how_to_install_what_it_imports():
    own = exports.script("import math\nimport numpy as np\n\nfrom solvers import Groups\n")
    assert own.startswith("# This script needs numpy and solvers.\n")
    assert "#     pip install .\n" in own and own.endswith("from solvers import Groups\n")
    more = exports.script("import numpy as np\nimport pandas as pd\nfrom solvers.norms import x\n")
    assert "needs numpy, pandas and solvers." in more and "#     pip install . pandas\n" in more
    for reader, package in (("read_excel", "openpyxl"), ("read_parquet", "pyarrow")):
        table = exports.script(f"import pandas as pd\n\ntable = pd.{reader}(FILE)\n")
        assert f"needs pandas and {package}." in table
        assert f"#     pip install . pandas {package}\n" in table
    assert exports.script("import math\n") == "import math\n"
    inside = exports.script("from lab.tables import read_table\nfrom solvers import Groups\n")
    assert "top folder of a checkout" in inside and "pip install -r requirements.txt\n" in inside
