"""Answer, figure, progress and every number of a sweep."""

from dataclasses import replace

import streamlit as st

from lab import accuracy, ui, words
from lab.accuracy import charts, code, settings, summary
from lab.accuracy import words as findings
from lab.accuracy.panels import axis_of, columns_of, leads_of, panel_of, status_of
from lab.accuracy.view.running import known_results, majority_of, origin, shipped_results
from lab.data import paper_numbers
from lab.data.datasets import MatSpec
from lab.running import jobs

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
Features are scaled on the training samples only, and an intercept is fitted.
"""  # noqa: E501


def done_of(spec, results):
    return findings.Done(len(results), len(spec.trials()))


def live(store, spec, show, was_active, y=None):
    """Answer, figure and progress; while a sweep runs, once a second."""
    job = jobs.shared_queue().get(spec.id)
    now = None if job is None else job.snapshot()
    if job is not None:
        job.touch()
    if was_active and (now is None or now.state in jobs.ENDED):
        st.rerun()
    results = known_results(store, spec)
    cells, done = accuracy.summarise(spec, results), done_of(spec, results)
    majority = majority_of(spec, y)
    if results:
        st.markdown(findings.answer(spec, cells, done, majority, with_other_noise(store, spec)))
    else:
        brief = words.in_markdown(settings.in_brief(spec), 200)
        st.markdown(f"These settings have not been run yet: {brief}. **Run** does it.")
    panel = panel_of(spec, cells, show, done)
    figure = draw(spec, cells, show, ui.mode(), done, majority)
    ui.chart(figure, key="acc_figure", alt=f"{panel.axis} by method. {panel.title}.")
    if now is not None and now.state in ("queued", "running"):
        share = now.done / now.total
        st.progress(share, text=status_of(now))
    if now is not None and now.state in ("failed", "cancelled") and now.done < now.total:
        st.caption(f"The last run was {status_of(now)}.")
    for trouble in {now.error if now else "", st.session_state.get("acc_trouble", "")} - {""}:
        ui.problem(words.in_markdown(trouble, 400))


def draw_notes(store, spec, show):
    """Where the results come from, how many there are, and how to read the figure."""
    results = known_results(store, spec)
    cells, done = accuracy.summarise(spec, results), done_of(spec, results)
    notes = [note for note in (origin(shipped_results(spec), results),) if note]
    notes += [f"{done.trials} of {done.of} trials"]
    if show == settings.LEAD and summary.compared(cells):
        notes.append(band_words(spec, cells))
    notes += [note for note in (findings.certificate_words(cells),) if note]
    st.caption("; ".join(notes) + ".")


def with_other_noise(store, spec):
    """The same sweep with the other kind of noise, if all of it is known."""
    if not isinstance(spec, accuracy.Fig2dSpec):
        return None
    other = replace(spec, noise=next(noise for noise in accuracy.NOISES if noise != spec.noise))
    results = known_results(store, other)
    complete = len(results) == len(other.trials())
    return (other, accuracy.summarise(other, results)) if complete else None


def band_words(spec, cells):
    looks = summary.looks_of(spec, cells)
    counted = "" if looks == 1 else f", {looks} looks counted (Bonferroni)"
    return f"shaded: no difference, 95 %{counted}; filled: beyond it"


def draw(spec, cells, show, mode, done, majority):
    panel = panel_of(spec, cells, show, done)
    options = dict(axis=panel.axis, title=panel.title, mode=mode, scale=panel.scale)
    real, labels = isinstance(spec, accuracy.RealSpec), accuracy.LABELS
    if show == settings.LEAD:
        found = leads_of(spec, cells, majority)
        if real:
            return charts.leads_by_rival(found, labels, **options)
        return charts.leads(axis_of(spec), found, labels, **options)
    columns = columns_of(cells, show)
    line = majority if show == "accuracy" else None
    if real:
        row = paper_row(spec) if show == "accuracy" else None
        paper = row.accuracy if row else None
        return charts.by_method(columns, labels, paper=paper, majority=line, **options)
    return charts.against(
        axis_of(spec), columns, labels, logarithmic=panel.logarithmic, majority=line, **options
    )


def paper_row(spec):
    data = getattr(spec, "data", None)
    return paper_numbers.row_of(data.name) if isinstance(data, MatSpec) else None


def draw_rest(view, store, spec, y=None):
    view.draw_presets()
    results = known_results(store, spec)
    cells = accuracy.summarise(spec, results)
    st.subheader("Every number", anchor=False)
    if cells:
        st.dataframe(summary.table(spec, cells), hide_index=True)
    else:
        st.markdown("None yet.")
    st.caption(
        f"{summary.INTERVALS[summary.interval_kind(spec)]} Seconds are CPU time for choosing the "
        "strengths and fitting, medians over trials; selected features are those with a nonzero "
        "weight, means over trials."
    )
    row = paper_row(spec)
    if row is not None:
        st.caption(
            f"The paper's row {row.title}: {row.n_samples} × {row.n_features}, {row.folds} folds; "
            + ", ".join(
                f"{accuracy.LABELS[key]} {value:.2f} %" for key, value in row.accuracy.items()
            )
            + "."
        )
    with st.expander("How strengths are chosen, the same for every method"):
        st.markdown(spec.protocol.in_words())
        if isinstance(spec, accuracy.RealSpec):
            st.markdown(accuracy.HOW_SETTLED)
    with st.expander("The experiment and the methods"):
        st.markdown(HOW)
    with st.expander("Computations on this server"):
        draw_queue()
    ui.export_row(
        view,
        ui.Export(
            name="esvm-accuracy",
            data=lambda: summary.trial_table(spec, results),
            figure=lambda: draw(
                spec, cells, view["show"], "light", done_of(spec, results), majority_of(spec, y)
            ),
            code=code.snippet(spec),
            settings=settings.for_files(spec),
        ),
    )


def draw_queue():
    known = jobs.shared_queue().jobs()
    if not known:
        st.markdown("None so far.")
    for job in reversed(known):
        st.markdown(f"- {job.title}: {status_of(job.snapshot())}")
