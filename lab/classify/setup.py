"""What is to be learnt from a table: which columns, in which folds, with which preprocessing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from lab.tables import Table
from solvers.models import MISSING, category_text

METHODS = {"esvm": "E-SVM", "logistic": "exclusive logistic"}
PROTOCOLS = {"ordinary": "ordinary K-fold", "inverted": "inverted K-fold"}
TUNINGS = {"hand": "by hand", "cv": "by cross-validation"}
GROUPINGS = {
    "random": "random",
    "prefix": "by first word of the name",
    "correlation": "by correlation",
    "source": "by source column",
    "file": "from a file",
}

MOST_CATEGORIES = 100
MOST_ENCODED_FEATURES = 50_000
MOST_CLASSES = 50
MOST_CELLS = 2 * 10**7


class SetupError(ValueError):
    """Why this table cannot be learnt from as asked: what, where, and how to mend it."""


@dataclass(frozen=True)
class ClassifySpec:
    """All that decides a fit, given the table.

    `features` are the columns to learn from, `categorical` those of them that are categories.
    `alpha` and `beta` (E-SVM) or `lam` (exclusive logistic) hold where `tuning` is "hand".
    `n_groups` of None is the recommended number; `group_lists` are those of an uploaded file.
    """

    label: str
    features: tuple[str, ...]
    categorical: tuple[str, ...] = ()
    positive: str | None = None
    grouping: str = "random"
    n_groups: int | None = None
    group_lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    method: str = "esvm"
    tuning: str = "hand"
    alpha: float = 1.0
    beta: float = 10.0
    lam: float = 10.0
    n_folds: int = 5
    protocol: str = "ordinary"
    seed: int = 0
    standardise: bool = True

    def __post_init__(self):
        for name, known in (
            ("method", METHODS),
            ("protocol", PROTOCOLS),
            ("tuning", TUNINGS),
            ("grouping", GROUPINGS),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}.")

    @cached_property
    def digest(self) -> str:
        """A short name for these settings, the same in every process."""
        return self._digest_of(field.name for field in fields(self))

    @cached_property
    def data_digest(self) -> str:
        """The same for what `prepare` depends on."""
        return self._digest_of(("label", "features", "categorical", "positive", "standardise"))

    @cached_property
    def grouping_digest(self) -> str:
        """The same for what the groups depend on besides."""
        chosen = self._digest_of(("grouping", "n_groups", "group_lists", "seed"))
        return f"{self.data_digest}{chosen}"

    def _digest_of(self, names) -> str:
        content = repr([(name, getattr(self, name)) for name in names])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Column:
    """A column to learn from; `categories` is None for numbers."""

    name: str
    categories: tuple[str, ...] | None = None

    @property
    def feature_names(self) -> tuple[str, ...]:
        if self.categories is None:
            return (self.name,)
        return tuple(f"{self.name} = {category}" for category in self.categories)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as numbers: samples × columns with NaN for what is missing, and class codes y.

    Columns of numbers come first. A column of categories holds positions in its list. `rows` are
    the places of the samples in the table, of which those without a label were left out.
    """

    X: np.ndarray
    y: np.ndarray
    classes: tuple
    columns: tuple[Column, ...]
    rows: np.ndarray
    standardise: bool

    @property
    def n_samples(self) -> int:
        return self.X.shape[0]

    @cached_property
    def n_numbers(self) -> int:
        return sum(column.categories is None for column in self.columns)

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

    @property
    def class_counts(self) -> np.ndarray:
        return np.bincount(self.y, minlength=len(self.classes))


def categorical_among(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold no numbers."""
    kinds = table.frame.dtypes
    texts = {name for name, kind in kinds.items() if not pd.api.types.is_numeric_dtype(kind)}
    return tuple(name for name in names if name in texts)


def prepare(table: Table, spec: ClassifySpec) -> Prepared:
    """The columns that a spec names, as numbers. Rows without a label are left out.

    Nothing is estimated here: filling gaps and scaling belong to each fold (`preprocessor`). The
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
    labels = table.column(spec.label)
    rows = np.flatnonzero(labels.notna().to_numpy())
    classes, y = _class_codes(labels.iloc[rows], spec.positive)
    categorical = set(spec.categorical)
    numbers = [name for name in features if name not in categorical]
    blocks = [_number_block(table, numbers)[rows]]
    columns = [Column(name) for name in numbers]
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
    )
    if prepared.n_features > MOST_ENCODED_FEATURES:
        raise SetupError(
            f"the columns make {prepared.n_features:,} features, and the limit is "
            f"{MOST_ENCODED_FEATURES:,}; leave out columns with many categories."
        )
    return prepared


def preprocessor(prepared: Prepared) -> ColumnTransformer:
    """Medians for gaps, then zero mean and unit variance; an indicator for each category.

    To be fitted on the training rows of a fold only.
    """
    n_numbers = prepared.n_numbers
    parts = []
    if n_numbers:
        steps = [SimpleImputer(strategy="median", keep_empty_features=True)]
        if prepared.standardise:
            steps.append(StandardScaler())
        parts.append(("numbers", make_pipeline(*steps), slice(0, n_numbers)))
    categories = [
        np.arange(len(column.categories), dtype=float) for column in prepared.columns[n_numbers:]
    ]
    if categories:
        encoder = OneHotEncoder(categories=categories, handle_unknown="ignore", sparse_output=False)
        parts.append(("categories", encoder, slice(n_numbers, len(prepared.columns))))
    return ColumnTransformer(parts)


def folds(prepared: Prepared, spec: ClassifySpec) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training and test rows of each fold, stratified; the inverted protocol swaps the two."""
    problem = setup_problem(prepared, spec)
    if problem:
        raise SetupError(problem)
    split = StratifiedKFold(spec.n_folds, shuffle=True, random_state=spec.seed)
    pairs = list(split.split(prepared.X, prepared.y))
    return [(test, train) for train, test in pairs] if spec.protocol == "inverted" else pairs


def setup_problem(prepared: Prepared, spec: ClassifySpec) -> str:
    """Why these rows cannot be split and learnt from, in one sentence; empty if they can."""
    counts = prepared.class_counts
    if len(counts) < 2:
        only = f" ({prepared.classes[0]!r})" if len(counts) else ""
        return (
            f"the label {spec.label!r} has one class only{only}; choose a column with at least two."
        )
    if len(counts) > MOST_CLASSES:
        return (
            f"the label {spec.label!r} has {len(counts)} different values, more than "
            f"{MOST_CLASSES}; choose a column of classes, or put its values into bins first."
        )
    smallest = int(np.argmin(counts))
    if counts[smallest] < spec.n_folds:
        fewest = int(counts[smallest])
        mend = (
            f"use {fewest} folds, or leave that class out"
            if fewest >= 2
            else "leave that class out, or find more rows of it"
        )
        return (
            f"class {prepared.classes[smallest]!r} has {fewest} "
            f"row{'s' if fewest != 1 else ''}, fewer than the {spec.n_folds} folds; {mend}."
        )
    return ""


def usual_positive(table: Table, label: str) -> str | None:
    """Of two classes the one that counts as positive unless another is chosen."""
    classes, _ = _class_codes(table.column(label).dropna(), None)
    return str(classes[1]) if len(classes) == 2 else None


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
    classes = sorted(set(cells))
    if len(classes) == 2 and positive is not None and str(classes[0]) == positive:
        classes.reverse()
    places = {value: place for place, value in enumerate(classes)}
    return tuple(classes), np.array([places[cell] for cell in cells], dtype=int)


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
