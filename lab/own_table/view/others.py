"""The winner of the comparison, or any other of its models, to take home."""

from __future__ import annotations

import streamlit as st

from lab.own_table import code, findings, fits, winners
from lab.own_table.case import Case
from lab.own_table.view import desk, runs


def draw_others(case: Case, running: bool) -> None:
    """A model beside ours: fitted on all rows when asked for, then a file or a script."""
    rows = winners.others(case)
    if not rows:
        st.caption("Other models can be taken home when a comparison has done all their folds.")
        return
    st.subheader("Another model of the comparison", anchor=False)
    st.markdown(f"{findings.standings_title(case, case.metric)}.")
    labels = {row.label: row.key for row in rows}
    chosen = st.selectbox("Model", list(labels), key="csv_other", width=320)
    key = labels[chosen if chosen in labels else rows[0].label]
    if not winners.is_linear(key):
        draw_forest(case)
        return
    task = winners.task_of(case, key)
    outcome = desk.mine().ledger.get(case.table_key, task)
    if outcome is None and fits.is_quick(case.prepared):
        runs.do_now(case, [task])
        outcome = desk.mine().ledger.get(case.table_key, task)
    if outcome is None:
        st.button(
            "Fit it on all rows",
            key="csv_other_fit",
            on_click=runs.start,
            args=(case, [task]),
            disabled=running,
            help="Its folds are done; what is taken home is fitted on all rows.",
        )
        return
    st.download_button(
        f"Model of {chosen} (JSON)",
        lambda: winners.model_of(case, outcome).to_json(),
        file_name=f"model_{key}.json",
        mime="application/json",
        on_click="ignore",
        key="csv_other_model",
        help="The same format as ours: `solvers.load_model(path)` and the short reader read it.",
    )
    st.caption(
        f"Fitted on all rows ({findings.strengths_in_words(outcome.strengths) or 'no strength'}), "
        "with the same preprocessing as ours."
    )


def draw_forest(case: Case) -> None:
    st.markdown(
        "A random forest has no weights, so it cannot be written as a model file, and a pickle "
        "would be a program. This script makes the same forest again, and scores it in the same "
        "folds."
    )
    st.download_button(
        "Script of the random forest (Python)",
        lambda: code.forest_snippet(case),
        file_name="random_forest.py",
        mime="text/x-python",
        on_click="ignore",
        key="csv_other_script",
    )
