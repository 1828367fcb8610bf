"""What the controls make of the table on show: a case, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lab.own_table import health, setup, splits, targets
from lab.own_table.case import Case, make_groupings
from lab.own_table.health import Finding
from lab.own_table.samples import Sample
from lab.own_table.scores import usual_metric
from lab.own_table.setup import SetupError
from lab.own_table.spec import TableSpec
from lab.own_table.view import desk
from lab.own_table.view.controls import (
    HUBER,
    TARGET_KEYS,
    Columns,
    chosen_columns,
    chosen_spec,
)
from lab.tables import (
    ColumnReport,
    NamedLists,
    Table,
    column_report,
    features_problem,
    label_problem,
    unusable_problem,
)
from lab.ui.uploads import Choices


@dataclass(frozen=True)
class Source:
    """The table, the sample if it is one, and what was chosen about its columns."""

    name: str
    table: Table
    choices: Choices
    sample: Sample | None

    @property
    def token(self) -> str:
        return self.table.digest if self.sample is None else self.sample.key

    @property
    def label(self) -> str:
        return self.choices.get("label", self.table.options.label)


@dataclass(frozen=True)
class Survey:
    """What a table offers for a label; a wide one takes a while to walk through.

    `target` is the kind of the column to predict, as it looks or as it was forced to.
    """

    names: tuple[str, ...]
    reports: list[ColumnReport]
    texts: frozenset[str]
    target: str
    groups: NamedLists
    usual_positive: str | None
    unbalanced: bool


@dataclass(frozen=True)
class Examined:
    """The case that the controls make, or what is wrong with it; survey, doubts and columns."""

    case: Case | None
    problem: str | None
    seen: Survey
    doubts: list[Finding]
    columns: Columns


def examined(view, source: Source) -> Examined:
    table, choices, label = source.table, source.choices, source.label
    table_key = (table.digest, repr(table.options))
    forced, n_folds = TARGET_KEYS[view["target"]], int(view["folds"])
    of = (table_key, label, forced)
    seen = desk.kept("survey", of, lambda: survey(table, label, forced))
    columns = chosen_columns(table_key, label, choices, seen.reports, seen.texts)
    doubts = []
    if seen.reports:
        doubts = desk.kept(
            *("doubts", (of, columns.told_apart)),
            lambda: health_of(table, label, seen, columns),
        )
        doubts = unmended(doubts, view, choices, label)
    problem = desk.kept(
        *("problem", (of, n_folds)),
        lambda: target_problem(table, label, n_folds, forced, seen.target),
    )
    if problem is None and not columns.features:
        problem = unusable_problem(seen.reports)
    if problem is not None:
        return Examined(None, problem, seen, doubts, columns)
    spec = chosen_spec(view, label, choices, columns, seen)
    if columns.doubtful:
        problem = desk.kept(
            *("features", (table_key, columns.told_apart)),
            lambda: features_problem(table, spec.features),
        )
    if problem is None:
        try:
            case = made_case(source, table_key, spec)
            return Examined(case, None, seen, doubts, columns)
        except SetupError as error:
            problem = str(error)
    return Examined(None, problem, seen, doubts, columns)


def made_case(source: Source, table_key, spec: TableSpec) -> Case:
    """The table prepared and grouped as the spec says; `SetupError` says why it cannot be."""
    table = source.table
    prepared = desk.kept(
        *("prepared", (table_key, spec.data_digest)), lambda: setup.prepare(table, spec), most=4
    )
    problem = splits.setup_problem(prepared, spec)
    if problem:
        raise SetupError(problem)
    groupings = desk.kept(
        *("groupings", (table_key, spec.grouping_digest, spec.folds_digest)),
        lambda: make_groupings(prepared, spec),
    )
    return Case(source.name, table, spec, prepared, groupings, source.sample)


def survey(table, label: str, forced: str | None) -> Survey:
    names = table.names
    target = forced or targets.guess_target(table, label)
    reports = column_report(table, label) if label in names else []
    texts = frozenset(setup.categorical_among(table, names))
    positive, unbalanced = None, False
    if target == "classes" and label_problem(table, label, 2, ignore_missing=True) is None:
        positive = setup.usual_positive(table, label)
        counts = table.column(label).value_counts()
        unbalanced = usual_metric(target, counts.to_numpy()) == "balanced_accuracy"
    return Survey(names, reports, texts, target, table.groups, positive, unbalanced)


def target_problem(table, label: str, n_folds: int, forced: str | None, target: str) -> str | None:
    """Why the label cannot be learnt as this target in so many folds; None if it can."""
    if target != "classes":
        return targets.target_problem(table, label)
    problem = label_problem(table, label, n_folds, ignore_missing=True)
    if problem and forced is None and targets.target_problem(table, label) is None:
        return f"{problem.rstrip('.')}, or predict it as a number."
    return problem


def health_of(table, label: str, seen: Survey, columns: Columns) -> list[Finding]:
    """What is doubtful about the columns in use."""
    return health.examine(
        table,
        label,
        _as_used(seen.reports, columns),
        numeric_target=seen.target != "classes",
        subjects=columns.subjects,
    )


def _as_used(reports, columns):
    """The reports with `use` as the visitor has it: what is left out cannot leak."""
    names = set(columns.features)
    categorical = set(columns.categorical)
    return [
        replace(
            report,
            use=report.name in names,
            kind="categorical"
            if report.name in categorical and report.kind == "numeric"
            else report.kind,
        )
        for report in reports
    ]


def unmended(found, view, choices: Choices, label: str):
    """Without what the visitor has seen to."""
    done = {"outliers"} if view["number_method"] == HUBER else set()
    if choices.get(f"distinct {label}", False):
        done.add("duplicates")
    if choices.get(f"logs {label}", ()):
        done.add("counts")
    return [finding for finding in found if finding.kind not in done]
