"""The code of the accuracy page."""

from __future__ import annotations

import pprint
from functools import lru_cache

from lab.accuracy import Fig2dSpec, Spec, WhenSpec
from lab.accuracy.specs import UploadSpec


@lru_cache(maxsize=256)
def snippet(spec: Spec) -> str:
    """A script that runs the sweep of this view and prints its means and paired differences."""
    content = pprint.pformat(spec.as_dict(), width=88, sort_dicts=False)
    own = isinstance(getattr(spec, "data", None), UploadSpec)
    data = _OWN_DATA if own else ""
    argument = ", data=(X, y)" if own else ""
    name = {Fig2dSpec: "m", WhenSpec: getattr(spec, "quantity", "")}.get(type(spec))
    place = f'f"{name}={{cell.place}} "' if name else '""'
    return f"""\
from lab.accuracy import LABELS, from_dict, run_trial, summarise
{data}
spec = from_dict(
    {content.replace(chr(10), chr(10) + "    ")}
)
print(spec.protocol.in_words())

# Trials are independent: run them in any order, or in parallel.
results = {{trial: run_trial(spec, trial{argument}) for trial in spec.trials()}}
for cell in summarise(spec, results):
    line = {place} + f"{{LABELS[cell.method]}}: {{cell.accuracy.mean:.4f}}"
    if cell.difference is not None:
        line += f", minus SVM {{cell.difference.mean:+.4f}} ± {{cell.difference.half:.4f}}"
    if cell.lead is not None:
        line += f", minus {{LABELS[cell.rival]}}, the best other, {{cell.lead.mean:+.4f}}"
    print(line)
"""


_OWN_DATA = """
import pandas as pd

table = pd.read_csv("your_file.csv").dropna()
X = table.drop(columns="label").to_numpy(dtype=float)
y = table["label"].astype(str).to_numpy(dtype=str)
"""
