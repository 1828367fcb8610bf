"""Fits, comparisons and paths: at once where they are quick, in the queue of jobs otherwise."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from lab.classify import compare
from lab.jobs import ENDED, NOTHING, Snapshot, shared_queue

MOST_KEPT = 8


class Watch:
    """The job of one kind that this session follows, and what earlier ones of the kind found.

    Results are lists in the order of finishing, by a key that says what was asked for. A job that
    was cancelled leaves those that it had.
    """

    def __init__(self, kind: str):
        self._kind = kind

    @property
    def results(self) -> dict:
        return st.session_state.setdefault(f"_csv_{self._kind}_results", {})

    @property
    def failure(self) -> str:
        """Why the last job ended early, in a sentence; empty if it did not."""
        return st.session_state.get(f"_csv_{self._kind}_failure", "")

    def job(self):
        """The job under way and its key; None twice where there is none.

        The session holds the job itself: the queue forgets those that ended while nobody looked.
        """
        return st.session_state.get(f"_csv_{self._kind}_job", (None, None))

    def start(self, key, title: str, function: Callable, calls, already_done=NOTHING) -> None:
        job = shared_queue().submit(title, function, calls, already_done=already_done)
        st.session_state[f"_csv_{self._kind}_job"] = (job, key)
        st.session_state.pop(f"_csv_{self._kind}_failure", None)

    def is_running(self) -> bool:
        """Whether a job is under way; the results of one that has ended are kept."""
        job, key = self.job()
        if job is None:
            return False
        job.touch()
        snapshot = job.snapshot()
        if snapshot.state not in ENDED:
            return True
        self.results[key] = [value for _, value in snapshot.results]
        while len(self.results) > MOST_KEPT:
            del self.results[next(iter(self.results))]
        st.session_state[f"_csv_{self._kind}_failure"] = snapshot.error
        st.session_state.pop(f"_csv_{self._kind}_job")
        return False

    def draw_progress(self, so_far: Callable[[object, Snapshot], None] | None = None) -> None:
        """How far the job is, and a way out; `so_far` draws what is known, given the job's key."""

        @st.fragment(run_every=0.5)
        def live():
            job, key = self.job()
            if job is None:
                return
            job.touch()
            snapshot = job.snapshot()
            if snapshot.state in ENDED:
                st.rerun()
            bar, button = st.columns([5, 1], vertical_alignment="center")
            bar.progress(snapshot.done / max(snapshot.total, 1), text=_progress_text(snapshot))
            button.button("Cancel", key=f"csv_{self._kind}_cancel", on_click=job.cancel)
            if so_far is not None:
                so_far(key, snapshot)

        live()


def _progress_text(snapshot: Snapshot) -> str:
    if snapshot.state == "queued":
        return f"Waiting: number {snapshot.position} in the line"
    text = f"{snapshot.done} of {snapshot.total} fits"
    if snapshot.seconds_left is not None:
        text += f", about {snapshot.seconds_left:.0f} s left"
    return text


COMPARISON = Watch("comparison")
PATH = Watch("path")


@st.cache_data(max_entries=200, show_spinner=False)
def sample_fit(digest: str, spec: str, _prepared, _spec):
    return quick_fit(_prepared, _spec)


@st.cache_data(scope="session", max_entries=40, show_spinner=False)
def own_fit(digest: str, options: str, spec: str, _prepared, _spec):
    return quick_fit(_prepared, _spec)


def quick_fit(prepared, spec):
    key = compare.own_key(spec)
    return [compare.run(prepared, spec, key, fold) for fold in (None, *range(spec.n_folds))]


def outcomes_of(run_key, table_key, sample, prepared, spec):
    """What is known about this fit: a finished comparison, or a quick fit, or nothing yet."""
    finished = COMPARISON.results.get(run_key)
    if finished and is_complete(finished, spec):
        return finished
    if not compare.is_quick(prepared, spec):
        return None
    if sample is not None:
        return sample_fit(table_key[0], spec.digest, prepared, spec)
    return own_fit(*table_key, spec.digest, prepared, spec)


def is_complete(outcomes, spec) -> bool:
    """Whether our own model is there, on all rows and in every fold; rivals may be missing."""
    own = {each.fold for each in outcomes if each.key == compare.own_key(spec)}
    return own == {None, *range(spec.n_folds)}


def start_comparison(run_key, prepared, spec, keys, known) -> None:
    calls = compare.tasks(prepared, spec, keys)
    places = {(key, fold): i for i, (_, _, key, fold) in enumerate(calls)}
    done = {
        places[each.key, each.fold]: each for each in known or () if (each.key, each.fold) in places
    }
    COMPARISON.start(run_key, "Classify a table", compare.run, calls, done)
