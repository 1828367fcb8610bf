"""Answer, figure, progress and every number of a sweep."""

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab import accuracy, citing, ui, words
from lab.accuracy import charts, code, settings, summary
from lab.accuracy.panels import axis_of, columns_of, leads_of, panel_of, status_of
from lab.data import paper_numbers
from lab.data.datasets import MatSpec
from lab.running import jobs

EXPORTED = "esvm-accuracy"

BY_HAND = """
Here β of E-SVM and E-SVM(R) is the quantity that is varied: it is set, and of theirs α alone is
chosen as below."""

HOW = r"""
**Generated data.** The true classifier $w^*$ has one nonzero, $\mathcal N(0,1)$, in each of $m$
random groups of the $n$ features; a sample is $x = \text{noise} + y\,d\,w^*$ with $m$ samples to
train on and $m$ to test. Its Bayes error is $\Phi(-d\lVert w^*\rVert)$, so $d$ follows from the
error you choose. *Independent* noise is drawn for every sample. The paper prints *shared* noise,
the same for both classes: then pairs of samples differ by exactly $2dw^*$, and the plain SVM needs
no sparsity. Kong's selection and E-SVM know the true groups, E-SVM(R) draws random ones, and
nothing has an intercept.

**E-SVM** minimises
$\sum_i \max(0, 1-y_i x_i^\top w)+\frac{\alpha}{2}\lVert w\rVert_2^2+\frac{\beta}{2}\lVert w\rVert_e^2$;
S-SVM is an $\ell_1$ penalty on the squared hinge; Kong selects features by the exclusive lasso and
fits an SVM to them; the oracle is $w^*$ itself.

**When does it help?** One quantity is varied, all others stay: the error of the true classifier,
the correlation $\rho^{|i-j|}$ of the noise of features $i$ and $j$, the true features in each group,
the share of features that swapped their groups, or the strength $\beta$ as a share of $10\beta_0$.
Accuracy is the exact probability $\Phi\bigl(d\,w^\top w^*/\sqrt{w^\top\Sigma w}\bigr)$ of being
right on a new sample.

**Real data.** Ordinary $K$-fold trains on all folds but one. *Inverted* $K$-fold trains on one and
tests on the rest: the paper says cross-validation, and its Table 1 fits the inverted kind.
Where features are scaled, the training samples alone decide how; an intercept is fitted.
"""  # noqa: E501


BEST_OTHER = (
    "The best other is the one with the highest mean on the same draws among the methods that are "
    "no form of E-SVM. Beyond chance: paired t tests of the differences of E-SVM and of E-SVM(R) "
    "from each of them, at all places, corrected together (Holm, 5 %). *Paper vs measured* has "
    "the same correction and the rivals that each sentence of the paper names: where it says that "
    "E-SVM is first, E-SVM(R) is one of them."
)
ON_REAL_DATA = (
    "Beyond chance: t tests of the differences of E-SVM(R) from each of the others and from naming "
    "the largest class, corrected together (Holm, 5 %)."
)
# Where there is a single draw.
NO_INTERVALS = "A single draw has no error bars: differences may be chance."


@dataclass(frozen=True)
class Places:
    """What lies outside the figure and is yet renewed with it: one look serves all."""

    table: DeltaGenerator
    export: ui.ExportRow


def draw_said(look, show) -> None:
    """The answer, and the finding of the figure below."""
    found = look.found
    if found.results:
        st.markdown(words.unbroken(found.answer))
    else:
        brief = words.in_markdown(settings.in_brief(found.spec), 200)
        if look.active:
            st.markdown(f"No trial of these settings is done yet: {brief}.")
        else:
            st.markdown(f"These settings have not been run yet: {brief}. **Run** does it.")
    _, title, _ = figure(look.stamp, show, ui.mode(), found)
    # As a heading it has the page's width; in the figure it would be broken to fit a phone.
    st.subheader(words.unbroken(words.in_markdown(title, 200)), anchor=False)


def draw_found(look, show) -> None:
    """Figure and progress."""
    now = look.now
    picture, _, alt = figure(look.stamp, show, ui.mode(), look.found)
    ui.chart(picture, key="acc_figure", alt=alt)
    if now is not None and now.state in ("queued", "running"):
        share = now.done / now.total
        st.progress(share, text=status_of(now))
    if now is not None and now.state in ("failed", "cancelled") and now.done < now.total:
        st.caption(f"The last run was {status_of(now)}.")
    for trouble in {now.error if now else "", st.session_state.get("acc_trouble", "")} - {""}:
        ui.problem(words.in_markdown(trouble, 400))


def fill(places, look, show) -> None:
    """Every number, and what is taken home."""
    found, spec = look.found, look.found.spec
    if found.cells:
        places.table.dataframe(numbers(look.stamp, found), hide_index=True)
    else:
        places.table.markdown("None yet.")
    places.export.offer(
        ui.Export(
            name=EXPORTED,
            data=lambda: summary.trial_table(spec, found.results),
            figure=lambda: draw(found, show, "light"),
            code=code.snippet(spec),
            settings=settings.for_files(spec),
            cite=citation_of(found, show) if found.results and spec.may_be_kept else None,
            controls={**settings.values_of(spec), "show": show},
        )
    )


def citation_of(found, show):
    """How to cite what a sweep found; its settings find its trials again."""
    title = panel_of(found.spec, found.cells, show, found.done, found.majority).title
    where = f"E-SVM accuracy: {settings.in_brief(found.spec)}; {found.done.in_words}"
    return partial(citing.entry, f"sweep {found.spec.id}", title, [where], found.made)


@st.cache_resource(show_spinner=False, max_entries=200)
def figure(stamp, show, mode, _found):
    """The figure, its title and what those who cannot see it are told; made once of what was
    found."""
    panel = panel_of(_found.spec, _found.cells, show, _found.done, _found.majority)
    drawn = draw(_found, show, mode, titled=False)
    return drawn, panel.title, f"{panel.axis} by method. {panel.title}."


@st.cache_resource(show_spinner=False, max_entries=100)
def numbers(stamp, _found):
    """Every number, in the form that is sent."""
    return pa.table(summary.table(_found.spec, _found.cells))


def draw(found, show, mode, titled=True):
    spec, cells = found.spec, found.cells
    panel = panel_of(spec, cells, show, found.done, found.majority)
    title = panel.title if titled else ""
    options = dict(axis=panel.axis, title=title, mode=mode, scale=panel.scale)
    real, labels = isinstance(spec, accuracy.RealSpec), accuracy.LABELS
    if show == settings.LEAD:
        leads = leads_of(spec, cells, found.majority)
        if real:
            return charts.leads_by_rival(leads, labels, **options)
        return charts.leads(axis_of(spec), leads, labels, **options)
    columns = columns_of(cells, show)
    line, most = (found.majority, panel.scale) if show == "accuracy" else (None, None)
    if real:
        row = paper_row(spec) if show == "accuracy" else None
        paper = row.accuracy if row else None
        return charts.by_method(columns, labels, paper=paper, majority=line, most=most, **options)
    more = dict(logarithmic=panel.logarithmic, majority=line, most=most)
    return charts.against(axis_of(spec), columns, labels, **more, **options)


def paper_row(spec):
    data = getattr(spec, "data", None)
    return paper_numbers.row_of(data.name) if isinstance(data, MatSpec) else None


def draw_rest(view, spec) -> Places:
    """What follows the figure; the places of what is renewed with it."""
    st.subheader("Every number", anchor=False)
    table = st.empty()
    st.caption(how_to_read(spec))
    by_hand = isinstance(spec, accuracy.WhenSpec) and spec.quantity == "strength"
    with st.expander("How strengths are chosen, the same for every method"):
        if by_hand:
            st.markdown(BY_HAND)
        st.markdown(spec.protocol.in_words())
        if isinstance(spec, accuracy.RealSpec):
            st.markdown(accuracy.HOW_SETTLED)
    with st.expander("The experiment and the methods"):
        st.markdown(HOW)
    with st.expander("Computations on this server"):
        st.markdown(queue_in_words())
    return Places(table, ui.ExportRow(view, EXPORTED))


def how_to_read(spec) -> str:
    """What the intervals and columns are, and the paper's own numbers where it has some."""
    real = isinstance(spec, accuracy.RealSpec)
    intervals = NO_INTERVALS
    if real or spec.repeats > 1:
        chance = ON_REAL_DATA if real else BEST_OTHER
        intervals = f"{summary.INTERVALS[summary.interval_kind(spec)]} {chance}"
    said = (
        f"{intervals} Seconds are CPU time for choosing the strengths and fitting, medians over "
        "trials; selected features are those with a nonzero weight, means over trials."
    )
    row = paper_row(spec)
    if row is None:
        return said
    shares = (f"{accuracy.LABELS[key]} {value:.2f} %" for key, value in row.accuracy.items())
    size = f"{row.n_samples} × {row.n_features}, {row.folds} folds"
    return f"{said}\n\nThe paper's row {row.title}: {size}; {', '.join(shares)}."


def queue_in_words() -> str:
    known = jobs.shared_queue().jobs()
    lines = [f"- {job.title}: {status_of(job.snapshot())}" for job in reversed(known)]
    return "\n".join(lines) or "None so far."
