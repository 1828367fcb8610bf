"""A table as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

from lab.own_table.scores import usual_metric
from lab.own_table.spec import TableSpec
from lab.tables import Table
from solvers.model_file import MISSING, category_text

MOST_CATEGORIES = 100
MOST_ENCODED_FEATURES = 50_000
MOST_CELLS = 2 * 10**7


class SetupError(ValueError):
    """Why this table cannot be learnt from as asked: what, where, and how to mend it."""


@dataclass(frozen=True)
class Column:
    """A column to learn from; `categories` is None for numbers, `log` where log(1 + x) is taken."""

    name: str
    categories: tuple[str, ...] | None = None
    log: bool = False

    @property
    def feature_names(self) -> tuple[str, ...]:
        if self.categories is None:
            return (self.name,)
        return tuple(f"{self.name} = {category}" for category in self.categories)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as numbers: samples × columns with NaN for what is missing, and the target y.

    y holds class codes, or numbers where `target` is no classes (then `classes` is empty). Columns
    of numbers come first. A column of categories holds positions in its list. `rows` are the places
    of the samples in the table, of which those without a label were left out. `subjects` says
    whose each row is, where rows of one stay together.
    """

    X: np.ndarray
    y: np.ndarray
    classes: tuple
    columns: tuple[Column, ...]
    rows: np.ndarray
    standardise: bool
    target: str = "classes"
    subjects: np.ndarray | None = None

    @property
    def n_samples(self) -> int:
        return self.X.shape[0]

    @cached_property
    def n_numbers(self) -> int:
        return sum(column.categories is None for column in self.columns)

    @cached_property
    def n_incomplete(self) -> int:
        """Rows with a gap among their numbers."""
        return int(np.isnan(self.X[:, : self.n_numbers]).any(axis=1).sum())

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(name for column in self.columns for name in column.feature_names)

    @cached_property
    def sources(self) -> np.ndarray:
        """For each encoded feature, the position of the column it comes from."""
        counts = [len(column.feature_names) for column in self.columns]
        return np.repeat(np.arange(len(self.columns)), counts)

    @property
    def n_features(self) -> int:
        return len(self.feature_names)

    @cached_property
    def class_counts(self) -> np.ndarray:
        if self.target != "classes":
            return np.zeros(0, dtype=int)
        return np.bincount(self.y, minlength=len(self.classes))

    def judged_by(self, spec: TableSpec) -> str:
        """The score that tunes, tests and heads the analysis."""
        return spec.metric or usual_metric(self.target, self.class_counts)


def categorical_among(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold no numbers."""
    kinds = table.frame.dtypes
    texts = {name for name, kind in kinds.items() if not pd.api.types.is_numeric_dtype(kind)}
    return tuple(name for name in names if name in texts)


def prepare(table: Table, spec: TableSpec) -> Prepared:
    """The columns that a spec names, as numbers. Rows without a label are left out.

    Nothing is estimated here: filling gaps and scaling belong to each fold (`encoding`). The
    list of a column's categories is that of the whole table, so that all folds have the same
    features; one that a fold does not train on gets no weight there.
    """
    held = set(table.names)
    if spec.label not in held:
        raise SetupError(f"there is no column {spec.label!r}; choose the label among the columns.")
    features = [name for name in spec.features if name != spec.label]
    if not features:
        raise SetupError("there is no column to learn from; choose at least one feature.")
    unknown = next((name for name in features if name not in held), None)
    if unknown is not None:
        raise SetupError(f"there is no column {unknown!r}; choose features among the columns.")
    rows = _kept_rows(table, spec, features)
    labels = table.column(spec.label).iloc[rows]
    if spec.target == "classes":
        classes, y = _class_codes(labels, spec.positive)
    else:
        classes, y = (), _target_numbers(labels, spec.label)
    categorical = set(spec.categorical)
    numbers = [name for name in features if name not in categorical]
    columns = [Column(name, log=name in spec.logs) for name in numbers]
    blocks = [_logs_of(_number_block(table, numbers)[rows], columns)]
    for name in features:
        if name in categorical:
            column, codes = _category_codes(table.column(name).iloc[rows], name)
            columns.append(column)
            blocks.append(codes[:, None])
    prepared = Prepared(
        np.ascontiguousarray(np.hstack(blocks)),
        y,
        classes,
        tuple(columns),
        rows,
        spec.standardise,
        spec.target,
        _subject_codes(table, spec, rows),
    )
    if prepared.n_features > MOST_ENCODED_FEATURES:
        raise SetupError(
            f"the columns make {prepared.n_features:,} features, and the limit is "
            f"{MOST_ENCODED_FEATURES:,}; leave out columns with many categories."
        )
    return prepared


def usual_positive(table: Table, label: str) -> str | None:
    """Of two classes the one that counts as positive unless another is chosen."""
    classes, _ = _class_codes(table.column(label).dropna(), None)
    return str(classes[1]) if len(classes) == 2 else None


def class_names(table: Table, label: str) -> tuple[str, ...]:
    """The classes in the order of their names."""
    classes, _ = _class_codes(table.column(label).dropna(), None)
    return tuple(sorted(map(str, classes)))


_NEGATIVE = frozenset(
    (
        *("no", "n", "nein", "non", "nej", "false", "f", "0", "negative", "neg", "negativ"),
        *("control", "controls", "ctrl", "kontrolle", "normal", "healthy", "gesund", "well"),
        *("benign", "absent", "none", "never", "wt", "wildtype", "wild-type", "alive", "survived"),
        "low",
    )
)
_POSITIVE = frozenset(
    (
        *("yes", "y", "ja", "oui", "si", "true", "t", "1", "positive", "pos", "positiv", "case"),
        *("cases", "tumor", "tumour", "cancer", "malignant", "disease", "diseased", "ill", "sick"),
        *("krank", "patient", "present", "mutant", "dead", "died", "high"),
    )
)


def _positive_of(classes: Sequence, counts: Sequence[int]) -> int:
    """The place of what one looks for: what is not "no", what is "yes", or what is rarer."""
    if not isinstance(classes[0], str):
        return 1  # of two numbers the larger
    words = [str(name).strip().casefold() for name in classes]
    for place in (0, 1):
        other = words[1 - place]
        if other in _NEGATIVE and words[place] not in _NEGATIVE:
            return place
        if words[place] in _POSITIVE and other not in _POSITIVE:
            return place
    return 0 if counts[0] < counts[1] else 1


def _class_codes(labels: pd.Series, positive: str | None) -> tuple[tuple, np.ndarray]:
    """Classes in order, the positive one of two last, and each row's place among them."""
    values = labels.tolist()
    whole = all(
        isinstance(value, (int, float, np.number))
        and not isinstance(value, (bool, np.bool_))
        and float(value).is_integer()
        for value in values
    )
    cells = [int(value) for value in values] if whole else [category_text(v) for v in values]
    counts = Counter(cells)
    classes = sorted(counts)
    if len(classes) == 2:
        names = [str(name) for name in classes]
        if positive in names:
            last = names.index(positive)
        else:
            last = _positive_of(classes, [counts[name] for name in classes])
        classes = [classes[1 - last], classes[last]]
    places = {value: place for place, value in enumerate(classes)}
    return tuple(classes), np.array([places[cell] for cell in cells], dtype=int)


def _target_numbers(labels: pd.Series, label: str) -> np.ndarray:
    if not pd.api.types.is_numeric_dtype(labels.dtype):
        raise SetupError(f"{label!r} holds no numbers; predict its classes, or choose another.")
    values = labels.to_numpy(dtype=float)
    if np.isinf(values).any():
        raise SetupError(
            f"{label!r} holds infinite values; correct them, or choose another column."
        )
    return values


def repeats_tell(frame: pd.DataFrame) -> bool:
    """Whether rows that are the same are copies: a few codes repeat by nature."""
    return frame.shape[1] >= 8 or any(pd.api.types.is_float_dtype(kind) for kind in frame.dtypes)


def row_codes(frame: pd.DataFrame) -> np.ndarray:
    """A number for each row, the same for rows whose cells are the same, gaps among them."""
    kinds = [pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    numbers = frame.loc[:, kinds].to_numpy(dtype=float, na_value=np.nan)
    texts = frame.loc[:, [not kind for kind in kinds]]
    codes = [pd.factorize(texts.iloc[:, j])[0] for j in range(texts.shape[1])]
    block = np.column_stack([np.where(np.isnan(numbers), np.inf, numbers), *codes])
    rows = np.ascontiguousarray(block + 0.0)  # −0 and 0 are one
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    return np.unique(whole, return_inverse=True)[1]


def _kept_rows(table: Table, spec: TableSpec, features: Sequence[str]) -> np.ndarray:
    """Rows with a label; of repeated ones the first, and none where copies have other labels."""
    labels = table.column(spec.label)
    known = labels.notna().to_numpy()
    if spec.distinct:
        frame = table.frame[[name for name in features if name in table.frame]]
        hashes = pd.Series(row_codes(frame))
        texts = labels.astype(str)
        first = ~hashes.duplicated()
        contradicted = texts.groupby(hashes).transform("nunique") > 1
        known = known & (first & ~contradicted).to_numpy()
    return np.flatnonzero(known)


def _subject_codes(table: Table, spec: TableSpec, rows: np.ndarray) -> np.ndarray | None:
    """Whose each row is; a row without a name is somebody of its own."""
    if spec.subjects is None:
        return None
    if spec.subjects not in table.names:
        raise SetupError(f"there is no column {spec.subjects!r} to keep rows together by.")
    codes, values = pd.factorize(table.column(spec.subjects).iloc[rows])
    strangers = np.flatnonzero(codes < 0)
    codes = codes.copy()
    codes[strangers] = len(values) + np.arange(strangers.size)
    return codes


def _logs_of(block: np.ndarray, columns: Sequence[Column]) -> np.ndarray:
    chosen = [j for j, column in enumerate(columns) if column.log]
    if not chosen:
        return block
    lowest = np.nanmin(block[:, chosen])
    if lowest < 0.0:
        name = columns[chosen[int(np.argmin(np.nanmin(block[:, chosen], axis=0)))]].name
        raise SetupError(f"column {name!r} has negative values, which have no logarithm.")
    block = block.copy()
    block[:, chosen] = np.log1p(block[:, chosen])
    return block


def _number_block(table: Table, names: Sequence[str]) -> np.ndarray:
    n_rows = len(table.frame)
    if not names:
        return np.empty((n_rows, 0))
    if n_rows * len(names) > MOST_CELLS:
        raise SetupError(
            f"{n_rows:,} rows of {len(names):,} columns are {n_rows * len(names):,} cells, and the "
            f"limit for fitting is {MOST_CELLS:,}; choose fewer features or rows."
        )
    try:
        block = table.matrix(names)
    except (TypeError, ValueError):
        for name in names:
            if not pd.api.types.is_numeric_dtype(table.column(name)):
                raise SetupError(
                    f"column {name!r} holds text; make it categorical, or leave it out."
                ) from None
        raise
    block = block.toarray() if sparse.issparse(block) else block
    infinite = np.argwhere(np.isinf(block))
    if infinite.size:
        row, column = infinite[0]
        raise SetupError(
            f"column {names[column]!r} is infinite in row {row + 1}; replace it by a number, leave "
            "it empty, or leave the column out."
        )
    return block


def _category_codes(cells: pd.Series, name: str) -> tuple[Column, np.ndarray]:
    texts = [category_text(value) for value in cells.tolist()]
    categories = sorted(set(texts), key=lambda text: (text == MISSING, text))
    if len(categories) > MOST_CATEGORIES:
        raise SetupError(
            f"column {name!r} has {len(categories)} categories, and the limit is "
            f"{MOST_CATEGORIES}; leave it out, or merge its rare ones."
        )
    places = {text: place for place, text in enumerate(categories)}
    return Column(name, tuple(categories)), np.array([places[text] for text in texts], dtype=float)
