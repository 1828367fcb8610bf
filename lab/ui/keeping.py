"""Whether a computation outlives the visit that started it: one toggle before the start, one after.

Both set the control `keep` of the page.
"""

from __future__ import annotations

import streamlit as st

from lab.running.jobs import Job
from lab.ui.view import View

KEEP = "Keep running when I leave"
_HELP = "Otherwise closing the tab ends it."


def before_start(view: View) -> bool:
    return view.toggle("keep", KEEP, help=_HELP)


def under_way(view: View, job: Job) -> None:
    """As the job was told last by whomever.

    A toggle apart from the one before the start: others may look at a job too, and who never
    touched the toggle must neither change it nor take it for the next one.
    """
    key = f"{view.key('keep')}_running"
    st.session_state[key] = job.keep_running
    st.toggle(KEEP, key=key, on_change=_as_told, args=(view, job, key), help=_HELP)


def _as_told(view: View, job: Job, key: str) -> None:
    job.keep_running = st.session_state[key]
    view.set({"keep": job.keep_running})
