"""Files to take home: tables as CSV, figures as self-contained HTML, scripts that run elsewhere."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lab.drawing import Figure
from lab.words import listed

# A spreadsheet runs a cell that begins like this as a formula; some know the full-width signs too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
# Where lists are separated by semicolons, a spreadsheet begins a new cell in the middle of a text.
_FORMULA_INSIDE = re.compile(r"(?<=[;\t\r\n])(?=\s*[=+@＝＋＠-])")


def csv_bytes(columns: Mapping[str, Sequence], spec: Mapping[str, Any] | None = None) -> bytes:
    """Columns of one length as a CSV; `spec` repeats a view's settings in a column each.

    Text that a spreadsheet would run as a formula is preceded by an apostrophe; numbers are
    written so that they read back exactly.
    """
    columns = {name: np.asarray(values) for name, values in columns.items()}
    length = {values.shape[0] for values in columns.values()}
    if len(length) > 1:
        raise ValueError(f"columns of a table must have one length, got {sorted(length)}.")
    n_rows = length.pop() if length else 0
    for name, value in (spec or {}).items():
        columns[f"setting: {name}"] = np.full(n_rows, value)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([inert(name) for name in columns])
    # tolist() gives Python's numbers, whose text is the shortest that reads back the same.
    writer.writerows(
        [inert(value) for value in row]
        for row in zip(*(values.tolist() for values in columns.values()), strict=True)
    )
    return out.getvalue().encode("utf-8")


def inert(value: Any) -> Any:
    """The value, with text made harmless to spreadsheets; numbers and None are left alone."""
    if not isinstance(value, str) or _is_number(value):
        return value
    value = _FORMULA_INSIDE.sub("'", value)
    return f"'{value}" if value.lstrip(" ").startswith(FORMULA_STARTS) else value


def figure_html(figure: Figure, *, title: str, spec: Mapping[str, Any]) -> bytes:
    """A figure as one HTML file that needs no network, with the settings it was made with.

    The file is a white page whatever the reader's theme: hand over a figure drawn for the light.
    """
    settings = html.escape(json.dumps(dict(spec), ensure_ascii=False, default=str))
    body = (
        Figure(figure)
        .update_layout(template="plotly_white")
        .to_html(include_plotlyjs=True, full_html=False)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title></head><body>\n{body}\n"
        f"<p><code>{settings}</code></p>\n</body></html>\n"
    ).encode()


# What `pip install .` brings.
_INSTALLED = {"solvers", "numpy", "scipy", "sklearn"}
# What pandas imports on use.
_READERS = {"pd.read_excel(": "openpyxl", "pd.read_parquet(": "pyarrow"}


def script(code: str) -> str:
    """The code of a view, preceded by how to install what it imports."""
    imported = dict.fromkeys(re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE))
    needs = [name for name in imported if name not in sys.stdlib_module_names]
    if not needs:
        return code
    needs += [reader for call, reader in _READERS.items() if call in code]
    if "lab" in needs:
        how = (
            "# Save it in the top folder of a checkout of Exclusive sparsity, and install there:\n"
            "#     pip install -r requirements.txt"
        )
    else:
        more = "".join(f" {name}" for name in needs if name not in _INSTALLED)
        how = (
            "# Install them in a checkout of Exclusive sparsity; the script then runs anywhere:\n"
            f"#     pip install .{more}"
        )
    return f"# This script needs {listed(needs)}.\n{how}\n\n{code}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
