"""A table on its side is turned before it is read, and a workbook's table is its largest sheet."""

import io

import numpy as np
import pandas as pd
from openpyxl import Workbook

from lab.tables import ReadOptions, read_table


def sideways(separator: str) -> bytes:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((20, 12)).round(3)).astype(str)
    frame.columns = [f"s{k}" for k in range(12)]
    frame.insert(0, "gene", [f"G{k}" for k in range(20)])
    frame.loc[20] = ["class", *["tumour", "normal"] * 6]
    return frame.to_csv(index=False, sep=separator).encode()


def test_rows_become_columns_and_numbers_stay_numbers():
    data = sideways(";")
    table = read_table(data, "t.csv", ReadOptions(transposed=True))
    assert table.names == ("gene", *(f"G{k}" for k in range(20)), "class")
    assert table.options.label == "class" and table.n_rows == 12
    assert table.frame["G3"].dtype == float and table.frame["gene"][2] == "s2"
    assert "turned" in table.notes[0]
    plain = read_table(data, "t.csv")
    assert float(plain.frame["s4"][7]) == table.frame["G7"][4]


def test_reading_again_with_the_options_of_the_table_gives_the_same_table():
    data = sideways("\t")
    table = read_table(data, "t.tsv", ReadOptions(transposed=True))
    again = read_table(data, "t.tsv", table.options)
    assert again.frame.equals(table.frame) and again.options == table.options


def test_the_sheet_with_the_table_is_read_rather_than_the_first():
    book = Workbook()
    cover = book.active
    cover.title = "Cover"
    for line in ("Trial 7", "made by the ward", *(f"note {k}" for k in range(60))):
        cover.append([line])
    sheet = book.create_sheet("Data")
    sheet.append(["a", "b", "class"])
    for k in range(10):
        sheet.append([k * 0.5, 3 - k, "xy"[k % 2]])
    out = io.BytesIO()
    book.save(out)
    table = read_table(out.getvalue(), "trial.xlsx")
    assert table.options.member == "Data" and table.names == ("a", "b", "class")
    assert read_table(out.getvalue(), "trial.xlsx", ReadOptions(member="Cover")).n_rows > 50
