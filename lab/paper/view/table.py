"""Table 1: the paper's accuracies beside ours."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab import ui
from lab.data.paper_numbers import TABLE_1
from lab.paper import charts, cite, code, completeness, figures, links, measured
from lab.paper.view.common import address_of, draw_citation, link_to, not_there, plain, titled_chart
from lab.paper.view.natural import draw_natural


def _controls(view: ui.View) -> tuple[str, str, str, DeltaGenerator]:
    """Folds, scaling and rule for ties, and where the figure goes."""
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        place = st.container()
        protocol = view.segments(
            "protocol",
            "Folds",
            tuple(measured.PROTOCOLS),
            help="Inverted: train on one fold, test on the rest, which the paper's numbers fit.",
        )
    with control_column:
        preprocessing = view.select(
            "preprocessing",
            "Features",
            tuple(figures.PREPROCESSED),
            help="How features are scaled, by the training samples only.",
        )
        ties = view.segments(
            "ties",
            "Ties go to the",
            tuple(measured.RULES),
            help="Two rules for choosing strengths: "
            + "; or ".join(measured.RULES.values())
            + ". The table below compares them.",
        )
        st.caption("Filled: measured. Hollow: the paper.")
    return protocol, preprocessing, ties, place


def draw_table(view: ui.View, results: measured.Results) -> ui.Export:
    found = results.table1
    if found is None:
        return not_there("table1")
    protocol, preprocessing, ties, place = _controls(view)
    shown = figures.table_view(found, protocol, preprocessing, ties)
    if shown is None:
        return not_there("table1")

    def figure(mode: str, title: str):
        return charts.table_dots(shown.names, shown.dots, title=title, mode=mode)

    with place:
        titled_chart(
            shown.title,
            figure,
            key="table_1",
            alt="Accuracy by data set, ours filled and the paper's hollow.",
        )
    st.caption(f"{figures.table_note(found)} {figures.INTERVALS}")
    st.dataframe(shown.table, hide_index=True)
    st.caption(plain(f"{figures.assumed_rows()} {figures.missing_rows()}"))
    st.caption(plain(completeness.sentence(found)))
    _draw_rules(found, protocol, preprocessing, ties)
    first = next(row for row in TABLE_1 if row.title == shown.names[0])
    link_to(links.one_of_the_rows(first, (protocol, preprocessing, ties))(results))
    draw_natural()
    address = address_of(view, ("tab", "protocol", "preprocessing", "ties"))
    name = f"table 1 {protocol} {preprocessing} {ties}"
    draw_citation(address, cite.entry(name, shown.title, "Table 1", found, address))
    return ui.Export(
        name="table_1",
        data=lambda: shown.table,
        figure=lambda: figure("light", shown.title),
        code=code.table(protocol, preprocessing, ties),
    )


def _draw_rules(found: dict, protocol: str, preprocessing: str, ties: str) -> None:
    rules = figures.rules_table(found, protocol, preprocessing)
    if rules["data"]:
        st.markdown(
            "Both rules side by side; the highest mean has not won where its lead is within chance:"
        )
        st.dataframe(rules, hide_index=True)
        st.caption(figures.RULES_NOTE[protocol])
    with st.expander("How strengths are chosen, and why there are two rules"):
        st.markdown(plain(found["protocols"][ties]))
        st.markdown(plain(found["how_settled"]))
