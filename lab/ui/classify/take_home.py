"""The model, its card, its predictions, and another table to predict."""

from __future__ import annotations

import streamlit as st

from lab import exports, ui
from lab.classify import card, compare, results, words
from lab.classify import model as models
from lab.tables import ReadOptions, TableError
from lab.ui.classify.controls import SHOWN_ROWS
from lab.ui.classify.data import FILE_TYPES, draw_preview, uploaded_table
from lab.ui.uploads import upload


def draw_take_home(name, table, sample, prepared, spec, grouped, outcomes, found) -> None:
    final, _ = results.own_outcomes(outcomes)
    rows = compare.standings(outcomes, spec)
    facts = card.about(prepared, spec, grouped, final, rows, source=name, digest=table.digest)
    fitted = models.to_model(prepared, spec, final, facts)
    held = results.held_out(prepared, outcomes)
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
            lambda: card.model_card(facts, spec, found),
            file_name="model_card.md",
            mime="text/markdown",
            on_click="ignore",
            key="csv_card",
        )
        st.download_button(
            "Predictions (CSV)",
            lambda: exports.csv_bytes(models.predictions(fitted, table)),
            file_name="predictions.csv",
            mime="text/csv",
            on_click="ignore",
            key="csv_predictions",
            help="The model on every row of this table, those it was fitted to.",
        )
        st.download_button(
            "Held-out rows (CSV)",
            lambda: exports.csv_bytes(results.row_table(prepared, held, wrong_only=False)),
            file_name="held_out.csv",
            mime="text/csv",
            on_click="ignore",
            key="csv_held_out",
            help="What each fold's model said about rows that it had not seen.",
        )
    st.markdown(
        "The model file is JSON: it is read, never run, and gives the same digits in every process."
        ' `model = solvers.load_model("model.json")` brings it back, and `model.predict(frame)` '
        "matches columns by name."
    )
    st.subheader("Predict another table", anchor=False)
    other = upload(
        "csv_second",
        "A second table with the same columns; no label is needed",
        types=FILE_TYPES,
        help="Columns are matched by name; others are ignored.",
    )
    if other is not None:
        draw_predictions(fitted, other)
    with st.expander("Model card"):
        st.markdown(card.model_card(facts, spec, found))


def draw_predictions(fitted, other) -> None:
    try:
        table = uploaded_table(other.digest, other.name, "second", other.data, ReadOptions())
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_preview(error.preview)
        return
    matching = models.match(fitted, table)
    if not matching.fits:
        ui.problem(
            f"The table lacks {words.listed(matching.missing)}, which the model needs: rename its "
            "columns to the names the model was fitted with."
        )
        return
    if matching.missing_unused:
        st.caption(f"Missing, but without a weight: {words.listed(matching.missing_unused)}.")
    if matching.extra:
        st.caption(f"Not used: {words.listed(matching.extra)}.")
    for name, strangers in matching.unknown_categories.items():
        st.caption(
            f"New categories of {words.in_markdown(name)}, which add nothing: "
            f"{words.listed(strangers)}."
        )
    try:
        predicted = models.predictions(fitted, table)
    except ValueError as error:
        ui.problem(words.in_markdown(error, 400))
        return
    st.dataframe(
        {name: values[:SHOWN_ROWS] for name, values in predicted.items()},
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
