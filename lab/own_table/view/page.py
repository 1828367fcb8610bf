"""A table of one's own: which few members of each group decide, how surely, and what to do next."""

from __future__ import annotations

import streamlit as st

from lab import ui, words
from lab.own_table import code, elsewhere, splits
from lab.own_table import headline as opening
from lab.own_table.case import Case
from lab.own_table.setup import SetupError
from lab.own_table.view import addressed, analysis, data, fit, groups, runs, see, shelf, take_home
from lab.own_table.view.controls import (
    DEFAULTS,
    LIMITS,
    OWN_FILE,
    SAMPLE_BY_TITLE,
    TABS,
    TARGET_KEYS,
    chosen_columns,
    chosen_spec,
)
from lab.tables import features_problem, unusable_problem
from lab.ui.uploads import Choices

HOW = r"""
**E-SVM** minimises
$\sum_i \max(0, 1-y_i(x_i^\top w+b)) + \frac{\alpha}{2}\lVert w\rVert^2 +
\frac{\beta}{2}\sum_g\lVert w_g\rVert_1^2$: inside a group the features compete, across groups each
keeps a say. With random groups it is the paper's E-SVM(R). **Exclusive logistic** has the logistic
loss and $\frac{\lambda}{2}\lVert w\rVert_e^2$, and gives probabilities; **exclusive lasso** has
half the squared residuals, and predicts numbers. More than two classes are solved one against the
rest, with the same groups.

**The verdict.** Our score over rows held out, with its interval (Student's t over the folds;
ordinary folds share training rows, for which Nadeau and Bengio's variance makes up), is held
against guessing and against the same fits to shuffled labels, at the strengths and in the groups
that the true ones had: 19 draws, so that p = 0.05 is the smallest there is. Where classes are far
from equally frequent, every class counts alike, in the fit and in the score.

**Strengths.** β and λ are tried at shares of the strength at which the penalty takes over on the
very rows (β₀, λ₀), α stays at a thousandth of its α₀. Three folds inside the training rows score
them, the same way for every model, and of those within one standard error of the best the strongest
is taken; where that is the end of the grid, the grid goes on. Fits that only choose strengths, of
shuffled labels and of half-samples stop at a relative gap of 10⁻³; what is shown, scored and taken
home is fitted to 10⁻⁶.

**Nothing leaks.** Medians for gaps, means and scales are those of the training rows of each fold,
and so are the strengths and the clusters of groups by correlation. The list of a column's
categories comes from all rows, without the label. *Inverted K-fold* trains on one fold and tests on
the others, as the paper's table seems to.

**Covariates** have weight 0 in the norm: they are always in the model, and compete with nobody
(E-SVM's own ½α‖w‖² still holds them, at a thousandth of its scale). The verdict is then about what
the other features add: it is held against the covariates alone in the same folds, and labels are
shuffled together with the covariates.

**Used** is a feature whose weight exceeds a thousandth of the largest; one rule for all models.
Standardised features make weights comparable.
"""
NEXT = {
    "Data": "Next: under *Groups* say which features compete, or go straight to *Fit and compare*.",
    "Groups": "Next: *Fit and compare* shows what the model uses and how it stands.",
    "Fit and compare": "Next: *See* shows where it errs and why; *Take home* has the model.",
    "See": "Next: *Take home* has the model, its report, and room for a second table.",
    "Take home": "",
}


def show() -> None:
    with ui.page(key="classify_csv"):
        shelf.take_up()
        draw_page()
        shelf.put_back()


def draw_page() -> None:
    view = ui.View("classify_csv", DEFAULTS, limits=LIMITS)
    headline = st.empty()
    sample, name, table, choices = draw_source(view)
    if table is None:
        headline.markdown("Nothing to analyse yet.")
        return
    case, problem, seen, found, columns = examined(view, name, table, choices, sample)
    running = runs.COMPARISON.is_running()
    if case is not None:
        case = runs.with_own_fits(case)
    draw_headline(headline, case, problem, found)
    tabs = dict(zip(TABS, view.tabs("tab", TABS), strict=True))
    progress = st.container()
    if case is not None and case.fitted and tabs["Take home"].open:
        # What is taken home says all there is to say.
        case = runs.with_chance(case)
        draw_headline(headline, case, problem, found)
    for title, tab in tabs.items():
        if tab.open:
            with tab:
                if title == "Data":
                    data.draw_data(view, name, table, sample, choices, seen, columns, case, found)
                else:
                    draw_tab(title, view, choices, case, problem, running, found)
                if NEXT[title] and case is not None:
                    st.caption(NEXT[title])
    with progress:
        if running and not tabs["Fit and compare"].open:
            runs.COMPARISON.draw_progress()
        if runs.PATH.is_running() and not tabs["See"].open:
            runs.PATH.draw_progress()
    draw_foot(view, case)
    if case is None or not case.fitted:
        return
    # All is drawn; what shuffled labels get may now take its second or two.
    if case.chance is None and runs.with_chance(case).chance is not None:
        draw_headline(headline, runs.with_chance(case), problem, found)


def draw_source(view):
    """The sample, if it is one, and the table with its name and what was chosen about it."""
    source = view.segments(
        "data",
        "Table",
        (*SAMPLE_BY_TITLE, OWN_FILE),
        help="Samples to try, or a file of your own.",
        label_visibility="collapsed",
    )
    sample = SAMPLE_BY_TITLE.get(source)
    if sample is not None:
        name, table, token = sample.title, data.sample_table(sample.key), sample.key
        choices = Choices("csv_", token)
        addressed.follow(view, choices, token, table)
    else:
        name, table, choices = data.read_own_file(view)
        analysis.draw_restore(view)
        if table is None:
            return None, None, None, None
        data.land_on_columns(view, table)
        token = table.digest
    addressed.show(view, choices, token, table, sample=sample is not None)
    return sample, name, table, choices


def draw_foot(view, case: Case | None) -> None:
    """How it is computed, and what is offered to take away."""
    with st.expander("How it is computed"):
        st.markdown(HOW)
        if case is not None:
            st.markdown(elsewhere.sentence(case))
    if case is not None and case.fitted:
        ui.export_row(
            view,
            ui.Export(
                name="classify",
                data=case.found.table,
                figure=lambda: fit.bars_figure(case, "light"),
                code=case.once("code", lambda: code.snippet(case)),
            ),
        )


def examined(view, name, table, choices: Choices, sample):
    """The case that the controls make, or what is wrong with it; survey, doubts and columns."""
    label = choices.get("label", table.options.label)
    table_key = (table.digest, repr(table.options))
    forced = TARGET_KEYS[view["target"]]
    seen = data.survey(*table_key, label, int(view["folds"]), forced, table)
    columns = chosen_columns(table_key, label, choices, seen.reports, seen.texts)
    found = []
    if seen.reports:
        found = data.health_of(
            *(*table_key, label, seen.target, columns.told_apart), table, seen, columns
        )
        found = data.unmended(found, view, choices, label)
    problem = seen.problem
    if problem is None and not columns.features:
        problem = unusable_problem(seen.reports)
    if problem is not None:
        return None, problem, seen, found, columns
    spec = chosen_spec(view, label, choices, columns, seen)
    if columns.doubtful:
        problem = features_problem(table, spec.features)
    try:
        prepared = data.prepared_table(*table_key, spec.data_digest, table, spec)
        problem = problem or splits.setup_problem(prepared, spec) or None
        if problem is None:
            digests = (spec.grouping_digest, spec.folds_digest)
            grouped = data.groupings_of(*table_key, *digests, prepared, spec)
    except SetupError as error:
        problem = str(error)
    if problem is not None:
        return None, problem, seen, found, columns
    return Case(name, table, spec, prepared, grouped, sample), None, seen, found, columns


def draw_headline(place, case: Case | None, problem: str | None, found) -> None:
    with place.container():
        if problem is not None:
            ui.problem(words.in_markdown(problem, 400))
            return
        if case.fitted:
            st.markdown(opening.answer(case))
        elif case.begun:
            st.markdown(opening.so_far(case))
        else:
            classes = len(case.prepared.classes)
            kind = f", {classes} classes" if classes else ""
            st.markdown(
                f"**{words.in_markdown(case.name)}**: {case.prepared.n_samples:,} rows, "
                f"{case.prepared.n_features:,} features{kind}; fit it to see which features decide."
            )
        leak = next((finding for finding in found if finding.kind == "leak"), None)
        others = [finding for finding in found if finding is not leak]
        if leak is not None:
            st.warning(
                f"{words.in_markdown(leak.sentence, 400)} If it was known only after the label, "
                "what stands here is worth nothing: leave it out under *Data*."
            )
        if others and not case.sample:
            kinds = words.counted(len(others), "doubt")
            st.caption(f"{kinds} about this table under *Data*: {opening.doubts(others)}.")


def draw_tab(title, view, choices, case: Case | None, problem, running, found) -> None:
    if title == "Groups":
        groups.draw_groups(view, case, running)
    elif problem is not None:
        st.markdown("What is wrong stands above; mend it under Data or Groups.")
        if title == "Fit and compare":
            fit.draw_fit_controls(view, None)
    elif title == "Fit and compare":
        fit.draw_fit(view, case, running)
    elif not case.fitted:
        st.markdown(
            "Not all folds are done yet, and this tab speaks of all held-out rows: *Fit and "
            "compare* shows how far they are."
            if case.begun
            else "There is no fit yet: run one under *Fit and compare*."
        )
    elif title == "See":
        see.draw_see(view, choices, case)
    else:
        take_home.draw_take_home(view, choices, case, found, running)
