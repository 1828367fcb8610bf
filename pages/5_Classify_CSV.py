"""Classify a table: fit an exclusive model, compare it, look at it, take it home."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import ui
    from lab.classify import compare, findings, results, setup, words
    from lab.snippets import classify as snippets
    from lab.tables import features_problem, unusable_problem
    from lab.ui.classify import data, fit, groups, runs, see, take_home
    from lab.ui.classify.controls import (
        DEFAULTS,
        OWN_FILE,
        SAMPLE_BY_TITLE,
        TABS,
        adopt_address,
        chosen_columns,
        chosen_spec,
    )
    from lab.ui.uploads import Choices

HOW = r"""
**E-SVM** minimises
$\sum_i \max(0, 1-y_i(x_i^\top w+b)) + \frac{\alpha}{2}\lVert w\rVert^2 +
\frac{\beta}{2}\sum_g\lVert w_g\rVert_1^2$: inside a group the features compete, across groups each
keeps a say. With random groups it is the paper's E-SVM(R). **Exclusive logistic** has the logistic
loss and $\frac{\lambda}{2}\lVert w\rVert_e^2$, and gives probabilities. More than two classes are
solved one against the rest, with the same groups.

**Nothing leaks.** Medians for gaps, means and scales are those of the training rows of each fold.
Strengths by cross-validation are chosen by three folds inside the training rows, by accuracy, the
same way for every classifier; the stronger of equals wins. The list of a column's categories and
correlation clusters come from all rows, without the label. *Inverted K-fold* trains on one fold and
tests on the others, as the paper's table seems to. Intervals are Student's t over the folds;
ordinary folds share training rows, for which Nadeau and Bengio's variance makes up.

**Used** is a feature whose weight exceeds a thousandth of the largest; one rule for all
classifiers. Standardised features make weights comparable.
"""


def draw_page() -> None:
    view = ui.View("classify_csv", DEFAULTS)
    if ui.entered():
        adopt_address(view)
    headline = st.container()
    source = view.segments(
        "data",
        "Table",
        (*SAMPLE_BY_TITLE, OWN_FILE),
        help="Samples to try, or a file of your own.",
        label_visibility="collapsed",
    )
    sample = SAMPLE_BY_TITLE.get(source)
    if sample is not None:
        name, table = sample.title, data.sample_table(sample.key)
        choices = Choices("csv_", sample.key)
    else:
        name, table, choices = data.read_own_file()
        if table is None:
            headline.markdown("Nothing to classify yet.")
            return
    label = choices.get("label", table.options.label)
    table_key = (table.digest, repr(table.options))
    seen = data.survey(*table_key, label, int(view["folds"]), table)
    columns = chosen_columns(table_key, label, choices, seen.reports, seen.texts)
    spec = chosen_spec(view, label, choices, columns, seen.usual_positive)
    problem = seen.problem
    if problem is None and not columns.features:
        problem = unusable_problem(seen.reports)
    elif problem is None and columns.doubtful:
        problem = features_problem(table, spec.features)
    prepared = grouped = outcomes = found = None
    if problem is None:
        try:
            prepared = data.prepared_table(*table_key, spec.data_digest, table, spec)
            problem = setup.setup_problem(prepared, spec) or None
            grouped = data.grouped_features(*table_key, spec.grouping_digest, prepared, spec)
        except setup.SetupError as error:
            problem = str(error)
    running = runs.COMPARISON.is_running()
    run_key = (table_key, spec)
    if problem is None:
        outcomes = runs.outcomes_of(run_key, table_key, sample, prepared, spec)
        if outcomes:
            found = results.features(prepared, grouped, outcomes)
    with headline:
        if problem is not None:
            ui.problem(words.in_markdown(problem, 400))
        elif found is None:
            st.markdown(
                f"**{words.in_markdown(name)}**: {prepared.n_samples:,} rows, "
                f"{prepared.n_features:,} features, {len(prepared.classes)} classes; fit it to see "
                "which features decide."
            )
        else:
            own = compare.standings(outcomes, spec)[0]
            st.markdown(findings.answer(name, prepared, spec, found, own))
    tabs = dict(zip(TABS, view.tabs("tab", TABS), strict=True))
    with headline:
        if running and not tabs["Fit and compare"].open:
            runs.COMPARISON.draw_progress()
        if runs.PATH.is_running() and not tabs["See"].open:
            runs.PATH.draw_progress()
    for title, tab in tabs.items():
        if not tab.open:
            continue
        with tab:
            if title == "Data":
                data.draw_data(name, table, sample, choices, seen, prepared)
            elif title == "Groups":
                groups.draw_groups(view, prepared, spec, grouped, found)
            elif problem is not None:
                st.markdown("What is wrong stands above; mend it under Data or Groups.")
                if title == "Fit and compare":
                    fit.draw_fit_controls(view, spec)
            elif title == "Fit and compare":
                fit.draw_fit(view, prepared, spec, run_key, outcomes, found, running)
            elif found is None:
                st.markdown("There is no fit yet: run one under Fit and compare.")
            elif title == "See":
                see.draw_see(view, table_key, choices, prepared, spec, grouped, outcomes, found)
            else:
                take_home.draw_take_home(
                    name, table, choices, prepared, spec, grouped, outcomes, found
                )
    with st.expander("How it is computed"):
        st.markdown(HOW)
    if found is not None:
        ui.export_row(
            view,
            ui.Export(
                name="classify",
                data=found.table,
                figure=lambda: fit.bars_figure(found, "light"),
                code=snippets.snippet(
                    table, prepared, spec, grouped, sample=sample, file_name=name
                ),
            ),
        )


with ui.page(key="classify_csv"):
    draw_page()
