"""The model, its card, its predictions, and another table to predict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from lab import exports, ui, words
from lab.own_table import card, findings, results, second_table
from lab.own_table import model as models
from lab.own_table.case import Case
from lab.own_table.race_data import numbers_for_race
from lab.own_table.view import analysis, others
from lab.own_table.view.controls import SHOWN_ROWS
from lab.own_table.view.reading import (
    chosen_options,
    draw_preview,
    draw_reading_options,
    read_choices,
)
from lab.tables import TableError
from lab.ui.own_tables import FILE_TYPES, send_table, uploaded_table
from lab.ui.uploads import Choices, upload


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def model_of(name, key, done, chance, _case):
    """The model with what is known about it; `done` are the fits whose scores are among that."""
    return models.to_model(_case.prepared, _case.final, card.about(_case), _case.calibration)


def draw_take_home(view, choices: Choices, case: Case, doubts, running: bool) -> None:
    done = tuple((each.key, each.fold) for each in case.outcomes)
    chance = None if case.chance is None else tuple(case.chance)
    fitted = model_of(case.name, repr(case.key), done, chance, case)
    draw_model_files(case, fitted)
    analysis.draw_downloads(view, case, fitted, doubts)
    st.markdown(
        "The model file is JSON: it is read, never run, and gives the same digits in every process."
        ' `model = solvers.load_model("model.json")` brings it back, and `model.predict(frame)` '
        "matches columns by name."
    )
    others.draw_others(case, running)
    draw_race(case)
    st.subheader("Predict another table", anchor=False)
    other = upload(
        "csv_second",
        "A second table with the same columns; with the label it is scored",
        types=FILE_TYPES,
        help="Columns are matched by name; others are ignored, identifiers carried along.",
    )
    if other is not None:
        draw_second_table(case, fitted, other, choices)
    with st.expander("Model card"):
        st.markdown(card.model_card(case, fitted.about))


def draw_model_files(case: Case, fitted) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Model (JSON)",
            fitted.to_json,
            file_name="model.json",
            mime="application/json",
            on_click="ignore",
            key="csv_model",
            help="Preprocessing and weights; `solvers.load_model(path)` reads it. No pickle.",
        )
        st.download_button(
            "Model card (Markdown)",
            lambda: card.model_card(case, fitted.about),
            file_name="model_card.md",
            mime="text/markdown",
            on_click="ignore",
            key="csv_card",
        )
        st.download_button(
            "Predictions (CSV)",
            lambda: exports.csv_bytes(models.predictions(fitted, case.table)),
            file_name="predictions.csv",
            mime="text/csv",
            on_click="ignore",
            key="csv_predictions",
            help="The model on every row of this table, those it was fitted to.",
        )
        st.download_button(
            "Held-out rows (CSV)",
            lambda: exports.csv_bytes(
                results.row_table(case.prepared, case.held, wrong_only=False)
            ),
            file_name="held_out.csv",
            mime="text/csv",
            on_click="ignore",
            key="csv_held_out",
            help="What each fold's model said about rows that it had not seen.",
        )


def draw_race(case: Case) -> None:
    """The way to the race page with this table."""
    if st.button(
        "Race the solvers on this table",
        key="csv_race",
        help="All rows with these groups, without signs, weights and intercept; of several classes "
        "the most frequent against the rest. The numbers stay in this visit.",
    ):
        send_table(numbers_for_race(case))
        st.switch_page(ui.frame.page_of("solver_race").file)


def draw_second_table(case: Case, fitted, other, choices: Choices) -> None:
    """What the model says about another file, which is read as the visitor wants it."""
    # What was said about the first file, a word for missing for instance, goes for this one too.
    said = read_choices(choices.of_file())
    own = Choices("csv2_", other.digest)
    options = replace(chosen_options(own, said), labelled=False)
    try:
        table = uploaded_table(other.digest, other.name, repr(options), other.data, options)
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_reading_options(own, error.members, None, said)
        draw_preview(error.preview)
        return
    draw_predictions(case, fitted, table)
    for note in table.notes:
        st.caption(words.in_markdown(note, 300))
    with st.expander("Reading options of the second table"):
        draw_reading_options(own, table.members, table.options, said)
        draw_preview(table.preview)


def with_names_of(fitted, table):
    """The table with the columns that the model needs, of near names if told so; None without."""
    matching = models.match(fitted, table)
    if matching.fits:
        return table
    problem = st.empty()
    meant = second_table.suggestions(matching.missing, matching.extra)
    pairs = [f"{theirs} for {ours}" for ours, theirs in meant.items()]
    if meant and st.toggle(
        f"Take {words.listed_in_markdown(pairs)}",
        key="csv_rename",
        help="These names are nearly those that are missing.",
    ):
        table = second_table.renamed(table, meant)
        matching = models.match(fitted, table)
        if matching.fits:
            return table
    with problem:
        ui.problem(
            f"The table lacks {words.listed_in_markdown(matching.missing)}, which the model needs: "
            "rename its columns to the names the model was fitted with."
        )
    return None


def legible(values):
    """What is shown of predictions; the file has every digit."""
    values = np.asarray(values)
    return np.round(values, 4) if values.dtype.kind == "f" else values


def draw_predictions(case: Case, fitted, table) -> None:
    table = with_names_of(fitted, table)
    if table is None:
        return
    matching = models.match(fitted, table)
    if matching.missing_unused:
        st.caption(
            f"Missing, but without a weight: {words.listed_in_markdown(matching.missing_unused)}."
        )
    unused = [name for name in matching.extra if name != case.spec.label]
    named = second_table.identifiers(table, unused)
    if named:
        st.caption(f"Carried along, for they name rows: {words.listed_in_markdown(named)}.")
    unused = [name for name in unused if name not in named]
    if unused:
        st.caption(f"Not used: {words.listed_in_markdown(unused)}.")
    for name, strangers in matching.unknown_categories.items():
        st.caption(
            f"New categories of {words.in_markdown(name)}, which add nothing: "
            f"{words.listed_in_markdown(strangers)}."
        )
    drifted = second_table.drift_sentence(second_table.drifts(fitted, table), len(fitted.needed))
    if drifted:
        st.warning(words.in_markdown(drifted, 400))
    try:
        predicted = models.predictions(fitted, table, named)
    except ValueError as error:
        ui.problem(words.in_markdown(error, 400))
        return
    scored = second_table.external_scores(fitted, table, case)
    if scored is not None:
        st.markdown(findings.external_sentence(case, scored))
    st.dataframe(
        {name: legible(values[:SHOWN_ROWS]) for name, values in predicted.items()},
        height=230,
        hide_index=True,
        alt="Predicted classes and scores",
    )
    st.download_button(
        "Predictions of this table (CSV)",
        lambda: exports.csv_bytes(predicted),
        file_name="predictions_second.csv",
        mime="text/csv",
        on_click="ignore",
        key="csv_predictions_second",
    )
