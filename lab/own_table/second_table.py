"""Another table under the same model: does it fit, has it drifted, how good is the model on it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from lab.own_table.case import Case
from lab.own_table.fits import judged, scores_of
from lab.own_table.scores import faultless
from lab.own_table.setup import repeats_tell, row_codes
from lab.tables import Table
from solvers.model_file import LinearModel, NumberInput, category_text

FAR = 3.0  # standard deviations of the rows fitted to


@dataclass(frozen=True)
class Drift:
    """A column whose centre or spread is far from that of the rows fitted to.

    `shift` is in standard deviations of those rows, `stretch` the ratio of the spreads.
    """

    column: str
    shift: float
    stretch: float
    weight: float


def drifts(model: LinearModel, table: Table) -> list[Drift]:
    """Columns that have drifted, those with the largest weight first; scaled inputs only."""
    found = []
    held = set(table.names)
    for each in model.inputs:
        if not isinstance(each, NumberInput) or each.name not in held or not any(each.weights):
            continue
        values = pd.to_numeric(table.column(each.name), errors="coerce").to_numpy(dtype=float)
        values = values[np.isfinite(values)]
        if values.size < 2 or each.scale == 1.0:
            continue
        unit = (values - each.centre) / each.scale
        shift, stretch = float(np.median(unit)), float(np.std(unit))
        if abs(shift) > FAR or stretch > FAR or (values.size >= 10 and stretch < 1.0 / FAR**2):
            weight = float(np.max(np.abs(each.weights)))
            found.append(Drift(each.name, shift, stretch, weight))
    return sorted(found, key=lambda drift: -drift.weight)


def drift_sentence(found: Sequence[Drift], n_columns: int) -> str:
    """What has drifted, in a sentence; empty where nothing has."""
    if not found:
        return ""
    worst = max(found, key=lambda drift: max(abs(drift.shift), drift.stretch))
    how = (
        f"its middle is {abs(worst.shift):,.1f} standard deviations "
        f"{'above' if worst.shift > 0 else 'below'} that of the rows fitted to"
        if abs(worst.shift) >= worst.stretch
        else f"its spread is {worst.stretch:,.1f} times that of the rows fitted to"
    )
    have = "has" if len(found) == 1 else "have"
    return (
        f"{len(found):,} of {n_columns:,} columns with a weight {have} drifted; most of all "
        f"'{worst.column}': {how}. Are the units the same?"
    )


def suggestions(missing: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """For each missing column the one of the table that is probably meant."""
    plain = {_plain(name): name for name in names}
    found = {}
    for name in missing:
        wanted = _plain(name)
        if wanted in plain:
            found[name] = plain[wanted]
            continue
        near = difflib.get_close_matches(wanted, list(plain), n=1, cutoff=0.8)
        if near:
            found[name] = plain[near[0]]
    return found


def renamed(table: Table, names: dict[str, str]) -> Table:
    """The table with its columns under the names that the model knows (model's name → table's)."""
    back = {theirs: ours for ours, theirs in names.items()}
    return replace(table, frame=table.frame.rename(columns=back))


def identifiers(table: Table, unused: Sequence[str]) -> tuple[str, ...]:
    """Columns that name rows: every value different, none of them used by the model."""
    found = []
    for name in unused:
        if name not in table.frame:
            continue
        column = table.frame[name]
        whole = pd.api.types.is_integer_dtype(column.dtype)
        text = not pd.api.types.is_numeric_dtype(column.dtype)
        if (whole or text) and column.notna().all() and column.is_unique:
            found.append(name)
    return tuple(found[:3])


@dataclass(frozen=True)
class External:
    """Scores on rows of another table that carry the label; `n_strange` had an unknown class.

    `n_known` of the rows are in the first table too.
    """

    metrics: dict[str, float]
    n_rows: int
    n_strange: int
    guess: float
    low: float
    high: float
    n_known: int = 0


def external_scores(model: LinearModel, table: Table, case: Case) -> External | None:
    """How good the model is on these rows, where they say the truth; None where they do not.

    The interval is that of the judged score over 400 resamples of the rows (bootstrap), and where
    none went wrong Clopper and Pearson's.
    """
    label = case.spec.label
    if label not in table.names:
        return None
    column = table.column(label)
    frame = pd.DataFrame({name: table.column(name) for name in model.needed})
    known = column.notna().to_numpy()
    decision = model.decision_function(frame)
    if not case.is_classes:
        values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
        kept = np.flatnonzero(np.isfinite(values))
        y, strange = values[kept], 0
    else:
        places = {category_text(name): k for k, name in enumerate(model.classes)}
        codes = np.array([places.get(category_text(value), -1) for value in column])
        kept = np.flatnonzero(known & (codes >= 0))
        y, strange = codes[kept], int(np.count_nonzero(known & (codes < 0)))
    if kept.size < 2:
        return None
    decision = decision[kept]
    metrics = scores_of(case.prepared, decision, y, case.prepared.y)
    random = np.random.default_rng(0)
    again = []
    for _ in range(400):
        rows = random.integers(0, y.size, y.size)
        again.append(judged(case.prepared, case.metric, decision[rows], y[rows], case.prepared.y))
    low, high = np.nanpercentile(again, [2.5, 97.5])
    if case.is_classes and metrics[case.metric] == 1.0:
        # No resample has an error that the rows have not.
        low = faultless(case.metric, np.bincount(y))
    if not case.is_classes:
        guess = 0.0
    elif case.metric == "accuracy":
        guess = float(np.mean(y == np.argmax(case.prepared.class_counts)))
    else:
        guess = 1.0 / len(model.classes)
    n_known = int(np.count_nonzero(_rows_of_first(model, table, case)[kept]))
    return External(metrics, int(y.size), strange, guess, float(low), float(high), n_known)


def _rows_of_first(model: LinearModel, table: Table, case: Case) -> np.ndarray:
    """Which rows have all that the model needs in common with a row of the first table.

    Of a few codes that repeat by nature none is said to.
    """
    numbers = {each.name for each in model.inputs if isinstance(each, NumberInput)}
    columns = {
        name: pd.concat([case.table.column(name), table.column(name)], ignore_index=True)
        for name in model.needed
    }
    frame = pd.DataFrame(
        {
            name: pd.to_numeric(column, errors="coerce") if name in numbers else column.astype(str)
            for name, column in columns.items()
        }
    )
    if not repeats_tell(frame):
        return np.zeros(table.n_rows, dtype=bool)
    codes = row_codes(frame)
    return np.isin(codes[case.table.n_rows :], codes[: case.table.n_rows])


def _plain(name: str) -> str:
    return "".join(letter for letter in str(name).casefold() if letter.isalnum())
