"""A visit's table and results for the same browser: after a reload, and in a second tab.

A reload begins a new session, so what the last one held is kept in memory for a while under the
token that the server gave the browser: random, never in an address, and gone when the browser is
closed. Without such a token (cookies off) every tab is a visit of its own, as before.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from lab.own_table.view import desk
from lab.own_table.view.controls import GROUP_SLOT, WEIGHT_SLOT
from lab.ui.uploads import Upload, held_upload, hold

SLOTS = ("csv", GROUP_SLOT, WEIGHT_SLOT, "csv_second")
KEPT_SECONDS = 15 * 60.0  # after the last look; a session that is open holds its own
MOST_VISITS, MOST_BYTES = 12, 200 * 2**20
_CHOICES = ("_choices:csv_", "_choices:csv2_")


@dataclass
class Visit:
    """What a session held at its last run; the desk is one and the same for all tabs."""

    desk: desk.Desk
    files: dict[str, Upload] = field(default_factory=dict)
    choices: dict[str, dict[str, Any]] = field(default_factory=dict)
    landed: str | None = None
    seen: float = 0.0

    @property
    def n_bytes(self) -> int:
        return sum(len(file.data) for file in self.files.values())


class Shelf:
    """Visits by the browser's token; the longest unseen go first."""

    def __init__(self):
        self._lock = threading.Lock()
        self._visits: dict[str, Visit] = {}

    def put(self, token: str, visit: Visit, now: float) -> None:
        visit.seen = now
        with self._lock:
            self._visits.pop(token, None)
            self._visits[token] = visit
            for old in [t for t, v in self._visits.items() if now - v.seen > KEPT_SECONDS]:
                del self._visits[old]
            while len(self._visits) > MOST_VISITS or (
                len(self._visits) > 1 and sum(v.n_bytes for v in self._visits.values()) > MOST_BYTES
            ):
                del self._visits[next(iter(self._visits))]

    def get(self, token: str, now: float) -> Visit | None:
        with self._lock:
            visit = self._visits.get(token)
            if visit is not None and now - visit.seen > KEPT_SECONDS:
                del self._visits[token]
                return None
            return visit


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf:
    return Shelf()


def browser_token() -> str | None:
    """The random part of the cookie with which the server tells its own forms from others'.

    Its text changes with every answer (version, mask, masked token, time); the token does not.
    """
    parts = str(st.context.cookies.get("_streamlit_xsrf", "")).split("|")
    try:
        mask, masked = bytes.fromhex(parts[1]), bytes.fromhex(parts[2])
    except (IndexError, ValueError):
        return None
    if not mask or len(masked) < 16:
        return None
    return bytes(byte ^ mask[k % len(mask)] for k, byte in enumerate(masked)).hex()


def take_up() -> None:
    """At the first run of a session: what the same browser had here."""
    if "_csv_desk" in st.session_state:
        return
    token = browser_token()
    visit = None if token is None else _shelf().get(token, time.monotonic())
    if visit is None:
        return
    st.session_state["_csv_desk"] = visit.desk
    for slot, file in visit.files.items():
        hold(slot, file)
    for name, left in visit.choices.items():
        st.session_state[name] = dict(left)
    if visit.landed is not None:
        st.session_state["_csv_landed"] = visit.landed
    desk.watched_here().update(job.id for job, _ in visit.desk.jobs.values())


def put_back() -> None:
    """At the end of a run: what this session has now."""
    token = browser_token()
    if token is None:
        return
    now = time.monotonic()
    held = {slot: file for slot in SLOTS if (file := held_upload(slot)) is not None}
    # Another tab may hold a file that this one never saw; what this one has removed is gone.
    before = _shelf().get(token, now)
    gone = st.session_state.get("_csv_shelved", frozenset()) - set(held)
    others = {} if before is None else before.files
    visit = Visit(
        desk.mine(),
        {slot: file for slot, file in others.items() if slot not in gone} | held,
        {name: dict(st.session_state[name]) for name in _CHOICES if name in st.session_state},
        st.session_state.get("_csv_landed"),
    )
    st.session_state["_csv_shelved"] = frozenset(held)
    _shelf().put(token, visit, now)
