"""Which features compete: the choice of groups, their balance, and what each group says."""

from __future__ import annotations

import streamlit as st

from lab import ui, words
from lab.own_table import charts, fits, group_files, group_words, groupings, work
from lab.own_table.case import Case
from lab.own_table.headline import in_groups
from lab.own_table.view import runs
from lab.own_table.view.controls import GROUP_COUNTS, GROUP_SLOT, GROUPING_KEYS, uploaded_lists
from lab.own_table.view.reading import draw_preview
from lab.tables import TableError
from lab.ui.uploads import held_upload, upload


def draw_groups(view, case: Case | None, running: bool) -> None:
    left, right = ui.figure_and_controls()
    with right:
        draw_choice(view, case)
    with left:
        if case is None:
            return
        grouped = case.grouped
        balance = groupings.balance(case.prepared, case.spec, grouped)
        st.markdown(balance.sentence())
        counts, title = grouped.groups.sizes * 0, "Features in each group"
        if case.fitted:
            found = case.found
            counts = grouped.groups.sum(found.selected.astype(float)).astype(int)
            title = "The model uses no feature"
            if found.groups_used:
                title = f"The model uses features {in_groups(found)}"
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
    if case.fitted:
        draw_speaking(case, running)


def draw_choice(view, case: Case | None) -> None:
    view.select(
        "grouping",
        "Group the features by",
        tuple(GROUPING_KEYS),
        help="Features of one group compete with each other; every group keeps a say.",
    )
    grouping = GROUPING_KEYS[view["grouping"]]
    if grouping in ("random", "correlation"):
        view.scale(
            "groups",
            "Number of groups m",
            GROUP_COUNTS,
            help="Recommended: the most random groups that share the true features evenly.",
        )
    if grouping == "file":
        draw_group_file(case)
    if grouping != "header" and case is not None and case.table.groups:
        st.caption("The table tells groups in a row of its own: choose *Second header*.")
    st.caption(
        {
            "random": "Drawn from the seed, of nearly equal size, as in the paper's E-SVM(R).",
            "prefix": "Columns whose names begin alike form a group; all others are one more.",
            "correlation": "Average linkage on 1 − |correlation|: what says the same competes. "
            "On show are the clusters of all rows; each fold has those of its training rows.",
            "source": "The indicators of a categorical column form a group; every column of "
            "numbers is one by itself, which is ridge.",
            "file": "A feature that the file does not name competes with nobody.",
            "header": "The table names the group of each column above or below its name; a column "
            "without one competes with nobody.",
        }[grouping]
    )


def draw_group_file(case: Case | None) -> None:
    upload(
        GROUP_SLOT,
        "Features and groups",
        types=("csv", "tsv", "txt", "gmt"),
        help="Two columns, a feature and a group in either order, or a set a line (GMT). A feature "
        "in two rows is in two groups.",
    )
    file = held_upload(GROUP_SLOT)
    features = () if case is None else case.spec.features
    try:
        lists = uploaded_lists(features)
    except TableError as error:
        ui.problem(words.in_markdown(error, 400))
        draw_preview(error.preview)
        return
    if file is None or case is None:
        return
    st.markdown(
        f"In force: **{words.in_markdown(file.name)}**, {words.counted(len(lists), 'set')}."
    )
    names = (*features, *case.prepared.feature_names)
    strange = group_files.strangers(lists, names)
    if strange:
        st.caption(f"No column of the table: {words.listed_in_markdown(strange)}.")
    alone = case.grouped.n_groups - len(lists)
    if alone > 0:
        st.caption(f"{words.counted(alone, 'feature')} in no set, each a group of its own.")


def draw_speaking(case: Case, running: bool) -> None:
    """Members by selection probability, partners, weights over folds, and what is lost without."""
    st.subheader("What each group says", anchor=False)
    if case.stability is None and fits.is_quick(case.prepared):
        case = runs.do_now(case, work.stability_tasks(case.spec))
    if case.stability is None:
        if running:
            st.caption("Half-samples can be drawn when the run above has ended.")
            return
        st.button(
            "Draw half-samples",
            key="csv_stability",
            on_click=runs.start,
            args=(case, work.stability_tasks(case.spec)),
            help="Our model on 50 half-samples: how often is each feature selected?",
        )
        return
    losses = runs.losses_of(case)
    st.markdown(group_words.stability_sentence(case))
    st.dataframe(
        group_words.group_table(case, losses),
        hide_index=True,
        alt="Each group with its most often selected members and what is lost without it",
    )
    st.dataframe(
        group_words.member_table(case),
        hide_index=True,
        height=320,
        alt="Members of all groups by selection probability, with partners and weights over folds",
    )
    if losses is None and not running:
        st.button(
            "What is lost without each group",
            key="csv_losses",
            on_click=runs.start,
            args=(case, work.loss_tasks(case.spec, case.grouped.n_groups)),
            help="The model is fitted again in every fold without the features of a group.",
        )
