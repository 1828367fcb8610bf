"""E-SVM accuracy: the paper's Fig. 2(d) and Table 1 as sweeps to run, watch and resume."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import jobs, paper_numbers, sweeps, tables, ui
    from lab.charts import sweeps as charts
    from lab.classify import words
    from lab.datasets import MatSpec
    from lab.snippets import sweeps as snippets
    from lab.sweeps import settings, summary, uploads
    from lab.sweeps.panels import clock, columns_of, expected_seconds, panel_of, status_of
    from lab.ui.own_tables import FILE_TYPES, draw_label, read_upload
    from lab.ui.uploads import Choices
    from lab.ui.uploads import upload as upload_file

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

**Real data.** Ordinary $K$-fold trains on all folds but one. *Inverted* $K$-fold trains on one and
tests on the rest: the paper says cross-validation, and its Table 1 fits the inverted kind.
Features are scaled on the training samples only, and an intercept is fitted.
"""  # noqa: E501

KEEP = "Keep running when I leave"
KEEP_HELP = "Otherwise closing the tab ends the sweep."


def main():
    view = ui.View("esvm_accuracy", settings.DEFAULTS, settings.presets())
    store = sweeps.Store()
    follow_address(view, store)
    generated, real = view.tabs("tab", (settings.GENERATED, settings.REAL))
    with generated if generated.open else real:
        left, right = ui.figure_and_controls()
        with left:
            place, under = st.container(), st.container()
        with right:
            starter = st.container()
            upload = draw_controls(view, under)
        try:
            spec = settings.spec_of(view.values(), upload.spec if upload else None)
        except ValueError as error:
            with place:
                ui.problem(words.in_markdown(error, 400))
            return
        with starter:
            draw_starter(view, store, spec, upload)
        job = jobs.shared_queue().get(spec.id)
        active = job is not None and job.snapshot().state not in jobs.ENDED
        with place:
            st.fragment(live, run_every=1.0 if active else None)(store, spec, view["show"], active)
    write_address(spec, store, job)
    draw_rest(view, store, spec)


# -- controls ------------------------------------------------------------------------------


def draw_controls(view, under):
    """The controls of the open tab; the visitor's table, if there is one."""
    upload = None
    if view["tab"] == settings.GENERATED:
        with under:
            view.slider(
                "repeats",
                "Repeats: new data each, paired across methods",
                1,
                30,
                help="More repeats shrink the intervals and take longer.",
            )
            view.segments("show", "Show", settings.SHOWN, help="What the figure draws against m.")
        view.text(
            "ms", "List of m", help="m is the number of samples, groups and true features at once."
        )
        view.segments("noise", "Noise", sweeps.NOISES, help="Shared is what the paper prints.")
        view.slider(
            "bayes", "Bayes error, %", 1, 40, help="How often the true classifier itself errs."
        )
        labels = [sweeps.LABELS[key] for key in sweeps.FIG2D_METHODS]
        view.pills("methods", "Methods", labels, help="SVM is the base of the differences.")
    else:
        with under:
            view.slider(
                "folds", "Folds", 2, 50, help="A class needs at least as many samples as folds."
            )
            view.segments("show", "Show", settings.SHOWN, help="What the figure draws by method.")
        view.select("data", "Data set", settings.data_choices(), help="Two or more classes.")
        if view["data"] == settings.BY_NAME:
            view.text("openml", "Name on openml.org", help="Downloaded once; numeric columns only.")
        if view["data"] == settings.OWN_FILE:
            upload = draw_upload(view)
        view.segments(
            "kind",
            "Folds train on",
            sweeps.FOLD_KINDS,
            help="Inverted: on one, tested on the rest.",
        )
        labels = [sweeps.LABELS[key] for key in sweeps.REAL_METHODS]
        view.pills("rivals", "Methods", labels, help="SVM is the base of the differences.")
    with st.expander("More settings"):
        if view["tab"] == settings.GENERATED:
            view.number("features", "Features n", 20, 20000, help="The paper has 5040.")
        else:
            view.segments(
                "scaling", "Scaling", sweeps.SCALINGS, help="Learnt on training samples only."
            )
            view.slider("times", "Repeats of the folds", 1, 10, help="With other shuffles.")
        view.select(
            "rule",
            "Random groups of E-SVM(R)",
            sweeps.GROUP_RULES,
            help="The paper's m/log m, or the most that the exact law finds balanced.",
        )
        if view["rule"] == "fixed":
            view.number("groups", "Number of random groups", 1, 5000, help="The same for every m.")
        view.slider("inner", "Inner folds", 2, 10, help="Cross-validation that chooses strengths.")
        name = "weakest" if view["tab"] == settings.GENERATED else "faintest"
        view.scale(
            name, "Weakest strength", settings.WEAKEST, help="As a share of the strength's scale."
        )
        view.number("seed", "Seed", 0, 10**6, help="Of data, folds and random groups.")
    return upload


def draw_upload(view):
    """The uploaded table as samples and classes, kept in this visit's memory only."""
    file = upload_file(
        "acc",
        "A table with a column of classes",
        types=FILE_TYPES,
        help="CSV, Excel, Parquet, LIBSVM, MATLAB 5, NumPy; up to 50 MB.",
    )
    if file is None:
        return None
    choices = Choices("acc_", file.digest)
    try:
        table = read_upload(file, choices.get("label", None))
        label = draw_label(choices, table)
        upload = prepared_upload(file.digest, file.name, label, view["folds"], table)
    except tables.TableError as error:
        ui.problem(words.in_markdown(error, 400))
        return None
    # Named, since the uploader itself is empty after a visit to another page.
    size = f"{words.in_markdown(file.name)}: {upload.X.shape[0]} × {upload.X.shape[1]}"
    st.caption("; ".join([size, *upload.notes]))
    return upload


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def prepared_upload(digest, name, label, folds, _table):
    return uploads.prepare(_table, label, folds)


# -- running -------------------------------------------------------------------------------


def draw_starter(view, store, spec, upload):
    """Run or resume, and whether the sweep outlives the tab."""
    queue = jobs.shared_queue()
    job = queue.get(spec.id)
    active = job is not None and job.snapshot().state not in jobs.ENDED
    total, done = len(spec.trials()), len(own_results(store, spec))
    button = st.container()
    if active:
        button.button("Cancel", key="acc_cancel", on_click=job.cancel, width="stretch")
        draw_keep_running(view, job)
        return
    keep = view.toggle("keep", KEEP, help=KEEP_HELP)
    label = "Run" if done == 0 else f"Resume ({done} of {total} done)"
    button.button(
        label if done < total else "All trials are done",
        key="acc_run",
        width="stretch",
        disabled=done == total,
        on_click=start,
        args=(store, spec, upload, keep),
        help="For fresh trials of finished settings change the seed under More settings.",
    )
    if done < total:
        button.caption(what_it_takes(store, spec))


def draw_keep_running(view, job):
    """Whether a sweep on its way outlives the tab, as it was told last by whomever.

    A toggle apart from the one before the start: a sweep belongs to all who look at it, so a
    visitor who never touched the toggle must neither change it nor take it for the next sweep.
    """
    key = "acc_keep_running"
    st.session_state[key] = job.keep_running
    st.toggle(KEEP, key=key, on_change=keep_as_told, args=(view, job, key), help=KEEP_HELP)


def keep_as_told(view, job, key):
    job.keep_running = st.session_state[key]
    view.set({"keep": job.keep_running})


def what_it_takes(store, spec):
    """How many trials there are to do, and roughly how long they take."""
    known = own_results(store, spec)
    todo = [trial for trial in spec.trials() if trial not in known]
    default = settings.spec_of({**settings.DEFAULTS, "tab": st.session_state["acc_tab"]})
    workers = jobs.shared_queue().workers
    seconds = expected_seconds(spec, todo, workers, default, committed(default)[0])
    return f"{len(todo)} trials" + ("" if seconds is None else f", about {clock(seconds)}")


def start(store, spec, upload, keep):
    st.session_state.pop("acc_trouble", None)
    try:
        store.open(spec)
    except OSError as error:
        st.session_state["acc_trouble"] = str(error)
    trials = spec.trials()
    known = own_results(store, spec)
    data = () if upload is None else ((upload.X, upload.y),)
    jobs.shared_queue().submit(
        settings.title(spec),
        sweeps.run_trial,
        [(spec, trial, *data) for trial in trials],
        already_done={i: known[trial] for i, trial in enumerate(trials) if trial in known},
        on_result=lambda index, result: store.add(spec, result),
        keep_running=keep,
        id=spec.id,
        costs=[spec.cost(trial) for trial in trials],
    )
    watched_here().add(spec.id)


def let_go(ids):
    for id in ids:
        job = jobs.shared_queue().get(id)
        if job is not None:
            job.let_go()


@st.cache_resource(scope="session", on_release=let_go, show_spinner=False)
def watched_here():
    """The sweeps that this visit started; when the tab closes, they end soon."""
    return set()


def own_results(store, spec):
    """What was run here: on disk, or in the memory of the queue."""
    found = store.load(spec) if sweeps.may_be_kept(spec) else {}
    job = jobs.shared_queue().get(spec.id)
    if job is not None:
        trials = spec.trials()
        found |= {trials[index]: value for index, value in job.snapshot().results}
    return found


def results_to_show(store, spec):
    """The results of these settings and where they are from; else the last ones shown."""
    own = own_results(store, spec)
    if own:
        return spec, own, ""
    found, machine = committed(spec)
    if found:
        return (
            spec,
            found,
            f"Run on {machine.get('date', 'an earlier day')} and shipped with the app",
        )
    last = st.session_state.get(f"acc_shown_{type(spec).__name__}")
    if last is None or last.id == spec.id:
        last = settings.spec_of({**settings.DEFAULTS, "tab": st.session_state["acc_tab"]})
    found = own_results(store, last) or committed(last)[0]
    return (
        last,
        found,
        "These settings have not been run; the figure shows "
        + words.in_markdown(settings.in_brief(last), 200),
    )


@st.cache_data(show_spinner=False, max_entries=50)
def committed(spec):
    return sweeps.committed(spec)


# -- what is shown -------------------------------------------------------------------------


def live(store, spec, show, was_active):
    """Answer, figure and progress; while a sweep runs, once a second."""
    job = jobs.shared_queue().get(spec.id)
    now = None if job is None else job.snapshot()
    if job is not None:
        job.touch()
    if was_active and now.state in jobs.ENDED:
        st.rerun()
    shown, results, origin = results_to_show(store, spec)
    if shown is spec:
        st.session_state[f"acc_shown_{type(spec).__name__}"] = spec
    cells = sweeps.summarise(shown, results)
    st.markdown(summary.answer(shown, cells))
    panel = panel_of(shown, cells, show)
    figure = draw(shown, cells, show, ui.mode())
    ui.chart(figure, key="acc_figure", alt=f"{panel.axis} by method. {panel.title}.")
    if now is not None and now.state in ("queued", "running"):
        share = now.done / now.total
        st.progress(share, text=status_of(now))
    notes = [origin] if origin else []
    notes += [f"{len(results)} of {len(shown.trials())} trials"]
    notes += [note for note in (summary.certificate_words(cells),) if note]
    st.caption("; ".join(notes) + ".")
    if now is not None and now.state in ("failed", "cancelled") and now.done < now.total:
        st.caption(f"The last run was {status_of(now)}.")
    for trouble in {now.error if now else "", st.session_state.get("acc_trouble", "")} - {""}:
        ui.problem(words.in_markdown(trouble, 400))


def draw(spec, cells, show, mode):
    panel = panel_of(spec, cells, show)
    options = dict(
        axis=panel.axis, title=panel.title, mode=mode, scale=panel.scale, zero_line=panel.zero_line
    )
    columns = columns_of(cells, show)
    if isinstance(spec, sweeps.Fig2dSpec):
        return charts.against_m(columns, sweeps.LABELS, logarithmic=panel.logarithmic, **options)
    row = paper_row(spec) if show == "accuracy" else None
    return charts.by_method(columns, sweeps.LABELS, paper=row.accuracy if row else None, **options)


def paper_row(spec):
    data = getattr(spec, "data", None)
    return paper_numbers.row_of(data.name) if isinstance(data, MatSpec) else None


def draw_rest(view, store, spec):
    view.draw_presets()
    shown, results, _ = results_to_show(store, spec)
    cells = sweeps.summarise(shown, results)
    st.subheader("Every number", anchor=False)
    st.dataframe(summary.table(shown, cells), hide_index=True)
    st.caption(
        f"{summary.INTERVALS[summary.interval_kind(shown)]} Seconds are CPU time for choosing the "
        "strengths and fitting, medians over trials; selected features are those with a nonzero "
        "weight, means over trials."
    )
    row = paper_row(shown)
    if row is not None:
        st.caption(
            f"The paper's row {row.title}: {row.n_samples} × {row.n_features}, {row.folds} folds; "
            + ", ".join(
                f"{sweeps.LABELS[key]} {value:.2f} %" for key, value in row.accuracy.items()
            )
            + "."
        )
    with st.expander("How strengths are chosen, the same for every method"):
        st.markdown(shown.protocol.in_words())
        if isinstance(shown, sweeps.RealSpec):
            st.markdown(sweeps.HOW_SETTLED)
    with st.expander("The experiment and the methods"):
        st.markdown(HOW)
    with st.expander("Computations on this server"):
        draw_queue()
    ui.export_row(
        view,
        ui.Export(
            name="esvm-accuracy",
            data=lambda: summary.trial_table(shown, results),
            figure=lambda: draw(shown, cells, view["show"], "light"),
            code=snippets.snippet(shown),
            settings=settings.for_files(shown),
        ),
    )


def draw_queue():
    known = jobs.shared_queue().jobs()
    if not known:
        st.markdown("None so far.")
    for job in reversed(known):
        st.markdown(f"- {job.title}: {status_of(job.snapshot())}")


# -- the address ---------------------------------------------------------------------------


def follow_address(view, store):
    """A link that holds a sweep's id and nothing else shows that sweep."""
    address = dict(st.query_params)
    if set(address) == {"acc_sweep"} and ui.entered():
        spec = store.find(address["acc_sweep"])
        if spec is not None and spec.id != settings.spec_of(settings.DEFAULTS).id:
            view.set(settings.values_of(spec))


def write_address(spec, store, job):
    """The id of a sweep that was run here, so that a reload or another browser finds it."""
    known = sweeps.may_be_kept(spec) and (job is not None or bool(store.load(spec)))
    if known and st.query_params.get("acc_sweep") != spec.id:
        st.query_params["acc_sweep"] = spec.id
    elif not known and "acc_sweep" in st.query_params:
        del st.query_params["acc_sweep"]


with ui.page(key="esvm_accuracy"):
    main()
