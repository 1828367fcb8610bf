"""What the page can be set to, and the spec that the settings make."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from lab.own_table import constraints, group_files
from lab.own_table.samples import SAMPLES
from lab.own_table.spec import METHODS_OF, TableSpec
from lab.own_table.view import desk
from lab.tables import NamedLists, TableError
from lab.ui.address import ANYTHING
from lab.ui.uploads import Choices, held_upload

OWN_FILE = "Your file"
GROUP_SLOT = "csv_groups"
WEIGHT_SLOT = "csv_weights_file"
SAMPLE_BY_TITLE = {sample.title: sample for sample in SAMPLES.values()}
TABS = ("Data", "Groups", "Fit and compare", "See", "Take home")
STRENGTHS = ("0.01", "0.03", "0.1", "0.3", "1", "3", "10", "30", "100", "300", "1000")
GROUP_COUNTS = ("recommended", *map(str, (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100, 200)))
METHOD_KEYS = {"E-SVM": "esvm", "Exclusive logistic": "logistic"}
HUBER = "Exclusive Huber"
NUMBER_METHOD_KEYS = {
    "Usual": None,
    "Exclusive lasso": "lasso",
    HUBER: "huber",
    "Exclusive Poisson": "poisson",
}
TUNING_KEYS = {"Automatic": "auto", "By hand": "hand"}
AS_IT_LOOKS = "As it looks"
TARGET_KEYS = {
    AS_IT_LOOKS: None,
    "Classes": "classes",
    "A number": "quantity",
    "A count": "counts",
}
WEIGHT_KEYS = {
    AS_IT_LOOKS: None,
    "Every row alike": "none",
    "Every class alike": "balanced",
}
AS_JUDGED = "As judged"
PRICES = ("0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100")
PROTOCOL_KEYS = {"Ordinary K-fold": "ordinary", "Inverted K-fold": "inverted"}
GROUPING_KEYS = {
    "Random": "random",
    "First word of the name": "prefix",
    "Correlation": "correlation",
    "Source column": "source",
    "A file": "file",
    "Second header": "header",
}
METRIC_KEYS = {
    AS_JUDGED: None,
    "Accuracy": "accuracy",
    "Balanced": "balanced_accuracy",
    "F1": "f1",
    "ROC AUC": "roc_auc",
    "Explained deviance": "d2",
    "R²": "r2",
    "RMSE": "rmse",
    "MAE": "mae",
}
DEFAULTS = {
    "data": SAMPLES["breast_cancer"].title,
    "tab": "Fit and compare",
    "grouping": "Random",
    "groups": "recommended",
    "method": "E-SVM",
    "number_method": "Usual",
    "target": AS_IT_LOOKS,
    "weights": AS_IT_LOOKS,
    "tuning": "Automatic",
    "alpha": "1",
    "beta": "10",
    "lam": "10",
    "folds": 5,
    "protocol": "Ordinary K-fold",
    "seed": 0,
    "standardise": True,
    "metric": AS_JUDGED,
    "wrong": True,
    "curve": "ROC",
    "threshold": 0,
    "price": "1",
    "path_at": "10",
    "row": 1,
    "keep": False,
    "choices": "",
}
CURVES = ("ROC", "Precision and recall", "Calibration")

# Settings count in every tab, drawn or not.
LIMITS = {
    "tab": TABS,
    "grouping": GROUPING_KEYS,
    "groups": GROUP_COUNTS,
    "method": METHOD_KEYS,
    "number_method": NUMBER_METHOD_KEYS,
    "target": TARGET_KEYS,
    "weights": WEIGHT_KEYS,
    "tuning": TUNING_KEYS,
    "alpha": STRENGTHS,
    "beta": STRENGTHS,
    "lam": STRENGTHS,
    "folds": range(2, 11),
    "protocol": PROTOCOL_KEYS,
    "seed": range(10_000),
    "standardise": (True, False),
    "metric": METRIC_KEYS,
    "wrong": (True, False),
    "curve": CURVES,
    "threshold": range(100),
    "price": PRICES,
    "path_at": STRENGTHS,
    "row": range(1, 100_000),
    "keep": (True, False),
    "choices": ANYTHING,
}


SHOWN_ROWS = 200


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _lists_of(digest: str, name: str, features, _data: bytes) -> NamedLists:
    return group_files.read_groups(_data, name, features)


def uploaded_lists(features: tuple[str, ...]) -> NamedLists:
    """The groups of the uploaded file, empty without one; `TableError` if it cannot be read."""
    file = held_upload(GROUP_SLOT)
    return () if file is None else _lists_of(file.digest, file.name, features, file.data)


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _constraints_of(digest: str, name: str, _data: bytes):
    return constraints.read_constraints(_data, name)


def uploaded_constraints() -> tuple[constraints.Weights, constraints.Signs]:
    """Those of the uploaded file, empty without one; `TableError` if it cannot be read."""
    file = held_upload(WEIGHT_SLOT)
    return ((), ()) if file is None else _constraints_of(file.digest, file.name, file.data)


def chosen_constraints(choices: Choices, label: str, columns: Columns):
    """Weights and signs by name: what the file says, and over it what was chosen by hand."""
    weights, signs = (), ()
    # What is wrong with the file is said beside its uploader.
    with contextlib.suppress(TableError):
        weights, signs = uploaded_constraints()
    held = dict(weights) | dict.fromkeys(choices.get(f"covariates {label}", ()), 0.0)
    told = dict(signs) | dict.fromkeys(choices.get(f"at_least {label}", ()), 1)
    told |= dict.fromkeys(choices.get(f"at_most {label}", ()), -1)
    known, categorical = set(columns.features), set(columns.categorical)

    def here(name: str) -> bool:
        return name in known or name.split(" = ")[0] in categorical

    return (
        tuple((name, value) for name, value in held.items() if here(name)),
        tuple((name, value) for name, value in told.items() if here(name)),
    )


@dataclass(frozen=True)
class Columns:
    """The columns to learn from; `doubtful` where one is among them that would be left out.

    `subjects` is the column whose rows stay together, which is none of them.
    """

    features: tuple[str, ...]
    categorical: tuple[str, ...]
    doubtful: bool
    subjects: str | None

    @cached_property
    def told_apart(self) -> int:
        """A number for this choice of columns: a wide table has too many to compare every time."""
        return hash((self.features, self.categorical, self.subjects))


NOBODY = "(every row by itself)"


def subjects_of(choices: Choices, label: str) -> str | None:
    """The column whose rows stay together in folds, where one was chosen."""
    chosen = choices.get(f"subjects {label}", NOBODY)
    return None if chosen in (NOBODY, label) else chosen


def chosen_columns(table_key, label: str, choices: Choices, reports, texts) -> Columns:
    listed = choices.get(f"left_out {label}", None)
    chosen = (
        label,
        None if listed is None else tuple(listed),
        choices.get(f"left_out_typed {label}", ""),
        tuple(choices.get(f"as_categories {label}", ())),
        subjects_of(choices, label),
    )
    # A wide table has tens of thousands of columns, so they are not walked through in every run.
    return desk.kept("columns", (table_key, chosen), lambda: _columns_of(reports, texts, *chosen))


def _columns_of(
    reports, texts, label: str, listed, typed: str, as_categories, subjects: str | None
) -> Columns:
    unused = {report.name for report in reports if not report.use}
    left_out = unused if listed is None else set(listed)
    left_out = left_out | {line.strip() for line in typed.splitlines()} | {label, subjects}
    features = tuple(report.name for report in reports if report.name not in left_out)
    categorical = tuple(name for name in features if name in texts or name in as_categories)
    return Columns(features, categorical, not unused.isdisjoint(features), subjects)


def number_method(view, target: str) -> str:
    """The model of numbers that was chosen, or the first that suits the target."""
    chosen = NUMBER_METHOD_KEYS[view["number_method"]]
    return chosen if chosen in METHODS_OF[target] else METHODS_OF[target][0]


def chosen_spec(view, label: str, choices: Choices, columns: Columns, seen) -> TableSpec:
    """What the controls ask for, those of closed tabs included.

    `seen` is the survey of the table: the target as it looks, the usual positive class, shares.
    """
    target = seen.target
    positive = choices.get(f"positive {label}", None)
    lists: NamedLists = ()
    grouping = GROUPING_KEYS[view["grouping"]]
    if grouping == "header":
        lists = seen.groups
    elif grouping == "file":
        # What is wrong with the file is said beside its uploader.
        with contextlib.suppress(TableError):
            lists = uploaded_lists(columns.features)
    logs = set(choices.get(f"logs {label}", ()))
    classes = target == "classes"
    feature_weights, signs = chosen_constraints(choices, label, columns)
    weights = WEIGHT_KEYS[view["weights"]]
    if weights is None:
        weights = "balanced" if seen.unbalanced else "none"
    return TableSpec(
        label=label,
        features=columns.features,
        categorical=columns.categorical,
        # A control that was merely drawn says the same as one that was not.
        positive=None if not classes or positive == seen.usual_positive else positive,
        target=target,
        subjects=columns.subjects,
        distinct=bool(choices.get(f"distinct {label}", False)),
        logs=tuple(name for name in columns.features if name in logs),
        grouping=grouping,
        n_groups=None if view["groups"] == "recommended" else int(view["groups"]),
        group_lists=lists,
        method=METHOD_KEYS[view["method"]] if classes else number_method(view, target),
        tuning=TUNING_KEYS[view["tuning"]],
        alpha=float(view["alpha"]),
        beta=float(view["beta"]),
        lam=float(view["lam"]),
        class_weight=weights if classes else "none",
        n_folds=int(view["folds"]),
        protocol=PROTOCOL_KEYS[view["protocol"]],
        seed=int(view["seed"]),
        standardise=bool(view["standardise"]),
        signs=signs,
        feature_weights=feature_weights,
    )
