"""Fits and comparisons: at once where they are quick, in the queue of jobs otherwise."""

from __future__ import annotations

import streamlit as st

from lab.classify import compare
from lab.jobs import shared_queue


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
    finished = finished_runs().get(run_key)
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


def finished_runs() -> dict:
    """Outcomes of finished or cancelled comparisons of this session, by what they compared."""
    return st.session_state.setdefault("_csv_runs", {})


def watched_job():
    watched = st.session_state.get("_csv_job")
    return (None, None) if watched is None else (shared_queue().get(watched[0]), watched[1])


def start_run(run_key, prepared, spec, keys, known) -> None:
    calls = compare.tasks(prepared, spec, keys)
    places = {(key, fold): i for i, (_, _, key, fold) in enumerate(calls)}
    done = {places[each.key, each.fold]: each for each in known or ()}
    job = shared_queue().submit("Classify a table", compare.run, calls, already_done=done)
    st.session_state["_csv_job"] = (job.id, run_key)
    st.session_state.pop("_csv_failure", None)


def collect_job() -> bool:
    """Whether a comparison is under way; the results of one that has ended are kept."""
    job, run_key = watched_job()
    if job is None:
        return False
    job.touch()
    snapshot = job.snapshot()
    if snapshot.state not in ("done", "cancelled", "failed"):
        return True
    runs = finished_runs()
    runs[run_key] = [value for _, value in snapshot.results]
    while len(runs) > 4:
        del runs[next(iter(runs))]
    st.session_state["_csv_failure"] = snapshot.error
    st.session_state.pop("_csv_job")
    return False
