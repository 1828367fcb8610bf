"""A table of one's own: which few members of each group decide, how surely, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab import ui, words
from lab.own_table import code, elsewhere
from lab.own_table import headline as opening
from lab.own_table.case import Case
from lab.own_table.view import (
    addressed,
    analysis,
    data,
    fit,
    groups,
    runs,
    see,
    shelf,
    take_home,
)
from lab.own_table.view.controls import (
    DEFAULTS,
    LIMITS,
    OWN_FILE,
    SAMPLE_BY_TITLE,
    TABS,
)
from lab.own_table.view.examined import Examined, Source, examined
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
ordinary folds share training rows, for which Nadeau and Bengio's variance makes up; where no row
went wrong, Clopper and Pearson's), is held against guessing and against the same fits to shuffled
labels, at the strengths and in the groups that the true ones had: 19 draws, so that p = 0.05 is the
smallest there is. Where classes are far from equally frequent, every class counts alike, in the fit
and in the score. That features *decide* is said where at least half of those used are in every
fold, and at most two thirds of all are used.

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

**Used** is a feature whose weight exceeds a thousandth of the largest; one rule for all models. Of
more than two classes each has a largest of its own, which counts if it exceeds a thousandth of the
others'. Standardised features make weights comparable.
"""
NEXT = {
    "Data": "Next: under *Groups* say which features compete, or go straight to *Fit and compare*.",
    "Groups": "Next: *Fit and compare* shows what the model uses and how it stands.",
    "Fit and compare": "Next: *See* shows where it errs and why; *Take home* has the model.",
    "See": "Next: *Take home* has the model, its report, and room for a second table.",
    "Take home": "",
}
# Doubts under which the verdict itself may be worth nothing.
GRAVE = {
    "leak": "If it was known only after the label, what stands here is worth nothing: leave it out "
    "under *Data*.",
    "subjects": "What stands here may be worth nothing: keep them together under *Data*.",
}


@dataclass(frozen=True)
class Places:
    """What stands outside the tabs and still speaks of the case; no row where nothing is fitted."""

    headline: DeltaGenerator
    elsewhere: DeltaGenerator
    row: ui.ExportRow | None


def show() -> None:
    with ui.page(key="classify_csv"):
        shelf.take_up()
        draw_page()


def draw_page() -> None:
    view = ui.View("classify_csv", DEFAULTS, limits=LIMITS)
    headline = st.empty()
    source = draw_source(view)
    if source is None:
        headline.markdown("Nothing to analyse yet.")
        shelf.put_back()
        return
    case = examined(view, source).case
    if case is not None:
        case = runs.with_own_fits(case)
    tabs = dict(zip(TABS, view.tabs("tab", TABS), strict=True))
    places = draw_foot(view, headline, case)
    # What is chosen under Data decides how the table is read, which all the page is about.
    draw = draw_open_tab if view["tab"] == "Data" else st.fragment(draw_open_tab)
    with tabs[view["tab"]]:
        draw(view, source, places)


def draw_source(view) -> Source | None:
    choice = view.segments(
        "data",
        "Table",
        (*SAMPLE_BY_TITLE, OWN_FILE),
        help="Samples to try, or a file of your own.",
        label_visibility="collapsed",
    )
    sample = SAMPLE_BY_TITLE.get(choice)
    if sample is not None:
        table, choices = data.sample_table(sample.key), Choices("csv_", sample.key)
        addressed.follow(view, choices, sample.key, table)
        return Source(sample.title, table, choices, sample)
    name, table, choices = data.read_own_file(view)
    analysis.draw_restore(view)
    if table is None:
        return None
    data.land_on_columns(view, table)
    return Source(name, table, choices, None)


def draw_foot(view, headline, case: Case | None) -> Places:
    """How it is computed, and what is offered to take away."""
    with st.expander("How it is computed"):
        st.markdown(HOW)
        beside = st.empty()
    row = ui.ExportRow(view, "classify") if case is not None and case.fitted else None
    return Places(headline, beside, row)


def draw_open_tab(view, source: Source, places: Places) -> None:
    """The open tab, and what outside it speaks of the same case."""
    is_sample = source.sample is not None
    addressed.show(view, source.choices, source.token, source.table, sample=is_sample)
    running = runs.COMPARISON.is_running()
    now = examined(view, source)
    case = now.case if now.case is None else runs.with_own_fits(now.case)
    folds_are_next = case is not None and runs.folds_are_next(case)
    running = running or folds_are_next
    if (places.row is not None) != (case is not None and case.fitted):
        st.rerun()
    if case is not None and case.fitted and view["tab"] == "Take home":
        # What is taken home says all there is to say.
        case = runs.with_chance(case)
    draw_headline(places.headline, case, now)
    draw_tab(view["tab"], view, source, case, now, running)
    draw_rest(places, case)  # after the controls, which write what they say into the address
    if running and view["tab"] != "Fit and compare":
        runs.COMPARISON.draw_progress()
    if runs.PATH.is_running() and view["tab"] != "See":
        runs.PATH.draw_progress()
    if folds_are_next:
        # The first result is on show; what it is worth may now take its seconds.
        runs.with_folds(case)
        st.rerun()
    if case is not None and case.fitted and case.chance is None:
        # All is drawn; what shuffled labels get may now take its second or two.
        case = runs.with_chance(case)
        if case.chance is not None:
            draw_headline(places.headline, case, now)
    shelf.put_back()


def draw_rest(places: Places, case: Case | None) -> None:
    places.elsewhere.markdown("" if case is None else elsewhere.sentence(case))
    if places.row is not None:
        places.row.offer(
            ui.Export(
                name="classify",
                data=case.found.table,
                figure=lambda: fit.bars_figure(case, "light"),
                code=case.once("code", lambda: code.snippet(case)),
            )
        )


def draw_headline(place, case: Case | None, now: Examined) -> None:
    with place.container():
        if case is None:
            ui.problem(opening.problem(now.problem, now.doubts))
            return
        if case.fitted:
            st.markdown(opening.answer(case))
        elif case.begun:
            st.markdown(opening.so_far(case))
        else:
            classes = len(case.prepared.classes)
            kind = f", {classes} classes" if classes else ""
            st.markdown(
                f"{opening.subject(case)}: {case.prepared.n_samples:,} rows, "
                f"{case.prepared.n_features:,} features{kind}; fit it to see which features decide."
            )
        for doubt in now.doubts:
            if doubt.kind in GRAVE:
                st.warning(f"{words.in_markdown(doubt.sentence, 400)} {GRAVE[doubt.kind]}")
        others = [doubt for doubt in now.doubts if doubt.kind not in GRAVE]
        if others and not case.sample:
            kinds = words.counted(len(others), "doubt")
            st.caption(f"{kinds} about this table under *Data*: {opening.doubts(others)}.")


def draw_tab(title, view, source: Source, case: Case | None, now: Examined, running) -> None:
    if title == "Data":
        data.draw_data(view, source, now)
    elif title == "Groups":
        groups.draw_groups(view, case, running)
    elif case is None:
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
        see.draw_see(view, source.choices, case)
    else:
        take_home.draw_take_home(view, source.choices, case, now.doubts, running)
    if NEXT[title] and case is not None:
        st.caption(NEXT[title])
