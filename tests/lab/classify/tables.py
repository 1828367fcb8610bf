"""Small tables for the tests of `lab.classify`."""

import numpy as np
import pandas as pd

from lab.classify.setup import ClassifySpec, categorical_among
from lab.tables import ReadOptions, Table, column_report


def table_of(frame: pd.DataFrame, label: str) -> Table:
    return Table(frame, ReadOptions(label=label), (), "0" * 64)


def mixed_table(n_rows: int = 60, seed: int = 0) -> Table:
    """Numbers with gaps, two categorical columns, one of them with gaps, and two classes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 4))
    colour = rng.choice(["red", "green", "blue"], n_rows)
    y = X[:, 0] - X[:, 1] + (colour == "red") + 0.5 * rng.standard_normal(n_rows) > 0
    frame = pd.DataFrame(X, columns=["a_one", "a_two", "b_one", "b_two"])
    frame.loc[::7, "a_two"] = np.nan
    frame["colour"] = colour
    frame["shape"] = pd.Series(rng.choice(["round", "long", ""], n_rows)).replace("", np.nan)
    frame["class"] = np.where(y, "yes", "no")
    return table_of(frame, "class")


def default_columns(table: Table, label: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns worth learning from, and those of them that are categories."""
    useful = [report.name for report in column_report(table, label) if report.use]
    return tuple(useful), categorical_among(table, useful)


def spec_of(table: Table, **changes) -> ClassifySpec:
    features, categorical = default_columns(table, table.options.label)
    parts = {"label": table.options.label, "features": features, "categorical": categorical}
    return ClassifySpec(**{**parts, **changes})
