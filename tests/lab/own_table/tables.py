"""Small tables for the tests of `lab.own_table`."""

from dataclasses import replace

import numpy as np
import pandas as pd

from lab.own_table import fits
from lab.own_table.case import Case, make_groupings
from lab.own_table.setup import categorical_among, prepare
from lab.own_table.spec import TableSpec
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


def spec_of(table: Table, **changes) -> TableSpec:
    features, categorical = default_columns(table, table.options.label)
    parts = {"label": table.options.label, "features": features, "categorical": categorical}
    return TableSpec(**{**parts, **changes})


def case_of(table: Table, name: str = "table.csv", **changes) -> Case:
    """An analysis that nothing is known of yet."""
    label = changes.pop("label", table.options.label)
    table = replace(table, options=replace(table.options, label=label))
    spec = spec_of(table, **changes)
    prepared = prepare(table, spec)
    return Case(name, table, spec, prepared, make_groupings(prepared, spec))


def run(case: Case, key: str, fold: int | None):
    return fits.run(case.prepared, case.spec, case.groupings, key, fold)


def fitted_case(table: Table, **changes) -> Case:
    """An analysis with our own model, on all rows and in every fold; by hand unless told."""
    case = case_of(table, **{"n_folds": 3, "tuning": "hand", **changes})
    return case.knowing(outcomes=tuple(run(case, *each) for each in fits.own_work(case.spec)))


def number_table(n_rows: int = 60, seed: int = 0) -> Table:
    """Six features, two of which make the number to predict."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 6))
    frame = pd.DataFrame(X, columns=["a_one", "a_two", "b_one", "b_two", "c_one", "c_two"])
    frame["y"] = 3.0 * X[:, 0] - 2.0 * X[:, 3] + 0.5 * rng.standard_normal(n_rows)
    return table_of(frame, "y")


def subjects_table(n_subjects: int = 20, each: int = 4, seed: int = 0) -> Table:
    """Rows of a patient are nearly alike and have one label, which has nothing to do with them."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(n_subjects), each)
    X = rng.standard_normal((n_subjects, 2))[who] + 0.1 * rng.standard_normal((who.size, 2))
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["patient"] = [f"P{i:03d}" for i in who]
    label = rng.permutation(np.repeat(["ill", "well"], n_subjects // 2))
    frame["state"] = label[who]
    return table_of(frame, "state")
