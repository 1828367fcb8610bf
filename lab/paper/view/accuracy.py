"""The accuracies of Fig. 2(d)."""

import streamlit as st

from lab import ui
from lab.accuracy import NOISES
from lab.paper import charts, cite, code, figures, links, measured
from lab.paper.view.common import address_of, draw_citation, link_to, not_there, plain, titled_chart


def draw_accuracy(view: ui.View, results: measured.Results) -> ui.Export:
    found = results.figure2d
    if found is None:
        return not_there("figure2d")
    figure_place = st.container()
    noise = view.segments(
        "noise",
        "Noise",
        NOISES,
        help="The paper prints one noise matrix for both classes; independent noise is ours.",
    )
    if not measured.trials(found, noise):
        return not_there("figure2d")
    points = figures.accuracy_points(found, noise)
    title = figures.accuracy_title(found, noise)

    def figure(mode: str, title: str):
        return charts.accuracy_lines(points, title=title, mode=mode)

    with figure_place:
        titled_chart(
            title,
            figure,
            key="accuracy_of_the_paper",
            alt="Test accuracy against m, a line per method.",
        )
    st.caption(plain(figures.accuracy_note(found, noise)))
    table = figures.accuracy_table(found, noise)
    st.dataframe(table, hide_index=True)
    link_to(links.fig2d(noise)(results))
    address = address_of(view, ("tab", "noise"))
    draw_citation(address, cite.entry(f"figure 2d {noise}", title, "Fig. 2(d)", found, address))
    return ui.Export(
        name="figure_2d",
        data=lambda: table,
        figure=lambda: figure("light", title),
        code=code.accuracy(noise),
    )
