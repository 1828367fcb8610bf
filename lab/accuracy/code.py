"""The code of the accuracy page."""

from __future__ import annotations

import pprint
from functools import lru_cache

from lab.accuracy import Spec
from lab.accuracy.specs import UploadSpec


@lru_cache(maxsize=256)
def snippet(spec: Spec) -> str:
    """A script that runs the sweep of this view and prints its table."""
    content = pprint.pformat(spec.as_dict(), width=88, sort_dicts=False)
    own = isinstance(getattr(spec, "data", None), UploadSpec)
    data = _OWN_DATA if own else ""
    argument = ", data=(X, y)" if own else ""
    return f"""\
from lab.accuracy import from_dict, run_trial, summarise
from lab.accuracy.summary import table
{data}
spec = from_dict(
    {content.replace(chr(10), chr(10) + "    ")}
)
print(spec.protocol.in_words())

# Trials are independent: run them in any order, or in parallel.
results = {{trial: run_trial(spec, trial{argument}) for trial in spec.trials()}}
columns = table(spec, summarise(spec, results))
print(*columns, sep=" | ")
for row in zip(*columns.values()):
    print(*row, sep=" | ")
"""


_OWN_DATA = """
import pandas as pd

rows = pd.read_csv("your_file.csv").dropna()
X = rows.drop(columns="label").to_numpy(dtype=float)
y = rows["label"].astype(str).to_numpy(dtype=str)
"""
