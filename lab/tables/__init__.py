"""Reading uploads into tables, and what a table can be used for."""

from .columns import (
    KINDS,
    ColumnReport,
    column_report,
    features_problem,
    unusable_problem,
)
from .decoding import ENCODINGS
from .errors import TableError
from .guesses import MISSING, is_number
from .labels import guess_label, label_problem
from .model import (
    DECIMALS,
    DELIMITERS,
    FORMATS,
    GUESS,
    LIMITS,
    NONE,
    QUOTES,
    THOUSANDS,
    Limits,
    NamedLists,
    ReadOptions,
    SparseColumns,
    Table,
)
from .reading import read_table

__all__ = [
    "DECIMALS",
    "DELIMITERS",
    "ENCODINGS",
    "FORMATS",
    "GUESS",
    "KINDS",
    "LIMITS",
    "MISSING",
    "NONE",
    "QUOTES",
    "THOUSANDS",
    "ColumnReport",
    "Limits",
    "NamedLists",
    "ReadOptions",
    "SparseColumns",
    "Table",
    "TableError",
    "column_report",
    "features_problem",
    "guess_label",
    "is_number",
    "label_problem",
    "read_table",
    "unusable_problem",
]
