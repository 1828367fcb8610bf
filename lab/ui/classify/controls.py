"""What the page can be set to, and the spec that the settings make."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import streamlit as st

from lab.classify import groupings, setup
from lab.classify.samples import SAMPLES
from lab.tables import ReadOptions, TableError, read_table
from lab.ui import View, memory
from lab.ui.uploads import Choices, held_upload

OWN_FILE = "Your file"
GROUP_SLOT = "csv_groups"
SAMPLE_BY_TITLE = {sample.title: sample for sample in SAMPLES.values()}
TABS = ("Data", "Groups", "Fit and compare", "See", "Take home")
STRENGTHS = ("0.01", "0.03", "0.1", "0.3", "1", "3", "10", "30", "100", "300", "1000")
GROUP_COUNTS = ("recommended", *map(str, (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100, 200)))
METHOD_KEYS = {"E-SVM": "esvm", "Exclusive logistic": "logistic"}
TUNING_KEYS = {"By hand": "hand", "By cross-validation": "cv"}
PROTOCOL_KEYS = {"Ordinary K-fold": "ordinary", "Inverted K-fold": "inverted"}
GROUPING_KEYS = {
    "Random": "random",
    "First word of the name": "prefix",
    "Correlation": "correlation",
    "Source column": "source",
    "A file": "file",
}
METRIC_KEYS = {"Accuracy": "accuracy", "Balanced": "balanced_accuracy", "F1": "f1"}
METRIC_KEYS |= {"ROC AUC": "roc_auc"}
DEFAULTS = {
    "data": SAMPLES["breast_cancer"].title,
    "tab": "Fit and compare",
    "grouping": "Random",
    "groups": "recommended",
    "method": "E-SVM",
    "tuning": "By hand",
    "alpha": "1",
    "beta": "10",
    "lam": "10",
    "folds": 5,
    "protocol": "Ordinary K-fold",
    "seed": 0,
    "standardise": True,
    "metric": "Accuracy",
    "wrong": True,
    "curve": "ROC",
}
CURVES = ("ROC", "Precision and recall")

# What an address may say; controls of a closed tab are not drawn, so nobody else would read it.
CHOICES = {
    "grouping": GROUPING_KEYS,
    "groups": GROUP_COUNTS,
    "method": METHOD_KEYS,
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
}


def adopt_address(view: View) -> None:
    """Remember what a link says about controls that this run will not draw."""
    for name, choices in CHOICES.items():
        text = st.query_params.get(view.key(name))
        found = next((value for value in choices if _as_text(value) == text), None)
        if found is not None and found != DEFAULTS[name]:
            memory.of_page(view.prefix)[view.key(name)] = found


def _as_text(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SHOWN_ROWS = 200


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _lists_of(digest: str, name: str, _data: bytes) -> groupings.NamedLists:
    pairs = read_table(_data, name, ReadOptions(missing=("",)))
    if len(pairs.names) < 2:
        raise TableError("The group file needs two columns: a feature and a group.")
    return groupings.lists_from_pairs(*(pairs.column(column) for column in pairs.names[:2]))


def uploaded_lists() -> groupings.NamedLists:
    """The groups of the uploaded file, empty without one; `TableError` if it cannot be read."""
    file = held_upload(GROUP_SLOT)
    return () if file is None else _lists_of(file.digest, file.name, file.data)


@dataclass(frozen=True)
class Columns:
    """The columns to learn from; `doubtful` where one is among them that would be left out."""

    features: tuple[str, ...]
    categorical: tuple[str, ...]
    doubtful: bool


def chosen_columns(table_key, label: str, choices: Choices, reports, texts) -> Columns:
    listed = choices.get(f"left_out {label}", None)
    return _columns_of(
        *table_key,
        label,
        None if listed is None else tuple(listed),
        choices.get(f"left_out_typed {label}", ""),
        tuple(choices.get(f"as_categories {label}", ())),
        reports,
        texts,
    )


# A wide table has tens of thousands of columns, so they are not walked through in every run.
@st.cache_resource(scope="session", max_entries=16, show_spinner=False)
def _columns_of(
    digest: str, options: str, label: str, listed, typed: str, as_categories, _reports, _texts
) -> Columns:
    unused = {report.name for report in _reports if not report.use}
    left_out = unused if listed is None else set(listed)
    left_out = left_out | {line.strip() for line in typed.splitlines()} | {label}
    features = tuple(report.name for report in _reports if report.name not in left_out)
    categorical = tuple(name for name in features if name in _texts or name in as_categories)
    return Columns(features, categorical, not unused.isdisjoint(features))


def chosen_spec(
    view, label: str, choices: Choices, columns: Columns, usual_positive: str | None
) -> setup.ClassifySpec:
    """What the controls ask for, those of closed tabs included."""
    positive = choices.get(f"positive {label}", None)
    lists: groupings.NamedLists = ()
    if GROUPING_KEYS[view["grouping"]] == "file":
        # What is wrong with the file is said beside its uploader.
        with contextlib.suppress(TableError):
            lists = uploaded_lists()
    return setup.ClassifySpec(
        label=label,
        features=columns.features,
        categorical=columns.categorical,
        # A control that was merely drawn says the same as one that was not.
        positive=None if positive == usual_positive else positive,
        grouping=GROUPING_KEYS[view["grouping"]],
        n_groups=None if view["groups"] == "recommended" else int(view["groups"]),
        group_lists=lists,
        method=METHOD_KEYS[view["method"]],
        tuning=TUNING_KEYS[view["tuning"]],
        alpha=float(view["alpha"]),
        beta=float(view["beta"]),
        lam=float(view["lam"]),
        n_folds=int(view["folds"]),
        protocol=PROTOCOL_KEYS[view["protocol"]],
        seed=int(view["seed"]),
        standardise=bool(view["standardise"]),
    )
