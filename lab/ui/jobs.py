"""The one queue of long computations that all pages and visitors of this server share."""

from __future__ import annotations

import streamlit as st

from lab.jobs import JobQueue


@st.cache_resource(show_spinner=False)
def job_queue() -> JobQueue:
    return JobQueue()
