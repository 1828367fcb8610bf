"""Fits, comparisons and paths: at once where they are quick, in the queue of jobs otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from lab.own_table import first_visit, fits, work
from lab.own_table.case import Case
from lab.own_table.outlook import Countdown, left_per_done, time_left
from lab.own_table.view import desk
from lab.running.jobs import ENDED, NOTHING, Snapshot, shared_queue
from lab.words import clock
from solvers.threads import one_thread

MOST_KEPT = 8


class Watch:
    """The job of one kind that this visit follows.

    `keep(key, results)` takes what a job found, also of one that was cancelled, when it has ended;
    `left(key, results)` says how much there is still to do, in units of what is done.
    """

    def __init__(self, kind: str, keep: Callable, left: Callable | None = None):
        self._kind = kind
        self._keep = keep
        self._left = left

    @property
    def failure(self) -> str:
        """Why the last job ended early, in a sentence; empty if it did not."""
        return st.session_state.get(f"_csv_{self._kind}_failure", "")

    def job(self):
        """The job under way and its key; None twice where there is none.

        The desk holds the job itself: the queue forgets those that ended while nobody looked.
        """
        return desk.mine().jobs.get(self._kind, (None, None))

    def start(
        self, key, title: str, function: Callable, calls, already_done=NOTHING, costs=None
    ) -> None:
        job = shared_queue().submit(
            title,
            function,
            calls,
            already_done=already_done,
            costs=costs,
            keep_running=bool(st.session_state.get("csv_keep", False)),
        )
        desk.mine().jobs[self._kind] = (job, key)
        desk.watched_here().add(job.id)
        st.session_state.pop(f"_csv_{self._kind}_failure", None)

    def is_running(self) -> bool:
        """Whether a job is under way; the results of one that has ended are kept."""
        job, key = self.job()
        if job is None:
            return False
        job.touch()
        snapshot = job.snapshot()
        self._keep(key, snapshot.results)
        if snapshot.state not in ENDED:
            return True
        st.session_state[f"_csv_{self._kind}_failure"] = snapshot.error
        desk.mine().jobs.pop(self._kind, None)
        return False

    def draw_progress(self, so_far: Callable[[], int] | None = None) -> None:
        """How far the job is, and a way out; a full run follows when `so_far` has changed."""
        if self.job()[0] is None:
            return

        @st.fragment(run_every=0.5)
        def live():
            job, _ = self.job()
            if job is None:
                return
            job.touch()
            snapshot = job.snapshot()
            seen = st.session_state.get(f"_csv_{self._kind}_seen")
            known = (job.id, snapshot.done)
            news = so_far is not None and seen is not None and seen != known
            st.session_state[f"_csv_{self._kind}_seen"] = known
            if snapshot.state in ENDED or news:
                st.rerun()
            bar, button = st.columns([5, 1], vertical_alignment="center")
            share = snapshot.done / max(snapshot.total, 1)
            bar.progress(share, text=self._progress_text(job, snapshot))
            button.button("Cancel", key=f"csv_{self._kind}_cancel", on_click=job.cancel)

        live()

    def _progress_text(self, job, snapshot: Snapshot) -> str:
        if snapshot.state == "queued":
            return (
                f"Waiting: number {snapshot.position} in the line, about "
                f"{clock(snapshot.wait_seconds)} to go"
            )
        text = f"{snapshot.done} of {snapshot.total} fits"
        guess = snapshot.seconds_left
        if self._left is not None:
            ratio = self._left(self.job()[1], snapshot.results)
            guess = guess if ratio is None else ratio * snapshot.seconds
        if guess is None:
            return text
        name = f"_csv_{self._kind}_left"
        counting = st.session_state.get(name, {}).get(job.id, Countdown())
        st.session_state[name] = {job.id: counting}
        left = counting.at(snapshot.seconds, snapshot.done, guess)
        return f"{text}, {time_left(left, guess)}"


def _into_ledger(key, results) -> None:
    table_key, tasks = key
    for index, value in results:
        desk.mine().ledger.put(table_key, tasks[index], value)


def _into_parts(key, results) -> None:
    parts = desk.mine().paths.setdefault(key, {})
    parts.update(dict(results))
    while len(desk.mine().paths) > MOST_KEPT:
        del desk.mine().paths[next(iter(desk.mine().paths))]


COMPARISON = Watch("comparison", _into_ledger, lambda key, results: left_per_done(key[1], results))
PATH = Watch("path", _into_parts)


@st.cache_resource(max_entries=400, show_spinner=False)
def _for_everybody(digest: str, identity: str, part: str, kind: str, _case, _task, _strengths):
    """What a sample's task finds is found once for all visitors."""
    return _perform(_case, _task, _strengths)


def _perform(case: Case, task: work.Task, strengths):
    return work.perform(case.prepared, case.spec, case.groupings, task, strengths)


def do_now(case: Case, tasks: Sequence[work.Task]) -> Case:
    """Do what is missing of these tasks in this very run, and say what is known then."""
    ledger = desk.mine().ledger
    # Small problems gain nothing from a second thread, and lose much where others use the cores.
    with one_thread():
        for task in ledger.missing(case.table_key, tasks):
            strengths = known_strengths(case, task)
            if case.sample is not None:
                parts = (case.table.digest, task.identity, repr(task.part), task.kind)
                found = _for_everybody(*parts, case, task, strengths)
            else:
                found = _perform(case, task, strengths)
            ledger.put(case.table_key, task, found)
    return ledger.completed(case)


def known_strengths(case: Case, task: work.Task) -> dict | None:
    """The strengths of our fits, by fold, that a task needs; those of shuffled labels are never
    by hand."""
    if task.kind == "fit":
        return None
    spec = replace(case.spec, tuning="auto") if task.kind == "chance" else case.spec
    outcomes = desk.mine().ledger.outcomes(case.table_key, spec)
    return work.strengths_of(outcomes, fits.own_key(spec))


def with_own_fits(case: Case) -> Case:
    """The case with our own model fitted, where that is quick or was done before.

    Where a reader would wait for the folds it is the fit on all rows alone: `with_folds` is for
    when that is on show.
    """
    ledger = desk.mine().ledger
    if case.sample is not None:
        first_visit.put_into(ledger, case.table_key)
    case = ledger.completed(case)
    if case.fitted or not fits.is_quick(case.prepared):
        return case
    wanted = fits.own_work(case.spec)
    if not fits.is_one_step(case.prepared, case.spec):
        wanted = wanted[:1]
    return do_now(case, work.fit_tasks(case.spec, wanted))


def folds_are_next(case: Case) -> bool:
    """Whether the first result is all there is, and its folds follow in this very run."""
    return case.begun and not case.fitted and fits.is_quick(case.prepared)


def with_folds(case: Case) -> Case:
    return do_now(case, work.fit_tasks(case.spec, fits.own_work(case.spec)))


def with_chance(case: Case) -> Case:
    """The case with shuffled labels, where that is quick; strengths are those chosen by itself."""
    if case.chance is not None or not fits.is_quick(case.prepared):
        return case
    if case.spec.tuning == "hand":
        auto = replace(case.spec, tuning="auto")
        do_now(replace(case, spec=auto), work.fit_tasks(auto, fits.own_work(auto)[1:]))
    return do_now(case, work.chance_tasks(case.spec))


MOST_GROUPS_AT_ONCE = 8


def losses_of(case: Case) -> list | None:
    """What is lost without each group, where that is quick or was found before."""
    tasks = work.loss_tasks(case.spec, case.grouped.n_groups)
    if case.grouped.n_groups <= MOST_GROUPS_AT_ONCE and fits.is_quick(case.prepared):
        do_now(case, tasks)
    found = [desk.mine().ledger.get(case.table_key, task) for task in tasks]
    return None if any(each is None for each in found) else found


def start(case: Case, tasks: Sequence[work.Task]) -> None:
    """Put what is missing of these tasks into the queue."""
    tasks = desk.mine().ledger.missing(case.table_key, tasks)
    calls = [
        (case.prepared, case.spec, case.groupings, task, known_strengths(case, task))
        for task in tasks
    ]
    COMPARISON.start(
        (case.table_key, tasks),
        "Analysis of a table",
        work.perform,
        calls,
        costs=[task.cost for task in tasks],
    )
