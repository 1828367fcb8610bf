"""A sweep is started, resumed, watched and let go; and where its results are."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lab import accuracy
from lab.accuracy import settings
from lab.accuracy.found import Found
from lab.accuracy.panels import expected_seconds
from lab.accuracy.quantities import QUANTITIES
from lab.data.datasets import load
from lab.results import complete, made_here, shipped
from lab.running import jobs
from lab.ui import keeping
from lab.words import clock, counted


@dataclass(frozen=True)
class Look:
    """One look at a sweep, from which a screen has everything it shows.

    `stamp` changes with what was found, so that what is made of it is made once; `job` and `now`
    are the computation and how it stands, None where none is known.
    """

    found: Found
    stamp: str
    job: jobs.Job | None
    now: jobs.Snapshot | None

    @property
    def active(self) -> bool:
        return is_active(self.now)


def is_active(now) -> bool:
    """Whether a computation is on its way or in the line."""
    return now is not None and now.state not in jobs.ENDED


def draw_starter(view, store, look, upload) -> None:
    """Run or resume, and whether the sweep outlives the tab."""
    found, job = look.found, look.job
    total, done = found.done.of, found.done.trials
    if look.active:
        st.button("Cancel", key="acc_cancel", on_click=job.cancel, width="stretch")
        keeping.under_way(view, job)
        return
    button = st.container()
    keep = keeping.before_start(view)
    label = "Run" if done == 0 else f"Resume ({found.done} done)"
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
        button.caption(what_it_takes(look.stamp, view["tab"], found))


@st.cache_resource(show_spinner=False, max_entries=200)
def what_it_takes(stamp, tab, _found):
    """How many trials there are to do, and roughly how long they take."""
    spec = _found.spec
    todo = [trial for trial in spec.trials() if trial not in _found.results]
    default = settings.spec_of({**settings.DEFAULTS, "tab": tab})
    workers = jobs.shared_queue().workers
    seconds = expected_seconds(spec, todo, workers, default, shipped_results(default))
    takes = "" if seconds is None else f", about {clock(seconds)} if this machine is idle"
    return counted(len(todo), "trial") + takes


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


def look_at(store, spec, y=None) -> Look:
    """What is known of a sweep now; `y` are the classes of a visitor's own table."""
    job, now = job_of(spec)
    stamp, beside = stamp_of(store, spec, job, now), (with_other_noise(spec), by_hand(spec))
    for other in filter(None, beside):
        stamp = f"{stamp} {stamp_of(store, other, *job_of(other))}"
    return Look(_found(stamp, store, spec, beside, y), stamp, job, now)


def job_of(spec):
    """The computation of a sweep and how it stands, where there is one."""
    job = jobs.shared_queue().get(spec.id)
    return job, None if job is None else job.snapshot()


def stamp_of(store, spec, job, now) -> str:
    """What changes whenever more of a sweep is known."""
    of_job = (0, 0) if job is None else (job.place.number, now.done)
    return f"{spec.id} {shipped().stamp(spec)} {store.stamp(spec)} {of_job}"


@st.cache_resource(show_spinner=False, max_entries=100)
def _found(stamp, _store, _spec, _beside, _y) -> Found:
    other, strengths = (None if each is None else known(_store, each) for each in _beside)
    return replace(
        known(_store, _spec),
        majority=majority_of(_spec, _y),
        other=other if other is not None and other.complete else None,
        by_hand=strengths if strengths is not None and strengths.complete else None,
    )


def known(store, spec) -> Found:
    from_source, job = shipped_results(spec), jobs.shared_queue().get(spec.id)
    own = store.load(spec) if spec.may_be_kept else {}
    of_job = {} if job is None else results_of(spec, job)
    return Found(
        spec,
        complete(spec, from_source, of_job | own),
        from_source,
        run_here=job is not None or bool(own),
    )


def with_other_noise(spec):
    """The same sweep with the other kind of noise, where there are two."""
    if not isinstance(spec, accuracy.Fig2dSpec):
        return None
    return replace(spec, noise=next(noise for noise in accuracy.NOISES if noise != spec.noise))


def by_hand(spec):
    """The sweep over the strength β that stands beside the paper's own figure."""
    if not isinstance(spec, accuracy.Fig2dSpec):
        return None
    figure = replace(spec, noise=accuracy.Fig2dSpec.noise) == accuracy.Fig2dSpec()
    values = QUANTITIES["strength"].values
    return accuracy.WhenSpec(quantity="strength", values=values) if figure else None


def results_of(spec, job):
    """What a computation has in the memory of the queue."""
    trials, made = spec.trials(), made_here()
    return {trials[at]: {**value, "made": made} for at, value in job.snapshot().results}


def majority_of(spec, y=None):
    """The share of the largest class: half of generated data; None for what is out of reach."""
    if not isinstance(spec, accuracy.RealSpec):
        return 0.5
    try:
        return largest_share(spec.id, spec, y)
    except (OSError, ValueError, AttributeError):
        return None  # not on this machine, or not reached


@st.cache_data(show_spinner=False, max_entries=50)
def largest_share(id, _spec, _y):
    y = load(_spec.data).y if _y is None else _y
    return float(np.unique(y, return_counts=True)[1].max() / len(y))


def shipped_results(spec):
    return shipped().load(spec) if spec.may_be_kept else {}
