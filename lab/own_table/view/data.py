"""The table: a sample or the visitor's file, how it is read, and which columns are used."""

from __future__ import annotations

import streamlit as st

from lab import ui, words
from lab.own_table.samples import SAMPLES
from lab.own_table.spec import TARGETS
from lab.own_table.view import addressed
from lab.own_table.view.bounds import draw_bounds
from lab.own_table.view.controls import (
    HUBER,
    NOBODY,
    SHOWN_ROWS,
    TARGET_KEYS,
    subjects_of,
)
from lab.own_table.view.examined import Examined, Source, Survey, target_problem
from lab.own_table.view.reading import chosen_options, draw_preview, draw_reading_options
from lab.tables import TableError
from lab.ui.own_tables import FILE_TYPES, MOST_LISTED, draw_label, read_upload
from lab.ui.uploads import Choices, upload

SHOWN_COLUMNS = 20
MOST_REASONS = 3


@st.cache_resource(show_spinner=False, max_entries=8)
def sample_table(key: str):
    return SAMPLES[key].table()


def read_own_file(view):
    """The visitor's table, or None with a word on what is missing or wrong."""
    file = upload(
        "csv",
        "Your table, up to 50 MB; it stays in this session and is never stored",
        types=FILE_TYPES,
        help="CSV or TSV (also .gz, .zip), Excel, Parquet, LIBSVM, MATLAB 5, NumPy; no pickle.",
    )
    asked = addressed.asked_for(view, None if file is None else file.digest)
    if file is None:
        st.markdown(asked or "Upload a table above, or choose one of the samples.")
        return None, None, None
    if asked:
        st.caption(asked)
    if st.session_state.get("csv_uploader") is None:
        # The uploader has forgotten it, after a reload for instance.
        name = words.in_markdown(file.name)
        st.caption(f"In force: **{name}**, from before; another upload takes its place.")
    choices = Choices("csv_", file.digest)
    addressed.follow_reading(view, choices, file.digest)
    options = chosen_options(choices)
    # Another way of reading has other columns, so each remembers a label of its own.
    inside = choices.within(repr(options))
    try:
        addressed.follow(view, inside, file.digest, read_upload(file, None, options))
        table = read_upload(file, inside.get("label", None), options)
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_reading_options(choices, error.members, None)
        draw_preview(error.preview)
        return None, None, None
    return file.name, table, inside


def draw_data(view, source: Source, now: Examined) -> None:
    table, sample, seen = source.table, source.sample, now.seen
    st.markdown(
        f"{words.in_markdown(source.name)}: {table.n_rows:,} rows, {len(seen.names):,} columns."
        + (f" {sample.about}" if sample else "")
    )
    draw_health(view, source, now)
    if now.case is None:
        draw_fewer_folds(view, source, seen)
    left, right = st.columns([1, 2.2])
    with left:
        draw_target(view, source, now)
        draw_left_out(source, seen)
        draw_bounds(source.choices, source.label, now.columns.features, now.case)
    with right:
        draw_columns(seen.reports)
    draw_first_rows(table, seen.names)
    if sample is None:
        for note in table.notes:
            st.caption(words.in_markdown(note, 300))
        with st.expander("Reading options"):
            draw_reading_options(source.choices.of_file(), table.members, table.options)
            draw_preview(table.preview)


def land_on_columns(view, table) -> None:
    """After an upload one looks at label and columns first, unless a link asked for another tab."""
    if st.session_state.get("_csv_landed") == table.digest:
        return
    st.session_state["_csv_landed"] = table.digest
    if view["tab"] == view.defaults["tab"]:
        view.set({"tab": "Data"})


def draw_health(view, source: Source, now: Examined) -> None:
    """Each doubt in a line, with its remedy at the right."""
    for finding in now.doubts:
        said, button = st.columns([5, 1], vertical_alignment="center")
        said.warning(words.in_markdown(finding.sentence, 400))
        if finding.button:
            button.button(
                finding.button,
                key=f"csv_remedy_{finding.kind}",
                on_click=apply_remedy,
                args=(finding, view, source, now.seen),
                width="stretch",
            )


def draw_fewer_folds(view, source: Source, seen: Survey) -> None:
    """Where a class has fewer members than there are folds, as many folds as it allows."""
    forced, folds = TARGET_KEYS[view["target"]], int(view["folds"])

    def fits(n_folds: int) -> bool:
        problem = target_problem(source.table, source.label, n_folds, forced, seen.target)
        return problem is None

    fewer = next((n for n in range(folds, 1, -1) if fits(n)), folds)
    if fewer < folds:
        st.button(
            f"Use {fewer} folds",
            key="csv_fewer_folds",
            on_click=view.set,
            args=({"folds": fewer},),
            help="So that every fold has a member of every class.",
        )


def apply_remedy(finding, view, source: Source, seen: Survey) -> None:
    choices, label = source.choices, source.label
    if finding.remedy == "leave out":
        leave_out(source, seen, finding.columns)
    elif finding.remedy == "categories":
        old = tuple(choices.get(f"as_categories {label}", ()))
        choices.set(f"as_categories {label}", [*old, *finding.columns])
    elif finding.remedy == "together":
        choices.set(f"subjects {label}", finding.columns[0])
    elif finding.remedy == "distinct":
        choices.set(f"distinct {label}", True)
    elif finding.remedy == "log":
        choices.set(f"logs {label}", list(finding.columns))
    elif finding.remedy == "huber":
        view.set({"number_method": HUBER})
    elif finding.remedy == "turn":
        choices.of_file().set("transposed", True)


def leave_out(source: Source, seen: Survey, columns) -> None:
    choices, label = source.choices, source.label
    if len(seen.names) > MOST_LISTED:
        typed = choices.get(f"left_out_typed {label}", "")
        choices.set(f"left_out_typed {label}", "\n".join([*typed.splitlines(), *columns]))
        return
    usual = [report.name for report in seen.reports if not report.use]
    old = choices.get(f"left_out {label}", None)
    choices.set(f"left_out {label}", [*(usual if old is None else old), *columns])


def draw_target(view, source: Source, now: Examined) -> None:
    """What to predict, as what, and which rows belong together."""
    choices, seen, case = source.choices, now.seen, now.case
    label = draw_label(choices, source.table)
    looks = "" if view["target"] != "As it looks" else f" It looks like {TARGETS[seen.target]}."
    view.select(
        "target",
        "Predict it as",
        tuple(TARGET_KEYS),
        help=f"Classes, a number or a count; what it looks like is a guess.{looks}",
    )
    if case is not None and len(case.prepared.classes) == 2:
        draw_positive(choices, case.prepared, label)
    names = [name for name in seen.names if name != label]
    if len(names) <= MOST_LISTED:
        chosen = subjects_of(choices, label)
        choices.draw(
            st.selectbox,
            f"subjects {label}",
            "Keep together in folds",
            (NOBODY, *names),
            default=NOBODY if chosen is None else chosen,
            help="Rows with one value of this column, those of a patient for instance, are never "
            "both in training and in test.",
        )
    if choices.get(f"distinct {label}", False):
        choices.draw(
            st.checkbox,
            f"distinct {label}",
            "One of each repeated row",
            default=True,
            help="Copies with different labels are left out altogether.",
        )
    if choices.get(f"logs {label}", ()):
        choices.draw(
            st.multiselect,
            f"logs {label}",
            "Logarithms of",
            [report.name for report in seen.reports if report.kind == "numeric"],
            default=[],
            help="log(1 + x) takes the place of x.",
        )


def draw_left_out(source: Source, seen: Survey) -> None:
    choices, label, reports = source.choices, source.label, seen.reports
    unused = [report.name for report in reports if not report.use]
    if len(seen.names) <= MOST_LISTED:
        every = [report.name for report in reports]
        choices.draw(
            st.multiselect,
            f"left_out {label}",
            "Columns left out",
            every,
            default=unused,
            help="By default identifiers, dates, constants, prose and what tells the label.",
        )
        numeric = [report.name for report in reports if report.kind in ("numeric", "binary")]
        choices.draw(
            st.multiselect,
            f"as_categories {label}",
            "Numbers that are categories",
            numeric,
            default=[],
            help="Codes whose order means nothing. Text is taken as categories anyway.",
        )
    else:
        choices.draw(
            st.text_area,
            f"left_out_typed {label}",
            "Columns left out, one name a line",
            default="",
            help="Besides those left out by themselves.",
        )
    if unused:
        st.caption(left_out_sentence([report for report in reports if not report.use]))


def left_out_sentence(reports) -> str:
    """What was left out by itself; of a few the reason too, whole, which a cell may cut off."""
    itself = "itself" if len(reports) == 1 else "themselves"
    if len(reports) > MOST_REASONS:
        named = words.listed_in_markdown([report.name for report in reports])
        return f"Left out by {itself}: {named}."
    told = (
        f"{words.in_markdown(report.name)} ({words.in_markdown(report.reason.rstrip('.'), 200)})"
        for report in reports
    )
    return f"Left out by {itself}: {'; '.join(told)}."


def draw_columns(reports) -> None:
    shown = reports[:SHOWN_ROWS]
    st.dataframe(
        {
            "column": [report.name for report in shown],
            "kind": [report.kind for report in shown],
            "used": [report.use for report in shown],
            "missing": [report.n_missing for report in shown],
            "why": [report.reason for report in shown],
        },
        height=330,
        hide_index=True,
        column_config={
            "kind": st.column_config.Column(width=90),
            "used": st.column_config.Column(width=60),
            "missing": st.column_config.Column(width=70),
            "why": st.column_config.Column(width=380),
        },
        alt="What each column is and whether it is used",
    )
    if len(reports) > SHOWN_ROWS:
        st.caption(f"The first {SHOWN_ROWS} of {len(reports):,} columns.")


def draw_first_rows(table, names) -> None:
    first = table.frame.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS]
    st.dataframe(
        first.set_axis(range(1, len(first) + 1)),
        height=230,
        alt="The first rows and columns of the table",
    )
    if len(names) > SHOWN_COLUMNS:
        st.caption(f"{SHOWN_COLUMNS} of {len(names):,} columns, up to {SHOWN_ROWS} rows.")
    st.download_button(
        "Table (CSV)",
        lambda: table.frame.to_csv(index=False).encode("utf-8", "surrogatepass"),
        file_name="table.csv",
        mime="text/csv",
        on_click="ignore",
        key="csv_table",
        help="The table as it was read, for scripts: whatever its format was, pandas reads this.",
    )


def draw_positive(choices: Choices, prepared, label) -> None:
    texts = sorted(str(name) for name in prepared.classes)
    choices.draw(
        st.selectbox,
        f"positive {label}",
        "Class that counts as positive",
        texts,
        default=str(prepared.classes[1]),
        help="F1, AUC and the sign of the weights are those of this class.",
    )
