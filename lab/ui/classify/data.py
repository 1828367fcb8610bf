"""The table: a sample or the visitor's file, how it is read, and which columns are used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from lab import ui
from lab.classify import groupings, setup, words
from lab.classify.samples import SAMPLES
from lab.tables import (
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    FORMATS,
    QUOTES,
    THOUSANDS,
    ColumnReport,
    ReadOptions,
    TableError,
    column_report,
    label_problem,
)
from lab.ui.classify.controls import SHOWN_ROWS
from lab.ui.own_tables import FILE_TYPES, MOST_LISTED, draw_label, read_upload
from lab.ui.uploads import Choices, upload

SHOWN_COLUMNS = 20


@st.cache_resource(show_spinner=False, max_entries=8)
def sample_table(key: str):
    return SAMPLES[key].table()


@dataclass(frozen=True)
class Survey:
    """What a table offers for a label; a wide one takes a while to walk through."""

    names: tuple[str, ...]
    reports: list[ColumnReport]
    texts: frozenset[str]
    problem: str | None
    usual_positive: str | None


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def survey(digest: str, options: str, label: str, n_folds: int, _table) -> Survey:
    names = _table.names
    reports = column_report(_table, label) if label in names else []
    texts = frozenset(setup.categorical_among(_table, names))
    problem = label_problem(_table, label, n_folds, ignore_missing=True)
    positive = None if problem else setup.usual_positive(_table, label)
    return Survey(names, reports, texts, problem, positive)


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def prepared_table(digest: str, options: str, spec: str, _table, _spec):
    return setup.prepare(_table, _spec)


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def grouped_features(digest: str, options: str, spec: str, _prepared, _spec):
    return groupings.group_features(_prepared, _spec)


# What the controls of `draw_reading_options` say as long as nobody touches them.
ALL_GUESSED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("delimiter", "encoding", "decimal", "thousands", "quote", "header"), "auto"
        ),
        "missing": "",
    }
)


def read_choices(choices: Choices) -> dict[str, str]:
    """What the visitor said about how files of this kind are written."""
    return {name: choices.get(name, default) for name, default in ALL_GUESSED.items()}


def chosen_options(choices: Choices, defaults: Mapping[str, str] = ALL_GUESSED) -> ReadOptions:
    """How the visitor wants the file to be read, the label aside; "auto" is a guess."""
    said = {name: choices.get(name, default) for name, default in defaults.items()}
    said["header"] = {"auto": None, "yes": True, "no": False}[said["header"]]
    said["missing"] = tuple(said["missing"].split()) or None
    return ReadOptions(
        format=choices.get("format", "auto"), member=choices.get("member", None), **said
    ).guessing()


def read_own_file():
    """The visitor's table, or None with a word on what is missing or wrong."""
    file = upload(
        "csv",
        "Your table, up to 50 MB; it stays in this session and is never stored",
        types=FILE_TYPES,
        help="CSV or TSV (also .gz, .zip), Excel, Parquet, LIBSVM, MATLAB 5, NumPy; no pickle.",
    )
    if file is None:
        st.markdown("Upload a table above, or choose one of the samples.")
        return None, None, None
    choices = Choices("csv_", file.digest)
    options = chosen_options(choices)
    # Another way of reading has other columns, so each remembers a label of its own.
    inside = choices.within(repr(options))
    try:
        table = read_upload(file, inside.get("label", None), options)
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_reading_options(choices, error.members, None)
        draw_preview(error.preview)
        return None, None, None
    return file.name, table, inside


def draw_reading_options(
    choices: Choices,
    members: tuple[str, ...],
    used: ReadOptions | None,
    defaults: Mapping[str, str] = ALL_GUESSED,
) -> None:
    """What was guessed about a file, each to be overridden."""
    st.markdown("**How the file is read**")
    lists = {
        "format": ("Format", FORMATS),
        "delimiter": ("Delimiter", DELIMITERS),
        "encoding": ("Encoding", {name: name for name in ENCODINGS}),
        "decimal": ("Decimal sign", DECIMALS),
        "thousands": ("Thousands", THOUSANDS),
        "quote": ("Quote", QUOTES),
        "header": ("First row is a header", {"yes": "yes", "no": "no"}),
    }
    columns = st.columns(4)
    for place, (name, (label, known)) in enumerate(lists.items()):
        guess = None if used is None else getattr(used, name)
        guess = {True: "yes", False: "no"}.get(guess, guess)
        guessed = f"guess: {known.get(guess, guess)}" if guess is not None else "guess"
        with columns[place % 4]:
            choices.draw(
                st.selectbox,
                name,
                label,
                ("auto", *known),
                default=defaults.get(name, "auto"),
                format_func=lambda key, known=known, text=guessed: known.get(key, text),
                help="Left to a guess, which is shown, unless you choose.",
            )
    with columns[3]:
        choices.draw(
            st.text_input,
            "missing",
            "Missing values",
            default=defaults["missing"],
            placeholder="the usual tokens",
            help="Cells that count as missing, separated by spaces, in place of the usual ones.",
        )
    if len(members) > 1:
        choices.draw(
            st.selectbox,
            "member",
            "Part of the file",
            members,
            default=used.member if used and used.member in members else members[0],
            help="The file in the archive, the sheet, or the array that holds the features.",
        )


def draw_preview(lines: tuple[str, ...]) -> None:
    if lines:
        st.caption("The first lines, as they are in the file")
        st.code("\n".join(lines[:10]), language=None)


def draw_data(name, table, sample, choices: Choices, seen: Survey, prepared) -> None:
    names, reports = seen.names, seen.reports
    st.markdown(
        f"{words.in_markdown(name)}: {table.n_rows:,} rows, {len(names):,} columns."
        + (f" {sample.about}" if sample else "")
    )
    left, right = st.columns([1, 2.2])
    with left:
        label = draw_label(choices, table)
        if prepared is not None and len(prepared.classes) == 2:
            draw_positive(choices, prepared, label)
        unused = [report.name for report in reports if not report.use]
        if len(names) <= MOST_LISTED:
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
            st.caption(f"Left out by themselves: {words.listed(unused)}.")
    with right:
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
            alt="What each column is and whether it is used",
        )
        if len(reports) > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS} of {len(reports):,} columns.")
    first = table.frame.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS]
    st.dataframe(
        first.set_axis(range(1, len(first) + 1)),
        height=230,
        alt="The first rows and columns of the table",
    )
    if len(names) > SHOWN_COLUMNS:
        st.caption(f"{SHOWN_COLUMNS} of {len(names):,} columns, up to {SHOWN_ROWS} rows.")
    if sample is None:
        for note in table.notes:
            st.caption(words.in_markdown(note, 300))
        with st.expander("Reading options"):
            draw_reading_options(choices.of_file(), table.members, table.options)
            draw_preview(table.preview)


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
