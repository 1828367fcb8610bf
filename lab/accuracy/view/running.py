"""A sweep is started, resumed, watched and let go; and where its results are."""

from dataclasses import replace

import numpy as np
import streamlit as st

from lab import accuracy
from lab.accuracy import settings
from lab.accuracy.found import Found
from lab.accuracy.panels import expected_seconds
from lab.data.datasets import load
from lab.results import complete, made_here, shipped
from lab.running import jobs
from lab.words import clock

KEEP = "Keep running when I leave"

KEEP_HELP = "Otherwise closing the tab ends the sweep."


def draw_starter(view, store, found, upload) -> bool:
    """Run or resume, and whether the sweep outlives the tab; True where one is on its way."""
    job = jobs.shared_queue().get(found.spec.id)
    active = job is not None and job.snapshot().state not in jobs.ENDED
    total, done = found.done.of, found.done.trials
    button = st.container()
    if active:
        button.button("Cancel", key="acc_cancel", on_click=job.cancel, width="stretch")
        draw_keep_running(view, job)
        return True
    keep = view.toggle("keep", KEEP, help=KEEP_HELP)
    label = "Run" if done == 0 else f"Resume ({done} of {total} done)"
    button.button(
        label if done < total else "All trials are done",
        key="acc_run",
        width="stretch",
        disabled=done == total,
        on_click=start,
        args=(store, found, upload, keep),
        help="For fresh trials of finished settings change the seed under More settings.",
    )
    if done < total:
        button.caption(what_it_takes(found))
    return False


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


def what_it_takes(found):
    """How many trials there are to do, and roughly how long they take."""
    spec = found.spec
    todo = [trial for trial in spec.trials() if trial not in found.results]
    default = settings.spec_of({**settings.DEFAULTS, "tab": st.session_state["acc_tab"]})
    workers = jobs.shared_queue().workers
    seconds = expected_seconds(spec, todo, workers, default, shipped_results(default))
    return f"{len(todo)} trials" + ("" if seconds is None else f", about {clock(seconds)}")


def start(store, found, upload, keep):
    spec, known = found.spec, found.results
    st.session_state.pop("acc_trouble", None)
    try:
        store.open(spec)
    except OSError as error:
        st.session_state["acc_trouble"] = str(error)
    trials = spec.trials()
    data = () if upload is None else ((upload.X, upload.y),)
    jobs.shared_queue().submit(
        settings.title(spec),
        accuracy.run_trial,
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


def look(store, spec, y=None) -> Found:
    """What is known of a sweep now; `y` are the classes of a visitor's own table."""
    found = known(store, spec)
    return replace(found, majority=majority_of(spec, y), other=with_other_noise(store, spec))


def known(store, spec) -> Found:
    from_source = shipped_results(spec)
    return Found(spec, complete(spec, from_source, own_results(store, spec)), from_source)


def with_other_noise(store, spec) -> Found | None:
    """The same sweep with the other kind of noise, if all of it is known."""
    if not isinstance(spec, accuracy.Fig2dSpec):
        return None
    other = replace(spec, noise=next(noise for noise in accuracy.NOISES if noise != spec.noise))
    found = known(store, other)
    return found if found.complete else None


def own_results(store, spec):
    """What was run here: on disk, or in the memory of the queue."""
    job, found = jobs.shared_queue().get(spec.id), {}
    if job is not None:
        trials, made = spec.trials(), made_here()
        found = {trials[at]: {**value, "made": made} for at, value in job.snapshot().results}
    return found | (store.load(spec) if spec.may_be_kept else {})


@st.cache_data(show_spinner=False, max_entries=50)
def majority_of(spec, _y=None):
    """The share of the largest class: half of generated data; None for what is out of reach."""
    if not isinstance(spec, accuracy.RealSpec):
        return 0.5
    try:
        y = load(spec.data).y if _y is None else _y
    except (OSError, ValueError, AttributeError):
        return None  # not on this machine, or not reached
    return float(np.unique(y, return_counts=True)[1].max() / len(y))


def shipped_results(spec):
    return shipped().load(spec) if spec.may_be_kept else {}
