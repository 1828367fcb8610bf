"""What is known beforehand about features: covariates, signs, and weights from a file."""

from __future__ import annotations

import streamlit as st

from lab import ui, words
from lab.own_table.view.controls import WEIGHT_SLOT, uploaded_constraints
from lab.tables import TableError
from lab.ui.own_tables import MOST_LISTED
from lab.ui.uploads import Choices, held_upload, upload

LISTS = {
    "covariates": (
        "Covariates, never left out",
        "Age or batch: in the model without a penalty and without competing. The verdict is then "
        "about what the other features add to them. E-SVM, exclusive lasso and Huber can do it.",
    ),
    "at_least": (
        "Weight at least 0",
        "Features that can only speak for the positive class, or for a larger value.",
    ),
    "at_most": (
        "Weight at most 0",
        "Features that can only speak against it.",
    ),
}


def draw_bounds(choices: Choices, label: str, features, case) -> None:
    """Lists for a table that can be listed; a file for any."""
    told = case is not None and case.spec.is_constrained
    with st.expander("What is known about features" + (": in force" if told else "")):
        if len(features) <= MOST_LISTED:
            for name, (title, help) in LISTS.items():
                held = choices.get(f"{name} {label}", [])
                choices.draw(
                    st.multiselect,
                    f"{name} {label}",
                    title,
                    [*features, *(each for each in held if each not in features)],
                    default=[],
                    help=help,
                )
        upload(
            WEIGHT_SLOT,
            "Weights of features",
            types=("csv", "tsv", "txt"),
            help="A feature and its weight in the penalty: above 1 it is dearer, below 1 cheaper, "
            "at 0 free. A third column may hold signs, + or −.",
        )
        draw_file(case)
        st.caption("These bind our models; the others are fitted without them.")


def draw_file(case) -> None:
    file = held_upload(WEIGHT_SLOT)
    if file is None:
        return
    try:
        weights, signs = uploaded_constraints()
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        return
    said = f"In force: **{words.in_markdown(file.name)}**, {words.counted(len(weights), 'weight')}"
    st.markdown(said + (f" and {words.counted(len(signs), 'sign')}." if signs else "."))
    if case is not None:
        held = dict(case.spec.feature_weights)
        strange = [name for name, _ in weights if name not in held]
        if strange:
            st.caption(f"No feature in use: {words.listed_in_markdown(strange)}.")
