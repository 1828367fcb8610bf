"""Which features compete: the choice of groups and their balance."""

from __future__ import annotations

import streamlit as st

from lab import ui
from lab.charts import classify as charts
from lab.classify import groupings, words
from lab.tables import TableError
from lab.ui.classify.controls import GROUP_COUNTS, GROUP_SLOT, GROUPING_KEYS, uploaded_lists
from lab.ui.classify.data import draw_preview
from lab.ui.uploads import upload


def draw_groups(view, prepared, spec, grouped, found) -> None:
    left, right = ui.figure_and_controls()
    with right:
        view.select(
            "grouping",
            "Group the features by",
            tuple(GROUPING_KEYS),
            help="Features of one group compete with each other; every group keeps a say.",
        )
        if spec.grouping in ("random", "correlation"):
            view.scale(
                "groups",
                "Number of groups m",
                GROUP_COUNTS,
                help="Recommended: the most random groups that share the true features evenly.",
            )
        if spec.grouping == "file":
            draw_group_file()
        st.caption(
            {
                "random": "Drawn from the seed, of nearly equal size: the paper's E-SVM(R).",
                "prefix": "Columns whose names begin alike form a group.",
                "correlation": "Average linkage on 1 − |correlation| of all rows: what says the "
                "same competes.",
                "source": "The indicators of a categorical column form a group; every column of "
                "numbers is one by itself, which is ridge.",
                "file": "Features that the file does not name form a group of their own.",
            }[spec.grouping]
        )
    with left:
        if grouped is None:
            return
        balance = groupings.balance(prepared, spec, grouped)
        st.markdown(balance.sentence())
        used = grouped.groups.sum(found.selected.astype(float)) if found else None
        counts = grouped.groups.sizes * 0 if used is None else used.astype(int)
        idle = int((counts == 0).sum())
        title = (
            "Features in each group"
            if used is None
            else f"The model uses features of {grouped.n_groups - idle} of {grouped.n_groups} "
            f"group{'s' if grouped.n_groups != 1 else ''}"
        )
        ui.chart(
            charts.group_sizes(
                [words.in_figure(name) for name in grouped.names[: charts.MOST_GRID_ROWS]],
                grouped.groups.sizes,
                counts,
                title=title,
                mode=ui.mode(),
            ),
            key="group_sizes",
            alt=f"Bars of group sizes. {title}.",
        )
        if grouped.n_groups > charts.MOST_GRID_ROWS:
            st.caption(f"The first {charts.MOST_GRID_ROWS} of {grouped.n_groups:,} groups.")


def draw_group_file() -> None:
    upload(
        GROUP_SLOT,
        "Features and groups",
        types=("csv", "tsv", "txt"),
        help="Two columns: a feature and a group. A feature in two rows is in two groups.",
    )
    try:
        uploaded_lists()
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_preview(error.preview)
